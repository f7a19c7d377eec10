import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let base: number
let items: Readonly<{ [code: string]: number }>

const today = '2026-11-20'

beforeAll(async () => {
  scene = await openScene()
  base = await scene.at.id('price_set', 'BASE')
  items = Object.fromEntries(await Promise.all(['A', 'B', 'C', 'D', 'E'].map(async (code) => [code, await scene.at.id('item', code)] as const)))
})

const line = (item: string, Value: string, more: object = {}) => ({ ItemID: items[item], Uom: 'CTN', Value, ...more })
const change = (lines: readonly object[], more: object = {}): object => ({ Kind: 'LIST_PRICE', Scheme: 'V3', IsPartial: true, PriceSetID: base, EffectiveFrom: scene.at.clock.today(), Lines: lines, ...more })
const tryChange = (body: object) => scene.people.admin.post('/api/v1/data/price-change', body, { key: scene.key() })

async function submitted(body: object): Promise<Record> {
  const draft = await scene.create('admin', 'price-change', body)
  return scene.act('admin', 'price-change', draft.ID, 'submit')
}

async function approved(body: object): Promise<Record> {
  const { ID } = await submitted(body)
  await scene.decide('price_change', ID, 'approve', ['finance'])
  return scene.read('price-change', ID)
}

const priceOf = async (item: string, day = scene.at.clock.today()): Promise<string> => {
  const answer = await scene.command('sales', 'price-order', { CustomerID: await scene.at.id('customer', 'C0000002'), DocDate: day, Lines: [{ ItemID: items[item], Uom: 'CTN', Qty: '1' }] })
  return answer.record.Lines[0].Price
}
const rowsOf = (item: string) => scene.database.rows(sql`
  select price, valid_from, valid_to, price_change_id, ended_by_id from list_price where price_set_id = ${base} and item_id = ${items[item]} and uom = 'CTN' order by valid_from`)

