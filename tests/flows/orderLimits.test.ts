import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { tolerance } from '#server/settings.ts'
import { textsOf } from '#server/texts.ts'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
let admin: Scene['people']['admin']

beforeAll(async () => {
  scene = await openScene()
  ;({ admin } = scene.people)
  // Orders of these tests are about supply, not about credit.
  await scene.database.run(sql`update credit_limit set amount = null`)
})

// What a test sets up the next one does not meet.
afterEach(async () => {
  await scene.database.run(sql`delete from minimum_order_quantity`)
  await scene.database.run(sql`delete from sales_quota`)
  await scene.database.run(sql`delete from allocation_rule where code not in ('STOK-URUT', 'BAYAR-JT')`)
  await scene.database.run(sql`update setting_oms set value = 'false' where key = 'quota_soft'`)
})

const id = (table: string, code: string) => scene.at.id(table, code)

/** An order of Toko Makmur as entered and submitted; the answer of the submission. */
async function ordered(lines: readonly (readonly [item: 'A' | 'B' | 'C' | 'D' | 'E', qty: string])[], customer = 'C0000001', acknowledge: readonly string[] = []) {
  const made = await admin.post('/api/v1/data/sales-order', {
    CustomerID: await id('customer', customer), WarehouseID: await id('warehouse', 'WJKT'), RequestedDate: '2026-11-25',
    Lines: await Promise.all(lines.map(async ([item, Qty]) => ({ ItemID: await id('item', item), Uom: 'CTN', Qty }))),
  })
  expect(made, made.message).toMatchObject({ status: 200 })
  const order = Number(made.data.record.ID)
  return { order, answer: await admin.post(`/api/v1/data/sales-order/${order}/submit`, {}, { acknowledge }) }
}
const make = async (resource: string, body: object) => {
  const answer = await admin.post(`/api/v1/data/${resource}`, body)
  expect(answer, answer.message).toMatchObject({ status: 200 })
  return answer.data.record
}
const blocks = async (order: number): Promise<string[]> => (await admin.get(`/api/v1/data/sales-order/${order}`)).data.record.BlockCodes

describe('part of a piece', () => {
  it('is said while the order is typed and confirmed when it is submitted; what is measured, or whole in pieces, is not asked about', async () => {
    // C is sold by the carton of one; E by the carton of 24 pieces, so half a carton is whole; D is weighed.
    const units = [['C', 'CTN', 'UM.0037'], ['E', 'PCS', 'UM.0021'], ['D', 'CTN', 'UM.0003']] as const
    for (const [item, uom, unit] of units) {
      const known = await scene.database.rows(sql`update item_uom set coretax_unit = ${unit} where item_id = ${await id('item', item)} and uom = ${uom} returning id`)
      if (known.length === 0) await make('item-uom', { ItemID: await id('item', item), Uom: uom, Factor: '1', CoretaxUnit: unit })
    }
    const asked = await ordered([['C', '2.5'], ['E', '0.5'], ['D', '1.5']])
    const warning = expect.objectContaining({ code: 'PART_OF_PIECE', text: 'Not a whole number of pieces: C 2.5 CTN.' })
    expect(asked.answer).toMatchObject({ status: 412, data: { warnings: [warning] } })
    const typed = await admin.post('/api/v1/command/price-order', { CustomerID: await id('customer', 'C0000001'), Lines: [{ ItemID: await id('item', 'C'), Uom: 'CTN', Qty: '2.5' }] })
    expect(typed.data.Hints).toEqual([expect.objectContaining({ code: 'PART_OF_PIECE', isWarning: true })])
    // The badge beside it has a word, not the code.
    expect(textsOf('en')(`check.${typed.data.Hints[0].code}`)).toBe('Part of a piece')
    expect((await ordered([['C', '2.5']], 'C0000001', [asked.answer.data.warnings[0].id])).answer.data.record.Status).toBe(1)
    expect((await ordered([['C', '2'], ['E', '0.5'], ['D', '1.5']])).answer.data.record.Status).toBe(1)
  })
})

