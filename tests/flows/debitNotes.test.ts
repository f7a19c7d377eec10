import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let vendor: Record
let other: Record
beforeAll(async () => {
  scene = await openScene()
  const term = await id('payment_term', 'N30')
  vendor = await scene.create('admin', 'business-partner', { Code: 'V-RASA', Name: 'PT Sumber Rasa', Kinds: ['VENDOR', 'PRINCIPAL'], IsPkp: true, ApAccountGroup: 'NON_TRADE', PaymentTermID: term })
  other = await scene.create('admin', 'business-partner', { Code: 'V-LAIN', Name: 'PT Lain', Kinds: ['VENDOR'], IsPkp: true, ApAccountGroup: 'NON_TRADE', PaymentTermID: term })
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const errorsOf = ({ code, data }: Record) => [code, ...(data.errors ?? []).map(({ field, key }: Record) => [field, key])]
const noteOf = (ID: number) => scene.read('dn', ID)
let numbers = 0

async function draft(kind: string, lines: readonly object[], more: object = {}): Promise<Record> {
  return scene.create('vendors', 'dn', { Kind: kind, VendorID: vendor.ID, OperatingUnitID: await id('operating_unit', 'JKT'), DocDate: scene.at.clock.today(), Lines: lines, ...more })
}
async function posted(kind: string, lines: readonly object[], more: object = {}): Promise<Record> {
  const made = await draft(kind, lines, more)
  await scene.act('vendors', 'dn', made.ID, 'submit')
  await scene.decide('debit_note', made.ID)
  return noteOf(made.ID)
}
async function reversed(resource: string, kind: string, ID: number): Promise<Record> {
  await scene.act('vendors', resource, ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await scene.decide(kind, ID)
  return scene.read(resource, ID)
}
/** A posted invoice of the vendor. */
async function invoice(amount: string, of = vendor): Promise<Record> {
  const made = await scene.create('vendors', 'vendor-invoice', {
    VendorID: of.ID, VendorInvoiceNo: `F-${(numbers += 1)}`, DocDate: scene.at.clock.today(), OperatingUnitID: await id('operating_unit', 'JKT'), ContractNo: 'SPK-1', Ppn: '0',
    Lines: [{ ExpenseTypeID: await id('expense_type', 'E-LISTRIK'), Qty: '1', Price: amount }],
  })
  await scene.act('vendors', 'vendor-invoice', made.ID, 'register')
  return scene.act('vendors', 'vendor-invoice', made.ID, 'submit')
}

describe('a debit note of each kind is entered, approved, posted and taken back', () => {
  test('by hand: lines of both signs on their own accounts', async () => {
    const note = await posted('MANUAL', [
      { AccountID: await id('account', '421103'), Description: 'Insentif tahunan', Price: '5000000' },
      { AccountID: await id('account', '613103'), Description: 'Biaya bank ditanggung kami', Price: '-150000' },
    ])
    expect(note).toMatchObject({ Status: 1, Dpp: '4850000.00', Ppn: '0.00', Total: '4850000.00', Remaining: '4850000.00' })
    expect(note.Code).toMatch(/^DN\/JKT\/2611\/\d{5}$/)
    expect(await scene.journal('debit_note', note.ID)).toEqual(['112203 4850000.00 0.00', '421103 0.00 5000000.00', '613103 150000.00 0.00'])
    expect(await reversed('dn', 'debit_note', note.ID)).toMatchObject({ Status: 7, Remaining: '0.00' })
    expect(await scene.balance('112203')).toBe('0.00')
  })

  test('without order: what principals owe of promotions 1,000,000, an incentive with VAT 11 %', async () => {
    const claim = await posted('NON_PO', [{ Basis: 'PROMOTION', Description: 'Klaim potongan harga', Price: '1000000' }])
    expect(await scene.journal('debit_note', claim.ID)).toEqual(['112202 0.00 1000000.00', '112203 1000000.00 0.00'])
    const incentive = await posted('NON_PO', [{ Basis: 'INCENTIVE', Price: '2000000' }], { TaxCodeID: await id('tax_code', 'PPN04') })
    expect(incentive).toMatchObject({ Dpp: '2000000.00', Ppn: '220000.00', Total: '2220000.00' })
    expect(await scene.journal('debit_note', incentive.ID)).toEqual(['112203 2220000.00 0.00', '213101 0.00 220000.00', '421103 0.00 2000000.00'])
    for (const one of [claim, incentive]) await reversed('dn', 'debit_note', one.ID)
  })

  test('G4: to an order, 49,000 of price and VAT 5,390', async () => {
    const bill = await invoice('9300690')
    const note = await posted('PO', [{ Basis: 'PRICE', Qty: '98', Price: '500' }], { VendorInvoiceID: bill.ID, TaxCodeID: await id('tax_code', 'PPNIN') })
    expect(note).toMatchObject({ Total: '54390.00', Remaining: '54390.00' })
    expect(await scene.journal('debit_note', note.ID)).toEqual(['112203 54390.00 0.00', '114101 0.00 5390.00', '511102 0.00 49000.00'])
    await reversed('dn', 'debit_note', note.ID)
  })
})

test('what a kind does not allow is told at its field', async () => {
  const submit = async (kind: string, lines: readonly object[], more: object = {}) => errorsOf(await scene.tryAct('vendors', 'dn', (await draft(kind, lines, more)).ID, 'submit'))
  expect(await submit('MANUAL', [{ Price: '1' }])).toEqual(['VALIDATION_FAILED', ['Lines[0].AccountID', 'rule.account-needed']])
  expect(await submit('MANUAL', [{ Price: '1', AccountID: await id('account', '112101') }])).toEqual(['VALIDATION_FAILED', ['Lines[0].AccountID', 'rule.account-not-control']])
  expect(await submit('NON_PO', [{ Price: '1', Basis: 'PRICE' }])).toEqual(['VALIDATION_FAILED', ['Lines[0].Basis', 'rule.basis-of-claim']])
  expect(await submit('NON_PO', [{ Price: '-1', Basis: 'INCENTIVE' }])).toEqual(['VALIDATION_FAILED', ['Total', 'rule.total-needed'], ['Lines[0].Price', 'rule.price-positive']])
  expect(await submit('MANUAL', [{ Price: '0', AccountID: await id('account', '421103') }])).toEqual(['VALIDATION_FAILED', ['Total', 'rule.total-needed'], ['Lines[0].Price', 'rule.price-not-zero']])
  expect(await submit('PO', [{ Price: '1', Basis: 'PRICE' }])).toEqual(['VALIDATION_FAILED', ['VendorInvoiceID', 'rule.invoice-named']])
  expect(await submit('PO', [{ Price: '1', Basis: 'PRICE' }], { VendorInvoiceID: (await invoice('500', other)).ID })).toEqual(['VALIDATION_FAILED', ['VendorInvoiceID', 'rule.invoice-of-vendor']])
  const begbal = await scene.people.vendors.post('/api/v1/data/dn', { ...(await scene.read('dn', (await draft('MANUAL', [])).ID)), ID: undefined, Kind: 'BEGBAL' }, { key: scene.key() })
  expect(begbal.status).toBe(422)
})

test('a waiting debit note is withdrawn by whoever decides: no journal, its request is over', async () => {
  const note = await draft('MANUAL', [{ AccountID: await id('account', '421103'), Price: '75000' }])
  await scene.act('vendors', 'dn', note.ID, 'submit')
  expect((await scene.tryAct('vendors', 'dn', note.ID, 'withdraw', { ReasonText: 'x' })).status).toBe(403)
  expect((await scene.tryAct('payables', 'dn', note.ID, 'withdraw')).data.errors[0].key).toBe('field.REQUIRED.reason')
  expect(await scene.act('payables', 'dn', note.ID, 'withdraw', { ReasonText: 'Sudah dibayar tunai' })).toMatchObject({ Status: 6 })
  expect(await scene.rows('journal', sql`source_doc_type = 'debit_note' and source_doc_id = ${note.ID}`)).toEqual([])
  expect((await scene.rows('approval_request', sql`doc_type = 'debit_note' and doc_id = ${note.ID}`)).map(({ status }: Record) => status)).toEqual([6])
})

describe('applied to vendor invoices', () => {
  const apply = async (lines: readonly object[], more: object = {}) =>
    scene.create('vendors', 'apply-dn', { VendorID: vendor.ID, OperatingUnitID: await id('operating_unit', 'JKT'), DocDate: scene.at.clock.today(), Lines: lines, ...more })
  const bill = (ID: number) => scene.read('vendor-invoice', ID)
  const tried = async (lines: readonly object[], more: object = {}) => errorsOf(await scene.tryAct('vendors', 'apply-dn', (await apply(lines, more)).ID, 'post'))

  test('PP1: 9,000,000 against 6,500,000 leaves 2,500,000; both sides open again when it is taken back', async () => {
    const third = await scene.create('admin', 'business-partner', { Code: 'V-TIGA', Name: 'PT Tiga', Kinds: ['VENDOR'], ApAccountGroup: 'NON_TRADE', PaymentTermID: await id('payment_term', 'N30') })
    const note = await posted('MANUAL', [{ AccountID: await id('account', '421103'), Price: '9000000' }], { VendorID: third.ID })
    const [one, two] = [await invoice('4000000', third), await invoice('2500000', third)]
    const offered = (await scene.people.vendors.get('/api/v1/data/apply-dn-due', { filter: JSON.stringify({ debit_note_id: { eq: note.ID } }), order: 'id', sort: 'asc', length: 10 })).data.rows
    expect(offered.map(({ VendorInvoiceID, Amount }: Record) => [VendorInvoiceID, Amount])).toEqual([[one.ID, '4000000.00'], [two.ID, '2500000.00']])
    const lines = [{ DebitNoteID: note.ID, VendorInvoiceID: one.ID, Amount: '4000000' }, { DebitNoteID: note.ID, VendorInvoiceID: two.ID, Amount: '2500000' }]
    const made = await apply(lines, { VendorID: third.ID })
    await scene.act('vendors', 'apply-dn', made.ID, 'post')
    expect(await scene.journal('dn_application', made.ID)).toEqual(['112203 0.00 6500000.00', '211102 6500000.00 0.00'])
    expect(await noteOf(note.ID)).toMatchObject({ Status: 2, Remaining: '2500000.00' })
    for (const { ID } of [one, two]) expect(await bill(ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    expect(errorsOf(await scene.tryAct('vendors', 'dn', note.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') }))[0]).toBe('ILLEGAL_TRANSITION')
    const flow = await scene.people.admin.get(`/api/v1/data/dn/${note.ID}/flow`)
    expect(flow.data.records.map(({ DocType }: Record) => DocType)).toContain('dn_application')
    await scene.act('vendors', 'apply-dn', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await noteOf(note.ID)).toMatchObject({ Status: 1, Remaining: '9000000.00' })
    expect(await bill(one.ID)).toMatchObject({ Status: 1, Remaining: '4000000.00' })
    for (const { ID } of [one, two]) await reversed('vendor-invoice', 'vendor_invoice', ID)
    await reversed('dn', 'debit_note', note.ID)
  })

  test('more than one side has left, another vendor and a day before either are refused', async () => {
    const note = await posted('MANUAL', [{ AccountID: await id('account', '421103'), Price: '1000' }])
    const [own, foreign] = [await invoice('900'), await invoice('900', other)]
    expect(await tried([{ DebitNoteID: note.ID, VendorInvoiceID: own.ID, Amount: '901' }])).toEqual(['EXCEEDS_REMAINING', ['Lines[0].Amount', 'field.EXCEEDS_REMAINING.most']])
    expect(await tried([{ DebitNoteID: note.ID, VendorInvoiceID: own.ID, Amount: '600' }, { DebitNoteID: note.ID, VendorInvoiceID: own.ID, Amount: '301' }])).toEqual(['EXCEEDS_REMAINING', ['Lines[1].Amount', 'field.EXCEEDS_REMAINING.most']])
    const large = await invoice('5000')
    expect(await tried([{ DebitNoteID: note.ID, VendorInvoiceID: large.ID, Amount: '1001' }])).toEqual(['EXCEEDS_REMAINING', ['Lines[0].Amount', 'field.EXCEEDS_REMAINING.most']])
    expect(await tried([{ DebitNoteID: note.ID, VendorInvoiceID: foreign.ID, Amount: '1' }])).toEqual(['VALIDATION_FAILED', ['Lines[0].VendorInvoiceID', 'field.NOT_IN_SCOPE.open-item']])
    expect((await tried([{ DebitNoteID: note.ID, VendorInvoiceID: own.ID, Amount: '1' }], { DocDate: '2026-11-19' }))[1]).toEqual(['DocDate', 'field.TOO_EARLY.order'])
    expect((await tried([]))[0]).toBe('VALIDATION_FAILED')
  })

  test('AP3: of 4,400,000 with 3,000,000 taken −1,500,000 is refused, −500,000 leaves 900,000; it is taken back while nobody has taken more', async () => {
    const note = await posted('NON_PO', [{ Basis: 'PROMOTION', Price: '4400000' }])
    const paid = await invoice('3000000')
    const applied = await apply([{ DebitNoteID: note.ID, VendorInvoiceID: paid.ID, Amount: '3000000' }])
    await scene.act('vendors', 'apply-dn', applied.ID, 'post')
    const adjust = async (amount: string) => scene.create('vendors', 'dn-manual-adjustment', {
      DebitNoteID: note.ID, Amount: amount, AccountID: await id('account', '421103'), CauseID: (await scene.rows('reason', sql`usage = 'ADJUSTMENT'`))[0]?.id, DocDate: scene.at.clock.today(),
    })
    expect(errorsOf(await scene.tryAct('vendors', 'dn-manual-adjustment', (await adjust('-1500000')).ID, 'submit'))).toEqual(['EXCEEDS_REMAINING', ['Amount', 'field.EXCEEDS_REMAINING.adjustment']])
    const less = await adjust('-500000')
    expect(less).toMatchObject({ TotalBefore: '4400000.00', TotalAfter: '3900000.00', VendorID: vendor.ID })
    await scene.act('vendors', 'dn-manual-adjustment', less.ID, 'submit')
    await scene.decide('debit_note_adjustment', less.ID)
    expect(await scene.journal('debit_note_adjustment', less.ID)).toEqual(['112203 0.00 500000.00', '421103 500000.00 0.00'])
    expect(await noteOf(note.ID)).toMatchObject({ Status: 2, Total: '3900000.00', Adjusted: '-500000.00', Remaining: '900000.00' })
    const more = await adjust('250000')
    await scene.act('vendors', 'dn-manual-adjustment', more.ID, 'submit')
    await scene.decide('debit_note_adjustment', more.ID)
    expect(await noteOf(note.ID)).toMatchObject({ Total: '4150000.00', Remaining: '1150000.00' })
    const rest = await invoice('1150000')
    const whole = await apply([{ DebitNoteID: note.ID, VendorInvoiceID: rest.ID, Amount: '1150000' }])
    await scene.act('vendors', 'apply-dn', whole.ID, 'post')
    expect(await noteOf(note.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    await scene.act('vendors', 'dn-manual-adjustment', more.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await expect(scene.decide('debit_note_adjustment', more.ID)).rejects.toThrow('EXCEEDS_REMAINING')
    for (const one of [whole, applied]) await scene.act('vendors', 'apply-dn', one.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    await scene.decide('debit_note_adjustment', more.ID)
    expect(errorsOf(await scene.tryAct('vendors', 'dn', note.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') }))).toEqual(['VALIDATION_FAILED', ['Adjusted', 'rule.nothing-adjusted']])
    await reversed('dn-manual-adjustment', 'debit_note_adjustment', less.ID)
    expect(await noteOf(note.ID)).toMatchObject({ Status: 1, Total: '4400000.00', Adjusted: '0.00', Remaining: '4400000.00' })
    await reversed('dn', 'debit_note', note.ID)
  })
})
