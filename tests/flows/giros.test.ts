import { afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let bank: number
beforeAll(async () => {
  scene = await openScene()
  bank = await scene.at.id('house_bank', 'BCA1')
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const makmur = 'C0000001'
const today = () => scene.at.clock.today()
let papers = 0
/** An invoice paid by giro. */
async function paid(more: object = {}): Promise<{ readonly invoice: Record; readonly giro: Record }> {
  const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
  papers += 1
  const giro = await scene.pay(makmur, '2200000', [{ InvoiceID: invoice.ID, Paid: '2200000' }], { Method: 'GIRO', HouseBankID: null, GiroNo: `G${papers}`, GiroDueDate: '2026-11-20', ...more })
  return { invoice, giro }
}
const clear = (giro: Record, more: object = {}) => scene.tryAct('cashier', 'payment-received', giro.ID, 'clear', { HouseBankID: bank, ...more })
const exposure = async (): Promise<string> => (await scene.database.first<{ giro: string }>(sql`select giro_uncleared as giro from v_customer_exposure e join customer c on c.id = e.customer_id where c.code = ${makmur}`))?.giro ?? ''
let statements = '0'
const statement = async (giro: Record, amount = '2200000') => {
  const closing = String(Number(statements) + Number(amount))
  const made = await scene.create('admin', 'bank-statement', {
    HouseBankID: bank, DocDate: today(), StatementNo: `S${giro.ID}${amount}`, OpeningBalance: statements, ClosingBalance: closing, Lines: [{ ValueDate: today(), Credit: amount, MatchType: 'PAYMENT', ArPaymentID: giro.ID }],
  })
  await scene.act('admin', 'bank-statement', made.ID, 'submit')
  // One that cannot be approved goes back: the next continues it otherwise.
  await scene.decide('bank_statement', made.ID).catch(async (error: unknown) => {
    await scene.decide('bank_statement', made.ID, 'reject')
    throw error
  })
  statements = closing
}

test('the cashier clears a giro; the money is on its way until the statement shows it', async () => {
  const { giro } = await paid()
  expect(Number(await exposure())).toBe(2_200_000)
  expect((await clear(giro)).data.record).toMatchObject({ Status: 3, HouseBankID: bank, ClearingDate: today() })
  expect(await scene.journal('ar_payment', giro.ID, 'GIRO_CLEAR')).toEqual(['111302 2200000.00 0.00', '111303 0.00 2200000.00'])
  expect(Number(await exposure())).toBe(0)
  expect((await clear(giro)).code).toBe('ILLEGAL_TRANSITION')
  expect(await violations(scene.database, today())).toEqual([])
  await statement(giro)
  expect(await scene.balance('111302')).toBe('0.00')
  for (const action of ['bounce', 'request-reversal']) {
    const body = action === 'bounce' ? {} : { ReasonID: await scene.at.id('reason', 'V02') }
    expect((await scene.tryAct('cashier', 'payment-received', giro.ID, action, body)).message, action).toMatch(/^Bank statement .+ has confirmed this receipt\.$/)
  }
})

test('a statement that shows it clears it, to the cent', async () => {
  const { giro } = await paid()
  await expect(statement(giro, '2200500')).rejects.toThrow('at most 0.00 apart')
  await statement(giro)
  expect(await scene.read('payment-received', giro.ID)).toMatchObject({ Status: 3, HouseBankID: bank, ClearingDate: today() })
  expect([await scene.balance('111303'), await scene.balance('111302')]).toEqual(['0.00', '0.00'])
})

test('one that comes back opens the invoice again and stands against the next order', async () => {
  for (const isCleared of [false, true]) {
    const { invoice, giro } = await paid()
    if (isCleared) await clear(giro)
    expect((await scene.tryAct('cashier', 'payment-received', giro.ID, 'bounce')).data.record).toMatchObject({ Status: 7, ClearingDate: null })
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 1, Remaining: '2200000.00' })
    expect([await scene.balance('111303'), await scene.balance('111302')]).toEqual(['0.00', '0.00'])
    const order = await scene.order(makmur, [{ item: 'B', qty: '1' }])
    expect(order).toMatchObject({ Status: 4, BlockCodes: ['CL05'] })
    await scene.act('sales', 'sales-order', order.ID, 'recall')
    await scene.database.run(sql`update ar_payment set cancelled_at = '2026-01-01' where id = ${giro.ID}`)
  }
})

test('is found by the number on the paper, which is all a return slip names; why it came back stands in its history', async () => {
  const { giro } = await paid({ GiroNo: 'BG-778121' })
  const { cashier } = scene.people
  expect((await cashier.get('/api/v1/data/payment-received?search=bg-7781')).data.rows).toMatchObject([{ ID: giro.ID }])
  await scene.act('cashier', 'payment-received', giro.ID, 'bounce', { Note: 'Saldo tidak cukup' })
  expect(await scene.rows('document_log', sql`doc_type = 'ar_payment' and doc_id = ${giro.ID} and action = 'bounce'`)).toMatchObject([{ note: 'Saldo tidak cukup' }])
  await scene.database.run(sql`update ar_payment set cancelled_at = '2026-01-01' where id = ${giro.ID}`)
})

test('cleared by mistake it is reversed as any receipt', async () => {
  const { invoice, giro } = await paid()
  await clear(giro)
  await scene.act('cashier', 'payment-received', giro.ID, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
  await scene.decide('ar_payment', giro.ID)
  expect(await scene.read('payment-received', giro.ID)).toMatchObject({ Status: 7, ClearingDate: null })
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '2200000.00' })
  expect([await scene.balance('111303'), await scene.balance('111302')]).toEqual(['0.00', '0.00'])
})

