const leads = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20]'
const runs = /^'+\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^\s*[=@\uFF1D\uFF20]/
const counts = /^\s*[+\-\uFF0B\uFF0D]/
const isNumber = /^\s*([+-][\d(][\d .,()/-]*|[+-]+)\s*$/
const guarded = new RegExp(`^'(?='*\\s*${leads})`)
/** Whatever a spreadsheet may take for the end of a cell, whichever sign the file has between its own. */
const parts = /[^,;\t|\r\n]+/g

/**
 * Text no spreadsheet runs as a formula. What begins with = @ a tab or a line break gets an apostrophe in front; so does what begins with + or -
 * unless it is only digits and the signs of numbers and telephone numbers: -5, +62 812-3456 and a lone dash stay as they are. So does each part
 * between signs that divide the cells of other files, and what has an apostrophe there of its own, so that `unguardedText` gives back what was given.
 */
export function guardedText(text: string): string {
  const safe = text.replace(parts, (part) => (runs.test(part) || (counts.test(part) && !isNumber.test(part)) ? `'${part}` : part))
  return /^'*[\t\r\n]/.test(text) ? `'${safe}` : safe
}

/** The text that was guarded. */
export function unguardedText(text: string): string {
  return (/^'+[\t\r\n]/.test(text) ? text.slice(1) : text).replace(parts, (part) => part.replace(guarded, ''))
}
