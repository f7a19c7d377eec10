import { halfWidth, plainText } from '#base/unseen.ts'

/** Months by their names in the three languages, as digits the boxes read. Loaded when a name may be typed. */

/** Any beginning of three letters names one month alone. */
const names: readonly (readonly string[])[] = [
  ['january', 'januari'], ['february', 'februari', 'pebruari'], ['march', 'maret'], ['april'], ['may', 'mei'], ['june', 'juni'], ['july', 'juli'], ['august', 'agustus', 'agt', 'ags'],
  ['september'], ['october', 'oktober'], ['november', 'nopember'], ['december', 'desember'],
]
const figures = '〇一二三四五六七八九'

interface Named {
  readonly day?: string
  readonly month: string
  readonly year?: string
}

/** `10 Mar 2026`, `Mar 10, 2026`, `10-mar-26`, `3月10日` → `10/3/2026`; anything else comes back as it is. */
export function dayInDigits(text: string): string {
  const plain = halfWidth(plainText(text))
  const found = chinese(plain) ?? latin(plain, 'day')
  return found?.day === undefined ? text : [found.day, found.month, ...(found.year === undefined ? [] : [found.year])].join('/')
}

/** `Mar 2026`, `maret`, `2026年三月` → `3/2026`; anything else comes back as it is. */
export function monthInDigits(text: string): string {
  const plain = halfWidth(plainText(text))
  const found = chinese(plain) ?? latin(plain, 'year')
  return found === undefined || found.day !== undefined ? text : [found.month, ...(found.year === undefined ? [] : [found.year])].join('/')
}

/** `loose`: what a number of one or two digits after the name is. */
function latin(text: string, loose: 'day' | 'year'): Named | undefined {
  if (!/^[\d\p{L}\s,./-]+$/u.test(text)) return undefined
  const parts = text.toLowerCase().match(/\d+|\p{L}+/gu) ?? []
  const at = parts.findIndex((part) => /\p{L}/u.test(part))
  const month = monthCalled(parts[at] ?? '')
  const numbers = parts.toSpliced(at, 1)
  if (month === undefined || numbers.length > 2 || numbers.some((part) => !/^(\d{1,2}|\d{4})$/.test(part))) return undefined
  const [first, second] = numbers
  if (first === undefined) return { month }
  if (second === undefined) return first.length === 4 || (at === 0 && loose === 'year') ? { month, year: first } : { day: first, month }
  // The year stands last, unless it alone has four digits and stands first.
  return first.length === 4 ? { day: second, month, year: first } : { day: first, month, year: second }
}

function monthCalled(word: string): string | undefined {
  if (word.length < 3) return undefined
  const at = names.flatMap((called, i) => (called.some((name) => name.startsWith(word)) ? [i + 1] : []))
  return at.length === 1 ? String(at[0]) : undefined
}

/** `三月`, `3月`, `2026年3月10日`, `十二月三十一日`. */
function chinese(text: string): Named | undefined {
  const match = /^(?:(\d{4}) *年)? *([\d一二三四五六七八九十]{1,2}) *月份? *(?:([\d一二三四五六七八九十]{1,3}) *[日号]?)?$/.exec(text)
  const [month, day] = [digits(match?.[2]), digits(match?.[3])]
  return month === undefined ? undefined : { month, ...(day === undefined ? {} : { day }), ...(match?.[1] === undefined ? {} : { year: match[1] }) }
}

/** 十 → 10, 十二 → 12, 三十一 → 31. */
function digits(text: string | undefined): string | undefined {
  if (text === undefined || /^\d+$/.test(text)) return text
  const [tens, ones] = text.split('十')
  if (ones === undefined) return String(figures.indexOf(text))
  return String((tens === '' ? 1 : figures.indexOf(tens ?? '')) * 10 + (ones === '' ? 0 : figures.indexOf(ones)))
}