test('not before its day, not in the future, not into a bank of others, and only a giro', async () => {
  const { giro } = await paid({ GiroDueDate: '2026-11-25' })
  expect((await clear(giro)).data.errors).toMatchObject([{ field: 'ClearingDate', text: 'A giro is not paid before its day, 25/11/2026.' }])
  const due = await paid()
  expect((await clear(due.giro, { ClearingDate: '2026-11-21' })).data.errors).toMatchObject([{ field: 'ClearingDate' }])
  const [other] = await scene.database.rows<{ id: number }>(sql`
    insert into house_bank (code, name, operating_unit_id, bank_id, account_no, account_name, gl_account_id) select 'BDG', 'BDG', (select id from operating_unit where code = 'BDG'), bank_id, '9', account_name, (select id from account where code = '111203')
    from house_bank where id = ${bank} returning id`)
  expect((await clear(due.giro, { HouseBankID: other?.id })).data.errors, 'a bank he does not see').toMatchObject([{ field: 'HouseBankID', key: 'field.NOT_IN_SCOPE' }])
  expect((await scene.tryAct('admin', 'payment-received', due.giro.ID, 'clear', { HouseBankID: other?.id })).data.errors).toMatchObject([{ field: 'HouseBankID', key: 'field.NOT_IN_SCOPE.unit-bank' }])
  expect((await scene.tryAct('sales', 'payment-received', due.giro.ID, 'clear', { HouseBankID: bank })).code).toBe('FORBIDDEN_GUARD')
})

test('GR1: what it paid too much and was used since is owed by a debit memo; the bank is never refused', async () => {
  const note = await scene.create('admin', 'credit-note', { CustomerID: await scene.at.id('customer', makmur), Kind: 'MANUAL', DocDate: today(), Dpp: '200000', Ppn: '0' })
  await scene.act('admin', 'credit-note', note.ID, 'submit')
  await scene.decide('credit_note', note.ID)
  const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
  const other = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
  papers += 1
  const giro = await scene.pay(makmur, '3000000', [{ InvoiceID: invoice.ID, Paid: '2200000', Credits: [{ Source: 'CREDIT_NOTE', SourceID: note.ID, Amount: '200000' }] }], { Method: 'GIRO', HouseBankID: null, GiroNo: `G${papers}`, GiroDueDate: '2026-11-20' })
  const [deposit] = await scene.rows('customer_deposit', sql`deposit_source_id = ${giro.ID}`)
  expect(deposit).toMatchObject({ amount: '1000000.00' })
  const use = await scene.pay(makmur, '0', [{ InvoiceID: other.ID, Paid: '600000', ReasonID: await scene.at.id('reason', 'R01'), Credits: [{ Source: 'DEPOSIT', SourceID: deposit.id, Amount: '600000' }] }])
  const back = await scene.tryAct('cashier', 'payment-received', giro.ID, 'bounce')
  expect(back.code).toBe('success')
  const [memo] = await scene.rows('invoice', sql`invoice_type = 'DEBIT_MEMO' and note like ${`%${giro.Code}%`}`)
  expect(memo).toMatchObject({ status: 1, total: '600000.00', remaining: '600000.00', due_date: today() })
  expect(await scene.journal('ar_payment', giro.ID, 'RCPT_GIRO_REV')).toEqual(['111303 0.00 3000000.00', '112101 2200000.00 200000.00', '212101 1000000.00 0.00'])
  expect(await scene.journal('invoice', memo.id, 'DEBIT_MEMO')).toEqual(['112101 600000.00 0.00', '212101 0.00 600000.00'])
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 1, Remaining: '2200000.00' })
  expect(await scene.read('credit-note', note.ID)).toMatchObject({ Status: 1, Remaining: '200000.00' })
  expect(await scene.rows('customer_deposit', sql`id = ${deposit.id}`)).toMatchObject([{ status: 3, remaining: '0.00' }])
  expect(await violations(scene.database, today())).toEqual([])
  // What used it is taken back as well: it is there again, and owed all the same.
  await scene.act('cashier', 'payment-received', use.ID, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
  await scene.decide('ar_payment', use.ID)
  expect(await scene.rows('customer_deposit', sql`id = ${deposit.id}`)).toMatchObject([{ status: 2, remaining: '600000.00' }])
  await scene.database.run(sql`update ar_payment set cancelled_at = '2026-01-01' where id = ${giro.ID}`)
})

