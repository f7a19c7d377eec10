import { compare, exact, type Exact } from '#base/decimal.ts'

/** A number worked out from fields of one record: a column name (yes counts 1, no 0), a whole number, or one operation on parts. */
export type Compute = string | number | ComputeStep

type Operation = 'add' | 'sub' | 'mul' | 'div' | 'min' | 'max' | 'coalesce'
export type ComputeStep = { readonly [op in Operation]?: readonly Compute[] }

/** Columns a computation reads. */
export function columnsIn(compute: Compute): readonly string[] {
  if (typeof compute === 'string') return [compute]
  return typeof compute === 'number' ? [] : Object.values(compute).flatMap((parts) => parts.flatMap(columnsIn))
}

/** Levels of operations, one inside the other. */
export function depthOf(compute: Compute): number {
  return typeof compute === 'object' ? 1 + Math.max(0, ...Object.values(compute).flatMap((parts) => parts.map(depthOf))) : 0
}

/**
 * The value as decimal text, half away from zero at `places`; null where a part has no value (and no `coalesce` stands in for it) or something
 * is divided by zero.
 */
export function computed(compute: Compute, valueOf: (column: string) => unknown, places: number): string | null {
  return valueAt(compute, valueOf)?.toFixed(places) ?? null
}

function valueAt(compute: Compute, valueOf: (column: string) => unknown): Exact | undefined {
  if (typeof compute === 'number') return exact(compute)
  if (typeof compute === 'string') return numberOf(valueOf(compute))
  const [[operation, parts] = []] = Object.entries(compute) as [Operation, readonly Compute[]][]
  if (operation === undefined || parts === undefined) return undefined
  const values = parts.map((part) => valueAt(part, valueOf))
  if (operation === 'coalesce') return values.find((value) => value !== undefined)
  const known = values.filter((value) => value !== undefined)
  return known.length < values.length ? undefined : known.reduce<Exact | undefined>((left, right, i) => (i === 0 ? right : step(operation, left, right)), undefined)
}

function step(operation: Exclude<Operation, 'coalesce'>, left: Exact | undefined, right: Exact): Exact | undefined {
  if (left === undefined) return undefined
  switch (operation) {
    case 'add':
      return left.plus(right)
    case 'sub':
      return left.minus(right)
    case 'mul':
      return left.times(right)
    case 'div':
      return right.eq(0) ? undefined : left.div(right)
    case 'min':
      return compare(left, right) <= 0 ? left : right
    case 'max':
      return compare(left, right) >= 0 ? left : right
  }
}

function numberOf(value: unknown): Exact | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? exact(value) : undefined
  if (typeof value === 'boolean') return exact(value ? 1 : 0)
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? exact(value) : undefined
}
