import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { exchangeReceived, exchangeReturned } from '#server/receivables/exchange.ts'
import type { Desk } from './desk.ts'

/** Invoices handed over to supermarkets and what they gave for them: one list back, one out, one being written; receipts taken in, waiting and refused in part. */
export async function exchanges(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const buyers = await database.rows<{ customer_id: number; collector_id: number | null; invoices: number[] }>(sql`
    select d.customer_id, c.collector_id, (array_agg(d.id order by d.doc_date, d.id))[1:3] as invoices from exchange_due d join customer c on c.id = d.customer_id join operating_unit u on u.id = d.operating_unit_id
    where u.code = 'JKT' group by d.customer_id, c.collector_id having count(*) >= 2 order by count(*) desc, d.customer_id limit 4`)
  const refusal = await database.first<{ id: number }>(sql`select id from reason where usage = 'REJECT' and is_active order by id limit 1`)
  for (const [i, { customer_id: customer, collector_id: collector, invoices }] of buyers.entries()) {
    const made = await desk.enter('claims', 'invoice_exchange', { CustomerID: customer, DocDate: today, ExchangeDate: today, CollectorID: collector, Lines: invoices.map((InvoiceID) => ({ InvoiceID })) }, false)
    if (i === 3) continue
    await desk.act('claims', 'invoice_exchange', made, 'hand-over')
    if (i === 2) continue
    const lines = (await database.rows<{ id: number }>(sql`select id from invoice_exchange_line where invoice_exchange_id = ${made} order by line_no`)).map(({ id }) => id)
    await desk.command('claims', exchangeReceived, lines.slice(0, -1))
    await desk.command('claims', exchangeReturned, lines.slice(-1))
    const given = await desk.enter('claims', 'customer_invoice_exchange', {
      CustomerID: customer, TtfNumber: `TTF/${today.slice(0, 4)}/${customer}`, TtfDate: today, DocDate: today,
      Lines: invoices.slice(0, -1).map((InvoiceID, at) => ({ InvoiceID, Accepted: at === 0, RefuseReasonID: at === 0 ? null : (refusal?.id ?? null) })),
    })
    if (i === 0) await desk.approve(['receivables'], 'customer_invoice_exchange', given)
  }
}
