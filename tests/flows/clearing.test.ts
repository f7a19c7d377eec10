import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql, trusted } from '#server/db/sql.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const makmur = 'C0000001'
const office = 'C0000002'
const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()
const item = (invoice: Record, amount: string, more: object = {}) => ({ InvoiceID: invoice.ID, Amount: amount, ...more })

/** An invoice of so many D, 2,200,000 each, of which this much is open. */
async function open(qty: string, remaining: string, customer = makmur): Promise<Record> {
  const invoice = await scene.invoiced(customer, [{ item: 'D', qty }])
  const paid = String(Number(invoice.Total) - Number(remaining))
  if (Number(paid) > 0) await scene.pay(customer, paid, [{ InvoiceID: invoice.ID, Paid: paid, ReasonID: await id('reason', 'R01') }])
  return scene.read('invoice', invoice.ID)
}

async function creditNote(total: string, customer = makmur): Promise<Record> {
  const note = await scene.create('admin', 'credit-note', { CustomerID: await id('customer', customer), Kind: 'MANUAL', DocDate: today(), Dpp: total, Total: total, AccountID: await id('account', '414101') })
  await scene.act('admin', 'credit-note', note.ID, 'submit')
  await scene.decide('credit_note', note.ID)
  return scene.read('credit-note', note.ID)
}

async function clearing(lines: readonly object[], uses: readonly object[], more: object = {}, customer = makmur): Promise<Record> {
  return scene.create('admin', 'ar-clearing', { CustomerID: await id('customer', customer), DocDate: today(), Lines: lines, ArClearingUse: uses, ...more })
}
const post = (made: Record): Promise<Record> => scene.act('admin', 'ar-clearing', made.ID, 'submit')

describe('CN1: a credit note of 1,110,000 clears one invoice and part of another', () => {
  test('at once, with the two open items alone in the journal', async () => {
    const [a, b] = [await open('1', '700000'), await open('1', '900000')]
    const note = await creditNote('1110000')
    const made = await clearing([item(a, '700000'), item(b, '410000')], [{ CreditNoteID: note.ID, Amount: '1110000' }])
    expect(made).toMatchObject({ Total: '1110000.00', Credited: '1110000.00', Difference: '0.00' })
    expect(await post(made)).toMatchObject({ Status: 1 })
    expect(await scene.journal('ar_clearing', made.ID)).toEqual(['112101 1110000.00 1110000.00'])
    expect(await scene.read('invoice', a.ID)).toMatchObject({ Remaining: '0.00', Status: 3 })
    expect(await scene.read('invoice', b.ID)).toMatchObject({ Remaining: '490000.00', Status: 2 })
    expect(await scene.read('credit-note', note.ID)).toMatchObject({ Remaining: '0.00', Status: 3 })
  })
})

describe('CN2: one credit note, two clerks', () => {
  test('the second is told what is left, and draws no number', async () => {
    const invoice = await open('1', '2000000')
    const note = await creditNote('500000')
    const made = await clearing([item(invoice, '300000')], [{ CreditNoteID: note.ID, Amount: '300000' }])
    await scene.pay(makmur, '0', [{ InvoiceID: invoice.ID, Paid: '400000', ReasonID: await id('reason', 'R01'), Credits: [{ Source: 'CREDIT_NOTE', SourceID: note.ID, Amount: '400000' }] }])
    const refused = await scene.tryAct('admin', 'ar-clearing', made.ID, 'submit')
    expect(refused).toMatchObject({ code: 'EXCEEDS_REMAINING', status: 422, data: { errors: [{ field: 'ArClearingUse[0].Amount', key: 'field.EXCEEDS_REMAINING.most', text: 'At most 100,000.00.' }] } })
    expect(await scene.read('ar-clearing', made.ID)).toMatchObject({ Status: 0, Code: `DRAFT-${made.ID}` })
    expect(await scene.journal('ar_clearing', made.ID)).toEqual([])
  })
})

describe('CN3: a clearing reversed opens both sides', () => {
  test('the credit note is reversible only then', async () => {
    const invoice = await open('1', '2000000')
    const note = await creditNote('250000')
    const made = await clearing([item(invoice, '100000')], [{ CreditNoteID: note.ID, Amount: '100000' }])
    await post(made)
    expect((await scene.tryAct('admin', 'credit-note', note.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })).code).toBe('ILLEGAL_TRANSITION')
    await scene.act('admin', 'ar-clearing', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '2000000.00' })
    expect(await scene.read('credit-note', note.ID)).toMatchObject({ Remaining: '250000.00', Status: 1 })
    await scene.act('admin', 'credit-note', note.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await scene.decide('credit_note', note.ID)
    expect(await scene.read('credit-note', note.ID)).toMatchObject({ Status: 7 })
  })
})

