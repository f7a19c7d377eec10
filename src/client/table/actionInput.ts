import type { WireRecord } from '#api/envelope.ts'
import type { Param } from '#meta/resolved.ts'

type Values = Readonly<Record<string, unknown>>

/** What an action begins with, by wire name: what its rows have there if they agree; else days are today, switches off. */
export function startValues(params: readonly Param[], rows: readonly WireRecord[], today: string): Values {
  return Object.fromEntries(params.map((param) => [param.wire, param.begins === true ? agreed(rows.map((row) => row[param.wire] ?? null)) : startValue(param, today)]))
}

/** What of it is sent: what has a value, and as null what the rows had and somebody has emptied. What they do not agree on and nobody has touched stays as it is. */
export function inputOf(params: readonly Param[], begun: Values, values: Values): Values {
  const isEmptied = (wire: string): boolean => !isBlank(begun[wire]) && params.some((param) => param.wire === wire && param.begins === true)
  return Object.fromEntries(Object.entries(values).flatMap(([wire, value]) => (!isBlank(value) ? [[wire, value] as const] : isEmptied(wire) ? [[wire, null] as const] : [])))
}

export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function startValue({ type, required, default: start }: Param, today: string): unknown {
  return start ?? (type === 'date' && required ? today : type === 'boolean' ? false : null)
}

function agreed(values: readonly unknown[]): unknown {
  return values.every((value) => value === values[0]) ? (values[0] ?? null) : null
}
