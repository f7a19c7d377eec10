import { addDays, addMonths, endOfMonth, type DateText } from '#base/date.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'
import { soldInDollars, soldThisMonth } from './exports.ts'

/** What Jakarta sells and owes in dollars: sales and a subscription of last month, valued at its end and paid in part, sales and help of today. */
export async function otherCurrencies(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const id = async (query: ReturnType<typeof sql>): Promise<number> => Number((await database.first<{ id: number }>(query))?.id)
  const unit = await id(sql`select id from operating_unit where code = 'JKT'`)
  const today = clock.today()
  const monthEnd = endOfMonth(addMonths(today, -1))
  for (const [day, rate] of [[addDays(monthEnd, -12), '16240'], [addDays(monthEnd, -10), '15980'], [addDays(monthEnd, -3), '16075'], [monthEnd, '16120'], [today, '16060']] as const) await keepRate(database, day, rate)
  const account = await desk.enter('admin', 'account', { Code: '111209', Name: 'Bank BCA, US dollar', NameID: 'Bank BCA – Dolar AS', Type: 'ASSET', Normal: 'D', IsControl: true, ControlKind: 'BANK', IsPostable: true }, false)
  const [bank = 0] = await insertRows(database, 'house_bank', [{
    code: 'BCA-JKT-USD', operating_unit_id: unit, name: 'BCA Jakarta (USD)', bank_id: await id(sql`select id from bank where code = 'BCA'`), account_no: '0359987120', account_name: 'PT Arus Niaga Nusantara', currency: 'USD', gl_account_id: account, is_collection: true,
  }])
  const abroad = await soldInDollars(database, desk, { unit, bank, monthEnd })
  await owedInDollars(database, desk, { unit, bank, monthEnd, today })
  await soldThisMonth(database, desk, { unit, bank, today }, abroad)
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