describe('minimum order quantities', () => {
  it('that block send the order to an approver; those that warn are acknowledged', async () => {
    await make('minimum-order-quantity', { ItemID: await id('item', 'C'), MinQty: '5', Action: 'BLOCK' })
    const below = await ordered([['C', '4']])
    expect(below.answer.data.record.Status).toBe(4)
    expect(await blocks(below.order)).toEqual(['MQ01'])
    expect((await ordered([['C', '5']])).answer.data.record.Status).toBe(1)
    await make('minimum-order-quantity', { ItemID: await id('item', 'D'), MultipleQty: '4', Action: 'WARN' })
    const odd = await ordered([['D', '6']])
    expect(odd.answer).toMatchObject({ status: 412, data: { warnings: [expect.objectContaining({ code: 'MQ01', text: 'D: ordered in multiples of 4.' })] } })
    expect((await ordered([['D', '6']], 'C0000001', [odd.answer.data.warnings[0].id])).answer.data.record.Status).toBe(1)
    // While it is typed the one is said to wait for somebody, the other to be confirmed.
    const typed = await admin.post('/api/v1/command/price-order', {
      CustomerID: await id('customer', 'C0000001'), Lines: await Promise.all([['C', '4'], ['D', '6']].map(async ([item = '', Qty]) => ({ ItemID: await id('item', item), Uom: 'CTN', Qty }))),
    })
    expect(typed.data.Hints.map(({ text, isWarning }: { text: string; isWarning?: boolean }) => [text.slice(0, 2), isWarning])).toEqual([['C:', undefined], ['D:', true]])
  })

  it('of an order value count the goods without tax, and are told while the order is typed', async () => {
    await make('minimum-order-quantity', { MinOrderValue: '3000000', Action: 'BLOCK' })
    const small = await ordered([['C', '1']])
    expect(await blocks(small.order)).toEqual(['MQ02'])
    const typed = await admin.post('/api/v1/command/price-order', {
      CustomerID: await id('customer', 'C0000001'), Lines: [{ ItemID: await id('item', 'C'), Uom: 'CTN', Qty: '1' }],
    })
    expect(typed.data.Hints).toEqual([expect.objectContaining({ code: 'MQ02', text: expect.stringContaining('at least 3,000,000.00') })])
    expect((await ordered([['C', '2']])).answer.data.record.Status).toBe(1)
  })

  it('are changed in this moment for everybody: what was remembered is forgotten', async () => {
    const minimum = await make('minimum-order-quantity', { ItemID: await id('item', 'C'), MinQty: '5', Action: 'BLOCK' })
    expect(await blocks((await ordered([['C', '4']])).order)).toEqual(['MQ01'])
    await admin.put(`/api/v1/data/minimum-order-quantity/${minimum.ID}`, { MinQty: '4' }, { version: minimum.Version })
    expect(await blocks((await ordered([['C', '4']])).order)).toEqual([])
  })
})

