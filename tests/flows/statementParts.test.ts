import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let bank = 0
const makmur = 'C0000001'
const today = () => scene.at.clock.today()
beforeAll(async () => {
  scene = await openScene()
  bank = await scene.at.id('house_bank', 'BCA1')
})
afterEach(async () => expect(await violations(scene.database, today())).toEqual([]))

let numbers = 0
let opening = 0
/** Money that came by transfer; it stays a deposit. */
const received = (amount: string) => scene.pay(makmur, amount, [])
async function entered(lines: readonly (readonly [credit: string, more?: object])[], parts: readonly (readonly [line: number, receipt: Record, amount: string])[]): Promise<Record> {
  const total = lines.reduce((all, [credit]) => all + Number(credit), 0)
  return scene.create('admin', 'bank-statement', {
    HouseBankID: bank, DocDate: today(), StatementNo: `P-${(numbers += 1)}`, OpeningBalance: String(opening), ClosingBalance: String(opening + total),
    Lines: lines.map(([Credit, more]) => ({ ValueDate: today(), Credit, Description: `MASUK ${Credit} ${numbers}`, MatchType: 'PARTS', ...more })),
    BankStatementPart: parts.map(([StatementLine, receipt, Amount]) => ({ StatementLine, ArPaymentID: receipt.ID, Amount })),
  })
}
const submit = async (made: Record) => scene.people.admin.post(`/api/v1/data/bank-statement/${made.ID}/submit`, {}, { key: scene.key(), version: made.Version })
async function posted(made: Record): Promise<Record> {
  expect(await submit(made)).toMatchObject({ status: 200 })
  await scene.decide('bank_statement', made.ID)
  const statement = await scene.read('bank-statement', made.ID)
  opening = Number(statement.ClosingBalance)
  return statement
}
async function undone(made: Record): Promise<void> {
  await scene.act('admin', 'bank-statement', made.ID, 'reverse', { ReasonID: await scene.at.id('reason', 'V02') })
  opening = Number(made.OpeningBalance)
}
const stand = async (receipt: Record) => {
  const [row] = await scene.rows('ar_payment', sql`id = ${receipt.ID}`)
  return [row.status, row.bank_confirmed]
}
const journals = async (statement: Record) => Promise.all((await scene.rows('bank_statement_line', sql`bank_statement_id = ${statement.ID}`)).map(({ id }) => scene.journal('bank_statement_line', id)))

describe('lines of a statement and receipts, several to several', () => {
  test('one line is three receipts, one of them only in part; the rest of it comes in a line of its own', async () => {
    const [a, b, c] = [await received('2000000'), await received('3000000'), await received('10000000')]
    const first = await posted(await entered([['9000000']], [[1, a, '2000000'], [1, b, '3000000'], [1, c, '4000000']]))
    expect(await journals(first)).toEqual([['111201 9000000.00 0.00', '111302 0.00 9000000.00']])
    expect([await stand(a), await stand(b), await stand(c)]).toEqual([[3, '2000000.00'], [3, '3000000.00'], [1, '4000000.00']])
    const monitored = await scene.people.admin.get('/api/v1/report/monitoring-coa.report', { date_from: today(), date_to: today(), filter: JSON.stringify({ account_code: { eq: '111302' }, operating_unit_code: { eq: 'JKT' } }), length: 10 })
    expect(monitored.data.rows).toMatchObject([{ Closing: '6000000.00', Subledger: '6000000.00', Difference: '0.00' }])
    // What the bank has shown of it is no receipt to be taken back.
    const { code, data } = await scene.tryAct('cashier', 'payment-received', c.ID, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
    expect([code, data.key]).toEqual(['ILLEGAL_TRANSITION', 'problem.ILLEGAL_TRANSITION.payment-confirmed'])
    // The line for its rest alone is found by its amount.
    const second = await posted(await entered([['6000000', { MatchType: 'PAYMENT', ArPaymentID: c.ID }]], []))
    expect(await journals(second)).toEqual([['111201 6000000.00 0.00', '111302 0.00 6000000.00']])
    expect((await stand(c))[0]).toBe(3)
    expect(await scene.balance('111302')).toBe('0.00')
    await undone(second)
    expect(await stand(c)).toEqual([1, '4000000.00'])
    await undone(first)
    expect([await stand(a), await stand(b), await stand(c)]).toEqual([[1, '0.00'], [1, '0.00'], [1, '0.00']])
    expect(await scene.balance('111302')).toBe('15000000.00')
  })

  test('two lines are one receipt and part of another; a few rupiah short or over are differences of the bank', async () => {
    const [a, b] = [await received('1250000'), await received('800000')]
    const statement = await posted(await entered([['1000000'], ['1049500'], ['300']].slice(0, 2) as [string][], [[1, a, '1000000'], [2, a, '250000'], [2, b, '799500']]))
    // 800,000 came as 799,500: Dr 613102.
    expect(await journals(statement)).toEqual([['111201 1000000.00 0.00', '111302 0.00 1000000.00'], ['111201 1049500.00 0.00', '111302 0.00 1050000.00', '613102 500.00 0.00']])
    expect([await stand(a), await stand(b)]).toEqual([[3, '1250000.00'], [3, '799500.00']])
    const over = await received('500000')
    const next = await posted(await entered([['500400']], [[1, over, '500000']]))
    expect(await journals(next)).toEqual([['111201 500400.00 0.00', '111302 0.00 500000.00', '421101 0.00 400.00']])
  })

  test('never more than the line shows, nor than is to come of a receipt, nor one twice', async () => {
    const [a, b] = [await received('700000'), await received('900000')]
    const refused = async (lines: readonly (readonly [string, object?])[], parts: readonly (readonly [number, Record, string])[]) => {
      const made = await entered(lines, parts)
      const answer = await submit(made)
      const errors = (answer.data.errors ?? []).map(({ field, key }: Record) => [field, key])
      if (answer.status !== 200) return errors
      await scene.decide('bank_statement', made.ID).catch((error: unknown) => errors.push(String(error)))
      await scene.decide('bank_statement', made.ID, 'reject')
      return errors
    }
    expect(await refused([['1000000']], [[1, a, '700000'], [1, b, '300001']])).toEqual([['BankStatementPart[1].Amount', 'field.EXCEEDS_REMAINING.most']])
    expect(await refused([['1400000']], [[1, a, '700000'], [1, a, '700000']])).toEqual([['BankStatementPart[1].ArPaymentID', 'field.DUPLICATE.line']])
    expect(await refused([['700000']], [[2, a, '700000']])).toEqual([['BankStatementPart[0].StatementLine', 'field.NOT_A_CHOICE.parted-line'], ['Lines[0].MatchType', 'field.REQUIRED.match']])
    expect(await refused([['2000000']], [[1, a, '700000'], [1, b, '300000']])).toEqual([expect.stringContaining('the bank shows 2,000,000.00, its parts come to 1,000,000.00')])
    expect(await refused([['700001']], [[1, a, '700001']])).toEqual([expect.stringContaining('700,000.00 is still to come')])
    expect([await stand(a), await stand(b)]).toEqual([[1, '0.00'], [1, '0.00']])
  })
})
