import type { DateText } from '#base/date.ts'
import type { FieldProblem } from '#api/problems.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Effect, Precondition, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { eachRow } from '#server/workflow/eachRow.ts'
import { logStatusChanges, numberOf, textOf } from '#server/workflow/newDocument.ts'
import { lockInvoices } from './allocations.ts'

/** An invoice is with one person at a time: open, once on the list and on no other that is out. */
export const invoicesAreFree: Precondition = async (context) => {
  const lines = (await linesOf(context)).map(({ row }) => numberOf(row, 'invoice_id'))
  const invoices = new Map((await lockInvoices(context.tx, lines)).map((invoice) => [invoice.id, invoice]))
  const elsewhere = await context.tx.rows<Row & { invoice_id: number; code: string }>(sql`
    select l.invoice_id, x.code from invoice_exchange_line l join invoice_exchange x on x.id = l.invoice_exchange_id
    where l.invoice_id = any(${lines}::bigint[]) and x.id <> ${context.record.id} and x.status in (1, 2) and l.result <> 'RETURNED'`)
  const on = new Map(elsewhere.map((row) => [row.invoice_id, row.code]))
  refuseLines(lines.flatMap((id, i): readonly FieldProblem[] => {
    const at = `Lines[${i}].InvoiceID`
    const invoice = invoices.get(id)
    const exchange = on.get(id)
    if (invoice === undefined || ![1, 2].includes(invoice.status)) return [wrong(at, 'NOT_IN_SCOPE.invoice')]
    if (lines.indexOf(id) < i) return [wrong(at, 'DUPLICATE.line')]
    return exchange === undefined ? [] : [wrong(at, 'DUPLICATE.exchange', { exchange })]
  }))
}

function refuseLines(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) invalid([...problems])
}

export const exchangeReceived: Command = (context, { ids }) => answer(context, ids, 'RECEIVED')
export const exchangeReturned: Command = (context, { ids }) => answer(context, ids, 'RETURNED')

/** What became of the papers of an invoice; a list of which nothing is out any more is closed. */
async function answer(context: CommandContext, ids: readonly number[], result: 'RECEIVED' | 'RETURNED'): Promise<Row> {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'x') ?? sql`true`
  return eachRow(context, ids, async (own, id) => {
    const { tx, now, user } = own
    const line = await tx.first<{ id: number; status: number; code: string; invoice: string }>(sql`
      select x.id, x.status, x.code, i.code as invoice from invoice_exchange_line l join invoice_exchange x on x.id = l.invoice_exchange_id join invoice i on i.id = l.invoice_id where l.id = ${id} and ${scope} for update of x`)
    if (line === undefined) return fail('NOT_IN_SCOPE')
    if (line.status !== 1 && line.status !== 2) return fail('ILLEGAL_TRANSITION.exchange-closed', { exchange: line.code })
    await tx.run(sql`update invoice_exchange_line set result = ${result} where id = ${id}`)
    const open = await tx.first(sql`select 1 from invoice_exchange_line where invoice_exchange_id = ${line.id} and result = 'OPEN' limit 1`)
    const status = open === undefined ? 3 : 2
    await tx.run(sql`update invoice_exchange set status = ${status}, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${line.id}`)
    await logStatusChanges(own, 'invoice_exchange', 'record', [{ id: line.id, from: line.status, to: status }])
    return tell(result === 'RECEIVED' ? 'done.exchange-received' : 'done.exchange-returned', { invoice: line.invoice })
  })
}

