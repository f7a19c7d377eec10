import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let makmur: number
beforeAll(async () => {
  scene = await openScene()
  makmur = await scene.at.id('customer', 'C0000001')
})

const broken = () => violations(scene.database, scene.at.clock.today())
const reason = (code: string) => scene.at.id('reason', code)
const periodIds = (period: string, modules: readonly string[]) =>
  scene.database.rows<{ id: number }>(sql`select id from accounting_period where period = ${period} and module = any(${[...modules]}::text[])`).then((rows) => rows.map((row) => row.id))
/** Everything a refused command must leave as it was. */
const traces = async () =>
  (await scene.database.first<{ all: string }>(sql`
    select (select count(*) from journal) || ' ' || (select count(*) from invoice) || ' ' || (select coalesce(sum(last_value), 0) from number_counter) || ' ' || (select count(*) from stock_movement)
      || ' ' || (select count(*) from ar_allocation) as all`))?.all

describe('G2: the period is closed before billing', () => {
  let issue: Record

  test('billing is refused and leaves no trace', async () => {
    ;({ issue } = await scene.delivered('C0000001', [{ item: 'A', qty: '24' }, { item: 'B', qty: '10' }]))
    const ids = await periodIds('202611', ['SD', 'AR'])
    const closed = await scene.command('finance', 'close-period', { IDs: ids })
    expect(closed.results.map((row: Record) => row.ok)).toEqual([true, true])
    const before = await traces()
    const data = await scene.command('billing', 'bill-deliveries', { IDs: [issue.id], InvoiceDate: '2026-11-20' })
    expect(data.results).toMatchObject([{ ID: issue.id, ok: false, code: 'PERIOD_CLOSED', text: 'Period 11/2026 for Sales, Receivables in JKT is closed. Choose a day of an open period, or have it reopened by whoever closes the books.' }])
    expect(await traces()).toBe(before)
  })

  test('a date in an open period goes', async () => {
    const [invoice] = await scene.bill([issue.id], '2026-12-01')
    expect(invoice).toMatchObject({ Code: 'INV/JKT/2612/00001', Total: '5592093.00', PostingDate: '2026-12-01', Period: '202612' })
    expect(await violations(scene.database, '2026-12-31')).toEqual([])
  })

  test('reopening needs a permission and a reason', async () => {
    const ids = await periodIds('202611', ['SD', 'AR'])
    expect((await scene.people.billing.post('/api/v1/command/reopen-period', { IDs: ids, ReasonText: 'late invoice' }, { key: scene.key() })).code).toBe('FORBIDDEN_GUARD')
    expect((await scene.people.finance.post('/api/v1/command/reopen-period', { IDs: ids }, { key: scene.key() })).code).toBe('VALIDATION_FAILED')
    const opened = await scene.command('finance', 'reopen-period', { IDs: ids, ReasonText: 'late invoice' })
    expect(opened.results.every((row: Record) => row.ok)).toBe(true)
  })
})

