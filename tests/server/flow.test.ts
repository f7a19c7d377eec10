import { beforeAll, describe, expect, it } from 'vitest'
import type { FlowNode } from '#api/data.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { plainRegistries } from '../support/registries.ts'

let arus: TestApp
let admin: Session

/** Two orders on one truck, each with its delivery and issue; one receipt pays both invoices. */
beforeAll(async () => {
  arus = await testApp({ registries: plainRegistries() })
  admin = await arus.signIn('admin')
  const unit = await arus.id('operating_unit', 'JKT')
  const customer = await arus.id('customer', 'C0000001')
  const warehouse = await arus.id('warehouse', 'WJKT')
  const ids = { item: await arus.id('item', 'A'), address: await arus.id('customer_address', 'Jalan Kirim 1', 'address'), account: await arus.id('account', '112101') }
  const document = (code: string) => ({ code, status: 1, operating_unit_id: unit, territory_id: null, doc_date: '2026-11-20', customer_id: customer })
  await arus.database.transaction(async (tx) => {
    const one = async (table: string, row: object) => (await insertRows(tx, table, [{ ...row }]))[0] ?? 0
    const orders = []
    for (const n of [1, 2]) {
      const order = await one('sales_order', { ...document(`SO${n}`), total: `${n}00` })
      orders.push({ order, line: await one('sales_order_line', { sales_order_id: order, line_no: 1, item_id: ids.item, uom: 'CTN', qty: '1', qty_base: '1' }) })
    }
    const { customer_id: _customer, ...planned } = document('DP1')
    const plan = await one('delivery_plan', { ...planned, plan_date: '2026-11-20', warehouse_id: warehouse })
    const payment = await one('ar_payment', { ...document('PAY1'), method: 'CASH', payment_date: '2026-11-20', amount: '300' })
    for (const [i, { order, line }] of orders.entries()) {
      const n = i + 1
      await one('delivery_plan_line', { delivery_plan_id: plan, line_no: n, order_line_id: line, customer_id: customer, sales_order_id: order, item_id: ids.item, qty: '1' })
      const delivery = await one('delivery_order', { ...document(`DO${n}`), ship_to_id: ids.address, delivery_plan_id: plan, warehouse_id: warehouse })
      const deliveryLine = await one('delivery_order_line', { delivery_order_id: delivery, line_no: 1, order_line_id: line, item_id: ids.item, qty_planned: '1' })
      const issue = await one('goods_issue', { ...document(`GI${n}`), delivery_order_id: delivery, warehouse_id: warehouse, cost: '1' })
      const issueLine = await one('goods_issue_line', { goods_issue_id: issue, line_no: 1, delivery_order_line_id: deliveryLine, order_line_id: line, item_id: ids.item, qty: '1' })
      const invoice = await one('invoice', { ...document(`INV${n}`), baseline_date: '2026-11-20', due_date: '2026-12-20', total: '100', remaining: '100', ar_account_id: ids.account })
      await one('invoice_line', { invoice_id: invoice, line_no: 1, gi_line_id: issueLine, item_id: ids.item, qty: '1' })
      await one('ar_payment_line', { ar_payment_id: payment, line_no: n, invoice_id: invoice, paid: '100' })
      if (n === 1) {
        const credit = await one('credit_note', { ...document('CN1'), kind: 'MANUAL', total: '10' })
        const gone = await one('credit_note', { ...document('CN2'), kind: 'MANUAL', total: '10' })
        await one('ar_allocation', { invoice_id: invoice, source_type: 'CREDIT_NOTE', source_id: credit, amount: '10', posting_date: '2026-11-20' })
        await one('ar_allocation', { invoice_id: invoice, source_type: 'CREDIT_NOTE', source_id: gone, amount: '10', posting_date: '2026-11-20', reversed_at: '2026-11-20' })
        await one('invoice', { ...document('REV1'), status: 7, baseline_date: '2026-11-20', due_date: '2026-12-20', total: '-100', remaining: '0', ar_account_id: ids.account, invoice_type: 'REVERSAL', reversal_of_id: invoice })
      }
    }
    const bank = await one('house_bank', { code: 'HB', operating_unit_id: unit, name: 'HB', bank_id: await arus.id('bank', 'BCA'), account_no: '9', account_name: 'Arus', gl_account_id: ids.account, currency: 'IDR' })
    const statement = await one('bank_statement', { ...planned, code: 'BS1', status: 3, house_bank_id: bank, statement_no: 'S1' })
    await one('bank_statement_line', { bank_statement_id: statement, line_no: 1, value_date: '2026-11-21', credit: '300', debit: '0', match_type: 'PAYMENT', ar_payment_id: payment })
    await one('bank_statement_line', { bank_statement_id: statement, line_no: 2, value_date: '2026-11-21', credit: '7', debit: '0', match_type: 'NONE' })
  })
})

