import { addDays, addMonths, endOfMonth, periodOf } from '#base/date.ts'
import type { Clock, Database, Queries } from '#server/context.ts'
import { hashPassword } from '#server/access/passwords.ts'
import { sql, trusted } from '#server/db/sql.ts'
import { askForLongerTerm } from './demo/approvals.ts'
import { Book, lastIdsOf } from './demo/book.ts'
import { buildCompany, firstTradingDay } from './demo/company.ts'
import { buildCustomerMasters, buildCustomers } from './demo/customers.ts'
import { dice } from './demo/dice.ts'
import { workToday } from './demo/documents.ts'
import { buildGoods, buildPrices } from './demo/goods.ts'
import { withoutIndexes } from './demo/indexes.ts'
import { Ledger } from './demo/ledger.ts'
import { buildMasters } from './demo/masters.ts'
import { multiply, multiplyFast } from './demo/multiply.ts'
import { Numbers } from './demo/numbers.ts'
import { demoPassword } from './demo/people.ts'
import { Pricer } from './demo/pricing.ts'
import { buildPromotions } from './demo/promotions.ts'
import { simulate } from './demo/simulate.ts'
import { skipChecks } from './demo/skipChecks.ts'
import { Stock } from './demo/stock.ts'
import { demoTables } from './demo/tables.ts'
import { answerClosedTaxMonths } from './demo/taxInvoices.ts'
import { lastWorkday } from './demo/trade.ts'
import { idsByCode, must } from './insertMissing.ts'
import { addPeriods } from './periods.ts'
import { installCompanySettings, installReference } from './reference.ts'

export interface DemoOptions {
  /** 1 is about 6,300 invoices; below 1 a smaller company, above it that many times the customers and their trade. */
  readonly scale: number
  /** Customers before copying; 402 unless a test wants it smaller. */
  readonly customers?: number
  readonly log: (line: string) => void
}

/** The same company whenever it is seeded on the same day. */
const seedNumber = 20_250_101

/**
 * Fills an empty installation with a distributor and 18 months of its trade ending on the clock's day. Refuses a database that has
 * documents. All or nothing: a seeding that is cut off leaves the database as it was.
 */
export async function seedDemo(database: Database, clock: Clock, options: DemoOptions): Promise<void> {
  if (await hasDocuments(database)) throw new Error('This database has documents already; the demo company is only for an empty one.')
  await installReference(database, clock)
  const passwordHash = await hashPassword(demoPassword)
  await database.transaction(async (tx) => {
    await skipChecks(tx)
    const book = await build(tx, clock, passwordHash, options)
    options.log('Writing it down …')
    await withoutIndexes(tx, demoTables, async () => {
      options.log(`${await book.write(tx, demoTables)} rows`)
      await worthInBooks(tx)
    })
    await installCompanySettings(tx)
    if (options.scale <= 1) await answerClosedTaxMonths(tx)
  })
  // Growing the indexes is quicker for a few copies, building them again for many.
  if (options.scale > 1) await (options.scale > 8 ? multiplyFast : multiply)(database, Math.round(options.scale), options.log)
  if (options.scale > 1) await answerClosedTaxMonths(database)
  await database.run(trusted('analyze'))
  await workToday(database, clock, options.log)
}

/** What triggers keep of documents, had they run: the company's are all in the currency of the books. */
async function worthInBooks(tx: Queries): Promise<void> {
  for (const table of ['invoice', 'credit_note']) await tx.run(trusted(`update ${table} set base_total = total, base_settled = total - remaining, base_remaining = remaining`))
  await tx.run(trusted('update customer_deposit set base_total = amount, base_settled = amount - remaining, base_remaining = remaining'))
  await tx.run(trusted('update ar_payment set base_total = amount'))
}

/** Is anything in this installation that somebody entered? */
export async function hasDocuments(queries: Queries): Promise<boolean> {
  return (await queries.first(sql`select 1 as found where exists (select 1 from company) or exists (select 1 from sales_order) or exists (select 1 from journal)`)) !== undefined
}

