import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { accepted, openScene, type Record, type Scene } from '../support/scene.ts'
import { listing, statementsOf, TripRecorder, type Trip } from '../support/trips.ts'

const recorder = new TripRecorder()
let scene: Scene
let body: Record
const acknowledge = ['TX01', 'DUPLICATE_PO']

beforeAll(async () => {
  scene = await openScene({}, recorder.trace)
  const items = await Promise.all((['A', 'B', 'C', 'D', 'E'] as const).map((code) => scene.at.id('item', code)))
  // Twenty lines that bring gifts and discounts; cash, so that nobody is asked.
  await scene.database.run(sql`update payment_term set is_cash = true where id = (select payment_term_id from customer where code = 'C0000001')`)
  body = { CustomerID: await scene.at.id('customer', 'C0000001'), Lines: Array.from({ length: 20 }, (_, n) => ({ ItemID: items[n % items.length], Uom: 'CTN', Qty: '1' })) }
})

const enterAtOnce = async (more: object = {}): Promise<Record> =>
  accepted(await scene.people.sales.post('/api/v1/data/sales-order?next=submit', { ...body, ...more }, { key: scene.key(), acknowledge })).record

/** Fails with the list of statements. */
function expectAtMost(trips: readonly Trip[], statements: number, roundTrips: number): void {
  expect(statementsOf(trips) <= statements && trips.length <= roundTrips, `${statementsOf(trips)} statements in ${trips.length} trips, allowed ${statements} in ${roundTrips}\n${listing(trips)}`).toBe(true)
}

describe('statements and trips to the database', () => {
  test('of an order saved, priced, checked, submitted and approved in one command', async () => {
    // Masters are read, statements planned.
    for (let n = 0; n < 3; n++) await enterAtOnce()
    expectAtMost(await recorder.during(() => enterAtOnce()), 20, 3)
  })

  test('of which none is planned anew each time', async () => {
    // Sent twice a statement is kept, and planned for the values at hand five times more before the database compares.
    for (let n = 0; n < 8; n++) await enterAtOnce()
    const planned = async (): Promise<ReadonlyMap<string, number>> => {
      const rows = await scene.database.rows<{ statement: string; times: number }>(sql`select statement, custom_plans::int as times from pg_prepared_statements`)
      return new Map(rows.map((row) => [row.statement.replaceAll(/\s+/g, ' ').trim(), row.times]))
    }
    const before = await planned()
    const sent = new Set((await recorder.during(() => enterAtOnce())).flatMap((trip) => trip.statements))
    const after = [...(await planned())].filter(([statement]) => sent.has(statement))
    expect(after.length).toBeGreaterThan(10)
    expect(after.filter(([statement, times]) => times !== before.get(statement)).map(([statement]) => statement)).toEqual([])
  })

  test('of the same order saved, then submitted', async () => {
    const twice = async (): Promise<void> => {
      const draft = await scene.create('sales', 'sales-order', body)
      accepted(await scene.people.sales.post(`/api/v1/data/sales-order/${draft.ID}/submit`, {}, { key: scene.key(), version: draft.Version, acknowledge }))
    }
    for (let n = 0; n < 3; n++) await twice()
    expectAtMost(await recorder.during(twice), 46, 15)
  })

  test('of an invoice of four lines posted: goods, order, revenue and cost', async () => {
    const lines = (['A', 'B', 'C', 'D'] as const).map((item) => ({ item, qty: '1' }))
    const issues: Record[] = []
    for (let n = 0; n < 4; n++) issues.push((await scene.delivered('C0000001', lines)).issue)
    const bill = async (issue: Record): Promise<void> => {
      const { results } = await scene.command('billing', 'bill-deliveries', { IDs: [issue.id], InvoiceDate: scene.at.clock.today() })
      expect(results).toMatchObject([{ ok: true }])
    }
    for (const issue of issues.slice(0, 3)) await bill(issue)
    expectAtMost(await recorder.during(() => bill(issues[3])), 35, 5)
  })

  test('do not grow with its lines', async () => {
    const of = async (lines: number): Promise<number> => {
      const shorter = { Lines: body.Lines.slice(0, lines) }
      for (let n = 0; n < 3; n++) await enterAtOnce(shorter)
      const counts: number[] = []
      for (let n = 0; n < 3; n++) counts.push(statementsOf(await recorder.during(() => enterAtOnce(shorter))))
      // What the server does of its own accord now and then falls into one of them at most.
      return Math.min(...counts)
    }
    expect(await of(20)).toBe(await of(2))
  })
})

