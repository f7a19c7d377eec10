import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

const ask = async (body: object) => scene.command('sales', 'price-order', body)

test('what a customer orders as a rule is the average of his last three orders, and is brought into a new one', async () => {
  const customer = await scene.at.id('customer', 'C0000002')
  for (const [a, b] of [['9', null], ['3', '2'], ['4', null], ['6', '4']] as const) {
    const order = await scene.draftOrder('C0000002', [{ item: 'A', qty: a }, ...(b === null ? [] : [{ item: 'B', qty: b }])])
    await scene.act('sales', 'sales-order', order.ID, 'submit')
    if ((await scene.read('sales-order', order.ID)).Status === 4) await scene.decide('sales_order', order.ID)
  }
  const { rows } = (await scene.people.sales.get('/api/v1/data/suggested-order-line', { filter: JSON.stringify({ customer_id: customer }), columns: 'item_id,uom,qty,times', length: 10 })).data
  // The last three: A 3, 4 and 6 of 13 make 4.33, so 5; B 2 and 4 of 6 make 2.
  rows.sort((a: Record, b: Record) => a.ItemCode.localeCompare(b.ItemCode))
  expect(rows.map(({ ItemCode, Uom, Qty, Times }: Record) => [ItemCode, Uom, Qty, Times])).toEqual([['A', 'CTN', '5.000', 3], ['B', 'CTN', '2.000', 2]])
  const brought = await ask({ Brought: rows.map(({ ID }: Record) => ID).join(), Lines: [] })
  expect([brought.record.CustomerCode, brought.record.Lines.map(({ ItemCode, Uom, Qty }: Record) => [ItemCode, Uom, Qty])]).toEqual(['C0000002', [['A', 'CTN', '5.000'], ['B', 'CTN', '2.000']]])
  const priced = await ask({ CustomerID: customer, DocDate: scene.at.clock.today(), Lines: brought.record.Lines })
  expect(Number(priced.record.Total)).toBeGreaterThan(0)
  const desk = await scene.people.sales.get(`/api/v1/data/sales-order-customer/${customer}`)
  expect(desk.data.record).toMatchObject({ Code: 'C0000002', OrdersOpen: 4, LastOrderDate: scene.at.clock.today() })
})

test('an order of several days keeps a day for each line, and asks nothing else than the plain one', async () => {
  const customer = await scene.at.id('customer', 'C0000002')
  const item = await scene.at.id('item', 'A')
  const made = await scene.create('sales', 'sales-order', {
    CustomerID: customer, FormVersion: 3, RequestedDate: '2026-11-30', Lines: [{ ItemID: item, Uom: 'CTN', Qty: '1', RequestedDate: '2026-12-01' }, { ItemID: item, Uom: 'CTN', Qty: '2', RequestedDate: '2026-12-04' }],
  })
  const free = (await scene.database.first<{ qty: number }>(sql`select sum(on_hand - reserved)::int as qty from stock_balance where item_id = ${item} and warehouse_id = ${await scene.at.id('warehouse', 'WJKT')}`))?.qty ?? 0
  const promised = async (FormVersion: number) => (await ask({ CustomerID: customer, DocDate: scene.at.clock.today(), FormVersion, Lines: [['3', '2026-12-04'], ['1', '2026-12-01']].map(([Qty, RequestedDate]) => ({ ItemID: item, Uom: 'CTN', Qty, RequestedDate })) })).record.Lines.map(({ AtpQty }: Record) => Number(AtpQty))
  // The line of the earlier day is served first.
  expect([await promised(3), await promised(1)]).toEqual([[free - 1, free], [free, free]])
  await scene.act('sales', 'sales-order', made.ID, 'submit')
  if ((await scene.read('sales-order', made.ID)).Status === 4) await scene.decide('sales_order', made.ID)
  const due = await scene.database.rows(sql`select requested_date::text as day, ordered_qty from sales_order_line_due where sales_order_id = ${made.ID} order by requested_date`)
  expect(due.map(({ day }) => day)).toEqual(['2026-12-01', '2026-12-04'])
  const plain = await scene.create('sales', 'sales-order', { CustomerID: customer, Lines: [{ ItemID: item, Uom: 'CTN', Qty: '1' }, { ItemID: item, Uom: 'CTN', Qty: '2' }] })
  expect((await scene.read('sales-order', plain.ID)).Total).toBe((await scene.read('sales-order', made.ID)).Total)
})

