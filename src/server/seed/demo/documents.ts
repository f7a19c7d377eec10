import { compare } from '#base/decimal.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { billingRuns } from './billingRuns.ts'
import { bankLinesOfToday } from './bankLines.ts'
import { clearings } from './clearings.ts'
import { creditNotes } from './creditNotes.ts'
import { debitNotes } from './debitNotes.ts'
import { consignment } from './consignment.ts'
import { creditRequests } from './creditRequests.ts'
import { contracts } from './contracts.ts'
import { Desk } from './desk.ts'
import { collectionPapersBack, collectionResult } from '#server/receivables/collection.ts'
import { exchanges } from './exchanges.ts'
import { goodsReturns } from './goodsReturns.ts'
import { payables } from './payables.ts'
import { netProposals } from './proposals.ts'
import { purchases } from './purchases.ts'
import { gifts } from './gifts.ts'
import { promotionBudgets } from './budgets.ts'
import { plannedPromotions } from './plannedPromotions.ts'
import { shipmentCosts } from './shipmentCosts.ts'
import { containers } from './containers.ts'
import { reservations } from './kept.ts'
import { kits } from './kits.ts'
import { salesReturns } from './salesReturns.ts'
import { stockDocuments } from './stockDocuments.ts'
import { vans } from './vans.ts'
import { cashOnDelivery } from './fieldCash.ts'
import { proofsOfDelivery } from './proofs.ts'
import { otherCurrencies } from './otherCurrencies.ts'
import { scannedInvoices } from './scans.ts'
import { undoing } from './undoing.ts'
import { vendorAdvances } from './vendorAdvances.ts'
import { customerVisits } from './visits.ts'

/** What the people of the demo company do today, after its 18 months of trade. */
export async function workToday(database: Database, clock: Clock, log: (line: string) => void): Promise<void> {
  const desk = new Desk(database, clock, log)
  await writeOffs(database, clock, desk)
  await deposits(database, clock, desk)
  await clearings(database, clock, desk)
  await billingRuns(database, clock, desk)
  await creditNotes(database, clock, desk)
  await exchanges(database, clock, desk)
  await closings(database, clock, desk)
  await collections(database, clock, desk)
  await creditRequests(database, clock, desk)
  await bankDeposits(database, clock, desk)
  await cashEntries(database, clock, desk)
  await purchases(database, clock, desk)
  await payables(database, clock, desk)
  await debitNotes(database, clock, desk)
  await vendorAdvances(database, clock, desk)
  await netProposals(database, clock, desk)
  await stockDocuments(database, clock, desk)
  await shipmentCosts(database, clock, desk)
  await kits(database, clock, desk)
  await consignment(database, clock, desk)
  await vans(database, clock, desk)
  await gifts(database, clock, desk)
  await promotionBudgets(database, clock, desk)
  await plannedPromotions(database, clock, desk)
  await reservations(database, clock, desk)
  await contracts(database, clock, desk)
  await containers(database, desk)
  await cashOnDelivery(database, clock, desk)
  await proofsOfDelivery(database, clock, desk)
  await goodsReturns(database, clock, desk)
  await salesReturns(database, clock, desk)
  await scannedInvoices(database, clock, desk)
  await bankLinesOfToday(database, clock, desk)
  await customerVisits(database, clock, desk)
  await undoing(database, clock, desk)
  await otherCurrencies(database, clock, desk)
}

