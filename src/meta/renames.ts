import type { Condition } from '#meta/condition.ts'
import { layoutKeys } from '#meta/placeLink.ts'

/** Old name → new: what a dataset says of its dimensions, measures and parameters, so that whatever was kept under the old names goes on. */
export type Renames = Readonly<Record<string, string>>

/** The name of today; a step of days stays with it (`posted_on:month`). */
export function nameNow(renames: Renames | undefined, name: string): string {
  if (renames === undefined) return name
  const [own = name, ...rest] = name.split(':')
  return Object.hasOwn(renames, own) ? [renames[own], ...rest].join(':') : name
}

/** The keys of an object under their names of today. */
export function keysNow<T>(renames: Renames | undefined, values: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [nameNow(renames, name), value]))
}

/** A condition over the names of today. */
export function conditionNow(renames: Renames | undefined, condition: Condition): Condition {
  if (renames === undefined) return condition
  const within = (part: Condition): Condition => conditionNow(renames, part)
  if (isAll(condition)) return { all: condition.all.map(within) }
  if (isAny(condition)) return { any: condition.any.map(within) }
  if (isNot(condition)) return { not: within(condition.not) }
  return keysNow(renames, condition)
}

function isAll(condition: Condition): condition is Extract<Condition, { readonly all: readonly Condition[] }> {
  return 'all' in condition && Array.isArray(condition.all)
}

function isAny(condition: Condition): condition is Extract<Condition, { readonly any: readonly Condition[] }> {
  return 'any' in condition && Array.isArray(condition.any)
}

function isNot(condition: Condition): condition is Extract<Condition, { readonly not: Condition }> {
  return 'not' in condition && typeof condition.not === 'object'
}

/** Keys of a report's address whose values name groups and columns. */
const naming: readonly string[] = [...layoutKeys.filter((key) => key === 'by' || key === 'across'), 's']

/** The address of a report under the names of today, and the old names in it; undefined: it has none. */
export function addressNow(renames: Renames | undefined, query: Iterable<readonly [key: string, value: string]>): { readonly query: [key: string, value: string][]; readonly old: readonly string[] } | undefined {
  if (renames === undefined) return undefined
  const old = new Set<string>()
  const now = (name: string): string => {
    const sign = name.startsWith('-') ? '-' : ''
    const own = name.slice(sign.length)
    const found = nameNow(renames, own)
    if (found !== own) old.add(own.replace(/:.*$/, ''))
    return sign + found
  }
  const entries = [...query].map(([key, value]): [string, string] => {
    if (key.startsWith('f.')) return [`f.${now(key.slice(2))}`, value]
    return [now(key), naming.includes(key) ? value.split(',').map(now).join(',') : value]
  })
  return old.size === 0 ? undefined : { query: entries, old: [...old] }
}

/** The text of a report under the names of today, changed where they stand and nowhere else, and the old names in it. */
export function reportTextNow(renames: Renames | undefined, text: string): { readonly text: string; readonly old: readonly string[] } {
  const old = new Set<string>()
  const now = text.replaceAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g, (whole, colon: string | undefined) => {
    const name = whole.slice(1, -1)
    // A key of the language; the dataset's own names are values.
    if (colon !== undefined || renames === undefined || !Object.hasOwn(renames, name)) return whole
    old.add(name)
    return JSON.stringify(renames[name])
  })
  return { text: now, old: [...old] }
}
