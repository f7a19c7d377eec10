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

describe('a contract', () => {
  const errors = (answer: { data: Record }): string[][] => answer.data.errors.map(({ field, text }: Record) => [field, text])
  const refusal = async (made: Record) => errors(await scene.tryAct('sales', 'contract', made.ID, 'submit'))

  test('says what it lacks where it lacks it', async () => {
    expect(await refusal(await drawn({ lines: [{ target: '0', price: null }] }))).toEqual([['Lines[0].TargetQty', 'Enter the agreed quantity'], ['Lines[0].Price', 'Enter the agreed price']])
    expect(await refusal(await drawn({ PricePolicy: 'LIST_MINUS' }))).toEqual([['Lines[0].ListMinus', 'Enter how much is taken off; 0 for the list price itself']])
    expect(await refusal(await drawn({ Kind: 'VALUE' }))).toEqual([['TargetValue', 'Enter the agreed value']])
    expect(await refusal(await drawn({ ValidFrom: addDays(today(), -20), ValidTo: addDays(today(), -1) }))).toEqual([['ValidTo', 'The last day is over already']])
    const item = await scene.at.id('item', 'A')
    const twice = await scene.people.sales.post('/api/v1/data/contract', {
      CustomerID: await makmur(), DocDate: today(), ValidFrom: today(), ValidTo: today(), Lines: [{ ItemID: item, Uom: 'ctn' }, { ItemID: item, Uom: 'CTN' }, { ItemID: item, Uom: 'BOX' }],
    }, { key: scene.key() })
    expect(errors(twice)).toEqual([['Lines[1].ItemID', 'This item is already in the contract in this unit.'], ['Lines[2].Uom', expect.stringContaining('CTN')]])
  })

  test('is approved by supervisor and manager, not by its maker, and read in their queue', async () => {
    const made = await drawn({})
    expect(await scene.act('sales', 'contract', made.ID, 'submit')).toMatchObject({ Status: 4, Code: expect.stringMatching(/^CT\/JKT\//) })
    const [request] = await scene.rows('approval_request', sql`doc_type = 'sales_contract' and doc_id = ${made.ID} and status = 4`)
    expect((await scene.people.sales.post(`/api/v1/approval/${request.id}/approve`, {}, { key: scene.key() })).status).toBe(403)
    expect((await scene.people.supervisor.post(`/api/v1/approval/${request.id}/approve`, {}, { key: scene.key() })).data).toMatchObject({ isFinal: false })
    expect((await scene.people.manager.post(`/api/v1/approval/${request.id}/approve`, {}, { key: scene.key() })).data).toMatchObject({ isFinal: true })
    expect(await read(made)).toMatchObject({ Status: 1 })
    const other = await drawn({})
    await scene.act('sales', 'contract', other.ID, 'submit')
    await scene.decide('sales_contract', other.ID, 'reject', ['supervisor'])
    expect(await read(other)).toMatchObject({ Status: 5 })
    const item = { ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Qty: '1' }
    const asked = await scene.people.sales.post('/api/v1/data/sales-order', { CustomerID: await makmur(), ContractID: other.ID, Lines: [item] }, { key: scene.key() })
    expect(errors(asked)).toEqual([['ContractID', 'Choose a contract of this customer.']])
  })

  test('is named by orders of its customer, of its days, items and units', async () => {
    const contract = await agreed({ ValidFrom: addDays(today(), 1) })
    const current = await agreed({ lines: [{ item: 'E', uom: 'CTN' }] })
    const tried = async (body: object) => errors(await scene.people.sales.post('/api/v1/data/sales-order', { CustomerID: await makmur(), ...body }, { key: scene.key() }))
    const line = async (item: string, of: Record, uom = 'CTN') => ({ ItemID: await scene.at.id('item', item), Uom: uom, Qty: '1', ContractLineID: await lineOf(of) })
    expect(await tried({ ContractID: contract.ID, Lines: [await line('A', contract)] })).toEqual([['ContractID', expect.stringContaining('is valid from')]])
    expect(await tried({ ContractID: current.ID, Lines: [await line('A', current)] })).toEqual([['Lines[0].ContractLineID', 'This contract line is for E.']])
    expect(await tried({ ContractID: current.ID, Lines: [await line('E', current, 'PCS')] })).toEqual([['Lines[0].Uom', 'The contract is in CTN: order in CTN.']])
    expect(await tried({ ContractID: current.ID, Lines: [await line('E', contract)] })).toEqual([['Lines[0].ContractLineID', "Choose a line of the order's contract."]])
    expect(await tried({ Lines: [await line('E', current)] })).toEqual([['ContractID', 'Choose the contract the lines call on.']])
    expect(await tried({ CustomerID: await scene.at.id('customer', 'C0000002'), ContractID: current.ID, Lines: [await line('E', current)] })).toEqual([['ContractID', 'Choose a contract of this customer.']])
    // Of another contract than the header's the price is not taken either.
    const [answer] = (await scene.people.sales.post('/api/v1/command/price-order', { CustomerID: await scene.at.id('customer', 'C0000002'), ContractID: current.ID, Lines: [await line('E', current)] })).data.record.Lines
    expect(answer.PriceSource).toBe('BASE:BASE')
  })

  test('asks for its least quantity at each call, but for the rest', async () => {
    const contract = await agreed({ lines: [{ target: '25', least: '10' }] })
    const small = await draft(contract, '9')
    expect(errors(await scene.tryAct('sales', 'sales-order', small.ID, 'submit'))).toEqual([['Lines[0].Qty', 'The contract asks for at least 10 CTN per order.']])
    expect(await called(contract, '20')).toMatchObject({ Status: 1 })
    const many = await draft(contract, '6')
    expect(errors(await scene.tryAct('sales', 'sales-order', many.ID, 'submit'))).toEqual([['Lines[0].Qty', 'The contract has 5 CTN left.']])
    expect(await called(contract, '5')).toMatchObject({ Status: 1 })
    expect(await read(contract)).toMatchObject({ Status: 3 })
  })

  test('by value counts goods without VAT and ends when all of it is called', async () => {
    // Gross 110,000 less 3 % and 2 %: 104,566 a carton.
    const contract = await agreed({ Kind: 'VALUE', TargetValue: '1045660', lines: [{ target: '0' }] })
    expect(await called(contract, '6')).toMatchObject({ Status: 1, Dpp: '627396.00' })
    expect(await read(contract)).toMatchObject({ Status: 2, CalledValue: '627396.00' })
    const over = await draft(contract, '5')
    expect(errors(await scene.tryAct('sales', 'sales-order', over.ID, 'submit'))).toEqual([['Lines[0].Qty', 'The contract has 418,264.00 left, without VAT.']])
    const rest = await called(contract, '4')
    expect(await read(contract)).toMatchObject({ Status: 3, CalledValue: '1045660.00' })
    await scene.act('sales', 'sales-order', rest.ID, 'cancel', { ReasonID: reason })
    expect(await read(contract)).toMatchObject({ Status: 2, CalledValue: '627396.00' })
  })

  test('of prices only is called without end, off the list where so agreed', async () => {
    const contract = await agreed({ Kind: 'PRICE', PricePolicy: 'LIST_MINUS', lines: [{ target: '0', price: null, minus: '3000' }] })
    expect(await called(contract, '12')).toMatchObject({ Lines: [{ Price: '115000.0000', PriceSource: `CONTRACT:${contract.Code}` }, {}] })
    expect(await read(contract)).toMatchObject({ Status: 2, Lines: [{ CalledQty: '12.000' }] })
  })

  test('is cancelled once nothing of it is on its way', async () => {
    const contract = await agreed()
    const order = await called(contract, '10')
    const cancel = (who: 'sales' | 'manager') => scene.tryAct(who, 'contract', contract.ID, 'cancel', { ReasonID: reason })
    expect((await cancel('sales')).status).toBe(403)
    expect(await cancel('manager')).toMatchObject({ message: `${order.Code} still calls on this contract: close or cancel it first.` })
    await scene.act('sales', 'sales-order', order.ID, 'cancel', { ReasonID: reason })
    expect((await read(contract)).Status).toBe(1)
    expect((await cancel('manager')).data.record).toMatchObject({ Status: 6 })
  })

  test('tells while the order is typed what is left, and offers its line for its item', async () => {
    const contract = await agreed({ lines: [{ target: '30' }] })
    const item = await scene.at.id('item', 'A')
    const typed = async (line: object) => (await scene.people.sales.post('/api/v1/command/price-order', { CustomerID: await makmur(), ContractID: contract.ID, Lines: [{ ItemID: item, Uom: 'CTN', Qty: '40', ...line }] })).data
    const offered = await typed({})
    expect(offered.record.Lines[0]).toMatchObject({ ContractLineID: contract.Lines[0].ID, ContractLineCode: `${contract.Code}-1`, PriceSource: 'GROUP:SILVER' })
    expect(offered.errors).toEqual([])
    const over = await typed({ ContractLineID: contract.Lines[0].ID })
    expect(over.record.Lines[0]).toMatchObject({ Price: '110000.0000', Beside: { ContractLineID: '30 CTN' } })
    expect(over.errors.map(({ field, text }: Record) => [field, text])).toEqual([['Lines[0].Qty', 'The contract has 30 CTN left.']])
    expect((await typed({ ContractLineID: contract.Lines[0].ID, Qty: '30' })).errors).toEqual([])
  })
})

describe('an order nobody has served', () => {
  test('ends some days after it was due and gives back what it called; one that is planned or begun goes on', async () => {
    const contract = await agreed()
    const due = async (order: Record, days: number) => scene.database.run(sql`update sales_order set requested_date = ${addDays(today(), -days)}::date where id = ${order.ID}`)
    const [late, still, planned, begun] = [await called(contract, '10'), await called(contract, '11'), await called(contract, '12'), await called(contract, '13')]
    await scene.plan(planned)
    const part = (await scene.read('sales-order', begun.ID)).Lines[0]
    const [delivery] = await scene.plan(begun, { [part.ID]: '5' })
    await scene.issue(delivery)
    await due(late, 8)
    await due(still, 7)
    await due(planned, 8)
    await due(begun, 8)
    expect(await expired()).toBe(1)
    expect(await expired()).toBe(0)
    expect((await Promise.all([late, still, planned, begun].map(({ ID }) => scene.read('sales-order', ID)))).map(({ Status }) => Status)).toEqual([9, 1, 1, 2])
    const ended = await scene.read('sales-order', late.ID)
    expect(ended.Lines.map((line: Record) => [line.CancelledQty, line.ReservedQty])).toEqual([['10.000', '0.000'], ['1.000', '0.000']])
    expect(await read(contract)).toMatchObject({ Status: 2, Lines: [{ CalledQty: '36.000' }] })
  })
})
