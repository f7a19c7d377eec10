import type { Metadata } from '#meta/metadata.ts'
import type { ImportRecord, ImportScreen, ImportSheet } from '#meta/resolved.ts'
import { requireEntityGuard, requireGuard, requireScreen } from '#server/access/guards.ts'
import type { User } from '#server/context.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { chains } from './chains.ts'

/** Refuses a file its sender could not import anyway, before it is looked at. */
export function requireTaking(metadata: Metadata, user: User, screen: ImportScreen): void {
  requireScreen(metadata, user, screen)
  const [sheet] = screen.sheets
  const main = sheet?.records[0]
  if (sheet === undefined || main === undefined) return
  requireEntityGuard(metadata, user, knownEntity(metadata, main.entity), makes(sheet))
  requireChain(user, sheet, 'COMMIT')
}

/** Importing and taking back ask for the permissions of everything that is made. */
export function requireWork(metadata: Metadata, user: User, screen: ImportScreen, sheet: ImportSheet, work: 'COMMIT' | 'UNDO'): void {
  requireScreen(metadata, user, screen)
  for (const record of sheet.records) {
    if (isInEveryRow(sheet, record)) requireEntityGuard(metadata, user, knownEntity(metadata, record.entity), work === 'UNDO' ? 'delete' : makes(sheet))
  }
  requireChain(user, sheet, work)
}

/** Records that only some rows have are asked for row by row, by the check. */
function isInEveryRow({ records, columns }: ImportSheet, { id, lines }: ImportRecord): boolean {
  return lines === undefined && (id === records[0]?.id || columns.some(({ required, targets }) => required && targets.some((target) => target.record === id)))
}

/** Where a column asks for changes, whoever may only make may send the other rows. */
function makes({ update, updateColumn }: ImportSheet): 'create' | 'edit' {
  return update !== undefined && updateColumn === undefined ? 'edit' : 'create'
}

function requireChain(user: User, { chain }: ImportSheet, work: 'COMMIT' | 'UNDO'): void {
  if (chain !== undefined) for (const guard of chains[chain].guards[work]) requireGuard(user, guard)
}