/** What each desk sends beside customer and lines. */
const desks: readonly { readonly desk: string; readonly head: object; readonly line?: object }[] = [
  { desk: 'sales-order-form', head: {} },
  { desk: 'sales-order-form-v2', head: { FormVersion: 2 } },
  { desk: 'sales-order-formv3', head: { FormVersion: 3 }, line: { RequestedDate: '2026-11-27' } },
  { desk: 'sales-order-customer', head: { FormVersion: 1 } },
  { desk: 'sales-order-trader', head: { OrderType: 'TRADER', FormVersion: 1 } },
]
let banked = 0
test.each(desks)('the worked example comes out alike from $desk: while it is typed, as an order, in the books and in the bank (G1)', async ({ desk, head, line = {} }) => {
  const customer = await scene.at.id('customer', 'C0000001')
  const Lines = await Promise.all([['A', '24'], ['B', '10']].map(async ([item, Qty]) => ({ ItemID: await scene.at.id('item', String(item)), Uom: 'CTN', Qty, ...line })))
  const worked = { Gross: '5332000.00', Discount: '164900.80', Promo: '129177.48', Dpp: '5037922.00', DppOther: '4618095.17', Ppn: '554171.00', Rounding: '0.28', Total: '5592093.00' }
  expect((await ask({ CustomerID: customer, DocDate: scene.at.clock.today(), ...head, Lines })).record).toMatchObject(worked)
  const draft = await scene.create('sales', 'sales-order', { CustomerID: customer, ...head, Lines })
  expect(draft).toMatchObject(worked)
  const order = await scene.act('sales', 'sales-order', draft.ID, 'submit')
  if (order.Status === 4) await scene.decide('sales_order', order.ID)
  expect((await scene.read('sales-order', order.ID)).Lines.map((one: Record) => [one.Qty, one.Dpp, one.Ppn, one.IsFree])).toEqual([['24.000', '2624797.00', '288727.67', false], ['10.000', '2413125.00', '265443.75', false], ['2.000', '0.00', '0.00', true]])
  const [delivery] = await scene.plan(order)
  const issue = await scene.issue(delivery)
  expect(await scene.journal('goods_issue', issue.id)).toEqual(['113101 0.00 4110000.00', '113106 4110000.00 0.00'])
  const [invoice] = await scene.bill([issue.id])
  expect(invoice).toMatchObject({ Status: 1, Total: '5592093.00' })
  expect(await scene.journal('invoice', invoice.ID, 'INV')).toEqual(['112101 5592093.00 0.00', '213101 0.00 554171.00', '411101 0.00 5332000.00', '412101 164900.80 0.00', '412102 129177.48 0.00', '421101 0.00 0.28'])
  expect(await scene.journal('invoice', invoice.ID, 'COGS')).toEqual(['113106 0.00 4110000.00', '511101 3940000.00 0.00', '611101 170000.00 0.00'])
  expect(await scene.journal('invoice', invoice.ID, 'FREE_VAT')).toEqual(['213101 0.00 18700.00', '613105 18700.00 0.00'])
  const payment = await scene.pay('C0000001', '5592093', [{ InvoiceID: invoice.ID, Paid: '5592093' }])
  expect(await scene.journal('ar_payment', payment.ID)).toEqual(['111302 5592093.00 0.00', '112101 0.00 5592093.00'])
  const statement = await scene.create('admin', 'bank-statement', {
    HouseBankID: await scene.at.id('house_bank', 'BCA1'), StatementNo: desk, OpeningBalance: String(banked), ClosingBalance: String(banked + 5_592_093),
    Lines: [{ ValueDate: scene.at.clock.today(), Credit: '5592093', MatchType: 'PAYMENT', ArPaymentID: payment.ID }],
  })
  banked += 5_592_093
  await scene.act('admin', 'bank-statement', statement.ID, 'submit')
  await scene.decide('bank_statement', statement.ID)
  expect([await scene.balance('112101', customer), await scene.balance('113106'), await scene.balance('111302'), await scene.balance('111201')]).toEqual(['0.00', '0.00', '0.00', `${banked}.00`])
})

test('an order of a trader is prepaid or covered by what he has deposited; his limit does not count', async () => {
  await scene.database.run(sql`
    insert into customer (code, name, customer_category_id, sales_channel_id, payment_term_id, operating_unit_id, territory_id, status)
    select 'C-TRADER', 'Grosir Jaya', customer_category_id, sales_channel_id, payment_term_id, operating_unit_id, territory_id, 1 from customer where code = 'C0000002'`)
  const customer = await scene.at.id('customer', 'C-TRADER')
  await scene.database.run(sql`insert into payment_term (code, name, net_days, baseline, is_cod) values ('COD', 'Cash on delivery', 0, 'INVOICE', true)`)
  await scene.database.run(sql`insert into credit_limit (customer_id, kind, amount, valid_from, is_active) values (${customer}, 'REGULER', 900000000, '2026-01-01', true)`)
  const Lines = [{ ItemID: await scene.at.id('item', 'C'), Uom: 'CTN', Qty: '1' }]
  const typed = async (more: object) => (await ask({ CustomerID: customer, DocDate: scene.at.clock.today(), OrderType: 'TRADER', Lines, ...more })).Hints.filter(({ code }: Record) => code === 'CL01').map(({ text }: Record) => text)
  const sent = async (more: object = {}) => {
    const draft = await scene.create('sales', 'sales-order', { CustomerID: customer, OrderType: 'TRADER', Lines, ...more })
    const order = await scene.act('sales', 'sales-order', draft.ID, 'submit')
    return [order.Status, order.BlockCodes.filter((code: string) => code === 'CL01')]
  }
  // One C is 3,300,000 with VAT.
  expect(await typed({})).toEqual(['Trader orders are prepaid or covered by deposits: 3,300,000.00 is missing.'])
  expect(await typed({ OrderType: 'REG' })).toEqual([])
  expect(await sent()).toEqual([4, ['CL01']])
  expect(await sent({ OrderType: 'REG' })).toEqual([1, []])
  const cash = await scene.at.id('payment_term', 'COD')
  expect(await typed({ PaymentTermID: cash })).toEqual([])
  const regular = await scene.rows('sales_order', sql`customer_id = ${customer} and status = 1`)
  for (const { id } of regular) await scene.act('sales', 'sales-order', id, 'cancel', { ReasonID: await scene.at.id('reason', 'C01') })
  const deposit = await scene.create('admin', 'customer-deposit', { CustomerID: customer, Method: 'TRANSFER', HouseBankID: await scene.at.id('house_bank', 'BCA1'), Amount: '4000000' })
  await scene.act('admin', 'customer-deposit', deposit.ID, 'submit')
  await scene.decide('customer_deposit', deposit.ID)
  expect(await sent()).toEqual([1, []])
  // 700,000 of the deposit is left; what is on its way counts its VAT to the cent.
  expect(await typed({})).toEqual(['Trader orders are prepaid or covered by deposits: 2,600,000.03 is missing.'])
})
