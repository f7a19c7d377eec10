import { addDays, endOfMonth, isDate, type DateText } from '#base/date.ts'
import { exact, money } from '#base/decimal.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { CommandContext, Precondition, Queries, Row } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'
import { fail, wrong } from '#server/problemError.ts'
import { rateOn } from '#server/setup/exchangeRates.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { financeSettings } from '#server/settings.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { linesOfUpload } from './uploadedInvoice.ts'
import { looseNumber, numberKey } from './vendorNumber.ts'

/** What a vendor's invoice has by itself: its number as it is compared, when it is due and what paying early saves, the account it stands on. */
export const vendorInvoiceHooks: DocumentHooks = {
  beforeDerive: linesOfUpload,
  async beforeSave(saving) {
    const { tx } = saving.context
    const row: Row = { ...saving.before, ...saving.header }
    const vendorId = numberOrNull(row, 'vendor_id')
    if (vendorId === null) return
    const number = String(row['vendor_invoice_no'] ?? '')
    if (number !== '' && numberKey(number) === '') saving.problem(wrong('VendorInvoiceNo', 'INVALID.vendor-number'))
    Object.assign(saving.header, { number_key: numberKey(number), number_loose: looseNumber(number), validation_status: 'NEW' })
    await refuseTwin(saving.context, { id: saving.before?.id ?? 0, vendorId, number })
    if (saving.header['payment_term_id'] === undefined && saving.before === undefined) saving.header['payment_term_id'] = (await termOf(tx, vendorId)) ?? null
    await moneyOf(saving, row)
    Object.assign(saving.header, await dueOf(tx, { ...row, ...saving.header }))
    saving.header['account_id'] = await payableAccount(tx, numberOf(row, 'operating_unit_id'), row['kind'] === 'TRADE' ? 'TRADE' : 'NON_TRADE')
    const named = saving.lines?.['VendorInvoiceNamedReceipt']
    if ((row['landed_by'] ?? 'NONE') === 'NONE' && named !== undefined) named.length = 0
    await accountsOfLines(saving)
    await taxesOfOrders(saving)
  },
}

/** Services are invoiced in any currency a rate is kept of; goods, freight and what goods are to bear are worth what the books gave them. */
async function moneyOf({ context: { tx }, header, problem }: Saving, row: Row): Promise<void> {
  const [unit, date, currency] = [numberOf(row, 'operating_unit_id'), row['doc_date'], textOf(row, 'currency')]
  const home = await homeCurrency(tx.ahead, unit)
  if ((row['kind'] !== 'NON_TRADE' || (row['landed_by'] ?? 'NONE') !== 'NONE') && currency !== home) return problem(wrong('Currency', 'NOT_A_CHOICE.currency', { currency: home }))
  if (!isDate(date)) return
  const rate = await rateOn(tx, unit, currency, date, 'DocDate')
  if (typeof rate === 'string') header['rate'] = rate
  else problem(rate)
}

async function termOf(tx: Queries, vendorId: number): Promise<number | null | undefined> {
  return (await tx.first<{ id: number | null }>(sql`select payment_term_id as id from business_partner where id = ${vendorId}`))?.id
}

/** Counted from the vendor's own date, or from the end of its month. The discount is of the price without VAT, to the last day of its days. */
export async function dueOf(tx: Queries, row: Row): Promise<Row> {
  const date = row['doc_date']
  if (!isDate(date)) return {}
  const term = await tx.first<{ net_days: number; baseline: string; cash_discount_pct: string; cash_discount_days: number | null }>(sql`
    select net_days, baseline, cash_discount_pct, cash_discount_days from payment_term where id = ${numberOrNull(row, 'payment_term_id')}::bigint`)
  const from: DateText = term?.baseline === 'EOM' ? endOfMonth(date) : date
  const percent = term?.cash_discount_days == null ? '0' : term.cash_discount_pct
  return {
    due_date: addDays(from, term?.net_days ?? 0),
    cash_discount_pct: percent,
    discount_until: exact(percent).gt(0) ? addDays(date, term?.cash_discount_days ?? 0) : null,
    discount: money(exact(String(row['dpp'] ?? '0')).times(percent).div(100)),
  }
}

/** Account the unit's company keeps what it owes vendors on. */
export async function payableAccount(tx: Queries, unit: number, group: 'TRADE' | 'NON_TRADE'): Promise<number> {
  const finance = await financeSettings(tx, unit)
  const code = group === 'TRADE' ? finance.payable_account : finance.other_payable_account
  const account = await tx.first<{ id: number }>(sql`select id from account where code = ${code}`)
  return account?.id ?? fail('VALIDATION_FAILED.finance')
}