describe('a difference', () => {
  test('needs a reason, keeps to its tolerance and is approved; too much or nothing is refused', async () => {
    const invoice = await open('1', '1005000')
    const note = await creditNote('1000000')
    const uses = [{ CreditNoteID: note.ID, Amount: '1000000' }]
    const refusals = async (lines: readonly object[], used: readonly object[], more: object = {}) =>
      (await scene.tryAct('admin', 'ar-clearing', (await clearing(lines, used, more)).ID, 'submit')).data.errors.map(({ field, key }: Record) => [field, key])
    expect(await refusals([item(invoice, '1005000')], uses)).toEqual([['DiffReasonID', 'rule.difference-reason']])
    expect(await refusals([item(invoice, '900000')], uses)).toEqual([['Difference', 'rule.clearing-not-over']])
    expect(await refusals([item(invoice, '5000')], [], { DiffReasonID: await id('reason', 'R06') })).toEqual([['Credited', 'rule.clearing-uses-something']])
    expect(await refusals([item(invoice, '1000000')], [{ Amount: '1000000' }])).toEqual([['ArClearingUse[0].CreditNoteID', 'rule.one-credit']])
    const short = await refusals([item(invoice, '1005000')], [{ CreditNoteID: note.ID, Amount: '999999' }], { DiffReasonID: await id('reason', 'R06') })
    expect(short).toEqual([['Difference', 'field.EXCEEDS_TOLERANCE.difference']])
    const made = await clearing([item(invoice, '1005000')], uses, { DiffReasonID: await id('reason', 'R06') })
    expect(await post(made)).toMatchObject({ Status: 4 })
    await scene.decide('ar_clearing', made.ID)
    expect(await scene.journal('ar_clearing', made.ID)).toEqual(['112101 1000000.00 1005000.00', '613102 5000.00 0.00'])
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '0.00', Status: 3 })
  })
})