/** What the cashier of Jakarta carries to the bank: slips approved, waiting and in draft. */
async function bankDeposits(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const [bank] = await database.rows<{ id: number }>(sql`select b.id from house_bank b join operating_unit u on u.id = b.operating_unit_id where u.code = 'JKT' and b.is_active order by b.id limit 1`)
  const payments = await database.rows<{ id: number; remaining: string }>(sql`
    select p.id, p.remaining from undeposited_payment p join operating_unit u on u.id = p.operating_unit_id where u.code = 'JKT'
      and p.id not in (select r.id from ar_payment r join collection_list c on c.id = r.collection_list_id where c.status = 8) order by p.payment_date desc, p.id desc limit 24`)
  for (let i = 0; i * 8 < payments.length && i < 3; i++) {
    const Lines = payments.slice(i * 8, i * 8 + 8).map((payment) => ({ ArPaymentID: payment.id, Amount: payment.remaining }))
    const made = await desk.enter('cashier', 'cash_deposit', { HouseBankID: bank?.id, DocDate: clock.today(), SlipNo: `STR-${clock.today().replaceAll('-', '')}-${i + 1}`, Note: 'Setoran kas harian', Lines }, i < 2)
    if (i === 0) await desk.approve(['receivables'], 'cash_deposit', made)
  }
  const [elsewhere] = await database.rows<{ id: number; remaining: string; bank: number }>(sql`
    select p.id, p.remaining, (select min(b.id) from house_bank b where b.operating_unit_id = p.operating_unit_id and b.is_active) as bank
    from undeposited_payment p join operating_unit u on u.id = p.operating_unit_id where u.code <> 'JKT' order by p.payment_date desc, p.id desc limit 1`)
  if (elsewhere !== undefined) {
    const made = await desk.enter('admin', 'cash_deposit', { HouseBankID: elsewhere.bank, DocDate: clock.today(), SlipNo: 'STR-CABANG-1', Lines: [{ ArPaymentID: elsewhere.id, Amount: elsewhere.remaining }] })
    await desk.approve(['receivables'], 'cash_deposit', made)
  }
}

/** Small money of the till and the bank: paid out, moved, corrected by hand, waiting and in draft. */
async function cashEntries(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const id = async (query: ReturnType<typeof sql>): Promise<number | undefined> => (await database.first<{ id: number }>(query))?.id
  const account = (code: string): Promise<number | undefined> => id(sql`select id from account where code = ${code}`)
  const till = await id(sql`select c.id from cash_account c join operating_unit u on u.id = c.operating_unit_id where u.code = 'JKT' and c.kind = 'CASHIER' order by c.id limit 1`)
  const bank = await id(sql`select b.id from house_bank b join operating_unit u on u.id = b.operating_unit_id where u.code = 'JKT' and b.is_active order by b.id limit 1`)
  const [expense, charges, income] = [await account('615101'), await account('613103'), await account('421101')]
  const head = { DocDate: clock.today() }
  const entries = [
    { body: { Kind: 'DISBURSEMENT', FromCashAccountID: till, ReferenceNo: 'BKK-118', Note: 'Alat tulis kantor', Lines: [{ AccountID: expense, Amount: '385000', Memo: 'Kertas dan tinta' }] }, submit: true, approve: true },
    { body: { Kind: 'PETTY_REFILL', FromHouseBankID: bank, ToCashAccountID: till, Amount: '2000000', ReferenceNo: 'CEK-0451', Note: 'Pengisian kas' }, submit: true, approve: true },
    { body: { Kind: 'DISBURSEMENT', FromHouseBankID: bank, ReferenceNo: 'PLN-0326', Note: 'Listrik gudang', Lines: [{ AccountID: expense, Amount: '4750000', Memo: 'Rekening listrik' }] }, submit: true, approve: false },
    { body: { Kind: 'RECEIPT', ToCashAccountID: till, Note: 'Penjualan kardus bekas', Lines: [{ AccountID: income, Amount: '240000', Memo: 'Kardus bekas' }] }, submit: false, approve: false },
    { body: { Kind: 'MANUAL', FromHouseBankID: bank, ReferenceNo: 'ADM-BANK', Note: 'Biaya transfer', Lines: [{ AccountID: charges, Debit: '35000', Memo: 'Biaya RTGS' }] }, submit: true, approve: true },
    { body: { Kind: 'MANUAL', FromHouseBankID: bank, Note: 'Biaya buku cek', Lines: [{ AccountID: charges, Debit: '125000', Memo: 'Buku cek' }] }, submit: false, approve: false },
  ]
  for (const { body, submit, approve } of entries) {
    const made = await desk.enter('cashier', 'cash_bank_document', { ...head, ...body }, submit)
    if (approve) await desk.approve(['finance'], 'cash_bank_document', made)
  }
}