describe('sales quotas', () => {
  const quota = async (QuotaQty: string, scope: object = {}) =>
    make('sales-quota', {
      Code: `Q${scene.key()}`, Name: 'Kuota uji', ItemID: await id('item', 'D'), ScopeKind: 'TERRITORY', TerritoryID: await id('territory', 'JKT-N'),
      ValidFrom: '2026-11-01', ValidTo: '2026-11-30', QuotaQty, ...scope,
    })

  const used = async (): Promise<number> =>
    Number((await scene.database.first(sql`
      select coalesce(sum(l.qty_base - l.cancelled_qty), 0) as qty from sales_order_line l join sales_order o on o.id = l.sales_order_id join item i on i.id = l.item_id
      where i.code = 'D' and o.status in (1, 2, 3)`))?.['qty'])

  it('refuse at the line what they do not leave', async () => {
    await quota(String((await used()) + 10))
    expect((await ordered([['D', '7']])).answer.data.record.Status).toBe(1)
    const over = await ordered([['C', '1'], ['D', '4']])
    expect(over.answer).toMatchObject({ status: 422, data: { errors: [expect.objectContaining({ field: 'Lines[1].Qty', code: 'QT01', text: 'The sales quota of D leaves 3 CTN.' })] } })
    expect((await ordered([['D', '3']])).answer.data.record.Status).toBe(1)
  })

  it('are told while the order is typed', async () => {
    await quota(String((await used()) + 3))
    const typed = async (qty: string) =>
      (await admin.post('/api/v1/command/price-order', { CustomerID: await id('customer', 'C0000001'), DocDate: '2026-11-20', FormVersion: 3, Lines: [{ ItemID: await id('item', 'D'), Uom: 'CTN', Qty: qty }] })).data.Hints
    const told = { code: 'QT01', text: 'The sales quota of D leaves 3 CTN.' }
    expect(await typed('3')).toEqual([])
    expect(await typed('4')).toEqual([expect.objectContaining({ ...told, isNote: true })])
    await scene.database.run(sql`update setting_oms set value = 'true' where key = 'quota_soft'`)
    expect((await typed('4'))[0]).toEqual(expect.not.objectContaining({ isNote: true }))
    expect(await typed('4')).toEqual([expect.objectContaining(told)])
  })

  it('of one item are told once: by the one that leaves least', async () => {
    await quota(String((await used()) + 5))
    await quota(String((await used()) + 3), { ScopeKind: 'CUSTOMER', TerritoryID: null, CustomerID: await id('customer', 'C0000001') })
    const over = await ordered([['D', '6']])
    expect(over.answer.data.errors).toEqual([expect.objectContaining({ field: 'Lines[0].Qty', code: 'QT01', text: 'The sales quota of D leaves 3 CTN.' })])
  })

  it('that are soft send the order to an approver', async () => {
    await quota('0.001')
    await scene.database.run(sql`update setting_oms set value = 'true' where key = 'quota_soft'`)
    const over = await ordered([['D', '1']])
    expect(over.answer.data.record.Status).toBe(4)
    expect(await blocks(over.order)).toEqual(['QT01'])
    const [request] = await scene.database.rows<{ id: number }>(sql`select id from approval_request where doc_type = 'sales_order' and doc_id = ${over.order} and status = 4`)
    expect((await scene.people.supervisor.post(`/api/v1/approval/${request?.id}/approve`, {})).data).toMatchObject({ isFinal: true })
  })

  it('QT1: every quota that fits must have room, and what is cancelled is theirs again', async () => {
    const south = await scene.database.first<{ id: number }>(sql`select territory_id as id from customer where code = 'C0000002'`)
    await scene.database.run(sql`update customer set territory_id = (select territory_id from customer where code = 'C0000001') where code = 'C0000002'`)
    const B = await id('item', 'B')
    const order = async (qty: string, customer?: string) => ordered([['B', qty]], customer)
    // 480 of the territory are used, 30 of them by the customer, and what other tests ordered of B.
    expect((await order('450', 'C0000002')).answer.data.record.Status).toBe(1)
    expect((await order('30')).answer.data.record.Status).toBe(1)
    const before = async (customer: string) => Number((await scene.database.first(sql`
      select coalesce(sum(l.qty_base - l.cancelled_qty), 0) as qty from sales_order_line l join sales_order o on o.id = l.sales_order_id join customer c on c.id = o.customer_id
      where l.item_id = ${B} and o.status in (1, 2, 3) and c.code like ${customer}`))?.['qty'])
    const [more, moreOwn] = [(await before('C000000_')) - 480, (await before('C0000001')) - 30]
    const [ofTerritory, ofCustomer] = [await quota(String(500 + more), { ItemID: B }), await quota(String(60 + moreOwn), { ItemID: B, ScopeKind: 'CUSTOMER', TerritoryID: null, CustomerID: await id('customer', 'C0000001') })]
    const left = async () => (await scene.database.rows(sql`select left_qty from sales_quota_use where id = any(${[ofTerritory.ID, ofCustomer.ID]}::bigint[]) order by id`)).map((row) => Number(row['left_qty']))
    expect(await left()).toEqual([20, 30])
    expect((await order('25')).answer.data.errors).toEqual([expect.objectContaining({ code: 'QT01', text: 'The sales quota of B leaves 20 CTN.' })])
    const twenty = await order('20')
    expect(twenty.answer.data.record.Status).toBe(1)
    expect(await left()).toEqual([0, 10])
    const cancelled = await admin.post(`/api/v1/data/sales-order/${twenty.order}/cancel`, { ReasonID: await id('reason', 'C01') })
    expect(cancelled.status).toBe(200)
    expect(await left()).toEqual([20, 30])
    await scene.database.run(sql`update customer set territory_id = ${south?.id} where code = 'C0000002'`)
  })

  it('are asked again when the order is approved: two orders do not take what is left for one', async () => {
    await make('minimum-order-quantity', { ItemID: await id('item', 'D'), MinQty: '100', Action: 'BLOCK' })
    const waiting = await Promise.all([ordered([['D', '6']]), ordered([['D', '6']])])
    await quota(String((await used()) + 10))
    const requests = await scene.database.rows<{ id: number }>(sql`select id from approval_request where doc_type = 'sales_order' and doc_id = any(${waiting.map(({ order }) => order)}::bigint[]) and status = 4`)
    const answers = await Promise.all(requests.map((request) => scene.people.supervisor.post(`/api/v1/approval/${request.id}/approve`, {})))
    expect(answers.map(({ code }) => code).toSorted()).toEqual(['EXCEEDS_AVAILABLE', 'success'])
  })
})

