import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const [makmur, other] = ['C0000001', 'C0000002']
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update promotion set valid_to = '2025-12-31'`)
  await scene.database.run(sql`update credit_limit set amount = 50000000`)
})

/** What one D costs before VAT from now on. */
const price = async (dpp: string) => scene.database.run(sql`update list_price set price = ${dpp} where item_id = ${await scene.at.id('item', 'D')}`)
async function owes43690000(customer: string): Promise<void> {
  await price('39360360')
  expect(await scene.invoiced(customer, [{ item: 'D', qty: '1' }])).toMatchObject({ Total: '43690000.00' })
  expect(await scene.database.first(sql`select exposure::numeric(18,2) as exposure from v_customer_exposure e join customer c on c.id = e.customer_id where c.code = ${customer}`)).toEqual({ exposure: '43690000.00' })
}
const excess = async (order: Record) => (await scene.rows('approval_request', sql`doc_type = 'sales_order' and doc_id = ${order.ID}`)).at(-1)?.reasons

test('CR1: of a limit of 50,000,000 with 43,690,000 owed 6,310,000 are left, and not a rupiah more', async () => {
  await owes43690000(makmur)
  await price('5684686')
  const over = await scene.order(makmur, [{ item: 'D', qty: '1' }])
  expect(over).toMatchObject({ Total: '6310001.00', Status: 4, BlockCodes: ['CL01'] })
  expect(await excess(over)).toMatchObject([{ code: 'CL01', value: '1.00' }])
  await scene.act('sales', 'sales-order', over.ID, 'recall')
  await price('5684685')
  expect(await scene.order(makmur, [{ item: 'D', qty: '1' }])).toMatchObject({ Total: '6310000.00', Status: 1, BlockCodes: [] })
})

test('CR1: of two orders of 4,000,000 at the same second one is open; the other sees that, and waits for 1,690,000', async () => {
  await owes43690000(other)
  await price('3603604')
  const body = { CustomerID: await scene.at.id('customer', other), Lines: [{ ItemID: await scene.at.id('item', 'D'), Uom: 'CTN', Qty: '1' }] }
  const answers = await Promise.all([1, 2].map(() => scene.people.sales.post('/api/v1/data/sales-order?next=submit', body, { key: scene.key() })))
  const orders = answers.map((answer) => answer.data.record).toSorted((a: Record, b: Record) => a.Status - b.Status)
  expect(orders).toMatchObject([{ Total: '4000000.00', Status: 1, BlockCodes: [] }, { Total: '4000000.00', Status: 4, BlockCodes: ['CL01'] }])
  // What is open of an order counts with its VAT to the cent.
  const [reason] = await excess(orders[1])
  expect([reason.code, Math.round(Number(reason.value))]).toEqual(['CL01', 1_690_000])
  expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
})
