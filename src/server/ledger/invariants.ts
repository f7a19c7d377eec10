import type { DateText } from '#base/date.ts'
import { metadata } from '#generated/metadata.ts'
import { isWholeIn, makersOf } from '#server/approval/deputies.ts'
import type { Queries } from '#server/context.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'

export interface Violation {
  /** Number of the invariant in the domain reference: `I6`. */
  readonly id: string
  readonly text: string
}

/** At most this many rows are told of each invariant. */
const most = 20

/**
 * Everything in the books that contradicts itself, seen at the end of the day `asOf`; empty is what it must be. Reads only what documents,
 * movements, allocations and journals say, each against the others, set by set: fit for a large database. `only`: these invariants by number.
 */
export async function violations(queries: Queries, asOf: DateText, only?: ReadonlySet<string>): Promise<Violation[]> {
  const found: Violation[] = []
  for (const [id, statement] of Object.entries(checks(asOf))) {
    if (only !== undefined && !only.has(id.split(' ')[0] ?? id)) continue
    const rows = await queries.rows<{ text: string }>(sql`select text from (${statement}) broken(text) order by 1 limit ${most}`)
    found.push(...rows.map((row) => ({ id: id.split(' ')[0] ?? id, text: row.text })))
  }
  return found
}

/** Statements giving one text for each violation. Several of an invariant are told apart by a word behind its number. */
function checks(asOf: DateText): Readonly<Record<string, Sql>> {
  const day = sql`${asOf}::date`
  const live = sql`(a.reversed_at is null or a.reversed_at > ${day}) and a.posting_date <= ${day}`
  /** Open items of a day, rebuilt from documents and allocations: `kind, id, customer_id, remaining`. */
  const openItems = sql`
    select 'invoice' as kind, i.id, i.code, i.customer_id, i.base_total - coalesce((select sum(coalesce(a.base_amount, a.amount)) from ar_allocation a where a.invoice_id = i.id and ${live}), 0) as remaining
    from invoice i where i.status <> 0 and i.invoice_type <> 'REVERSAL' and i.posting_date <= ${day}
    union all
    select 'credit_note', n.id, n.code, n.customer_id, -(n.base_total - coalesce((select sum(coalesce(a.source_base, a.amount)) from ar_allocation a where a.source_type = 'CREDIT_NOTE' and a.source_id = n.id and ${live}), 0))
    from credit_note n where n.status in (1, 2, 3, 7) and n.cn_temporary_id is null and n.posting_date <= ${day} and not ${undone('credit_note', sql`n.id`, day)}`
  const deposits = sql`
    select d.customer_id, d.base_total - coalesce((select sum(coalesce(a.source_base, a.amount)) from ar_allocation a where a.source_type = 'DEPOSIT' and a.source_id = d.id and ${live}), 0) as remaining
    from customer_deposit d where d.status in (1, 2, 3, 7) and d.posting_date <= ${day} and not ${undone('customer_deposit', sql`d.id`, day)}
      and not (d.origin = 'OVERPAYMENT' and d.status = 7 and ${undone('ar_payment', sql`d.deposit_source_id`, day)})
      and not (d.transfer_id is not null and ${undone('customer_deposit_transfer', sql`d.transfer_id`, day)})
      and not (d.credit_note_transfer_id is not null and ${undone('credit_note_transfer', sql`d.credit_note_transfer_id`, day)})`
  /** What is owed vendors, as above: `kind, id, vendor_id, remaining`. */
  const payables = sql`
    select 'vendor_invoice' as kind, i.id, i.vendor_id, i.base_total - coalesce((select sum(coalesce(a.base_amount, a.amount)) from ar_allocation a where a.item_type = 'vendor_invoice' and a.item_id = i.id and ${live}), 0) as remaining
    from vendor_invoice i where i.status in (1, 2, 3, 7) and i.posting_date <= ${day} and not ${undone('vendor_invoice', sql`i.id`, day)}
    union all
    select 'vendor_advance', p.id, p.vendor_id, p.total - coalesce((select sum(a.amount) from ar_allocation a where a.item_type = 'vendor_advance' and a.item_id = p.id and ${live}), 0)
    from vendor_advance p where p.status in (1, 2, 3, 7) and p.posting_date <= ${day} and not ${undone('vendor_advance', sql`p.id`, day)} and p.origin <> 'BEGBAL'
    union all
    select 'supplier_credit_note', n.id, n.vendor_id, -(n.total - coalesce((select sum(a.amount) from ar_allocation a where a.source_type = 'SUPPLIER_CN' and a.source_id = n.id and ${live}), 0))
    from supplier_credit_note n where n.status in (1, 2, 3, 7) and n.posting_date <= ${day} and not ${undone('supplier_credit_note', sql`n.id`, day)}`
  const used = (source: string, id: Sql): Sql => sql`coalesce((select sum(a.amount) from ar_allocation a where a.source_type = ${source} and a.source_id = ${id} and a.reversed_at is null), 0)`
  /** Open items of vendors on an account of their own against it. */
  const vendorAccount = (account: string, side: Sql, items: Sql): Sql => sql`
    select 'vendor ' || vendor_id || ': ' || ${account}::text || ' ' || sum(ledger) || ', open items ' || sum(items) from (
      select vendor_id, 0 as ledger, remaining as items from (${items}) o
      union all
      select l.partner_id, ${side} * (l.debit - l.credit), 0 from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
      where k.code = ${account} and l.open_item_type is distinct from 'opening_balance' and j.posting_date <= ${day}
    ) both_sides group by vendor_id having sum(ledger) <> sum(items)`
  /** What vendors owe by debit notes: `id, vendor_id, remaining`. */
  const claims = sql`
    select n.id, n.vendor_id, n.dpp + n.ppn + coalesce((
      select sum(b.amount) from debit_note_adjustment b where b.debit_note_id = n.id and b.status in (1, 7) and b.posting_date <= ${day} and not ${undone('debit_note_adjustment', sql`b.id`, day)}), 0) - coalesce((
      select sum(a.amount) from ar_allocation a where ((a.item_type = 'debit_note' and a.item_id = n.id) or (a.source_type = 'DEBIT_NOTE' and a.source_id = n.id)) and ${live}), 0) as remaining
    from debit_note n where n.status in (1, 2, 3, 7) and n.posting_date <= ${day} and not ${undone('debit_note', sql`n.id`, day)}`
  const balanceOf = (accounts: string): Sql => sql`
    select coalesce(sum(l.debit - l.credit), 0) from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
    where k.code = any(string_to_array(${accounts}, ' ')) and j.posting_date <= ${day}`
  /** Goods of a class are worth what their account says, unit by unit. */
  const stockAccount = (account: string, stockClass: string): Sql => sql`
    select 'unit ' || operating_unit_id || ': ' || ${account}::text || ' ' || sum(ledger) || ', movements ' || sum(moved) from (
      select j.operating_unit_id, l.debit - l.credit as ledger, 0 as moved from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
      where k.code = ${account} and j.posting_date <= ${day}
      union all select operating_unit_id, 0, cost_amount from stock_movement where stock_class = ${stockClass} and posting_date <= ${day}
    ) x group by operating_unit_id having sum(ledger) <> sum(moved)`
  /** What slips that hold have taken of a payment `p`. */
  const carried = sql`coalesce((select sum(l.amount) from cash_deposit_line l join cash_deposit d on d.id = l.cash_deposit_id where l.ar_payment_id = p.id and d.status in (1, 3)), 0)`
  return {
    'I1 balance': sql`
      select j.code || ': debit ' || sum(l.debit) || ', credit ' || sum(l.credit) || ', ' || count(l.id) || ' lines' from journal j left join journal_line l on l.journal_id = j.id
      group by j.id having count(l.id) < 2 or sum(l.debit) <> sum(l.credit) or sum(l.debit) <= 0 or sum(l.debit) <> j.total_debit or j.total_debit <> j.total_credit`,
    'I1 sides': sql`select 'journal line ' || id || ': ' || debit || ' / ' || credit from journal_line where debit < 0 or credit < 0 or (debit > 0) = (credit > 0)`,
    I2: sql`
      select 'unit ' || j.operating_unit_id || ' in ' || j.period || ' is off by ' || sum(l.debit - l.credit) from journal j join journal_line l on l.journal_id = j.id
      group by j.operating_unit_id, j.period having sum(l.debit - l.credit) <> 0`,
    I3: sql`select source_doc_type || ' ' || source_doc_id || ' ' || source_event || ' is booked ' || count(*) || ' times' from journal group by source_doc_type, source_doc_id, source_event having count(*) > 1`,
    I4: sql`
      select 'nothing protects ' || t.name from (values ('journal_kept'), ('journal_never_deleted'), ('journal_line_immutable'), ('stock_movement_immutable'), ('ar_allocation_kept'), ('ar_allocation_never_deleted')) t(name)
      where not exists (select 1 from pg_trigger g where g.tgname = t.name and g.tgenabled <> 'D')`,
    'I5 journals': sql`
      select 'journal ' || o.code || ' and its reversal differ by ' || sum(l.debit - l.credit) from journal r join journal o on o.id = r.reversal_of_id join journal_line l on l.journal_id in (o.id, r.id)
      group by o.id, o.code, l.account_id, l.partner_id, l.item_id having sum(l.debit - l.credit) <> 0`,
    'I5 marks': sql`
      select 'journal ' || o.code || ' does not know its reversal' from journal r join journal o on o.id = r.reversal_of_id where o.reversed_by_id is distinct from r.id or o.status <> 'REVERSED'`,
    'I5 movements': sql`
      select 'movement ' || o.id || ' is not undone by ' || r.id from stock_movement r join stock_movement o on o.id = r.reversal_of_id
      where o.qty + r.qty <> 0 or o.cost_amount + r.cost_amount <> 0 or o.item_id <> r.item_id or o.stock_class <> r.stock_class`,
    I6: sql`
      select 'customer ' || customer_id || ': ledger ' || sum(ledger) || ', open items ' || sum(items) from (
        select customer_id, 0 as ledger, remaining as items from (${openItems}) o
        union all
        select l.partner_id, l.debit - l.credit, 0 from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
        where k.control_kind = 'AR' and j.posting_date <= ${day}
      ) both_sides group by customer_id having sum(ledger) <> sum(items)`,
    I7: sql`
      select 'invoice ' || i.code || ' of ' || i.total || ': remaining ' || i.remaining || ' in status ' || i.status || ', allocated ' || coalesce(x.amount, 0) from invoice i
      left join (select invoice_id, sum(amount) as amount, sum(coalesce(base_amount, amount)) as base from ar_allocation where reversed_at is null group by 1) x on x.invoice_id = i.id
      where i.invoice_type <> 'REVERSAL' and i.status <> 0 and (i.base_remaining <> i.base_total - coalesce(x.base, 0) or i.base_remaining < 0 or i.remaining <> i.total - coalesce(x.amount, 0) or i.remaining < 0 or i.remaining > i.total
        or (i.status in (1, 2, 3) and i.status <> case when i.remaining = 0 then 3 when i.remaining = i.total then 1 else 2 end) or (i.status in (6, 7) and i.remaining <> 0))`,
    'I6 payables': sql`
      select 'vendor ' || vendor_id || ': ledger ' || sum(ledger) || ', open items ' || sum(items) from (
        select vendor_id, 0 as ledger, remaining as items from (${payables}) o
        union all
        select l.partner_id, l.credit - l.debit, 0 from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
        where k.control_kind = 'AP' and l.open_item_type is distinct from 'opening_balance' and j.posting_date <= ${day}
      ) both_sides group by vendor_id having sum(ledger) <> sum(items)`,
    'I7 payables': sql`
      select 'vendor invoice ' || i.code || ' of ' || i.total || ': remaining ' || i.remaining || ' in status ' || i.status || ', allocated ' || coalesce(x.amount, 0) from vendor_invoice i
      left join (select item_id, sum(amount) as amount, sum(coalesce(base_amount, amount)) as base from ar_allocation where item_type = 'vendor_invoice' and reversed_at is null group by 1) x on x.item_id = i.id
      where (i.status in (1, 2, 3) and (i.base_remaining <> i.base_total - coalesce(x.base, 0) or i.base_remaining < 0 or i.remaining <> i.total - coalesce(x.amount, 0) or i.remaining < 0 or i.remaining > i.total or i.status <> case when i.remaining = 0 then 3 when i.remaining = i.total then 1 else 2 end))
        or (i.status not in (1, 2, 3) and (i.remaining <> 0 or x.amount is not null))`,
    'I8 vendor advances': sql`
      select 'vendor advance ' || p.code || ': unpaid ' || p.unpaid || ' of ' || p.total || ', paid ' || p.paid || ', applied ' || p.applied || ', remaining ' || p.remaining || ' in status ' || p.status from vendor_advance p
      cross join lateral (select coalesce(sum(a.amount), 0) as settled from ar_allocation a where a.item_type = 'vendor_advance' and a.item_id = p.id and a.reversed_at is null) s
      where p.status in (1, 2, 3) and (p.unpaid <> p.total - s.settled or p.unpaid < 0 or p.applied <> ${used('ADVANCE', sql`p.id`)} or p.remaining <> p.paid - p.applied or p.remaining < 0
        or p.paid <> case when p.unpaid = 0 then p.amount else round(p.amount * s.settled / p.total, 2) end or p.status <> case when p.applied = p.amount then 3 when s.settled = 0 then 1 else 2 end)`,
    'I8 vendor credits': sql`
      select 'supplier credit note ' || n.code || ': remaining ' || n.remaining || ' of ' || n.total from supplier_credit_note n
      where n.status in (1, 2, 3) and (n.remaining <> n.total - ${used('SUPPLIER_CN', sql`n.id`)} or n.remaining < 0)`,
    'I8 vendor receipts': sql`
      select 'supplier receipt ' || r.code || ': unapplied ' || r.unapplied || ' of ' || r.amount from supplier_receipt r
      where r.status in (1, 2, 3) and (r.unapplied <> r.amount - ${used('SUPPLIER_RECEIPT', sql`r.id`)} or r.unapplied < 0)`,
    'I9 vendor advances': vendorAccount('115101', sql`1`, sql`
      select p.vendor_id, p.amount - coalesce((select sum(a.amount) from ar_allocation a where a.source_type = 'ADVANCE' and a.source_id = p.id and ${live}), 0) as remaining
      from vendor_advance p where p.status in (1, 2, 3, 7) and p.posting_date <= ${day} and not ${undone('vendor_advance', sql`p.id`, day)}`),
    'I9 vendor receipts': vendorAccount('212104', sql`-1`, sql`
      select r.vendor_id, r.amount - coalesce((select sum(a.amount) from ar_allocation a where a.source_type = 'SUPPLIER_RECEIPT' and a.source_id = r.id and ${live}), 0) as remaining
      from supplier_receipt r where r.status in (1, 2, 3, 7) and r.posting_date <= ${day} and not ${undone('supplier_receipt', sql`r.id`, day)}`),
    'I9 freight': vendorAccount('211104', sql`-1`, sql`
      select c.transporter_id as vendor_id, c.estimate - coalesce((
        select sum(l.accrued) from vendor_invoice_line l join vendor_invoice v on v.id = l.vendor_invoice_id where l.shipment_cost_id = c.id and v.status in (1, 2, 3, 7) and v.posting_date <= ${day} and not ${undone('vendor_invoice', sql`v.id`, day)}), 0) as remaining
      from shipment_cost c where c.status in (1, 3, 7) and c.posting_date <= ${day} and not ${undone('shipment_cost', sql`c.id`, day)}`),
    'I7 reversals': sql`select 'reversal ' || code || ' has ' || remaining || ' open' from invoice where invoice_type = 'REVERSAL' and remaining <> 0`,
    'I8 credit notes': sql`
      select 'credit note ' || n.code || ': remaining ' || n.remaining || ' of ' || n.total from credit_note n
      left join (select source_id, sum(amount) as amount, sum(coalesce(source_base, amount)) as base from ar_allocation where source_type = 'CREDIT_NOTE' and reversed_at is null group by 1) x on x.source_id = n.id
      where n.status in (1, 2, 3) and (n.remaining <> case when n.cn_temporary_id is null then n.total - coalesce(x.amount, 0) else 0 end
        or n.base_remaining <> case when n.cn_temporary_id is null then n.base_total - coalesce(x.base, 0) else 0 end or n.base_remaining < 0)`,
    'I8 deposits': sql`
      select 'deposit ' || d.code || ': remaining ' || d.remaining || ' of ' || d.amount from customer_deposit d
      left join (select source_id, sum(amount) as amount, sum(coalesce(source_base, amount)) as base from ar_allocation where source_type = 'DEPOSIT' and reversed_at is null group by 1) x on x.source_id = d.id
      where d.status in (1, 2, 3) and (d.remaining <> d.amount - coalesce(x.amount, 0) or d.base_remaining <> d.base_total - coalesce(x.base, 0) or d.base_remaining < 0 or d.status <> case when d.remaining = 0 then 3 when d.remaining = d.amount then 1 else 2 end)`,
    'I8 temporary': sql`
      select 'temporary credit note ' || t.code || ': remaining ' || t.remaining || ' of ' || t.amount from cn_temporary t
      left join (select cn_temporary_id, sum(total) as amount from credit_note where status in (1, 2, 3) group by 1) x on x.cn_temporary_id = t.id
      where t.status in (1, 2, 3) and t.remaining <> t.amount - coalesce(x.amount, 0)`,
    'I9 deposits': sql`
      select 'customer ' || customer_id || ': 212101 ' || sum(ledger) || ', deposits ' || sum(items) from (
        select customer_id, 0 as ledger, remaining as items from (${deposits}) d
        union all
        select l.partner_id, l.credit - l.debit, 0 from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id where k.code = '212101' and j.posting_date <= ${day}
      ) both_sides group by customer_id having sum(ledger) <> sum(items)`,
    'I9 exchange': sql`
      select account || ' is ' || sum(ledger) || ', revaluations that hold ' || sum(items) from (
        select k.code as account, l.debit - l.credit as ledger, 0 as items from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id where k.code in ('112108', '211108') and j.posting_date <= ${day}
        union all
        select case l.kind when 'AR' then '112108' else '211108' end, 0, l.gain - l.loss from fx_revaluation r join fx_revaluation_line l on l.fx_revaluation_id = r.id
        where r.doc_date <= ${day} and (r.status = 1 or (r.status = 3 and r.reverses_on > ${day}))
      ) x group by account having sum(ledger) <> sum(items)`,
    'I9 containers': sql`
      select 'customer ' || customer_id || ': 212105 ' || sum(ledger) || ', deposits of containers ' || sum(items) from (
        select m.customer_id, 0 as ledger, case m.kind when 'CHARGE' then m.deposit else -m.deposit end as items from container_move m where m.status in (1, 7) and m.posting_date <= ${day} and not ${undone('container_move', sql`m.id`, day)}
        union all
        select l.partner_id, l.credit - l.debit, 0 from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id where k.code = '212105' and j.posting_date <= ${day}
      ) both_sides group by customer_id having sum(ledger) <> sum(items)`,
    'I9 containers held': sql`
      select 'container ' || c.code || ': holds ' || c.deposit_held || ', documents ' || coalesce(x.deposit, 0) from inventory_container c left join (
        select l.inventory_container_id as id, sum(case m.kind when 'CHARGE' then l.deposit else -l.deposit end) as deposit from container_move_line l join container_move m on m.id = l.container_move_id where m.status = 1 group by 1) x on x.id = c.id
      where c.deposit_held <> coalesce(x.deposit, 0)`,
    'I8 debit notes': sql`
      select 'debit note ' || n.code || ': remaining ' || n.remaining || ' of ' || n.total || ' in status ' || n.status from debit_note n
      cross join lateral (select coalesce(sum(a.amount), 0) as amount from ar_allocation a where ((a.item_type = 'debit_note' and a.item_id = n.id) or (a.source_type = 'DEBIT_NOTE' and a.source_id = n.id)) and a.reversed_at is null) x
      where n.total <> n.dpp + n.ppn + n.adjusted or n.adjusted <> coalesce((select sum(b.amount) from debit_note_adjustment b where b.debit_note_id = n.id and b.status = 1), 0) or (n.status in (1, 2, 3) and (n.remaining <> n.total - x.amount or n.remaining < 0 or n.status <> case when n.remaining = 0 then 3 when n.remaining = n.total then 1 else 2 end))
        or (n.status not in (1, 2, 3) and (n.remaining <> 0 or x.amount <> 0))`,
    'I9 debit notes': sql`
      select 'vendor ' || vendor_id || ': 112203 ' || sum(ledger) || ', debit notes ' || sum(items) from (
        select vendor_id, 0 as ledger, remaining as items from (${claims}) n
        union all
        select l.partner_id, l.debit - l.credit, 0 from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
        where k.code = '112203' and l.open_item_type is distinct from 'opening_balance' and j.posting_date <= ${day}
      ) both_sides group by vendor_id having sum(ledger) <> sum(items)`,
    'I9 temporary': sql`
      select '112204 is ' || ledger || ', temporary credit notes ' || items from (
        select (${balanceOf('112204')}) as ledger, (
          select coalesce(sum(t.amount), 0) from cn_temporary t where t.status in (1, 2, 3, 7) and t.posting_date <= ${day} and not ${undone('cn_temporary', sql`t.id`, day)})
          - (select coalesce(sum(n.total), 0) from credit_note n where n.cn_temporary_id is not null and n.status in (1, 2, 3) and n.posting_date <= ${day})
          - (select coalesce(sum(i.total), 0) from invoice i where i.cn_temporary_id is not null and i.posting_date <= ${day}) as items) x where ledger <> items`,
    'I10 issued': sql`
      select '113106 is ' || ledger || ', issued and not invoiced ' || goods from (
        select (${balanceOf('113106')}) as ledger, (
          select coalesce(-sum(m.cost_amount), 0) from stock_movement m where m.movement_type in ('601', '602') and m.posting_date <= ${day})
          - (select coalesce(sum(l.cogs), 0) from invoice_line l join invoice i on i.id = l.invoice_id where l.gi_line_id is not null and i.status in (1, 2, 3, 7) and i.posting_date <= ${day} and not ${soldFromVan(sql`l.gi_line_id`)})
          - (select coalesce(sum(m.cost_amount), 0) from stock_movement m where m.movement_type in ('651', '652') and m.posting_date <= ${day})
          + (select coalesce(sum(l.cost_credited), 0) from sales_return_line l join sales_return r on r.id = l.sales_return_id where r.credited_date <= ${day} and not ${undone('sales_return', sql`r.id`, day)}) as goods) x where ledger <> goods`,
    'I10 received': sql`
      select '211103 is ' || ledger || ', received and not invoiced ' || goods from (
        select -(${balanceOf('211103')}) as ledger, (select coalesce(sum(m.cost_amount), 0) from stock_movement m where m.movement_type in ('101', '102') and m.qty <> 0 and m.posting_date <= ${day})
          - (select coalesce(sum(i.grir), 0) from vendor_invoice i where i.status in (1, 2, 3, 7) and i.posting_date <= ${day} and not ${undone('vendor_invoice', sql`i.id`, day)})
          + (select coalesce(sum(case l.basis when 'QUANTITY' then l.amount else -l.grir end), 0) from debit_note_line l join debit_note n on n.id = l.debit_note_id
            where (l.basis = 'QUANTITY' or l.grir <> 0) and n.status in (1, 2, 3, 7) and n.posting_date <= ${day} and not ${undone('debit_note', sql`n.id`, day)}) as goods) x where ledger <> goods`,
    'I11 on hand': sql`
      select 'item ' || item_id || ' in warehouse ' || warehouse_id || ': balance ' || sum(balance) || ', movements ' || sum(moved) from (
        select item_id, warehouse_id, batch, on_hand as balance, 0 as moved from stock_balance
        union all select item_id, warehouse_id, batch, 0, qty from stock_movement
      ) x group by item_id, warehouse_id, batch having sum(balance) <> sum(moved) or sum(balance) < 0`,
    'I11 reserved': sql`
      select 'item ' || item_id || ' in warehouse ' || warehouse_id || ': reserved ' || sum(balance) || ', reservations ' || sum(open) from (
        select item_id, warehouse_id, batch, reserved as balance, 0 as open, on_hand from stock_balance
        union all select item_id, warehouse_id, batch, 0, open_qty, 0 from stock_reservation
      ) x group by item_id, warehouse_id, batch having sum(balance) <> sum(open) or sum(balance) < 0 or sum(balance) > sum(on_hand)`,
    'I11 lines': sql`
      select 'order line ' || l.id || ': reserved ' || l.reserved_qty || ', reservations ' || coalesce(x.open, 0) from sales_order_line l
      left join (select order_line_id, sum(open_qty) as open from stock_reservation group by 1) x on x.order_line_id = l.id where l.reserved_qty <> coalesce(x.open, 0)`,
    'I9 advances': sql`
      select '213106 is ' || ledger || ', VAT of advances not used ' || items from (
        select (select coalesce(sum(l.debit - l.credit), 0) from journal_line l join account k on k.id = l.account_id where k.code = '213106') as ledger,
          (select coalesce(sum(vat_open), 0) from customer_deposit where status in (1, 2, 3)) as items) x where ledger <> items`,
    'I12 landed': sql`
      select 'vendor invoice ' || v.code || ' of ' || v.dpp || ': landed ' || x.share || ', in stock ' || x.in_stock || ' and gone ' || x.gone || ', movements ' || x.moved from vendor_invoice v
      cross join lateral (select coalesce(sum(l.share), 0) as share, coalesce(sum(l.in_stock), 0) as in_stock, coalesce(sum(l.gone), 0) as gone, (
        select coalesce(sum(m.cost_amount), 0) from stock_movement m where m.doc_type = 'vendor_invoice' and m.doc_id = v.id and m.movement_type = 'L01') as moved from vendor_invoice_share l where l.vendor_invoice_id = v.id) x
      where v.landed_by <> 'NONE' and v.status in (1, 2, 3, 7) and (x.share <> v.dpp or x.in_stock + x.gone <> x.share or x.moved <> x.in_stock)`,
    'I12 landed goods': sql`
      select 'goods receipt line ' || g.id || ': landed ' || g.landed_cost || ', invoices say ' || coalesce(x.share, 0) from goods_receipt_line g
      left join (select l.gr_line_id, sum(l.share) as share from vendor_invoice_share l join vendor_invoice v on v.id = l.vendor_invoice_id where v.status in (1, 2, 3) group by 1) x on x.gr_line_id = g.id
      where g.landed_cost <> coalesce(x.share, 0)`,
    'I12 ledger': stockAccount('113101', 'UNRESTRICTED'),
    'I12 consigned': stockAccount('113102', 'CONSIGNMENT'),
    'I12 vans': stockAccount('113103', 'CANVAS'),
    'I17 vans': sql`
      select 'trip ' || coalesce(r.code, 'DRAFT-' || r.id) || ', item ' || l.item_id || ': loaded ' || l.qty_loaded || ', sold ' || l.qty_sold || ', returned ' || l.qty_returned || ', difference ' || l.qty_diff from canvas_request_line l
      join canvas_request r on r.id = l.canvas_request_id
      where r.trip_no is not null and (l.qty_sold < 0 or l.qty_sold > l.qty_loaded or (r.status = 3 and l.qty_loaded <> l.qty_sold + l.qty_returned + l.qty_diff))`,
    'I17 van sales': sql`
      select 'trip ' || canvas_request_id || ', item ' || item_id || ': sold ' || sum(sold) || ', goods issues ' || sum(issued) from (
        select canvas_request_id, item_id, qty_sold as sold, 0 as issued from canvas_request_line
        union all select g.canvas_request_id, l.item_id, 0, l.qty from goods_issue_line l join goods_issue g on g.id = l.goods_issue_id where g.canvas_request_id is not null and g.status in (1, 3)
      ) x group by canvas_request_id, item_id having sum(sold) <> sum(issued)`,
    'I17 consignment': sql`
      select 'settlement ' || s.code || ', item ' || l.item_id || ': ' || l.opening || ' + ' || l.filled || ' - ' || l.picked_up || ' - ' || l.sold || ' is not ' || l.counted from consignment_sales_line l
      join consignment_sales s on s.id = l.consignment_sales_id where s.status = 1 and (l.opening + l.filled - l.picked_up - l.sold <> l.counted or l.sold < 0)`,
    'I17 kits': sql`
      select 'kitting ' || k.code || ': ' || x.cost_out || ' went out, ' || x.cost_in || ' came in, movements are off by ' || x.moved from kitting_order k
      cross join lateral (select coalesce(sum(l.cost_out), 0) as cost_out, coalesce(sum(l.cost_in), 0) as cost_in, (
        select coalesce(sum(m.cost_amount), 0) from stock_movement m where m.doc_type = 'kitting_order' and m.doc_id = k.id) as moved from kitting_order_line l where l.kitting_order_id = k.id) x
      where k.status = 3 and (x.cost_out <> x.cost_in or x.moved <> 0)`,
    'I17 consumption': sql`
      select 'consumption ' || c.code || ', item ' || l.item_id || ': ' || l.opening || ' + ' || l.receipt || ' - ' || l.usage || ' and ' || l.adjustment || ' is not ' || l.closing from cmi_consumption_line l
      join cmi_consumption c on c.id = l.cmi_consumption_id where c.status in (1, 3) and l.opening + l.receipt - l.usage + l.adjustment <> l.closing`,
    'I12 returns': sql`
      select '113105 is ' || ledger || ', goods returned ' || goods from (
        select (${balanceOf('113105')}) as ledger, (select coalesce(sum(m.cost_amount), 0) from stock_movement m where m.stock_class = 'RETURN' and m.posting_date <= ${day}) as goods) x where ledger <> goods`,
    'I16 returns': sql`
      select 'invoice line ' || v.id || ': returned ' || v.returned_qty || ', of returns ' || coalesce(x.qty, 0) from invoice_line v left join (
        select l.invoice_line_id, sum(l.qty_taken) as qty from sales_return_line l join sales_return r on r.id = l.sales_return_id where r.status in (3, 8) group by 1) x on x.invoice_line_id = v.id
      where v.returned_qty <> coalesce(x.qty, 0) or (v.returned_qty > v.qty_base and v.returned_qty > 0)`,
    'I12 in transit': sql`
      select '113104 is ' || ledger || ', sent to other units and not received ' || goods from (
        select (${balanceOf('113104')}) as ledger, (select coalesce(-sum(m.cost_amount), 0) from stock_movement m where m.movement_type in ('303', '305') and m.posting_date <= ${day}) as goods) x where ledger <> goods`,
    'I12 cost': sql`
      select 'item ' || item_id || ' in unit ' || operating_unit_id || ': ' || sum(qty) || ' at ' || sum(value) || ', movements ' || sum(moved_qty) || ' at ' || sum(moved) from (
        select item_id, operating_unit_id, stock_class, qty, value, 0 as moved_qty, 0 as moved from stock_cost
        union all select item_id, operating_unit_id, stock_class, 0, 0, qty, cost_amount from stock_movement
      ) x group by item_id, operating_unit_id, stock_class having sum(qty) <> sum(moved_qty) or sum(value) <> sum(moved) or (sum(qty) = 0 and sum(value) <> 0)`,
    'I13 clearing': sql`
      select '111302 is ' || ledger || ', receipts the bank has not confirmed ' || items from (
        select (select coalesce(sum(l.debit - l.credit), 0) from journal_line l join account k on k.id = l.account_id where k.code = '111302') as ledger,
          (select coalesce(sum(base_total - round(case when status = 3 then 0 else bank_confirmed end * rate, 2)), 0) from ar_payment where (status in (1, 2) and method in ('TRANSFER', 'VA')) or (status = 3 and method in ('GIRO', 'CHEQUE') and bank_statement_line_id is null))
          + (select coalesce(sum(base_total), 0) from customer_deposit where status in (1, 2, 3) and origin = 'RECEIPT' and method <> 'CASH' and bank_statement_line_id is null)
          + (select coalesce(sum(amount), 0) from supplier_receipt where status in (1, 2, 3) and statement_line_id is null)
          + (select coalesce(sum(amount), 0) from cash_bank_document where status in (1, 3) and kind in ('RECEIPT', 'MANUAL') and to_house_bank_id is not null and to_statement_line_id is null) as items) x where ledger <> items`,
    'I13 others': sql`
      select account || ' is ' || ledger || ', documents ' || items from (
        select '111303' as account, 1 as side, (select coalesce(sum(p.amount - ${carried}), 0) from ar_payment p where p.status in (1, 2) and p.method in ('GIRO', 'CHEQUE')) as items
        union all select '111103', 1, (select coalesce(sum(p.amount - ${carried}), 0) from ar_payment p where p.status in (1, 2) and p.method in ('CIT', 'COD') and p.handed_over_on is null)
        union all select '111301', 1, (select coalesce(sum(expected), 0) from cash_deposit where status = 1)
          + (select coalesce(sum(amount), 0) from cash_bank_document where status in (1, 3) and kind in ('TRANSFER', 'PETTY_REFILL') and to_house_bank_id is not null and to_statement_line_id is null)
        union all select '214101', -1, (select coalesce(sum(amount), 0) from cash_bank_document where status in (1, 3) and from_house_bank_id is not null and from_statement_line_id is null)
          + (select coalesce(sum(s.refund), 0) from customer_deposit_settlement s where s.status = 1 and not exists (select 1 from ap_payment a where a.deposit_settlement_id = s.id and a.status = 3 and a.return_line_id is null))
          + (select coalesce(sum(round(paid_out * rate, 2)), 0) from ap_payment where kind <> 'DEPOSIT_REFUND' and (status = 1 or (status = 3 and return_line_id is not null)))
        union all select '212102', -1, (select coalesce(sum(l.credit), 0) from bank_statement_line l join bank_statement s on s.id = l.bank_statement_id where s.status = 3 and l.match_type = 'UNIDENTIFIED')
          - (select coalesce(sum(amount), 0) from ar_payment where status in (1, 2, 3) and method = 'UNIDENTIFIED')
      ) x cross join lateral (select side * coalesce(sum(l.debit - l.credit), 0) as ledger from journal_line l join account k on k.id = l.account_id where k.code = x.account) y where ledger <> items`,
    I14: sql`
      select k.code || ' is ' || s.currency || ' ' || coalesce(x.balance, 0) || ', the last statements close at ' || coalesce(s.closing, 0) from account k
      join (select gl_account_id, currency, sum(coalesce((
        select b.closing_balance from bank_statement b where b.house_bank_id = h.id and b.status = 3 order by b.doc_date desc, b.id desc limit 1), 0)) as closing from house_bank h group by 1, 2) s on s.gl_account_id = k.id
      left join (select l.account_id, coalesce(l.fx_currency, j.currency) as currency, sum(case when l.fx_amount is null then l.debit - l.credit when l.debit > 0 then l.fx_amount else -l.fx_amount end) as balance
        from journal_line l join journal j on j.id = l.journal_id group by 1, 2) x on x.account_id = k.id and x.currency = s.currency
      where k.control_kind = 'BANK' and coalesce(x.balance, 0) <> s.closing`,
    'I14 statements': sql`
      select 'statement ' || s.code || ' opens at ' || s.opening_balance || ', its lines bring ' || l.credit || ' and take ' || l.debit || ', it closes at ' || s.closing_balance from bank_statement s
      join (select bank_statement_id, sum(credit) as credit, sum(debit) as debit from bank_statement_line group by 1) l on l.bank_statement_id = s.id
      where s.status in (3, 4) and (s.money_in <> l.credit or s.money_out <> l.debit or s.opening_balance + l.credit - l.debit <> s.closing_balance)`,
    'I14 parts': sql`
      select 'receipt ' || p.code || ' of ' || p.amount || ': confirmed ' || p.bank_confirmed || ', parts of statements ' || coalesce(x.amount, 0) from ar_payment p
      left join (select a.ar_payment_id, sum(a.amount) as amount from bank_statement_part a join bank_statement s on s.id = a.bank_statement_id where s.status = 3 group by 1) x on x.ar_payment_id = p.id
      where p.bank_confirmed <> coalesce(x.amount, 0) or p.bank_confirmed > p.amount`,
    'I14 parted lines': sql`
      select 'line ' || l.line_no || ' of statement ' || s.code || ' shows ' || l.credit || ', its parts ' || sum(a.amount) from bank_statement_part a join bank_statement s on s.id = a.bank_statement_id and s.status = 3
      join bank_statement_line l on l.bank_statement_id = s.id and l.line_no = a.statement_line group by s.id, l.id having sum(a.amount) > l.credit`,
    'I15 identity': sql`
      select 'payment ' || code || ': ' || amount || ' + ' || credit_used || ' + ' || deposit_used || ' + ' || deducted || ' is not ' || allocated || ' + ' || unapplied from ar_payment
      where status in (1, 2, 3) and amount + credit_used + deposit_used + deducted <> allocated + recovered + unapplied`,
    'I15 allocations': sql`
      select 'payment ' || p.code || ': allocations do not add up to its totals' from ar_payment p left join lateral (
        select coalesce(sum(a.amount), 0) as whole, coalesce(sum(a.amount) filter (where a.source_type = 'CREDIT_NOTE'), 0) as credits, coalesce(sum(a.amount) filter (where a.source_type = 'DEPOSIT'), 0) as deposits,
          coalesce(sum(a.amount) filter (where a.source_type in ('WITHHOLDING', 'PAYMENT_DIFF')), 0) as deducted from ar_allocation a
        where ((a.document_type = 'ar_payment' and a.document_id = p.id) or (a.document_type in ('ar_clearing', 'ar_clearing_gov') and a.source_type = 'PAYMENT' and a.source_id = p.id)) and a.reversed_at is null
      ) x on true where p.status in (1, 2, 3) and (x.whole <> p.allocated or x.credits <> p.credit_used or x.deposits <> p.deposit_used or x.deducted <> p.deducted)`,
    'I23 budgets': sql`
      select 'promotion budget ' || b.code || ': committed ' || b.committed || ' and used ' || b.used || ', by its uses ' || coalesce(u.committed, 0) || ' and ' || coalesce(u.used, 0) from promotion_budget b
      left join (select promotion_budget_id as id, sum(committed) as committed, sum(used) as used from promotion_use group by 1) u on u.id = b.id
      where (b.committed, b.used) is distinct from (coalesce(u.committed, 0), coalesce(u.used, 0)) or b.committed + b.used > b.amount`,
    'I23 expenses': sql`
      select 'expense budget ' || b.name || ' ' || b.period || ': used ' || b.used || ', by its invoices ' || coalesce(x.amount, 0) from expense_budget b
      left join (select l.expense_budget_id as id, sum(l.amount) as amount from vendor_invoice_line l join vendor_invoice i on i.id = l.vendor_invoice_id where i.status in (1, 2, 3) group by 1) x on x.id = b.id
      where b.used <> coalesce(x.amount, 0)`,
    'I23 claims': sql`
      select 'credit note ' || n.code || ': principal share ' || n.principal_share || ', claimed ' || n.principal_claimed || ', by its debit notes ' || coalesce(x.amount, 0) from credit_note n
      left join (select l.credit_note_id as id, sum(l.amount) as amount from debit_note_line l join debit_note d on d.id = l.debit_note_id
        where l.credit_note_id is not null and l.basis = 'PROMOTION' and d.status in (1, 2, 3) group by 1) x on x.id = n.id
      where n.principal_claimed <> coalesce(x.amount, 0) or (n.status in (1, 2, 3) and n.principal_claimed > n.principal_share)`,
    'I23 orders': sql`
      select 'order ' || coalesce(o.code, o.id::text) || ', line ' || l.line_no || ': promotion ' || p.code || ' committed ' || u.committed || ' and used ' || u.used || ' of ' || u.amount from promotion_use u
      join sales_order_line l on l.id = u.order_line_id join sales_order o on o.id = u.sales_order_id join promotion p on p.id = u.promotion_id
      where o.status in (0, 5) or u.committed <> u.amount - round(u.amount * least(l.billed_qty + l.cancelled_qty, u.qty) / u.qty, 2) or u.used <> round(u.amount * least(greatest(l.billed_qty - l.returned_qty, 0), u.qty) / u.qty, 2)`,
    'I16 lines': sql`
      select 'order line ' || l.id || ': ordered ' || l.qty_base || ', delivered ' || l.delivered_qty || ', billed ' || l.billed_qty || ', cancelled ' || l.cancelled_qty || ', planned ' || l.planned_qty
      from sales_order_line l join sales_order o on o.id = l.sales_order_id
      where o.status in (1, 2, 3, 6, 9) and (l.delivered_qty + l.cancelled_qty + l.planned_qty > l.qty_base or l.billed_qty > l.delivered_qty or least(l.delivered_qty, l.billed_qty, l.cancelled_qty, l.planned_qty, l.reserved_qty) < 0)`,
    'I16 issues': sql`
      select 'order line ' || l.id || ': delivered ' || l.delivered_qty || ' billed ' || l.billed_qty || ', issued ' || coalesce(x.qty, 0) || ' billed ' || coalesce(x.billed, 0) from sales_order_line l
      left join (select g.order_line_id, sum(g.qty - g.returned_qty) as qty, sum(g.billed_qty) as billed from goods_issue_line g join goods_issue h on h.id = g.goods_issue_id where h.status in (1, 3) group by 1) x on x.order_line_id = l.id
      where l.delivered_qty <> coalesce(x.qty, 0) or l.billed_qty <> coalesce(x.billed, 0)`,
    'I16 billing': sql`
      select 'goods issue line ' || g.id || ': billed ' || g.billed_qty || ', on ' || count(i.id) || ' invoices' from goods_issue_line g
      left join (invoice_line il join invoice i on i.id = il.invoice_id and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL') on il.gi_line_id = g.id
      where not exists (select 1 from sales_order_line l join sales_order o on o.id = l.sales_order_id where l.id = g.order_line_id and o.order_type in ('CONSIGN', 'CMI'))
      group by g.id having count(i.id) > 1 or (count(i.id) = 1) <> (g.billed_qty > 0) or g.billed_qty > g.qty - g.returned_qty`,
    'I16 plans': sql`
      select 'order line ' || l.id || ': planned ' || l.planned_qty || ', on plans ' || coalesce(sum(x.qty), 0) from sales_order_line l left join (
        select d.order_line_id, d.qty_planned as qty from delivery_order_line d join delivery_order o on o.id = d.delivery_order_id where o.status in (0, 1, 8)
        union all select p.order_line_id, p.qty from delivery_plan_line p join delivery_plan h on h.id = p.delivery_plan_id where h.status = 0
      ) x on x.order_line_id = l.id group by l.id having l.planned_qty <> coalesce(sum(x.qty), 0)`,
    I18: sql`
      select 'customer ' || e.customer_id || ': exposure ' || e.exposure || ', documents ' || coalesce(x.amount, 0) from v_customer_exposure e left join (
        select customer_id, round(sum(amount), 2) as amount from (
          select customer_id, base_remaining as amount from invoice where status in (1, 2)
          union all select customer_id, base_total from ar_payment where status in (1, 2) and method in ('GIRO', 'CHEQUE')
          union all select customer_id, remaining from cn_temporary where status in (1, 2)
          union all select n.customer_id, -n.base_remaining from credit_note n where n.status in (1, 2) and coalesce((select (exposure_includes ->> 'credit_note')::boolean from setting_finance order by id limit 1), true)
          union all select d.customer_id, -d.base_remaining from customer_deposit d where d.status in (1, 2) and coalesce((select (exposure_includes ->> 'deposit')::boolean from setting_finance order by id limit 1), true)
          union all select o.customer_id, round(sum(l.total * o.rate * (l.delivered_qty - l.billed_qty) / l.qty_base), 2) from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.status in (1, 2) and l.qty_base > 0 group by 1
          union all select o.customer_id, round(sum(l.total * o.rate * (l.qty_base - l.delivered_qty - l.cancelled_qty) / l.qty_base), 2) from sales_order_line l join sales_order o on o.id = l.sales_order_id
            left join payment_term p on p.id = o.payment_term_id
            where o.status in (1, 2) and l.qty_base > 0 and not (coalesce(p.is_cash or p.is_cod, false) and coalesce((select (value #>> '{}')::boolean from setting_oms where key = 'exclude_cash' and operating_unit_id is null), true)) group by 1
        ) parts group by 1
      ) x on x.customer_id = e.customer_id where e.exposure <> coalesce(x.amount, 0)`,
    I19: sql`select 'journal ' || code || ' of ' || posting_date || ' is in period ' || period from journal where period <> to_char(posting_date, 'YYYYMM')`,
    I20: sql`
      select prefix || ': ' || count(*) || ' numbers up to ' || max(n) || coalesce(', counter ' || min(c.last_value), '') from (
        select regexp_replace(code, '/[0-9]+$', '') as prefix, substring(code from '([0-9]+)$')::bigint as n from (${numbered}) d where code ~ '^[A-Z]+/[^/]+/[0-9]{4}/[0-9]+$'
      ) x left join (
        select s.prefix || '/' || split_part(k.bucket, '/', 1) || '/' || substring(split_part(k.bucket, '/', 2) from 3) as series, k.last_value
        from number_counter k join number_series s on s.id = k.series_id where s.reset = 'MONTHLY'
      ) c on c.series = x.prefix
      group by prefix having count(*) <> max(n) or count(distinct n) <> count(*) or min(n) <> 1 or coalesce(min(c.last_value), max(n)) <> max(n)`,
    'I21 maker': sql`
      select distinct r.doc_type || ' ' || r.doc_code || ' was approved by its maker' from approval_request r join approval_action a on a.request_id = r.id and a.action = 'APPROVE'
      cross join lateral (select ${makersAt} as makers) m
      where (a.actor_id = any(m.makers) or a.on_behalf_of_id = any(m.makers)) and not coalesce((select (value #>> '{}')::boolean from setting_oms where key = 'allow_self_approval' and operating_unit_id is null), false)`,
    'I21 levels': sql`
      select r.doc_type || ' ' || r.doc_code || ' has too few approvals' from approval_request r where r.status = 1
        and (select count(distinct a.level) from approval_action a where a.request_id = r.id and a.action = 'APPROVE') < r.max_level`,
    'I21 waiting': sql`
      select d.doc_type || ' ' || d.id || ' waits and nobody is asked' from (${waiting}) d
      where not exists (select 1 from approval_request r where r.doc_type = d.doc_type and r.doc_id = d.id and r.status = 4)`,
    I22: sql`
      select 'invoice ' || i.code || ': VAT ' || i.ppn || ', lines ' || sum(l.ppn) from invoice i join invoice_line l on l.invoice_id = i.id
      where i.invoice_type <> 'BEGBAL' group by i.id having i.ppn <> case when i.rate = 1 then sign(sum(l.ppn)) * floor(abs(sum(l.ppn)) + 0.5) else sum(l.ppn) end`,
    'I22 tax invoices': sql`
      select 'tax invoice ' || t.code || ': base ' || t.dpp || ' and VAT ' || t.ppn || ', invoice ' || i.dpp || ' and ' || i.ppn from tax_invoice t join invoice i on i.id = t.invoice_id
      where t.status not in ('REPLACED', 'CANCELLED') and (t.dpp + t.advance_dpp <> round(i.dpp * i.rate, 2) or t.ppn + t.advance_ppn <> round(i.ppn * i.rate, 2))
      union all select 'tax invoice ' || t.code || ': base ' || t.dpp || ' and VAT ' || t.ppn || ', containers lost ' || m.dpp || ' and ' || m.ppn from tax_invoice t join container_move m on m.id = t.container_move_id
      where t.status not in ('REPLACED', 'CANCELLED') and (t.dpp <> m.dpp or t.ppn <> m.ppn or m.status <> 1)
      union all select 'tax invoice ' || t.code || ': base ' || t.dpp || ' and VAT ' || t.ppn || ', advance ' || d.dpp || ' and ' || d.vat from tax_invoice t join customer_deposit d on d.id = t.customer_deposit_id
      where t.status not in ('REPLACED', 'CANCELLED') and (t.dpp + t.advance_dpp <> d.dpp or t.ppn + t.advance_ppn <> d.vat or d.status not in (1, 2, 3))
      union all select 'advance ' || d.code || ': base ' || d.dpp || ' and VAT ' || d.vat || ' of ' || d.amount from customer_deposit d where d.vat <> 0 and d.dpp + d.vat <> d.amount
      union all select 'invoice ' || invoice_id || ' has ' || count(*) || ' tax invoices that count' from tax_invoice where invoice_id is not null and status not in ('REPLACED', 'CANCELLED') group by invoice_id having count(*) > 1`,
    I24: sql`
      select 'contract line ' || k.id || ': called ' || k.called_qty || ', orders say ' || coalesce(sum(round((l.qty_base - l.cancelled_qty) / l.factor, 3)), 0) from sales_contract_line k
      left join (sales_order_line l join sales_order o on o.id = l.sales_order_id and o.status in (1, 2, 3, 6, 9)) on l.contract_line_id = k.id
      group by k.id having k.called_qty <> coalesce(sum(round((l.qty_base - l.cancelled_qty) / l.factor, 3)), 0)`,
    'I24 values': sql`
      select 'contract ' || c.id || ': called ' || c.called_value || ', orders say ' || coalesce(sum(x.value), 0) from sales_contract c
      left join (
        select o.contract_id, round(l.dpp * (l.qty_base - l.cancelled_qty) / l.qty_base, 2) as value from sales_order_line l join sales_order o on o.id = l.sales_order_id
        where l.contract_line_id is not null and o.status in (1, 2, 3, 6, 9) and l.qty_base > 0
      ) x on x.contract_id = c.id group by c.id having c.called_value <> coalesce(sum(x.value), 0)`,
    'I24 limits': sql`
      select 'contract ' || c.id || ': more is called than agreed' from sales_contract c join sales_contract_line l on l.sales_contract_id = c.id
      where (c.kind = 'QTY' and l.called_qty > l.target_qty) or (c.kind = 'VALUE' and c.called_value > c.target_value)`,
    I27: sql`
      select kind || ' ' || id || ': ledger ' || sum(ledger) || ', open ' || sum(items) from (
        select kind, id, 0 as ledger, remaining as items from (${openItems}) o
        union all
        select l.open_item_type, l.open_item_id, l.debit - l.credit, 0 from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
        where k.control_kind = 'AR' and j.posting_date <= ${day}
      ) both_sides group by kind, id having sum(ledger) <> sum(items)`,
    'I27 payables': sql`
      select kind || ' ' || id || ': ledger ' || sum(ledger) || ', open ' || sum(items) from (
        select kind, id, 0 as ledger, remaining as items from (${payables}) o
        union all
        select l.open_item_type, l.open_item_id, l.credit - l.debit, 0 from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
        where k.control_kind = 'AP' and l.open_item_type <> 'opening_balance' and j.posting_date <= ${day}
      ) both_sides group by kind, id having sum(ledger) <> sum(items)`,
    'I28 targets': sql`
      select t.code || ': the parts of the target add up to ' || coalesce(sum(l.amount), 0) || ', not ' || t.amount from sales_target t left join sales_target_line l on l.sales_target_id = t.id
      where t.is_confirmed group by t.id having coalesce(sum(l.amount), 0) <> t.amount`,
    'I28 combos': sql`
      select c.code || ': the cost shares add up to ' || coalesce(sum(k.cost_share), 0) from combo c left join combo_component k on k.combo_id = c.id group by c.id having coalesce(sum(k.cost_share), 0) <> 100`,
    'I20 series': sql`
      select s.code || ': a pattern without running number' from number_series s where s.pattern !~ '\\{SEQ:[1-9]\\}'
        or (s.reset = 'MONTHLY' and s.pattern !~ '\\{MM\\}') or (s.reset <> 'NEVER' and s.pattern !~ '\\{YY')`,
    'I29 write-offs': sql`
      select 'write-off ' || w.code || ': ' || l.amount || ' of one invoice, at most ' || w.max_amount_per_item from write_off w join write_off_line l on l.write_off_id = w.id
      where w.status in (1, 7) and w.max_amount_per_item > 0 and l.amount > w.max_amount_per_item`,
    'I29 closings': sql`
      select 'close request ' || code || ': ' || round(amount * rate, 2) || ' was given up, tolerated ' || coalesce(tolerated::text, 'unknown') from invoice_close_request
      where status in (3, 7) and (tolerated is null or round(amount * rate, 2) > tolerated)`,
    'I29 differences': sql`
      select 'receipt ' || p.code || ': ' || d.kind || ' of ' || sum(d.amount) || ' off invoice ' || l.invoice_id || ', at most ' || coalesce(max(d.line_limit)::text, 'unknown')
      from ar_payment_deduction d join ar_payment_line l on l.id = d.ar_payment_line_id join ar_payment p on p.id = l.ar_payment_id
      where p.status in (1, 2, 3, 7) and d.kind in ('DIFF', 'CASH_DISCOUNT') group by p.code, d.kind, l.id, l.invoice_id having max(d.line_limit) is null or sum(d.amount) > max(d.line_limit)`,
    'I29 invoices': sql`
      select 'invoice ' || l.invoice_id || ': ' || d.kind || ' of ' || sum(d.amount) || ' by all receipts, at most ' || max(d.invoice_limit)
      from ar_payment_deduction d join ar_payment_line l on l.id = d.ar_payment_line_id join ar_payment p on p.id = l.ar_payment_id
      where p.status in (1, 2, 3) and d.invoice_limit is not null group by l.invoice_id, d.kind having sum(d.amount) > max(d.invoice_limit)`,
    'I29 receipts': sql`
      select 'receipt ' || p.code || ': ' || d.kind || ' of ' || sum(d.amount) || ' by ' || d.tolerance || ', at most ' || max(d.receipt_limit)
      from ar_payment_deduction d join ar_payment_line l on l.id = d.ar_payment_line_id join ar_payment p on p.id = l.ar_payment_id
      where p.status in (1, 2, 3, 7) and d.receipt_limit is not null group by p.code, d.kind, d.tolerance having sum(d.amount) > max(d.receipt_limit)`,
    'I29 overpaid': sql`
      select 'receipt ' || p.code || ': ' || p.unapplied || ' beyond its invoices was kept, tolerated ' || coalesce(p.over_limit::text, 'unknown') from ar_payment p
      where p.status in (1, 2, 3, 7) and p.unapplied > 0 and (p.over_limit is null or p.unapplied > p.over_limit)
        and not exists (select 1 from customer_deposit d where d.deposit_source_id = p.id)`,
    I30: sql`
      select '331101 of ' || x.code || ' is ' || x.currency || ' ' || x.balance || ' though opening balances are closed' from (
        select c.code, j.currency, sum(l.debit - l.credit) as balance from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
        join operating_unit u on u.id = j.operating_unit_id join company c on c.id = u.company_id where k.code = '331101' and j.posting_date <= ${day} group by c.code, j.currency) x
      where x.balance <> 0 and exists (select 1 from opening_balance where status = 1)
        and not coalesce((select (value #>> '{}')::boolean from setting_oms where key = 'begbal_open' and operating_unit_id is null), false)`,
    'I28 totals': sql`
      select 'order ' || coalesce(o.code, 'DRAFT-' || o.id) || ': its lines do not add up to its totals' from sales_order o join sales_order_line l on l.sales_order_id = o.id
      cross join lateral (select case when l.is_free then 0 else l.gross end as gross, case when l.is_free then 0 else l.promo_amount end as promo) paid
      group by o.id having (o.gross, o.promo) not in ((sum(paid.gross), sum(paid.promo)), (sum(l.gross), sum(l.promo_amount))) or o.discount <> sum(l.discount_amount) or o.dpp <> sum(l.dpp)
        or (o.total <> o.dpp + o.ppn and (abs(o.total - sum(l.total)) > 0.5 or not bool_or(l.tax_included))) or o.rounding <> o.total - o.ppn - (o.gross - o.discount - o.promo)`,
    'I28 steps': sql`
      select 'order line ' || l.id || ': pricing steps come to ' || coalesce(sum(d.amount), 0) || ', not ' || (l.discount_amount + l.promo_amount) from sales_order_line l
      left join sales_order_discount d on d.line_id = l.id group by l.id having coalesce(sum(d.amount), 0) <> l.discount_amount + l.promo_amount`,
  }
}

