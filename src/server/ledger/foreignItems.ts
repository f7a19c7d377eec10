import type { DateText } from '#base/date.ts'
import type { Decimal } from '#base/decimal.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'

/** Something owed in another currency than the books, as it stood at the end of a day. What is owed the other way has negative amounts. */
export interface ForeignItem extends Row {
  readonly kind: 'AR' | 'AP'
  readonly invoice_id: number | null
  readonly credit_note_id: number | null
  readonly vendor_invoice_id: number | null
  readonly customer_id: number | null
  readonly vendor_id: number | null
  readonly operating_unit_id: number
  readonly item_currency: string
  readonly remaining: Decimal
  readonly base_remaining: Decimal
}

/** Money received or paid in advance is settled in goods, not in money: its worth stays that of the day it came. */
export function foreignItems(day: DateText, unit: number | null): Sql {
  const on = sql`${day}::date`
  const live = sql`a.posting_date <= ${on} and (a.reversed_at is null or a.reversed_at > ${on})`
  const isForeign = (t: 'i' | 'n'): Sql => {
    const [own, currency] = t === 'i' ? [sql`i.operating_unit_id`, sql`i.currency`] : [sql`n.operating_unit_id`, sql`n.currency`]
    return sql`${currency} <> (select c.base_currency from operating_unit u join company c on c.id = u.company_id where u.id = ${own}) and (${unit}::bigint is null or ${own} = ${unit}::bigint)`
  }
  const undone = (type: string, id: Sql): Sql => sql`exists (select 1 from journal j where j.source_doc_type = ${type} and j.source_doc_id = ${id} and j.reversal_of_id is not null and j.posting_date <= ${on})`
  return sql`
    select * from (
      select 'AR' as kind, i.id as invoice_id, null::bigint as credit_note_id, null::bigint as vendor_invoice_id, i.customer_id, null::bigint as vendor_id, i.operating_unit_id, i.currency as item_currency,
        i.total - coalesce(t.amount, 0) as remaining, i.base_total - coalesce(t.base, 0) as base_remaining
      from invoice i left join lateral (select sum(a.amount) as amount, sum(coalesce(a.base_amount, a.amount)) as base from ar_allocation a where a.invoice_id = i.id and ${live}) t on true
      where i.status <> 0 and i.invoice_type <> 'REVERSAL' and i.posting_date <= ${on} and ${isForeign('i')}
      union all
      select 'AR', null, n.id, null, n.customer_id, null, n.operating_unit_id, n.currency, -(n.total - coalesce(t.amount, 0)), -(n.base_total - coalesce(t.base, 0))
      from credit_note n left join lateral (select sum(a.amount) as amount, sum(coalesce(a.source_base, a.amount)) as base from ar_allocation a where a.source_type = 'CREDIT_NOTE' and a.source_id = n.id and ${live}) t on true
      where n.status in (1, 2, 3, 7) and n.cn_temporary_id is null and n.posting_date <= ${on} and ${isForeign('n')} and not ${undone('credit_note', sql`n.id`)}
      union all
      select 'AP', null, null, i.id, null, i.vendor_id, i.operating_unit_id, i.currency, i.total - coalesce(t.amount, 0), i.base_total - coalesce(t.base, 0)
      from vendor_invoice i left join lateral (select sum(a.amount) as amount, sum(coalesce(a.base_amount, a.amount)) as base from ar_allocation a where a.item_type = 'vendor_invoice' and a.item_id = i.id and ${live}) t on true
      where i.status in (1, 2, 3, 7) and i.posting_date <= ${on} and ${isForeign('i')} and not ${undone('vendor_invoice', sql`i.id`)}
    ) open where remaining <> 0 order by kind desc, invoice_id, credit_note_id, vendor_invoice_id`
}

/** Units in which something stood open at the end of the day that no revaluation of that day counts as it stood. */
export async function unrevalued(tx: Queries, day: DateText, unit: number | null): Promise<readonly { readonly unit: string; readonly count: number }[]> {
  return tx.rows<{ unit: string; count: number }>(sql`
    select u.code as unit, count(*)::int as count from (${foreignItems(day, unit)}) o join operating_unit u on u.id = o.operating_unit_id
    where not exists (
      select 1 from fx_revaluation r join fx_revaluation_line l on l.fx_revaluation_id = r.id
      where r.operating_unit_id = o.operating_unit_id and r.doc_date = ${day}::date and r.status in (1, 3)
        and (l.invoice_id, l.credit_note_id, l.vendor_invoice_id, l.remaining) is not distinct from (o.invoice_id, o.credit_note_id, o.vendor_invoice_id, o.remaining))
    group by u.code order by u.code`)
}
