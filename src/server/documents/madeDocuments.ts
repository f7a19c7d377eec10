import type { Obstacle } from '#api/problems.ts'
import type { Row } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { said } from '#server/sentences.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { knownEntity } from './entities.ts'
import { recordPlace } from './places.ts'

/** The documents a command has made, by kind and number, each with its page where the user may open it. */
export async function madeDocuments(run: CommandRun): Promise<{ readonly made?: readonly Obstacle[] }> {
  if (run.made.size === 0) return {}
  const kinds = await Promise.all([...run.made].map(async ([name, ids]) => {
    const entity = knownEntity(run.metadata, name)
    const rows = await run.tx.rows<Row & { readonly id: number; readonly code: string | null }>(sql`select id, code from ${ident(entity.table)} where id = any(${[...ids]}::bigint[]) order by code nulls last, id`)
    return rows.map(({ id, code }): Obstacle => {
      const path = recordPlace(run.services, run.user, entity, id)
      return { ...said({ key: 'made.document', params: { kind: { key: entity.title }, document: code ?? `DRAFT-${id}` } }), ...(path === undefined ? {} : { path }) }
    })
  }))
  return { made: kinds.flat() }
}
