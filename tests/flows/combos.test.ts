import { beforeAll, describe, expect, it } from 'vitest'
import { exact, money, sum } from '#base/decimal.ts'
import { factsOf } from '#server/approval/facts.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { accepted, openScene, type Record, type Scene } from '../support/scene.ts'
import { Imports } from '../support/imports.ts'

let scene: Scene
let customer: number
let combo: Record
const items: { [code: string]: number } = {}

/** A combo of C, D and E, sold by the box and by cartons of four boxes. */
beforeAll(async () => {
  scene = await openScene()
  customer = await scene.at.id('customer', 'C0000002')
  await scene.database.run(sql`update credit_limit set amount = null`)
  const tax = await scene.at.id('tax_code', 'PPN04')
  await insertRows(scene.database, 'item', [
    { code: 'PK-1', name: 'Paket hemat', base_uom: 'BOX', sales_uom: 'BOX', pack_qty: '1', tax_code_id: tax, is_combo: true, status: 1 },
    { code: 'PK-2', name: 'Paket tanpa harga', base_uom: 'BOX', sales_uom: 'BOX', pack_qty: '1', tax_code_id: tax, is_combo: true, status: 1 },
    { code: 'KIT-1', name: 'Kit', base_uom: 'BOX', sales_uom: 'BOX', pack_qty: '1', tax_code_id: tax, is_combo: true, status: 1 },
  ])
  for (const code of ['A', 'B', 'C', 'D', 'E', 'PK-1', 'PK-2', 'KIT-1']) items[code] = await scene.at.id('item', code)
  await insertRows(scene.database, 'item_uom', [{ item_id: items['PK-1'], uom: 'CTN', factor: '4' }])
  const base = await scene.at.id('price_set', 'BASE')
  const valid = { valid_from: '2025-01-01', valid_to: null }
  await insertRows(scene.database, 'list_price', [
    { price_set_id: base, item_id: items['PK-1'], uom: 'BOX', min_qty: '0', price: '4000000', floor_price: '3800000', ...valid }, { price_set_id: base, item_id: items['KIT-1'], uom: 'BOX', min_qty: '0', price: '100000', ...valid },
  ])
  const parts = [['C', '1', '33.33'], ['D', '1', '33.33'], ['E', '7', '33.34']].map(([code = '', Qty, CostShare]) => ({ ItemID: items[code], Qty, CostShare }))
  const made = async (Code: string, sold: string, Kind: string) =>
    accepted(await scene.people.admin.post('/api/v1/data/combo', { Code, Name: Code, ItemID: items[sold], Kind, ValidFrom: '2026-01-01', ValidTo: '2026-12-31', IsActive: true, Lines: parts }, { key: scene.key() })).record
  combo = await made('K-1', 'PK-1', 'VIRTUAL')
  await made('K-2', 'PK-2', 'VIRTUAL')
  await made('K-3', 'KIT-1', 'KIT')
})

const line = (item: string, Qty: string, more: object = {}): object => ({ ItemID: items[item], Uom: item === 'C' || item === 'D' ? 'CTN' : item === 'E' ? 'PCS' : 'BOX', Qty, ...more })
const draft = (lines: readonly object[], more: object = {}): Promise<Record> => scene.create('sales', 'sales-order', { CustomerID: customer, Lines: lines, ...more })
const price = (lines: readonly object[], more: object = {}): Promise<Record> => scene.command('sales', 'price-order', { CustomerID: customer, Lines: lines, ...more })
const shown = (order: Record): unknown[] => order.Lines.map((one: Record) => [one.ItemCode, one.Qty, one.Uom, one.Gross, one.ComboItemCode ?? null, one.ComboNo, one.ComboQty, one.ComboUom ?? null])
const entered = [['C', '3.000', 'CTN', '3999600.00', 'PK-1', 1, '3.000', 'BOX'], ['D', '3.000', 'CTN', '3999600.00', 'PK-1', 1, '3.000', 'BOX'], ['E', '21.000', 'PCS', '4000800.00', 'PK-1', 1, '3.000', 'BOX']]
// The supervisor: an order of an earlier day is his to enter.
const refused = async (lines: readonly object[], more: object = {}): Promise<unknown> => {
  const answer = await scene.people.supervisor.post('/api/v1/data/sales-order', { CustomerID: customer, Lines: lines, ...more }, { key: scene.key() })
  const typed = await price(lines, more)
  expect(typed.errors.map(({ field, text }: Record) => [field, text])).toEqual(answer.data.errors.map(({ field, text }: Record) => [field, text]))
  return answer.data.errors.map(({ field, code, text }: Record) => [field, code, text])
}
const changeCombo = async (more: object): Promise<void> => {
  // Whoever takes it off is asked first: orders hold it.
  combo = accepted(await scene.people.admin.put(`/api/v1/data/combo/${combo.ID}`, more, { version: combo.Version, key: scene.key(), acknowledge: [`used-combo-${combo.ID}`] })).record
}