describe('G12: an invoice is undone', () => {
  test('cancelled in its period: mirrored on its own day, goods billable again', async () => {
    const { issue, order } = await scene.delivered('C0000001', [{ item: 'A', qty: '24' }, { item: 'B', qty: '10' }])
    const [invoice] = await scene.bill([issue.id])
    const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode: 'CANCEL', ReasonID: await reason('C05'), ReasonText: 'wrong price' })
    await scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
    // Until it is decided nothing changes but that nobody else may touch the invoice.
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 1, Remaining: '5592093.00', PendingTransition: 'cancel' })
    const payment = await scene.people.cashier.post('/api/v1/data/payment-received', {
      CustomerID: makmur, PaymentDate: '2026-11-20', Method: 'TRANSFER', HouseBankID: await scene.at.id('house_bank', 'BCA1'), Amount: '1', Lines: [{ InvoiceID: invoice.ID, Paid: '5592093', Credits: [], Deductions: [] }],
    }, { key: scene.key() })
    expect(payment.code).toBe('VALIDATION_FAILED')

    await scene.decide('invoice_cancel_request', request.ID)
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 6, Remaining: '0.00', PendingTransition: null })
    expect(await scene.journal('invoice', invoice.ID, 'INV_REV')).toEqual([
      '112101 0.00 5592093.00', '213101 554171.00 0.00', '411101 5332000.00 0.00', '412101 0.00 164900.80', '412102 0.00 129177.48', '421101 0.28 0.00',
    ])
    expect(await scene.rows('journal', sql`source_event = 'INV_REV' and source_doc_id = ${invoice.ID}`)).toMatchObject([{ posting_date: '2026-11-20' }])
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 2, BillingStatus: 0 })
    expect(await scene.database.rows(sql`select id from billing_due where id = ${issue.id}`)).toEqual([{ id: issue.id }])

    const [again] = await scene.bill([issue.id])
    expect(again).toMatchObject({ Total: '5592093.00', Status: 1 })
    expect(await broken()).toEqual([])
  })

  test('reversed in the next period: a document of its own, the old day unchanged', async () => {
    const invoice = await scene.invoiced('C0000002', [{ item: 'B', qty: '4' }])
    const agingBefore = await scene.balance('112101', invoice.CustomerID)
    await scene.moveTo('2026-12-03T03:00:00.000Z')
    const cancel = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode: 'CANCEL', ReasonID: await reason('C02') })
    expect((await scene.tryAct('billing', 'invoice-cancel-request', cancel.ID, 'submit')).code).toBe('PERIOD_CLOSED')
    const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode: 'REVERSAL', ReasonID: await reason('C02') })
    await scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
    await scene.decide('invoice_cancel_request', request.ID)
    const [reversal] = await scene.rows('invoice', sql`reversal_of_id = ${invoice.ID}`)
    expect(reversal).toMatchObject({ code: 'INR/JKT/2612/00001', invoice_type: 'REVERSAL', posting_date: '2026-12-03', total: `-${invoice.Total}`, remaining: '0.00' })
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 7, Remaining: '0.00', ReversedByID: reversal.id })
    expect(await scene.balance('112101', invoice.CustomerID)).toBe('0.00')
    expect(agingBefore).toBe(invoice.Total)
    // Both days agree with the ledger: open at the end of November, gone in December.
    expect(await violations(scene.database, '2026-11-30')).toEqual([])
    expect(await violations(scene.database, '2026-12-03')).toEqual([])
    await scene.moveTo('2026-11-20T03:00:00.000Z')
  })
})