describe('allocation rules', () => {
  const reserved = async (order: number) => (await admin.get(`/api/v1/data/sales-order/${order}`)).data.record.Lines.map((line: { ReservedQty: string }) => line.ReservedQty)
  const setFree = async (item: string, free: string) =>
    scene.database.run(sql`update stock_balance set on_hand = reserved + ${free}::numeric where item_id = ${await id('item', item)} and warehouse_id = ${await id('warehouse', 'WJKT')}`)

  it('keep a share of what is free for those they name', async () => {
    const other = await make('sales-channel', { Code: `MT${scene.key().slice(4, 8)}`, Name: 'Modern trade' })
    await make('allocation-rule', { Code: 'SIMPAN', Name: 'Simpan untuk MT', Domain: 'STOCK', Priority: 10, SalesChannelID: other.ID, Method: 'RESERVED_PCT', ReservedPct: '40' })
    await setFree('B', '100')
    const { order } = await ordered([['B', '90']])
    expect(await reserved(order)).toEqual(['60.000'])
  })

  it('share what is short among the orders that wait for it', async () => {
    await setFree('B', '0')
    const first = await ordered([['B', '30']])
    expect(await reserved(first.order)).toEqual(['0.000'])
    const rest = await scene.database.first<{ qty: string }>(sql`
      select sum(l.qty_base - l.delivered_qty - l.cancelled_qty - l.reserved_qty) as qty from sales_order_line l join sales_order o on o.id = l.sales_order_id
      where o.status in (1, 2) and l.item_id = ${await id('item', 'B')}`)
    await make('allocation-rule', { Code: 'BAGI', Name: 'Bagi rata', Domain: 'STOCK', Priority: 11, Method: 'FAIR_SHARE' })
    await setFree('B', '40')
    const second = await ordered([['B', '20']])
    expect(await reserved(second.order)).toEqual([`${Math.floor((40 * 20) / (20 + Number(rest?.qty)))}.000`])
  })

  describe('of what was short and is planned later', () => {
    const lineOf = async (order: number) => Number((await admin.get(`/api/v1/data/sales-order/${order}`)).data.record.Lines[0].ID)
    const wanted = async (except: readonly number[]) => {
      const row = await scene.database.first<{ qty: string }>(sql`
        select coalesce(sum(l.qty_base - l.delivered_qty - l.cancelled_qty - l.reserved_qty), 0) as qty from sales_order_line l join sales_order o on o.id = l.sales_order_id
        where o.status in (1, 2) and l.item_id = ${await id('item', 'E')} and o.id <> all(${[...except]}::bigint[])`)
      return Number(row?.qty)
    }
    const planned = async (orders: readonly number[]) => {
      const ids = await Promise.all(orders.map(lineOf))
      const answer = await scene.people.warehouse.post('/api/v1/command/plan-delivery', { IDs: ids, PlanDate: '2026-11-21' }, { key: scene.key() })
      expect(answer, answer.message).toMatchObject({ status: 200 })
      const rows = await scene.database.rows<{ order_line_id: number; qty: string }>(sql`select order_line_id, qty from delivery_plan_line where order_line_id = any(${ids}::bigint[])`)
      return ids.map((line) => Number(rows.find((row) => row.order_line_id === line)?.qty ?? 0))
    }
    /** Orders of E that found nothing on the shelf; a carton is 24 pieces. */
    const short = async (cartons: readonly string[], customers: readonly string[] = []) => {
      await setFree('E', '0')
      const orders: number[] = []
      for (const [i, qty] of cartons.entries()) orders.push((await ordered([['E', qty]], customers[i])).order)
      return orders
    }

    it('a share is kept for those they name, over all lines planned together', async () => {
      const orders = await short(['40', '40'])
      const other = await make('sales-channel', { Code: `MT${scene.key().slice(4, 8)}`, Name: 'Modern trade' })
      await make('allocation-rule', { Code: 'SIMPAN-E', Name: 'Simpan untuk MT', Domain: 'STOCK', Priority: 10, SalesChannelID: other.ID, Method: 'RESERVED_PCT', ReservedPct: '40' })
      await setFree('E', '2400')
      // 60 of 100 cartons may go: 40 to the one, 20 to the other.
      expect(await planned(orders)).toEqual([960, 480])
    })

    it('those a share is kept for take of it first: no more is kept than they leave', async () => {
      const orders = await short(['80', '30'], ['C0000001', 'C0000002'])
      await make('allocation-rule', { Code: 'SIMPAN-2', Name: 'Simpan', Domain: 'STOCK', Priority: 10, CustomerID: await id('customer', 'C0000002'), Method: 'RESERVED_PCT', ReservedPct: '40' })
      await setFree('E', '2400')
      // Of 100 cartons 40 are kept; 30 of them are taken, 10 stay for later.
      expect(await planned(orders)).toEqual([60 * 24, 30 * 24])
    })

    it('what rounding leaves over of equal parts goes to those served first', async () => {
      const orders = await short(['20', '20', '20'])
      const others = await wanted(orders)
      await make('allocation-rule', { Code: 'BAGI-R', Name: 'Bagi rata', Domain: 'STOCK', Priority: 11, Method: 'FAIR_SHARE' })
      const cartons = 20 + Math.ceil(others / 3 / 24)
      await setFree('E', String(cartons * 24))
      const part = (wants: number) => Math.floor((cartons * wants) / (60 + others / 24))
      const left = part(60) - 3 * part(20)
      expect([1, 2]).toContain(left)
      expect(await planned(orders)).toEqual([0, 1, 2].map((n) => (part(20) + (n < left ? 1 : 0)) * 24))
    })

    it('all that wait get their part', async () => {
      const orders = await short(['10', '30'])
      const others = await wanted(orders)
      await make('allocation-rule', { Code: 'BAGI-E', Name: 'Bagi rata', Domain: 'STOCK', Priority: 11, Method: 'FAIR_SHARE' })
      await setFree('E', '480')
      const share = (cartons: number) => Math.floor((480 * cartons * 24) / (40 * 24 + others) / 24) * 24
      expect(await planned(orders)).toEqual([share(10), share(30)])
    })

    it('the customers of an earlier rule are served first', async () => {
      const orders = await short(['20', '20'], ['C0000001', 'C0000002'])
      await make('allocation-rule', { Code: 'DULU', Name: 'Dahulukan', Domain: 'STOCK', Priority: 1, CustomerID: await id('customer', 'C0000002'), Method: 'FIFO_ORDER' })
      await setFree('E', '600')
      expect(await planned(orders)).toEqual([120, 480])
    })
  })

  it('say in which order a receipt pays, unless the clerk says so', async () => {
    const customer = await id('customer', 'C0000001')
    const [first, second] = await scene.database.rows<{ id: number }>(sql`
      insert into invoice (code, invoice_type, operating_unit_id, territory_id, customer_id, doc_date, posting_date, baseline_date, due_date, total, remaining, status, ar_account_id)
      select x.code, 'SALES', c.operating_unit_id, c.territory_id, c.id, x.day::date, x.day::date, x.day::date, x.due::date, x.total, x.total, 1, ${await id('account', '112101')}
      from customer c, (values ('INV-U1', '2026-11-01', '2026-12-30', 500), ('INV-U2', '2026-11-10', '2026-11-15', 900)) x(code, day, due, total) where c.id = ${customer} order by x.code returning id`)
    const paid = async (more: object = {}) =>
      (await admin.post('/api/v1/command/propose-payment', { CustomerID: customer, Amount: '100', InvoiceIDs: [first?.id, second?.id], ...more })).data.Lines.map((line: { InvoiceID: number }) => line.InvoiceID)
    expect(await paid()).toEqual([second?.id])
    await make('allocation-rule', { Code: 'KECIL', Name: 'Terkecil dulu', Domain: 'PAYMENT', Priority: 12, CustomerID: customer, Method: 'SMALLEST' })
    expect(await paid()).toEqual([first?.id])
    expect(await paid({ Rule: 'OLDEST_DUE' })).toEqual([second?.id])
    await scene.database.run(sql`delete from invoice where code like 'INV-U%'`)
  })
})

