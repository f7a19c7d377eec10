import { accept } from '#base/result.ts'
import { gridsOf } from '#meta/formGrids.ts'
import { isWithheld } from '../data/withheld.ts'
import { emptyRow } from '../grid/gridModel.ts'
import { enteredOf, linesOf } from './formLines.ts'
import { allFields, keysOf, type Values } from './formModel.ts'
import { isNothing } from './same.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Field, LineOrigin } from '#meta/resolved.ts'
import type { Answer } from '../data/http.ts'
import type { FormSession } from './formSession.ts'
import type { FormCalls } from './formState.ts'

/** Reads the record a new one is a duplicate of; answers how to take it over. One that may not be read leaves an empty form. */
export async function duplicate(session: FormSession, calls: FormCalls, id: number): Promise<Answer<(() => void) | undefined>> {
  const answer = await calls.read(session.screen.resource, id)
  if (answer.ok) return accept(() => takeOver(session, answer.value.record))
  return isWithheld(answer.problem) ? accept(undefined) : answer
}

/** Takes over what the form says a duplicate takes over. */
function takeOver({ screen, store, grids }: FormSession, record: WireRecord): void {
  const { copy } = screen
  if (copy === undefined) return
  store.load(store.base, { ...store.base, ...copiedValues(allFields(screen).filter(({ name }) => copy.fields.includes(name)), record) })
  const lines = linesOf(record, screen)
  for (const [wire, grid] of grids) {
    const columns = grid.columns.filter(({ name }) => copy.lines[wire]?.includes(name) === true)
    const own = enteredOf(lines[wire] ?? [])
    if (columns.length > 0) grid.edit(enteredOnce(own, gridsOf(screen).find((lines) => lines.wire === wire)?.origin).map((line) => emptyRow(grid.newKey(), copiedValues(columns, line))))
  }
}

/** Lines as they were entered: those that came of one are that one again. */
function enteredOnce(lines: readonly Values[], origin: LineOrigin | undefined): readonly Values[] {
  if (origin === undefined) return lines
  const seen = new Set<unknown>()
  return lines.flatMap((line) => {
    const no = line[origin.by]
    if (isNothing(no)) return [line]
    if (seen.has(no)) return []
    seen.add(no)
    return [{ ...line, ...Object.fromEntries(Object.entries(origin.from).map(([key, keeper]) => [key, line[keeper]])) }]
  })
}

/** Values of these fields, a reference with code and name. */
function copiedValues(fields: readonly Pick<Field, 'type' | 'name' | 'wire'>[], record: Values): Values {
  return Object.fromEntries(fields.flatMap((field) => keysOf(field).map((key) => [key, record[key] ?? null])))
}
