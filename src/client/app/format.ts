import { aheadMs } from '#base/businessZone.ts'
import { fixed } from '#base/decimal.ts'
import { moneyPlaces } from './constants.ts'

/** Money as people read it: 1,234.50; 1,235 with no places. Rounded half away from zero; text arithmetic, no float. Nothing for nothing. */
export function formatMoney(value: unknown, places: 0 | 2 = moneyPlaces): string {
  const text = decimalText(value)
  if (text === undefined) return ''
  const { sign, whole, fraction } = split(fixed(text, places))
  return `${sign}${group(whole, ',')}${places === 0 ? '' : `.${fraction}`}`
}

/** A price of one: as money, with the further digits a price may have. */
export function formatPrice(value: unknown): string {
  const text = decimalText(value)
  if (text === undefined) return ''
  const { sign, whole, fraction } = split(text)
  return `${sign}${group(whole, ',')}.${fraction.padEnd(moneyPlaces, '0').slice(0, Math.max(moneyPlaces, significant(fraction)))}`
}

/** Quantities, factors and percentages: thousands grouped, no zeros at the end. */
export function formatNumber(value: unknown): string {
  const text = decimalText(value)
  if (text === undefined) return ''
  const { sign, whole, fraction } = split(text)
  const kept = fraction.slice(0, significant(fraction))
  return `${sign}${group(whole, ',')}${kept === '' ? '' : `.${kept}`}`
}

export function formatPercent(value: unknown): string {
  const text = formatNumber(value)
  return text === '' ? '' : `${text} %`
}

/** Rupiah as Indonesians write it: Rp 1.234.567 (cents only when there are any). */
export function formatRupiah(value: unknown): string {
  const text = decimalText(value)
  if (text === undefined) return ''
  const { sign, whole, fraction } = split(text)
  const cents = significant(fraction) === 0 ? '' : `,${fraction.padEnd(2, '0')}`
  return `${sign}Rp ${group(whole, '.')}${cents}`
}

let isIso = false

/** Dates are shown day first unless the user has chosen otherwise. */
export function setDateFormat(format: 'DD/MM/YYYY' | 'YYYY-MM-DD'): void {
  isIso = format === 'YYYY-MM-DD'
}

/** `2025-01-31` → 31/01/2025. */
export function formatDate(value: unknown): string {
  if (typeof value !== 'string' || value.length < 10 || value.startsWith('0001')) return ''
  if (isIso) return value.slice(0, 10)
  return `${value.slice(8, 10)}/${value.slice(5, 7)}/${value.slice(0, 4)}`
}

/** A moment where the business is, as its days are reckoned there: 31/01/2025 14:05:09. */
export function formatTime(value: unknown): string {
  const at = typeof value === 'string' && !value.startsWith('0001') ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) return ''
  const there = new Date(at + aheadMs).toISOString()
  return `${formatDate(there)} ${there.slice(11, 19)}`
}

/** `202501` → 01/2025. */
export function formatPeriod(value: unknown): string {
  return typeof value === 'string' && /^\d{6}$/.test(value) ? `${value.slice(4)}/${value.slice(0, 4)}` : ''
}

/** Amounts inside a sentence of the server (365668.00) as people read them. */
export function readable(sentence: string): string {
  return sentence.replace(/(?<![\d/.-])\d{4,}\.\d{2}\b/g, (amount) => formatMoney(amount))
}

/** `31/01/2025`, `31-1-25`, `310125`, `31/1` (this year) or ISO text → `2025-01-31`; undefined when it is no day. */
export function parseDate(typed: string, today: string): string | undefined {
  const text = typed.trim()
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  const local = /^(\d{1,2})[/.\- ](\d{1,2})(?:[/.\- ](\d{2}|\d{4}))?$/.exec(text)
  const packed = /^(\d{2})(\d{2})(\d{2}|\d{4})?$/.exec(text)
  const found = local ?? packed
  const [day, month, year] = iso ? [iso[3], iso[2], iso[1]] : found ? [found[1], found[2], found[3] ?? today.slice(0, 4)] : []
  if (day === undefined || month === undefined || year === undefined) return undefined
  const full = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${full}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(full) ? full : undefined
}

/** Today where the business is (the first use of `Intl` costs as much as a small page). */
export function today(): string {
  return new Date(Date.now() + aheadMs).toISOString().slice(0, 10)
}

function decimalText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? text : undefined
}

function split(text: string): { readonly sign: string; readonly whole: string; readonly fraction: string } {
  const isNegative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (isNegative ? text.slice(1) : text).split('.')
  return { sign: isNegative && /[1-9]/.test(text) ? '-' : '', whole, fraction }
}

/** How many digits of the fraction are not zeros at the end. */
function significant(fraction: string): number {
  return fraction.replace(/0+$/, '').length
}

function group(whole: string, separator: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, separator)
}
