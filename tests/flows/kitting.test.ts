import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let jkt: number
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  jkt = await id('warehouse', 'WJKT')
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()
let taken = 0

async function newItem(code: string): Promise<number> {
  const [item = 0] = await insertRows(scene.database, 'item', [{ code, name: `Item ${code}`, base_uom: 'PCS', sales_uom: 'PCS', pack_qty: '1', tax_code_id: await id('tax_code', 'PPN04'), status: 1 }])
  await insertRows(scene.database, 'item_uom', [{ item_id: item, uom: 'PCS', factor: '1', coretax_unit: 'UM.0021' }])
  return item
}

/** So many of an item, worth that much together. */
async function stock(item: number, qty: string, cost: string, batch = ''): Promise<void> {
  taken += 1
  const source = { type: 'opening_balance', id: 900_000 + taken, code: `T${taken}` }
  const unit = await id('operating_unit', 'JKT')
  await scene.database.transaction((tx) => receiveStock(runOf(scene.database, tx), { kind: 'OB_STOCK', date: today(), operatingUnitId: unit, warehouseId: jkt, source, lines: [{ itemId: item, batch, qty, cost }] }))
}

async function newCombo(code: string, item: number, parts: readonly (readonly [item: number, qty: string, share: string])[]): Promise<number> {
  const made = await scene.create('admin', 'combo', {
    Code: code, Name: code, ItemID: item, Kind: 'KIT', ValidFrom: '2025-01-01', Lines: parts.map(([ItemID, Qty, CostShare]) => ({ ItemID, Qty, CostShare })),
  })
  return made.ID
}
async function approved(body: object): Promise<Record> {
  const made = await scene.create('admin', 'kitting', { WarehouseID: jkt, DocDate: today(), ...body })
  await scene.act('admin', 'kitting', made.ID, 'submit')
  await scene.decide('kitting_order', made.ID, 'approve', ['warehouse'])
  return scene.read('kitting', made.ID)
}
async function done(body: object): Promise<Record> {
  const made = await approved(body)
  await scene.act('admin', 'kitting', made.ID, 'start')
  return scene.act('admin', 'kitting', made.ID, 'finish', {})
}
const moved = (made: Record) => scene.database.rows(sql`
  select m.movement_type as type, i.code, m.qty, m.cost_amount as cost from stock_movement m join item i on i.id = m.item_id where m.doc_type = 'kitting_order' and m.doc_id = ${made.ID} order by m.id`)
const worth = (item: number) => scene.database.first(sql`select qty, value from stock_cost where item_id = ${item} and stock_class = 'UNRESTRICTED'`)
const balance = (item: number) => scene.database.first(sql`select sum(on_hand) as on_hand, sum(reserved) as reserved from stock_balance where item_id = ${item} and warehouse_id = ${jkt}`)

let a: number
let b: number
let kit: number
let combo: number

describe('KT1: a kit of 2 A and 1 B', () => {
  test('30 are assembled at what their components cost, and no journal is written', async () => {
    ;[a, b, kit] = [await newItem('KT-A'), await newItem('KT-B'), await newItem('KT-KIT')]
    await stock(a, '300', '25300000')
    await stock(b, '100', '19000000')
    combo = await newCombo('KT', kit, [[a, '2', '45'], [b, '1', '55']])
    const made = await done({ ComboID: combo, Kind: 'ASSEMBLE', Qty: '30' })
    expect(made).toMatchObject({ Status: 3, Total: '10760000.00', ItemID: kit })
    expect(await moved(made)).toEqual([
      { type: 'K01', code: 'KT-A', qty: '-60.000', cost: '-5060000.00' }, { type: 'K01', code: 'KT-B', qty: '-30.000', cost: '-5700000.00' }, { type: 'K02', code: 'KT-KIT', qty: '30.000', cost: '10760000.00' },
    ])
    expect(made.Lines[0]).toMatchObject({ UnitCost: '358666.666667', CostIn: '10760000.00' })
    expect([await worth(a), await worth(b), await worth(kit)]).toEqual([{ qty: '240.000', value: '20240000.00' }, { qty: '70.000', value: '13300000.00' }, { qty: '30.000', value: '10760000.00' }])
    expect(await scene.journal('kitting_order', made.ID)).toEqual([])
  })
})

describe('KT2: kits taken apart', () => {
  test('7 of them cost 2,510,666.67, shared 45 to 55', async () => {
    const made = await done({ ComboID: combo, Kind: 'DISASSEMBLE', Qty: '7' })
    expect(await moved(made)).toEqual([
      { type: 'K02', code: 'KT-KIT', qty: '-7.000', cost: '-2510666.67' }, { type: 'K01', code: 'KT-A', qty: '14.000', cost: '1129800.00' }, { type: 'K01', code: 'KT-B', qty: '7.000', cost: '1380866.67' },
    ])
    expect(made).toMatchObject({ Total: '2510666.67' })
  })

  test('one of three parts is worth them to the cent, and nothing is left without goods', async () => {
    const [whole, ...parts] = [await newItem('K2'), await newItem('K2-1'), await newItem('K2-2'), await newItem('K2-3')]
    await stock(whole, '1', '100000')
    const three = await newCombo('K2', whole, parts.map((item, i) => [item, '1', i === 2 ? '33.3334' : '33.3333']))
    const made = await done({ ComboID: three, Kind: 'DISASSEMBLE', Qty: '1' })
    expect((await moved(made)).map(({ cost }) => cost)).toEqual(['-100000.00', '33333.30', '33333.30', '33333.40'])
    expect(await worth(whole)).toEqual({ qty: '0.000', value: '0.00' })
  })

  test('the shares of a combo add up to 100.0000 when it is saved', async () => {
    const answer = await scene.people.admin.post('/api/v1/data/combo', {
      Code: 'K3', Name: 'K3', ItemID: await newItem('K3'), Kind: 'KIT', ValidFrom: '2025-01-01', Lines: [{ ItemID: a, Qty: '1', CostShare: '45' }, { ItemID: b, Qty: '1', CostShare: '54.9999' }],
    }, { key: scene.key() })
    expect(answer.data.errors.map(({ key }: Record) => key)).toEqual(['rule.shares'])
  })
})

