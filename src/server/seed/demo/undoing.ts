import type { EntityId } from '#generated/names.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** What was booked by mistake and somebody wants back today: each waits for whoever decides, one write-off has been taken back. */
export async function undoing(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const DocDate = clock.today()
  const reason = await database.first<{ id: number }>(sql`select id from reason where code = 'V02'`)
  const unit = sql`join operating_unit u on u.id = o.operating_unit_id where u.code = 'JKT'`
  const bank = await database.first<{ id: number }>(sql`select o.id from house_bank o ${unit} and o.is_active order by o.id limit 1`)
  const takeBack = (id: EntityId, made: number): Promise<void> => desk.act('claims', id, made, 'request-reversal', { ReasonID: reason?.id ?? null })
  const booked = async (account: string, id: EntityId, body: Row, approvers: readonly string[]): Promise<number> => {
    const made = await desk.enter(account, id, { DocDate, ...body })
    await desk.approve(approvers, id, made)
    return made
  }
  // The first three were written off, or wait for it, already.
  const rests = await database.rows<{ customer_id: number; id: number; remaining: string }>(sql`
    select distinct on (o.customer_id) o.customer_id, o.id, least(o.remaining, 250000) as remaining from open_invoice o ${unit} and o.due_date <= ${DocDate}::date - 30 and not o.dispute
      and o.customer_id not in (select customer_id from write_off) order by o.customer_id, o.due_date limit 2`)
  const parameter = await database.first<{ id: number }>(sql`select id from write_off_parameter where code = 'WO-SISA'`)
  for (const [i, rest] of rests.entries()) {
    const made = await booked('claims', 'write_off', { CustomerID: rest.customer_id, ParameterID: parameter?.id, CutoffDate: DocDate, Note: 'Toko ternyata membayar', Lines: [{ InvoiceID: rest.id, Amount: rest.remaining }] }, ['receivables', 'finance'])
    await takeBack('write_off', made)
    if (i === 0) await desk.approve(['finance'], 'write_off', made)
  }
  const owners = await database.rows<{ customer_id: number; invoice_id: number }>(sql`
    select distinct on (o.customer_id) o.customer_id, o.id as invoice_id from open_invoice o ${unit} and o.remaining between 1000000 and 9000000
      and o.customer_id not in (select customer_id from customer_deposit) and not exists (select 1 from open_invoice x where x.customer_id = o.customer_id and x.due_date < ${DocDate}::date)
    order by o.customer_id desc, o.due_date limit 3`)
  const [wrong, applied, moved] = owners
  if (wrong === undefined || applied === undefined || moved === undefined) return
  const deposit = (customer: number, ReferenceNo: string): Promise<number> =>
    booked('claims', 'customer_deposit', { CustomerID: customer, Kind: 'TITIPAN', Method: 'TRANSFER', HouseBankID: bank?.id, Amount: '1500000', ReferenceNo, Note: 'Titipan toko' }, ['receivables'])
  await takeBack('customer_deposit', await deposit(wrong.customer_id, 'TRF-SALAH'))
  const used = await deposit(applied.customer_id, 'TRF-21')
  const settled = await booked('claims', 'customer_deposit_settlement', { CustomerDepositID: used, Kind: 'APPLY', Note: 'Faktur yang salah', Lines: [{ InvoiceID: applied.invoice_id, Amount: '500000' }] }, ['receivables'])
  await takeBack('customer_deposit_settlement', settled)
  const given = await deposit(moved.customer_id, 'TRF-22')
  await takeBack('customer_deposit_transfer', await booked('claims', 'customer_deposit_transfer', { CustomerDepositID: given, ToCustomerID: wrong.customer_id, Amount: '400000', Note: 'Toko yang salah' }, ['receivables']))
  const expense = await database.first<{ id: number }>(sql`select id from account where code = '615101'`)
  const entry = { Kind: 'DISBURSEMENT', FromHouseBankID: bank?.id, ReferenceNo: 'BKK-131', Note: 'Tercatat dua kali', Lines: [{ AccountID: expense?.id, Amount: '145000', Memo: 'Materai' }] }
  await takeBack('cash_bank_document', await booked('cashier', 'cash_bank_document', entry, ['finance']))
  const slip = await database.first<{ id: number }>(sql`select o.id from cash_deposit o join operating_unit u on u.id = o.operating_unit_id where u.code <> 'JKT' and o.status = 1 order by o.id desc limit 1`)
  if (slip !== undefined) await takeBack('cash_deposit', slip.id)
}
