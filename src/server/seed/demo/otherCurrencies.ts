import { addDays, addMonths, endOfMonth, type DateText } from '#base/date.ts'
import { fixed, exact } from '#base/decimal.ts'
import { billDeliveries } from '#server/billing/billDeliveries.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { planDelivery } from '#server/inventory/planDelivery.ts'
import type { Desk } from './desk.ts'

/** What Jakarta owes and is owed in dollars: a subscription of last month, valued at its end and paid in part; an export sold and paid in part. */
export async function otherCurrencies(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const id = async (query: ReturnType<typeof sql>): Promise<number> => Number((await database.first<{ id: number }>(query))?.id)
  const unit = await id(sql`select id from operating_unit where code = 'JKT'`)
  const today = clock.today()
  const monthEnd = endOfMonth(addMonths(today, -1))
  for (const [day, rate] of [[addDays(monthEnd, -10), '15980'], [monthEnd, '16120'], [today, '16060']] as const) await keepRate(database, day, rate)
  const account = await desk.enter('admin', 'account', { Code: '111209', Name: 'Bank BCA, US dollar', NameID: 'Bank BCA – Dolar AS', Type: 'ASSET', Normal: 'D', IsControl: true, ControlKind: 'BANK', IsPostable: true }, false)
  const [bank = 0] = await insertRows(database, 'house_bank', [{
    code: 'BCA-JKT-USD', operating_unit_id: unit, name: 'BCA Jakarta (USD)', bank_id: await id(sql`select id from bank where code = 'BCA'`), account_no: '0359987120', account_name: 'PT Arus Niaga Nusantara', currency: 'USD', gl_account_id: account, is_collection: true,
  }])
  await owedInDollars(database, desk, { unit, bank, monthEnd, today })
  await soldInDollars(database, desk, { unit, bank, today })
}

async function keepRate(database: Database, day: DateText, rate: string): Promise<void> {
  await database.run(sql`insert into exchange_rate (currency, rate_date, kind, rate) select 'USD', ${day}::date, 'BI', ${rate}::numeric where not exists (select 1 from exchange_rate where currency = 'USD' and rate_date = ${day}::date and kind = 'BI')`)
}

interface Place {
  readonly unit: number
  readonly bank: number
  readonly today: DateText
}

async function owedInDollars(database: Database, desk: Desk, { unit, bank, monthEnd, today }: Place & { readonly monthEnd: DateText }): Promise<void> {
  const vendor = await desk.enter('admin', 'business_partner', { Code: 'V000190', Name: 'Harbour Systems Pte Ltd', Kinds: ['VENDOR'], IsPkp: false, ApAccountGroup: 'NON_TRADE' }, false)
  const type = await database.first<Row>(sql`select id from expense_type where code = 'E-LISTRIK'`)
  const head = { Kind: 'NON_TRADE', VendorID: vendor, OperatingUnitID: unit, Ppn: '0', Currency: 'USD' }
  const enter = async (number: string, day: DateText, price: string, note: string): Promise<number> => {
    const made = await desk.enter('vendors', 'vendor_invoice', { ...head, VendorInvoiceNo: number, ContractNo: 'HSP-2026-01', DocDate: day, ReceivedDate: day, Note: note, Lines: [{ ExpenseTypeID: type?.['id'], Description: note, Qty: '1', Price: price }] }, false)
    await desk.act('vendors', 'vendor_invoice', made, 'register')
    await desk.act('vendors', 'vendor_invoice', made, 'submit')
    return made
  }
  const first = await enter('HSP-1107', addDays(monthEnd, -10), '4800', 'Langganan sistem rute, kuartal')
  const valued = await desk.enter('finance', 'fx_revaluation', { OperatingUnitID: unit, DocDate: monthEnd, Note: 'Kurs akhir bulan BI' }, false)
  await desk.act('finance', 'fx_revaluation', valued, 'post')
  await enter('HSP-1131', today, '950', 'Dukungan teknis')
  const payment = await desk.enter('vendors', 'ap_payment', { VendorID: vendor, OperatingUnitID: unit, HouseBankID: bank, DocDate: today, Method: 'TRANSFER', ReferenceNo: 'TT-USD-0419', BankFee: '15', Lines: [{ VendorInvoiceID: first, Amount: '3000' }] })
  await desk.approve(['payables', 'finance'], 'ap_payment', payment)
}