describe('government offices', () => {
  let bank: number
  beforeAll(async () => {
    bank = await id('house_bank', 'BCA1')
    await scene.database.run(sql`update promotion set valid_to = '2025-12-31'`)
    await scene.database.run(sql`update customer set wapu_kind = 'GOV', trx_code = null, pph22_rate = 1.5 where code = ${office}`)
  })
  /** An invoice of one C of this price. */
  async function invoiceOf(dpp: string): Promise<Record> {
    await scene.database.run(sql`update list_price set price = ${dpp} where item_id = ${await id('item', 'C')}`)
    return scene.invoiced(office, [{ item: 'C', qty: '1' }])
  }
  const gov = async (lines: readonly object[], money: string, more: object = {}): Promise<Record> =>
    scene.create('admin', 'ar-clearing-gov', { CustomerID: await id('customer', office), DocDate: today(), MoneySource: 'BANK', HouseBankID: bank, MoneyAmount: money, Lines: lines, ...more })
  const propose = async (lines: readonly object[], money = '0'): Promise<Record> =>
    (await scene.command('admin', 'propose-withholding', { CustomerID: await id('customer', office), DocDate: today(), MoneySource: 'BANK', MoneyAmount: money, Lines: lines })).record

  const levied = async (invoice: Record, amount?: string): Promise<Record> => (await propose([{ InvoiceID: invoice.ID, ...(amount === undefined ? {} : { Amount: amount }) }])).Lines[0]
  const posted = async (made: Record): Promise<string[]> => {
    expect(await scene.act('admin', 'ar-clearing-gov', made.ID, 'submit')).toMatchObject({ Status: 4 })
    await scene.decide('ar_clearing_gov', made.ID)
    return scene.journal('ar_clearing_gov', made.ID)
  }
  const proofs = async (): Promise<Record[]> => (await scene.people.admin.get('/api/v1/data/tax-proof')).data.rows.filter(({ PendingDoc }: Record) => PendingDoc)
  const undo = (made: Record): Promise<Record> => id('reason', 'V02').then((ReasonID) => scene.act('admin', 'ar-clearing-gov', made.ID, 'reverse', { ReasonID }))

  test('8.7, RC3: money, VAT and PPh 22 settle the invoice; 37 are rounding, 101 are not', async () => {
    const before = await scene.balance('111302')
    const invoice = await invoiceOf('23456789')
    expect(invoice).toMatchObject({ Dpp: '23456789.00', Ppn: '2580247.00', Total: '26037036.00' })
    const line = await levied(invoice)
    expect(line).toMatchObject({ Amount: '26037036.00', PpnWithheld: '2580247.00', Pph22Withheld: '351852.00' })
    const taxes = { PpnWithheld: '2580247', Pph22Withheld: '351852' }
    const refusals = async (more: object, money: string) =>
      (await scene.tryAct('admin', 'ar-clearing-gov', (await gov([item(invoice, '26037036', { ...taxes, ...more })], money)).ID, 'submit')).data.errors.map(({ field, key }: Record) => [field, key])
    expect(await refusals({}, '23104836')).toEqual([['Difference', 'field.EXCEEDS_TOLERANCE.difference']])
    expect(await refusals({ PpnWithheld: '2580248' }, '23104936')).toEqual([['Lines[0].PpnWithheld', 'field.EXCEEDS_TAX']])
    expect(await refusals({ Pph22Withheld: '351953' }, '23104836')).toEqual([['Lines[0].Pph22Withheld', 'field.EXCEEDS_TAX.withheld']])
    expect(await refusals({}, '23104938')).toEqual([['Difference', 'rule.clearing-not-over']])
    const made = await gov([item(invoice, '26037036', taxes)], '23104900')
    expect(made).toMatchObject({ Difference: '37.00', PpnWithheld: '2580247.00' })
    expect(await posted(made)).toEqual(['111302 23104900.00 0.00', '112102 0.00 26037036.00', '114103 351852.00 0.00', '213102 2580247.00 0.00', '613102 37.00 0.00'])
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '0.00', Status: 3 })
    const { ArPaymentID } = await scene.read('ar-clearing-gov', made.ID)
    expect(await scene.read('payment-received', ArPaymentID)).toMatchObject({ Method: 'TRANSFER', Status: 1, Amount: '23104900.00', Lines: [{ InvoiceID: invoice.ID }] })
    const alone = await scene.tryAct('admin', 'payment-received', ArPaymentID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    expect(alone).toMatchObject({ code: 'ILLEGAL_TRANSITION' })
    expect((await proofs()).map(({ Kind }) => Kind).sort()).toEqual(['PPH22', 'PPN_WAPU'])
    const enter = async (kind: string, more: object) => scene.command('admin', 'enter-tax-proof', { IDs: (await proofs()).filter(({ Kind }) => Kind === kind).map(({ ID }) => ID), DocumentNo: 'BP-1', DocumentDate: today(), ...more })
    await enter('PPH22', {})
    await enter('PPN_WAPU', { Ntpn: 'A1B2C3D4E5F6G7H8' })
    expect(await proofs()).toEqual([])
    await undo(made)
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '26037036.00', Status: 1 })
    expect(await scene.read('payment-received', ArPaymentID)).toMatchObject({ Status: 7 })
    expect(await scene.balance('111302')).toBe(before)
  })

  test('RC4: part by part pro rata, the last takes the rest, and never more than the invoice has', async () => {
    const before = await scene.balance('213102')
    const invoice = await invoiceOf('23456789')
    const first = await levied(invoice, '15622222')
    expect(first).toMatchObject({ PpnWithheld: '1548148.00', Pph22Withheld: '211111.00' })
    await posted(await gov([item(invoice, '15622222', { PpnWithheld: first.PpnWithheld, Pph22Withheld: first.Pph22Withheld })], '13862963'))
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '10414814.00', Status: 2 })
    const rest = await levied(invoice)
    expect(rest).toMatchObject({ Amount: '10414814.00', PpnWithheld: '1032099.00', Pph22Withheld: '140741.00' })
    const over = await gov([item(invoice, '10414814', { PpnWithheld: '1032100', Pph22Withheld: '140741' })], '9241973')
    expect((await scene.tryAct('admin', 'ar-clearing-gov', over.ID, 'submit')).data.errors).toMatchObject([{ field: 'Lines[0].PpnWithheld', key: 'field.EXCEEDS_TAX.before' }])
    await posted(await gov([item(invoice, '10414814', { PpnWithheld: '1032099', Pph22Withheld: '140741' })], '9241974'))
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '0.00', Status: 3 })
    expect(await scene.balance('213102')).toBe(before)
  })

  test('RC5: what is withheld goes by total and base', async () => {
    const asked = []
    for (const dpp of ['1800000', '1900000', '2000001']) asked.push(await levied(await invoiceOf(dpp)))
    expect(asked).toMatchObject([
      { Amount: '1998000.00', PpnWithheld: '0.00', Pph22Withheld: '0.00' }, { Amount: '2109000.00', PpnWithheld: '209000.00', Pph22Withheld: '0.00' }, { Amount: '2220001.00', PpnWithheld: '220000.00', Pph22Withheld: '30000.00' },
    ])
  })

  test('whoever withholds nothing is no such customer', async () => {
    const invoice = await open('1', '2200000')
    const made = await scene.create('admin', 'ar-clearing-gov', { CustomerID: await id('customer', makmur), DocDate: today(), MoneySource: 'BANK', HouseBankID: bank, MoneyAmount: '2200000', Lines: [item(invoice, '2200000')] })
    expect((await scene.tryAct('admin', 'ar-clearing-gov', made.ID, 'submit')).data.errors).toMatchObject([{ field: 'CustomerID', key: 'field.NOT_A_CHOICE.no-collector' }])
  })
})

