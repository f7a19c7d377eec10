import { addDays, isDate, isKept } from '#base/date.ts'
import { digitsAndDot, isNumericKey } from '#base/numberRules.ts'
import { accept, refuse, type Result } from '#base/result.ts'
import { halfWidth } from '#base/unseen.ts'
import type { DateText } from '#base/date.ts'
import type { Field, FieldType } from '#meta/resolved.ts'
import { loadChunk } from '../app/chunks.ts'
import type { Message } from './message.ts'
import type * as Names from './monthNames.ts'

/**
 * What a person types against what travels: numbers with comma thousands and a dot, days as DD/MM/YYYY.
 * Pure but for the names of months, a part loaded when one is typed; the widgets of the form and the cells of the line grid share it.
 */

/** Message key of the refusal of one typed value. */
export type EntryProblem = 'ui.entry.number' | 'ui.entry.thousand' | 'ui.entry.comma' | 'ui.entry.large' | 'ui.entry.unsigned' | 'ui.entry.whole' | 'ui.entry.places' | 'ui.entry.date' | 'ui.entry.noDay' | 'ui.entry.farDay' | 'ui.entry.choice' | 'ui.entry.boolean'

const placesOf: Partial<Record<FieldType, number>> = {
  integer: 0,
  money: 2,
  quantity: 3,
  price: 4,
  percent: 4,
  cost: 6,
  rate: 6,
}

/** What may be typed into a number. */
export const numberKeys = {
  unsigned: (key: string) => isNumericKey({ key }),
  signed: (key: string) => key === '-' || isNumericKey({ key }),
  /** Of a number that may be written with a decimal comma too. */
  either: (key: string) => key === ',' || numberKeys.signed(key),
}

/** Digits after the dot a number type may have; undefined when the type is no number. */
export function places(type: FieldType): number | undefined {
  return placesOf[type]
}

/** May the number be negative? Only where its entity says so. */
export function isSigned(field: Pick<Field, 'min'>): boolean {
  return field.min?.startsWith('-') === true
}

/**
 * Decimal text of a typed number. Commas are thousands and are dropped only where they can be thousands ("1,234.5"); "1,5" is refused
 * rather than guessed, and so is "1.000", which in half of the world is a thousand; `isProven`: its dot is known to stand before decimals. Empty
 * text is null.
 */
export function parseNumber(text: string, maxPlaces: number, isProven = false): Result<string | null, EntryProblem> {
  const bare = halfWidth(text.trim()).replace(/^Rp\.?\s*/i, '').replace(/\s/g, '')
  if (bare === '') return accept(null)
  const match = /^(-?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?$/.exec(bare)
  const [, sign = '', whole = '', fraction = ''] = match ?? []
  if (match === null || (whole === '' && fraction === '')) return refuse(/^-?\d+(,\d+)+(\.\d*)?$/.test(bare) ? 'ui.entry.comma' : 'ui.entry.number')
  if (!isProven && /^-?[1-9]\d{0,2}\.\d{3}$/.test(bare)) return refuse('ui.entry.thousand')
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > maxPlaces) return refuse(maxPlaces === 0 ? 'ui.entry.whole' : 'ui.entry.places')
  const digits = whole.replace(/,/g, '').replace(/^0+(?=\d)/, '') || '0'
  if (digits.length > 15) return refuse('ui.entry.large')
  const value = kept === '' ? digits : `${digits}.${kept}`
  return accept(sign === '-' && /[1-9]/.test(value) ? `-${value}` : value)
}

/** The same where no minus belongs: one that was pasted is told, for without it the number would be another. */
export function parseUnsigned(text: string, maxPlaces: number, isProven = false): Result<string | null, EntryProblem> {
  const parsed = parseNumber(text, maxPlaces, isProven)
  return parsed.ok && parsed.value?.startsWith('-') === true ? refuse('ui.entry.unsigned') : parsed
}

/**
 * Under the 'between' rule everything except digits and the dot is removed before the number is read. A comma that stands for no thousands is
 * refused as everywhere: without it 1,5 would be fifteen.
 */
