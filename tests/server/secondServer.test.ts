import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { buildApp } from '#server/app.ts'
import type { Database } from '#server/context.ts'
import { openDatabase } from '#server/db/database.ts'
import { sql } from '#server/db/sql.ts'
import { registries } from '#server/registries.ts'
import { sessionOf, type Session } from '../support/app.ts'
import { engine, serverUrl } from '../support/database.ts'
import { accepted, openScene, type Scene } from '../support/scene.ts'

// The embedded database belongs to one process; only PostgreSQL has a second server.
describe.runIf(engine === 'postgres')('two servers over one database', () => {
  let scene: Scene
  let other: Session
  let app: FastifyInstance

  beforeAll(async () => {
    scene = await openScene()
    const name = await scene.database.first<{ name: string }>(sql`select current_database() as name`)
    const database: Database = await openDatabase({ kind: 'postgres', url: `${serverUrl}/${name?.name}` })
    app = await buildApp({ database, clock: scene.at.clock, metadata, registries, version: 'other' })
    await app.ready()
    afterAll(async () => {
      await app.close()
      await database.close()
    })
    other = sessionOf(app, scene.people.sales.token)
  })

  const priceAt = async (session: Session): Promise<string> => {
    const body = { CustomerID: await scene.at.id('customer', 'C0000002'), Lines: [{ ItemID: await scene.at.id('item', 'C'), Uom: 'CTN', Qty: '1' }] }
    const { record } = accepted(await session.post('/api/v1/command/price-order', body))
    return record.Lines[0].Price
  }

  /** By the first server's connection: nothing tells the second but the database. */
  const setPrice = (price: string): Promise<number> =>
    scene.database.run(sql`
      update list_price l set price = ${price} from item i, price_set s where i.id = l.item_id and s.id = l.price_set_id and i.code = 'C' and s.code = 'BASE'`)

  test('price alike, and a price changed by the one is the other’s price at once', async () => {
    const before = await priceAt(other)
    expect(await priceAt(scene.people.sales)).toBe(before)
    await setPrice('3000000')
    expect(await priceAt(other)).toBe('3000000.0000')
    expect(await priceAt(scene.people.sales)).toBe('3000000.0000')
    expect(before).not.toBe('3000000.0000')
  })

  test('an order entered at the other is priced by it too', async () => {
    const body = { CustomerID: await scene.at.id('customer', 'C0000002'), Lines: [{ ItemID: await scene.at.id('item', 'C'), Uom: 'CTN', Qty: '2' }] }
    await setPrice('3100000')
    const { record } = accepted(await other.post('/api/v1/data/sales-order', body, { key: scene.key() }))
    expect(record.Lines[0]).toMatchObject({ Price: '3100000.0000' })
  })

  test('a session ended at the one is over at the other, and a permission taken away there is gone here', async () => {
    const here = scene.people.warehouse
    const there = sessionOf(app, here.token)
    expect((await there.get('/api/v1/data/delivery-order')).status).toBe(200)
    const role = await scene.database.first<{ role_id: number; version: number }>(sql`select r.id as role_id, r.version from role r join app_user u on u.role_id = r.id where u.email = 'warehouse@arus.example'`)
    const { names } = (await scene.database.first<{ names: string[] }>(sql`select array_agg(guard_name::text) as names from role_permission where role_id = ${role?.role_id} and guard_name <> 'delivery-order-view'`)) ?? { names: [] }
    accepted(await scene.people.admin.put(`/api/v1/role/${role?.role_id}/guards`, { GuardNames: names }, { key: scene.key(), version: role?.version ?? 0 }))
    await expect.poll(async () => (await there.get('/api/v1/data/delivery-order')).status).toBe(403)
    accepted(await here.post('/api/v1/logout', {}))
    await expect.poll(async () => (await there.get('/api/v1/profile')).status).toBe(401)
  })
})
