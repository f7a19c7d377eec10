import { limitReasons } from '#server/credit/limitHooks.ts'
import type { CommandContext, Queries, Row } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
import { setting } from '#server/settings.ts'
import { fieldMap } from './entities.ts'
import type { DocumentHooks } from './hooks.ts'

/**
 * A new customer of whom nobody says whether he asks for an invoice exchange gets what the company has settled. One with business under way stays with its
 * unit: documents keep theirs, and neither unit's people could settle what stands open between the two.
 */
export const customerHooks: DocumentHooks = {
  async beforeSave({ context, before, header, problem }) {
    const { operating_unit_id: unit } = header
    if (before !== undefined && unit !== undefined && Number(unit) !== Number(before['operating_unit_id']) && (await isUnderWay(context, before.id))) problem(wrong('OperatingUnitID', 'READ_ONLY.customer-unit'))
    if (await isElsewhere(context.tx, { ...before, ...header }, before)) problem(wrong('TerritoryID', 'NOT_IN_SCOPE.unit-territory'))
    if (before !== undefined || Object.hasOwn(header, 'requires_ttf')) return
    header['requires_ttf'] = await setting(context.tx, 'ttf_required_default', typeof header['operating_unit_id'] === 'number' ? header['operating_unit_id'] : null, false)
  },
  newReasons: limitReasons,
}

/** Is the territory one of another unit? Documents of such a customer would be seen by people of neither. What has been so all along is left alone. */
async function isElsewhere(tx: Queries, { operating_unit_id: unit, territory_id: territory }: Row, before: Row | undefined): Promise<boolean> {
  if (typeof unit !== 'number' || typeof territory !== 'number') return false
  if (before !== undefined && before['operating_unit_id'] === unit && before['territory_id'] === territory) return false
  return (await tx.first(sql`select 1 from territory where id = ${territory} and operating_unit_id <> ${unit}`)) !== undefined
}

/** Is there a document of his under way? Its workflow says when it is; one that says nothing, as long as it waits for approval. */
async function isUnderWay({ tx, metadata }: CommandContext, customerId: number): Promise<boolean> {
  const questions = Object.values(metadata.entities).flatMap((entity) => {
    const workflow = metadata.workflows[entity.id]
    const { statuses, when = {} } = workflow?.underWay ?? { statuses: workflow?.approval === undefined ? [] : [4] }
    if (statuses.length === 0 || fieldMap(entity).get('customer_id')?.entity !== 'customer') return []
    const narrowed = Object.entries(when).map(([name, values]) => sql` and ${ident(name)} = any(${[...values]}::text[])`)
    return [sql`exists (select 1 from ${ident(entity.table)} where customer_id = ${customerId} and status = any(${[...statuses]}::int[])${join(narrowed, '')})`]
  })
  return questions.length > 0 && (await tx.first(sql`select 1 from customer where id = ${customerId} and (${join(questions, ' or ')})`)) !== undefined
}