describe('an order saved and submitted in one command', () => {
  /** Everything kept of an order but what no two orders share. */
  const contents = async (id: number): Promise<unknown> => {
    const [header] = await scene.rows('sales_order', sql`id = ${id}`)
    const lines = await scene.rows('sales_order_line', sql`sales_order_id = ${id}`)
    const steps = await scene.database.rows(sql`
      select l.line_no, d.seq, d.source, d.name, d.rate, d.amount from sales_order_discount d join sales_order_line l on l.id = d.line_id where l.sales_order_id = ${id} order by l.line_no, d.seq, d.id`)
    const log = await scene.database.rows(sql`select action, from_status, to_status, actor_id from document_log where doc_type = 'sales_order' and doc_id = ${id} order by id`)
    const reserved = await scene.database.rows(sql`
      select l.line_no, r.batch, r.qty, r.open_qty, r.kind, r.customer_id from stock_reservation r join sales_order_line l on l.id = r.order_line_id where l.sales_order_id = ${id} order by l.line_no, r.id`)
    const own = ['id', 'code', 'version', 'created_at', 'updated_at', 'submitted_at', 'approved_at', 'credit_snapshot']
    const places = new Map(lines.map((line) => [line.id, line.line_no]))
    return {
      header: Object.fromEntries(Object.entries(header ?? {}).filter(([name]) => !own.includes(name))),
      lines: lines.map((line) => ({ ...line, id: 0, sales_order_id: 0, atp_qty: 0, parent_line_id: places.get(line.parent_line_id) ?? null })),
      steps, log, reserved,
    }
  }

  test('is what it is in two', async () => {
    // More than the third promotion wants, so that goods are given free.
    const more = { Lines: body.Lines.map((line: Record) => ({ ...line, Qty: '12' })).slice(0, 4), PoNumber: 'PO-1' }
    const atOnce = await enterAtOnce(more)
    const draft = await scene.create('sales', 'sales-order', { ...body, ...more })
    const inTwo = accepted(await scene.people.sales.post(`/api/v1/data/sales-order/${draft.ID}/submit`, {}, { key: scene.key(), version: draft.Version, acknowledge })).record
    const kept = (await contents(atOnce.ID)) as { lines: Record[]; log: unknown[]; reserved: unknown[] }
    expect(kept).toEqual(await contents(inTwo.ID))
    expect(kept.lines.some((line) => line.is_free)).toBe(true)
    expect(kept.log).toHaveLength(3)
    expect(kept.reserved.length).toBeGreaterThan(0)
    expect(atOnce).toMatchObject({ Status: 1, Stage: inTwo.Stage, Total: inTwo.Total, Actions: inTwo.Actions })
    // The answer says of every column what a reader is told.
    const read = await scene.read('sales-order', atOnce.ID)
    expect(Object.entries(atOnce).filter(([name, value]) => !isDeepStrictEqual(read[name], value))).toEqual([])
  })

  test('that is refused leaves nothing, not even a number', async () => {
    const before = await scene.database.rows(sql`select (select count(*) from sales_order) as orders, (select count(*) from document_log) as logs, (select max(last_value) from number_counter) as number`)
    const answer = await scene.people.sales.post('/api/v1/data/sales-order?next=submit', { ...body, Lines: [{ ...body.Lines[0], ManualDiscount: '5' }] }, { key: scene.key(), acknowledge })
    expect(answer).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
    const unacknowledged = await scene.people.sales.post('/api/v1/data/sales-order?next=submit', { ...body, PoNumber: 'PO-1' }, { key: scene.key() })
    expect(unacknowledged.status).toBe(412)
    expect(await scene.database.rows(sql`select (select count(*) from sales_order) as orders, (select count(*) from document_log) as logs, (select max(last_value) from number_counter) as number`)).toEqual(before)
  })

  test('is made once however often it is sent, and another action under its key is refused', async () => {
    const key = scene.key()
    const first = accepted(await scene.people.sales.post('/api/v1/data/sales-order?next=submit', body, { key, acknowledge }))
    expect(accepted(await scene.people.sales.post('/api/v1/data/sales-order?next=submit', body, { key, acknowledge }))).toEqual(first)
    expect((await scene.people.sales.post('/api/v1/data/sales-order', body, { key, acknowledge })).status).toBe(409)
  })

  test('needs the permission of both and an action there is', async () => {
    expect((await scene.people.warehouse.post('/api/v1/data/sales-order?next=submit', body, { key: scene.key() })).status).toBe(403)
    expect((await scene.people.sales.post('/api/v1/data/sales-order?next=fly', body, { key: scene.key() })).status).toBe(404)
    expect((await scene.people.sales.post('/api/v1/data/sales-order?next=approve', body, { key: scene.key() })).status).toBe(404)
  })

  test('may be a draft that is changed', async () => {
    const draft = await scene.create('sales', 'sales-order', body)
    const sent = { ...draft, Lines: draft.Lines.filter((line: Record) => !line.IsFree).slice(0, 3).map((line: Record) => ({ ...line, Qty: '2' })) }
    const { record } = accepted(await scene.people.sales.put(`/api/v1/data/sales-order/${draft.ID}?next=submit`, sent, { key: scene.key(), version: draft.Version, acknowledge }))
    expect(record).toMatchObject({ ID: draft.ID, Status: 1 })
    expect((await scene.read('sales-order', draft.ID)).Lines.filter((line: Record) => !line.IsFree)).toHaveLength(3)
  })
})
