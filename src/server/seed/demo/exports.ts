import { addDays, type DateText } from '#base/date.ts'
import { exact, fixed } from '#base/decimal.ts'
import { billDeliveries } from '#server/billing/billDeliveries.ts'
import type { Database, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { planDelivery } from '#server/inventory/planDelivery.ts'
import type { Desk } from './desk.ts'

const buyers = [
  { name: 'Pacific Provisions Pte Ltd', address: '21 Tuas Avenue 8, Singapore', number: '201512345K' },
  { name: 'Timor Selatan Trading Lda', address: 'Rua Presidente Nicolau Lobato, Dili', number: 'TL-1009873' },
] as const

interface Place {
  readonly unit: number
  readonly bank: number
}

/** Buyers abroad whose prices are in dollars: of last month one invoice is paid at a loss, one partly at a gain, one stays open until the month is valued. */
export async function soldInDollars(database: Database, desk: Desk, place: Place & { readonly monthEnd: DateText }): Promise<readonly number[]> {
  const { unit, bank, monthEnd } = place
  const goods = await pricedInDollars(database, unit)
  const abroad = await buyersAbroad(database, unit)
  const [first = 0, second = 0] = abroad
  const sell = async (day: DateText, customer: number, qty: number): Promise<Invoice | undefined> => invoiced(database, desk.on(day), { day, customer, goods, qty })
  const dear = await sell(addDays(monthEnd, -12), first, 24)
  const cheap = await sell(addDays(monthEnd, -10), second, 30)
  await sell(addDays(monthEnd, -3), first, 18)
  const later = await database.first<{ id: number }>(sql`select id from reason where code = 'R01'`)
  const paidOn = addDays(monthEnd, -3)
  if (dear !== undefined) await receive(desk.on(paidOn), { bank, day: paidOn, invoice: dear, amount: dear.total, reference: 'TT-USD-2207' })
  if (cheap !== undefined) await receive(desk.on(paidOn), { bank, day: paidOn, invoice: cheap, amount: fixed(exact(cheap.total).times('0.6'), 2), reference: 'TT-USD-2208', reason: later?.id })
  return abroad
}

/** Of this month: an invoice of today, money in advance, a price put right, a delivery nobody has billed and an order that waits. */
export async function soldThisMonth(database: Database, desk: Desk, { bank, today }: Place & { readonly today: DateText }, [first = 0, second = 0]: readonly number[]): Promise<void> {
  const goods = await dollarGoods(database)
  const made = await invoiced(database, desk, { day: today, customer: first, goods, qty: 12 })
  await delivered(database, desk, { day: today, customer: second, goods, qty: 6 })
  await ordered(desk, { day: today, customer: second, goods, qty: 9 })
  const deposit = await desk.enter('claims', 'customer_deposit', { CustomerID: second, Kind: 'TITIPAN', Method: 'TRANSFER', HouseBankID: bank, DocDate: today, Amount: '1500', ReferenceNo: 'TT-USD-2304' })
  await desk.approve(['receivables'], 'customer_deposit', deposit)
  if (made === undefined) return
  const note = await desk.enter('claims', 'credit_note', { CustomerID: first, Kind: 'MANUAL', InvoiceID: made.id, DocDate: today, Dpp: '120', Ppn: '0', Description: 'Selisih harga ekspor' })
  await desk.approve(['receivables'], 'credit_note', note)
}

/** Their prices: what is dear enough of the list, in dollars. */
async function pricedInDollars(database: Database, unit: number): Promise<readonly number[]> {
  const [set = 0] = await insertRows(database, 'price_set', [{ code: 'EXPORT-USD', name: 'Ekspor, dolar AS', scheme: 'V3', scope_kind: 'CUSTOMER', currency: 'USD', valid_from: '2025-01-01', status: 1 }])
  const rows = await database.rows<{ item_id: number; uom: string; price: string }>(sql`
    select p.item_id, p.uom, p.price::text as price from list_price p join price_set s on s.id = p.price_set_id and s.code = 'BASE'
    where p.valid_to is null and p.min_qty <= 1 and p.item_id in (
      select i.id from item i join stock_balance b on b.item_id = i.id join warehouse w on w.id = b.warehouse_id and w.kind = 'MAIN' and w.operating_unit_id = ${unit}
      where i.status = 1 and not i.is_combo and not exists (select 1 from sales_quota q where q.item_id = i.id) and b.on_hand - b.reserved >= i.pack_qty * 160 group by i.id order by max(b.on_hand / i.pack_qty) desc, i.id limit 3)
    order by p.item_id`)
  await insertRows(database, 'list_price', rows.map(({ item_id, uom, price }) => ({ price_set_id: set, item_id, uom, min_qty: '0', price: fixed(exact(price).div(15_000), 4), valid_from: '2025-01-01' })))
  return dollarGoods(database)
}

async function dollarGoods(database: Database): Promise<readonly number[]> {
  const rows = await database.rows<{ id: number }>(sql`select distinct p.item_id as id from list_price p join price_set s on s.id = p.price_set_id and s.code = 'EXPORT-USD' order by 1`)
  return rows.map(({ id }) => id)
}

async function buyersAbroad(database: Database, unit: number): Promise<readonly number[]> {
  const like = await database.first<Row>(sql`
    select c.customer_category_id, c.sales_channel_id, c.territory_id, c.salesman_id, c.collector_id, (select id from payment_term where code = 'N30') as payment_term_id, (select id from price_set where code = 'EXPORT-USD') as price_set_id
    from customer c join customer_category k on k.id = c.customer_category_id and k.code = 'WS' where c.operating_unit_id = ${unit} and c.status = 1 order by c.id limit 1`)
  const counter = await database.first<{ last: number }>(sql`
    update number_counter c set last_value = last_value + ${buyers.length} from number_series s where s.id = c.series_id and s.code = 'CUSTOMER' returning c.last_value::int as last`)
  const ids = await insertRows(database, 'customer', buyers.map(({ name, address, number }, i) => ({
    code: `C${String((counter?.last ?? 0) - i).padStart(7, '0')}`, name, legal_name: name, operating_unit_id: unit, status: 1, is_pkp: false, tax_id_type: 'OTHER', tax_id_number: number, tax_name: name, tax_address: address, wapu_kind: 'NONE', pph22_rate: '0',
    billing_rule: 'PER_DELIVERY', billing_trigger: 'GI', requires_ttf: false, opened_on: '2025-01-01', phone: '', ...like,
  })))
  await insertRows(database, 'customer_address', ids.flatMap((customer_id, at) => (['BILL_TO', 'SHIP_TO'] as const).map((kind) => ({ customer_id, code: kind === 'BILL_TO' ? 'B1' : 'S1', kind, address: buyers[at]?.address, is_default: true }))))
  await insertRows(database, 'credit_limit', ids.map((customer_id) => ({ customer_id, kind: 'REGULER', amount: '2500000000', overdue_grace_days: 14, valid_from: '2025-01-01' })))
  return ids
}

interface Sale {
  readonly day: DateText
  readonly customer: number
  readonly goods: readonly number[]
  readonly qty: number
}

interface Invoice extends Row {
  readonly id: number
  readonly customer_id: number
  readonly total: string
}

function ordered(desk: Desk, { day, customer, goods, qty }: Sale): Promise<number> {
  return desk.enter('sales', 'sales_order', { CustomerID: customer, DocDate: day, RequestedDate: day, Lines: goods.map((ItemID) => ({ ItemID, Uom: 'CTN', Qty: String(qty) })) })
}

async function delivered(database: Database, desk: Desk, sale: Sale): Promise<number | undefined> {
  const order = await ordered(desk, sale)
  const lines = await database.rows<{ id: number }>(sql`select l.id from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.id = ${order} and o.status = 1 order by l.id`)
  await desk.command('warehouse', planDelivery, lines.map(({ id }) => id), { PlanDate: sale.day, Release: true, Route: 'Ekspor' })
  const delivery = await database.first<{ id: number }>(sql`select d.id from delivery_order d join delivery_order_line l on l.delivery_order_id = d.id join sales_order_line o on o.id = l.order_line_id where o.sales_order_id = ${order} limit 1`)
  if (delivery === undefined) return undefined
  await desk.act('warehouse', 'delivery_order', delivery.id, 'pick')
  await desk.act('warehouse', 'delivery_order', delivery.id, 'issue')
  return (await database.first<{ id: number }>(sql`select id from goods_issue where delivery_order_id = ${delivery.id} and status <> 7`))?.id
}

async function invoiced(database: Database, desk: Desk, sale: Sale): Promise<Invoice | undefined> {
  const issue = await delivered(database, desk, sale)
  if (issue === undefined) return undefined
  await desk.command('billing', billDeliveries, [issue], { InvoiceDate: sale.day })
  return database.first<Invoice>(sql`select id, customer_id, total::text as total from invoice where customer_id = ${sale.customer} order by id desc limit 1`)
}

interface Receipt {
  readonly bank: number
  readonly day: DateText
  readonly invoice: Invoice
  readonly amount: string
  readonly reference: string
  readonly reason?: number | undefined
}

async function receive(desk: Desk, { bank, day, invoice, amount, reference, reason }: Receipt): Promise<void> {
  const made = await desk.enter('cashier', 'ar_payment', {
    CustomerID: invoice.customer_id, PaymentDate: day, DocDate: day, Method: 'TRANSFER', HouseBankID: bank, Amount: amount, ReferenceNo: reference,
    Lines: [{ InvoiceID: invoice.id, Paid: amount, ReasonID: reason ?? null, Credits: [], Deductions: [] }],
  }, false)
  await desk.act('cashier', 'ar_payment', made, 'post')
}
