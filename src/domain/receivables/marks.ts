/** Where in a text something stands. */
export interface Place {
  readonly from: number
  readonly to: number
}

/** The words of a bank, ready to be looked through for many marks. */
export interface Words {
  readonly text: string
  readonly bare: string
}

/** A number or reference that a bank may repeat. */
export interface Mark {
  readonly pattern: RegExp
  readonly bare: string
}

const shortest = 5
const days = /(?<![\p{L}\p{N}][-./]?)(?:(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|1[0-2])\1(?:(?:19|20)\d\d|\d\d)|(?:19|20)\d\d([-./])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01]))(?![-./]?[\p{L}\p{N}])/gu
/** No number goes on over these: `2611-5` is none of `2611-5-987`. */
const begins = String.raw`(?<![\p{L}\p{N}][-_]?)(?<!\p{N}[./])`
const ends = String.raw`(?![-_]?[\p{L}\p{N}])(?![./]\p{N})`

export function wordsOf(text: string): Words {
  const upper = text.toUpperCase()
  return { text: upper.replace(days, (day) => '|'.repeat(day.length)), bare: bareOf(upper) }
}

/** Undefined for what is too short to mean anything. */
export function markOf(text: string): Mark | undefined {
  const upper = text.toUpperCase()
  const bare = bareOf(upper)
  return bare.length < shortest ? undefined : { pattern: new RegExp(`${begins}${written(upper.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))}${ends}`, 'u'), bare }
}

/**
 * Where a mark stands whole in the words, capitals or not. Banks write one without its separators or, where it has none, with some, a blank only
 * between letters and digits. A day is no part of one, and digits apart are not joined.
 */
export function placeOf(words: Words, mark: Mark): Place | undefined {
  const found = words.bare.includes(mark.bare) ? mark.pattern.exec(words.text) : null
  return found === null ? undefined : { from: found.index, to: found.index + found[0].length }
}

/** Is the first a part of the second? */
export function isWithin(part: Place, whole: Place): boolean {
  return part.from >= whole.from && part.to <= whole.to && part.to - part.from < whole.to - whole.from
}

function written(mark: string): string {
  if (/[^\p{L}\p{N}]/u.test(mark)) return mark.replace(/[^\p{L}\p{N}]+/gu, (separator) => (/\s/.test(separator) ? String.raw`[-._/\s]?` : '[-._/]?'))
  const letters = Array.from(mark)
  return letters.map((letter, i) => (i === 0 ? letter : `${/\p{N}/u.test(letter) === /\p{N}/u.test(letters[i - 1] ?? '') ? '[-._]?' : '[-._/ ]?'}${letter}`)).join('')
}

function bareOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}