describe('tolerances', () => {
  it('are the smaller of amount and share; a limit of 0 is none of its own', async () => {
    const unit = await id('operating_unit', 'JKT')
    const most = async (amount: string, percent: string, of: string) => {
      await scene.database.run(sql`update tolerance set amount = ${amount}, percent = ${percent} where usage = 'CLAIM' and operating_unit_id is null`)
      return tolerance(scene.database, 'CLAIM', unit, of)
    }
    expect([await most('5000', '0', '100'), await most('5000', '1', '100000'), await most('5000', '1', '900000'), await most('0', '1', '900000'), await most('0', '0', '900000')].map(Number)).toEqual([5000, 1000, 5000, 9000, 0])
  })
})

describe('a new customer', () => {
  it('asks for an invoice exchange where the company has settled so, unless it is said', async () => {
    const { CustomerCategoryID, SalesChannelID, PaymentTermID, OperatingUnitID, TerritoryID } = (await admin.get(`/api/v1/data/customer/${await id('customer', 'C0000001')}`)).data.record
    const body = { CustomerCategoryID, SalesChannelID, PaymentTermID, OperatingUnitID, TerritoryID }
    expect((await make('customer', { ...body, Name: 'Satu' })).RequiresTtf).toBe(false)
    await scene.database.run(sql`update setting_oms set value = 'true' where key = 'ttf_required_default'`)
    expect((await make('customer', { ...body, Name: 'Dua' })).RequiresTtf).toBe(true)
    expect((await make('customer', { ...body, Name: 'Tiga', RequiresTtf: false })).RequiresTtf).toBe(false)
  })
})

