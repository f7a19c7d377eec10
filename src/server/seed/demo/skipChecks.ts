import type { Queries } from '#server/context.ts'
import { sql, trusted } from '#server/db/sql.ts'

/**
 * For the transaction: no foreign key checks and no row triggers, where the database user may ask for that. The rows come from our own
 * simulation and the seed's tests check every reference; checking again while half a million rows are written takes most of a minute.
 */
export async function skipChecks(tx: Queries): Promise<void> {
  const row = await tx.first<{ is_superuser: string }>(sql`select current_setting('is_superuser') as is_superuser`)
  if (row?.is_superuser === 'on') await tx.run(trusted(`set local session_replication_role = 'replica'`))
}
