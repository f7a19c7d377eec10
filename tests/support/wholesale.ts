import fs from 'node:fs'
import path from 'node:path'
import { once } from 'node:events'
import { parse } from 'csv-parse'
import type { FastifyInstance } from 'fastify'
import { exact, fixed, money, zero, type Exact } from '#base/decimal.ts'
import { makeAdministrator } from '#server/access/makeAdministrator.ts'
import { hashPassword } from '#server/access/passwords.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import { firstTerms } from '#server/seed/legal.ts'
import { addPeriods } from '#server/seed/periods.ts'
import { installReference } from '#server/seed/reference.ts'
import { add, idByCode, password } from './company.ts'
import { runOf } from './scene.ts'

// A wholesaler's sale lines: invoice_no, sku, description, quantity, invoice_date, unit_price, customer_code, country; books in pounds, no tax.

/** What the lines come to. */
export interface Wholesale {
  readonly lines: number
  readonly invoices: number
  readonly customers: number
  readonly items: number
  readonly units: number
  /** Sum of quantity × price, each line to the penny. */
  readonly value: string
  readonly firstDay: string
  readonly lastDay: string
  /** Files of the imports, in the order they go in. */
  readonly files: { readonly items: string; readonly customers: string; readonly prices: string; readonly invoices: string }
  /** Units sold, by item. */
  readonly sold: ReadonlyMap<string, { readonly units: number; readonly value: Exact }>
}

/** The same lines for the same number, every time: about twenty an invoice, quantities and prices as a wholesaler of gifts has them. */
export function saleLines(lines: number): string {
  let state = 20_101_201
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
  const rows = ['invoice_no,sku,description,quantity,invoice_date,unit_price,customer_code,country']
  for (let invoice = 536_365, made = 0; made < lines; invoice++) {
    const day = new Date(Date.UTC(2010, 11, 1) + Math.floor((made / lines) * 126) * 86_400_000).toISOString().slice(0, 10)
    const customer = 12_346 + next(Math.max(3, Math.floor(lines / 45)))
    for (let left = 1 + next(39); left > 0 && made < lines; left--, made++) {
      const item = next(Math.max(5, Math.floor(lines / 35)))
      const quantity = [1, 2, 3, 4, 6, 8, 10, 12, 24, 48, 144][next(11)]
      const price = (45 + (item * 37) % 1_450 - (quantity === 144 ? 5 : 0)) / 100
      rows.push(`${invoice},${20_000 + item}${item % 9 === 0 ? 'B' : ''},"GIFT NO. ${item}, ${item % 2 === 0 ? 'RED' : 'WHITE'}",${quantity},${day},${price.toFixed(4)},${customer},United Kingdom`)
    }
  }
  return `${rows.join('\n')}\n`
}

