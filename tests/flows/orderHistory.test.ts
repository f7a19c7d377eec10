import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

/** What the latest entry of an order's history says: field, before, after. */
async function latest(order: number): Promise<readonly (readonly [field: string, from: unknown, to: unknown])[]> {
  const { records } = (await scene.people.admin.get(`/api/v1/data/sales-order/${order}/history`)).data
  return records[0].Diff.map(({ Field, From, To }: { Field: string; From: unknown; To: unknown }) => [Field, From, To])
}

test('the history of an order in cartons says what was changed, and nothing about what was not', async () => {
  const { admin } = scene.people
  const made = await admin.post('/api/v1/data/sales-order', {
    CustomerID: await scene.at.id('customer', 'C0000001'), WarehouseID: await scene.at.id('warehouse', 'WJKT'), RequestedDate: '2026-11-25',
    Lines: [{ ItemID: await scene.at.id('item', 'E'), Uom: 'CTN', Qty: '2' }],
  })
  const { record } = made.data
  const [line] = record.Lines
  expect(line).toMatchObject({ Qty: '2.000', Factor: '24.000000', QtyBase: '48.000' })
  const edited = await admin.put(`/api/v1/data/sales-order/${record.ID}`, { PoNumber: 'PO-77', Lines: record.Lines }, { version: record.Version })
  expect(edited.data.record.Lines).toMatchObject([{ QtyBase: '48.000' }])
  expect(await latest(record.ID)).toEqual([['po_number', null, 'PO-77']])

  const more = await admin.put(`/api/v1/data/sales-order/${record.ID}`, { Lines: [{ ...line, Qty: '3' }] }, { version: edited.data.record.Version })
  expect(more.data.record.Lines).toMatchObject([{ QtyBase: '72.000' }])
  expect(await latest(record.ID)).toEqual(expect.arrayContaining([['lines[0].qty', '2.000', '3'], ['lines[0].qty_base', '48.000', '72.000']]))
})

test('a unit is known however it is written, priced and kept as the item writes it; one the item lacks names those it has', async () => {
  const { admin } = scene.people
  const line = { ItemID: await scene.at.id('item', 'E'), Uom: ' ctn', Qty: '2' }
  const priced = await admin.post('/api/v1/command/price-order', { CustomerID: await scene.at.id('customer', 'C0000001'), Lines: [line] })
  expect(priced.data).toMatchObject({ record: { Lines: [{ Uom: 'CTN', QtyBase: '48.000' }] }, errors: [] })
  const made = await admin.post('/api/v1/data/sales-order', { CustomerID: await scene.at.id('customer', 'C0000001'), WarehouseID: await scene.at.id('warehouse', 'WJKT'), RequestedDate: '2026-11-25', Lines: [line] })
  const { record } = made.data
  expect(record.Lines).toMatchObject([{ Uom: 'CTN', QtyBase: '48.000' }])
  const edited = await admin.put(`/api/v1/data/sales-order/${record.ID}`, { PoNumber: 'PO-78', Lines: [{ ...record.Lines[0], Uom: 'Ctn' }] }, { version: record.Version })
  expect(edited.data.record.Lines).toMatchObject([{ Uom: 'CTN', QtyBase: '48.000' }])
  expect(await latest(record.ID)).toEqual([['po_number', null, 'PO-78']])
  const wrong = await admin.post('/api/v1/command/price-order', { CustomerID: await scene.at.id('customer', 'C0000001'), Lines: [{ ...line, Uom: 'sack' }] })
  expect(wrong.data.errors).toMatchObject([{ field: 'Lines[0].Uom', code: 'NOT_A_CHOICE' }])
})

test('an item that is not sold any more is told where it is ordered anew, before anything is saved; on the line it stands on it stays', async () => {
  const { admin } = scene.people
  const order = await scene.draftOrder('C0000001', [{ item: 'E', qty: '2' }])
  const id = await scene.at.id('item', 'E')
  const [line] = (await scene.read('sales-order', order.ID))['Lines'] as readonly Record[]
  const priced = async (body: object): Promise<unknown> => (await admin.post('/api/v1/command/price-order', { CustomerID: order['CustomerID'], ...body })).data.errors
  const anew = { ItemID: id, Uom: line?.['Uom'], Qty: '2' }
  expect(await priced({ Lines: [anew] })).toEqual([])
  await scene.database.run(sql`update item set is_active = false where id = ${id}`)
  try {
    expect(await priced({ Lines: [anew] })).toMatchObject([{ field: 'Lines[0].ItemID', code: 'INACTIVE' }])
    expect(await priced({ ID: order.ID, Lines: [line, anew] })).toMatchObject([{ field: 'Lines[1].ItemID', code: 'INACTIVE' }])
    // As saving refuses it.
    const refused = await admin.post('/api/v1/data/sales-order', { CustomerID: order['CustomerID'], WarehouseID: order['WarehouseID'], RequestedDate: '2026-11-25', Lines: [anew] })
    expect(refused.data.errors).toMatchObject([{ field: 'Lines[0].ItemID', code: 'INACTIVE' }])
  } finally {
    await scene.database.run(sql`update item set is_active = true where id = ${id}`)
  }
})

test('why it was refused is said with the reason chosen, by the steps of the approval and by the history; an approver’s note too', async () => {
  const { credit, sales, admin } = scene.people
  const [reason] = await scene.rows('reason', sql`code = 'J01'`)
  const made = await scene.draftOrder('C0000001', [{ item: 'C', qty: '40' }])
  /** The document waits, somebody decides; what the steps and the history say of it. */
  const decided = async (decision: string, body: object): Promise<readonly unknown[]> => {
    await scene.act('sales', 'sales-order', made.ID, 'submit')
    const [request] = await scene.rows('approval_request', sql`doc_type = 'sales_order' and doc_id = ${made.ID} and status = 4`)
    expect((await credit.post(`/api/v1/approval/${request.id}/${decision}`, body, { key: scene.key() })).code).toBe('success')
    const { Steps: steps } = (await credit.get(`/api/v1/approval/request/${request.id}`)).data
    const { records } = (await sales.get(`/api/v1/data/sales-order/${made.ID}/history`)).data
    return [steps.at(-1).Note, records.find((one: Record) => one.Action === decision).Note]
  }
  expect(await decided('reject', { ReasonID: reason?.['id'] })).toEqual([reason?.['name'], reason?.['name']])
  const both = `${String(reason?.['name'])}: Pays first`
  expect(await decided('reject', { ReasonID: reason?.['id'], Note: 'Pays first' }), 'the same reason once more').toEqual([both, both])
  expect(await decided('approve', { Note: 'Guarantee seen' })).toEqual(['Guarantee seen', 'Guarantee seen'])
  // What a record changes through approval knows no reason of its own.
  const [customer] = await scene.rows('customer', sql`code = 'C0000001'`)
  await admin.put(`/api/v1/data/customer/${customer?.['id']}`, { Name: 'Toko Lain' }, { version: customer?.['version'] })
  const [change] = await scene.rows('approval_request', sql`doc_type = 'customer' and status = 4`)
  expect((await credit.post(`/api/v1/approval/${change?.['id']}/reject`, { ReasonID: reason?.['id'] }, { key: scene.key() })).code).toBe('success')
  expect((await admin.get(`/api/v1/data/customer/${customer?.['id']}/history`)).data.records[0].Note).toBe(reason?.['name'])
})
