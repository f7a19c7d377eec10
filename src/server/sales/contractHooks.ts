import { unitCalled, unitsOf } from '#domain/pricing/masters.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { pricedItems, schemes } from '#server/pricing/pricingMasters.ts'
import { wrong } from '#server/problemError.ts'

/** An item stands in a contract once, in a unit it has; combos are ordered as their parts, which have contracts of their own. */
export const contractHooks: DocumentHooks = {
  computed: ['called_value', 'lines.called_qty'],

  async beforeSave({ context: { tx }, before, header, lines, problem }) {
    const kind = header['kind'] ?? before?.['kind']
    // What is not asked for is not kept: a contract by quantity has no value to be called, one at fixed prices no list.
    if (kind !== 'VALUE') header['target_value'] = '0'
    if ((header['price_policy'] ?? before?.['price_policy']) !== 'LIST_MINUS') header['price_set_id'] = null
    const sent = lines?.['Lines']
    if (sent === undefined) return
    const stored = before === undefined ? [] : await tx.rows<Row>(sql`select id, item_id, uom from sales_contract_line where sales_contract_id = ${before.id}`)
    const rows = sent.map(({ id, columns }): Row => ({ ...stored.find((row) => row['id'] === id), ...columns }))
    const { combos } = await schemes.get(tx)
    const items = await pricedItems.all(tx, rows.flatMap((row) => (typeof row['item_id'] === 'number' ? [row['item_id']] : [])))
    const seen = new Set<string>()
    for (const [at, row] of rows.entries()) {
      const item = items.get(Number(row['item_id']))
      if (item === undefined) continue
      const uom = unitCalled(item, String(row['uom'] ?? ''))
      const columns = sent[at]?.columns
      if (columns?.['uom'] !== undefined) columns['uom'] = uom
      if (combos.has(item.id)) problem(wrong(`Lines[${at}].ItemID`, 'NOT_A_CHOICE.contract-combo'))
      if (!item.factors.has(uom)) problem(wrong(`Lines[${at}].Uom`, 'NOT_A_CHOICE.uom', { units: unitsOf(item) }))
      if (seen.has(`${item.id} ${uom}`)) problem(wrong(`Lines[${at}].ItemID`, 'DUPLICATE.contract-item'))
      seen.add(`${item.id} ${uom}`)
    }
  },
}
