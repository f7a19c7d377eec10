import type { GroupQuery, ListQuery, LookupQuery } from '#api/data.ts'
import { isStorable } from '#server/documents/parseValue.ts'
import { fail, invalid, unknownParameter, wrong } from '#server/problemError.ts'
import type { Call } from './api.ts'

/** The record id in the path; anything else is not there. */
export function idOf(call: Pick<Call, 'params'>, name = 'id'): number {
  const text = call.params[name] ?? ''
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : fail('NOT_FOUND.address')
}

export function numberIn(query: Readonly<Record<string, string>>, name: string): number | undefined {
  const text = query[name]
  if (text === undefined || text === '') return undefined
  return /^\d{1,15}$/.test(text) ? Number(text) : invalid([wrong(name, 'WRONG_TYPE.integer')])
}

export function listQueryOf(query: Readonly<Record<string, string>>): ListQuery {
  const isWhole = query['length'] === 'All'
  const length = isWhole ? undefined : numberIn(query, 'length')
  const page = numberIn(query, 'page')
  return {
    ...textsOf(query, ['search', 'order', 'sort', 'filter', 'columns', 'totals', 'after']),
    ...(isWhole ? { isWhole } : {}),
    ...(length === undefined ? {} : { length }),
    ...(page === undefined ? {} : { page }),
    ...(query['count'] === 'false' ? { count: false } : {}),
  }
}

export function groupQueryOf(query: Readonly<Record<string, string>>): GroupQuery {
  const { by } = query
  return { ...listQueryOf(query), by: by ?? invalid([wrong('by', 'REQUIRED')]) }
}

/** A list question sent as a body: the same names, the filter as an object. */
export function listBodyOf(body: Readonly<Record<string, unknown>>): ListQuery {
  const { filter, ...rest } = body
  const texts = Object.entries(rest).map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : invalid([wrong(name.slice(0, 80), 'WRONG_TYPE.text')])])
  return { ...textsOf(Object.fromEntries(texts), ['search', 'order', 'sort', 'columns']), ...(filter === undefined || filter === null ? {} : { filter: JSON.stringify(filter) }) }
}

export function lookupQueryOf(query: Readonly<Record<string, string>>): LookupQuery {
  const length = numberIn(query, 'length')
  return { ...textsOf(query, ['search', 'filter', 'columns', 'ids']), ...(length === undefined ? {} : { length }) }
}

function textsOf<K extends string>(query: Readonly<Record<string, string>>, names: readonly K[]): { readonly [key in K]?: string } {
  const result: { [key in K]?: string } = {}
  for (const name of names) {
    const value = query[name]
    if (value === undefined || value === '') continue
    if (!isStorable(value)) invalid([wrong(name, 'WRONG_TYPE.characters')])
    result[name] = value
  }
  return result
}

/** The version of If-Match (`3`, `"3"`, `W/"3"`); undefined when the header is absent. */
export function versionOf(call: Pick<Call, 'request'>): number | undefined {
  const header = call.request.headers['if-match']
  if (header === undefined) return undefined
  const match = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())
  return match ? Number(match[1]) : invalid([wrong('If-Match', 'WRONG_TYPE.version')])
}

/** As `versionOf`, for calls that must not overwrite what nobody has seen. */
export function requiredVersion(call: Pick<Call, 'request'>): number {
  return versionOf(call) ?? invalid([wrong('If-Match', 'REQUIRED.version')])
}

/** The body as an object. */
export function bodyOf(call: Pick<Call, 'body'>): Readonly<Record<string, unknown>> {
  const { body } = call
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) return invalid([wrong('', 'WRONG_TYPE.object')])
  return Object.fromEntries(Object.entries(body))
}

/** The body as an object with no other keys than these. */
export function closedBodyOf<K extends string>(call: Pick<Call, 'body'>, keys: readonly K[]): { readonly [key in K]?: unknown } {
  const body = bodyOf(call)
  const unknown = Object.keys(body).find((key) => !keys.some((known) => known === key))
  if (unknown !== undefined) invalid([unknownParameter(unknown, keys)])
  return body as { readonly [key in K]?: unknown }
}
