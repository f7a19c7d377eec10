import { Big } from 'big.js'

/** What a number is read from: digits and the dot; everything else is removed. */
export function digitsAndDot(text: string): string {
  return text.replace(/[^\d.]/g, '')
}

/**
 * The 'between' rule: everything except digits and the dot is removed from the value, which must then be a number that lies between min and
 * max, both included. Compared as decimals, not as floats.
 */
export function isBetween(value: string, min: string, max: string): boolean {
  const bare = digitsAndDot(value)
  if (!/^(\d+\.?\d*|\.\d+)$/.test(bare)) return false
  const number = new Big(bare.replace(/^\./, '0.').replace(/\.$/, ''))
  return number.gte(min) && number.lte(max)
}

/** The numeric key guard: digits and the dot, and keys that type nothing or control something (arrows, Tab, Backspace, Ctrl+V). */
export function isNumericKey({ key, ctrlKey = false, metaKey = false }: { readonly key: string; readonly ctrlKey?: boolean; readonly metaKey?: boolean }): boolean {
  return ctrlKey || metaKey || key.length !== 1 || /[\d.]/.test(key)
}
