import type { Field } from '#meta/resolved.ts'

/** What a value is measured by, where it differs from that; undefined: it does not, or there is nothing to measure it by. */
export function unusualOf({ wire, usually }: Pick<Field, 'wire' | 'usually'>, record: Readonly<Record<string, unknown>>): string | undefined {
  if (usually === undefined) return undefined
  const [value, usual] = [record[wire], record[usually]]
  return isNumber(value) && isNumber(usual) && shortest(value) !== shortest(usual) ? usual : undefined
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
}

/** 120 for 120.0000: one number has one text. */
function shortest(text: string): string {
  const [, sign = '', whole = '', places = ''] = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  return `${whole === '0' && places === '' ? '' : sign}${whole}${places === '' ? '' : `.${places}`}`
}
