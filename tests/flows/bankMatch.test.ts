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
afterEach(async () => expect(await violations(scene.database, today())).toEqual([]))

const today = () => scene.at.clock.today()
/** A transfer of so much of a customer, posted. */
const received = (customer: string, amount: string, reference: string | null = null): Promise<Record> => scene.pay(customer, amount, [], { ReferenceNo: reference })
const rows = () => scene.rows('bank_match')
const lines = async (statement: Record): Promise<Record[]> => (await scene.read('bank-statement', statement.ID)).Lines
let opening = 0
const statement = (moves: readonly (readonly [credit: number, text: string])[]): Promise<Record> => {
  const close = opening + moves.reduce((sum, [credit]) => sum + credit, 0)
  return scene.create('cashier', 'bank-statement', {
    HouseBankID: bank, DocDate: today(), StatementNo: `M-${close}`, OpeningBalance: String(opening), ClosingBalance: String(close), Lines: moves.map(([Credit, Description]) => ({ ValueDate: today(), Credit: String(Credit), Description })),
  })
}

let made: Record
test('BK1: two receipts of the same amount are both offered and neither is the only one; one taken, the other stays open', async () => {
  const [one, other] = [await received('C0000001', '1250000'), await received('C0000002', '1250000')]
  const marked = await received('C0000001', '2000000', 'TRF-7788')
  const short = await received('C0000002', '700500')
  made = await statement([[1250000, 'TRANSFER'], [2000000, 'MAKMUR TRF-7788'], [700000, 'SETORAN']])
  const found = await rows()
  expect(found.map((row) => [row.ar_payment_id, row.credit, row.points, row.is_only])).toEqual([
    [one.ID, '1250000.00', 60, false], [other.ID, '1250000.00', 60, false], [marked.ID, '2000000.00', 90, true], [short.ID, '700000.00', 40, false],
  ])
  const { results } = await scene.command('cashier', 'take-match', { IDs: found.map(({ id }) => id) })
  expect(results.map(({ ok }: Record) => ok)).toEqual([true, false, true, true])
  expect((await lines(made)).map(({ MatchType, ArPaymentID }) => [MatchType, ArPaymentID])).toEqual([['PAYMENT', one.ID], ['PAYMENT', marked.ID], ['PAYMENT', short.ID]])
  // The other waits for a line of its own, and what is taken is offered to no second line.
  const second = await statement([[1250000, 'TRANSFER']])
  expect((await rows()).filter(({ is_taken: isTaken }) => isTaken === false).map((row) => [row.bank_statement_id, row.ar_payment_id, row.is_only])).toEqual([[second.ID, other.ID, true]])
  await scene.database.run(sql`delete from bank_statement_line where bank_statement_id = ${second.ID}`)
})

test('a match is undone and made again; the statement posts it, the difference within the tolerance', async () => {
  const [first] = await rows()
  await scene.command('cashier', 'release-match', { IDs: [first?.id] })
  expect((await lines(made))[0]).toMatchObject({ MatchType: 'NONE', ArPaymentID: null })
  await scene.command('cashier', 'take-match', { IDs: [first?.id] })
  await scene.act('cashier', 'bank-statement', made.ID, 'submit')
  await scene.decide('bank_statement', made.ID)
  opening = 3_950_000
  expect(await scene.read('payment-received', first?.ar_payment_id)).toMatchObject({ Status: 3 })
  expect(await scene.balance('111302')).toBe('1250000.00')
  expect(await scene.balance('613102')).toBe('500.00')
  expect((await rows()).filter(({ bank_statement_id: id }) => id === made.ID)).toEqual([])
})

test('a difference beyond the tolerance is not offered; who may not match is refused', async () => {
  await received('C0000001', '900000')
  await statement([[901001, 'TRANSFER']])
  expect((await rows()).filter(({ credit }) => credit === '901001.00')).toEqual([])
  expect((await scene.people.sales.post('/api/v1/command/take-match', { IDs: [1] }, { key: scene.key() })).status).toBe(403)
})