describe('a combo that explodes on the order', () => {
  it('shows its approvers each part beside its share of the floor of the combo, which pricing holds it against', async () => {
    const order = await draft([line('PK-1', '3'), line('C', '1')])
    const [header] = await scene.database.rows(sql`select * from sales_order where id = ${order.ID}`)
    const facts = await factsOf(scene.database, 'sales_order', header ?? {}, scene.at.clock.today())
    const floors = facts.filter(({ name }) => name === 'floor').map(({ subject, value }) => [subject?.split(' ')[0], value])
    // 3,800,000 in thirds, seven pieces of E in one; C by itself has no floor in the list.
    expect(floors.toSorted()).toEqual([['C', '1266540.00'], ['D', '1266540.00'], ['E', '180988.57']])
    expect(facts.filter(({ group, isOver }) => group === 'price' && isOver)).toEqual([])
  })

  it('is reserved, issued and billed as its parts, to the cent', async () => {
    const order = await draft([line('PK-1', '3')])
    expect(shown(order)).toEqual(entered)
    expect(order.Gross).toBe('12000000.00')
    const submitted = await scene.act('sales', 'sales-order', order.ID, 'submit')
    expect(submitted).toMatchObject({ Status: 1, Gross: '12000000.00' })
    expect(submitted.Lines.map((one: Record) => [one.ItemCode, one.ReservedQty])).toEqual([['C', '3.000'], ['D', '3.000'], ['E', '21.000']])
    const [delivery] = await scene.plan(submitted)
    const issue = await scene.issue(delivery)
    const moved = await scene.database.rows(sql`select i.code, m.qty from stock_movement m join item i on i.id = m.item_id where m.doc_type = 'goods_issue' and m.doc_id = ${issue.id} order by i.code`)
    expect(moved).toEqual([{ code: 'C', qty: '-3.000' }, { code: 'D', qty: '-3.000' }, { code: 'E', qty: '-21.000' }])
    const [invoice] = await scene.bill([issue.id])
    expect(invoice).toMatchObject({ Gross: '12000000.00', Dpp: order.Dpp, Ppn: order.Ppn, Total: order.Total })
    expect(invoice.Lines.map((one: Record) => [one.ItemCode, one.Gross])).toEqual([['C', '3999600.00'], ['D', '3999600.00'], ['E', '4000800.00']])
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 3, Stage: 'BILLED' })
    expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
  })

  it('is the same saved and submitted at once, in whatever unit it is sold', async () => {
    const answer = accepted(await scene.people.sales.post('/api/v1/data/sales-order?next=submit', { CustomerID: customer, Lines: [line('PK-1', '2', { Uom: 'CTN' }), line('C', '1')] }, { key: scene.key() }))
    expect(shown(await scene.read('sales-order', answer.record.ID))).toEqual([
      ['C', '8.000', 'CTN', '10665600.00', 'PK-1', 1, '2.000', 'CTN'], ['D', '8.000', 'CTN', '10665600.00', 'PK-1', 1, '2.000', 'CTN'], ['E', '56.000', 'PCS', '10668800.00', 'PK-1', 1, '2.000', 'CTN'],
      ['C', '1.000', 'CTN', '2972973.00', null, null, null, null],
    ])
    expect(answer.record.Status).toBe(1)
  })

  it('has the prices of its parts where it has none', async () => {
    expect((await draft([line('PK-2', '2')])).Lines.map((one: Record) => [one.ItemCode, one.Gross, one.PriceSource, one.ComboItemCode])).toEqual([
      ['C', '5945946.00', 'BASE:BASE', 'PK-2'], ['D', '3963964.00', 'BASE:BASE', 'PK-2'], ['E', '17507.00', 'BASE:BASE', 'PK-2'],
    ])
  })

  it('is shown with its parts and their prices while it is typed', async () => {
    const { record, errors, Hints } = await price([line('C', '1', { LineNo: 1 }), line('PK-1', '3', { LineNo: 2 })], { Trace: true })
    expect([errors, Hints]).toEqual([[], []])
    expect(record.Lines.map((one: Record) => [one.LineNo, one.ParentLineNo, one.ItemCode, one.Qty, one.Price, one.Gross])).toEqual([
      [1, undefined, 'C', '1.000', '2972973.0000', '2972973.00'], [2, undefined, 'PK-1', '3', '4000000.0000', null],
      [null, 2, 'C', '3.000', '1333200.0000', '3999600.00'], [null, 2, 'D', '3.000', '1333200.0000', '3999600.00'], [null, 2, 'E', '21.000', '190514.2857', '4000800.00'],
    ])
    expect(record.Lines[4]).toMatchObject({ ComboItemCode: 'PK-1', PriceSource: 'COMBO:PK-1' })
    expect(record.Lines[4].PriceTrace.map(({ step, source, after }: Record) => [step, source, after])).toEqual([['COMBO', 'PK-1 BASE:BASE', '12000000.00'], ['SHARE', '33.34 %', '4000800.00'], ['PROMOTION', 'P2', '3900780.00']])
    const free = Number(record.Lines[2].AtpQty)
    expect(Number(record.Lines[1].AtpQty)).toBe(Math.min(free, Number(record.Lines[3].AtpQty), Math.floor(Number(record.Lines[4].AtpQty) / 7)))
    expect(record.Gross).toBe('14972973.00')
    const saved = await draft([line('C', '1'), line('PK-1', '3')])
    expect([saved.Gross, saved.Total]).toEqual([record.Gross, record.Total])
  })

  it('gives its gifts and promotions to its parts', async () => {
    const tax = await scene.at.id('tax_code', 'PPN04')
    await insertRows(scene.database, 'item', [{ code: 'PK-A', name: 'Paket A', base_uom: 'BOX', sales_uom: 'BOX', pack_qty: '1', tax_code_id: tax, is_combo: true, status: 1 }])
    items['PK-A'] = await scene.at.id('item', 'PK-A')
    accepted(await scene.people.admin.post('/api/v1/data/combo', {
      Code: 'K-A', Name: 'K-A', ItemID: items['PK-A'], Kind: 'VIRTUAL', ValidFrom: '2026-01-01', IsActive: true, Lines: [{ ItemID: items['A'], Qty: '5', CostShare: '50' }, { ItemID: items['B'], Qty: '1', CostShare: '50' }],
    }, { key: scene.key() }))
    const makmur = await scene.at.id('customer', 'C0000001')
    const typed = await scene.command('sales', 'price-order', { CustomerID: makmur, Lines: [line('PK-A', '2', { LineNo: 1 })] })
    expect(typed.record.Lines.map((one: Record) => [one.ParentLineNo, one.ItemCode, one.Qty, one.IsFree])).toEqual([[undefined, 'PK-A', '2', false], [1, 'A', '10.000', false], [1, 'B', '2.000', false], [1, 'A', '1.000', true]])
    const saved = await draft([line('PK-A', '2')], { CustomerID: makmur })
    expect(saved.Lines.map((one: Record) => [one.ItemCode, one.Qty, one.IsFree, one.ComboItemCode ?? null])).toEqual([['A', '10.000', false, 'PK-A'], ['B', '2.000', false, 'PK-A'], ['A', '1.000', true, null]])
    expect([saved.Discount, saved.Total]).toEqual([typed.record.Discount, typed.record.Total])
  })

  it('is refused out of its time, taken off, empty or holding another', async () => {
    const place = 'Lines[1].ItemID'
    const lines = [line('C', '1'), line('PK-1', '1')]
    expect(await refused(lines, { DocDate: '2025-12-31' })).toEqual([[place, 'NOT_A_CHOICE', 'The combo PK-1 is sold from 01/01/2026 to 31/12/2026.']])
    await changeCombo({ ValidTo: null })
    expect(await refused(lines, { DocDate: '2025-12-31' })).toEqual([[place, 'NOT_A_CHOICE', 'The combo PK-1 is sold from 01/01/2026 on.']])
    await changeCombo({ IsActive: false })
    expect(await refused(lines)).toEqual([[place, 'NOT_A_CHOICE', 'The combo PK-1 is no longer sold.']])
    await changeCombo({ IsActive: true })
    const parts = await scene.rows('combo_component', sql`combo_id = ${combo.ID}`)
    await scene.database.run(sql`update combo_component set item_id = ${items['PK-2']} where id = ${parts[0].id}`)
    expect(await refused(lines)).toEqual([[place, 'NOT_A_CHOICE', 'The combo PK-1 holds another combo; it may hold ordinary items only.']])
    await scene.database.run(sql`delete from combo_component where combo_id = ${combo.ID}`)
    expect(await refused(lines)).toEqual([[place, 'NOT_A_CHOICE', 'The combo PK-1 has no components.']])
    await insertRows(scene.database, 'combo_component', parts)
    expect((await draft(lines)).Lines).toHaveLength(4)
  })

  it('says which part has no price', async () => {
    await scene.database.run(sql`update list_price set valid_from = '2030-01-01' where item_id = ${items['E']}`)
    const { errors } = await price([line('C', '1'), line('PK-2', '1')])
    expect(errors.map(({ field, code, text }: Record) => [field, code, text])).toEqual([['Lines[1].ItemID', 'PR00', 'E, a part of this combo, has no price for the customer on this day.']])
    const answer = await scene.people.sales.post('/api/v1/data/sales-order?next=submit', { CustomerID: customer, Lines: [line('PK-2', '1'), line('PK-2', '1')] }, { key: scene.key() })
    expect(answer.data.errors.map(({ field, code }: Record) => [field, code])).toEqual([['Lines[0].ItemID', 'PR00'], ['Lines[1].ItemID', 'PR00']])
    await scene.database.run(sql`update list_price set valid_from = '2025-01-01' where item_id = ${items['E']}`)
  })

  it('holds in a draft as long as its parts stand together', async () => {
    let order = await draft([line('PK-1', '3'), line('D', '1')])
    const body = (change: (one: Record, i: number) => object): object => ({ Lines: order.Lines.map((one: Record, i: number) => ({ ID: one.ID, ItemID: one.ItemID, Uom: one.Uom, Qty: one.Qty, ...change(one, i) })) })
    const save = async (sent: object): Promise<void> => {
      const typed = await price((sent as Record).Lines, { ID: order.ID })
      order = accepted(await scene.people.sales.put(`/api/v1/data/sales-order/${order.ID}`, sent, { version: order.Version, key: scene.key() })).record
      expect(order.Total).toBe(typed.record.Total)
      const known = typed.record.Lines.filter((one: Record) => one.ParentLineNo === undefined && one.ItemID !== items['PK-1'])
      expect(known.map((one: Record) => one.ComboItemCode ?? null)).toEqual(order.Lines.slice(0, known.length).map((one: Record) => one.ComboItemCode ?? null))
    }
    const first = entered.map((row) => [...row])
    const ordinary = ['D', '1.000', 'CTN', '1981982.00', null, null, null, null]
    expect(shown(order)).toEqual([...first, ordinary])
    // Twice as many of each part are twice as many combos.
    await save(body((one, i) => (i < 3 ? { Qty: String(Number(one.Qty) * 2) } : {})))
    expect(shown(order).map((row) => (row as unknown[])[6])).toEqual(['6.000', '6.000', '6.000', null])
    expect(order.Gross).toBe('25981982.00')
    // Another combo beside it.
    await save({ Lines: [...(body(() => ({})) as Record).Lines, line('PK-1', '1')] })
    expect(order.Lines.map((one: Record) => one.ComboNo)).toEqual([1, 1, 1, null, 2, 2, 2])
    expect(order.Gross).toBe('29981982.00')
    // One part at the price of the whole is nothing to be had: those left are ordinary lines, which is said with what they cost and cost before.
    const whole = await price((body(() => ({})) as Record).Lines, { ID: order.ID })
    expect(whole.Hints ?? []).toEqual([])
    const broken = await price((body(() => ({})) as Record).Lines.slice(1), { ID: order.ID })
    expect(broken.Hints).toEqual([expect.objectContaining({ code: 'COMBO_CHANGED', isNote: true, text: 'The combo PK-1 is not whole any more. What is left of it is at prices of its own (before): D 1,981,982 (1,333,200), E 1,250.5 (190,514.286).' })])
    await save({ Lines: (body(() => ({})) as Record).Lines.slice(1) })
    expect(order.Lines.slice(0, 2).map((one: Record) => [one.ItemCode, one.PriceSource, one.ComboItemCode ?? null])).toEqual([['D', 'BASE:BASE', null], ['E', 'BASE:BASE', null]])
    expect(money(sum(order.Lines.slice(3).map((one: Record) => exact(one.Gross))))).toBe('4000000.00')
    // A line changed into a combo.
    await save({ Lines: [{ ID: order.Lines[0].ID, ItemID: items['PK-1'], Uom: 'BOX', Qty: '1' }] })
    expect(shown(order).map((row) => (row as unknown[]).slice(0, 2))).toEqual([['C', '1.000'], ['D', '1.000'], ['E', '7.000']])
    expect(order.Gross).toBe('4000000.00')
  })

  it('that is stocked stays one line', async () => {
    expect((await draft([line('KIT-1', '2')])).Lines.map((one: Record) => [one.ItemCode, one.Qty, one.Gross])).toEqual([['KIT-1', '2.000', '200000.00']])
  })

  it('comes by file like any item', async () => {
    const files = new Imports(scene.at, scene.people.admin)
    const orders = await files.take('sales-order.import', ['ExternalRef,Customer,ShipTo,OrderDate,SKU,UOM,Qty,Submit', ...['WEB-1,C0000002,S1,DAY,PK-1,BOX,2,Y', 'WEB-1,C0000002,S1,DAY,C,CTN,1,Y', 'WEB-2,C0000002,S1,2025-12-31,PK-1,BOX,1,N'].map((row) => row.replace('DAY', scene.at.clock.today()))].join('\n'))
    expect(await files.errors(orders)).toEqual(['4 SKU E05 The combo PK-1 is sold from 01/01/2026 on.'])
    expect(await files.commit(orders)).toMatchObject({ RowsImported: 2 })
    expect(await files.errors(orders)).toEqual(['2  E00 Submitted and approved.', '4 SKU E05 The combo PK-1 is sold from 01/01/2026 on.'])
    const [order] = await scene.rows('sales_order', sql`external_ref = 'WEB-1'`)
    expect([order.status, order.gross]).toEqual([1, '10972973.00'])
    const executed = await files.take('so-to-invoice.import', ['ExternalRef,Customer,ShipTo,InvoiceDate,Warehouse,SKU,UOM,Qty,Price,Discount', 'MP-1,C0000002,S1,2026-11-03,WJKT,PK-1,BOX,3,3999999.99,100'].join('\n'))
    expect(await files.errors(executed)).toEqual([])
    expect(await files.commit(executed)).toMatchObject({ Status: 3, RowsImported: 1 })
    const billed = await scene.database.rows(sql`select i.gross, i.discount, l.gross as line, t.code from invoice i join sales_order o on o.id = i.sales_order_id join invoice_line l on l.invoice_id = i.id join item t on t.id = l.item_id where o.external_ref = 'MP-1' order by t.code`)
    expect(billed.map((row) => [row['gross'], row['discount']])[0]).toEqual(['11999999.97', '100.00'])
    expect(money(sum(billed.map((row) => String(row['line']))))).toBe('11999999.97')
    // An order approved here, carried out elsewhere: the file names the combo.
    const approved = ['ExternalRef,SONumber,ShipTo,InvoiceDate,Warehouse,SKU,UOM,Qty,Price', `MP-2,${order.code},S1,2026-11-30,WJKT,PK-1,BOX,1,`, `MP-2,${order.code},S1,2026-11-30,WJKT,C,CTN,1,`]
    const today = approved.map((row) => row.replace('2026-11-30', scene.at.clock.today()))
    expect(await files.commit(await files.take('so-to-invoice.import', today.join('\n')))).toMatchObject({ Status: 3, RowsImported: 2 })
    expect((await scene.rows('sales_order_line', sql`sales_order_id = ${order.id}`)).map((row) => [row.item_id, row.delivered_qty])).toEqual([[items['C'], '2.000'], [items['D'], '1.000'], [items['E'], '7.000'], [items['C'], '0.000']])
    const wrongPrice = await files.take('so-to-invoice.import', [today[0], today[1]?.replace('MP-2', 'MP-3').replace(/,$/, ',5')].join('\n'))
    // Rehearsed while the file is checked: the order says what its combo costs.
    expect(await files.errors(wrongPrice)).toEqual([expect.stringContaining(`${order.code} says 4000000.0000. Empty the cell.`)])
    expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
  })

  it('passes no quota by: what is left is said where the combo was typed', async () => {
    const used = await scene.database.first(sql`select coalesce(sum(l.qty_base - l.cancelled_qty), 0) as qty from sales_order_line l join sales_order o on o.id = l.sales_order_id where l.item_id = ${items['E']} and o.status in (1, 2, 3)`)
    const Territory = await scene.database.first(sql`select territory_id from customer where id = ${customer}`)
    accepted(await scene.people.admin.post('/api/v1/data/sales-quota', {
      Code: 'Q-E', Name: 'Kuota E', ItemID: items['E'], ScopeKind: 'TERRITORY', TerritoryID: Territory?.['territory_id'], ValidFrom: '2026-11-01', ValidTo: '2026-11-30', QuotaQty: String(Number(used?.['qty']) + 8),
    }, { key: scene.key() }))
    const answer = await scene.people.sales.post('/api/v1/data/sales-order?next=submit', { CustomerID: customer, Lines: [line('PK-1', '1'), line('PK-1', '1')] }, { key: scene.key() })
    expect(answer.data.errors).toMatchObject([{ field: 'Lines[0].Qty', code: 'QT01', text: 'The sales quota of E, a part of this combo, leaves 8 PCS.' }])
  })
})

