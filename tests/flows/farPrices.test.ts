import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let base: number

beforeAll(async () => {
  scene = await openScene()
  base = await scene.at.id('price_set', 'BASE')
})

/** An order with a line for each price; null: as the list has it (120,000 a carton of A). */
async function orderAt(...prices: readonly (string | null)[]): Promise<Record> {
  const ItemID = await scene.at.id('item', 'A')
  return scene.create('admin', 'sales-order', { CustomerID: await scene.at.id('customer', 'C0000002'), Lines: prices.map((AgreedPrice) => ({ ItemID, Uom: 'CTN', Qty: '1', ...(AgreedPrice === null ? {} : { AgreedPrice }) })) })
}

async function setLimit(percent: number): Promise<void> {
  const [setting] = await scene.rows('setting_oms', sql`key = 'price_deviation_pct' and operating_unit_id is null`)
  const { Version } = await scene.read('setting-oms', setting.id)
  expect((await scene.people.admin.put(`/api/v1/data/setting-oms/${setting.id}`, { Number: percent }, { version: Version })).status).toBe(200)
}

const farOf = (answer: Record): readonly Record[] => (answer.data?.warnings ?? []).filter(({ code }: Record) => code === 'FAR_VALUE')

describe('a price far from what it is measured by', () => {
  it('on an order is asked about when the order is submitted, with both prices; seen once is not seen at another price', async () => {
    const order = await orderAt('2500', null)
    expect(order.Lines.map((line: Record) => [line.Price, line.ListPrice])).toEqual([['2500.0000', '120000.0000'], ['120000.0000', null]])
    const asked = await scene.tryAct('admin', 'sales-order', order.ID, 'submit')
    expect([asked.status, farOf(asked)]).toEqual([412, [expect.objectContaining({ text: 'Price, more than 30 % off: A CTN 2,500.00 instead of 120,000.00 (−97.9 %). Check the unit and the amount.' })]])
    const acknowledge = asked.data.warnings.map(({ id }: Record) => id)
    const { Version, Lines } = await scene.read('sales-order', order.ID)
    const changed = await scene.people.admin.put(`/api/v1/data/sales-order/${order.ID}`, { Lines: Lines.map((line: Record, i: number) => ({ ID: line.ID, ...(i === 0 ? { AgreedPrice: '3000' } : {}) })) }, { version: Version })
    expect(changed.status).toBe(200)
    const again = await scene.tryAct('admin', 'sales-order', order.ID, 'submit', {}, { acknowledge })
    expect([again.status, farOf(again).length]).toEqual([412, 1])
    expect((await scene.tryAct('admin', 'sales-order', order.ID, 'submit', {}, { acknowledge: again.data.warnings.map(({ id }: Record) => id) })).status).toBe(200)
  })

  it('is no question up to what the setting allows, in either direction, nor by the list', async () => {
    for (const price of ['84000', '156000', '120000', null]) expect(farOf(await scene.tryAct('admin', 'sales-order', (await orderAt(price)).ID, 'submit')), String(price)).toEqual([])
    for (const price of ['83999', '156001']) expect(farOf(await scene.tryAct('admin', 'sales-order', (await orderAt(price)).ID, 'submit')), price).toHaveLength(1)
    await setLimit(98)
    expect(farOf(await scene.tryAct('admin', 'sales-order', (await orderAt('2500')).ID, 'submit'))).toEqual([])
    await setLimit(30)
  })

  it('is asked about for an order entered and submitted in one go', async () => {
    const body = { CustomerID: await scene.at.id('customer', 'C0000002'), Lines: [{ ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Qty: '1', AgreedPrice: '2500' }] }
    const asked = await scene.people.admin.post('/api/v1/data/sales-order?next=submit', body, { key: scene.key() })
    expect([asked.status, farOf(asked).length]).toEqual([412, 1])
  })

  it('is coloured where it is typed: pricing answers with the list price beside it', async () => {
    const answer = await scene.command('admin', 'price-order', { CustomerID: await scene.at.id('customer', 'C0000002'), DocDate: scene.at.clock.today(), Lines: [{ ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Qty: '1', AgreedPrice: '2500' }] })
    expect(answer.record.Lines[0]).toMatchObject({ Price: '2500.0000', ListPrice: '120000.0000' })
    const { metadata } = await import('#generated/metadata.ts')
    const form = metadata.screens['price-set.v1.form']
    const column = form?.kind === 'form' ? form.lines?.columns.find(({ name }) => name === 'value') : undefined
    expect(column).toMatchObject({ usually: 'OldValue' })
  })

  it('in a change of prices is asked about beside the price so far; a new price and a discount are not', async () => {
    const change = async (value: string, more: object = {}) => {
      const draft = await scene.create('admin', 'price-change', { Kind: 'LIST_PRICE', Scheme: 'V3', IsPartial: true, PriceSetID: base, EffectiveFrom: scene.at.clock.today(), Lines: [{ ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Value: value, ...more }] })
      return scene.tryAct('admin', 'price-change', draft.ID, 'submit')
    }
    const asked = await change('3000')
    expect([asked.status, farOf(asked)]).toEqual([412, [expect.objectContaining({ text: 'Value, more than 30 % off: A CTN 3,000.00 instead of 120,000.00 (−97.5 %). Check the unit and the amount.' })]])
    expect(farOf(await change('126000'))).toEqual([])
    expect(farOf(await change('100', { MinQty: '10' }))).toEqual([])
  })
})
