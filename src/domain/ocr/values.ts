import { isDate } from '#base/date.ts'

/** What a field of an invoice holds, which tells how its text is understood. */
export const readingTypes = ['text', 'date', 'money', 'digits'] as const
export type ReadingType = (typeof readingTypes)[number]

/** A value as it is kept, and whether letters had to be taken for digits. */
export interface Value {
  readonly text: string
  readonly isGuessed: boolean
}

const months: readonly (readonly string[])[] = [
  ['jan', 'januari', 'january'], ['feb', 'februari', 'february', 'peb', 'pebruari'], ['mar', 'maret', 'march'], ['apr', 'april'], ['mei', 'may'], ['jun', 'juni', 'june'],
  ['jul', 'juli', 'july'], ['agu', 'agt', 'ags', 'agustus', 'aug', 'august'], ['sep', 'sept', 'september'], ['okt', 'oktober', 'oct', 'october'],
  ['nov', 'nop', 'november', 'nopember'], ['des', 'desember', 'dec', 'december'],
]

/** The value a text stands for: ISO day, decimal text, digits, or the text tidied; undefined where it is none. */
export function valueOf(type: ReadingType, text: string): Value | undefined {
  switch (type) {
    case 'date':
      return sure(dayIn(text))
    case 'money':
      return amountIn(text)
    case 'digits':
      return digitsIn(text)
    case 'text':
      return sure(text.replace(/^[\s:;.|-]+|[\s:;|]+$/g, '').replaceAll(/\s+/g, ' '))
  }
}

function sure(text: string | undefined): Value | undefined {
  return text === undefined || text === '' ? undefined : { text, isGuessed: false }
}

/** Day first, as invoices here are written; months by name in Indonesian and English. */
function dayIn(text: string): string | undefined {
  const named = /(\d{1,2})[\s.-]*([A-Za-z]{3,9})[\s.,-]*(\d{4})/.exec(text) ?? undefined
  if (named !== undefined) return dayOf(named[3], monthOf(named[2]), named[1])
  const english = /([A-Za-z]{3,9})\s+(\d{1,2})\s*,\s*(\d{4})/.exec(text) ?? undefined
  if (english !== undefined) return dayOf(english[3], monthOf(english[1]), english[2])
  const iso = /(\d{4})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{1,2})/.exec(text) ?? undefined
  if (iso !== undefined) return dayOf(iso[1], Number(iso[2]), iso[3])
  const plain = /(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{4}|\d{2})(?!\d)/.exec(text) ?? undefined
  return plain === undefined ? undefined : dayOf((plain[3] ?? '').padStart(4, '20'), Number(plain[2]), plain[1])
}

function monthOf(name = ''): number {
  return months.findIndex((names) => names.includes(name.toLowerCase())) + 1
}

function dayOf(year = '', month = 0, day = ''): string | undefined {
  const text = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(text) ? text : undefined
}

/** An amount of money: three digits behind the last sign are thousands, one or two are cents. */
function amountIn(text: string): Value | undefined {
  const bare = text.replace(/^[^\d(-]*?(Rp|IDR)\.?/i, '').replaceAll(/\s/g, '')
  const found = /\(?-?[\dOolISB][\dOolISB.,]*\)?/.exec(bare)?.[0]
  if (found === undefined) return undefined
  const { text: digits, isGuessed } = asDigits(found)
  if (!/\d/.test(digits)) return undefined
  const isNegative = /^[(-]/.test(digits)
  const plain = digits.replaceAll(/[()-]/g, '').replace(/[.,]+$/, '')
  const cents = /[.,](\d{1,2})$/.exec(plain)
  const whole = (cents === null ? plain : plain.slice(0, cents.index)).replaceAll(/[.,]/g, '').replace(/^0+(?=\d)/, '')
  if (!/^\d{1,15}$/.test(whole)) return undefined
  return { text: `${isNegative ? '-' : ''}${whole}.${(cents?.[1] ?? '').padEnd(2, '0')}`, isGuessed }
}

function digitsIn(text: string): Value | undefined {
  const { text: digits, isGuessed } = asDigits(text.replaceAll(/[\s.,/-]/g, ''))
  const found = /\d{10,}/.exec(digits)?.[0]
  return found === undefined ? undefined : { text: found, isGuessed }
}

const alike: Readonly<Record<string, string>> = { O: '0', o: '0', l: '1', I: '1', S: '5', B: '8' }

/** Letters that are taken for digits where digits stand. */
function asDigits(text: string): Value {
  const fixed = text.replaceAll(/[OolISB]/g, (letter) => alike[letter] ?? letter)
  return { text: fixed, isGuessed: fixed !== text }
}
