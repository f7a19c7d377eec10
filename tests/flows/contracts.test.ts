import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { ExpiryRounds } from '#server/workflow/expiryRounds.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let reason: number
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await scene.database.run(sql`update credit_limit set amount = null`)
  await keepCalendar(scene.database, scene.at.clock)
  reason = await scene.at.id('reason', 'C02')
})
// I24 among others: what is called is what the orders say.
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const today = () => scene.at.clock.today()
const makmur = () => scene.at.id('customer', 'C0000001')
const read = (contract: Record) => scene.read('contract', contract.ID)
const lineOf = async (contract: Record): Promise<number> => (await read(contract)).Lines[0].ID
const expired = async () => new ExpiryRounds(await scene.database.transaction(async (tx) => runOf(scene.database, tx).services)).run()

type Line = { readonly item?: string; readonly target?: string; readonly price?: string | null; readonly minus?: string | null; readonly least?: string; readonly uom?: string }

async function drawn({ lines = [{}], ...more }: { readonly lines?: readonly Line[]; readonly [field: string]: unknown }): Promise<Record> {
  const Lines = await Promise.all(lines.map(async ({ item = 'A', target = '100', price = '110000', minus = null, least = '0', uom = 'CTN' }) => ({ ItemID: await scene.at.id('item', item), Uom: uom, TargetQty: target, Price: price, ListMinus: minus, MinCall: least })))
  return scene.create('sales', 'contract', { CustomerID: await makmur(), DocDate: today(), ValidFrom: today(), ValidTo: addDays(today(), 60), ...more, Lines })
}

/** A contract both levels have approved. */
async function agreed(what: Parameters<typeof drawn>[0] = {}): Promise<Record> {
  const made = await drawn(what)
  await scene.act('sales', 'contract', made.ID, 'submit')
  await scene.decide('sales_contract', made.ID, 'approve', ['supervisor', 'manager'])
  return read(made)
}

async function draft(contract: Record, qty: string, more: object = {}, line: object = {}): Promise<Record> {
  return scene.create('sales', 'sales-order', {
    CustomerID: await makmur(), ContractID: contract.ID, Lines: [{ ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Qty: qty, ContractLineID: await lineOf(contract), ...line }], ...more,
  })
}
const called = async (contract: Record, qty: string): Promise<Record> => scene.act('sales', 'sales-order', (await draft(contract, qty)).ID, 'submit')

/** Approvers are asked about every order of Makmur, whatever he orders. */
async function waiting(contract: Record, qty: string): Promise<Record> {
  await scene.database.run(sql`insert into minimum_order_quantity (item_id, min_qty, action) select id, 1000, 'BLOCK' from item where code = 'A'`)
  const order = await called(contract, qty)
  await scene.database.run(sql`delete from minimum_order_quantity`)
  expect(order.Status).toBe(4)
  return order
}

async function approve(order: Record) {
  const [request] = await scene.rows('approval_request', sql`doc_type = 'sales_order' and doc_id = ${order.ID} and status = 4`)
  return scene.people.supervisor.post(`/api/v1/approval/${request.id}/approve`, {}, { key: scene.key() })
}

describe('CT1', () => {
  test('a quantity contract is called up to what is left, gives back what is not delivered, and its end leaves open orders their price', async () => {
    const contract = await agreed()
    expect((await called(contract, '70')).Status).toBe(1)
    expect(await read(contract)).toMatchObject({ Status: 2, Lines: [{ CalledQty: '70.000' }] })
    const [first, second] = [await waiting(contract, '20'), await waiting(contract, '20')]
    expect(await approve(first)).toMatchObject({ status: 200 })
    expect(await read(contract)).toMatchObject({ Status: 2, Lines: [{ CalledQty: '90.000' }] })
    const refused = await approve(second)
    expect(refused).toMatchObject({ status: 422, code: 'EXCEEDS_REMAINING', message: `${contract.Code} has only 10 CTN of A left.` })
    expect(await scene.read('sales-order', second.ID)).toMatchObject({ Status: 4 })
    expect(await read(contract)).toMatchObject({ Lines: [{ CalledQty: '90.000' }] })
    // The maker takes it back and splits it: ten are called, ten are bought as anybody would.
    await scene.act('sales', 'sales-order', second.ID, 'recall')
    const { Version, Lines: [line] } = await scene.read('sales-order', second.ID)
    const split = await scene.people.sales.put(`/api/v1/data/sales-order/${second.ID}`, {
      Lines: [{ ID: line.ID, ItemID: line.ItemID, Uom: 'CTN', Qty: '10', ContractLineID: line.ContractLineID }, { ItemID: line.ItemID, Uom: 'CTN', Qty: '10' }],
    }, { version: Version, key: scene.key() })
    expect(split, split.message).toMatchObject({ status: 200 })
    const sent = await scene.act('sales', 'sales-order', second.ID, 'submit')
    expect(sent).toMatchObject({ Status: 1 })
    expect(sent.Lines.slice(0, 2).map((row: Record) => [row.Price, row.PriceSource])).toEqual([['110000.0000', `CONTRACT:${contract.Code}`], ['118000.0000', 'GROUP:SILVER']])
    expect(await read(contract)).toMatchObject({ Status: 3, Lines: [{ CalledQty: '100.000' }] })
    // Of the first five are delivered, the rest is closed.
    const own = (await scene.read('sales-order', first.ID)).Lines.filter((row: Record) => !row.IsFree)
    const [delivery] = await scene.plan(first, { [own[0].ID]: '5' })
    await scene.issue(delivery)
    expect(await scene.act('sales', 'sales-order', first.ID, 'cancel', { ReasonID: reason })).toMatchObject({ Status: 2 })
    expect(await read(contract)).toMatchObject({ Status: 2, Lines: [{ CalledQty: '85.000' }] })
    // The contract ends while the second is open.
    await scene.database.run(sql`update sales_contract set valid_from = valid_from - 90, valid_to = valid_from - 1 where id = ${contract.ID}`)
    expect(await expired()).toBe(1)
    expect(await expired()).toBe(0)
    expect(await read(contract)).toMatchObject({ Status: 9, Lines: [{ CalledQty: '85.000' }] })
    expect(await scene.read('sales-order', second.ID)).toMatchObject({ Status: 1, Lines: [{ Price: '110000.0000' }, {}, {}] })
    const none = await scene.people.sales.post('/api/v1/data/sales-order', { CustomerID: await makmur(), ContractID: contract.ID, Lines: [{ ItemID: line.ItemID, Uom: 'CTN', Qty: '1', ContractLineID: line.ContractLineID }] }, { key: scene.key() })
    expect(none.data.errors.map(({ field, text }: Record) => [field, text])).toEqual([['ContractID', `${contract.Code} has ended: order without it.`]])
    // What is not delivered of the second still comes off.
    await scene.act('sales', 'sales-order', second.ID, 'cancel', { ReasonID: reason })
    expect(await read(contract)).toMatchObject({ Status: 9, Lines: [{ CalledQty: '75.000' }] })
  })
})