/** Was the line of a goods issue sold from a van? */
function soldFromVan(line: Sql): Sql {
  return sql`exists (select 1 from goods_issue_line vl join goods_issue vg on vg.id = vl.goods_issue_id where vl.id = ${line} and vg.canvas_request_id is not null)`
}

/** Was a document undone by a reversal journal up to the day? */
function undone(type: string, id: Sql, day: Sql): Sql {
  return sql`exists (select 1 from journal u where u.source_doc_type = ${type} and u.source_doc_id = ${id} and right(u.source_event, 4) = '_REV' and u.posting_date <= ${day})`
}

/** Who had made what was approved when it was. */
const makersAt = makersOf({ docType: sql`r.doc_type`, docId: sql`r.doc_id`, isWhole: isWholeIn('r'), requestedBy: sql`r.requested_by`, at: { moment: sql`a.at`, actor: sql`a.actor_id` } })

/** Numbers of every document that draws them from a series, and of the journals. */
const numbered = join([...Object.values(metadata.entities).filter(({ base, series }) => base === 'document' && series !== undefined).map(({ table }) => sql`select code from ${ident(table)} where code is not null`), sql`select code from journal`], ' union all ')

/** Documents that wait for their approval. */
const waiting = join(Object.values(metadata.workflows).filter(({ approval }) => approval !== undefined).map(({ entity }) => sql`select ${entity}::text as doc_type, id from ${ident(metadata.entities[entity]?.table ?? entity)} where status = 4`), ' union all ')
