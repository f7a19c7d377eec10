import { beforeAll, describe, expect, test } from 'vitest'
import { exact } from '#base/decimal.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { trusted, sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

const customer = (columns: string): Promise<number> => scene.database.run(sql`update customer set ${trusted(columns)} where code = 'C0000002'`)

describe('billing follows the customer', () => {
  test('a day’s deliveries on one invoice, the parts the whole', async () => {
    await customer(`billing_rule = 'DAILY'`)
    const [one, two] = [await scene.delivered('C0000002', [{ item: 'A', qty: '3' }]), await scene.delivered('C0000002', [{ item: 'B', qty: '2' }])]
    const invoices = await scene.bill([one.issue.id, two.issue.id])
    expect(invoices.length).toBe(1)
    expect(invoices[0]).toMatchObject({ Total: '954600.00', Gross: '860000.00', Dpp: '860000.00', Ppn: '94600.00', SalesOrderID: null })
    expect(invoices[0].Lines.length).toBe(2)
    await customer(`billing_rule = 'PER_DELIVERY'`)
  })

  test('by a price list with tax each invoice comes to the prices listed; what is left over is booked as rounding', async () => {
    const [set] = await insertRows(scene.database, 'price_set', [{ code: 'WITH-TAX', name: 'With tax', scheme: 'V3', scope_kind: 'CUSTOMER', ref_id: await scene.at.id('customer', 'C0000002'), tax_included: true, status: 1, valid_from: '2025-01-01' }])
    const listed = { A: 1237, B: 3331, C: 1009, D: 1013, E: 7 }
    await insertRows(scene.database, 'list_price', await Promise.all(Object.entries(listed).map(async ([code, price]) => ({ price_set_id: set, item_id: await scene.at.id('item', code), uom: code === 'E' ? 'PCS' : 'CTN', min_qty: '0', price: String(price), valid_from: '2025-01-01' }))))
    const order = await scene.order('C0000002', [{ item: 'A', qty: '7' }, { item: 'B', qty: '3' }, { item: 'C', qty: '9' }, { item: 'D', qty: '5' }, { item: 'E', qty: '2' }])
    const comesTo = (quantities: readonly number[]): string => `${Object.values(listed).reduce((all, price, i) => all + price * (i === 4 ? 24 : 1) * (quantities[i] ?? 0), 0)}.00`
    expect(order).toMatchObject({ Total: comesTo([7, 3, 9, 5, 2]) })
    expect(order.Lines.map(({ Total }: Record) => Total)).toEqual(['8659.00', '9993.00', '9081.00', '5065.00', '336.00'])
    const { Lines: lines } = await scene.read('sales-order', order.ID)
    for (const part of [[2, 1, 4, 2, 1], [5, 2, 5, 3, 1]]) {
      const data = await scene.command('warehouse', 'plan-delivery', { IDs: lines.map((line: Record) => line.ID), PlanDate: '2026-11-20', Release: true, Quantities: Object.fromEntries(lines.map((line: Record, i: number) => [line.ID, String((part[i] ?? 0) * (i === 4 ? 24 : 1))])) })
      const [delivery] = await scene.rows('delivery_order', sql`delivery_plan_id = ${data.Plans[0].ID}`)
      const [invoice] = await scene.bill([(await scene.issue(delivery)).id])
      expect(invoice).toMatchObject({ Total: comesTo(part), Remaining: comesTo(part) })
      expect(exact(invoice.Gross).minus(invoice.Discount).minus(invoice.Promo).plus(invoice.Ppn).plus(invoice.Rounding).toFixed(2)).toBe(invoice.Total)
    }
    expect(await violations(scene.database, '2026-11-20')).toEqual([])
    await scene.database.run(sql`update price_set set valid_to = '2025-12-31' where id = ${set}`)
  })

  test('an order delivered in three parts is invoiced to the rupiah', async () => {
    const order = await scene.order('C0000001', [{ item: 'A', qty: '24' }, { item: 'B', qty: '10' }])
    const lines = (await scene.read('sales-order', order.ID)).Lines
    const totals: string[] = []
    for (const part of [{ a: '7', b: '3' }, { a: '7', b: '3' }, { a: '10', b: '4' }]) {
      const data = await scene.command('warehouse', 'plan-delivery', { IDs: lines.map((line: Record) => line.ID), PlanDate: '2026-11-20', Release: true, Quantities: { [lines[0].ID]: part.a, [lines[1].ID]: part.b } })
      const [delivery] = await scene.rows('delivery_order', sql`delivery_plan_id = ${data.Plans[0].ID}`)
      const issue = await scene.issue(delivery)
      const [invoice] = await scene.bill([issue.id])
      totals.push(invoice.Total)
    }
    const [sums] = await scene.database.rows<{ gross: string; discount: string; promo: string; dpp: string }>(sql`
      select sum(i.gross) as gross, sum(i.discount) as discount, sum(i.promo) as promo, sum(i.dpp) as dpp from invoice i where i.sales_order_id = ${order.ID}`)
    expect(sums).toEqual({ gross: '5332000.00', discount: '164900.80', promo: '129177.48', dpp: '5037922.00' })
    expect(Math.abs(totals.reduce((all, total) => all + Number(total), 0) - 5_592_093)).toBeLessThanOrEqual(3)
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 3, BillingStatus: 3 })
  })

  test('an order billed to the end is not paid while its last invoice is open', async () => {
    const order = await scene.order('C0000001', [{ item: 'B', qty: '4' }])
    const [line] = (await scene.read('sales-order', order.ID)).Lines
    const billed = async (qty: string): Promise<Record> => {
      const data = await scene.command('warehouse', 'plan-delivery', { IDs: [line.ID], PlanDate: '2026-11-20', Release: true, Quantities: { [line.ID]: qty } })
      const [delivery] = await scene.rows('delivery_order', sql`delivery_plan_id = ${data.Plans[0].ID}`)
      const issue = await scene.issue(delivery)
      const [invoice] = await scene.bill([issue.id])
      return invoice
    }
    const first = await billed('3')
    await scene.pay('C0000001', first.Total, [{ InvoiceID: first.ID, Paid: first.Total }])
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ BillingStatus: 2, PaymentStatus: 2, Stage: 'SHIPPED' })
    const last = await billed('1')
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ BillingStatus: 3, PaymentStatus: 2, Stage: 'BILLED' })
    await scene.pay('C0000001', last.Total, [{ InvoiceID: last.ID, Paid: last.Total }])
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ BillingStatus: 3, PaymentStatus: 3, Stage: 'PAID' })
  })

  test('billed when delivery is confirmed, due from that day', async () => {
    const [term] = await scene.database.rows<{ id: number }>(sql`insert into payment_term (code, name, net_days, baseline) values ('P14', '14 days from delivery', 14, 'POD') returning id`)
    await customer(`billing_trigger = 'POD', payment_term_id = ${term?.id}`)
    const { issue } = await scene.delivered('C0000002', [{ item: 'B', qty: '1' }])
    const refused = await scene.command('billing', 'bill-deliveries', { IDs: [issue.id], InvoiceDate: '2026-11-20' })
    expect(refused.results).toMatchObject([{ ok: false, text: 'The customer is billed after delivery is confirmed.' }])
    await scene.act('warehouse', 'delivery-order', issue.delivery_order_id, 'deliver')
    const [invoice] = await scene.bill([issue.id])
    expect(invoice).toMatchObject({ PodDate: '2026-11-20', DueDate: '2026-12-04' })
    await customer(`billing_trigger = 'GI', payment_term_id = (select id from payment_term where code = 'N30')`)
  })

  test('a government office pays the VAT in itself, above the threshold', async () => {
    await customer(`wapu_kind = 'GOV', trx_code = null`)
    const small = await scene.invoiced('C0000002', [{ item: 'B', qty: '1' }])
    expect(small).toMatchObject({ TrxCode: '04', PpnCollector: 'SELLER' })
    const large = await scene.invoiced('C0000002', [{ item: 'C', qty: '1' }])
    expect(large).toMatchObject({ TrxCode: '02', PpnCollector: 'WAPU', Total: '3300000.00' })
    expect(await scene.journal('invoice', large.ID, 'INV')).toEqual(['112102 3300000.00 0.00', '213102 0.00 327027.00', '411101 0.00 2972973.00'])
    const payment = await scene.pay('C0000002', '2972973', [{ InvoiceID: large.ID, Paid: '3300000', Deductions: [{ Kind: 'PPN_WAPU', Amount: '327027', DocumentNo: 'NTPN 1', DocumentDate: '2026-11-20' }] }])
    expect(await scene.journal('ar_payment', payment.ID)).toEqual(['111302 2972973.00 0.00', '112102 0.00 3300000.00', '213102 327027.00 0.00'])
    const [cash, reason] = [await scene.at.id('cash_account', 'KAS-JKT'), await scene.at.id('reason', 'R08')]
    const refused = async (slip: object) =>
      (await scene.people.cashier.post('/api/v1/data/payment-received', {
        CustomerID: small.CustomerID, PaymentDate: '2026-11-20', Method: 'CASH', CashAccountID: cash, Amount: '0',
        Lines: [{ InvoiceID: small.ID, Paid: '27500', Credits: [], Deductions: [{ Kind: 'PPN_WAPU', Amount: '27500', ...slip }], ReasonID: reason }],
      }, { key: scene.key() })).data.errors
    expect(await refused({})).toMatchObject([{ field: 'Lines[0].Deductions', code: 'EXCEEDS_TAX' }])
    // The number of a slip is neither cut nor its day forgotten.
    expect(await refused({ DocumentNo: 'N'.repeat(101), DocumentDate: '31/11/2026' })).toMatchObject([
      { field: 'Lines[0].Deductions[0].DocumentNo', code: 'TOO_LONG' }, { field: 'Lines[0].Deductions[0].DocumentDate', code: 'WRONG_TYPE' }, { field: 'Lines[0].Deductions', code: 'EXCEEDS_TAX' },
    ])
    await customer(`wapu_kind = 'NONE'`)
  })

  test('nothing contradicts itself', async () => expect(await violations(scene.database, '2026-11-20')).toEqual([]))
})