describe('a reason', () => {
  it('asks for a note or a file where it says so, and is not taken once it is inactive', async () => {
    const reason = await make('reason', { Code: `R${scene.key().slice(4, 9)}`, Name: 'Batal uji', Usage: 'CANCEL', NeedsNote: true, NeedsAttachment: true })
    const order = async () => (await ordered([['C', '1']])).order
    const first = await order()
    const cancel = (body: object) => admin.post(`/api/v1/data/sales-order/${first}/cancel`, { ReasonID: reason.ID, ...body })
    expect((await cancel({})).data.errors).toEqual([expect.objectContaining({ field: 'Note', key: 'field.REQUIRED.reason-note' })])
    expect((await cancel({ Note: 'Salah pesan' })).data.errors).toEqual([expect.objectContaining({ field: 'ReasonID', key: 'field.REQUIRED.reason-file' })])
    await scene.database.run(sql`update reason set needs_attachment = false, is_active = false where id = ${reason.ID}`)
    expect((await cancel({ Note: 'Salah pesan' })).data.errors).toEqual([expect.objectContaining({ key: 'field.NOT_A_CHOICE.reason' })])
    await scene.database.run(sql`update reason set is_active = true where id = ${reason.ID}`)
    expect((await cancel({ Note: 'Salah pesan' })).data.record.Status).toBe(6)
  })
})

