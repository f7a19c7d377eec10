import { columnScope } from '#server/access/scope.ts'
import type { Command } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { fail } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { eachRow } from '#server/workflow/eachRow.ts'

/** Puts customers into a pricing group; each for himself. */
export const setPricingGroup: Command = async (context, { ids, params }) => {
  const { tx, user } = context
  const group = await tx.first<{ id: number; code: string }>(sql`select id, code from pricing_group where id = ${params['PricingGroupID']}::bigint`)
  const scope = columnScope(user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'c')
  return eachRow(context, ids, async (own, id) => {
    const customer = await own.tx.first<{ code: string; pricing_group_id: number | null }>(sql`select c.code, c.pricing_group_id from customer c where c.id = ${id} and ${scope ?? sql`true`} for update`)
    if (!customer || !group) return fail('NOT_IN_SCOPE')
    await own.tx.run(sql`update customer set pricing_group_id = ${group.id}, version = version + 1, updated_at = ${context.now.toISOString()}, updated_by = ${user.id} where id = ${id}`)
    await writeLog(own.tx, { docType: 'customer', docId: id, at: context.now.toISOString(), actorId: user.id, action: 'edit', diff: [{ field: 'pricing_group_id', from: customer.pricing_group_id, to: group.id }] })
    return tell('done.pricing-group', { customer: customer.code, group: group.code })
  })
}