/** Makes the files of the imports from sale lines, in `folder`. */
export async function wholesaleFiles(source: string, folder: string, today: string): Promise<Wholesale> {
  const files = { items: path.join(folder, 'items.csv'), customers: path.join(folder, 'customers.csv'), prices: path.join(folder, 'prices.csv'), invoices: path.join(folder, 'invoices.csv') }
  const items = new Map<string, { readonly name: string; readonly price: string }>()
  const customers = new Map<string, string>()
  const invoices = new Set<string>()
  const sold = new Map<string, { units: number; value: Exact }>()
  const out = fs.createWriteStream(files.invoices)
  out.write('ExternalRef,Customer,ShipTo,InvoiceDate,Warehouse,SKU,UOM,Qty,Price\n')
  let [lines, units, value, firstDay, lastDay] = [0, 0, zero, '9999', '']
  for await (const row of fs.createReadStream(source).pipe(parse({ columns: true, bom: true })) as AsyncIterable<Readonly<Record<string, string>>>) {
    const { invoice_no: invoice = '', sku = '', description = '', quantity = '0', invoice_date: day = '', unit_price: price = '0', customer_code: customer = '', country = '' } = row
    if (!items.has(sku)) items.set(sku, { name: description, price })
    if (!customers.has(customer)) customers.set(customer, country)
    invoices.add(invoice)
    lines += 1
    units += Number(quantity)
    const worth = exact(money(exact(quantity).times(price)))
    value = value.plus(worth)
    const own = sold.get(sku) ?? { units: 0, value: zero }
    sold.set(sku, { units: own.units + Number(quantity), value: own.value.plus(worth) })
    if (day < firstDay) firstDay = day
    if (day > lastDay) lastDay = day
    if (!out.write(`${invoice},${customer},MAIN,${day},WUK,${sku},PCS,${quantity},${price}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const write = (file: string, rows: readonly string[]): void => fs.writeFileSync(file, `${rows.join('\n')}\n`)
  write(files.items, ['Code,Name,Principal,Category,BaseUOM,SalesUOM,PackQty,Taxable', ...[...items].map(([code, item]) => `${code},${cell(item.name)},V-ALL,GIFTS,PCS,PCS,1,N`)])
  write(files.customers, [
    'Code,Name,Category,Channel,Area,Territory,OU,Term,Salesman,PKP,BillAddress,ShipCode,ShipAddress,City',
    ...[...customers].map(([code, country]) => `${code},Customer ${code},RETAIL,WHOLESALE,UK,UK,UK,N30,S-UK,N,${cell(country)},MAIN,${cell(country)},${cell(country)}`),
  ])
  write(files.prices, ['PriceSet,ValidFrom,SKU,UOM,MinQty,Price,Action,Submit', ...[...items].map(([code, item]) => `UK,${today},${code},PCS,0,${item.price},A,Y`)])
  return { lines, invoices: invoices.size, customers: customers.size, items: items.size, units, value: money(value), firstDay, lastDay, files, sold }
}

/** A company in pounds, empty but for what imports refer to, with the months of its sales open; an administrator and somebody who approves prices. */
export async function fillWholesaler(database: Database, clock: Clock, days: { readonly from: string; readonly to: string }): Promise<void> {
  await installReference(database, clock)
  const hash = await hashPassword(password)
  const at = clock.now().toISOString()
  await database.transaction(async (tx) => {
    for (const name of ['admin', 'approver']) await makeAdministrator(tx, { email: `${name}@arus.example`, name, hash }, clock.now())
    await tx.run(sql`update app_user set role_id = (select id from role where code = 'FIN_MGR') where email = 'approver@arus.example'`)
    await tx.run(sql`update app_user set is_show_tos = false`)
    await tx.run(sql`insert into tos_agreement (user_id, version, at) select id, ${firstTerms}, ${at} from app_user`)
    await addPeriods(tx, days.from, days.to, () => 'OPEN')
    const [company] = await add(tx, 'company', [{ code: 'UKW', name: 'Wholesale', legal_name: 'Wholesale Ltd', is_pkp: false, base_currency: 'GBP' }])
    const [unit] = await add(tx, 'operating_unit', [{ code: 'UK', name: 'United Kingdom', kind: 'HO', is_head_office: true, company_id: company, nitku_suffix: '000000' }])
    const [territory] = await add(tx, 'territory', [{ code: 'UK', name: 'United Kingdom', operating_unit_id: unit }])
    await add(tx, 'sales_area', [{ code: 'UK', name: 'United Kingdom', territory_id: territory }])
    await add(tx, 'employee', [{ work_number: 'S-UK', name: 'Counter', operating_unit_id: unit, position: 'SALESMAN' }])
    await add(tx, 'warehouse', [{ code: 'WUK', name: 'Main', operating_unit_id: unit, kind: 'MAIN', stock_class: 'UNRESTRICTED' }])
    await add(tx, 'customer_category', [{ code: 'RETAIL', name: 'Retail' }])
    await add(tx, 'payment_term', [{ code: 'N30', name: '30 days', net_days: 30, baseline: 'INVOICE' }])
    await add(tx, 'item_category', [{ code: 'GIFTS', name: 'Gifts' }])
    await add(tx, 'business_partner', [{ code: 'V-ALL', name: 'All vendors', kinds: ['PRINCIPAL'] }])
    const [set] = await add(tx, 'price_set', [{ code: 'UK', name: 'United Kingdom', scheme: 'V3', scope_kind: 'BASE', currency: 'GBP', valid_from: days.from, status: 1 }])
    await add(tx, 'sales_channel', [{ code: 'WHOLESALE', name: 'Wholesale', default_price_set_id: set }])
  })
}

/** Prices count when somebody else has approved them. Answers how many prices there are then. */
export async function approvePrices(app: FastifyInstance, database: Database): Promise<number> {
  const signedIn = await app.inject({ method: 'POST', url: '/api/v1/login', payload: { email: 'approver@arus.example', password, user_agent: 'test' } })
  for (const { id } of await database.rows<{ id: number }>(sql`select id from approval_request where doc_type = 'price_change' order by id`)) {
    const answer = await app.inject({ method: 'POST', url: `/api/v1/approval/${id}/approve`, payload: {}, headers: { authorization: `Bearer ${signedIn.json().data.token}`, 'idempotency-key': `approve-price-change-${id}` } })
    if (answer.statusCode !== 200) throw new Error(`Prices are not approved: ${answer.body}`)
  }
  return Number((await database.first(sql`select count(*) as n from list_price`))?.['n'])
}

/** Opening stock of everything that was sold, at six tenths of what it was sold for. */
export async function stockUp(database: Database, { sold, firstDay }: Wholesale): Promise<void> {
  const [unit, warehouse] = [await idByCode(database, 'operating_unit', 'UK'), await idByCode(database, 'warehouse', 'WUK')]
  const ids = new Map((await database.rows<{ id: number; code: string }>(sql`select id, code from item`)).map((row) => [row.code, row.id]))
  await database.transaction((tx) => receiveStock(runOf(database, tx), {
    kind: 'OB_STOCK', date: firstDay, operatingUnitId: unit, warehouseId: warehouse, source: { type: 'opening', id: 1, code: 'OPENING' },
    lines: [...sold].map(([code, { units, value }]) => ({ itemId: ids.get(code) ?? 0, qty: String(units), cost: fixed(value.times('0.6'), 2) })),
  }))
}

/** What the books of the company say of its sales. */
export async function booked(database: Database): Promise<Readonly<Record<string, unknown>>> {
  const row = await database.first(sql`
    select (select count(*)::int from invoice where status in (1, 2, 3)) as invoices, (select count(distinct customer_id)::int from invoice) as customers,
      (select count(distinct item_id)::int from invoice_line) as items, (select sum(qty)::numeric(20,0)::text from invoice_line) as units, (select sum(total)::text from invoice) as total,
      (select sum(remaining)::text from invoice) as remaining, (select count(*)::int from invoice_line) as lines, (select string_agg(distinct currency, ',') from invoice) as currency,
      (select sum(ppn)::text from invoice) as tax, (select sum(rounding)::text from invoice) as rounding, (select sum(on_hand)::text from stock_balance) as stock,
      (select count(*)::int from (select j.id from journal j join journal_line l on l.journal_id = j.id group by j.id having sum(l.debit) <> sum(l.credit)) x) as unbalanced,
      (select sum(l.debit - l.credit)::text from journal_line l join account a on a.id = l.account_id where a.code = '112101') as receivables,
      (select sum(l.credit - l.debit)::text from journal_line l join account a on a.id = l.account_id where a.code = '411101') as revenue`)
  return row ?? {}
}
