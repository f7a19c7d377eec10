import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { claimAmounts } from '#domain/receivables/claimAmounts.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { insertDocument } from '#server/workflow/newDocument.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'
import { pdf, upload } from '../support/upload.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update customer set npwp = '0123456789012345' where code = 'C0000001'`)
  await scene.database.run(sql`update customer set npwp = null where code = 'C0000002'`)
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const maju = 'C0000001'
const withoutNumber = 'C0000002'
const id = (table: string, code: string) => scene.at.id(table, code)
async function claim(customer: string, type: string, more: object): Promise<Record> {
  const day = scene.at.clock.today()
  return scene.create('admin', 'credit-note', { Kind: 'CLAIM', CustomerID: await id('customer', customer), PromoTypeID: await id('credit_note_promo_type', type), DocDate: day, ClaimDate: day, ClaimNo: `K-${Math.random()}`, ...more })
}
async function granted(made: Record): Promise<Record> {
  await scene.act('admin', 'credit-note', made.ID, 'submit')
  await scene.decide('credit_note', made.ID)
  return scene.read('credit-note', made.ID)
}
/** The papers of one claim. */
async function paper(): Promise<number> {
  const { data } = await upload(scene.at.app, scene.people.admin.token, '/api/v1/general/upload?resource=credit-note&field=proof_id', { name: 'surat.pdf', type: 'application/pdf', bytes: pdf })
  return data.record.ID
}
const refusals = async (made: Record) => (await scene.tryAct('admin', 'credit-note', made.ID, 'submit')).data.errors?.map(({ field, key }: Record) => [field, key])

describe('CN6: a reward is withheld upon, at the double rate without a tax number', () => {
  test.each([[maju, '2847500.00', '502500.00', '15.0000'], [withoutNumber, '2345000.00', '1005000.00', '30.0000']])('%s', async (customer, total, pph, rate) => {
    const note = await granted(await claim(customer, 'KLAIM-HADIAH', { Dpp: '3350000', ProofID: await paper() }))
    expect(note).toMatchObject({ Status: 1, Total: total, Remaining: total, Pph: pph, PphRate: rate, Treatment: 'REWARD' })
    expect(await scene.journal('credit_note', note.ID)).toEqual([`112101 0.00 ${total}`, `213103 0.00 ${pph}`, '611102 3350000.00 0.00'])
  })
})

test('CN7: of a service with VAT the principal bears a share of the base only', async () => {
  const made = await claim(maju, 'KLAIM-PAJANG', { Dpp: '2500000', Ppn: '275000', Funding: 'SHARED', PrincipalPct: '40', ProofID: await paper() })
  expect(await refusals(made)).toEqual([['FakturNumber', 'rule.claim-tax-invoice']])
  const again = await claim(maju, 'KLAIM-PAJANG', { Dpp: '2500000', Ppn: '275000', Funding: 'SHARED', PrincipalPct: '40', ProofID: await paper(), FakturNumber: '04002500000000001', FakturDate: scene.at.clock.today() })
  const note = await granted(again)
  expect(note).toMatchObject({ PrincipalShare: '1000000.00', CompanyShare: '1500000.00', Pph: '50000.00', Total: '2725000.00' })
  expect(await scene.journal('credit_note', note.ID)).toEqual(['112101 0.00 2725000.00', '112202 1000000.00 0.00', '114101 275000.00 0.00', '213103 0.00 50000.00', '611102 1500000.00 0.00'])
})

test('CN8: what converts a temporary credit note is closed at once; the rest of that is refused into a debit memo', async () => {
  const invoice = await scene.invoiced(maju, [{ item: 'D', qty: '1' }])
  const temporary = await scene.create('admin', 'cn-temporary', { CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Amount: '600000', DocDate: scene.at.clock.today() })
  await scene.act('admin', 'cn-temporary', temporary.ID, 'submit')
  await scene.decide('cn_temporary', temporary.ID)
  const note = await granted(await claim(maju, 'KLAIM-HADIAH', { Dpp: '600000', ProofID: await paper(), CnTemporaryID: temporary.ID }))
  expect(note).toMatchObject({ Status: 3, Total: '510000.00', Remaining: '0.00' })
  expect(await scene.journal('credit_note', note.ID)).toEqual(['112204 0.00 510000.00', '213103 0.00 90000.00', '611102 600000.00 0.00'])
  expect(await scene.read('cn-temporary', temporary.ID)).toMatchObject({ Status: 2, Remaining: '90000.00' })
  const reason = (await scene.database.first<{ id: number }>(sql`select id from reason where usage = 'REJECT' and is_active order by id limit 1`))?.id
  await scene.act('admin', 'cn-temporary', temporary.ID, 'refuse', { ReasonID: reason })
  const refused = await scene.read('cn-temporary', temporary.ID)
  expect(refused).toMatchObject({ Status: 7, Remaining: '0.00' })
  const [memo] = await scene.rows('invoice', sql`cn_temporary_id = ${temporary.ID}`)
  expect(memo).toMatchObject({ id: refused.DebitMemoID, invoice_type: 'DEBIT_MEMO', status: 1, total: '90000.00', remaining: '90000.00' })
  expect(await scene.database.rows(sql`
    select a.code, l.debit, l.credit from journal j join journal_line l on l.journal_id = j.id join account a on a.id = l.account_id where j.source_event = 'TCN_REFUSE' and j.source_doc_id = ${temporary.ID} order by 1`))
    .toEqual([{ code: '112101', debit: '90000.00', credit: '0.00' }, { code: '112204', debit: '0.00', credit: '90000.00' }])
  expect(await scene.balance('112204')).toBe('0.00')
})

