/** Where the business is: its days, and the moments people read, are reckoned there. */
export const businessZone = 'Asia/Jakarta'

/** Jakarta is so many milliseconds ahead of Greenwich all the year. */
export const aheadMs = 7 * 3_600_000