describe('free_line_gross_up: the worked example with its free line in gross and promotion, and without', () => {
  const grossUp = async (on: boolean): Promise<void> => {
    const [setting] = await scene.rows('setting_oms', sql`key = 'free_line_gross_up' and operating_unit_id is null`)
    const { status } = await scene.people.admin.put(`/api/v1/data/setting-oms/${setting.id}`, { Flag: on }, { key: scene.key(), version: setting.version })
    expect(status).toBe(200)
  }
  const same = { Discount: '164900.80', Dpp: '5037922.00', Ppn: '554171.00', Rounding: '0.28', Total: '5592093.00' }

  test.each([
    { on: false, gross: '5332000.00', promo: '129177.48' },
    { on: true, gross: '5568000.00', promo: '365177.48' },
  ])('$on', async ({ on, gross, promo }) => {
    await grossUp(on)
    const order = await scene.order('C0000001', [{ item: 'A', qty: '24' }, { item: 'B', qty: '10' }])
    expect(order).toMatchObject({ ...same, Gross: gross, Promo: promo })
    const { record: typed } = await scene.command('sales', 'price-order', { CustomerID: order.CustomerID, Lines: order.Lines.filter((line: Record) => !line.IsFree).map(({ ItemID, Uom, Qty }: Record) => ({ ItemID, Uom, Qty })) })
    expect(typed).toMatchObject({ ...same, Gross: gross, Promo: promo })
    const [delivery] = await scene.plan(order)
    const [invoice] = await scene.bill([(await scene.issue(delivery)).id])
    expect(invoice).toMatchObject({ ...same, Gross: gross, Promo: promo })
    expect(await scene.journal('invoice', invoice.ID, 'INV')).toEqual([
      '112101 5592093.00 0.00', '213101 0.00 554171.00', `411101 0.00 ${gross}`, '412101 164900.80 0.00', `412102 ${promo} 0.00`, '421101 0.00 0.28',
    ])
    expect(await scene.journal('invoice', invoice.ID, 'COGS')).toEqual(['113106 0.00 4110000.00', '511101 3940000.00 0.00', '611101 170000.00 0.00'])
    expect(await violations(scene.database, '2026-11-20')).toEqual([])
    await grossUp(false)
  })
})

