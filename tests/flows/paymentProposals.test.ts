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
  vendors = await insertRows(scene.database, 'business_partner', ['V-1', 'V-2', 'V-3'].map((code) => ({ code, name: `PT ${code}`, kinds: ['VENDOR'], is_pkp: true, ap_account_group: 'NON_TRADE', payment_term_id: term })))
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
let numbers = 0
async function owed(vendor: number | undefined, amount: string, more: object = {}): Promise<Record> {
  const made = await scene.create('vendors', 'vendor-invoice', {
    VendorID: vendor, VendorInvoiceNo: `P-${(numbers += 1)}`, DocDate: '2026-11-05', OperatingUnitID: unit, ContractNo: 'K-1', Ppn: '0', Lines: [{ ExpenseTypeID: await id('expense_type', 'E-LISTRIK'), Qty: '1', Price: amount }], ...more,
  })
  await scene.act('vendors', 'vendor-invoice', made.ID, 'register')
  return scene.act('vendors', 'vendor-invoice', made.ID, 'submit')
}
const header = () => ({ OperatingUnitID: unit, HouseBankID: bank, DocDate: scene.at.clock.today(), PayUntil: '2026-12-31' })
const proposed = async (more: object = {}) => (await scene.command('vendors', 'derive-payment-proposal', { ...header(), Lines: [], ...more })).record.Lines
const proposal = (lines: readonly object[]) => scene.create('vendors', 'payment-proposal', { ...header(), Lines: lines })
const remaining = async (invoice: Record) => (await scene.read('vendor-invoice', invoice.ID)).Remaining

let v1: Record
let v2: Record
let v3: Record
let w: Record
let made: Record

test('PP1: what is due of vendors that may be paid is proposed; what is held back counts nothing', async () => {
  ;[v1, v2, v3, w] = [await owed(vendors[0], '18000000'), await owed(vendors[0], '7400000'), await owed(vendors[0], '5000000'), await owed(vendors[1], '6500000')]
  await owed(vendors[2], '900000')
  await scene.database.run(sql`update business_partner set block_payment = true where id = ${vendors[2]}`)
  const lines = await proposed()
  expect(lines.map(({ VendorInvoiceID, Amount }: Record) => [VendorInvoiceID, Amount])).toEqual([[v1.ID, '18000000.00'], [v2.ID, '7400000.00'], [v3.ID, '5000000.00'], [w.ID, '6500000.00']])
  expect((await proposed({ VendorID: vendors[1] })).map(({ VendorInvoiceID }: Record) => VendorInvoiceID)).toEqual([w.ID])
  expect(await proposed({ PayUntil: '2026-12-04' })).toEqual([])
  made = await proposal(lines.map((line: Record) => ({ VendorInvoiceID: line.VendorInvoiceID, Amount: line.Amount, Hold: line.VendorInvoiceID === v3.ID })))
  expect(made).toMatchObject({ Total: '31900000.00', Lines: [{ Paid: '18000000.00' }, { Paid: '7400000.00' }, { Hold: true, Paid: '0.00' }, { Paid: '6500000.00' }] })
})

test('an invoice is in one open proposal only, and never for more than is left of it', async () => {
  expect((await proposed()).map(({ VendorInvoiceID }: Record) => VendorInvoiceID)).toEqual([v3.ID])
  await scene.act('vendors', 'payment-proposal', made.ID, 'submit')
  const second = await proposal([{ VendorInvoiceID: v1.ID, Amount: '1' }, { VendorInvoiceID: v3.ID, Amount: '5000001' }])
  const refused = await scene.tryAct('vendors', 'payment-proposal', second.ID, 'submit')
  expect(refused.data.errors.map(({ field, key }: Record) => [field, key])).toEqual([['Lines[0].VendorInvoiceID', 'field.DUPLICATE.proposal'], ['Lines[1].Amount', 'field.EXCEEDS_REMAINING.most']])
  await scene.act('vendors', 'payment-proposal', second.ID, 'cancel', { ReasonText: 'Ganda' })
})

test('approved it makes one payment a vendor, none for what is held; each is approved and booked', async () => {
  await scene.decide('payment_proposal', made.ID)
  const payments = await scene.rows('ap_payment', sql`proposal_id = ${made.ID}`)
  expect(payments.map(({ vendor_id: vendor, amount, status }: Record) => [vendor, amount, status])).toEqual([[vendors[0], '25400000.00', 0], [vendors[1], '6500000.00', 0]])
  expect((await proposed()).map(({ VendorInvoiceID }: Record) => VendorInvoiceID)).toEqual([v3.ID])
  await scene.act('vendors', 'ap-payment', payments[0].id, 'submit')
  await scene.decide('ap_payment', payments[0].id)
  expect(await scene.journal('ap_payment', payments[0].id)).toEqual(['211102 25400000.00 0.00', '214101 0.00 25400000.00'])
  expect([await remaining(v1), await remaining(v2), await remaining(v3), await remaining(w)]).toEqual(['0.00', '0.00', '5000000.00', '6500000.00'])
  expect((await scene.tryAct('vendors', 'payment-proposal', made.ID, 'cancel', { ReasonText: 'x' })).code).toBe('ILLEGAL_TRANSITION')
})

test('cancelled before anything is paid its payments go with it, and the invoice may be proposed again', async () => {
  const next = await proposal([{ VendorInvoiceID: v3.ID, Amount: '2000000' }])
  await scene.act('vendors', 'payment-proposal', next.ID, 'submit')
  await scene.decide('payment_proposal', next.ID)
  await scene.act('vendors', 'payment-proposal', next.ID, 'cancel', { ReasonText: 'Ditunda' })
  expect((await scene.rows('ap_payment', sql`proposal_id = ${next.ID}`)).map(({ status }: Record) => status)).toEqual([6])
  expect((await proposed()).map(({ VendorInvoiceID }: Record) => VendorInvoiceID)).toEqual([v3.ID])
})

test('VAT without a tax invoice is warned of', async () => {
  const bare = await owed(vendors[1], '1000000', { Ppn: '110000', Lines: [{ ExpenseTypeID: await id('expense_type', 'E-JASA'), Qty: '1', Price: '1000000' }] })
  const one = await proposal([{ VendorInvoiceID: bare.ID, Amount: '1090000' }])
  const warned = await scene.tryAct('vendors', 'payment-proposal', one.ID, 'submit')
  expect(warned.data.warnings.map((warning: Record) => warning.id)).toEqual(['NO_TAX_INVOICE'])
  await scene.act('vendors', 'payment-proposal', one.ID, 'submit', {}, { acknowledge: ['NO_TAX_INVOICE'] })
})