describe('a price change', () => {
  it('shows what it changes, and takes effect only when somebody else approves it', async () => {
    expect(today).toBe(scene.at.clock.today())
    expect(await priceOf('A')).toBe('120000.0000')
    const asked = await submitted(change([line('A', '126000'), line('B', '250000'), line('C', '100', { MinQty: '10' })]))
    expect(asked).toMatchObject({ Status: 4, ChangedCount: 1, AddedCount: 1, EndedCount: 0, LargestPct: '5.0000' })
    expect(asked.Lines.map((row: Record) => [row.Effect, row.OldValue, row.Value, row.ChangePct])).toEqual([
      ['CHANGED', '120000.0000', '126000.0000', '5.0000'], ['SAME', '250000.0000', '250000.0000', '0.0000'], ['NEW', null, '100.0000', null],
    ])
    expect(await priceOf('A')).toBe('120000.0000')
    const [request] = await scene.rows('approval_request', sql`doc_type = 'price_change' and doc_id = ${asked.ID}`)
    expect((await scene.people.admin.post(`/api/v1/approval/${request.id}/approve`, {}, { key: scene.key() })).code).toBe('SELF_APPROVAL')
    expect(request.doc_code).toBe(asked.Code)
    expect(asked.Code).toMatch(/^PRC\//)
    // How far prices move is a percentage, and the set stands in the queue by its name.
    expect(request.reasons).toMatchObject([{ code: 'LIST_PRICE', value: '5.0000', unit: 'percent' }])
    const queue = (await scene.people.finance.get('/api/v1/approval/price_change/submit', { state: 'waiting', columns: 'set_name,set_code' })).data.rows
    expect(queue.map((row: Record) => [row.Document.SetName, row.Document.SetCode])).toEqual([[expect.any(String), 'BASE']])
    // The numbers behind it, as asked and now.
    const basis = (await scene.people.finance.get(`/api/v1/approval/request/${request.id}`)).data
    expect(basis.FactsNow.map((fact: Record) => [fact.name, fact.value, fact.isOver])).toEqual([
      ['added', '1', false], ['changed', '1', false], ['raised', '1', false], ['lowered', '0', false], ['ended', '0', false], ['largest', '5.0000', false],
    ])
    expect(basis.FactsAsked).toEqual(basis.FactsNow)
    await scene.decide('price_change', asked.ID, 'approve', ['finance'])
    expect(await priceOf('A')).toBe('126000.0000')
    expect(await priceOf('A', '2026-11-19')).toBe('120000.0000')
    expect(await rowsOf('A')).toEqual([
      { price: '120000.0000', valid_from: '2025-01-01', valid_to: '2026-11-19', price_change_id: null, ended_by_id: asked.ID },
      { price: '126000.0000', valid_from: today, valid_to: null, price_change_id: asked.ID, ended_by_id: null },
    ])
    // What stays as it is is not written again.
    expect(await rowsOf('B')).toHaveLength(1)
  })

  it('names the other row where ranges overlap, at the field', async () => {
    await approved(change([line('D', '2000000')], { EffectiveFrom: '2026-12-01' }))
    const answer = await tryChange(change([line('B', '1'), line('D', '1990000', { ValidTo: null })]))
    expect(answer.data.errors).toMatchObject([{ field: 'Lines[1].ValidTo', code: 'OVERLAPS', params: { row: 'D CTN', value: '2000000', from: '01/12/2026', last: '30/11/2026' } }])
    expect((await tryChange(change([line('D', '1990000', { ValidTo: '2026-11-30' })]))).status).toBe(200)
    // Where no end is asked for, the price holds as long as the one it replaces.
    expect((await scene.create('admin', 'price-change', change([line('D', '1990000')]))).Lines).toMatchObject([{ ValidTo: '2026-11-30' }])
    const twice = await tryChange(change([line('B', '1'), line('B', '2')]))
    expect(twice.data.errors).toMatchObject([{ field: 'Lines[1].ItemID', code: 'DUPLICATE' }])
    expect((await tryChange(change([line('A', '1')]))).data.errors).toMatchObject([{ field: 'Lines[0].ItemID', code: 'OVERLAPS' }])
  })

  it('is refused by the approval when another one came first', async () => {
    const [first, second] = [await submitted(change([line('B', '251000')], { EffectiveFrom: '2027-01-01' })), await submitted(change([line('B', '252000')], { EffectiveFrom: '2026-12-15' }))]
    await scene.decide('price_change', first.ID, 'approve', ['finance'])
    await expect(scene.decide('price_change', second.ID, 'approve', ['finance'])).rejects.toThrow('B CTN already has 251000 from 01/01/2027')
    expect(await scene.read('price-change', second.ID)).toMatchObject({ Status: 4 })
  })

  it('checks every cell', async () => {
    const answer = await tryChange(change([line('A', '-1'), { ItemID: items['A'], Uom: 'BOX', Value: '5' }, line('C', '10', { FloorPrice: '11' }), { ItemID: items['B'], Uom: 'CTN' }], { EffectiveFrom: '2026-11-01' }))
    expect(answer.status).toBe(422)
    const fields = answer.data.errors.map((error: Record) => error.field)
    expect(fields).toContain('Lines[0].Value')
    const more = await tryChange(change([{ ItemID: items['A'], Uom: 'BOX', Value: '5' }, line('C', '10', { FloorPrice: '11' }), { ItemID: items['B'], Uom: 'CTN' }], { EffectiveFrom: '2026-11-01' }))
    expect(more.data.errors.map((error: Record) => `${error.field} ${error.code}`)).toEqual(['EffectiveFrom TOO_EARLY', 'Lines[0].Uom NOT_A_CHOICE', 'Lines[1].FloorPrice TOO_LARGE', 'Lines[2].Value REQUIRED'])
  })

  it('of the whole set proposes the rows there are and ends those left out', async () => {
    const body = { ...change([], { IsPartial: false, EffectiveFrom: '2027-02-01', PriceSetID: await scene.at.id('price_set', 'SILVER') }) }
    const proposed = await scene.command('admin', 'compare-prices', body)
    expect(proposed.record.Lines).toMatchObject([{ ItemCode: 'A', Uom: 'CTN', Value: '118000.0000', OldValue: '118000.0000', Effect: 'SAME' }])
    const draft = await scene.create('admin', 'price-change', { ...body, Lines: [line('B', '240000')] })
    expect(draft.Lines.map((row: Record) => [row.ItemCode, row.Action, row.Effect])).toEqual([['B', 'SET', 'NEW'], ['A', 'END', 'ENDED']])
    expect(draft).toMatchObject({ AddedCount: 1, EndedCount: 1 })
  })

  it('keeps what a front does not ask for', async () => {
    await approved(change([line('E', '31000', { FloorPrice: '30000' })], { EffectiveFrom: '2026-11-21' }))
    const body = (Value: string) => change([line('E', Value)], { EffectiveFrom: '2026-11-25', Scheme: 'V1' })
    const draft = await scene.create('admin', 'price-change', body('31000'))
    expect(draft.Lines).toMatchObject([{ Effect: 'SAME', FloorPrice: '30000.0000', OldFloor: '30000.0000' }])
    expect((await scene.tryAct('admin', 'price-change', draft.ID, 'submit')).data.errors).toMatchObject([{ field: 'Lines', code: 'REQUIRED' }])
    const dearer = await scene.create('admin', 'price-change', body('32000'))
    expect(dearer.Lines).toMatchObject([{ Effect: 'CHANGED', FloorPrice: '30000.0000' }])
    const cheaper = await scene.create('admin', 'price-change', body('29000'))
    expect(cheaper.Lines).toMatchObject([{ Effect: 'CHANGED', FloorPrice: '29000.0000' }])
  })

  it('still ahead can be taken back: what it ended goes on', async () => {
    const before = await rowsOf('C')
    const done = await approved(change([line('C', '2900000')], { EffectiveFrom: '2027-03-01' }))
    expect(await priceOf('C', '2027-03-01')).toBe('2900000.0000')
    await scene.act('admin', 'price-change', done.ID, 'cancel', { ReasonText: 'mistaken' })
    expect(await rowsOf('C')).toEqual(before)
    expect(await priceOf('C', '2027-03-01')).toBe('2972973.0000')
  })

  it('approved late begins on the day it is approved', async () => {
    const asked = await submitted(change([line('C', '2950000')]))
    await scene.moveTo('2026-11-23T03:00:00Z')
    await scene.decide('price_change', asked.ID, 'approve', ['finance'])
    expect(await scene.read('price-change', asked.ID)).toMatchObject({ EffectiveFrom: '2026-11-23', Status: 1 })
    expect(await priceOf('C', '2026-11-22')).toBe('2972973.0000')
    expect(await priceOf('C')).toBe('2950000.0000')
  })
})

describe('a new set', () => {
  it('is made with its prices by the approval, and prices the orders it is for', async () => {
    const customer = await scene.at.id('customer', 'C0000002')
    const body = {
      Kind: 'PRICE_SET', Scheme: 'V2', IsPartial: false, EffectiveFrom: scene.at.clock.today(), SetCode: 'OWN', SetName: 'His own prices', ScopeKind: 'CUSTOMER', ScopeCustomerID: customer,
      Lines: [line('B', '199000')],
    }
    expect((await tryChange({ ...body, ScopeCustomerID: null, SetCode: 'BASE' })).data.errors.map((error: Record) => error.field)).toEqual(expect.arrayContaining(['ScopeCustomerID', 'SetCode']))
    expect((await tryChange({ ...body, ScopeKind: 'BASE', ScopeCustomerID: null })).data.errors).toMatchObject([{ field: 'ScopeKind' }, { field: 'ScopeKind', code: 'OVERLAPS', params: { set: 'BASE' } }])
    const done = await approved(body)
    expect(done).toMatchObject({ PriceSetCode: 'OWN', Status: 1 })
    expect(await priceOf('B')).toBe('199000.0000')
  })

  it('of discounts is applied in its order', async () => {
    const customer = await scene.at.id('customer', 'C0000002')
    await approved({
      Kind: 'DISCOUNT_SET', Scheme: 'V2', IsPartial: false, EffectiveFrom: scene.at.clock.today(), SetCode: 'DOWN', SetName: 'His discounts', ScopeKind: 'CUSTOMER', ScopeCustomerID: customer,
      Lines: [{ Seq: 2, Name: 'Second', Kind: 'PCT', Value: '2' }, { Seq: 1, Name: 'First', Kind: 'PCT', Value: '5' }],
    })
    const answer = await scene.command('sales', 'price-order', { CustomerID: customer, Lines: [{ ItemID: items['B'], Uom: 'CTN', Qty: '1' }] })
    // 199,000 less 5 %, less 2 % of the rest.
    expect(answer.record.Lines[0].DiscountAmount).toBe('13731.00')
    const setId = await scene.at.id('discount_set', 'DOWN')
    const tomorrow = '2026-11-24'
    const second = await approved({ Kind: 'DISCOUNT', Scheme: 'V2', IsPartial: true, DiscountSetID: setId, EffectiveFrom: tomorrow, Lines: [{ Seq: 2, Action: 'END' }] })
    expect(second.Lines).toMatchObject([{ Effect: 'ENDED' }])
    const later = await scene.command('sales', 'price-order', { CustomerID: customer, DocDate: tomorrow, Lines: [{ ItemID: items['B'], Uom: 'CTN', Qty: '1' }] })
    expect(later.record.Lines[0].DiscountAmount).toBe('9950.00')
  })
})

describe('the lists', () => {
  it('show every row with what stood before it and who approved', async () => {
    const { data } = await scene.people.admin.get('/api/v1/data/price-row', { filter: JSON.stringify({ item_id: items['A'], price_set_id: base }), order: 'valid_from', sort: 'desc', columns: 'price,previous_price,change_pct,approved_by,scope_kind' })
    expect(data.rows.slice(0, 1)).toMatchObject([{ Price: '126000.0000', PreviousPrice: '120000.0000', ChangePct: '5.0000', ApprovedByName: 'finance', ScopeKind: 'BASE' }])
  })
})
