import { beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'

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
