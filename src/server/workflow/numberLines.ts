import type { Effect } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { textOf } from './newDocument.ts'

/** Lines with a `code` are called by the number of their document and their own, so that files and other documents can name them. */
export const numberLines: Effect = async ({ tx, entity, metadata, current }) => {
  for (const line of entity.lines.filter(({ entity: name }) => knownEntity(metadata, name).fields.some((field) => field.name === 'code'))) {
    await tx.run(sql`update ${ident(knownEntity(metadata, line.entity).table)} set code = ${textOf(current, 'code')} || '-' || line_no where ${ident(line.column)} = ${current.id}`)
  }
}