async function flow(resource: string, table: string, code: string) {
  const { records } = (await admin.get(`/api/v1/data/${resource}/${await arus.id(table, code)}/flow`)).data as { records: FlowNode[] }
  const codes = new Map(records.map((node) => [node.Key, node.Code]))
  return records.map((node) => `${node.Level} ${node.Code} < ${node.Parents.map((parent) => codes.get(parent)).join(' ')}`)
}

describe('document flow', () => {
  it('tells the story of one order, from whichever of its documents it is asked', async () => {
    // Order to bank line; the reversal and the credit note hang on the invoice, an allocation taken back does not.
    const story = ['0 SO1 < ', '1 DP1 < SO1', '2 DO1 < SO1 DP1', '3 GI1 < DO1', '4 INV1 < GI1', '5 CN1 < INV1', '5 PAY1 < INV1', '5 REV1 < INV1', '6 BS1 / 1 < PAY1']
    const sorted = async (resource: string, table: string, code: string) => (await flow(resource, table, code)).toSorted()
    expect(await sorted('sales-order', 'sales_order', 'SO1')).toEqual(story)
    expect(await sorted('delivery-order', 'delivery_order', 'DO1')).toEqual(story)
    expect(await sorted('invoice', 'invoice', 'INV1')).toEqual(story)
    const { records } = (await admin.get(`/api/v1/data/invoice/${await arus.id('invoice', 'INV1')}/flow`)).data as { records: FlowNode[] }
    expect(records.filter((node) => node.IsReversal).map((node) => node.Code)).toEqual(['REV1'])
    expect(records.find((node) => node.DocType === 'bank_statement_line')).toMatchObject({ Amount: '300.00', Status: 3, Date: '2026-11-21', Url: expect.stringMatching(/^\/report\/bank-statement\?.*f\.line_id=eq%3A\d+/) })
    // What the menu does not hold is shown, but leads nowhere.
    await arus.database.run(sql`update menu set is_active = false where url = '/report/bank-statement'`)
    const again = (await (await arus.signIn('admin')).get(`/api/v1/data/invoice/${await arus.id('invoice', 'INV1')}/flow`)).data as { records: FlowNode[] }
    expect(again.records.find((node) => node.DocType === 'bank_statement_line')).toMatchObject({ Amount: '300.00', Url: null })
    expect(again.records.find((node) => node.DocType === 'sales_order')?.Url).toMatch(/^\/sales-order-list\/\d+$/)
    await arus.database.run(sql`update menu set is_active = true where url = '/report/bank-statement'`)
    admin = await arus.signIn('admin')
  })

  it('shows everything a gathering document brings together when it starts there', async () => {
    const codes = (await flow('payment-received', 'ar_payment', 'PAY1')).map((line) => line.split(' ')[1]).toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))
    expect(codes).toEqual(['BS1', 'CN1', 'DO1', 'DO2', 'DP1', 'GI1', 'GI2', 'INV1', 'INV2', 'PAY1', 'REV1', 'SO1', 'SO2'])
  })

  it('is nothing for records that are no documents', async () => {
    expect((await admin.get(`/api/v1/data/customer/${await arus.id('customer', 'C0000001')}/flow`)).data.records).toEqual([])
  })

  it('shows the journals of a receipt to whoever enters receipts', async () => {
    const cashier = await arus.signIn('cashier')
    const answer = await cashier.get(`/api/v1/data/payment-received/${await arus.id('ar_payment', 'PAY1')}/journal`)
    expect([answer.code, answer.data.records]).toEqual(['success', []])
    expect((await cashier.get(`/api/v1/data/goods-issue/${await arus.id('goods_issue', 'GI1')}/journal`)).code).toBe('FORBIDDEN_GUARD')
  })

  it('leaves out what lies outside the scope', async () => {
    expect((await (await arus.signIn('sales.bdg')).get(`/api/v1/data/sales-order/${await arus.id('sales_order', 'SO1')}/flow`)).code).toBe('NOT_IN_SCOPE')
  })
})
