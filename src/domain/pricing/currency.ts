/** Currencies whose amounts are whole: the rupiah, of which the tax office takes no cents, and those that have none. */
const whole: ReadonlySet<string> = new Set(['IDR', 'JPY', 'KRW', 'VND', 'CLP', 'ISK', 'PYG', 'UGX', 'RWF', 'XAF', 'XOF', 'XPF'])

/** Decimals that amounts of a currency are reckoned with: the base of tax, the tax and the total of a document. Two unless it has none. */
export function decimalsOf(currency: string): 0 | 2 {
  return whole.has(currency) ? 0 : 2
}

/** Smallest amount of a currency, as rounding starts from it where no rule is kept. */
export function smallestOf(currency: string): '1' | '0.01' {
  return decimalsOf(currency) === 0 ? '1' : '0.01'
}
