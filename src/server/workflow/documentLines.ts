import type { Row, TransitionContext } from '#server/context.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { Reached } from '#server/documents/reach.ts'
import { pendingRows } from '#server/db/pendingRows.ts'
import { ident, sql } from '#server/db/sql.ts'

/** Lines of the document in their order, saved or about to be; by the name the entity gives them, its first unless said. */
export async function linesOf({ tx, entity, metadata, current }: TransitionContext, name = 'lines'): Promise<readonly Reached[]> {
  const lines = entity.lines.find((candidate) => candidate.name === name)
  if (lines === undefined) throw new Error(`${entity.id} has no lines ${name}`)
  const lineEntity = knownEntity(metadata, lines.entity)
  const waiting: readonly Row[] = pendingRows(tx, lines.entity).filter((row) => row[lines.column] === current.id)
  const rows = waiting.length > 0 ? waiting : await tx.rows(sql`select * from ${ident(lineEntity.table)} where ${ident(lines.column)} = ${current.id} order by line_no, id`)
  return rows.map((row) => ({ entity: lineEntity, row, header: { entity, row: current } }))
}