/** The customer of the most credit left, with nothing waiting, buys at prices in dollars from now on. */
async function soldInDollars(database: Database, desk: Desk, { unit, bank, today }: Place): Promise<void> {
  const customer = await database.first<{ id: number }>(sql`
    select c.id from customer c join payment_term p on p.id = c.payment_term_id join v_customer_exposure e on e.customer_id = c.id
    where c.operating_unit_id = ${unit} and c.status = 1 and not (p.is_cash or p.is_cod) and c.pricing_group_id is not null and c.wapu_kind = 'NONE'
      and not exists (select 1 from sales_order o where o.customer_id = c.id and o.status in (0, 4, 5, 8)) order by (select max(l.amount) from credit_limit l where l.customer_id = c.id and l.kind = 'REGULER') - e.exposure desc nulls last, c.id limit 1`)
  const goods = await database.rows<{ id: number; uom: string; cost: string }>(sql`
    select i.id, i.sales_uom as uom, round(max(s.value / s.qty) * max(i.pack_qty) * 1.35 / 16060, 2)::text as cost from item i join stock_balance b on b.item_id = i.id
    join warehouse w on w.id = b.warehouse_id and w.kind = 'MAIN' and w.operating_unit_id = ${unit} join stock_cost s on s.item_id = i.id and s.operating_unit_id = ${unit} and s.stock_class = 'UNRESTRICTED' and s.qty > 0
    where i.status = 1 and not i.is_combo and not exists (select 1 from sales_quota q where q.item_id = i.id) and b.on_hand - b.reserved >= i.pack_qty * 40 group by i.id order by i.id limit 2`)
  if (customer === undefined || goods.length === 0) return
  const from = { valid_from: addMonths(today, -1) }
  const [set] = await insertRows(database, 'price_set', [{ code: 'EKSPOR-USD', name: 'Export, US dollar', scheme: 'V3', scope_kind: 'CUSTOMER', ref_id: customer.id, currency: 'USD', status: 1, ...from }])
  await insertRows(database, 'list_price', goods.map((item) => ({ price_set_id: set, item_id: item.id, uom: item.uom, min_qty: '0', price: item.cost, ...from })))
  await database.run(sql`update customer set price_set_id = ${set} where id = ${customer.id}`)
  const order = await desk.enter('sales', 'sales_order', { CustomerID: customer.id, DocDate: today, RequestedDate: today, PoNumber: 'EXP-0031', Note: 'Ekspor', Lines: goods.map((item) => ({ ItemID: item.id, Uom: item.uom, Qty: '6' })) })
  await desk.approve(['supervisor', 'credit', 'manager', 'finance', 'director'], 'sales_order', order)
  const lines = await database.rows<{ id: number }>(sql`select l.id from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.id = ${order} and o.status = 1 and l.reserved_qty = l.qty_base order by l.id`)
  if (lines.length === 0) return
  await desk.command('warehouse', planDelivery, lines.map((line) => line.id), { PlanDate: today, Release: true, Route: 'Pelabuhan' })
  const delivery = await database.first<{ id: number }>(sql`select d.id from delivery_order d join delivery_order_line l on l.delivery_order_id = d.id where l.order_line_id = ${lines[0]?.id} limit 1`)
  if (delivery === undefined) return
  await desk.act('warehouse', 'delivery_order', delivery.id, 'pick')
  await desk.act('warehouse', 'delivery_order', delivery.id, 'issue')
  const issues = await database.rows<{ id: number }>(sql`select id from goods_issue where delivery_order_id = ${delivery.id}`)
  await desk.command('billing', billDeliveries, issues.map((issue) => issue.id), { InvoiceDate: today })
  const invoice = await database.first<{ id: number; total: string }>(sql`select id, total from invoice where customer_id = ${customer.id} and currency = 'USD' order by id desc limit 1`)
  if (invoice === undefined) return
  const half = fixed(exact(invoice.total).div(2).round(2), 2)
  const reason = await database.first<{ id: number }>(sql`select id from reason where code = 'R01'`)
  const receipt = await desk.enter('cashier', 'ar_payment', {
    CustomerID: customer.id, PaymentDate: today, Method: 'TRANSFER', HouseBankID: bank, Amount: half, ReferenceNo: 'TT-IN-3308', Lines: [{ InvoiceID: invoice.id, Paid: half, ReasonID: reason?.id, Credits: [], Deductions: [] }],
  }, false)
  await desk.act('cashier', 'ar_payment', receipt, 'post')
}
