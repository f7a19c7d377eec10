import { exact } from '#base/decimal.ts'
import type { Decimal } from '#base/decimal.ts'

const digits = ['', 'satu', 'dua', 'tiga', 'empat', 'lima', 'enam', 'tujuh', 'delapan', 'sembilan']
const scales = ['', ' ribu', ' juta', ' miliar', ' triliun', ' kuadriliun']

/**
 * Rupiah in Indonesian words, as an invoice states them: `1250` → "seribu dua ratus lima puluh rupiah". Sen follow when there are any;
 * a negative amount begins with "minus". Up to 17 digits before the dot.
 */
export function terbilang(amount: Decimal): string {
  const value = exact(amount)
  const [whole = '0', cents = ''] = value.abs().toFixed(2).split('.')
  const sen = Number(cents)
  const words = `${wholeWords(whole)} rupiah${sen === 0 ? '' : ` ${hundreds(sen)} sen`}`
  return value.lt(0) ? `minus ${words}` : words
}

function wholeWords(whole: string): string {
  const groups: number[] = []
  for (let end = whole.length; end > 0; end -= 3) groups.push(Number(whole.slice(Math.max(0, end - 3), end)))
  const parts = groups.map((group, scale) => {
    if (group === 0) return ''
    // "seribu", never "satu ribu"; for higher scales the one is spoken.
    return scale === 1 && group === 1 ? 'seribu' : `${hundreds(group)}${scales[scale] ?? ''}`
  })
  const words = parts.filter((part) => part !== '').reverse()
  return words.length === 0 ? 'nol' : words.join(' ')
}

/** 1 to 999. */
function hundreds(value: number): string {
  const hundred = Math.floor(value / 100)
  const rest = value % 100
  const first = hundred === 0 ? '' : hundred === 1 ? 'seratus' : `${digits[hundred] ?? ''} ratus`
  return [first, tens(rest)].filter((part) => part !== '').join(' ')
}

function tens(value: number): string {
  if (value < 10) return digits[value] ?? ''
  if (value === 10) return 'sepuluh'
  if (value === 11) return 'sebelas'
  if (value < 20) return `${digits[value - 10] ?? ''} belas`
  return [`${digits[Math.floor(value / 10)] ?? ''} puluh`, digits[value % 10] ?? ''].filter((part) => part !== '').join(' ')
}
