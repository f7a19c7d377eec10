import { enteredRows, type GridRow } from '../grid/gridModel.ts'
import { saidOf } from './formLines.ts'
import { placeOf } from './problems.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { FormSession } from './formSession.ts'
import type { Problem } from './formState.ts'
import type { Sent } from './late.ts'
import type { Message } from './message.ts'

/** Shows what the server has found wrong in what was sent at its place, in the stead of what was shown before; answers it with the ways there. */
export function placeProblems(session: FormSession, errors: readonly FieldProblem[], sent: Sent): readonly Problem[] {
  const { store, grids, parts } = session
  const header: Record<string, Message> = {}
  const problems: Problem[] = []
  let rest = errors
  for (const part of parts.values()) rest = part.refuse?.(rest) ?? rest
  // Lines may have been put between them, or taken away, while they were on their way.
  const entered = new Map([...grids].map(([wire, grid]) => [wire, enteredRows(sent.rows.get(grid) ?? [], grid.columns)]))
  const byRow = new Map<string, Record<string, Message>>()
  for (const error of rest) {
    const place = placeOf(error)
    const message = { text: error.text }
    const lines = place.kind === 'line' ? grids.get(place.grid) : undefined
    const row = place.kind === 'line' ? lines?.row(entered.get(place.grid)?.[place.index]?.key ?? '') : undefined
    if (place.kind === 'field' && session.field(place.wire) !== undefined) {
      header[place.wire] = message
      problems.push({ label: session.field(place.wire)?.label ?? '', message, to: { kind: 'field', wire: place.wire } })
    } else if (place.kind === 'line' && row !== undefined) {
      const wire = place.wire === '' ? (lines?.columns[0]?.wire ?? '') : place.wire
      const key = `${place.grid} ${row.key}`
      byRow.set(key, { ...byRow.get(key), [wire]: message })
      const column = lines?.columns.find((one) => one.wire === wire)
      problems.push({ label: column?.label ?? '', message, line: (lines?.rows.indexOf(row) ?? 0) + 1, to: { kind: 'line', grid: place.grid, rowKey: row.key, wire } })
    } else problems.push({ label: '', message, to: { kind: 'whole' } })
  }
  store.setProblems(header)
  for (const [wire, grid] of grids) {
    const found = (row: GridRow) => byRow.get(`${wire} ${row.key}`)
    // An answer takes the place of earlier ones.
    grid.decorate(
      grid.rows.map((row) => {
        const said = saidOf(row)
        if (found(row) === undefined && Object.keys(said).length === 0) return row
        return { ...row, problems: { ...Object.fromEntries(Object.entries(row.problems).filter(([key]) => !(key in said))), ...found(row) } }
      }),
    )
  }
  if (errors.length > rest.length) for (const [name, part] of parts) problems.push(...part.problems().map((message): Problem => ({ label: '', message, to: { kind: 'slot', name } })))
  return problems
}
