import { beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

const idOf = async (module: string, period = '202611') => Number((await scene.database.first<{ id: number }>(sql`select id from accounting_period where period = ${period} and module = ${module}`))?.id)
/** What closing a module answers: what stands in the way, each with where it is seen. */
const closing = async (module: string) => (await scene.command('finance', 'close-period', { IDs: [await idOf(module)] })).results[0]
const move = async (command: string, modules: readonly string[], more: object = {}) => {
  const { results } = await scene.command('finance', command, { IDs: await Promise.all(modules.map((module) => idOf(module))), ...more })
  expect(results.filter((result: Record) => !result.ok)).toEqual([])
}
/** The same in words, and a module that nothing kept open is opened again. */
const inTheWay = async (module: string): Promise<readonly string[]> => {
  const { ok, obstacles } = await closing(module)
  if (ok === true) await move('reopen-period', [module], { ReasonText: 'only asked' })
  return (obstacles ?? []).map(({ text, path }: Record) => `${text} ${path ?? '-'}`)
}
const november = 'doc_date=gte%3A%222026-11-01%22&f.doc_date=lte%3A%222026-11-30%22'

describe('a month is not closed over what is not done in it', () => {
  test('sales: an order that waits for a decision', async () => {
    const order = await scene.order('C0000001', [{ item: 'C', qty: '40' }])
    expect(order['Status']).toBe(4)
    expect(await closing('SD')).toMatchObject({ ok: false, text: 'Sales 11/2026 cannot be closed yet.' })
    expect(await inTheWay('SD')).toEqual([`Sales order: 1 not booked /sales-order-list?f.status=in%3A%5B4%5D&f.${november}&view=standard`])
    await scene.decide('sales_order', order['ID'], 'reject')
    expect(await inTheWay('SD')).toEqual([])
  })

  test('stock: a delivery that is planned and not issued', async () => {
    const order = await scene.order('C0000001', [{ item: 'A', qty: '24' }])
    const [delivery] = await scene.plan(order)
    expect(await inTheWay('ST')).toEqual([expect.stringMatching(/^Delivery order: 1 not booked \//)])
    await scene.issue(delivery ?? {})
    expect(await inTheWay('ST')).toEqual([])
  })

  test('sales: goods long issued and not billed ask, and are closed over only when somebody says so', async () => {
    await scene.moveTo('2026-11-28T09:00:00+07:00')
    const ids = { IDs: [await idOf('SD')] }
    const asked = (await scene.people.finance.post('/api/v1/command/close-period', ids, { key: scene.key() })).data.results[0]
    expect([asked.ok, asked.warnings.map(({ text }: Record) => text)]).toEqual([false, [expect.stringMatching(/^1 deliver/)]])
    const [{ path }] = asked.warnings[0].obstacles
    expect(path).toMatch(/^\/(billing|delivery_plan)\?.*f\.posting_date=lte/)
    const done = (await scene.people.finance.post('/api/v1/command/close-period', ids, { key: scene.key(), acknowledge: asked.warnings.map(({ id }: Record) => id) })).data.results[0]
    expect(done).toMatchObject({ ok: true, text: 'Sales 11/2026 is now Closed.' })
    await move('reopen-period', ['SD'], { ReasonText: 'to be billed' })
    const [issue] = await scene.rows('goods_issue', sql`status = 1`)
    await scene.bill([Number(issue?.['id'])])
  })

  test('receivables and cash: a receipt that is not posted', async () => {
    const payment = await scene.draftPayment('C0000001', '100000', [])
    expect(await inTheWay('AR')).toEqual([expect.stringMatching(/^Customer payment: 1 not booked \/finance\/account-receivable\/payment-received\?/)])
    expect(await inTheWay('CB')).toEqual([expect.stringMatching(/^Customer payment: 1 not booked \//)])
    await scene.database.run(sql`update ar_payment set status = 6 where id = ${payment['ID']}`)
  })

  test('cash: a bank statement leads to its list, its lines too; what no list shows is named, with account, day and amount', async () => {
    const bank = await scene.at.id('house_bank', 'BCA1')
    const unit = await scene.at.id('operating_unit', 'JKT')
    const [statement] = await insertRows(scene.database, 'bank_statement', [{ operating_unit_id: unit, doc_date: '2026-11-20', status: 4, house_bank_id: bank, statement_no: '20', opening_balance: '0', closing_balance: '1500000', money_in: '1500000' }])
    await insertRows(scene.database, 'bank_statement_line', [{ bank_statement_id: statement, line_no: 1, value_date: '2026-11-19', description: 'TRSF MAKMUR', debit: '0', credit: '1500000', match_type: 'NONE' }])
    const list = /\/finance\/bank-statement\?.*doc_date/.source
    expect(await inTheWay('CB')).toEqual([expect.stringMatching(`^Bank statement: 1 not booked ${list}`), expect.stringMatching(`^Bank lines not matched: 1 ${list}`)])
    await scene.database.run(sql`delete from bank_statement_line where bank_statement_id = ${statement}`)
    await scene.database.run(sql`delete from bank_statement where id = ${statement}`)
  })

  test('tax: invoices without a tax invoice, then tax invoices without an answer', async () => {
    expect(await inTheWay('TX')).toEqual([
      expect.stringMatching(/^1 invoice has no tax invoice \/billing\?tab=invoices&.*f\.code=in%3A%5B%22INV%2FJKT%2F2611%2F00001%22%5D/), expect.stringMatching(/^Tax invoices of the month, where they are drafted \/master\/tax-invoice\?/),
    ])
    await scene.command('admin', 'draft-tax-invoices', { Period: '202611' })
    expect(await inTheWay('TX')).toEqual([expect.stringMatching(/^1 tax invoice .*\/master\/tax-invoice\?.*DRAFT/)])
    await scene.database.run(sql`update tax_invoice set status = 'APPROVED', faktur_number = '04002600000000001', approved_on = '2026-11-28'`)
  })

  test('receivables and ledger: books that contradict each other', async () => {
    await scene.database.run(sql`update invoice set remaining = remaining - 1 where status = 1`)
    const told = await inTheWay('AR')
    expect(told.length).toBeGreaterThan(0)
    expect(told.every((text) => text.includes('I'))).toBe(true)
    await scene.database.run(sql`update invoice set remaining = remaining + 1 where status = 1`)
    expect(await inTheWay('AR')).toEqual([])
  })

  test('the ledger: closes last and opens first', async () => {
    expect((await inTheWay('GL')).map((text) => text.split(' is ')[0])).toEqual(['Payables', 'Receivables', 'Cash and bank', 'Sales', 'Stock', 'Tax'])
    await move('close-period', ['SD', 'ST', 'AR', 'AP', 'CB', 'TX'])
    await move('close-period', ['GL'])
    const again = (await scene.command('finance', 'reopen-period', { IDs: [await idOf('AR')], ReasonText: 'one more' })).results[0]
    expect(again).toMatchObject({ ok: false, key: 'problem.ILLEGAL_TRANSITION.ledger-closed' })
    await move('reopen-period', ['GL'], { ReasonText: 'one more' })
    await move('reopen-period', ['AR', 'CB'], { ReasonText: 'one more' })
  })

  test('a whole month chosen at once goes in that order by itself, closed and opened again', async () => {
    const all = ['TX', 'GL', 'SD', 'ST', 'AR', 'AP', 'CB']
    await move('reopen-period', ['SD', 'ST', 'AP', 'TX'], { ReasonText: 'all of it' })
    await move('close-period', all)
    await move('reopen-period', all, { ReasonText: 'all of it' })
  })
})

test('by the form it is closed with a reason, and opened again only with another; the history says both', async () => {
  const id = await idOf('AP', '202610')
  const put = async (body: object, acknowledge: readonly string[] = []) => {
    const { Version } = await scene.read('accounting-period', id)
    return scene.people.finance.put(`/api/v1/data/accounting-period/${id}`, body, { version: Version, key: scene.key(), acknowledge })
  }
  expect((await put({ Status: 'CLOSED', ReasonText: 'nothing owed' })).data.record).toMatchObject({ Status: 'CLOSED', ReasonText: 'nothing owed', ClosedByName: expect.any(String) })
  for (const body of [{ Status: 'OPEN' }, { Status: 'OPEN', ReasonText: 'nothing owed' }])
    expect((await put(body)).data.errors).toEqual([expect.objectContaining({ field: 'ReasonText', key: 'field.REQUIRED.reopen' })])
  expect((await put({ Status: 'OPEN', ReasonText: 'one came late' })).data.record).toMatchObject({ Status: 'OPEN', ReasonText: 'one came late', ClosedBy: null })
  const { records } = (await scene.people.finance.get(`/api/v1/data/accounting-period/${id}/history`)).data
  const changes = records.map(({ Diff }: Record) => Diff.filter(({ Field }: Record) => Field === 'status' || Field === 'reason_text').map(({ From, To }: Record) => [From, To]))
  expect(changes).toEqual(expect.arrayContaining([[['OPEN', 'CLOSED'], [null, 'nothing owed']], [['CLOSED', 'OPEN'], ['nothing owed', 'one came late']]]))
})

test('a month that has not begun is neither closed nor begun to be closed', async () => {
  const december = { IDs: [await idOf('SD', '202612')] }
  for (const command of ['close-period', 'begin-closing']) {
    const { results } = await scene.command('finance', command, december)
    expect(results).toMatchObject([{ ok: false, code: 'ILLEGAL_TRANSITION', text: 'Sales 12/2026 has not begun: what is to come is not closed.' }])
  }
  expect(await scene.read('accounting-period', december.IDs[0] ?? 0)).toMatchObject({ Status: 'OPEN' })
})

test('once closing has begun only who closes the books posts', async () => {
  await move('begin-closing', ['AR', 'CB'])
  expect(await scene.rows('accounting_period', sql`period = '202611' and status = 'CLOSING'`)).toHaveLength(2)
  const payment = await scene.draftPayment('C0000001', '100000', [])
  expect(await scene.tryAct('cashier', 'payment-received', payment['ID'], 'post')).toMatchObject({ code: 'PERIOD_CLOSED', message: 'Period 11/2026 for Receivables, Cash and bank in JKT is being closed: only those who close the books still post into it.', data: { errors: [{ field: 'PaymentDate' }] } })
  expect((await scene.tryAct('finance', 'payment-received', payment['ID'], 'post', {}, { acknowledge: ['PAYS_NOTHING'] })).data.record).toMatchObject({ Status: 1 })
  expect((await scene.people.billing.post('/api/v1/command/begin-closing', { IDs: [await idOf('SD')] }, { key: scene.key() })).code).toBe('FORBIDDEN_GUARD')
  await move('close-period', ['AR', 'CB'])
})

test('a month the calendar does not have: before it closed, after it not open yet, and a server that has run all year opens the next in time', async () => {
  const days = async (): Promise<number> => Number((await scene.database.first<{ n: number }>(sql`select count(*)::int as n from accounting_period where year = 2027`))?.n)
  const told = async (payment: Record, action = 'post'): Promise<unknown> => (await scene.tryAct('cashier', 'payment-received', payment['ID'], action, {}, { acknowledge: ['PAYS_NOTHING'] })).message
  const draft = await scene.draftPayment('C0000001', '100000', [])
  await scene.database.run(sql`update ar_payment set payment_date = '2024-12-30' where id = ${draft['ID']}`)
  expect(await told(draft, 'submit')).toBe('Period 12/2024 for Receivables, Cash and bank, General ledger in JKT is closed. Choose a day of an open period, or have it reopened by whoever closes the books.')
  await scene.moveTo('2026-12-24T09:00:00+07:00')
  await keepCalendar(scene.database, scene.at.clock)
  expect(await days()).toBe(0)
  await scene.moveTo('2027-01-04T09:00:00+07:00')
  const early = await scene.draftPayment('C0000001', '100000', [])
  expect(await told(early)).toBe('Period 01/2027 for Receivables, Cash and bank, General ledger in JKT is not open yet. Choose a day of an open period, or have it opened by whoever closes the books.')
  await scene.moveTo('2026-12-25T09:00:00+07:00')
  await Promise.all([1, 2].map(() => keepCalendar(scene.database, scene.at.clock)))
  expect(await days()).toBe(12 * 7)
  await scene.moveTo('2027-01-04T09:00:00+07:00')
  expect(await told(early)).toBe('OK')
})