describe('the combo itself', () => {
  const partsOf = (...parts: readonly (readonly [string, string])[]) => parts.map(([code, CostShare]) => ({ ItemID: items[code], Qty: '1', CostShare }))
  const saved = (body: object) => scene.people.admin.post('/api/v1/data/combo', { Code: scene.key().slice(0, 12), Name: 'Uji', Kind: 'VIRTUAL', ValidFrom: '2026-01-01', IsActive: true, ...body }, { key: scene.key() })
  const told = (answer: { data: Record }) => answer.data.errors.map(({ field, text }: Record) => [field, text])

  it('holds no other that explodes, nor itself: said at the component', async () => {
    const [box] = await insertRows(scene.database, 'item', [{ code: 'PK-9', name: 'Paket besar', base_uom: 'BOX', sales_uom: 'BOX', pack_qty: '1', is_combo: true, status: 1 }])
    items['PK-9'] = Number(box)
    expect(told(await saved({ ItemID: box, Lines: partsOf(['C', '40'], ['PK-1', '60']) }))).toEqual([['Lines[1].ItemID', 'This is the combo K-1; a combo holds ordinary items only.']])
    expect(told(await saved({ Code: 'K-9', Kind: 'KIT', ItemID: box, Lines: partsOf(['PK-9', '40'], ['C', '60']) }))).toEqual([['Lines[0].ItemID', 'This is the combo K-9; a combo holds ordinary items only.']])
    // A kit is goods: it may be a part.
    accepted(await saved({ ItemID: box, Lines: partsOf(['C', '40'], ['KIT-1', '60']) }))
  })

  it('does not become one that explodes while another holds it', async () => {
    const kit = await scene.database.first<{ id: number; version: number }>(sql`select id, version from combo where code = 'K-3'`)
    const answer = await scene.people.admin.put(`/api/v1/data/combo/${kit?.id}`, { Kind: 'VIRTUAL' }, { version: kit?.version ?? 0, key: scene.key() })
    expect(told(answer)).toEqual([['ItemID', expect.stringMatching(/ holds this item: a combo is no component of another\.$/)]])
  })

  it('is not deleted once orders came of it: it says how many lines, and which orders', async () => {
    const order = await draft([line('PK-1', '1')])
    const lines = await scene.database.first<{ n: number }>(sql`select count(*)::int as n from sales_order_line where combo_item_id = ${items['PK-1']}`)
    const answer = await scene.people.admin.delete(`/api/v1/data/combo/${combo.ID}`, { version: combo.Version })
    expect(answer).toMatchObject({ status: 409, code: 'IN_USE', data: { key: 'problem.IN_USE.where', params: { where: [{ params: { what: { key: 'entity.sales_order_line' }, count: lines?.n } }] } } })
    expect(answer.data.obstacles.map(({ path }: Record) => path)).toContain(`/sales-order-list/${order.ID}`)
    // Taken off it asks first, and what was ordered is read as before.
    const asked = await scene.people.admin.put(`/api/v1/data/combo/${combo.ID}`, { IsActive: false }, { version: combo.Version, key: scene.key() })
    expect(asked).toMatchObject({ status: 412, data: { warnings: [expect.objectContaining({ key: 'warning.deactivate' })] } })
    await scene.people.admin.put(`/api/v1/data/combo/${combo.ID}`, { IsActive: false }, { version: combo.Version, key: scene.key(), acknowledge: asked.data.warnings.map(({ id }: Record) => id) })
    expect((await scene.read('sales-order', order.ID)).Lines.map((one: Record) => [one.ItemCode, one.ComboItemCode])).toEqual([['C', 'PK-1'], ['D', 'PK-1'], ['E', 'PK-1']])
  })
})
