import type { FieldProblem } from '#api/problems.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Effect, Precondition, Queries, Row } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { eachRow } from '#server/workflow/eachRow.ts'
import { numberOf } from '#server/workflow/newDocument.ts'
import { lockInvoices } from './allocations.ts'
import { handOverOfList } from './handover.ts'

/** An invoice is with one collector at a time: open, once on the list and on no other that is out. */
export const invoicesUncollected: Precondition = async (context) => {
  const lines = (await linesOf(context)).map(({ row }) => numberOf(row, 'invoice_id'))
  const invoices = new Map((await lockInvoices(context.tx, lines)).map((invoice) => [invoice.id, invoice]))
  const elsewhere = await context.tx.rows<Row & { invoice_id: number; code: string }>(sql`
    select l.invoice_id, x.code from collection_list_line l join collection_list x on x.id = l.collection_list_id
    where l.invoice_id = any(${lines}::bigint[]) and x.id <> ${context.record.id} and x.status in (1, 8)`)
  const on = new Map(elsewhere.map((row) => [row.invoice_id, row.code]))
  refuse(lines.flatMap((id, i): readonly FieldProblem[] => {
    const at = `Lines[${i}].InvoiceID`
    const invoice = invoices.get(id)
    const exchange = on.get(id)
    if (invoice === undefined || ![1, 2].includes(invoice.status)) return [wrong(at, 'NOT_IN_SCOPE.invoice')]
    if (lines.indexOf(id) < i) return [wrong(at, 'DUPLICATE.line')]
    return exchange === undefined ? [] : [wrong(at, 'DUPLICATE.exchange', { exchange })]
  }))
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) invalid([...problems])
}

interface Visited extends Row {
  readonly result: string | null
  readonly ar_payment_id: number | null
  readonly documents_out: boolean
  readonly documents_back: boolean
}

/** Every line says what became of it; papers that went out are with the buyer or back. */
export const collectionIsDone: Precondition = async ({ tx, record }) => {
  await lockInvoices(tx, (await tx.rows<{ id: number }>(sql`select invoice_id as id from collection_list_line where collection_list_id = ${record.id}`)).map(({ id }) => id))
  const lines = await tx.rows<Visited>(sql`select result, ar_payment_id, documents_out, documents_back from collection_list_row where collection_list_id = ${record.id} order by line_no, id`)
  refuse(lines.flatMap((line, i): readonly FieldProblem[] => {
    if (line.result === null) return [wrong(`Lines[${i}].Result`, 'REQUIRED.result')]
    if (['PAID', 'PARTIAL'].includes(line.result) && line.ar_payment_id === null) return [wrong(`Lines[${i}].ArPaymentID`, 'REQUIRED.payment')]
    const staysAway = ['PAID', 'PAID_OTHER', 'TTF'].includes(line.result)
    return line.documents_out && !line.documents_back && !staysAway ? [wrong(`Lines[${i}].DocumentsBack`, 'REQUIRED.papers')] : []
  }))
}

/** Invoices settled by somebody else meanwhile keep that as their result; the cash goes to the cashier. */
export const closeCollection: Effect = async (context) => {
  const { tx, record } = context
  await tx.run(sql`update collection_list_line l set result = r.result from collection_list_row r where r.id = l.id and l.collection_list_id = ${record.id} and l.result is null`)
  await handOverOfList(context)
}

export const collectionResult: Command = (context, { ids, params }) => {
  const result = String(params['Result'])
  const promised = result === 'PROMISE' ? (params['PromiseDate'] ?? null) : null
  if (result === 'PROMISE' && promised === null) invalid([wrong('PromiseDate', 'REQUIRED')])
  if (typeof promised === 'string' && promised < context.today) invalid([wrong('PromiseDate', 'TOO_EARLY.promise')])
  return onLine(context, ids, sql`result = ${result}, promise_date = ${promised}::date`, 'done.collection-result', true)
}

export const collectionPapersBack: Command = (context, { ids }) => onLine(context, ids, sql`documents_back = documents_out`, 'done.collection-papers-back', false)

async function onLine(context: CommandContext, ids: readonly number[], change: Sql, told: 'done.collection-result' | 'done.collection-papers-back', isResult: boolean): Promise<Row> {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'r') ?? sql`true`
  return eachRow(context, ids, async (own, id) => {
    const { tx, now, user } = own
    const line = await tx.first<{ list: number; status: number; code: string; invoice: string; ar_payment_id: number | null }>(sql`
      select x.id as list, x.status, x.code, r.code as invoice, r.ar_payment_id from collection_list_row r join collection_list x on x.id = r.collection_list_id where r.id = ${id} and ${scope} for update of x`)
    if (line === undefined) return fail('NOT_IN_SCOPE')
    if (line.status !== 8) return fail('ILLEGAL_TRANSITION.collection-not-out', { list: line.code })
    if (isResult && line.ar_payment_id !== null) return fail('ILLEGAL_TRANSITION.collection-paid', { invoice: line.invoice })
    await tx.run(sql`update collection_list_line set ${change} where id = ${id}`)
    await tx.run(sql`update collection_list set version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${line.list}`)
    return tell(told, { invoice: line.invoice })
  })
}

/** What a collector brings is the result of the lines it pays. */
export async function noteCollected(tx: Queries, payment: number, invoices: readonly number[]): Promise<void> {
  await tx.run(sql`
    update collection_list_line l set result = case when i.remaining = 0 then 'PAID' else 'PARTIAL' end, ar_payment_id = ${payment}, promise_date = null
    from collection_list x, invoice i where x.id = l.collection_list_id and x.status = 8 and i.id = l.invoice_id and l.invoice_id = any(${invoices}::bigint[])`)
  await tx.run(sql`
    update ar_payment set collection_list_id = (
      select min(x.id) from collection_list x join collection_list_line l on l.collection_list_id = x.id where x.status = 8 and l.invoice_id = any(${invoices}::bigint[])) where id = ${payment}`)
}

/** Taken back, the line is open again as long as the list is out. */
export async function forgetCollected(tx: Queries, payment: number): Promise<void> {
  await tx.run(sql`
    update collection_list_line l set result = null, ar_payment_id = null from collection_list x where x.id = l.collection_list_id and x.status = 8 and l.ar_payment_id = ${payment}`)
}