/** A buyer's receipt has its number once, an invoice stands on it once. */
export const ttfIsNew: Precondition = async (context) => {
  const { tx, record } = context
  const customer = numberOf(record, 'customer_id')
  const number = textOf(record, 'ttf_number')
  const twin = await tx.exclusive(`receipts of customer ${customer}`, () => tx.first<{ code: string }>(sql`
    select coalesce(code, 'DRAFT-' || id) as code from customer_invoice_exchange where customer_id = ${customer} and lower(ttf_number) = lower(${number}) and id <> ${record.id} and status in (1, 4) limit 1`))
  if (twin !== undefined) fail('DUPLICATE_DOCUMENT.ttf', { number, document: twin.code }, { errors: [wrong('TtfNumber', 'DUPLICATE')] })
  const lines = (await linesOf(context)).map(({ row }) => numberOf(row, 'invoice_id'))
  refuseLines(lines.flatMap((id, i) => (lines.indexOf(id) < i ? [wrong(`Lines[${i}].InvoiceID`, 'DUPLICATE.line')] : [])))
}

interface Dated extends Row {
  readonly id: number
  readonly before: DateText
  readonly after: DateText
}

/** Accepted invoices are due from the day of the receipt, never earlier than before; papers of refused ones are back with us. */
export const applyExchange: Effect = async (context) => {
  const { tx, current, now, user } = context
  await ttfIsNew(context)
  const lines = (await linesOf(context)).map(({ row }) => ({ invoiceId: numberOf(row, 'invoice_id'), isAccepted: row['accepted'] === true }))
  const accepted = lines.filter(({ isAccepted }) => isAccepted).map(({ invoiceId }) => invoiceId)
  await lockInvoices(tx, accepted)
  const date = textOf(current, 'ttf_date')
  await tx.run(sql`update customer_invoice_exchange_line l set old_ttf_date = i.ttf_date, old_due_date = i.due_date from invoice i where i.id = l.invoice_id and l.accepted and l.customer_invoice_exchange_id = ${current.id}`)
  const changed = await tx.rows<Dated>(sql`
    update invoice i set ttf_date = ${date}::date, baseline_date = case i.baseline when 'TTF' then ${date}::date else i.baseline_date end,
      due_date = case i.baseline when 'TTF' then greatest(i.due_date, ${date}::date + i.net_days) else i.due_date end, version = i.version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id}
    from (select id, due_date from invoice where id = any(${accepted}::bigint[])) b where b.id = i.id and i.ttf_date is null returning i.id, b.due_date as before, i.due_date as after`)
  if (changed.length < accepted.length) fail('ILLEGAL_TRANSITION.ttf-twice')
  await logDates(context, changed)
  const refused = lines.filter(({ isAccepted }) => !isAccepted).map(({ invoiceId }) => invoiceId)
  await tx.run(sql`update invoice_exchange_line l set result = 'RETURNED' from invoice_exchange x where x.id = l.invoice_exchange_id and x.status in (2, 3) and l.result = 'RECEIVED' and l.invoice_id = any(${refused}::bigint[])`)
}

/** The days are again what they were before. */
export const restoreExchange: Effect = async (context) => {
  const { tx, record, now, user } = context
  const lines = await tx.rows<{ id: number }>(sql`select invoice_id as id from customer_invoice_exchange_line where customer_invoice_exchange_id = ${record.id} and accepted`)
  await lockInvoices(tx, lines.map(({ id }) => id))
  const changed = await tx.rows<Dated>(sql`
    update invoice i set ttf_date = l.old_ttf_date, baseline_date = case i.baseline when 'TTF' then coalesce(l.old_ttf_date, i.doc_date) else i.baseline_date end, due_date = l.old_due_date,
      version = i.version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id}
    from customer_invoice_exchange_line l, invoice b where l.customer_invoice_exchange_id = ${record.id} and l.accepted and l.invoice_id = i.id and b.id = i.id returning i.id, b.due_date as before, i.due_date as after`)
  await logDates(context, changed)
}

async function logDates({ tx, now, user }: TransitionContext, changed: readonly Dated[]): Promise<void> {
  for (const { id, before, after } of changed) {
    await writeLog(tx, { docType: 'invoice', docId: id, at: now.toISOString(), actorId: user.id, action: 'edit', diff: [{ field: 'due_date', from: before, to: after }] })
  }
}
