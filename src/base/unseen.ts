/** Marks of direction and of no width, hyphens that show only at the end of a line. */
const marks = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** Blanks that keep a line together. */
const hardBlanks = /[\u00a0\u2007\u202f]/g

/** Without what web pages, mails and right-to-left sheets put around codes, names and numbers unseen: it would make them unknown. */
export function withoutUnseen(text: string): string {
  return text.replace(marks, '').replace(hardBlanks, ' ')
}

/** Wide digits and signs (１２．５, as East Asian keyboards write them) as the narrow ones they stand for. */
export function halfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
}
