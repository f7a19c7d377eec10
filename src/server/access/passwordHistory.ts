import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { verifyPassword } from './passwords.ts'

/** The present password and so many before it may not be taken again. */
const rememberedBefore = 2

/** Is it the present password of the user, or one of the two before? */
export async function wasUsed(queries: Queries, userId: number, password: string): Promise<boolean> {
  const rows = await queries.rows<{ password_hash: string }>(sql`
    (select password_hash from app_user where id = ${userId} and password_hash is not null)
    union all
    (select password_hash from password_history where user_id = ${userId} order by id desc limit ${rememberedBefore})`)
  for (const row of rows) if (await verifyPassword(password, row.password_hash)) return true
  return false
}

/** Keeps the present password's hash before another takes its place. */
export async function rememberPassword(tx: Queries, userId: number, now: Date): Promise<void> {
  await tx.run(sql`
    insert into password_history (user_id, password_hash, created_at)
    select id, password_hash, ${now.toISOString()} from app_user where id = ${userId} and password_hash is not null`)
  await tx.run(sql`
    delete from password_history where user_id = ${userId}
      and id not in (select id from password_history where user_id = ${userId} order by id desc limit ${rememberedBefore})`)
}
