/** Amounts are in it unless their record says otherwise; they stand without it. */
export const unmarkedCurrency = 'IDR'

/** It comes first, the others by their codes. */
export function compareCurrencies(a: string, b: string): number {
  return Number(a !== unmarkedCurrency) - Number(b !== unmarkedCurrency) || (a < b ? -1 : a > b ? 1 : 0)
}
