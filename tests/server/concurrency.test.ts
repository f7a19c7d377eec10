import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { drawNumber } from '#server/workflow/numbering.ts'
import type { Answer } from '../support/app.ts'
import { accepted, openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
}, 240_000)

function codesOf(answers: readonly Answer[]): readonly string[] {
  return answers.map((answer) => answer.code).toSorted()
}

describe('two at once', () => {
  it('save the same record: one wins, the other is told what it is now', async () => {
    const order = await scene.draftOrder('C0000001', [{ item: 'A', qty: '1' }])
    const save = (note: string): Promise<Answer> => scene.people.sales.put(`/api/v1/data/sales-order/${order.ID}`, { Note: note }, { version: order.Version, key: scene.key() })
    const answers = await Promise.all([save('first'), save('second')])
    expect(codesOf(answers)).toEqual(['VERSION_CONFLICT', 'success'])
    const won = answers.find((answer) => answer.status === 200)
    const lost = answers.find((answer) => answer.status === 409)
    expect(lost?.data.current).toMatchObject({ ID: order.ID, Version: order.Version + 1, Note: won?.data.record.Note })
    const now = await scene.read('sales-order', order.ID)
    expect([now.Version, now.Note]).toEqual([order.Version + 1, won?.data.record.Note])
    const history = accepted(await scene.people.sales.get(`/api/v1/data/sales-order/${order.ID}/history`)).records
    expect(history.filter((entry: Record) => entry.Action === 'edit')).toHaveLength(1)
  })

  it('take the same action: it happens once', async () => {
    const order = await scene.draftOrder('C0000002', [{ item: 'B', qty: '2' }])
    const submit = (): Promise<Answer> => scene.people.sales.post(`/api/v1/data/sales-order/${order.ID}/submit`, {}, { version: order.Version, key: scene.key() })
    const answers = await Promise.all([submit(), submit(), submit()])
    expect(codesOf(answers)).toEqual(['VERSION_CONFLICT', 'VERSION_CONFLICT', 'success'])
    const reserved = await scene.database.first(sql`select sum(open_qty) as qty from stock_reservation r join sales_order_line l on l.id = r.order_line_id where l.sales_order_id = ${order.ID}`)
    expect(reserved?.['qty']).toBe('2.000')
  })

  it('send the same call with the same key: both get the one answer', async () => {
    const body = { CustomerID: await scene.at.id('customer', 'C0000001'), Lines: [{ ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Qty: '1' }], PoNumber: 'TWICE' }
    const key = scene.key()
    const answers = await Promise.all([1, 2, 3].map(() => scene.people.sales.post('/api/v1/data/sales-order', body, { key })))
    expect(codesOf(answers)).toEqual(['success', 'success', 'success'])
    for (const answer of answers) expect(answer.data).toEqual(answers[0]?.data)
    expect(await scene.rows('sales_order', sql`po_number = 'TWICE'`)).toHaveLength(1)
  })

  it('decide the same request: one decision counts', async () => {
    await scene.database.run(sql`update credit_limit set amount = 1 where customer_id = ${await scene.at.id('customer', 'C0000002')}`)
    const draft = await scene.draftOrder('C0000002', [{ item: 'A', qty: '5' }])
    const order = await scene.act('sales', 'sales-order', draft.ID, 'submit')
    expect(order.Status).toBe(4)
    const [request] = await scene.rows('approval_request', sql`doc_type = 'sales_order' and doc_id = ${draft.ID} and status = 4`)
    const decide = (decision: string): Promise<Answer> => scene.people.credit.post(`/api/v1/approval/${request.id}/${decision}`, decision === 'reject' ? { Note: 'no' } : {}, { key: scene.key() })
    const answers = await Promise.all([decide('approve'), decide('reject')])
    expect(codesOf(answers)).toEqual(['ILLEGAL_TRANSITION', 'success'])
    expect(await scene.rows('approval_action', sql`request_id = ${request.id}`)).toHaveLength(1)
  })
})