describe('CN5: the VAT of a return waits for the buyer’s tax return', () => {
  let note: Record
  test('and stands in an account of its own until then', async () => {
    const customer = await id('customer', maju)
    const made = await scene.database.transaction(async (tx) => {
      const run = runOf(scene.database, tx, scene.at.clock.now().toISOString())
      const { id: noteId } = await insertDocument(run, 'credit_note', { operating_unit_id: await id('operating_unit', 'JKT'), territory_id: null, doc_date: '2026-11-10', kind: 'RETURN', customer_id: customer, dpp: '285714.00', ppn: '31429.00', total: '317143.00' })
      await run.transition('credit_note', noteId, 'issue')
      return noteId
    })
    note = await scene.read('credit-note', made)
    expect(note).toMatchObject({ Status: 1, Remaining: '317143.00', PpnPending: true })
    expect(await scene.journal('credit_note', made)).toEqual(['112101 0.00 317143.00', '213104 31429.00 0.00', '413101 285714.00 0.00'])
  })

  test('its number and day are entered; that day is the day of the entry', async () => {
    const enter = (NotaReturNumber: string, NotaReturDate: string) => scene.tryAct('admin', 'credit-note', note.ID, 'tax-return', { NotaReturNumber, NotaReturDate })
    expect((await enter('NR-2041', '2026-11-01')).data.errors).toMatchObject([{ field: 'NotaReturDate', key: 'field.TOO_EARLY.order' }])
    expect((await enter('NR-2041', '2027-01-01')).data.errors).toMatchObject([{ field: 'NotaReturDate', key: 'field.TOO_LATE.payment' }])
    expect((await enter('NR-2041', '2026-11-18')).code).toBe('success')
    expect(await scene.read('credit-note', note.ID)).toMatchObject({ Status: 1, PpnPending: false, NotaReturNumber: 'NR-2041', Remaining: '317143.00' })
    const [journal] = await scene.rows('journal', sql`source_event = 'CN_TAXDOC' and source_doc_id = ${note.ID}`)
    expect(journal).toMatchObject({ posting_date: '2026-11-18' })
    expect([await scene.balance('213104'), (await enter('NR-2042', '2026-11-18')).code]).toEqual(['0.00', 'ILLEGAL_TRANSITION'])
  })
})

describe('a claim', () => {
  test('has its papers, is in time and grants no more than was asked', async () => {
    expect(await refusals(await claim(maju, 'KLAIM-HARGA', { Dpp: '100000' }))).toEqual([['ProofID', 'rule.claim-papers']])
    expect(await refusals(await claim(maju, 'KLAIM-HARGA', { Dpp: '100000', ProofID: await paper(), ClaimDate: '2026-08-01' }))).toEqual([['ClaimDate', 'rule.claim-in-time']])
    expect(await refusals(await claim(maju, 'KLAIM-HARGA', { Dpp: '100000', ProofID: await paper(), ClaimDate: null, ClaimNo: null }))).toEqual([['ClaimNo', 'rule.claim-number'], ['ClaimDate', 'rule.claim-date-needed']])
    expect(await refusals(await claim(maju, 'KLAIM-LAIN', { Dpp: '100000', Claimed: '90000' }))).toEqual([['Dpp', 'rule.granted-of-claimed']])
    expect(await refusals(await claim(maju, 'KLAIM-LAIN', { Dpp: '100000', Ppn: '11000' }))).toEqual([['Ppn', 'rule.claim-without-vat']])
    expect(await refusals(await claim(maju, 'KLAIM-LAIN', { Dpp: '100000', PromoTypeID: null }))).toEqual([['PromoTypeID', 'rule.claim-has-type']])
  })

  test('has a number that is its customer’s once, however it is written', async () => {
    await granted(await claim(maju, 'KLAIM-LAIN', { Dpp: '100000', ClaimNo: 'Abc-1' }))
    const twin = await claim(maju, 'KLAIM-LAIN', { Dpp: '100000', ClaimNo: 'ABC-1' })
    expect((await scene.tryAct('admin', 'credit-note', twin.ID, 'submit')).code).toBe('DUPLICATE_DOCUMENT')
    expect((await scene.tryAct('admin', 'credit-note', (await claim(withoutNumber, 'KLAIM-LAIN', { Dpp: '100000', ClaimNo: 'Abc-1' })).ID, 'submit')).code).toBe('success')
  })

  test('is worked out by the server, whatever is sent', async () => {
    const made = await claim(maju, 'KLAIM-HADIAH', { Dpp: '1000000', ProofID: await paper(), Total: '9' })
    expect(made).toMatchObject({ Total: '850000.00', Claimed: '1000000.00' })
    expect(await claim(maju, 'KLAIM-LAIN', { Dpp: '1000', Pph: '5', PrincipalShare: '999' })).toMatchObject({ Pph: '0.00', PrincipalShare: '0.00', Total: '1000.00' })
  })
})

