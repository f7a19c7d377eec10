import { isDecimal, money } from '#base/decimal.ts'
import type { PaymentLine, ProposeAnswer } from '#api/payment.ts'
import type { FieldProblem } from '#api/problems.ts'
import { paymentMethodsOfAllocation, proposeAllocation, type OpenCredit, type OpenInvoice } from '#domain/receivables/proposal.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { isId } from '#server/documents/parseValue.ts'
import { invalid } from '#server/problemError.ts'

/** Suggests what a receipt pays: oldest due first unless another rule is asked for. Nothing is saved or locked. */
export const proposePayment: Command = async (context, { body }) => {
  checkBody(body)
  const customerId = body['CustomerID']
  const amount = body['Amount'] ?? '0'
  if (!isId(customerId)) return invalid([{ field: 'CustomerID', code: 'REQUIRED', text: 'Choose the customer who pays.' }])
  const text = typeof amount === 'number' ? String(amount) : amount
  if (!isDecimal(text, 2) || text.startsWith('-')) return invalid([{ field: 'Amount', code: 'INVALID', text: 'Enter the amount received.' }])
  const method = paymentMethodsOfAllocation.find((known) => known === body['Rule']) ?? 'OLDEST_DUE'
  const { lines, unapplied } = proposeAllocation(money(text), await openInvoices(context, customerId, body), await openCredits(context, customerId, body), method)
  const answer: ProposeAnswer = { Lines: lines.map((line): PaymentLine => ({
    InvoiceID: line.invoiceId, Paid: line.paid, Credits: line.credits.map((credit) => ({ Source: credit.source, SourceID: credit.sourceId, Amount: credit.amount })), Deductions: [],
  })), Unapplied: unapplied }
  return { ...answer }
}

const keys = new Set(['CustomerID', 'Amount', 'PaymentID', 'PaymentDate', 'InvoiceIDs', 'UseCreditNotes', 'UseDeposits', 'Rule'])

/** Refuses keys nobody asked for and values of another kind; whom and how much is asked by the command itself. */
function checkBody(body: Row): void {
  const errors: FieldProblem[] = Object.keys(body).filter((key) => !keys.has(key)).map((key) => ({ field: key.slice(0, 80), code: 'UNKNOWN_FIELD', text: 'Not expected here.' }))
  for (const key of ['UseCreditNotes', 'UseDeposits']) if (body[key] != null && typeof body[key] !== 'boolean') errors.push({ field: key, code: 'WRONG_TYPE', text: 'Yes or no is expected.' })
  const only = body['InvoiceIDs']
  if (only != null && !(Array.isArray(only) && only.length <= 2_000 && only.every(isId))) errors.push({ field: 'InvoiceIDs', code: 'WRONG_TYPE', text: 'A list of invoices is expected.' })
  if (errors.length > 0) invalid(errors)
}

async function openInvoices(context: CommandContext, customerId: number, body: Row): Promise<OpenInvoice[]> {
  const only = Array.isArray(body['InvoiceIDs']) ? body['InvoiceIDs'].filter(isId) : null
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'i')
  const rows = await context.tx.rows<Row & { id: number; doc_date: string; due_date: string; remaining: string }>(sql`
    select i.id, i.doc_date, i.due_date, i.remaining from invoice i
    where i.customer_id = ${customerId} and i.status in (1, 2) and i.pending_transition is null and (${only}::bigint[] is null or i.id = any(${only}::bigint[])) and ${scope ?? sql`true`}
    order by i.due_date, i.id limit 2000`)
  return rows.map((row) => ({ id: row.id, docDate: row.doc_date, dueDate: row.due_date, remaining: row.remaining }))
}

async function openCredits(context: CommandContext, customerId: number, body: Row): Promise<OpenCredit[]> {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 't')
  const rows = await context.tx.rows<Row & { source: 'CREDIT_NOTE' | 'DEPOSIT'; id: number; doc_date: string; remaining: string }>(sql`
    select 'CREDIT_NOTE' as source, t.id, t.doc_date, t.remaining from credit_note t
    where t.customer_id = ${customerId} and t.status in (1, 2) and t.pending_transition is null and ${body['UseCreditNotes'] !== false} and ${scope ?? sql`true`}
    union all
    select 'DEPOSIT', t.id, t.doc_date, t.remaining from customer_deposit t
    where t.customer_id = ${customerId} and t.status in (1, 2) and t.pending_transition is null and ${body['UseDeposits'] === true} and ${scope ?? sql`true`}`)
  return rows.map((row) => ({ source: row.source, id: row.id, docDate: row.doc_date, remaining: row.remaining }))
}
