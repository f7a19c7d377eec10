import { beforeAll, describe, expect, it } from 'vitest'
import type { AroundAnswer, HistoryEntry, OfferedAction } from '#api/data.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { plainRegistries } from '../support/registries.ts'

let arus: TestApp
let admin: Session
let sales: Session

beforeAll(async () => {
  arus = await testApp({ registries: plainRegistries() })
  ;[admin, sales] = await Promise.all([arus.signIn('admin'), arus.signIn('sales')])
})

describe('the records before and after', () => {
  /** Forty orders with few dates, references that are often empty, and equal amounts: every tie there can be. */
  beforeAll(async () => {
    const unit = await arus.id('operating_unit', 'JKT')
    const customers = [await arus.id('customer', 'C0000001'), await arus.id('customer', 'C0000002')]
    await insertRows(arus.database, 'sales_order', Array.from({ length: 40 }, (_, i) => ({
      code: `SO${String(i * 7 % 40).padStart(3, '0')}`, status: i % 3 === 0 ? 1 : 0, operating_unit_id: unit, territory_id: null, doc_date: `2026-11-${10 + (i % 3)}`, customer_id: customers[i % 2], total: String(i % 4),
      po_number: i % 5 === 0 ? null : `PO${i % 6}`, requested_date: i % 4 === 0 ? null : `2026-12-0${1 + (i % 5)}`,
    })))
  })

  const questions = [
    {}, { order: 'doc_date', sort: 'desc' }, { order: 'po_number,total', sort: 'asc,desc' }, { order: 'requested_date,customer_id', sort: 'desc,asc' }, { order: 'customer_id', sort: 'asc', filter: JSON.stringify({ status: 0 }) },
    { order: 'total', sort: 'asc', search: 'SO01' },
  ]

  it.each(questions)('are those of the list, at every place of it: %j', async (question) => {
    const { rows } = (await admin.get('/api/v1/data/sales-order', { ...question, length: 1000 })).data as { rows: { ID: number }[] }
    expect(rows.length).toBeGreaterThan(5)
    for (const [i, row] of rows.entries()) {
      const around: AroundAnswer = (await admin.get(`/api/v1/data/sales-order/${row.ID}/around`, question)).data
      expect(around).toMatchObject({ Previous: rows[i - 1]?.ID ?? null, Next: rows[i + 1]?.ID ?? null, Position: i + 1, Total: rows.length })
    }
  })

  it('are those of where it stood, once it is no longer in the list', async () => {
    const question = { order: 'code', sort: 'asc', filter: JSON.stringify({ status: 0 }) }
    const { rows } = (await admin.get('/api/v1/data/sales-order', { ...question, length: 1000 })).data as { rows: { ID: number }[] }
    await arus.database.run(sql`update sales_order set status = 6 where id = ${rows[3]?.ID}`)
    const around = (await admin.get(`/api/v1/data/sales-order/${rows[3]?.ID}/around`, question)).data
    expect(around).toMatchObject({ Previous: rows[2]?.ID, Next: rows[4]?.ID, Position: null, Total: rows.length - 1 })
  })

  it('stay within the scope, and are nobody’s who may not list them', async () => {
    const own = await insertRows(arus.database, 'sales_order', ['JKT-S', 'BDG-W'].map((code, i) => ({ code: `Z${code}`, status: 0, doc_date: `2026-11-${20 + i}`, total: '1' }))
      .map((row, i) => ({ ...row, ...places[i] })))
    const order = { order: 'code', sort: 'asc' }
    expect((await sales.get(`/api/v1/data/sales-order/${own[0]}/around`, order)).data.Next).toBeNull()
    expect((await admin.get(`/api/v1/data/sales-order/${own[0]}/around`, order)).data.Next).toBeNull()
    expect((await sales.get(`/api/v1/data/sales-order/${own[1]}/around`, order)).code).toBe('NOT_IN_SCOPE')
    expect((await (await arus.signIn('cashier')).get(`/api/v1/data/sales-order/${own[0]}/around`)).code).toBe('FORBIDDEN_GUARD')
  })

  let places: readonly object[]
  beforeAll(async () => {
    places = await Promise.all([['JKT', 'JKT-S', 'C0000002'], ['BDG', 'BDG-W', 'C0000003']].map(async ([unit = '', territory = '', customer = '']) => ({
      operating_unit_id: await arus.id('operating_unit', unit), territory_id: await arus.id('territory', territory), customer_id: await arus.id('customer', customer),
    })))
  })
})