describe('other things undone', () => {
  test('a receipt is reversed with everything it did', async () => {
    const invoice = await scene.invoiced('C0000001', [{ item: 'D', qty: '1' }])
    const payment = await scene.pay('C0000001', '2400000', [{ InvoiceID: invoice.ID, Paid: '1800000', ReasonID: await reason('R03'), ReasonText: 'rack' }])
    expect(payment).toMatchObject({ Unapplied: '600000.00' })
    expect(await scene.rows('customer_deposit', sql`deposit_source_id = ${payment.ID}`)).toMatchObject([{ status: 1, amount: '600000.00', remaining: '600000.00', origin: 'OVERPAYMENT' }])
    expect(await scene.journal('ar_payment', payment.ID)).toEqual(['111302 2400000.00 0.00', '112101 0.00 1800000.00', '212101 0.00 600000.00'])
    await scene.act('cashier', 'payment-received', payment.ID, 'request-reversal', { ReasonID: await reason('V02') })
    expect((await scene.tryAct('cashier', 'payment-received', payment.ID, 'request-reversal', { ReasonID: await reason('V02') })).code).toBe('PENDING_TRANSITION')
    await scene.decide('ar_payment', payment.ID)
    expect(await scene.read('payment-received', payment.ID)).toMatchObject({ Status: 7, PendingTransition: null })
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 1, Remaining: '2200000.00', Paid: '0.00' })
    expect(await scene.rows('customer_deposit', sql`deposit_source_id = ${payment.ID}`)).toMatchObject([{ status: 7, remaining: '0.00' }])
    expect(await scene.rows('cn_temporary', sql`ar_payment_id = ${payment.ID}`)).toMatchObject([{ status: 6 }])
    expect(await broken()).toEqual([])
    // The money too much was never ours to keep: neither report shows its deposit any more.
    const day = scene.at.clock.today()
    const aging = (await scene.people.finance.get('/api/v1/report/ar-aging.report', { as_of: day, level: 'DETAIL', length: 250 })).data.rows
    const items = (await scene.people.finance.get('/api/v1/report/fbl5n.report', { item_status: 'OPEN', key_date: day, with_special: true, length: 250 })).data.rows
    const [deposit] = await scene.rows('customer_deposit', sql`deposit_source_id = ${payment.ID}`)
    expect(await scene.rows('document_log', sql`doc_type = 'customer_deposit' and doc_id = ${deposit.id}`)).toMatchObject([{ action: 'reverse', from_status: 1, to_status: 7 }])
    for (const rows of [aging, items]) {
      expect(JSON.stringify(rows)).toContain(invoice.Code)
      expect(JSON.stringify(rows)).not.toContain(deposit.code)
    }
    // The receipt and what took it back cleared each other: the invoice alone is open, whatever it still owes.
    expect(items.filter((item: { InvoiceID: number }) => item.InvoiceID === invoice.ID)).toMatchObject([{ DocCode: invoice.Code, Amount: invoice.Total }])
    const cleared = (await scene.people.finance.get('/api/v1/report/fbl5n.report', { item_status: 'CLEARED', key_date: day, date_from: day, date_to: day, length: 250 })).data.rows
    const pairs = cleared.filter((item: { InvoiceID: number }) => item.InvoiceID === invoice.ID)
    expect(pairs.map((item: { readonly [name: string]: unknown }) => `${item['DocCode']} ${item['Amount']} ${item['ItemState']} ${item['ClearingDate']} ${item['ClearingCode']}`).toSorted()).toEqual(
      ['-1800000.00', '1800000.00'].map((amount) => `${payment.Code} ${amount} CLEARED ${day} ${payment.Code}`),
    )
  })

  test('a receipt is reversed while the claim it made waits to be decided: nobody is asked about that any more', async () => {
    const invoice = await scene.invoiced('C0000001', [{ item: 'D', qty: '1' }])
    const payment = await scene.pay('C0000001', '1800000', [{ InvoiceID: invoice.ID, Paid: '1800000', ReasonID: await reason('R03'), ReasonText: 'rack' }])
    const [claim] = await scene.rows('cn_temporary', sql`ar_payment_id = ${payment.ID}`)
    await scene.act('admin', 'cn-temporary', claim.id, 'submit')
    const asked = () => scene.rows('approval_request', sql`doc_type = 'cn_temporary' and doc_id = ${claim.id}`)
    expect(await asked()).toMatchObject([{ status: 4 }])
    await scene.act('cashier', 'payment-received', payment.ID, 'request-reversal', { ReasonID: await reason('V02') })
    await scene.decide('ar_payment', payment.ID)
    expect(await scene.rows('cn_temporary', sql`id = ${claim.id}`)).toMatchObject([{ status: 6 }])
    expect(await asked()).toMatchObject([{ status: 6 }])
    expect(await broken()).toEqual([])
  })

  test('small money too much is income, a giro counts until it clears, and a returned one blocks the next order', async () => {
    const invoice = await scene.invoiced('C0000001', [{ item: 'D', qty: '1' }])
    const payment = await scene.pay('C0000001', '2204000', [{ InvoiceID: invoice.ID, Paid: '2200000' }], { Method: 'GIRO', GiroNo: 'G1', GiroDueDate: '2026-12-01' })
    expect(await scene.journal('ar_payment', payment.ID)).toEqual(['111303 2204000.00 0.00', '112101 0.00 2200000.00', '421101 0.00 4000.00'])
    expect(await broken()).toEqual([])
    await scene.act('cashier', 'payment-received', payment.ID, 'request-reversal', { ReasonID: await reason('V04') })
    await scene.decide('ar_payment', payment.ID)
    const order = await scene.order('C0000001', [{ item: 'A', qty: '1' }])
    expect(order).toMatchObject({ Status: 4, BlockCodes: ['CL05'], Stage: 'APPROVAL' })
    await scene.decide('sales_order', order.ID, 'reject', ['credit'])
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 5, Stage: 'ENTRY' })
    expect(await broken()).toEqual([])
  })

  test('goods picked short stay on the order; the issue is cancelled and made again; the rest is cancelled', async () => {
    const order = await scene.order('C0000002', [{ item: 'A', qty: '9' }, { item: 'E', qty: '2' }])
    const [delivery] = await scene.plan(order)
    const lines = await scene.rows('delivery_order_line', sql`delivery_order_id = ${delivery.id}`)
    await scene.act('warehouse', 'delivery-order', delivery.id, 'pick', { Quantities: { [lines[0].id]: '5' } })
    await scene.act('warehouse', 'delivery-order', delivery.id, 'issue')
    const [issue] = await scene.rows('goods_issue', sql`delivery_order_id = ${delivery.id}`)
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 2, DeliveryStatus: 2, Lines: [{ DeliveredQty: '5.000', ReservedQty: '4.000', PlannedQty: '0.000' }, { DeliveredQty: '48.000' }] })

    await scene.act('warehouse', 'goods-issue', issue.id, 'cancel', { ReasonID: await reason('C02') })
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 1, Lines: [{ DeliveredQty: '0.000', ReservedQty: '9.000', PlannedQty: '5.000' }, { DeliveredQty: '0.000', ReservedQty: '48.000' }] })
    expect(await broken()).toEqual([])

    await scene.act('warehouse', 'delivery-order', delivery.id, 'issue')
    const [, again] = await scene.rows('goods_issue', sql`delivery_order_id = ${delivery.id}`)
    await scene.act('sales', 'sales-order', order.ID, 'cancel', { ReasonID: await reason('C01') })
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 2, Lines: [{ CancelledQty: '4.000', ReservedQty: '0.000' }, { CancelledQty: '0.000' }] })
    const [invoice] = await scene.bill([again.id])
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 3, BillingStatus: 3 })
    expect(invoice.Lines.map((line: Record) => [line.Uom, line.Qty])).toEqual([['CTN', '5.000'], ['CTN', '2.000']])
    expect(await broken()).toEqual([])
  })

  test('a plan is cancelled: its deliveries end, the order can be planned again', async () => {
    const order = await scene.order('C0000002', [{ item: 'B', qty: '3' }])
    const [delivery] = await scene.plan(order)
    expect((await scene.tryAct('sales', 'sales-order', order.ID, 'cancel', { ReasonID: await reason('C01') })).code).toBe('ILLEGAL_TRANSITION')
    await scene.act('warehouse', 'delivery-plan', delivery.delivery_plan_id, 'cancel', { ReasonID: await reason('C06') })
    expect(await scene.rows('delivery_order', sql`id = ${delivery.id}`)).toMatchObject([{ status: 6 }])
    await scene.act('sales', 'sales-order', order.ID, 'cancel', { ReasonID: await reason('C01') })
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 6 })
    expect(await broken()).toEqual([])
  })

  test('a payment of long ago needs approval', async () => {
    const invoice = await scene.invoiced('C0000002', [{ item: 'D', qty: '1' }])
    await scene.moveTo('2026-11-27T03:00:00.000Z')
    const draft = await scene.draftPayment('C0000002', '2200000', [{ InvoiceID: invoice.ID, Paid: '2200000' }], { PaymentDate: '2026-11-20' })
    expect((await scene.tryAct('cashier', 'payment-received', draft.ID, 'post')).data.errors).toMatchObject([{ field: 'PaymentDate' }])
    await scene.act('cashier', 'payment-received', draft.ID, 'submit')
    await scene.decide('ar_payment', draft.ID)
    expect(await scene.read('payment-received', draft.ID)).toMatchObject({ Status: 1, PostingDate: '2026-11-20' })
    expect(await violations(scene.database, addDays('2026-11-20', 1))).toEqual([])
    await scene.moveTo('2026-11-20T03:00:00.000Z')
  })
})
