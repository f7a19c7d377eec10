/** Marks of direction and of no width, hyphens that show only at the end of a line. */
const marks = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** Blanks that keep a line together. */
const hardBlanks = /[\u00a0\u2007\u202f]/g

/** Without what web pages, mails and right-to-left sheets put around codes, names and numbers unseen: it would make them unknown. */
export function withoutUnseen(text: string): string {
  return text.replace(marks, '').replace(hardBlanks, ' ')
}

/** Whether nothing of a text is seen: blanks, marks of no width, fillers. Within words some of them belong to a script or a picture; alone they are no name. */
export function isUnseen(text: string): boolean {
  return /^[\s\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]*$/u.test(text)
}

/** Wide digits and signs (１２．５, as East Asian keyboards write them) as the narrow ones they stand for. */
export function halfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
}

/**
 * Text of one line as it is kept, compared and searched for: nothing unseen in it, accents composed, letters and digits of one width, one blank
 * between words and none around them. Line breaks stay.
 */
export function plainText(text: string): string {
  return withoutUnseen(text)
    .normalize('NFC')
    .replace(/[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]+/g, halfWidth)
    .replace(/[^\S\r\n]+/g, ' ')
    .trim()
}

/** What texts are compared by: two that look the same are, capitals or not. */
export function compared(text: string): string {
  return plainText(text).toLowerCase()
}