/** A line is booked on the account of what was spent it for, unless it names another; never on one that open items or stock stand behind. */
async function accountsOfLines({ context: { tx }, lines, problem }: Saving): Promise<void> {
  // Written by matching and posting alone.
  for (const own of [lines?.['VendorInvoiceMatch'], lines?.['VendorInvoiceReceipt'], lines?.['VendorInvoiceShare']]) if (own !== undefined) own.length = 0
  const rows = lines?.['Lines'] ?? []
  // Matching says anew which budget it uses.
  for (const { columns } of rows) columns['expense_budget_id'] = null
  const types = rows.flatMap(({ columns }) => (columns['account_id'] == null && typeof columns['expense_type_id'] === 'number' ? [columns['expense_type_id']] : []))
  const accounts = new Map((await tx.rows<{ id: number; account_id: number }>(sql`select id, account_id from expense_type where id = any(${types}::bigint[])`)).map((type) => [type.id, type.account_id]))
  for (const { columns } of rows) if (columns['account_id'] == null) columns['account_id'] = accounts.get(Number(columns['expense_type_id'])) ?? null
  const ids = rows.flatMap(({ columns }) => (typeof columns['account_id'] === 'number' ? [columns['account_id']] : []))
  const barred = new Map((await tx.rows<{ id: number; code: string }>(sql`select id, code from account where id = any(${ids}::bigint[]) and (is_control or not is_postable)`)).map((account) => [account.id, account.code]))
  for (const [i, { columns }] of rows.entries()) {
    const account = barred.get(Number(columns['account_id']))
    if (account !== undefined) problem(wrong(`Lines[${i}].AccountID`, 'NOT_A_CHOICE.control', { account }))
  }
}

/** Goods bear the tax of their order. */
async function taxesOfOrders({ context: { tx }, lines }: Saving): Promise<void> {
  const rows = (lines?.['Lines'] ?? []).filter(({ columns }) => typeof columns['po_line_id'] === 'number')
  if (rows.length === 0) return
  const codes = new Map((await tx.rows<{ id: number; tax_code_id: number | null }>(sql`
    select id, tax_code_id from purchase_order_line where id = any(${rows.map(({ columns }) => Number(columns['po_line_id']))}::bigint[])`)).map((line) => [line.id, line.tax_code_id]))
  for (const { columns } of rows) columns['tax_code_id'] = codes.get(Number(columns['po_line_id'])) ?? null
}

interface Numbered {
  readonly id: number
  readonly vendorId: number
  readonly number: string
}

/** Another invoice of the vendor that counts and answers to `same`; its name is told to whoever may see it alone. */
export async function twinOf(context: CommandContext, { id, vendorId }: Numbered, same: Sql): Promise<{ readonly name: string | null } | undefined> {
  const scope = scopeCondition(context.metadata, context.user, knownEntity(context.metadata, 'vendor_invoice'), 't') ?? sql`true`
  return context.tx.first<{ name: string | null }>(sql`
    select case when ${scope} then coalesce(t.code, 'DRAFT-' || t.id) end as name from vendor_invoice t
    where t.vendor_id = ${vendorId} and ${same} and t.id <> ${id} and t.status not in (6, 7) order by t.id limit 1`)
}

/** The same letters and digits are the same invoice; a cancelled or reversed one frees its number. */
export async function refuseTwin(context: CommandContext, asked: Numbered): Promise<void> {
  const twin = await twinOf(context, asked, sql`t.number_key = ${numberKey(asked.number)}`)
  if (twin === undefined) return
  const errors = [twin.name === null ? wrong('VendorInvoiceNo', 'DUPLICATE') : wrong('VendorInvoiceNo', 'DUPLICATE.vendor-invoice', { document: twin.name })]
  fail('DUPLICATE_DOCUMENT.vendor-invoice', { number: asked.number, document: twin.name ?? '' }, { errors })
}

/** Asked again when it is registered: a draft may have been left lying. */
export const vendorNumberIsFree: Precondition = async (context) => {
  const { record } = context
  const vendorId = numberOf(record, 'vendor_id')
  await context.tx.exclusive(`invoices of vendor ${vendorId}`, () => refuseTwin(context, { id: record.id, vendorId, number: textOf(record, 'vendor_invoice_no') }))
}