describe('money of unknown payers (BK4) and deposits', () => {
  test('what the bank shows without a name is used, no more than there is, and given back by a reversal', async () => {
    const bank = await id('house_bank', 'BCA1')
    const statement = await scene.create('cashier', 'bank-statement', { HouseBankID: bank, StatementNo: 'RK-1', DocDate: today(), OpeningBalance: '0', ClosingBalance: '3300000', Lines: [{ ValueDate: today(), Description: 'SETORAN', Credit: '3300000', MatchType: 'UNIDENTIFIED' }] })
    await scene.act('cashier', 'bank-statement', statement.ID, 'submit')
    await scene.decide('bank_statement', statement.ID)
    const invoice = await open('2', '4400000')
    const over = await clearing([item(invoice, '3300001')], [], { Unidentified: '3300001' })
    expect((await scene.tryAct('admin', 'ar-clearing', over.ID, 'submit')).data.errors).toMatchObject([{ field: 'Unidentified', key: 'field.EXCEEDS_REMAINING.most' }])
    const note = await creditNote('100000')
    const made = await clearing([item(invoice, '3100000')], [{ CreditNoteID: note.ID, Amount: '100000' }], { Unidentified: '3000000' })
    await post(made)
    expect(await scene.journal('ar_clearing', made.ID)).toEqual(['112101 100000.00 3100000.00', '212102 3000000.00 0.00'])
    expect(await scene.balance('212102')).toBe('-300000.00')
    await scene.act('admin', 'ar-clearing', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await scene.balance('212102')).toBe('-3300000.00')
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '4400000.00', Status: 1 })
  })

  test('a thousand invoices are cleared in one document', async () => {
    const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
    const columns = (await scene.database.rows<{ name: string }>(sql`select column_name as name from information_schema.columns where table_name = 'invoice' and column_name not in ('id', 'code') and is_generated = 'NEVER'`)).map(({ name }) => `"${name}"`).join(', ')
    await scene.database.run(trusted(`insert into invoice (code, ${columns}) select code || '/' || n, ${columns} from invoice cross join generate_series(1, 999) n where id = ${invoice.ID}`))
    const ids = await scene.database.rows<{ id: number }>(sql`select id from invoice where code like ${`${invoice.Code}%`} order by id`)
    // Their journal is that of the first, 999 times.
    const all = (await scene.database.rows<{ name: string }>(sql`select column_name as name from information_schema.columns where table_name = 'journal' and column_name not in ('id', 'code', 'source_doc_id', 'total_debit', 'total_credit') and is_generated = 'NEVER'`)).map(({ name }) => `"${name}"`).join(', ')
    await scene.database.run(trusted(`insert into journal (code, source_doc_id, total_debit, total_credit, ${all}) select code || 'X', 0, total_debit * 999, total_credit * 999, ${all} from journal where source_doc_type = 'invoice' and source_doc_id = ${invoice.ID} and source_event = 'INV'`))
    await scene.database.run(sql`
      insert into journal_line (journal_id, line_no, account_id, debit, credit, partner_kind, partner_id, open_item_type, open_item_id)
      select x.id, i.id * 10 + l.line_no, l.account_id, l.debit, l.credit, l.partner_kind, l.partner_id, l.open_item_type, i.id from invoice i cross join journal x join journal j on j.code || 'X' = x.code join journal_line l on l.journal_id = j.id
      where i.code like ${`${invoice.Code}/%`}`)
    const note = await creditNote('2200000000')
    const made = await clearing(ids.map((one) => item({ ID: one.id }, '2200000')), [{ CreditNoteID: note.ID, Amount: '2200000000' }])
    expect(await post(made)).toMatchObject({ Status: 1 })
    expect(await scene.database.first(sql`select count(*)::int as closed from invoice where code like ${`${invoice.Code}%`} and status = 3`)).toEqual({ closed: 1000 })
  })
})
