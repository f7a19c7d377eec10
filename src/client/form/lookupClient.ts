import { accept } from '#base/result.ts'
import type { Answer } from '../data/http.ts'
import { lookupRecords, resolveCodes } from '../data/records.ts'
import { hasGuard } from '../data/session.ts'
import { readStored, writeStored } from './storage.ts'
import type { Condition } from '#meta/condition.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { FormField } from '#meta/resolved.ts'

/** A record a reference may point to, as lookups answer: ID, Code, Name and the columns asked for. */
export type Option = WireRecord

/** What a lookup searches in. */
export interface LookupSource {
  readonly entity: string
  /** Restriction with all values filled in; undefined: none. */
  readonly filter: Condition | undefined
  /** Columns wanted beside code and name, for what choosing fills. */
  readonly columns: readonly string[]
}

export const lookupLength = 20

/** Records whose code or name holds the text; undefined when the call was given up or refused. */
export async function searchOptions(source: LookupSource, search: string, signal?: AbortSignal, length = lookupLength): Promise<readonly Option[] | undefined> {
  const answer = await lookupRecords(source.entity, { length, ...(search === '' ? {} : { search }), ...queryOf(source) }, signal)
  return answer.ok ? answer.value.records : undefined
}

/** Records of these ids, for labels of stored values. */
export async function optionsOf(source: LookupSource, ids: readonly number[]): Promise<Answer<readonly Option[]>> {
  if (ids.length === 0) return accept([])
  const answer = await lookupRecords(source.entity, { ids: ids.join(','), length: ids.length, ...queryOf({ ...source, filter: undefined }) })
  return answer.ok ? accept(answer.value.records) : answer
}

/** Codes → records, in one call, in order; null where nothing has the code. Undefined when the call was refused. */
export async function resolveOptions(source: LookupSource, codes: readonly string[]): Promise<readonly (Option | null)[] | undefined> {
  const answer = await resolveCodes(source.entity, {
    codes,
    ...(source.columns.length === 0 ? {} : { columns: source.columns }),
    ...(source.filter === undefined ? {} : { filter: source.filter }),
  })
  return answer.ok ? answer.value.records : undefined
}

/** The record of exactly this code, or the one that the text finds alone; null: neither. Undefined when the question was refused. */
export async function findOption(source: LookupSource, wanted: string): Promise<Option | null | undefined> {
  const exact = await resolveOptions(source, [wanted])
  if (exact === undefined || (exact[0] ?? null) !== null) return exact?.[0]
  const found = await searchOptions(source, wanted, undefined, 2)
  if (found === undefined) return undefined
  return found.length === 1 ? found[0] : null
}

export function codeOf(option: Option): string {
  return textOf(option['Code'])
}

export function nameOf(option: Option): string {
  return textOf(option['Name'])
}

/** What stands beside the code: the name or, where that is the code, what else the server says of the record. */
export function asideOf(option: Option): string {
  return textOf(option['About']) || nameOf(option)
}

/** Code and name as one line; a record whose name is its code shows it once. */
export function labelOf(code: string, name: string): string {
  return name === '' || name === code ? code : `${code}  ${name}`
}

function queryOf(source: LookupSource) {
  return {
    ...(source.columns.length === 0 ? {} : { columns: source.columns.join(',') }),
    ...(source.filter === undefined ? {} : { filter: JSON.stringify(source.filter) }),
  }
}

const recentLimit = 6

/**
 * What is offered before anything is typed: what this user chose last for the entity, newest first, as far as it may still be chosen here, then
 * the first there are. `recent` counts the former. Undefined when the call was given up or refused.
 */
export async function offeredOptions(userId: number, source: LookupSource, signal: AbortSignal): Promise<{ readonly options: readonly Option[]; readonly recent: number } | undefined> {
  const codes = recentCodes(userId, source.entity)
  const [last, first] = await Promise.all([codes.length === 0 ? [] : resolveOptions(source, codes), searchOptions(source, '', signal)])
  if (first === undefined) return undefined
  const recent = (last ?? []).filter((option) => option !== null)
  return { options: [...recent, ...first.filter(({ ID }) => recent.every((option) => option.ID !== ID))], recent: recent.length }
}

/** Codes alone: what the record says is read afresh each time, and whether it may be chosen. */
function recentCodes(userId: number, entity: string): readonly string[] {
  const found = readStored(recentKey(userId, entity))
  return Array.isArray(found) ? found.filter((code) => typeof code === 'string') : []
}

export function rememberOption(userId: number, entity: string, option: Option): void {
  const code = codeOf(option)
  if (code === '') return
  writeStored(recentKey(userId, entity), [code, ...recentCodes(userId, entity).filter((one) => one !== code)].slice(0, recentLimit))
}

function recentKey(userId: number, entity: string): string {
  return `recent:${userId}:${entity}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** The form that makes a missing record, for whoever may use it; what the restriction says is equal, a new record starts with. */
export function offeredForm(create: FormField['create'], filter: LookupSource['filter']): { readonly screen: string; readonly params: Readonly<Record<string, string>> } | undefined {
  if (create === undefined || !hasGuard(create.guard)) return undefined
  const tests = Object.entries(filter ?? {}).filter((test): test is [string, string | number | boolean] => typeof test[1] !== 'object')
  return { screen: create.screen, params: Object.fromEntries(tests.map(([name, value]) => [name, String(value)])) }
}
