import type { Effect } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

/** Back in a warehouse it is no longer at a customer, and nobody waits for it. */
export const containerBack: Effect = (context) => {
  context.set({ customer_id: null, eta: null })
  return Promise.resolve()
}

/** Nothing is left in it. */
export const containerEmptied: Effect = async ({ tx, current }) => {
  await tx.run(sql`delete from inventory_container_line where inventory_container_id = ${current.id}`)
}
