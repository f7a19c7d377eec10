import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { Imports } from '../support/imports.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

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

async function entered(more: object, qty = '2'): Promise<Record> {
  return scene.create('admin', 'free-good', { WarehouseID: jkt, DocDate: scene.at.clock.today(), Lines: [{ ItemID: await id('item', 'A'), Qty: qty }], ...more })
}
async function issued(more: object): Promise<Record> {
  const made = await entered(more)
  await scene.act('admin', 'free-good', made.ID, 'submit')
  await scene.decide('free_goods_request', made.ID, 'approve', ['manager', 'finance'])
  return scene.act('admin', 'free-good', made.ID, 'issue')
}
const moved = (made: Record) => scene.database.rows(sql`select movement_type as type, qty, cost_amount as cost from stock_movement where doc_type = 'free_goods_request' and doc_id = ${made.ID} order by id`)

describe('goods given away', () => {
  test('leave at cost, the company pays the VAT on it, and come back whole', async () => {
    const made = await issued({ Purpose: 'PROMO', CustomerID: await id('customer', 'C0000001') })
    expect(made).toMatchObject({ Status: 3, Total: '170000.00', Ppn: '18700.00' })
    expect(await scene.journal('free_goods_request', made.ID)).toEqual(['113101 0.00 170000.00', '611101 170000.00 0.00', '213101 0.00 18700.00', '613105 18700.00 0.00'])
    expect(await moved(made)).toEqual([{ type: 'F01', qty: '-2.000', cost: '-170000.00' }])
    await scene.act('admin', 'free-good', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await moved(made)).toEqual([{ type: 'F01', qty: '-2.000', cost: '-170000.00' }, { type: 'F02', qty: '2.000', cost: '170000.00' }])
    expect([await scene.balance('613105'), await scene.balance('611101')]).toEqual(['0.00', '0.00'])
  })

  test('samples have an account of their own; without the setting no VAT is booked', async () => {
    await scene.database.run(sql`update setting_oms set value = 'false'::jsonb where key = 'vat_on_free_goods'`)
    const made = await issued({ Purpose: 'SAMPLE', Event: 'Pameran Kemayoran' })
    expect(await scene.journal('free_goods_request', made.ID)).toEqual(['113101 0.00 170000.00', '611103 170000.00 0.00'])
  })

  test('somebody gets them, and what is not there is not given', async () => {
    const nobody = await scene.people.admin.post('/api/v1/data/free-good', { Purpose: 'SAMPLE', WarehouseID: jkt, DocDate: scene.at.clock.today(), Lines: [{ ItemID: await id('item', 'A'), Qty: '1' }] }, { key: scene.key() })
    expect(nobody.data.errors.map(({ key }: Record) => key)).toEqual(['rule.free-goods-recipient'])
    const many = await entered({ Purpose: 'SAMPLE', Event: 'Pameran' }, '99999')
    expect((await scene.tryAct('admin', 'free-good', many.ID, 'submit')).data.errors.map(({ field, key }: Record) => [field, key])).toEqual([['Lines[0].Qty', 'field.EXCEEDS_AVAILABLE.stock']])
  })
})

describe('units and files', () => {
  test('what is entered in pieces of a carton leaves the stock in its base unit; a unit the item does not have is refused at its line', async () => {
    await scene.database.run(sql`insert into item_uom (item_id, uom, factor) values (${await id('item', 'A')}, 'PALLET', 40)`)
    const made = await issued({ Purpose: 'PROMO', CustomerID: await id('customer', 'C0000001'), Lines: [{ ItemID: await id('item', 'A'), Qty: '0.5', Uom: 'PALLET' }] })
    expect(made.Lines.map(({ Qty, Uom, QtyBase, Cost }: Record) => [Qty, Uom, QtyBase, Cost])).toEqual([['0.500', 'PALLET', '20.000', '1700000.00']])
    expect(await moved(made)).toEqual([{ type: 'F01', qty: '-20.000', cost: '-1700000.00' }])
    const sent = { Purpose: 'SAMPLE', Event: 'Pameran', WarehouseID: jkt, DocDate: scene.at.clock.today(), Lines: [{ ItemID: await id('item', 'A'), Qty: '1', Uom: 'CRATE' }] }
    const refused = await scene.people.admin.post('/api/v1/data/free-good', sent, { key: scene.key() })
    expect(refused.data.errors.map(({ field, key }: Record) => [field, key])).toEqual([['Lines[0].Uom', 'field.NOT_A_CHOICE.uom']])
  })

  test('a file makes a request per reference; what the warehouse does not have is told at its row', async () => {
    const files = new Imports(scene.at, scene.people.admin)
    const head = 'Ref,Date,Customer,Event,Purpose,SKU,UOM,Qty,Warehouse,Reason,Submit'
    const rows = ['F1,2026-11-02,C0000001,,DISPLAY,A,CTN,2,WJKT,A02,Y', 'F1,2026-11-02,C0000001,,DISPLAY,B,CTN,1,WJKT,A02,Y', 'F2,2026-11-02,,Pameran,SAMPLE,A,PALLET,4000,WJKT,A02,N', 'F3,2026-11-02,,,SAMPLE,A,CTN,1,WJKT,A02,N', 'F4,2026-11-02,,Pameran,SAMPLE,A,CTN,0,WJKT,A02,N']
    const batch = await files.take('free-goods.import', [head, ...rows].join('\n'))
    const told = (await files.rows(batch)).map((row) => [row.State, row.Errors.map(({ column, code }) => `${column} ${code}`)])
    expect(told).toEqual([['VALID', []], ['VALID', []], ['ERROR', ['Qty E12']], ['ERROR', ['Purpose E05']], ['ERROR', ['Qty E06']]])
    await files.commit(batch)
    const made = await scene.database.rows(sql`select external_ref, purpose, status, (select count(*)::int from free_goods_request_line line where line.free_goods_request_id = r.id) as lines from free_goods_request r where external_ref is not null`)
    expect(made).toEqual([{ external_ref: 'F1', purpose: 'DISPLAY', status: 4, lines: 2 }])
    expect((await files.rows(await files.take('free-goods.import', [head, rows[0]?.replace(',2,WJKT', ',3,WJKT')].join('\n')))).map(({ Errors }) => Errors.map(({ column, code }) => `${column} ${code}`))).toEqual([['Ref E04']])
  })
})
