import { afterEach, beforeAll, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let unit: number
let bank: number
let vendors: readonly number[]
beforeAll(async () => {
  scene = await openScene()
  ;[unit, bank] = [await id('operating_unit', 'JKT'), await id('house_bank', 'BCA1')]
  const term = await id('payment_term', 'N30')
  vendors = await insertRows(scene.database, 'business_partner', ['V-1', 'V-2', 'V-3', 'V-4'].map((code) => ({ code, name: `PT ${code}`, kinds: ['VENDOR', 'PRINCIPAL'], is_pkp: true, ap_account_group: 'NON_TRADE', payment_term_id: term })))
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()
const fields = ({ data }: Record) => (data.errors ?? []).map(({ field, key }: Record) => [field, key])
let numbers = 0
async function owed(vendor: number | undefined, amount: string, DocDate = '2026-11-05'): Promise<Record> {
  const made = await scene.create('vendors', 'vendor-invoice', {
    VendorID: vendor, VendorInvoiceNo: `P-${(numbers += 1)}`, DocDate, OperatingUnitID: unit, ContractNo: 'K-1', Ppn: '0', Lines: [{ ExpenseTypeID: await id('expense_type', 'E-LISTRIK'), Qty: '1', Price: amount }],
  })
  await scene.act('vendors', 'vendor-invoice', made.ID, 'register')
  return scene.act('vendors', 'vendor-invoice', made.ID, 'submit')
}
/** Entered, submitted and approved. */
async function approved(resource: string, entity: string, body: object): Promise<Record> {
  const made = await scene.create('vendors', resource, { OperatingUnitID: unit, DocDate: today(), ...body })
  await scene.act('vendors', resource, made.ID, 'submit')
  await scene.decide(entity, made.ID)
  return scene.read(resource, made.ID)
}
const claimed = (vendor: number | undefined, Price: string) => approved('dn', 'debit_note', { Kind: 'NON_PO', VendorID: vendor, Lines: [{ Basis: 'PROMOTION', Description: 'Klaim', Price }] })
const pay = (VendorID: number | undefined, body: object) => ({ VendorID, HouseBankID: bank, ...body })
const header = () => ({ OperatingUnitID: unit, HouseBankID: bank, DocDate: today(), PayUntil: '2026-12-31' })
const derived = async (more: object = {}) => (await scene.command('vendors', 'derive-payment-proposal', { ...header(), Lines: [], ...more })).record
const proposal = (lines: readonly object[]) => scene.create('vendors', 'payment-proposal', { ...header(), Lines: lines })
async function saved(ID: number, body: object): Promise<Record> {
  const { Version } = await scene.read('payment-proposal', ID)
  expect((await scene.people.vendors.put(`/api/v1/data/payment-proposal/${ID}`, body, { key: scene.key(), version: Version })).status).toBe(200)
  return scene.read('payment-proposal', ID)
}
const remaining = async (resource: string, { ID }: Record) => (await scene.read(resource, ID)).Remaining
const made = (table: string, of: Record) => scene.rows(table, sql`proposal_id = ${of.ID}`)

let invoices: Record[]
let note: Record
let advance: Record
let large: Record
let run: Record

test('PP1: debit note and advance are set off against the oldest due first, in the form and as it is saved', async () => {
  const [v1, v2, v3] = [await owed(vendors[0], '18000000', '2026-11-03'), await owed(vendors[0], '7400000', '2026-11-04'), await owed(vendors[0], '5000000')]
  const [w1, w2] = [await owed(vendors[1], '2500000', '2026-11-06'), await owed(vendors[1], '4000000', '2026-11-05')]
  await owed(vendors[2], '900000')
  invoices = [v1, v2, v3, w1, w2]
  note = await claimed(vendors[0], '2150000')
  large = await claimed(vendors[1], '9000000')
  advance = await approved('advance-invoice', 'vendor_advance', { VendorID: vendors[0], Amount: '4000000', Ppn: '0' })
  await approved('ap-payment', 'ap_payment', pay(vendors[0], { Kind: 'ADVANCE', ApPaymentPrepayment: [{ VendorAdvanceID: advance.ID, Amount: '4000000' }] }))
  await scene.database.run(sql`update business_partner set block_payment = true where id = ${vendors[2]}`)
  const typed = await derived()
  expect(typed.Lines.map((line: Record) => [line.VendorInvoiceID, line.Amount, line.DnOffset, line.AdvanceOffset, line.Paid])).toEqual([
    [v1.ID, '18000000.00', '2150000.00', '4000000.00', '11850000.00'], [v2.ID, '7400000.00', '0.00', '0.00', '7400000.00'],
    [v3.ID, '5000000.00', '0.00', '0.00', '5000000.00'], [w2.ID, '4000000.00', '4000000.00', '0.00', '0.00'], [w1.ID, '2500000.00', '2500000.00', '0.00', '0.00'],
  ])
  const lines = typed.Lines.map((line: Record) => ({ VendorInvoiceID: line.VendorInvoiceID, Amount: line.Amount, Hold: line.VendorInvoiceID === v3.ID, DnOffset: '99' }))
  expect((await derived({ Lines: lines })).Total).toBe('19250000.00')
  run = await proposal(lines)
  expect(run).toMatchObject({ Settled: '31900000.00', Netted: '12650000.00', Total: '19250000.00' })
  expect(run.PaymentProposalOffset.map((offset: Record) => [offset.DebitNoteID ?? offset.VendorAdvanceID, offset.VendorInvoiceID, offset.Amount])).toEqual([
    [note.ID, v1.ID, '2150000.00'], [large.ID, w2.ID, '4000000.00'], [large.ID, w1.ID, '2500000.00'], [advance.ID, v1.ID, '4000000.00'],
  ])
})

test('held back, the older one leaves what is set off to the next; saved again all is as it was', async () => {
  const [v1, v2] = invoices
  const line = (of: Record) => run.Lines.find((one: Record) => one.VendorInvoiceID === of.ID)
  const turned = await saved(run.ID, { Lines: run.Lines.map((one: Record) => ({ ID: one.ID, Hold: one.ID === line(v1).ID || one.Hold })) })
  expect(turned.Lines.map((one: Record) => one.Netted)).toEqual(['0.00', '6150000.00', '0.00', '4000000.00', '2500000.00'])
  expect(turned.Lines[1].VendorInvoiceID).toBe(v2.ID)
  run = await saved(run.ID, { Lines: turned.Lines.map((one: Record) => ({ ID: one.ID, Hold: one.VendorInvoiceID === invoices[2].ID })) })
  expect(run).toMatchObject({ Netted: '12650000.00', Total: '19250000.00' })
  expect(run.PaymentProposalOffset).toHaveLength(4)
})

test('waiting it holds invoices and credits: neither is used elsewhere', async () => {
  await scene.act('vendors', 'payment-proposal', run.ID, 'submit')
  const direct = await scene.create('vendors', 'ap-payment', { OperatingUnitID: unit, DocDate: today(), ...pay(vendors[0], { Lines: [{ VendorInvoiceID: invoices[0].ID, Amount: '1' }] }) })
  expect(fields(await scene.tryAct('vendors', 'ap-payment', direct.ID, 'submit'))).toEqual([['Lines[0].Amount', 'field.EXCEEDS_REMAINING.held']])
  const back = { ReasonID: await id('reason', 'V02') }
  for (const [resource, { ID }] of [['vendor-invoice', invoices[1]], ['dn', note]] as const) expect((await scene.tryAct('vendors', resource, ID, 'request-reversal', back)).data.key).toBe('problem.ILLEGAL_TRANSITION.held')
  const later = await owed(vendors[1], '3000000', '2026-11-06')
  const applied = await scene.create('vendors', 'apply-dn', { VendorID: vendors[1], OperatingUnitID: unit, DocDate: today(), Lines: [{ DebitNoteID: large.ID, VendorInvoiceID: later.ID, Amount: '2500001' }] })
  expect(fields(await scene.tryAct('vendors', 'apply-dn', applied.ID, 'post'))).toEqual([['Lines[0].Amount', 'field.EXCEEDS_REMAINING.held']])
  const second = await proposal([{ VendorInvoiceID: later.ID, Amount: '3000000' }])
  expect(second).toMatchObject({ Netted: '2500000.00', Total: '500000.00' })
  await scene.act('vendors', 'payment-proposal', second.ID, 'cancel', { ReasonText: 'Nanti' })
})

test('approved it makes drafts of all three; with the payment the applications are booked, alone they are not', async () => {
  await scene.decide('payment_proposal', run.ID)
  const payments = await made('ap_payment', run)
  expect(payments.map(({ vendor_id: vendor, amount, settled }: Record) => [vendor, settled, amount])).toEqual([[vendors[0], '19250000.00', '19250000.00']])
  const applications = await made('dn_application', run)
  expect(applications.map(({ vendor_id: vendor, total, status }: Record) => [vendor, total, status])).toEqual([[vendors[0], '2150000.00', 0], [vendors[1], '6500000.00', 0]])
  const [applied] = await made('advance_application', run)
  expect([applied.applied, applied.status]).toEqual(['4000000.00', 0])
  expect((await scene.tryAct('vendors', 'apply-dn', applications[0].id, 'post')).code).toBe('ILLEGAL_TRANSITION')
  await scene.act('vendors', 'ap-payment', payments[0].id, 'submit')
  await scene.decide('ap_payment', payments[0].id)
  expect(await scene.journal('dn_application', applications[0].id)).toEqual(['112203 0.00 2150000.00', '211102 2150000.00 0.00'])
  expect(await scene.journal('advance_application', applied.id)).toEqual(['115101 0.00 4000000.00', '211102 4000000.00 0.00'])
  expect(await scene.journal('ap_payment', payments[0].id)).toEqual(['211102 19250000.00 0.00', '214101 0.00 19250000.00'])
  expect([await remaining('vendor-invoice', invoices[0]), await remaining('vendor-invoice', invoices[1]), await remaining('vendor-invoice', invoices[2]), await remaining('dn', note), await remaining('advance-invoice', advance)]).toEqual(['0.00', '0.00', '5000000.00', '0.00', '0.00'])
  expect((await scene.tryAct('vendors', 'payment-proposal', run.ID, 'cancel', { ReasonText: 'x' })).code).toBe('ILLEGAL_TRANSITION')
})

test('the vendor who owes more is paid nothing: 6,500,000 is applied, 2,500,000 of the claim is left', async () => {
  const [, application] = await made('dn_application', run)
  await scene.act('vendors', 'apply-dn', application.id, 'post')
  expect(await remaining('dn', large)).toBe('2500000.00')
  expect([await remaining('vendor-invoice', invoices[3]), await remaining('vendor-invoice', invoices[4])]).toEqual(['0.00', '0.00'])
})

test('all three or none: what cannot be applied stops the payment, which then is withdrawn with the rest', async () => {
  const [invoice, claim] = [await owed(vendors[3], '6000000'), await claimed(vendors[3], '1000000')]
  const one = await proposal([{ VendorInvoiceID: invoice.ID, Amount: '6000000' }])
  await scene.act('vendors', 'payment-proposal', one.ID, 'submit')
  await scene.decide('payment_proposal', one.ID)
  const [payment] = await made('ap_payment', one)
  await scene.act('vendors', 'ap-payment', payment.id, 'submit')
  await scene.database.run(sql`update debit_note set pending_transition = 'reverse' where id = ${claim.ID}`)
  await expect(scene.decide('ap_payment', payment.id)).rejects.toThrow(/PENDING_TRANSITION|VALIDATION_FAILED/)
  expect((await made('ap_payment', one)).concat(await made('dn_application', one)).map(({ status }) => status)).toEqual([4, 0])
  expect(await remaining('vendor-invoice', invoice)).toBe('6000000.00')
  await scene.database.run(sql`update debit_note set pending_transition = null where id = ${claim.ID}`)
  await scene.act('vendors', 'ap-payment', payment.id, 'recall')
  await scene.act('vendors', 'payment-proposal', one.ID, 'cancel', { ReasonText: 'Ditunda' })
  expect((await made('ap_payment', one)).concat(await made('dn_application', one)).map(({ status }) => status)).toEqual([6, 6])
  expect((await derived({ VendorID: vendors[3] })).Lines.map((line: Record) => [line.VendorInvoiceID, line.Netted])).toEqual([[invoice.ID, '1000000.00']])
})

test('a credit note of the vendor is set off as well, after debit notes, and a used one is told at its line', async () => {
  const credit = await approved('credit-note-supplier', 'supplier_credit_note', { VendorID: vendors[3], ScnNumber: 'NK-1', ScnDate: today(), Dpp: '700000', Ppn: '0' })
  const [line] = (await derived({ VendorID: vendors[3] })).Lines
  expect(line).toMatchObject({ DnOffset: '1000000.00', CreditOffset: '700000.00', Paid: '4300000.00' })
  const one = await proposal([{ VendorInvoiceID: line.VendorInvoiceID, Amount: '6000000' }])
  const other = await owed(vendors[3], '200000')
  const [{ ID: used }] = [await scene.create('vendors', 'apply-dn', { VendorID: vendors[3], OperatingUnitID: unit, DocDate: today(), Lines: [{ SupplierCreditNoteID: credit.ID, VendorInvoiceID: other.ID, Amount: '200000' }] })]
  await scene.act('vendors', 'apply-dn', used, 'post')
  expect(await scene.journal('dn_application', used)).toEqual(['211102 200000.00 200000.00'])
  expect(fields(await scene.tryAct('vendors', 'payment-proposal', one.ID, 'submit'))).toEqual([['Lines[0].CreditOffset', 'field.EXCEEDS_REMAINING.offset']])
  await scene.act('vendors', 'apply-dn', used, 'reverse', { ReasonID: await id('reason', 'V02') })
  await scene.act('vendors', 'payment-proposal', one.ID, 'submit')
  await scene.decide('payment_proposal', one.ID)
  const [payment] = await made('ap_payment', one)
  await scene.act('vendors', 'ap-payment', payment.id, 'submit')
  await scene.decide('ap_payment', payment.id)
  expect(await remaining('credit-note-supplier', credit)).toBe('0.00')
  expect(await scene.journal('ap_payment', payment.id)).toEqual(['211102 4300000.00 0.00', '214101 0.00 4300000.00'])
  const [application] = await made('dn_application', one)
  expect(await scene.journal('dn_application', application.id)).toEqual(['112203 0.00 1000000.00', '211102 1700000.00 700000.00'])
})
