import { compare, exact, fixed, money, sum } from '#base/decimal.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** Credit notes matched with invoices, and what government offices paid less what they withheld. */
export async function clearings(database: Database, clock: Clock, desk: Desk): Promise<void> {
  await matched(database, clock, desk)
  await governments(database, clock, desk)
}

/** One cleared at once, one that differs by some rupiah and waits, one in draft. */
async function matched(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const reason = await database.first<{ id: number }>(sql`select id from reason where code = 'R06'`)
  const pairs = await database.rows<{ customer_id: number; note: number; rest: string; invoice: number; open: string }>(sql`
    select distinct on (n.customer_id) n.customer_id, n.id as note, n.remaining as rest, o.id as invoice, o.remaining as open
    from credit_note n join operating_unit u on u.id = n.operating_unit_id join open_invoice o on o.customer_id = n.customer_id and o.remaining > n.remaining + 5000
    where u.code = 'JKT' and n.status in (1, 2) and n.pending_transition is null and n.remaining > 10000 and not o.dispute order by n.customer_id, n.id, o.due_date, o.id limit 3`)
  for (const [i, pair] of pairs.entries()) {
    const difference = i === 1 ? 3500 : 0
    const body: Row = {
      CustomerID: pair.customer_id, DocDate: clock.today(), Note: 'Kompensasi nota kredit', Lines: [{ InvoiceID: pair.invoice, Amount: money(exact(pair.rest).plus(difference)) }],
      ArClearingUse: [{ CreditNoteID: pair.note, Amount: pair.rest }], ...(difference === 0 ? {} : { DiffReasonID: reason?.id ?? null }),
    }
    await desk.enter('claims', 'ar_clearing', body, i < 2)
  }
}

/** One with its proofs, one whose proofs are still to come, one waiting. */
async function governments(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const bank = await database.first<{ id: number }>(sql`select b.id from house_bank b join operating_unit u on u.id = b.operating_unit_id where u.code = 'JKT' and b.is_active order by b.is_collection desc, b.id limit 1`)
  const invoices = await database.rows<{ id: number; customer_id: number; total: string; ppn: string; dpp: string; rate: string }>(sql`
    select i.id, i.customer_id, i.total, case i.ppn_collector when 'WAPU' then i.ppn else 0 end as ppn, i.dpp, case when c.pph22_rate > 0 then c.pph22_rate else 1.5 end as rate
    from invoice i join customer c on c.id = i.customer_id join customer_category k on k.id = c.customer_category_id join operating_unit u on u.id = i.operating_unit_id
    where u.code = 'JKT' and (k.is_government or c.wapu_kind <> 'NONE') and i.status = 1 and i.pending_transition is null and i.dpp > 2000000 order by i.ppn_collector desc, i.due_date, i.id limit 3`)
  for (const [i, invoice] of invoices.entries()) {
    const tax = money(fixed(exact(invoice.dpp).times(invoice.rate).div(100), 0))
    const proof = i === 0 ? { Ntpn: '1F2A5B0C7D9E4F60', PpnDocNo: `SSP-${invoice.id}`, PpnDocDate: today, PphDocNo: `BP22-${invoice.id}`, PphDocDate: today } : {}
    const paid = exact(invoice.total).minus(sum([invoice.ppn, tax]))
    if (compare(paid, '0') <= 0) continue
    const made = await desk.enter('claims', 'ar_clearing_gov', {
      CustomerID: invoice.customer_id, DocDate: today, MoneySource: 'BANK', HouseBankID: bank?.id ?? null, MoneyAmount: money(paid), ReferenceNo: `SP2D-${invoice.id}`,
      Lines: [{ InvoiceID: invoice.id, Amount: invoice.total, PpnWithheld: invoice.ppn, Pph22Withheld: tax, ...proof }],
    })
    if (i < 2) await desk.approve(['receivables'], 'ar_clearing_gov', made)
  }
}
