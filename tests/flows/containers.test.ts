import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
})
const id = (table: string, code: string) => scene.at.id(table, code)

describe('a container', () => {
  test('is loaded, leaves, stands at a customer, comes back and is emptied', async () => {
    const made = await scene.create('admin', 'inventory-container', {
      Code: 'KRAT-1', Kind: 'CRATE', OperatingUnitID: await id('operating_unit', 'JKT'), WarehouseID: await id('warehouse', 'WJKT'), DepositValue: '75000', Lines: [{ ItemID: await id('item', 'A'), Qty: '12' }],
    })
    expect(made).toMatchObject({ Status: 0 })
    const act = (action: string, body: object = {}) => scene.act('admin', 'inventory-container', made.ID, action, body)
    expect(await act('load')).toMatchObject({ Status: 8 })
    expect(await act('depart', { Eta: scene.at.clock.today() })).toMatchObject({ Status: 2, Eta: scene.at.clock.today() })
    const nobody = await scene.tryAct('admin', 'inventory-container', made.ID, 'hand-over')
    expect(nobody.data.errors.map(({ field }: Record) => field)).toEqual(['CustomerID'])
    const makmur = await id('customer', 'C0000001')
    expect(await act('hand-over', { CustomerID: makmur })).toMatchObject({ Status: 1, CustomerID: makmur })
    expect(await act('return', { WarehouseID: await id('warehouse', 'WJKT') })).toMatchObject({ Status: 3, CustomerID: null, Eta: null })
    expect(await act('empty')).toMatchObject({ Status: 0, Lines: [] })
    expect((await scene.tryAct('admin', 'inventory-container', made.ID, 'load')).status).toBe(422)
  })
})
