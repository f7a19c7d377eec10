import type { Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

/** The user's starred pages in the order of these ids; others of his stand after them as before. Ids of somebody else are left alone. */
export async function orderStars(database: Database, userId: number, ids: readonly number[]): Promise<void> {
  await database.run(sql`
    update starred_page s set sort_order = o.place - 1
    from (
      select id, row_number() over (order by array_position(${ids}::bigint[], id) nulls last, sort_order, id) as place from starred_page where user_id = ${userId}
    ) o
    where o.id = s.id and s.sort_order <> o.place - 1`)
}
