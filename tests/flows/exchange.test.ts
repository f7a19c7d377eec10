import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const makmur = 'C0000001'
const id = (table: string, code: string) => scene.at.id(table, code)
let customer: number

beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  customer = await id('customer', makmur)
  // EX1 ten months later: thirty days from the day the buyer receives the invoice.
  await scene.database.run(sql`update payment_term set net_days = 30, baseline = 'TTF' where id = (select payment_term_id from customer where id = ${customer})`)
  await scene.database.run(sql`update customer set requires_ttf = true where id = ${customer}`)
  await moveTo('2026-11-28T03:00:00.000Z')
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

async function moveTo(at: string): Promise<void> {
  await scene.moveTo(at)
  await keepCalendar(scene.database, scene.at.clock)
}
const due = async (): Promise<string[]> => (await scene.people.admin.get('/api/v1/data/exchange-due')).data.rows.map(({ Code }: Record) => Code).toSorted()
const receipt = (number: string, day: string, lines: readonly object[], more: object = {}): Promise<Record> =>
  scene.create('admin', 'customer-invoice-exchange', { CustomerID: customer, TtfNumber: number, TtfDate: day, DocDate: scene.at.clock.today(), Lines: lines, ...more })
const refusals = async (resource: string, made: Record, action: string) => (await scene.tryAct('admin', resource, made.ID, action)).data.errors.map(({ field, key }: Record) => [field, key])

describe('the list that hands invoices over', () => {
  let a: Record
  let b: Record
  let made: Record
  test('takes what waits, by the ids a list brings along', async () => {
    a = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
    b = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
    expect(a).toMatchObject({ DocDate: '2026-11-28', DueDate: '2026-12-28' })
    expect(await due()).toEqual([a.Code, b.Code])
    const { record } = await scene.command('admin', 'derive-invoice-exchange', { Brought: `${a.ID},${b.ID}`, Lines: [] })
    expect(record).toMatchObject({ CustomerID: customer, Lines: [{ InvoiceID: a.ID, Amount: '2200000.00' }, { InvoiceID: b.ID }] })
    made = await scene.create('admin', 'invoice-exchange', { CustomerID: customer, DocDate: '2026-11-28', ExchangeDate: '2026-11-28', Lines: [{ InvoiceID: a.ID }, { InvoiceID: b.ID }] })
    expect(await scene.act('admin', 'invoice-exchange', made.ID, 'hand-over')).toMatchObject({ Status: 1, Total: '4400000.00' })
    expect(await due()).toEqual([])
  })

  test('an invoice is on one list that is out', async () => {
    const second = await scene.create('admin', 'invoice-exchange', { CustomerID: customer, DocDate: '2026-11-28', ExchangeDate: '2026-11-28', Lines: [{ InvoiceID: a.ID }] })
    expect(await refusals('invoice-exchange', second, 'hand-over')).toEqual([['Lines[0].InvoiceID', 'field.DUPLICATE.exchange']])
    await scene.act('admin', 'invoice-exchange', second.ID, 'cancel', { ReasonID: (await scene.database.first<{ id: number }>(sql`select id from reason where usage = 'CANCEL' order by id limit 1`))?.id })
  })

  test('each line is received or returned; what came back waits again, the list is closed', async () => {
    const [one, two] = (await scene.read('invoice-exchange', made.ID)).Lines
    await scene.command('admin', 'exchange-received', { IDs: [one.ID] })
    expect(await scene.read('invoice-exchange', made.ID)).toMatchObject({ Status: 2 })
    await scene.command('admin', 'exchange-returned', { IDs: [two.ID] })
    expect(await scene.read('invoice-exchange', made.ID)).toMatchObject({ Status: 3, Lines: [{ Result: 'RECEIVED' }, { Result: 'RETURNED' }] })
    expect(await due()).toEqual([b.Code])
    expect((await scene.command('admin', 'exchange-returned', { IDs: [one.ID] })).results).toMatchObject([{ ok: false }])
  })

  test('EX1: the receipt moves the due date, the refused invoice goes back', async () => {
    await moveTo('2026-12-10T03:00:00.000Z')
    const early = await receipt('TTF-1', '2026-11-26', [{ InvoiceID: a.ID }])
    expect(await refusals('customer-invoice-exchange', early, 'submit')).toEqual([['Lines[0].InvoiceID', 'rule.ttf-not-before']])
    const reasonless = await receipt('TTF-2', '2026-12-10', [{ InvoiceID: a.ID, Accepted: false }])
    expect(await refusals('customer-invoice-exchange', reasonless, 'submit')).toEqual([['Lines[0].RefuseReasonID', 'rule.refusal-reason']])
    const given = await receipt('TTF-3', '2026-12-10', [{ InvoiceID: a.ID }, { InvoiceID: b.ID, Accepted: false, RefuseReasonID: await rejection() }])
    await scene.act('admin', 'customer-invoice-exchange', given.ID, 'submit')
    await scene.decide('customer_invoice_exchange', given.ID)
    expect(await scene.read('invoice', a.ID)).toMatchObject({ TtfDate: '2026-12-10', DueDate: '2027-01-09' })
    expect(await scene.read('invoice', b.ID)).toMatchObject({ TtfDate: null, DueDate: '2026-12-28' })
    expect(await due()).toEqual([b.Code])
    const again = await receipt('ttf-3', '2026-12-10', [{ InvoiceID: b.ID }])
    expect(await scene.tryAct('admin', 'customer-invoice-exchange', again.ID, 'submit')).toMatchObject({ code: 'DUPLICATE_DOCUMENT' })
    const twice = await receipt('TTF-4', '2026-12-10', [{ InvoiceID: a.ID }])
    expect(await refusals('customer-invoice-exchange', twice, 'submit')).toEqual([['Lines[0].InvoiceID', 'rule.ttf-once']])
    await scene.act('admin', 'customer-invoice-exchange', given.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await scene.read('invoice', a.ID)).toMatchObject({ TtfDate: null, DueDate: '2026-12-28' })
  })

  const rejection = async (): Promise<number | undefined> => (await scene.database.first<{ id: number }>(sql`select id from reason where usage = 'REJECT' order by id limit 1`))?.id
})