async function build(tx: Queries, clock: Clock, passwordHash: string, options: DemoOptions): Promise<Book> {
  const chance = dice(seedNumber)
  const size = Math.min(1, options.scale) * ((options.customers ?? 402) / 402)
  const today = clock.today()
  const now = clock.now().toISOString()
  const start = firstTradingDay(today)
  options.log(`Demo company: living through ${start} to ${today} …`)
  const founded = `${addMonths(start, -2)}T02:00:00.000Z`
  const stamp = { created_at: founded, updated_at: founded }
  const book = new Book(await lastIdsOf(tx, demoTables))
  const { units, bankIds } = buildCompany(book, chance, { stamp, now, start, passwordHash, roleIds: await idsByCode(tx, 'role'), accountIds: await idsByCode(tx, 'account') })
  const taxCodes = await idsByCode(tx, 'tax_code')
  const assortment = buildGoods(book, chance, stamp, must(taxCodes, 'PPN04'))
  const { sets, discounts } = buildPrices(book, stamp, start, today, assortment.goods, assortment.brandIds)
  const masters = buildCustomerMasters(book, stamp, sets, discounts)
  buildPromotions(book, { stamp, start, today, unitId: Number(book.rows('operating_unit')[0]?.['id']) }, assortment, (code) => must(masters.channelIds, code), await idsByCode(tx, 'promotion_type'))
  const buyers = buildCustomers(book, chance, units, masters, { stamp, start, today, count: Math.max(30, Math.round(402 * size)), banks: bankIds })
  buildMasters(book, { stamp, start, today, units, goods: assortment.goods, masters, taxCodes })
  await addPeriods(tx, start, endOfMonth(today), (period) => (period < periodOf(addMonths(today, -2)) ? 'CLOSED' : 'OPEN'))
  await closePeriods(tx, periodOf(addMonths(today, -2)), now)
  const numbers = new Numbers()
  const accounts = new Map([...(await idsByCode(tx, 'account')), ...book.rows('account').map((row) => [String(row['code']), Number(row['id'])] as const)])
  const trade = {
    book, chance, numbers, ledger: new Ledger(book, numbers, accounts), stock: new Stock(book), pricer: new Pricer(book), units, buyers, goods: assortment.goods,
    drawGoods: chance.drawer(assortment.goods.map((goods) => [goods, goods.demand] as const)),
    reasons: await idsByCode(tx, 'reason'), accounts, claimType: must(await idsByCode(tx, 'credit_note_promo_type'), 'KLAIM-LAIN'), today, lastDay: lastWorkday(today), now,
  }
  const limits = new Map(book.rows('credit_limit').filter((row) => row['kind'] === 'REGULER').map((row) => [Number(row['customer_id']), row]))
  simulate(trade, start, 14 * size, limits)
  askForLongerTerm(trade, masters.termIds)
  await writeCounters(tx, book, numbers, units, buyers.length)
  book.add('announcement', {
    code: 'A001', title: 'Tutup buku bulanan', body: 'Semua faktur bulan ini dibuat paling lambat hari kerja terakhir.', valid_from: addDays(today, -5), valid_to: addDays(today, 20),
    territory_id: null, is_active: true, version: 1, ...stamp,
  })
  return book
}

/** Months before the last two full ones are closed, as in any orderly house. */
async function closePeriods(tx: Queries, firstOpen: string, now: string): Promise<void> {
  await tx.run(sql`update accounting_period set status = 'CLOSED', closed_at = ${now}::timestamptz where period < ${firstOpen} and status = 'OPEN'`)
}

async function writeCounters(tx: Queries, book: Book, numbers: Numbers, units: readonly { readonly id: number; readonly code: string }[], customers: number): Promise<void> {
  const series = await idsByCode(tx, 'number_series')
  const codes = new Map(units.map((unit) => [unit.id, unit.code]))
  for (const counter of numbers.counters())
    book.add('number_counter', { series_id: must(series, counter.series), bucket: `${must(codes, counter.unitId)}/${counter.period}`, last_value: counter.value })
  book.add('number_counter', { series_id: must(series, 'CUSTOMER'), bucket: '', last_value: customers })
  book.add('number_counter', { series_id: must(series, 'PARTNER'), bucket: '', last_value: 5 })
}