describe('a kitting order', () => {
  test('holds its components once it is approved, gives them back when it is cancelled, and uses what was really used', async () => {
    const before = await balance(a)
    const made = await approved({ ComboID: combo, Kind: 'ASSEMBLE', Qty: '10' })
    expect(await balance(a)).toEqual({ ...before, reserved: '20.000' })
    await scene.act('admin', 'kitting', made.ID, 'cancel', { ReasonID: await id('reason', 'C02') })
    expect(await balance(a)).toEqual(before)
    const other = await approved({ ComboID: combo, Kind: 'ASSEMBLE', Qty: '10' })
    await scene.act('admin', 'kitting', other.ID, 'start')
    const [whole, first] = other.Lines
    const told = async (quantities: object) => (await scene.tryAct('admin', 'kitting', other.ID, 'finish', { Quantities: quantities })).data.errors.map(({ field, key }: Record) => [field, key])
    expect(await told({ [whole.ID]: '0' })).toEqual([[`Quantities.${whole.ID}`, 'field.REQUIRED.kit-made']])
    expect(await told({ [first.ID]: '20.5' })).toEqual([[`Quantities.${first.ID}`, 'field.INVALID.part-of-piece']])
    expect(await told({ [first.ID]: '9999' })).toEqual([['Lines[1].QtyActual', 'field.EXCEEDS_AVAILABLE.stock']])
    const finished = await scene.act('admin', 'kitting', other.ID, 'finish', { Quantities: { [whole.ID]: '9', [first.ID]: '21' } })
    expect(finished.Lines.map((line: Record) => [line.QtyPlanned, line.QtyActual])).toEqual([['10.000', '9.000'], ['20.000', '21.000'], ['10.000', '10.000']])
    expect(await balance(a)).toMatchObject({ reserved: '0.000' })
  })

  test('is taken back while the kits are there, at what the components had cost', async () => {
    const [x, y, whole] = [await newItem('RV-A'), await newItem('RV-B'), await newItem('RV-KIT')]
    await stock(x, '10', '1000.01')
    await stock(y, '10', '500')
    const own = await newCombo('RV', whole, [[x, '1', '50'], [y, '1', '50']])
    const made = await done({ ComboID: own, Kind: 'ASSEMBLE', Qty: '10' })
    await scene.act('admin', 'kitting', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect([await worth(x), await worth(y), await worth(whole)]).toEqual([{ qty: '10.000', value: '1000.01' }, { qty: '10.000', value: '500.00' }, { qty: '0.000', value: '0.00' }])
    const again = await done({ ComboID: own, Kind: 'ASSEMBLE', Qty: '10' })
    await done({ ComboID: own, Kind: 'DISASSEMBLE', Qty: '3' })
    const refused = await scene.tryAct('admin', 'kitting', again.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(refused.data).toMatchObject({ key: 'problem.STOCK_INSUFFICIENT.item', params: { item: 'RV-KIT', stock: '7', needed: '10' } })
  })

  test('takes the oldest batches first, and is refused for combos that are not stocked, not valid, or too many', async () => {
    const [part, whole] = [await newItem('BT-A'), await newItem('BT-KIT')]
    await stock(part, '3', '300', 'OLD')
    await stock(part, '5', '500', 'NEW')
    const own = await newCombo('BT', whole, [[part, '1', '100']])
    const made = await scene.create('admin', 'kitting', { ComboID: own, Kind: 'ASSEMBLE', Qty: '4', WarehouseID: jkt, DocDate: today() })
    expect(made.Lines.map((line: Record) => [line.Batch, line.QtyPlanned])).toEqual([[null, '4.000'], ['OLD', '3.000'], ['NEW', '1.000']])
    const many = await scene.create('admin', 'kitting', { ComboID: own, Kind: 'ASSEMBLE', Qty: '9', WarehouseID: jkt, DocDate: today() })
    expect((await scene.tryAct('admin', 'kitting', many.ID, 'submit')).data.errors.map(({ field, text }: Record) => [field, text])).toEqual([['Lines[2].QtyActual', 'Only 5 are there that nobody has reserved.']])
    await scene.database.run(sql`update combo set kind = 'VIRTUAL' where id = ${own}`)
    const virtual = await scene.people.admin.post('/api/v1/data/kitting', { ComboID: own, Kind: 'ASSEMBLE', Qty: '1', WarehouseID: jkt, DocDate: today() }, { key: scene.key() })
    expect(virtual.data.errors.map(({ key }: Record) => key)).toEqual(['field.NOT_A_CHOICE.kit-stocked'])
    await scene.database.run(sql`update combo set kind = 'KIT', valid_to = '2025-12-31' where id = ${own}`)
    const late = await scene.people.admin.post('/api/v1/data/kitting', { ComboID: own, Kind: 'ASSEMBLE', Qty: '1', WarehouseID: jkt, DocDate: today() }, { key: scene.key() })
    expect(late.data.errors.map(({ key }: Record) => key)).toEqual(['field.NOT_A_CHOICE.kit-period'])
  })
})
