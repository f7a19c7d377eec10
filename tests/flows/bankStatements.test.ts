import { beforeAll, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let bank: number
beforeAll(async () => {
  scene = await openScene()
  bank = await scene.at.id('house_bank', 'BCA1')
})

const makmur = 'C0000001'
const today = () => scene.at.clock.today()
let transfers = 0

async function transfer(more: object = {}): Promise<Record> {
  const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
  transfers += 1
  return scene.pay(makmur, '2200000', [{ InvoiceID: invoice.ID, Paid: '2200000' }], { Method: 'TRANSFER', HouseBankID: bank, ReferenceNo: `TRF8800${transfers}`, ...more })
}

type Line = { readonly MatchType?: string; readonly ArPaymentID?: number; readonly ArPaymentCode?: string }
/** What the server says of a statement as typed. */
async function matched(lines: readonly object[], more: object = {}): Promise<{ readonly OpeningBalance?: string; readonly MoneyIn: string; readonly MoneyOut: string; readonly DiffAmount: string; readonly Lines: readonly Line[] }> {
  const answer = await scene.people.cashier.post('/api/v1/command/match-statement', { HouseBankID: bank, DocDate: today(), Lines: lines, ...more })
  expect(answer.status, answer.message).toBe(200)
  return answer.data.record as never
}

let numbers = 0
const enter = (lines: readonly object[], balances: { readonly OpeningBalance: string; readonly ClosingBalance: string }, more: object = {}): Promise<Record> =>
  scene.create('cashier', 'bank-statement', { HouseBankID: bank, DocDate: today(), StatementNo: `N${++numbers}`, Lines: lines, ...balances, ...more })
const submit = (statement: Record) => scene.tryAct('cashier', 'bank-statement', statement.ID, 'submit')

test('the cashier enters it, what is sure is suggested, the finance manager approves it, the money is in the bank', async () => {
  const [first, second] = [await transfer(), await transfer()]
  const lines = [
    { ValueDate: today(), Description: 'TRSF E-BANKING CR', Reference: second['ReferenceNo'], Credit: '2200000' },
    { ValueDate: today(), Description: 'TRSF E-BANKING CR', Credit: '2200000' },
    { ValueDate: today(), Description: 'BIAYA ADM NOV', Debit: '15000' },
  ]
  const said = await matched(lines, { ClosingBalance: '4385000' })
  expect(said).toMatchObject({ MoneyIn: '4400000.00', MoneyOut: '15000.00', DiffAmount: '0.00' })
  expect(said.OpeningBalance).toBeUndefined()
  expect(said.Lines.map(({ MatchType, ArPaymentCode }) => [MatchType, ArPaymentCode])).toEqual([['PAYMENT', second['Code']], [undefined, undefined], [undefined, undefined]])

  // A named receipt says what the line is.
  const statement = await enter(
    [{ ...lines[0], ArPaymentID: second.ID }, { ...lines[1], ArPaymentID: first.ID, MatchType: 'NONE' }, { ...lines[2], MatchType: 'CHARGE' }],
    { OpeningBalance: '0', ClosingBalance: '4385000' },
  )
  expect(await scene.read('bank-statement', statement.ID)).toMatchObject({ MoneyIn: '4400000.00', MoneyOut: '15000.00', DiffAmount: '0.00', Lines: [{ MatchType: 'PAYMENT' }, { MatchType: 'PAYMENT' }, { MatchType: 'CHARGE' }] })
  // What the bank is to book on a day to come is refused at its line.
  const ahead = await scene.people.cashier.post('/api/v1/data/bank-statement', { HouseBankID: bank, DocDate: today(), StatementNo: 'AHEAD', OpeningBalance: '0', ClosingBalance: '1', Lines: [lines[2], { ValueDate: addDays(today(), 1), Credit: '1' }] })
  expect(ahead).toMatchObject({ status: 422, data: { errors: [{ field: 'Lines[1].ValueDate', code: 'RULE' }] } })
  await scene.act('cashier', 'bank-statement', statement.ID, 'submit')
  await scene.decide('bank_statement', statement.ID)
  for (const receipt of [first, second]) expect(await scene.read('payment-received', receipt.ID)).toMatchObject({ Status: 3 })
  // Its lines are posted one by one; it shows the journals of all of them.
  const journals = (await scene.people.finance.get(`/api/v1/data/bank-statement/${statement.ID}/journal`)).data.records
  expect(journals.map((journal: Record) => journal['SourceEvent'])).toEqual(['BS_PAYMENT', 'BS_PAYMENT', 'BS_CHARGE'])
  expect(await scene.balance('111302')).toBe('0.00')
  expect(await violations(scene.database, today())).toEqual([])
})

test('one receipt or deposit stands on one line of a statement', async () => {
  const receipt = await transfer()
  const line = (id: unknown): object => ({ ValueDate: today(), Description: 'TRSF', Credit: '2200000', ArPaymentID: id })
  const deposit = await scene.create('admin', 'customer-deposit', { CustomerID: await scene.at.id('customer', makmur), Method: 'TRANSFER', Amount: '2200000', HouseBankID: bank })
  const body = (lines: readonly object[]): object => ({ HouseBankID: bank, DocDate: today(), StatementNo: 'TWICE', OpeningBalance: '0', ClosingBalance: '4400000', Lines: lines })
  const save = async (lines: readonly object[]): Promise<unknown> => (await scene.people.cashier.post('/api/v1/data/bank-statement', body(lines))).data
  expect(await save([line(receipt.ID), line(receipt.ID)])).toMatchObject({ errors: [{ field: 'Lines[1].ArPaymentID', code: 'DUPLICATE', text: 'It is on line 1 of this statement already.' }] })
  const kept = { ValueDate: today(), Description: 'TRSF', Credit: '2200000', CustomerDepositID: deposit.ID }
  expect(await save([kept, line(receipt.ID), kept])).toMatchObject({ errors: [{ field: 'Lines[2].CustomerDepositID', code: 'DUPLICATE' }] })
})

test('the next one opens where the last closed, and remembers what words were booked as', async () => {
  const said = await matched([{ ValueDate: today(), Description: 'Biaya adm DES', Debit: '15000' }, { ValueDate: today(), Description: 'BIAYA ADM', Credit: '15000' }])
  expect(said.OpeningBalance).toBe('4385000.00')
  expect(said.Lines.map(({ MatchType }) => MatchType)).toEqual([undefined, undefined])
  const [again] = (await matched([{ ValueDate: today(), Description: 'BIAYA ADM  NOV', Debit: '20000' }])).Lines
  expect(again).toMatchObject({ MatchType: 'CHARGE' })
})

test('what is confirmed already, of another account or taken by another line is not suggested', async () => {
  const other = await scene.at.id('house_bank', 'BCA-JKT')
  const elsewhere = await transfer({ HouseBankID: other })
  const here = await transfer()
  const of = (receipt: Record): object => ({ ValueDate: today(), Description: 'TRSF', Reference: receipt['ReferenceNo'], Credit: '2200000' })
  const said = await matched([of(elsewhere), of(here), of(here)])
  expect(said.Lines.map(({ ArPaymentID }) => ArPaymentID)).toEqual([undefined, here.ID, undefined])
  expect((await matched([{ ...of(here), ArPaymentID: here.ID }, of(here)])).Lines.map(({ ArPaymentID }) => ArPaymentID)).toEqual([here.ID, undefined])
  expect((await matched([{ ...of(here), MatchType: 'PAYMENT' }, { ...of(here), MatchType: 'DEPOSIT' }])).Lines.map(({ ArPaymentID }) => ArPaymentID)).toEqual([here.ID, undefined])
  // Only of one's own units.
  const answer = await scene.people.sales.post('/api/v1/command/match-statement', { HouseBankID: bank, Lines: [of(here)] })
  expect(answer.status).toBe(403)
})

test('it continues the one before: by its balance, its day and its number', async () => {
  const line = { ValueDate: today(), Description: 'BUNGA', Credit: '1000', MatchType: 'INTEREST' }
  const refused = async (statement: Record): Promise<unknown> => ((await submit(statement)).data as { errors: unknown }).errors
  expect(await refused(await enter([line], { OpeningBalance: '0', ClosingBalance: '1000' }))).toMatchObject([{ field: 'OpeningBalance', code: 'INVALID' }])
  expect(await refused(await enter([line], { OpeningBalance: '4385000', ClosingBalance: '4386000' }, { DocDate: '2026-01-02' }))).toMatchObject([{ field: 'DocDate', code: 'TOO_EARLY' }])
  expect(await refused(await enter([line], { OpeningBalance: '4385000', ClosingBalance: '4386001' }))).toMatchObject([{ field: 'ClosingBalance', code: 'INVALID' }])
  const twin = await scene.people.cashier.post('/api/v1/data/bank-statement', { HouseBankID: bank, DocDate: today(), StatementNo: 'n1', ClosingBalance: '0', Lines: [line] })
  expect(twin.data.errors).toMatchObject([{ field: 'StatementNo', code: 'DUPLICATE' }])
  const wrong = await scene.people.cashier.post('/api/v1/data/bank-statement', { HouseBankID: bank, DocDate: today(), StatementNo: 'X', ClosingBalance: '0', Lines: [{ ...line, ArPaymentID: (await transfer()).ID }] })
  expect(wrong.data.errors).toMatchObject([{ field: 'Lines[0].ArPaymentID', code: 'INVALID' }])
})

test('the bank numbers its statements: of two entered at once under one number one is refused, and a rejected one is not reopened beside its successor', async () => {
  const body = (no: string): object => ({ HouseBankID: bank, DocDate: today(), StatementNo: no, ClosingBalance: '0', Lines: [{ ValueDate: today(), Description: 'BUNGA', Credit: '1000', MatchType: 'INTEREST' }] })
  const answers = await Promise.all(['Twin', 'TWIN', 'twin'].map((no) => scene.people.cashier.post('/api/v1/data/bank-statement', body(no))))
  const refused = answers.filter(({ status }) => status !== 201 && status !== 200)
  expect(refused.map(({ data }) => (data as { errors?: unknown }).errors)).toEqual([1, 2].map(() => [expect.objectContaining({ field: 'StatementNo', code: 'DUPLICATE' })]))

  const first = await enter([{ ValueDate: today(), Description: 'BUNGA', Credit: '1', MatchType: 'INTEREST' }], { OpeningBalance: '4385000', ClosingBalance: '4385001' }, { StatementNo: 'R1' })
  await scene.act('cashier', 'bank-statement', first.ID, 'submit')
  await scene.decide('bank_statement', first.ID, 'reject')
  const reopen = () => scene.tryAct('cashier', 'bank-statement', first.ID, 'reopen')
  const second = await scene.create('cashier', 'bank-statement', body('r1'))
  expect((await reopen()).data).toMatchObject({ errors: [{ field: 'StatementNo', code: 'DUPLICATE' }] })
  expect(await scene.read('bank-statement', first.ID)).toMatchObject({ Status: 5 })
  expect((await scene.people.cashier.put(`/api/v1/data/bank-statement/${second.ID}`, body('r2'), { version: Number(second['Version']), key: scene.key() })).status).toBe(200)
  expect((await reopen()).status).toBe(200)
})

test('one that waits is continued by the next, but decided on first', async () => {
  const line = (amount: string): object => ({ ValueDate: today(), Description: `BUNGA ${amount}`, Credit: amount, MatchType: 'INTEREST' })
  const first = await enter([line('1000')], { OpeningBalance: '4385000', ClosingBalance: '4386000' })
  await scene.act('cashier', 'bank-statement', first.ID, 'submit')
  const second = await enter([line('2000')], { OpeningBalance: '4386000', ClosingBalance: '4388000' })
  await scene.act('cashier', 'bank-statement', second.ID, 'submit')
  await expect(scene.decide('bank_statement', second.ID)).rejects.toThrow('The statement before closed at 4,385,000')
  await scene.decide('bank_statement', first.ID)
  await scene.decide('bank_statement', second.ID)
  expect(await violations(scene.database, today())).toEqual([])
})

test('a movement that is on another statement in the same words asks before it is there twice', async () => {
  const receipt = await transfer()
  const [unknown, known] = [{ ValueDate: today(), Description: 'SETORAN TUNAI', Credit: '50000', MatchType: 'UNIDENTIFIED' }, { ValueDate: today(), Description: 'TRSF', Reference: receipt['ReferenceNo'], Credit: '2200000', ArPaymentID: receipt.ID }]
  const first = await enter([unknown], { OpeningBalance: '4388000', ClosingBalance: '4438000' })
  await scene.act('cashier', 'bank-statement', first.ID, 'submit')
  await scene.decide('bank_statement', first.ID)
  const second = await enter([known, unknown], { OpeningBalance: '4438000', ClosingBalance: '6688000' })
  const asked = await submit(second)
  expect(asked).toMatchObject({ code: 'WARNINGS', data: { warnings: [{ id: 'STATEMENT_TWICE', params: { count: 1, line: 2 } }] } })
  expect(await scene.read('bank-statement', second.ID)).toMatchObject({ Status: 0 })
  await scene.database.run(sql`delete from bank_statement_line where bank_statement_id = ${second.ID}`)
})

test('the last one of an account is undone: its lines are mirrored, what it confirmed waits again, the same number is entered anew', async () => {
  await scene.database.run(sql`update credit_limit set amount = 1000000000`)
  const giro = async (n: number): Promise<Record> => transfer({ Method: 'GIRO', HouseBankID: null, GiroNo: `U${n}`, GiroDueDate: '2026-11-20' })
  const [money, paper, cleared] = [await transfer(), await giro(1), await giro(2)]
  await scene.act('cashier', 'payment-received', cleared.ID, 'clear', { HouseBankID: bank })
  const before = [await scene.balance('111302'), await scene.balance('111303'), await scene.balance('212102')]
  const opening = String((await matched([])).OpeningBalance)
  const confirmed = [money, paper, cleared].map((receipt) => ({ ValueDate: today(), Description: 'TRSF', Credit: '2200000', ArPaymentID: receipt.ID }))
  const others = [{ ValueDate: today(), Description: 'ADM', Debit: '10000', MatchType: 'CHARGE' }, { ValueDate: today(), Description: 'SETORAN', Credit: '2200000', MatchType: 'UNIDENTIFIED' }]
  const closing = String(Number(opening) + 8_790_000)
  const statement = await enter([...confirmed, ...others], { OpeningBalance: opening, ClosingBalance: closing }, { StatementNo: 'UNDONE' })
  await scene.act('cashier', 'bank-statement', statement.ID, 'submit')
  await scene.decide('bank_statement', statement.ID)
  expect(await scene.read('payment-received', paper.ID)).toMatchObject({ Status: 3, ClearingDate: today(), HouseBankID: bank })

  const undo = async (who: 'admin' | 'cashier', id: number) => scene.tryAct(who, 'bank-statement', id, 'reverse', { ReasonID: await scene.at.id('reason', 'V02') })
  expect((await undo('cashier', statement.ID)).code).toBe('FORBIDDEN_GUARD')
  const next = await enter([{ ValueDate: today(), Description: 'BUNGA', Credit: '1', MatchType: 'INTEREST' }], { OpeningBalance: closing, ClosingBalance: String(Number(closing) + 1) })
  await scene.act('cashier', 'bank-statement', next.ID, 'submit')
  expect(await undo('admin', statement.ID)).toMatchObject({ code: 'ILLEGAL_TRANSITION', message: expect.stringContaining('continues this statement') })
  await scene.act('cashier', 'bank-statement', next.ID, 'recall')

  // Unidentified money somebody has put to an invoice keeps the statement it came on.
  const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
  const used = await scene.pay(makmur, '2200000', [{ InvoiceID: invoice.ID, Paid: '2200000' }], { Method: 'UNIDENTIFIED', HouseBankID: bank })
  expect(await undo('admin', statement.ID)).toMatchObject({ code: 'ILLEGAL_TRANSITION', message: expect.stringContaining('have used unidentified money') })
  await scene.act('admin', 'payment-received', used.ID, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
  await scene.decide('ar_payment', used.ID, 'approve').catch(() => undefined)
  expect(await scene.read('payment-received', used.ID)).toMatchObject({ Status: 7 })

  expect((await undo('admin', statement.ID)).data.record).toMatchObject({ Status: 7 })
  expect(await scene.read('payment-received', money.ID)).toMatchObject({ Status: 1, HouseBankID: bank, BankStatementLineID: null })
  expect(await scene.read('payment-received', paper.ID)).toMatchObject({ Status: 1, HouseBankID: null, ClearingDate: null })
  expect(await scene.read('payment-received', cleared.ID)).toMatchObject({ Status: 3, HouseBankID: bank, ClearingDate: today() })
  expect([await scene.balance('111302'), await scene.balance('111303'), await scene.balance('212102')]).toEqual(before)
  expect(await violations(scene.database, today())).toEqual([])
  expect((await undo('admin', statement.ID)).code).toBe('ILLEGAL_TRANSITION')

  // As it should have been: without the charge the bank never took.
  const again = await enter(confirmed, { OpeningBalance: opening, ClosingBalance: String(Number(opening) + 6_600_000) }, { StatementNo: 'UNDONE' })
  await scene.act('cashier', 'bank-statement', again.ID, 'submit')
  await scene.decide('bank_statement', again.ID)
  for (const receipt of [money, paper, cleared]) expect(await scene.read('payment-received', receipt.ID)).toMatchObject({ Status: 3, HouseBankID: bank })
  expect(await violations(scene.database, today())).toEqual([])
})

test('lines in closed months are told when it is submitted, all of them at once, where their days were entered', async () => {
  const periods = (status: string) => scene.database.run(sql`update accounting_period set status = ${status} where period in ('202609', '202610') and module = 'CB'`)
  const before = await scene.database.first<{ closing_balance: string }>(sql`select closing_balance from bank_statement where house_bank_id = ${bank} and status = 3 order by doc_date desc, id desc limit 1`)
  const opening = before?.closing_balance ?? '0'
  const interest = (ValueDate: string) => ({ ValueDate, Description: `Interest ${ValueDate}`, Credit: '10', MatchType: 'INTEREST' })
  const statement = await enter([interest('2026-09-30'), interest(today()), interest('2026-10-30'), interest('2026-10-31')], { OpeningBalance: opening, ClosingBalance: String(Number(opening) + 40) })
  await periods('CLOSED')
  const refused = await submit(statement)
  expect(refused).toMatchObject({ code: 'PERIOD_CLOSED', data: { errors: ['Lines[0]', 'Lines[2]', 'Lines[3]'].map((line) => ({ field: `${line}.ValueDate`, code: 'PERIOD_CLOSED' })) } })
  await periods('OPEN')
  expect((await submit(statement)).status).toBe(200)
})