describe('what an order asks for', () => {
  const typed = async (lines: readonly (readonly [item: string, uom: string, qty: string])[], more: object = {}) =>
    (await admin.post('/api/v1/command/price-order', {
      CustomerID: await id('customer', 'C0000001'), WarehouseID: await id('warehouse', 'WJKT'), ...more,
      Lines: await Promise.all(lines.map(async ([item, Uom, Qty]) => ({ ItemID: await id('item', item), Uom, Qty }))),
    })).data
  const free = async (item: string): Promise<number> =>
    Number((await scene.database.first(sql`select sum(on_hand - reserved) as free from stock_balance where item_id = ${await id('item', item)} and warehouse_id = ${await id('warehouse', 'WJKT')}`))?.['free'])

  it('shows what there is in the unit of its line, the base units beside it', async () => {
    const pieces = await free('E')
    const { record } = await typed([['E', 'CTN', '1'], ['E', 'PCS', '1']])
    expect(record.Lines[0]).toMatchObject({ AtpQty: (Math.floor((pieces / 24) * 1000) / 1000).toFixed(3), Beside: { AtpQty: expect.stringMatching(/^[\d,.]+ PCS$/) } })
    expect(record.Lines[1].AtpQty).toBe(pieces.toFixed(3))
    expect(record.Lines[1].Beside).toBeUndefined()
  })

  it('says while it is typed that there is less, over all lines of an item, and what becomes of the rest; it is saved all the same', async () => {
    const half = String(Math.floor(await free('C') / 2))
    const asked = (qty: string) => typed([['C', 'CTN', half], ['C', 'CTN', qty]])
    expect((await asked('1')).Hints).toEqual([])
    const kept = (await asked(String(Number(half) + 5))).Hints
    expect(kept).toEqual([expect.objectContaining({ code: 'ST01', isNote: true, text: expect.stringContaining('The rest is kept as a backorder.') })])
    await scene.database.run(sql`update setting_oms set value = '"CUT"' where key = 'backorder'`)
    const cut = (await asked(String(Number(half) + 5))).Hints
    await scene.database.run(sql`update setting_oms set value = '"KEEP"' where key = 'backorder'`)
    expect(cut).toEqual([expect.objectContaining({ code: 'ST01', text: expect.stringContaining('is cut from the order') })])
    expect((await ordered([['C', String(Number(half) * 2 + 5)]])).answer).toMatchObject({ status: 200 })
  })

  it('is to be confirmed where its delivery is wished for before its own day', async () => {
    const body = { CustomerID: await id('customer', 'C0000001'), WarehouseID: await id('warehouse', 'WJKT'), RequestedDate: '2026-11-02', Lines: [{ ItemID: await id('item', 'D'), Uom: 'CTN', Qty: '1' }] }
    expect((await typed([['D', 'CTN', '1']], { RequestedDate: '2026-11-02' })).Hints).toEqual([expect.objectContaining({ code: 'REQUESTED_PAST', isWarning: true })])
    const order = (await make('sales-order', body)).ID
    const asked = await admin.post(`/api/v1/data/sales-order/${order}/submit`, {})
    expect(asked).toMatchObject({ status: 412, data: { warnings: [expect.objectContaining({ code: 'REQUESTED_PAST', text: 'The requested delivery date 02/11/2026 lies before the day of the order.' })] } })
    expect(await admin.post(`/api/v1/data/sales-order/${order}/submit`, {}, { acknowledge: [asked.data.warnings[0].id] })).toMatchObject({ status: 200 })
  })
})
