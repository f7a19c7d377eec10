import type { DateText } from '#base/date.ts'
import type { Decimal } from '#base/decimal.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { CommandContext, Queries, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { refreshOrders } from '#server/sales/orderStatus.ts'
import { logStatusChanges } from '#server/workflow/newDocument.ts'
import { refreshOpenItems, sourceItem, type ItemKey } from '#server/workflow/openItems.ts'
import { fitClaims } from './claims.ts'
import { releaseDepositVat, restoreDepositVat } from './depositVat.ts'
import { heldOf, type Holder } from './heldCredits.ts'

/** What settles an open item, as far as code names it; documents may settle as whatever else the field `source_type` allows. */
export type AllocationSource =
  | 'PAYMENT' | 'CREDIT_NOTE' | 'DEPOSIT' | 'TEMP_CN' | 'WITHHOLDING' | 'PAYMENT_DIFF' | 'WRITE_OFF' | 'CONTRA' | 'CLOSE' | 'OPENING'
  | 'AP_PAYMENT' | 'DEBIT_NOTE' | 'ADVANCE' | 'SUPPLIER_RECEIPT' | 'SUPPLIER_CN' | 'CASH_DISCOUNT'

export function isAllocationSource(metadata: Metadata, name: string): name is AllocationSource {
  return metadata.entities['ar_allocation']?.fields.find((field) => field.name === 'source_type')?.choices?.some(({ value }) => value === name) === true
}

export interface NewAllocation {
  /** Null: what is used leaves, for nothing that is open, or `item` is what it settles. */
  readonly invoiceId: number | null
  /** An open item that is no invoice of a customer. */
  readonly item?: ItemKey
  readonly sourceType: AllocationSource
  readonly sourceId: number
  readonly sourceLineId?: number
  readonly amount: Decimal
  /** What that takes of the item in the books, and of what is used up; in the currency of the books it is the amount. */
  readonly base?: Decimal
  readonly sourceBase?: Decimal
}

export interface AllocatingDocument {
  readonly type: string
  readonly id: number
  readonly date: DateText
  readonly journalId: number | null
}

export interface OpenInvoiceRow extends Row {
  readonly id: number
  readonly code: string
  readonly customer_id: number
  readonly operating_unit_id: number
  readonly status: number
  readonly invoice_type: string
  readonly pending_transition: string | null
  readonly doc_date: DateText
  readonly posting_date: DateText
  readonly due_date: DateText
  readonly total: Decimal
  readonly remaining: Decimal
  readonly ppn: Decimal
  readonly dpp: Decimal
  readonly ppn_collector: 'SELLER' | 'WAPU'
  readonly ar_account: string
  readonly currency: string
  readonly rate: Decimal
  readonly cash_discount_pct: Decimal
  readonly cash_discount_days: number | null
}

/** Invoices under lock, in id order; every allocation takes them in this order, before credit notes and deposits. */
export function lockInvoices(tx: Queries, ids: readonly number[]): Promise<OpenInvoiceRow[]> {
  return tx.rows<OpenInvoiceRow>(sql`
    select i.id, i.code, i.customer_id, i.operating_unit_id, i.status, i.invoice_type, i.pending_transition, i.doc_date, i.posting_date, i.due_date, i.total, i.remaining, i.ppn, i.dpp, i.ppn_collector,
      a.code as ar_account, i.currency, i.rate, i.cash_discount_pct, i.cash_discount_days
    from invoice i join account a on a.id = i.ar_account_id
    where i.id = any(${[...new Set(ids)]}::bigint[]) order by i.id for update of i`)
}

export interface CreditRow extends Row {
  readonly id: number
  readonly code: string
  readonly customer_id: number
  readonly status: number
  readonly remaining: Decimal
  readonly posting_date: DateText | null
  readonly pending_transition: string | null
  readonly currency: string
}

/** `ar_account`: null as long as it is not posted. */
export interface CreditNoteRow extends CreditRow {
  readonly ar_account: string | null
}

/** `except`: the document that asks; what it waits with itself is not held from it. */
export function lockCreditNotes(tx: Queries, ids: readonly number[], except?: Holder): Promise<CreditNoteRow[]> {
  return tx.rows<CreditNoteRow>(sql`
    select n.id, n.code, n.customer_id, n.status, n.remaining - ${heldOf('CREDIT_NOTE', sql`n.id`, except)} as remaining, n.posting_date, n.pending_transition, n.currency, a.code as ar_account
    from credit_note n left join account a on a.id = n.ar_account_id where n.id = any(${[...new Set(ids)]}::bigint[]) order by n.id for update of n`)
}

/** `receipt_id`: the receipt it is left over from; null where it came by itself. */
export interface DepositRow extends CreditRow {
  readonly receipt_id: number | null
}