/** Small rests nobody has touched for long: one written off, one waiting, one in draft. */
async function writeOffs(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const [parameter] = await database.rows<{ id: number }>(sql`select id from write_off_parameter where code = 'WO-SISA'`)
  const rests = await database.rows<{ customer_id: number; id: number; remaining: string }>(sql`
    select distinct on (o.customer_id) o.customer_id, o.id, least(o.remaining, 250000) as remaining from open_invoice o join operating_unit u on u.id = o.operating_unit_id
    where u.code = 'JKT' and o.due_date <= ${today}::date - 30 and not o.dispute order by o.customer_id, o.due_date limit 3`)
  for (const [i, rest] of rests.entries()) {
    const body = { CustomerID: rest.customer_id, ParameterID: parameter?.id, CutoffDate: today, DocDate: today, Note: 'Selisih lama, sudah ditagih', Lines: [{ InvoiceID: rest.id, Amount: rest.remaining }] }
    const made = await desk.enter('claims', 'write_off', body, i < 2)
    if (i === 0) await desk.approve(['receivables', 'finance'], 'write_off', made)
  }
}

/** Of what customers have paid ahead: one deposit applied to invoices, one applied in part and waiting to be paid back for the rest, one handed to another shop. */
async function deposits(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const [bank] = await database.rows<{ id: number }>(sql`select h.id from house_bank h join operating_unit u on u.id = h.operating_unit_id where u.code = 'JKT' order by h.id limit 1`)
  const owners = await database.rows<{ customer_id: number; invoice_id: number; remaining: string }>(sql`
    select distinct on (o.customer_id) o.customer_id, o.id as invoice_id, o.remaining from open_invoice o join operating_unit u on u.id = o.operating_unit_id
    where u.code = 'JKT' and o.remaining between 1000000 and 9000000 and not exists (select 1 from open_invoice x where x.customer_id = o.customer_id and x.due_date < ${today}::date)
    order by o.customer_id desc, o.due_date limit 3`)
  const ids: number[] = []
  for (const [i, owner] of owners.entries()) {
    const made = await desk.enter('claims', 'customer_deposit', { CustomerID: owner.customer_id, Kind: i === 1 ? 'UANG_MUKA' : 'TITIPAN', Method: 'TRANSFER', HouseBankID: bank?.id, DocDate: today, Amount: '5000000', ReferenceNo: `TRF-${i + 1}` })
    await desk.approve(['receivables'], 'customer_deposit', made)
    ids.push(made)
  }
  const [first, second, third] = owners
  if (first === undefined || second === undefined || third === undefined) return
  const settle = (at: number, body: object): Promise<number> => desk.enter('claims', 'customer_deposit_settlement', { CustomerDepositID: ids[at], DocDate: today, ...body })
  const applied = await settle(0, { Kind: 'APPLY', Lines: [{ InvoiceID: first.invoice_id, Amount: least(first.remaining, '5000000') }] })
  await desk.approve(['receivables'], 'customer_deposit_settlement', applied)
  const part = await settle(1, { Kind: 'APPLY', Lines: [{ InvoiceID: second.invoice_id, Amount: '1000000' }] })
  await desk.approve(['receivables'], 'customer_deposit_settlement', part)
  await settle(1, { Kind: 'REFUND', Refund: '1500000', HouseBankID: bank?.id, PayeeAccount: 'BCA 5270 118 203', Note: 'Diminta kembali oleh toko', Lines: [] })
  const moved = await desk.enter('claims', 'customer_deposit_transfer', { CustomerDepositID: ids[2], ToCustomerID: first.customer_id, DocDate: today, Amount: '2000000', Note: 'Toko satu pemilik' })
  await desk.approve(['receivables'], 'customer_deposit_transfer', moved)
}

function least(one: string, other: string): string {
  return compare(one, other) < 0 ? one : other
}