describe('what is promised with an order', () => {
  test('a promotion by value keeps its tier when goods are cancelled afterwards', async () => {
    const order = await scene.order('C0000001', [{ item: 'A', qty: '24' }, { item: 'B', qty: '10' }])
    const [a, b] = order.Lines
    expect(order).toMatchObject({ Promo: '129177.48' })
    const data = await scene.command('warehouse', 'plan-delivery', { IDs: [a.ID], PlanDate: '2026-11-20', Release: true })
    const [delivery] = await scene.rows('delivery_order', sql`delivery_plan_id = ${data.Plans[0].ID}`)
    const issue = await scene.issue(delivery)
    await scene.act('sales', 'sales-order', order.ID, 'cancel', { ReasonID: await scene.at.id('reason', 'C01') })
    expect((await scene.read('sales-order', order.ID)).Lines[1]).toMatchObject({ ID: b.ID, CancelledQty: '10.000' })
    // Alone the A would have reached no tier: they keep the 2.5 % of their order.
    const [invoice] = await scene.bill([issue.id])
    expect(invoice).toMatchObject({ Gross: '2832000.00', Discount: '139900.80', Promo: '67302.48', Dpp: '2624797.00', Ppn: '288728.00', Total: '2913525.00' })
    expect(await violations(scene.database, '2026-11-20')).toEqual([])
  })

  test('goods sold without VAT are given without', async () => {
    await scene.database.run(sql`update item set is_taxable = false where code = 'A'`)
    const invoice = await scene.invoiced('C0000001', [{ item: 'A', qty: '10' }])
    expect(await scene.journal('invoice', invoice.ID, 'COGS')).toContain('611101 85000.00 0.00')
    expect([invoice.Ppn, await scene.journal('invoice', invoice.ID, 'FREE_VAT')]).toEqual(['0.00', []])
    await scene.database.run(sql`update item set is_taxable = true where code = 'A'`)
    const taxed = await scene.invoiced('C0000001', [{ item: 'A', qty: '10' }])
    expect(await scene.journal('invoice', taxed.ID, 'FREE_VAT')).toEqual(['213101 0.00 9350.00', '613105 9350.00 0.00'])
  })

  test('and keeps it when what is short is cut', async () => {
    const backorder = (policy: string) => scene.database.run(sql`update setting_oms set value = ${JSON.stringify(policy)}::jsonb where key = 'backorder'`)
    await backorder('CUT')
    const order = await scene.order('C0000001', [{ item: 'A', qty: '10' }, { item: 'B', qty: '1500' }])
    const cut = order.Status === 4 ? undefined : order
    await scene.decide('sales_order', order.ID)
    const [a, b] = (cut ?? (await scene.read('sales-order', order.ID))).Lines
    await backorder('KEEP')
    expect(exact(b.CancelledQty).gt(0)).toBe(true)
    expect([a.PromoAmount, b.PromoAmount]).toEqual(order.Lines.slice(0, 2).map((line: Record) => line.PromoAmount))
  })
})

describe('what is posted stays', () => {
  const refused = async (statement: string): Promise<string> => scene.database.run(sql`${trusted(statement)}`).then(() => 'done', (error: Error) => error.message)

  test('journals, movements and allocations are never changed or deleted', async () => {
    expect(await refused(`update journal set description = 'x'`)).toContain('never changed')
    expect(await refused(`delete from journal_line`)).toContain('never changed or deleted')
    expect(await refused(`update stock_movement set qty = 1`)).toContain('never changed')
    expect(await refused(`update ar_allocation set amount = 1`)).toContain('never changed')
    expect(await refused(`delete from ar_allocation`)).toContain('never changed or deleted')
  })

  test('no two prices of an item on the same day', async () => {
    const row = `insert into list_price (price_set_id, item_id, uom, min_qty, price, valid_from, valid_to) select price_set_id, item_id, uom, min_qty, 1`
    expect(await refused(`${row}, '2026-01-01', null from list_price limit 1`)).toContain('list_price_no_overlap')
    expect(await refused(`${row}, '2024-01-01', '2024-12-31' from list_price limit 1`)).toBe('done')
  })
})
