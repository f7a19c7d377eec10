import { readStored, removeStored, writeStored } from './storage.ts'
import type { Typed } from './formStore.ts'

/** What a user had typed and not saved. */
export interface Draft {
  /** Of its own among the drafts of its form; a new record is sent under it. */
  readonly id: string
  /** ISO moment of the last change. */
  readonly at: string
  /** Version of the record the typing started from; undefined for a new record. */
  readonly version: number | undefined
  readonly values: Readonly<Record<string, unknown>>
  /** What stood in fields and was no value, as it was typed. */
  readonly typed?: Typed | undefined
  /** Entered lines by wire key of their grid. */
  readonly lines: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
  /** What stood in a record where something else was typed: its values, and by grid its entered lines as text. Drafts of earlier versions do not say it. */
  readonly from?: Origin | undefined
}

export interface Origin {
  readonly values: Readonly<Record<string, unknown>>
  readonly lines: Readonly<Record<string, string>>
}

/** Of one that is alone, as those kept by earlier versions are. */
export const onlyDraft = 'only'

/** Older ones give way. */
const mostDrafts = 10

/** Where the drafts of a user for a form and record are kept; new records differ by what the form was opened with (the customer of a receipt), not by the tab one is on. */
export function draftKey(userId: number, screenId: string, recordId: number | undefined, params: Readonly<Record<string, string>>): string {
  const opened = Object.entries(params)
    .filter(([name, value]) => value !== '' && name !== 'tab')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return `draft:${userId}:${screenId}:${recordId ?? `new?${opened}`}`
}

/** The stored drafts that can be read, the latest first. */
export function readDrafts(key: string): readonly Draft[] {
  const found = readStored(key)
  return (Array.isArray(found) ? found : [found]).flatMap((one): readonly Draft[] => {
    if (typeof one !== 'object' || one === null) return []
    const { id, at, version, values, typed, lines, from }: Partial<Draft> = one
    if (typeof at !== 'string' || typeof values !== 'object' || values === null) return []
    return [{ id: typeof id === 'string' ? id : onlyDraft, at, version, values, typed: textsIn(typed), lines: linesIn(lines), from: isOrigin(from) ? from : undefined }]
  })
}

function isOrigin(value: unknown): value is Origin {
  const isObject = (one: unknown) => typeof one === 'object' && one !== null
  return isObject(value) && isObject(Reflect.get(value, 'values')) && isObject(Reflect.get(value, 'lines'))
}

function textsIn(stored: unknown): Typed {
  return Object.fromEntries(Object.entries(stored ?? {}).filter((one): one is [string, string] => typeof one[1] === 'string'))
}

function linesIn(stored: unknown): Draft['lines'] {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {}
  return Object.fromEntries(Object.entries(stored).filter(([, rows]) => Array.isArray(rows)))
}

/** Keeps the draft in the place of what it was before, beside the others of its form. */
export function keepDraft(key: string, draft: Draft): void {
  writeStored(key, [draft, ...othersThan(key, draft.id)].slice(0, mostDrafts))
}

export function dropDraft(key: string, id: string): void {
  const others = othersThan(key, id)
  if (others.length === 0) removeStored(key)
  else writeStored(key, others)
}

const othersThan = (key: string, id: string): readonly Draft[] => readDrafts(key).filter((one) => one.id !== id)