describe('what may be done now', () => {
  const draft = async () => (await sales.post('/api/v1/data/sales-order', {
    CustomerID: await arus.id('customer', 'C0000001'), Total: '1000', Lines: [{ ItemID: await arus.id('item', 'A'), Uom: 'CTN', Qty: '1' }],
  })).data.record
  const offered = async (session: Session, id: number) => {
    const { records } = (await session.get(`/api/v1/data/sales-order/${id}/actions`)).data as { records: OfferedAction[] }
    return Object.fromEntries(records.map(({ Action, Refusal }) => [Action, Refusal?.key ?? 'possible']))
  }

  it('says of every action that it is possible, or why it is not: status, permission, and what the action itself would ask', async () => {
    const { ID } = await draft()
    expect(await offered(sales, ID)).toEqual({
      submit: 'possible', recall: 'problem.ILLEGAL_TRANSITION.status', reopen: 'problem.ILLEGAL_TRANSITION.status', cancel: expect.stringMatching(/ILLEGAL_TRANSITION|FORBIDDEN/), edit: 'possible',
    })
    expect((await offered(await arus.signIn('credit'), ID))['submit']).toBe('problem.FORBIDDEN_GUARD.permission')
    await arus.database.run(sql`delete from sales_order_line where sales_order_id = ${ID}`)
    expect((await offered(sales, ID))['submit']).toBe('problem.VALIDATION_FAILED')
    await arus.database.run(sql`update sales_order set status = 1 where id = ${ID}`)
    expect(await offered(sales, ID)).toMatchObject({ submit: 'problem.ILLEGAL_TRANSITION.status', edit: 'problem.ILLEGAL_TRANSITION.ended' })
    expect((await arus.database.first(sql`select status, version from sales_order where id = ${ID}`))).toEqual({ status: 1, version: 1 })
  })
})

describe('history', () => {
  it('tells what changed by label, type and words, lines by number, and a line that went with what stood in it', async () => {
    const [a, b] = [await arus.id('item', 'A'), await arus.id('item', 'B')]
    const { record } = (await sales.post('/api/v1/data/sales-order', {
      CustomerID: await arus.id('customer', 'C0000001'), Total: '1000', PoNumber: 'X', Lines: [{ ItemID: a, Uom: 'CTN', Qty: '1' }, { ItemID: b, Uom: 'CTN', Qty: '5' }],
    })).data
    const [first] = record.Lines
    const saved = await sales.put(`/api/v1/data/sales-order/${record.ID}`, { PoNumber: 'Y', OrderType: 'TRADER', PaymentTermID: await arus.id('payment_term', 'N30'), Lines: [{ ID: first.ID, ItemID: b, Uom: 'CTN', Qty: '2.5' }] }, { version: record.Version })
    expect(saved.status, JSON.stringify(saved)).toBe(200)
    const entry: HistoryEntry = (await sales.get(`/api/v1/data/sales-order/${record.ID}/history`)).data.records[0]
    expect(entry).toMatchObject({ Action: 'edit', ActorName: 'sales', OnBehalfOfName: null })
    const changes = new Map(entry.Diff.map((change) => [change.Field, change]))
    expect(changes.get('po_number')).toMatchObject({ Label: 'field.po_number', Type: 'text', Line: null, From: 'X', To: 'Y' })
    expect(changes.get('order_type')).toMatchObject({ Type: 'enum', To: 'TRADER', Choices: expect.arrayContaining([expect.objectContaining({ value: 'TRADER' })]) })
    expect(changes.get('payment_term_id')).toMatchObject({ Type: 'ref', To: 'N30 30 days' })
    expect(changes.get('lines[0].item_id')).toMatchObject({ Label: 'field.item_id', Type: 'ref', Line: 1, From: 'A Item A', To: 'B Item B' })
    expect(changes.get('lines[0].qty')).toMatchObject({ Type: 'quantity', Line: 1 })
    expect(changes.get('lines[1]')).toMatchObject({ Type: 'line', Line: 2, From: true, To: null, Parts: expect.arrayContaining([expect.objectContaining({ Type: 'ref', Value: 'B Item B' }), expect.objectContaining({ Type: 'quantity', Value: '5.000' })]) })
    expect([...changes.values()].filter((change) => change.Type === 'json')).toEqual([])
  })
})

describe('the lines of a document', () => {
  it('come with what its page shows of the records they refer to', async () => {
    const item = await arus.id('item', 'A')
    const order = (await sales.post('/api/v1/data/sales-order', { CustomerID: await arus.id('customer', 'C0000001'), Lines: [{ ItemID: item, Uom: 'CTN', Qty: '1' }] })).data.record
    await arus.database.run(sql`update item set base_uom = 'PCS' where id = ${item}`)
    const { record } = (await sales.get(`/api/v1/data/sales-order/${order.ID}`)).data
    expect(record.Lines).toMatchObject([{ Uom: 'CTN', ItemBaseUom: 'PCS' }])
  })
})