test('whole rupiah are withheld', () => {
  expect(claimAmounts({ dpp: '333333', ppn: '0', treatment: 'SERVICE', rate: '2', hasTaxNumber: true, funding: 'SHARED', principalPct: '33.3333' }))
    .toEqual({ pphRate: '2.0000', pph: '6667.00', principalPct: '33.3333', principalShare: '111110.89', companyShare: '222222.11', total: '326666.00' })
})

describe('CN9: a credit note is paid out through a deposit of the customer', () => {
  let note: Record
  let moved: Record
  test('what it has left becomes a deposit', async () => {
    note = await granted(await claim(withoutNumber, 'KLAIM-LAIN', { Dpp: '242794' }))
    const made = await scene.create('admin', 'credit-note-transfer', { CreditNoteID: note.ID, Amount: '242794', DocDate: scene.at.clock.today() })
    expect(made).toMatchObject({ CustomerID: note.CustomerID, CreditRemaining: '242794.00' })
    await scene.act('admin', 'credit-note-transfer', made.ID, 'submit')
    // While it waits, the amount is spoken for.
    const second = await scene.create('admin', 'credit-note-transfer', { CreditNoteID: note.ID, Amount: '1', DocDate: scene.at.clock.today() })
    expect((await scene.tryAct('admin', 'credit-note-transfer', second.ID, 'submit')).data.errors).toMatchObject([{ field: 'Amount' }])
    await scene.decide('credit_note_transfer', made.ID)
    moved = await scene.read('credit-note-transfer', made.ID)
    expect(await scene.journal('credit_note_transfer', made.ID)).toEqual(['112101 242794.00 0.00', '212101 0.00 242794.00'])
    expect(await scene.read('credit-note', note.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    expect(await scene.read('customer-deposit', moved.ToDepositID)).toMatchObject({ Status: 1, Origin: 'CREDIT_NOTE', Remaining: '242794.00', CustomerID: note.CustomerID })
  })

  test('and is there again when that is reversed, as long as the deposit is unused', async () => {
    await scene.act('admin', 'credit-note-transfer', moved.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await scene.decide('credit_note_transfer', moved.ID)
    expect(await scene.read('credit-note', note.ID)).toMatchObject({ Status: 1, Remaining: '242794.00' })
    expect(await scene.read('customer-deposit', moved.ToDepositID)).toMatchObject({ Status: 7, Remaining: '0.00' })
  })

  test('the deposit is refunded as any other', async () => {
    const made = await scene.create('admin', 'credit-note-transfer', { CreditNoteID: note.ID, Amount: '242794', DocDate: scene.at.clock.today() })
    await scene.act('admin', 'credit-note-transfer', made.ID, 'submit')
    await scene.decide('credit_note_transfer', made.ID)
    const { ToDepositID } = await scene.read('credit-note-transfer', made.ID)
    const refund = await scene.create('admin', 'customer-deposit-settlement', { CustomerDepositID: ToDepositID, Kind: 'REFUND', DocDate: scene.at.clock.today(), Refund: '242794', HouseBankID: await id('house_bank', 'BCA1'), PayeeAccount: 'BCA 123', Lines: [] })
    await scene.act('admin', 'customer-deposit-settlement', refund.ID, 'submit')
    await scene.decide('customer_deposit_settlement', refund.ID)
    expect(await scene.journal('customer_deposit_settlement', refund.ID)).toEqual(['212101 242794.00 0.00', '214101 0.00 242794.00'])
  })
})
