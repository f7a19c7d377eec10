import { afterEach, beforeAll, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let bank: number
let vendor: number | undefined
beforeAll(async () => {
  scene = await openScene()
  bank = await id('house_bank', 'BCA1')
  const term = await id('payment_term', 'N30')
  ;[vendor] = await insertRows(scene.database, 'business_partner', [{ code: 'V-1', name: 'PT V-1', kinds: ['VENDOR'], is_pkp: true, ap_account_group: 'NON_TRADE', payment_term_id: term }])
})
afterEach(async () => expect(await violations(scene.database, today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()
let numbers = 0
/** A vendor's invoice over so much, and its payment, posted. */
async function paid(amount: string, more: object = {}): Promise<{ readonly payment: Record; readonly invoice: Record }> {
  const invoice = await scene.create('vendors', 'vendor-invoice', {
    VendorID: vendor, VendorInvoiceNo: `P-${(numbers += 1)}`, DocDate: today(), OperatingUnitID: await id('operating_unit', 'JKT'), ContractNo: 'K-1', Ppn: '0', Lines: [{ ExpenseTypeID: await id('expense_type', 'E-LISTRIK'), Qty: '1', Price: amount }],
  })
  await scene.act('vendors', 'vendor-invoice', invoice.ID, 'register')
  await scene.act('vendors', 'vendor-invoice', invoice.ID, 'submit')
  const payment = await scene.create('vendors', 'ap-payment', {
    VendorID: vendor, OperatingUnitID: await id('operating_unit', 'JKT'), HouseBankID: bank, DocDate: today(), Lines: [{ VendorInvoiceID: invoice.ID, Amount: amount }], ...more,
  })
  await scene.act('vendors', 'ap-payment', payment.ID, 'submit')
  await scene.decide('ap_payment', payment.ID)
  return { payment, invoice }
}

interface Move {
  readonly Description: string
  readonly Debit?: string
  readonly Credit?: string
  readonly ApPaymentID?: number
  readonly SupplierReceiptID?: number
}
let opening = 0
function statement(moves: readonly Move[]): Promise<Record> {
  return scene.create('cashier', 'bank-statement', { ...body(moves), StatementNo: `S-${(numbers += 1)}` })
}
function body(moves: readonly Move[]): object {
  const close = moves.reduce((sum, { Credit = '0', Debit = '0' }) => sum + Number(Credit) - Number(Debit), opening)
  return { HouseBankID: bank, DocDate: today(), OpeningBalance: String(opening), ClosingBalance: String(close), Lines: moves.map((move) => ({ ValueDate: today(), ...move })) }
}
async function post(made: Record): Promise<void> {
  await scene.act('cashier', 'bank-statement', made.ID, 'submit')
  await scene.decide('bank_statement', made.ID)
  opening = Number((await scene.read('bank-statement', made.ID)).ClosingBalance)
}
async function undo(made: Record): Promise<Record> {
  const answer = await scene.tryAct('admin', 'bank-statement', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
  if (answer.code === 'success') opening = Number(made.OpeningBalance)
  return answer
}
const journals = async (made: Record, line = 0) => scene.journal('bank_statement_line', (await scene.read('bank-statement', made.ID)).Lines[line].ID)
const payment = (of: Record) => scene.read('ap-payment', of.ID)
const suggested = async (moves: readonly Move[]) => (await scene.command('cashier', 'match-statement', body(moves))).record.Lines.map(({ MatchType, ApPaymentID }: Record) => [MatchType, ApPaymentID])
const askBack = async (of: Record) => scene.tryAct('vendors', 'ap-payment', of.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })

let one: { readonly payment: Record; readonly invoice: Record }
let out: Record
let back: Record

beforeAll(async () => {
  // Money to pay from.
  await post(await statement([{ Description: 'SETORAN', Credit: '50000000' }].map((move) => ({ ...move, MatchType: 'UNIDENTIFIED' }))))
})

test('what goes out is suggested by its reference or the number of the payment, the same amount alone is not', async () => {
  one = await paid('4000000', { BankFee: '6500', ReferenceNo: 'TRF-AP-0311' })
  const two = await paid('2500000')
  const { Code } = await payment(two.payment)
  expect(await suggested([
    { Description: 'TRSF DB TRF-AP-0311', Debit: '4006500' }, { Description: `TRSF DB ${Code}`, Debit: '2500000' }, { Description: `RETUR ${Code}`, Credit: '2500000' }, { Description: 'TRSF DB TRF-AP-0311', Debit: '4000000' },
  ])).toEqual([['AP_PAYMENT', one.payment.ID], ['AP_PAYMENT', two.payment.ID], [undefined, undefined], [undefined, undefined]])
  expect(await suggested([{ Description: 'TRSF DB', Debit: '4006500' }])).toEqual([[undefined, undefined]])
})

test('the statement books it out of the money on its way, and the payment is reconciled; undone it is on its way again', async () => {
  expect(await scene.balance('214101')).toBe('-6506500.00')
  out = await statement([{ Description: 'TRSF DB TRF-AP-0311', Debit: '4006500', ApPaymentID: one.payment.ID }])
  expect((await scene.read('bank-statement', out.ID)).Lines[0]).toMatchObject({ MatchType: 'AP_PAYMENT' })
  await post(out)
  expect(await journals(out)).toEqual(['111201 0.00 4006500.00', '214101 4006500.00 0.00'])
  expect(await payment(one.payment)).toMatchObject({ Status: 3 })
  expect(await scene.balance('214101')).toBe('-2500000.00')
  expect(await undo(out)).toMatchObject({ code: 'success' })
  expect(await payment(one.payment)).toMatchObject({ Status: 1, StatementLineID: null })
  expect(await scene.balance('214101')).toBe('-6506500.00')
})

test('another amount, what has not been paid, and the same payment twice are refused', async () => {
  const wrong = await statement([{ Description: 'TRSF DB', Debit: '4000000', ApPaymentID: one.payment.ID }])
  await scene.act('cashier', 'bank-statement', wrong.ID, 'submit')
  await expect(scene.decide('bank_statement', wrong.ID)).rejects.toThrow('VALIDATION_FAILED')
  await scene.decide('bank_statement', wrong.ID, 'reject')
  const early = await statement([{ Description: 'RETUR', Credit: '4006500', ApPaymentID: one.payment.ID }])
  await scene.act('cashier', 'bank-statement', early.ID, 'submit')
  await expect(scene.decide('bank_statement', early.ID)).rejects.toThrow('ILLEGAL_TRANSITION')
  await scene.decide('bank_statement', early.ID, 'reject')
  const twice = await scene.people.cashier.post('/api/v1/data/bank-statement', { ...body([0, 1].map(() => ({ Description: 'TRSF DB', Debit: '4006500', ApPaymentID: one.payment.ID }))), StatementNo: 'S-TWICE' }, { key: scene.key() })
  expect(twice.data.errors.map(({ field, key }: Record) => [field, key])).toEqual([['Lines[1].ApPaymentID', 'field.DUPLICATE.statement-line']])
})

test('what the bank paid is not taken back, unless a statement shows that it returned it', async () => {
  out = await statement([{ Description: 'TRSF DB TRF-AP-0311', Debit: '4006500', ApPaymentID: one.payment.ID }])
  await post(out)
  expect((await askBack(one.payment)).data.errors.map(({ key }: Record) => key)).toEqual(['rule.not-paid-by-the-bank'])
  expect(await suggested([{ Description: 'RETUR TRF-AP-0311 REK TUTUP', Credit: '4006500' }])).toEqual([['AP_PAYMENT', one.payment.ID]])
  back = await statement([{ Description: 'RETUR TRF-AP-0311 REK TUTUP', Credit: '4006500', ApPaymentID: one.payment.ID }])
  await post(back)
  expect(await journals(back)).toEqual(['111201 4006500.00 0.00', '214101 0.00 4006500.00'])
  expect(await payment(one.payment)).toMatchObject({ Status: 3 })
  expect(await scene.balance('214101')).toBe('-6506500.00')
})

test('the statement of the return can be undone until the payment is taken back', async () => {
  expect(await undo(back)).toMatchObject({ code: 'success' })
  expect(await payment(one.payment)).toMatchObject({ Status: 3, ReturnLineID: null })
  expect((await askBack(one.payment)).code).toBe('VALIDATION_FAILED')
  back = await statement([{ Description: 'RETUR TRF-AP-0311', Credit: '4006500', ApPaymentID: one.payment.ID }])
  await post(back)
})

test('taken back it mirrors the payment and the invoice is open again; the statements stay', async () => {
  expect((await askBack(one.payment)).code).toBe('success')
  expect((await undo(back)).code).toBe('ILLEGAL_TRANSITION')
  await scene.decide('ap_payment', one.payment.ID)
  expect(await payment(one.payment)).toMatchObject({ Status: 7 })
  expect(await scene.journal('ap_payment', one.payment.ID)).toEqual(['211102 4000000.00 0.00', '214101 0.00 4006500.00', '613103 6500.00 0.00', '211102 0.00 4000000.00', '214101 4006500.00 0.00', '613103 0.00 6500.00'])
  expect(await scene.read('vendor-invoice', one.invoice.ID)).toMatchObject({ Status: 1, Remaining: '4000000.00' })
  expect(await scene.balance('214101')).toBe('-2500000.00')
  expect((await undo(back)).code).toBe('ILLEGAL_TRANSITION')
})

test('what a vendor pays is suggested by its reference, shown by a statement and kept until that is undone', async () => {
  const receipt = await scene.create('vendors', 'supplier-payment-receive', { VendorID: vendor, OperatingUnitID: await id('operating_unit', 'JKT'), HouseBankID: bank, DocDate: today(), Amount: '3000000', ReferenceNo: 'KLAIM-77' })
  await scene.act('vendors', 'supplier-payment-receive', receipt.ID, 'post')
  const open = Number(await scene.balance('111302'))
  const found = (await scene.command('cashier', 'match-statement', body([{ Description: 'CR KLAIM-77', Credit: '3000000' }, { Description: 'CR KLAIM-77', Credit: '3000001' }]))).record.Lines
  expect(found.map(({ MatchType, SupplierReceiptID }: Record) => [MatchType, SupplierReceiptID])).toEqual([['SUPPLIER_RECEIPT', receipt.ID], [undefined, undefined]])
  const short = await statement([{ Description: 'CR', Credit: '2999999', SupplierReceiptID: receipt.ID }])
  await scene.act('cashier', 'bank-statement', short.ID, 'submit')
  await expect(scene.decide('bank_statement', short.ID)).rejects.toThrow('VALIDATION_FAILED')
  await scene.decide('bank_statement', short.ID, 'reject')
  const shown = await statement([{ Description: 'CR KLAIM-77', Credit: '3000000', SupplierReceiptID: receipt.ID }])
  await post(shown)
  expect(await journals(shown)).toEqual(['111201 3000000.00 0.00', '111302 0.00 3000000.00'])
  expect(Number(await scene.balance('111302'))).toBe(open - 3_000_000)
  const taken = await scene.tryAct('vendors', 'supplier-payment-receive', receipt.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
  expect(taken.data.errors.map(({ key }: Record) => key)).toEqual(['rule.not-on-a-statement'])
  expect((await undo(shown)).code).toBe('success')
  expect(await scene.read('supplier-payment-receive', receipt.ID)).toMatchObject({ Status: 1, StatementLineID: null })
  await scene.act('vendors', 'supplier-payment-receive', receipt.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
  expect(Number(await scene.balance('111302'))).toBe(open - 3_000_000)
})

test('a deposit paid back is a payment the bank shows; it comes back only once the bank returned it', async () => {
  const deposit = await scene.create('admin', 'customer-deposit', { CustomerID: await id('customer', 'C0000001'), Method: 'CASH', Amount: '2000000' })
  await scene.act('admin', 'customer-deposit', deposit.ID, 'submit')
  await scene.decide('customer_deposit', deposit.ID)
  const refund = async () => {
    const made = await scene.create('admin', 'customer-deposit-settlement', { CustomerDepositID: deposit.ID, Kind: 'REFUND', DocDate: today(), Refund: '2000000', HouseBankID: bank, PayeeAccount: 'BCA 123', Lines: [] })
    await scene.act('admin', 'customer-deposit-settlement', made.ID, 'submit')
    await scene.decide('customer_deposit_settlement', made.ID)
    return { made, payment: (await scene.rows('ap_payment', sql`deposit_settlement_id = ${made.ID}`))[0] }
  }
  const before = Number(await scene.balance('214101'))
  const { made, payment: pays } = await refund()
  expect(pays).toMatchObject({ kind: 'DEPOSIT_REFUND', status: 1, amount: '2000000.00', paid_out: '2000000.00', vendor_id: null, payee_account: 'BCA 123' })
  expect(pays.code).toMatch(/^APP\/JKT\/2611\/\d{5}$/)
  const listed = await scene.people.vendors.get('/api/v1/data/ap-payment', { columns: 'code,kind,customer_id', length: 100 })
  expect(listed.data.rows.filter(({ Kind }: Record) => Kind === 'DEPOSIT_REFUND').map(({ Code, CustomerCode }: Record) => [Code, CustomerCode])).toEqual([[pays.code, 'C0000001']])
  expect((await askBack({ ID: pays.id })).data.errors.map(({ key }: Record) => key)).toEqual(['rule.refund-of-settlement'])
  expect(await suggested([{ Description: `DB ${pays.code}`, Debit: '2000000' }])).toEqual([['AP_PAYMENT', pays.id]])
  const shown = await statement([{ Description: 'DB', Debit: '2000000', ApPaymentID: pays.id }])
  await post(shown)
  expect(await journals(shown)).toEqual(['111201 0.00 2000000.00', '214101 2000000.00 0.00'])
  expect(Number(await scene.balance('214101'))).toBe(before)
  const back = { ReasonID: await id('reason', 'V02') }
  expect((await scene.tryAct('admin', 'customer-deposit-settlement', made.ID, 'request-reversal', back)).code).toBe('ILLEGAL_TRANSITION')
  const returned = await statement([{ Description: 'RETUR', Credit: '2000000', ApPaymentID: pays.id }])
  await post(returned)
  await scene.act('admin', 'customer-deposit-settlement', made.ID, 'request-reversal', back)
  await scene.decide('customer_deposit_settlement', made.ID)
  expect(await payment({ ID: pays.id })).toMatchObject({ Status: 7 })
  expect(await scene.read('customer-deposit', deposit.ID)).toMatchObject({ Status: 1, Remaining: '2000000.00' })
  expect((await undo(returned)).code).toBe('ILLEGAL_TRANSITION')
  // Not with the bank yet, it is simply taken back.
  const again = await refund()
  await scene.act('admin', 'customer-deposit-settlement', again.made.ID, 'request-reversal', back)
  await scene.decide('customer_deposit_settlement', again.made.ID)
  expect(await payment({ ID: again.payment.id })).toMatchObject({ Status: 7 })
})
