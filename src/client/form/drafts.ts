import { readStored, removeStored, writeStored } from './storage.ts'

/** What a user had typed and not saved. */
export interface Draft {
  /** ISO moment of the last change. */
  readonly at: string
  /** Version of the record the typing started from; undefined for a new record. */
  readonly version: number | undefined
  readonly values: Readonly<Record<string, unknown>>
  /** Entered lines by wire key of their grid. */
  readonly lines: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}

/** One draft for each user, form and record; new records differ by what the form was opened with (the customer of a receipt). */
export function draftKey(userId: number, screenId: string, recordId: number | undefined, params: Readonly<Record<string, string>>): string {
  const opened = Object.entries(params)
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return `draft:${userId}:${screenId}:${recordId ?? `new?${opened}`}`
}

/** The stored draft; undefined when there is none or it is not readable any more. */
export function readDraft(key: string): Draft | undefined {
  const found = readStored(key)
  if (typeof found !== 'object' || found === null) return undefined
  const draft: Partial<Draft> = found
  if (typeof draft.at !== 'string' || typeof draft.values !== 'object' || draft.values === null) return undefined
  return { at: draft.at, version: draft.version, values: draft.values, lines: linesIn(draft.lines) }
}

function linesIn(stored: unknown): Draft['lines'] {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {}
  return Object.fromEntries(Object.entries(stored).filter(([, rows]) => Array.isArray(rows)))
}

export function keepDraft(key: string, draft: Draft): void {
  writeStored(key, draft)
}

export function dropDraft(key: string): void {
  removeStored(key)
}
