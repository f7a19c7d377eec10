import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import type { Database } from '#server/context.ts'
import { runOf } from '../support/scene.ts'
import type { Measure, Run } from './bench.ts'
import { serve, type Client } from './client.ts'
import { demoCompany } from './databases.ts'

const counted = 5_000
const components = 200
const today = '2026-11-20'

interface Header {
  readonly record: { readonly ID: number; readonly Version: number; readonly Status: number; readonly Lines: readonly { readonly ID: number; readonly SystemQty?: string }[] }
}

/** A count of a whole warehouse decided and posted, and a kit of many components put together. */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    const [admin, head] = [await serve(bench.database), await serve(bench.database, 'warehouse')]
    try {
      const { database } = bench
      await database.run(sql`update accounting_period set status = 'OPEN' where period = '202611'`)
      const unit = Number((await database.first(sql`select id from operating_unit where code = 'JKT'`))?.['id'])
      const [warehouse = 0] = await insertRows(database, 'warehouse', [{ code: 'BENCH', name: 'Bench', operating_unit_id: unit, kind: 'MAIN', stock_class: 'UNRESTRICTED' }])
      const items = await goods(database, unit, warehouse)
      measures.push(
        { what: `count of ${counted} items with differences in each second one decided and posted on ${engine}`, value: await count(database, admin, head, warehouse), unit: 'ms', limit: 10_000, bound: 'most' },
        { what: `kit of ${components} components put together on ${engine}`, value: await kit(database, admin, head, warehouse, items), unit: 'ms', limit: 1_000, bound: 'most' },
      )
    } finally {
      await admin.close()
      await head.close()
      await bench.close()
    }
  }
  return measures
}

/** Items of the bench's own, a hundred of each in a warehouse of its own. */
async function goods(database: Database, unit: number, warehouse: number): Promise<readonly number[]> {
  const items = await insertRows(database, 'item', Array.from({ length: counted }, (_, n) => ({ code: `BENCH-${n}`, name: `Bench ${n}`, base_uom: 'PCS', sales_uom: 'PCS', pack_qty: '1', status: 1 })))
  const source = { type: 'opening_balance', id: 990_000_000, code: 'BENCH' }
  await database.transaction((tx) => receiveStock(runOf(database, tx, `${today}T03:00:00.000Z`), { kind: 'OB_STOCK', date: today, operatingUnitId: unit, warehouseId: warehouse, source, lines: items.map((itemId) => ({ itemId, batch: '', qty: '100', cost: '100' })) }))
  return items
}

async function act(client: Client, resource: string, id: number, action: string, body: object = {}): Promise<Header['record']> {
  const { record } = await client.get<Header>(`/api/v1/data/${resource}/${id}`)
  return (await client.post<Header>(`/api/v1/data/${resource}/${id}/${action}`, body, { 'if-match': String(record.Version), acknowledge: 'all' })).record
}

/** Milliseconds of the last decision, which books the document. */
async function decided(database: Database, client: Client, type: string, id: number): Promise<number> {
  const request = await database.first<{ id: number }>(sql`select id from approval_request where doc_type = ${type} and doc_id = ${id} and status = 4`)
  const started = performance.now()
  await client.post(`/api/v1/approval/${request?.id ?? 0}/approve`, {}, { acknowledge: 'all' })
  return performance.now() - started
}

async function count(database: Database, admin: Client, head: Client, warehouse: number): Promise<number> {
  const made = await admin.post<Header>('/api/v1/data/stock-opname', { WarehouseID: warehouse, CountDate: today, DocDate: today, Freeze: true, Lines: [] })
  const begun = await act(admin, 'stock-opname', made.record.ID, 'start')
  if (begun.Lines.length !== counted) throw new Error(`The count has ${begun.Lines.length} lines`)
  await act(admin, 'stock-opname', made.record.ID, 'count', { Quantities: Object.fromEntries(begun.Lines.map(({ ID }, n) => [ID, n % 2 === 0 ? '99' : '100'])) })
  const reason = await database.first<{ id: number }>(sql`select id from reason where usage = 'ADJUSTMENT' and not needs_attachment order by code limit 1`)
  await act(admin, 'stock-opname', made.record.ID, 'submit', { ReasonID: reason?.id, Note: 'bench' })
  return decided(database, head, 'stock_opname', made.record.ID)
}

async function kit(database: Database, admin: Client, head: Client, warehouse: number, items: readonly number[]): Promise<number> {
  const [made = 0] = await insertRows(database, 'item', [{ code: 'BENCH-KIT', name: 'Bench kit', base_uom: 'PCS', sales_uom: 'PCS', pack_qty: '1', status: 1 }])
  const combo = await admin.post<Header>('/api/v1/data/combo', {
    Code: 'BENCH', Name: 'Bench', ItemID: made, Kind: 'KIT', ValidFrom: '2025-01-01', IsActive: true, Lines: items.slice(0, components).map((ItemID) => ({ ItemID, Qty: '1', CostShare: '0.5' })),
  })
  const order = await admin.post<Header>('/api/v1/data/kitting', { WarehouseID: warehouse, DocDate: today, ComboID: combo.record.ID, Kind: 'ASSEMBLE', Qty: '10' })
  await act(admin, 'kitting', order.record.ID, 'submit')
  await decided(database, head, 'kitting_order', order.record.ID)
  await act(admin, 'kitting', order.record.ID, 'start')
  const started = performance.now()
  await act(admin, 'kitting', order.record.ID, 'finish')
  return performance.now() - started
}
