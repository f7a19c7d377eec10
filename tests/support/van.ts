import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import type { Session } from './app.ts'
import { accepted, runOf, type Record, type Scene } from './scene.ts'

/** A van of the scene with its canvasser, who has an account of his own. */
export interface VanScene {
  readonly scene: Scene
  readonly source: number
  readonly van: number
  readonly canvasser: number
  readonly seller: Session
}

/** A van of Jakarta; what the canvasser may do he does himself. */
export async function openVan(scene: Scene, name = 'van'): Promise<VanScene> {
  const { at, database } = scene
  const unit = await at.id('operating_unit', 'JKT')
  const [user] = await database.rows<{ id: number }>(sql`
    insert into app_user (email, name, work_number, password_hash, role_id, territory_scope, operating_unit_id, password_change_date)
    select ${`${name}@arus.example`}, ${name}, ${name.toUpperCase()}, password_hash, (select id from role where code = 'CANVASSER'), territory_scope, operating_unit_id, '2027-11-01' from app_user where email = 'sales@arus.example' returning id`)
  const id = user?.id ?? 0
  await database.run(sql`insert into tos_agreement (user_id, version, at) select ${id}, version, at from tos_agreement where user_id = (select id from app_user where email = 'sales@arus.example')`)
  await database.run(sql`insert into user_territory (user_id, territory_id, operating_unit_id, is_default) select ${id}, territory_id, operating_unit_id, is_default from user_territory where user_id = (select id from app_user where email = 'sales@arus.example')`)
  const [canvasser = 0] = await insertRows(database, 'employee', [{ work_number: name.toUpperCase(), name: `Canvasser ${name}`, operating_unit_id: unit, position: 'CANVASSER' }])
  const [van = 0] = await insertRows(database, 'warehouse', [{ code: name.toUpperCase(), name: `Van ${name}`, operating_unit_id: unit, kind: 'CANVAS', stock_class: 'CANVAS', employee_id: canvasser }])
  return { scene, source: await at.id('warehouse', 'WJKT'), van, canvasser, seller: await at.signIn(name) }
}

let taken = 0

/** An item sold by the piece at a price, of which so many are in the main warehouse at that cost in all. */
export async function newGoods({ scene, source }: VanScene, code: string, { qty, cost, price, tax = 'PPN04' }: { readonly qty: string; readonly cost: string; readonly price: string; readonly tax?: string }): Promise<number> {
  const { at, database } = scene
  const [item = 0] = await insertRows(database, 'item', [{ code, name: `Item ${code}`, base_uom: 'PCS', sales_uom: 'PCS', pack_qty: '1', tax_code_id: await at.id('tax_code', tax), status: 1 }])
  await insertRows(database, 'item_uom', [{ item_id: item, uom: 'PCS', factor: '1', coretax_unit: 'UM.0021' }])
  await insertRows(database, 'list_price', [{ price_set_id: await at.id('price_set', 'BASE'), item_id: item, uom: 'PCS', min_qty: '0', price, valid_from: '2025-01-01' }])
  taken += 1
  const opening = { type: 'opening_balance', id: 920_000 + taken, code: `VS${taken}` }
  const unit = await at.id('operating_unit', 'JKT')
  await database.transaction((tx) => receiveStock(runOf(database, tx), { kind: 'OB_STOCK', date: at.clock.today(), operatingUnitId: unit, warehouseId: source, source: opening, lines: [{ itemId: item, batch: '', qty, cost }] }))
  return item
}

/** A trip on which goods are on the van and may be sold. */
export async function loadedTrip({ scene, van, source }: VanScene, goods: readonly (readonly [item: number, qty: string])[]): Promise<Record> {
  const made = await scene.create('sales', 'canvas', { VanWarehouseID: van, SourceWarehouseID: source, DocDate: scene.at.clock.today(), Lines: goods.map(([ItemID, QtyRequested]) => ({ ItemID, QtyRequested })) })
  await scene.act('sales', 'canvas', made.ID, 'submit')
  await scene.decide('canvas_request', made.ID, 'approve', ['supervisor'])
  await scene.act('warehouse', 'canvas', made.ID, 'start')
  await scene.act('warehouse', 'canvas', made.ID, 'pick', {})
  await scene.act('sales', 'canvas', made.ID, 'confirm-load', {})
  return scene.read('canvas', made.ID)
}

export interface Sale {
  readonly customer?: string
  readonly lines: readonly (readonly [item: number, qty: string])[]
  readonly received?: string
}

export async function trySell({ scene, seller }: VanScene, trip: Record, { customer = 'C0000001', lines, received }: Sale, key = scene.key()) {
  return seller.post('/api/v1/command/van-sale', {
    IDs: [trip.ID], CustomerID: await scene.at.id('customer', customer), Lines: lines.map(([ItemID, Qty]) => ({ ItemID, Uom: 'PCS', Qty })), ...(received === undefined ? {} : { Received: received }),
  }, { key })
}

export async function sell(van: VanScene, trip: Record, sale: Sale): Promise<Record> {
  return accepted(await trySell(van, trip, sale))
}
