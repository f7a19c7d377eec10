import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

test('G15: two cashiers take the same invoice; one is too late', async () => {
  const invoice = await scene.invoiced('C0000001', [{ item: 'D', qty: '1' }])
  const drafts = await Promise.all([1, 2].map(() => scene.draftPayment('C0000001', '2200000', [{ InvoiceID: invoice.ID, Paid: '2200000' }])))
  const answers = await Promise.all(drafts.map((draft) => scene.tryAct('cashier', 'payment-received', draft.ID, 'post')))
  expect(answers.map((answer) => answer.code).sort()).toEqual(['EXCEEDS_REMAINING', 'success'])
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '0.00', Status: 3 })
  expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
})

test('G16: fifty invoices at once have fifty numbers in a row', async () => {
  const issues: Record[] = []
  for (let i = 0; i < 50; i++) issues.push((await scene.delivered(i % 2 === 0 ? 'C0000001' : 'C0000002', [{ item: 'A', qty: '1' }, { item: 'B', qty: '1' }])).issue)
  const [before] = await scene.database.rows<{ n: number }>(sql`select count(*)::int as n from invoice`)
  const answers = await Promise.all(issues.map((issue) => scene.people.billing.post('/api/v1/command/bill-deliveries', { IDs: [issue.id], InvoiceDate: '2026-11-20' }, { key: scene.key() })))
  expect(answers.map((answer) => answer.code).filter((code) => code !== 'success')).toEqual([])
  expect(answers.flatMap((answer) => answer.data.results).filter((row: Record) => !row.ok)).toEqual([])
  const codes = (await scene.rows('invoice')).map((invoice) => Number(String(invoice.code).slice(-5))).sort((a, b) => a - b)
  expect(codes).toEqual(Array.from({ length: (before?.n ?? 0) + 50 }, (_, i) => i + 1))
  expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
}, 300_000)

test('the same command sent twice is done once', async () => {
  const { issue } = await scene.delivered('C0000001', [{ item: 'A', qty: '2' }])
  const key = scene.key()
  const body = { IDs: [issue.id], InvoiceDate: '2026-11-20' }
  const [first, second] = [await scene.people.billing.post('/api/v1/command/bill-deliveries', body, { key }), await scene.people.billing.post('/api/v1/command/bill-deliveries', body, { key })]
  expect(second.data).toEqual(first.data)
  expect((await scene.people.billing.post('/api/v1/command/bill-deliveries', { ...body, InvoiceDate: '2026-11-21' }, { key })).code).toBe('DUPLICATE_REQUEST')
  const again = await scene.command('billing', 'bill-deliveries', body)
  expect(again.results).toMatchObject([{ ok: false }])
})

test('two statements of one account decided at once: only one continues the balance', async () => {
  const bank = await scene.at.id('house_bank', 'BCA1')
  const statements = await Promise.all(
    ['A', 'B'].map((no) => scene.create('admin', 'bank-statement', {
      HouseBankID: bank, StatementNo: no, OpeningBalance: '0', ClosingBalance: '-7500', Lines: [{ ValueDate: '2026-11-20', Debit: '7500', MatchType: 'CHARGE' }],
    })),
  )
  // Each was sent while the other was not seen.
  for (const [i, statement] of statements.entries()) {
    if (i > 0) await scene.database.run(sql`update bank_statement set status = 0`)
    await scene.act('admin', 'bank-statement', statement.ID, 'submit')
  }
  await scene.database.run(sql`update bank_statement set status = 4`)
  await Promise.allSettled(statements.map((statement) => scene.decide('bank_statement', statement.ID)))
  expect((await scene.rows('bank_statement', sql`status = 3`)).length).toBe(1)
  expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
})