export function parseRanged(text: string, maxPlaces: number, isProven = false): Result<string | null, EntryProblem> {
  const wide = halfWidth(text)
  if (/\d,\d/.test(wide) && !/^\D*\d{1,3}(,\d{3})+(\.\d*)?\D*$/.test(wide)) return parseNumber(text, maxPlaces, isProven)
  const bare = digitsAndDot(wide)
  return bare === '' && wide.trim() !== '' ? refuse('ui.entry.number') : parseNumber(bare, maxPlaces, isProven)
}

/** No percentage is a thousand: the dot in one stands before decimals. */
export function hasNoThousands(type: FieldType): boolean {
  return type === 'percent'
}

/** The refusal of a typed number in words. */
export function numberMessage(key: EntryProblem, text: string, maxPlaces: number): Message {
  return { key, params: { text, plain: text.replace('.', ''), places: maxPlaces } }
}

/** Thousands separated by commas, at least `minPlaces` digits after the dot. Text that is no number comes back as it is. */
export function groupedNumber(value: string, minPlaces: number): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value)
  if (match === null) return value
  const [, sign = '', whole = '', fraction = ''] = match
  const shown = fraction.replace(/0+$/, '').padEnd(minPlaces, '0')
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${shown === '' ? '' : `.${shown}`}`
}

/** Digits always shown after the dot: money has cents, other numbers only what they have. */
export function shownPlaces(type: FieldType): number {
  return type === 'money' ? 2 : 0
}

let names: typeof Names | undefined

/** Months by name are read by a part of its own, loaded where one may be (have been) typed: is it there then? Undefined: nothing has to be waited for. */
export function readNames(typed = '月'): Promise<boolean> | undefined {
  if (names !== undefined || !/[a-z]{3}|月/i.test(typed)) return undefined
  return loadChunk(() => import('./monthNames.ts')).then((part) => (names = part) === part, () => false)
}

/** What was typed, with the name of its month in digits. */
export function inDigits(typed: string, how: keyof typeof Names): string {
  const bare = halfWidth(typed.trim())
  return names?.[how](bare) ?? bare
}

/**
 * Day of what was typed: DD/MM/YYYY with `/`, `-`, `.` or blank between, DDMMYYYY, two-digit years of this century, the year first (ISO, 2025/6/10, 2025年6月10日, 20250610), and day or
 * day and month alone, completed from `today`, the month also by its name; `t` is today, `+7` a week later. Empty text is null.
 */
export function parseDay(text: string, today: DateText): Result<DateText | null, EntryProblem> {
  const bare = inDigits(text, 'dayInDigits')
  if (bare === '') return accept(null)
  // A boolean on its own: the guard would leave nothing of a text that is no day.
  const isIso: boolean = isDate(bare)
  if (isIso) return near(bare)
  const days = /^(?:t|([+-]\d{1,3}))$/i.exec(bare)
  if (days !== null) return accept(addDays(today, Number(days[1] ?? 0)))
  const packed = /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(bare)
  const yearFirst = /^(\d{4})[/\-. 年] *(\d{1,2})[/\-. 月] *(\d{1,2})日?$/.exec(bare) ?? /^((?:19|20)\d\d)(0\d|1[0-2])(\d\d)$/.exec(bare)
  const parts = yearFirst?.slice(1).reverse() ?? packed?.slice(1) ?? bare.split(/[/\-. ]+/)
  if (parts.length > 3 || parts.some((part) => !/^\d{1,4}$/.test(part))) return refuse('ui.entry.date')
  const [day = '', month = today.slice(5, 7), year = today.slice(0, 4)] = parts
  if (day.length > 2 || month.length > 2 || year.length === 3 || year.length === 1) return refuse('ui.entry.date')
  const iso = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(iso) ? near(iso) : refuse('ui.entry.noDay')
}

function near(day: DateText): Result<DateText, EntryProblem> {
  return isKept(day) ? accept(day) : refuse('ui.entry.farDay')
}

/** `2025-06-10` → `10/06/2025`; anything else comes back as it is. */
export function shownDay(value: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(value)
  return match === null ? value : `${match[3]}/${match[2]}/${match[1]}`
}