export function lockDeposits(tx: Queries, ids: readonly number[], except?: Holder): Promise<DepositRow[]> {
  return tx.rows<DepositRow>(sql`
    select d.id, code, customer_id, status, remaining - ${heldOf('DEPOSIT', sql`d.id`, except)} as remaining, posting_date, pending_transition, currency, case when origin = 'OVERPAYMENT' then deposit_source_id end as receipt_id
    from customer_deposit d where d.id = any(${[...new Set(ids)]}::bigint[]) order by d.id for update of d`)
}

/** Numbers of the receipts about to be reversed, among those the locked deposits are left over from. Asked once the lock is held: whoever asks for a reversal takes it too. */
export async function receiptsBeingReversed(tx: Queries, deposits: readonly DepositRow[]): Promise<ReadonlyMap<number, string>> {
  const ids = deposits.flatMap((deposit) => deposit.receipt_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<{ id: number; code: string }>(sql`select id, code from ar_payment where id = any(${ids}::bigint[]) and pending_transition is not null`)
  return new Map(rows.map(({ id, code }) => [id, code]))
}

/** Writes allocations and brings everything they touch up to date. */
export async function allocate(context: CommandContext, document: AllocatingDocument, allocations: readonly NewAllocation[]): Promise<void> {
  await insertRows(
    context.tx,
    'ar_allocation',
    allocations.map((allocation) => ({
      invoice_id: allocation.invoiceId,
      item_type: allocation.item?.type ?? null,
      item_id: allocation.item?.id ?? null,
      source_type: allocation.sourceType,
      source_id: allocation.sourceId,
      source_line_id: allocation.sourceLineId ?? null,
      amount: allocation.amount,
      base_amount: allocation.base ?? null,
      source_base: allocation.sourceBase ?? null,
      posting_date: document.date,
      journal_id: document.journalId,
      document_type: document.type,
      document_id: document.id,
      created_at: context.now.toISOString(),
    })),
  )
  await refreshItems(context, allocations, document.date)
  await releaseDepositVat(context, document, allocations.flatMap(({ sourceType, sourceId, amount }) => (sourceType === 'DEPOSIT' ? [{ id: sourceId, amount }] : [])))
  await fitClaims(context, allocations.flatMap(({ invoiceId }) => invoiceId ?? []), document.type === 'cn_temporary' ? document.id : undefined)
}

/** The least there was of an open item on a day and on all days since, and when that was. */
export interface LeastOpen extends Row {
  readonly id: number
  readonly open: Decimal
  readonly day: DateText
}

/**
 * What is taken on a day past must have been there on every day since: what was settled then and taken back later is open today, and was not then.
 * `source`: of credits instead of invoices.
 */
export async function leastOpenSince(tx: Queries, date: DateText, ids: readonly number[], source?: 'CREDIT_NOTE' | 'DEPOSIT'): Promise<ReadonlyMap<number, LeastOpen>> {
  const [table, whole] = source === undefined ? [sql`invoice`, sql`i.total`] : source === 'CREDIT_NOTE' ? [sql`credit_note`, sql`i.total`] : [sql`customer_deposit`, sql`i.amount`]
  const taken = source === undefined ? sql`a.invoice_id = i.id` : sql`a.source_type = ${source} and a.source_id = i.id`
  const rows = ids.length === 0 ? [] : await tx.rows<LeastOpen>(sql`
    select distinct on (i.id) i.id, d.day, ${whole} - coalesce((
      select sum(a.amount) from ar_allocation a where ${taken} and a.posting_date <= d.day and (a.reversed_at is null or a.reversed_at > d.day)), 0) as open
    from ${table} i cross join lateral (select ${date}::date as day union select a.posting_date from ar_allocation a where ${taken} and a.posting_date > ${date}::date) d
    where i.id = any(${[...new Set(ids)]}::bigint[]) order by i.id, open, d.day`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Takes back every live allocation a document made. */
export async function deallocate(context: CommandContext, document: { readonly type: string; readonly id: number }, date: DateText): Promise<void> {
  const rows = await context.tx.rows<{ invoiceId: number | null; itemType: string | null; itemId: number | null; sourceType: AllocationSource; sourceId: number }>(sql`
    update ar_allocation set reversed_at = ${date}::date where document_type = ${document.type} and document_id = ${document.id} and reversed_at is null
    returning invoice_id as "invoiceId", item_type as "itemType", item_id as "itemId", source_type as "sourceType", source_id as "sourceId"`)
  await refreshItems(context, rows.map(({ itemType, itemId, ...row }) => (itemType === null || itemId === null ? row : { ...row, item: { type: itemType, id: itemId } })), date)
  if (rows.some(({ sourceType }) => sourceType === 'DEPOSIT')) await restoreDepositVat(context, document, date)
}

/** Takes back single live allocations of a document. */
export async function takeBack(context: CommandContext, ids: readonly number[], date: DateText): Promise<void> {
  const rows = await context.tx.rows<{ invoiceId: number | null; sourceType: AllocationSource; sourceId: number }>(sql`
    update ar_allocation set reversed_at = ${date}::date where id = any(${[...ids]}::bigint[]) and reversed_at is null returning invoice_id as "invoiceId", source_type as "sourceType", source_id as "sourceId"`)
  await refreshItems(context, rows, date)
}

interface Change extends Row {
  readonly id: number
  readonly before: number
  readonly after: number
  /** Of an invoice in another currency: something settled it that says nothing of the books. */
  readonly is_unbooked?: boolean
}

type Touched = readonly { readonly invoiceId: number | null; readonly item?: ItemKey; readonly sourceType: AllocationSource; readonly sourceId: number }[]

/** What is used up piece by piece, and the column of what it was in whole. */
const credits = [
  { source: 'CREDIT_NOTE', table: 'credit_note', whole: 'total' },
  { source: 'DEPOSIT', table: 'customer_deposit', whole: 'amount' },
] as const

/** Remaining and status of invoices, credit notes and deposits by their live allocations. The rows are locked by whoever allocates. */
async function refreshItems(context: CommandContext, touched: Touched, date: DateText): Promise<void> {
  const { tx } = context
  const invoiceIds = [...new Set(touched.flatMap((row) => row.invoiceId ?? []))]
  const invoices = await tx.rows<Change>(sql`
    update invoice t set remaining = x.remaining, base_settled = x.base_settled, paid = x.paid, status = case when x.remaining = 0 then 3 when x.remaining = t.total then 1 else 2 end,
      closed_on = case when x.remaining = 0 then coalesce(x.settled_on, ${date}::date) end, ${stampOf(context)}
    from (
      select i.id, i.status as before, i.total - coalesce(sum(a.amount), 0) as remaining, coalesce(sum(coalesce(a.base_amount, a.amount)), 0) as base_settled, coalesce(sum(a.amount) filter (where a.source_type = 'PAYMENT'), 0) as paid, max(a.posting_date) as settled_on, coalesce(bool_or(a.base_amount is null and a.id is not null), false) as is_plain
      from invoice i left join ar_allocation a on a.invoice_id = i.id and a.reversed_at is null where i.id = any(${invoiceIds}::bigint[]) group by i.id
    ) x where t.id = x.id returning t.id, x.before, t.status as after, x.is_plain and t.rate <> 1 as is_unbooked`)
  if (invoices.some(({ is_unbooked: isUnbooked }) => isUnbooked === true)) fail('VALIDATION_FAILED.other-currency')
  await logStatusChanges(context, 'invoice', 'settle', changes(invoices))
  for (const credit of credits) await refreshCredits(context, credit, touched)
  await refreshOpenItems(context, touched.flatMap(({ item, sourceType, sourceId }) => [...(item === undefined ? [] : [item]), ...sourceItem(sourceType, sourceId)]))
  const orders = await tx.rows<{ id: number }>(sql`
    select distinct l.sales_order_id as id from invoice_line il join sales_order_line l on l.id = il.order_line_id where il.invoice_id = any(${invoiceIds}::bigint[]) order by 1`)
  await refreshOrders(context, orders.map((row) => row.id))
}

async function refreshCredits(context: CommandContext, { source, table, whole }: (typeof credits)[number], touched: Touched): Promise<void> {
  const ids = [...new Set(touched.filter((row) => row.sourceType === source).map((row) => row.sourceId))]
  if (ids.length === 0) return
  const rows = await context.tx.rows<Change>(sql`
    update ${ident(table)} t set remaining = x.remaining, base_settled = x.base_settled, status = case when x.remaining = 0 then 3 when x.remaining = t.${ident(whole)} then 1 else 2 end, ${stampOf(context)}
    from (
      select c.id, c.status as before, c.${ident(whole)} - coalesce(sum(a.amount), 0) as remaining, coalesce(sum(coalesce(a.source_base, a.amount)), 0) as base_settled
      from ${ident(table)} c left join ar_allocation a on a.source_type = ${source} and a.source_id = c.id and a.reversed_at is null where c.id = any(${ids}::bigint[]) group by c.id
    ) x where t.id = x.id returning t.id, x.before, t.status as after`)
  await logStatusChanges(context, table, 'apply', changes(rows))
}

function stampOf({ now, user }: CommandContext): Sql {
  return sql`version = t.version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id}`
}

function changes(rows: readonly Change[]): { readonly id: number; readonly from: number; readonly to: number }[] {
  return rows.map((row) => ({ id: row.id, from: row.before, to: row.after }))
}