test.each([false, true])('D55: the bank takes one back that it had credited, cleared by hand before: %s', async (byHand) => {
  const inHand = await scene.balance('111303')
  const { invoice, giro } = await paid()
  if (byHand) await clear(giro)
  await statement(giro)
  const before = await scene.balance('111201')
  const made = async (amount: string) => {
    const closing = String(Number(statements) - Number(amount))
    const drawn = await scene.create('admin', 'bank-statement', {
      HouseBankID: bank, DocDate: today(), StatementNo: `R${giro.ID}${amount}`, OpeningBalance: statements, ClosingBalance: closing, Lines: [{ ValueDate: today(), Debit: amount, MatchType: 'PAYMENT', ArPaymentID: giro.ID }],
    })
    await scene.act('admin', 'bank-statement', drawn.ID, 'submit')
    await scene.decide('bank_statement', drawn.ID).catch(async (error: unknown) => {
      await scene.decide('bank_statement', drawn.ID, 'reject')
      throw error
    })
    statements = closing
    return drawn
  }
  await expect(made('2199999')).rejects.toThrow('Line 1: no giro of this amount that this account was credited with')
  const drawn = await made('2200000')
  expect(await scene.read('payment-received', giro.ID)).toMatchObject({ Status: 7 })
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 1, Remaining: '2200000.00' })
  expect(Number(await scene.balance('111201'))).toBe(Number(before) - 2_200_000)
  expect([await scene.balance('111303'), await scene.balance('111302')]).toEqual([inHand, '0.00'])
  const refused = await scene.tryAct('admin', 'bank-statement', drawn.ID, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
  if (refused.status === 200) await expect(scene.decide('bank_statement', drawn.ID)).rejects.toThrow('took a giro back')
  await scene.database.run(sql`update ar_payment set cancelled_at = '2026-01-01' where id = ${giro.ID}`)
})

const giroActions = (actions: readonly string[] | undefined) => (actions ?? []).filter((action) => action === 'clear' || action === 'bounce')

test('what is done with giros is no action of other receipts: neither offered nor said to be impossible now, and refused', async () => {
  const { giro } = await paid()
  const money = await scene.pay(makmur, '5000000', [])
  const { cashier } = scene.people
  const offered = async (id: number): Promise<readonly string[]> => (await cashier.get(`/api/v1/data/payment-received/${id}/actions`)).data.records.map((one: Record) => one.Action)
  expect(giroActions(await offered(giro.ID))).toEqual(['clear', 'bounce'])
  expect(giroActions(await offered(money.ID))).toEqual([])
  expect(await offered(money.ID)).toContain('request-reversal')
  expect(giroActions((await scene.read('payment-received', giro.ID)).Actions)).toEqual(['clear', 'bounce'])
  expect(giroActions((await scene.read('payment-received', money.ID)).Actions)).toEqual([])
  // Also where the list does not show the column that decides.
  const rows = (await cashier.get('/api/v1/data/payment-received?length=100&columns=code')).data.rows as readonly Record[]
  expect([giro, money].map(({ ID }) => giroActions(rows.find((row) => row.ID === ID)?.Actions))).toEqual([['clear', 'bounce'], []])
  for (const action of ['clear', 'bounce']) {
    const refused = await scene.tryAct('cashier', 'payment-received', money.ID, action, action === 'clear' ? { HouseBankID: bank } : {})
    expect([refused.code, refused.data.key]).toEqual(['ILLEGAL_TRANSITION', 'problem.ILLEGAL_TRANSITION.not-for-this'])
  }
  // Several at once: each row says its own.
  const bulk = await cashier.post('/api/v1/data/payment-received/bulk/clear', { IDs: [money.ID, giro.ID], HouseBankID: bank }, { key: scene.key() })
  expect(bulk.data.results).toMatchObject([{ ID: money.ID, key: expect.stringContaining('ILLEGAL_TRANSITION.not-for-this') }, { ID: giro.ID, ok: true }])
})

test('a receipt that is closed without a line at the bank says so, and names no statement', async () => {
  const money = await scene.pay(makmur, '100000', [])
  await scene.database.run(sql`update ar_payment set status = 3 where id = ${money.ID}`)
  try {
    const refused = await scene.tryAct('cashier', 'payment-received', money.ID, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
    expect(refused.data.key).toBe('problem.ILLEGAL_TRANSITION.payment-closed')
    expect(refused.message).not.toMatch(/statement +has/)
  } finally {
    await scene.database.run(sql`update ar_payment set status = 1 where id = ${money.ID}`)
  }
})
