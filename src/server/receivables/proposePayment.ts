import { compare, isZero, money } from '#base/decimal.ts'
import type { PaymentLine, ProposeAnswer } from '#api/payment.ts'
import { paymentMethodsOfAllocation, proposeAllocation, type OpenCredit, type OpenInvoice } from '#domain/receivables/proposal.ts'
import { lessWithheld, withheldOf, withWithheld, type Withheld, type WithheldInvoice } from '#domain/receivables/withholding.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { isId } from '#server/documents/parseValue.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { paymentRule } from '#server/sales/orderLimits.ts'
import { financeSettings } from '#server/settings.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { heldOf } from './heldCredits.ts'

/** Suggests what a receipt pays: as asked, else by the allocation rule about the customer, else oldest due first. Nothing is saved or locked. */
export const proposePayment: Command = async (context, { params }) => {
  const amount = money(String(params['Amount']))
  const rule = params['Rule'] ?? (await ruleOf(context, params['CustomerID']))
  const method = paymentMethodsOfAllocation.find((known) => known === rule) ?? 'OLDEST_DUE'
  const currency = await currencyOf(context, params)
  const open = new Map((await openInvoices(context, params, currency)).map((one) => [one.invoice.id, one]))
  const { lines, unapplied } = proposeAllocation(amount, [...open.values()].map(({ invoice }) => invoice), await openCredits(context, params, currency), method)
  const answer: ProposeAnswer = { Lines: lines.map((line): PaymentLine => {
    const { invoice, withheld } = open.get(line.invoiceId) ?? { withheld: [] }
    const { paid, deductions } = withWithheld(line, invoice?.remaining ?? line.paid, withheld)
    return {
      InvoiceID: line.invoiceId, Paid: paid, Credits: line.credits.map((credit) => ({ Source: credit.source, SourceID: credit.sourceId, Amount: credit.amount })),
      Deductions: deductions.map(({ kind, amount: part }) => ({ Kind: kind, Amount: part })),
    }
  }), Unapplied: unapplied }
  return { ...answer }
}

/** Money is in the currency of the account it comes into; elsewhere in that of the customer's unit. */
async function currencyOf({ tx }: CommandContext, params: Row): Promise<string> {
  const row = await tx.first<{ own: string | null; unit: number | null }>(sql`
    select (select currency from house_bank where id = ${params['HouseBankID'] ?? null}::bigint) as own, (select operating_unit_id from customer where id = ${params['CustomerID']}) as unit`)
  return row?.own ?? (await homeCurrency(tx.ahead, row?.unit ?? null))
}

async function ruleOf({ tx }: CommandContext, customerId: unknown): Promise<string | undefined> {
  const customer = await tx.first<{ id: number; operating_unit_id: number; territory_id: number; sales_channel_id: number; customer_category_id: number }>(
    sql`select id, operating_unit_id, territory_id, sales_channel_id, customer_category_id from customer where id = ${customerId}`)
  return customer && paymentRule(tx, { customerId: customer.id, channelId: customer.sales_channel_id, categoryId: customer.customer_category_id, territoryId: customer.territory_id }, customer.operating_unit_id)
}

const mostInvoices = 2_000

/** Only these invoices; null: all that are open. */
function invoicesAsked(value: unknown): readonly number[] | null {
  if (value === undefined || value === null) return null
  return Array.isArray(value) && value.length <= mostInvoices && value.every(isId) ? value : invalid([wrong('InvoiceIDs', 'WRONG_TYPE.list', { limit: mostInvoices })])
}

/** Open invoices with the money expected for them and what the buyer pays to the state in our stead. */
async function openInvoices(context: CommandContext, params: Row, currency: string): Promise<{ readonly invoice: OpenInvoice; readonly withheld: readonly Withheld[] }[]> {
  const only = invoicesAsked(params['InvoiceIDs'])
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'i')
  const rows = await context.tx.rows<Row & WithheldInvoice & { id: number; doc_date: string; due_date: string; operating_unit_id: number }>(sql`
    select i.id, i.doc_date, i.due_date, i.remaining, i.total, i.dpp, i.ppn, i.ppn_collector as collector, i.operating_unit_id,
      case when i.invoice_type = 'BEGBAL' then 0 else c.pph22_rate end as "incomeTaxRate"
    from invoice i join customer c on c.id = i.customer_id
    where i.customer_id = ${params['CustomerID']} and i.currency = ${currency} and i.status in (1, 2) and i.pending_transition is null and (${only && [...only]}::bigint[] is null or i.id = any(${only && [...only]}::bigint[])) and ${scope ?? sql`true`}
    order by i.due_date, i.id limit ${mostInvoices}`)
  return Promise.all(rows.map(async (row) => {
    const invoice = { id: row.id, docDate: row.doc_date, dueDate: row.due_date, remaining: row.remaining }
    if (row.collector === 'SELLER' && isZero(row.incomeTaxRate)) return { invoice, withheld: [] }
    const withheld = withheldOf(row, (await financeSettings(context.tx, row.operating_unit_id)).withheld_above)
    return { invoice: lessWithheld(invoice, withheld), withheld }
  }))
}

async function openCredits(context: CommandContext, params: Row, currency: string): Promise<OpenCredit[]> {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 't')
  const rows = await context.tx.rows<Row & { source: 'CREDIT_NOTE' | 'DEPOSIT'; id: number; doc_date: string; remaining: string }>(sql`
    select 'CREDIT_NOTE' as source, t.id, t.doc_date, t.remaining - ${heldOf('CREDIT_NOTE', sql`t.id`)} as remaining from credit_note t
    where t.customer_id = ${params['CustomerID']} and t.currency = ${currency} and t.status in (1, 2) and t.pending_transition is null and t.posting_date <= ${context.today} and ${params['UseCreditNotes'] !== false} and ${scope ?? sql`true`}
    union all
    select 'DEPOSIT', t.id, t.doc_date, t.remaining - ${heldOf('DEPOSIT', sql`t.id`)} from customer_deposit t
    where t.customer_id = ${params['CustomerID']} and t.currency = ${currency} and t.status in (1, 2) and t.pending_transition is null and t.posting_date <= ${context.today} and ${params['UseDeposits'] === true} and ${scope ?? sql`true`}
      and not exists (select 1 from ar_payment p where t.origin = 'OVERPAYMENT' and p.id = t.deposit_source_id and p.pending_transition is not null)`)
  return rows.filter(({ remaining }) => compare(remaining, '0') > 0).map((row) => ({ source: row.source, id: row.id, docDate: row.doc_date, remaining: row.remaining }))
}