/** Small rests of partly paid invoices: one closed, one waiting for a decision. */
async function closings(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const reason = await database.first<{ id: number }>(sql`select id from reason where code = 'W02'`)
  const bank = await database.first<{ id: number }>(sql`select b.id from house_bank b join operating_unit u on u.id = b.operating_unit_id where u.code = 'JKT' and b.is_active order by b.id limit 1`)
  const later = await database.first<{ id: number }>(sql`select id from reason where code = 'R01'`)
  const open = await database.rows<{ id: number; customer_id: number; rest: string }>(sql`
    select distinct on (i.customer_id) i.id, i.customer_id, i.remaining - 5000 as rest from invoice i join operating_unit u on u.id = i.operating_unit_id
    where u.code = 'JKT' and i.status = 1 and i.pending_transition is null and i.currency = 'IDR' and i.remaining > 100000 and i.posting_date < ${today}::date and not exists (select 1 from open_invoice o where o.id = i.id and o.dispute)
    order by i.customer_id desc, i.remaining limit 2`)
  for (const [i, invoice] of open.entries()) {
    await desk.enter('cashier', 'ar_payment', {
      CustomerID: invoice.customer_id, PaymentDate: today, DocDate: today, Method: 'TRANSFER', HouseBankID: bank?.id, Amount: invoice.rest, ReferenceNo: `TRF-KURANG-${i + 1}`,
      Lines: [{ InvoiceID: invoice.id, Paid: invoice.rest, ReasonID: later?.id, Credits: [], Deductions: [] }],
    }, false).then((made) => desk.act('cashier', 'ar_payment', made, 'post'))
    const made = await desk.enter('claims', 'invoice_close_request', { InvoiceID: invoice.id, DocDate: today, ReasonID: reason?.id, ReasonText: 'Kurang transfer karena biaya bank' })
    if (i === 0) await desk.approve(['receivables'], 'invoice_close_request', made)
  }
}

/** Lists collectors go out with: one closed with what was brought, one out with what has been paid so far, one being written. */
async function collections(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const due = await database.rows<{ collector: number; invoices: number[] }>(sql`
    select d.collector_id as collector, (array_agg(d.id order by d.due_date, d.id))[1:9] as invoices from collection_due d join operating_unit u on u.id = d.operating_unit_id join employee e on e.id = d.collector_id
    where u.code = 'JKT' and e.operating_unit_id = u.id and d.due_date <= ${today}::date and d.currency = 'IDR' group by 1 having count(*) >= 9 order by 1 limit 1`)
  for (const { collector, invoices } of due) {
    for (const i of [0, 1, 2]) {
      const made = await desk.enter('claims', 'collection_list', { CollectorID: collector, ListDate: today, DocDate: today, Lines: invoices.slice(i * 3, i * 3 + 3).map((InvoiceID) => ({ InvoiceID })) }, false)
      if (i === 2) continue
      await desk.act('claims', 'collection_list', made, 'release')
      await desk.act('claims', 'collection_list', made, 'hand-out')
      const lines = await database.rows<{ id: number; invoice_id: number; customer_id: number; remaining: string }>(sql`select id, invoice_id, customer_id, remaining from collection_list_row where collection_list_id = ${made} order by line_no`)
      const [paid] = lines
      if (paid === undefined) continue
      const receipt = await desk.enter('cashier', 'ar_payment', {
        CustomerID: paid.customer_id, PaymentDate: today, DocDate: today, Method: 'CIT', Amount: paid.remaining, Lines: [{ InvoiceID: paid.invoice_id, Paid: paid.remaining, Credits: [], Deductions: [] }],
      }, false)
      await desk.act('cashier', 'ar_payment', receipt, 'post')
      if (i === 1) continue
      const rest = lines.slice(1).map(({ id }) => id)
      await desk.command('claims', collectionResult, rest, { Result: 'NOT_MET' })
      await desk.command('claims', collectionPapersBack, rest)
      await desk.act('claims', 'collection_list', made, 'close')
    }
  }
}
