import type { Queries } from '#server/context.ts'
import { sql } from './sql.ts'

/**
 * From here on the transaction runs statements by the plans the connection keeps. Left to itself the database plans a statement anew for
 * the values at hand whenever that looks cheaper by its estimates, and where a few rows are found by their keys planning is several times
 * the work. Not for statements whose best plan depends on how many rows their values find.
 */
export function keepPlans(tx: Queries): void {
  tx.later(sql`set local plan_cache_mode = force_generic_plan`)
}