describe('fifty at once', () => {
  it('draw fifty consecutive numbers, none twice, none missing', async () => {
    const before = await last('SO')
    const drafts = await Promise.all(Array.from({ length: 50 }, () => scene.draftOrder('C0000001', [{ item: 'A', qty: '1' }])))
    const answers = await Promise.all(drafts.map((draft) => scene.people.sales.post(`/api/v1/data/sales-order/${draft.ID}/submit`, {}, { version: draft.Version, key: scene.key() })))
    expect(answers.filter((answer) => answer.status !== 200).map((answer) => `${answer.code} ${answer.message}`)).toEqual([])
    const numbers = answers.map((answer) => Number(String(answer.data.record.Code).slice(-5))).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, i) => before + 1 + i))
    expect(await last('SO')).toBe(before + 50)
  }, 120_000)

  it('of which some are refused draw no number for those', async () => {
    const before = await last('SO')
    const drafts = await Promise.all(Array.from({ length: 20 }, (_, i) => scene.draftOrder('C0000001', [{ item: 'A', qty: '1' }], { PoNumber: `MIX-${i}` })))
    const answers = await Promise.all(
      drafts.map((draft, i) => scene.people.sales.post(`/api/v1/data/sales-order/${draft.ID}/submit`, {}, { version: draft.Version + (i % 2), key: scene.key() })),
    )
    expect(answers.filter((answer) => answer.code === 'VERSION_CONFLICT')).toHaveLength(10)
    const numbers = answers.filter((answer) => answer.status === 200).map((answer) => Number(String(answer.data.record.Code).slice(-5))).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, i) => before + 1 + i))
  }, 120_000)

  it('reserve no more than there is', async () => {
    const free = await scene.database.first<{ free: string }>(sql`select sum(on_hand - reserved) as free from stock_balance where item_id = ${await scene.at.id('item', 'B')}`)
    const each = Math.ceil(Number(free?.free) / 5)
    await scene.database.run(sql`update credit_limit set amount = 100000000000 where customer_id = ${await scene.at.id('customer', 'C0000001')}`)
    const drafts = await Promise.all(Array.from({ length: 8 }, () => scene.draftOrder('C0000001', [{ item: 'B', qty: String(each) }])))
    const answers = await Promise.all(drafts.map((draft) => scene.people.sales.post(`/api/v1/data/sales-order/${draft.ID}/submit`, {}, { version: draft.Version, key: scene.key(), acknowledge: [] })))
    expect(answers.every((answer) => answer.status < 500)).toBe(true)
    expect(await scene.rows('stock_balance', sql`reserved > on_hand or reserved < 0`)).toEqual([])
  }, 120_000)

  it('entered and submitted in one call, draw consecutive numbers and share what there is', async () => {
    const item = await scene.at.id('item', 'A')
    const balance = (): Promise<{ free: number } | undefined> => scene.database.first<{ free: number }>(sql`select sum(on_hand - reserved)::int as free from stock_balance where item_id = ${item}`)
    const before = await last('SO')
    const free = Number((await balance())?.free)
    expect(free).toBeGreaterThan(60)
    const each = Math.floor(free / 20)
    const customer = await scene.at.id('customer', 'C0000001')
    await scene.database.run(sql`update credit_limit set amount = 100000000000 where customer_id = ${customer}`)
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) =>
      scene.people.sales.post('/api/v1/data/sales-order?next=submit', {
        CustomerID: customer, PoNumber: `SHARE-${n}`,
        // Every fifth is refused for its second line, when stock and number may have been counted on.
        Lines: [{ ItemID: item, Uom: 'CTN', Qty: String(each) }, ...(n % 5 === 4 ? [{ ItemID: 999_999, Uom: 'CTN', Qty: '1' }] : [])],
      }, { key: scene.key(), acknowledge: ['TX01'] })))
    const entered = answers.filter((answer) => answer.status === 200)
    expect(answers.filter((answer) => answer.status !== 200).map((answer) => answer.code)).toEqual(Array.from({ length: 6 }, () => 'VALIDATION_FAILED'))
    const numbers = entered.map((answer) => Number(String(answer.data.record.Code).slice(-5))).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 24 }, (_, i) => before + 1 + i))
    const shares = await scene.database.rows<{ ordered: number; reserved: number }>(sql`
      select sum(l.qty_base)::int as ordered, sum(l.reserved_qty)::int as reserved from sales_order_line l
      where l.sales_order_id = any(${entered.map((answer) => answer.data.record.ID as number)}::bigint[]) group by l.sales_order_id`)
    expect(shares.reduce((all, { reserved }) => all + reserved, 0)).toBe(free)
    expect(shares.filter(({ ordered, reserved }) => reserved > 0 && reserved < ordered).length, JSON.stringify(shares)).toBeLessThanOrEqual(1)
    expect(await balance()).toEqual({ free: 0 })
  }, 120_000)

  it('leave the books without contradiction', async () => {
    expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
  })
})

describe('a number drawn by another program meanwhile', () => {
  it('is not given twice', async () => {
    const day = scene.at.clock.today()
    const unit = await scene.at.id('operating_unit', 'JKT')
    const before = await last('SO')
    let tries = 0
    let isDrawn = (): void => undefined
    let goOn = (): void => undefined
    const drawn = new Promise<void>((resolve) => {
      isDrawn = resolve
    })
    const isFree = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const one = scene.database.transaction(async (tx) => {
      tries += 1
      const number = await drawNumber(tx, 'SO', unit, day)
      isDrawn()
      await isFree
      return number
    })
    await drawn
    const other = scene.database.first<{ n: number }>(sql`
      update number_counter set last_value = last_value + 1 where series_id = (select id from number_series where code = 'SO') and bucket like 'JKT%' and last_value = ${before}::int
      returning last_value as n`)
    if (scene.database.engine === 'embedded') expect(await other).toEqual({ n: before + 1 })
    goOn()
    const number = Number((await one).slice(-5))
    const others = (await other)?.n
    expect([number, await last('SO'), tries]).toEqual(scene.database.engine === 'embedded' ? [before + 2, before + 2, 2] : [before + 1, before + 1, 1])
    expect(others).not.toBe(number)
  })
})

async function last(series: string): Promise<number> {
  const row = await scene.database.first<{ n: number }>(sql`select coalesce(max(c.last_value), 0) as n from number_counter c join number_series s on s.id = c.series_id where s.code = ${series} and c.bucket like 'JKT%'`)
  return Number(row?.n)
}
