/** The numbers of the specification that the client keeps to, each said once. tests/client/constants.test.ts holds them against its sentences. */

/** All cookies last 7 days. */
export const cookieDays = 7

/** Milliseconds on screen. */
export const successToastMs = 3500
export const errorToastMs = 2500

/** The loading animation closes after it; so long also until the page is loaded anew once the terms are agreed to. */
export const loadingEndsMs = 2000

/** Starred pages in the limited list. */
export const starLimit = 10

/** Pixels at which layouts change. Style sheets write them out: a test reads them. */
export const breakpoints = [576, 768, 992, 1200] as const

/** Rows a page of a table until somebody chooses, and what an empty choice becomes. */
export const defaultPageSize = 5
export const mainPageSizes = [5, 10, 25, 50, 100] as const
/** Tables other than the main one of a page offer these and All. */
export const otherPageSizes = [...mainPageSizes, 250, 1000] as const

/** From the last letter to the question. */
export const searchDelayMs = 700

/** Digits of money after the dot; none in the variant without decimals. */
export const moneyPlaces = 2

export const dateFormat = 'DD/MM/YYYY'
export const timeFormat = 'DD/MM/YYYY HH:mm:ss'

export const chunkTimeoutMs = 120_000
