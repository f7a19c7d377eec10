import { addDays, dayText, endOfMonth, isDate, type DateText } from '#base/date.ts'
import { exact, money, sum, zero, type Decimal } from '#base/decimal.ts'
import { baseOf } from '#domain/ledger/inBooks.ts'
import { metadata } from '#generated/metadata.ts'
import type { CommandContext, Effect, Queries, Row, TransitionContext } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { mustRate } from '#server/setup/exchangeRates.ts'
import { bookedIn } from '#server/workflow/bookedIn.ts'
import { bookLater } from '#server/workflow/bookDocument.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'
import { dayIsFixed } from '#server/workflow/periods.ts'
import { foreignItems, type ForeignItem } from './foreignItems.ts'
import { reverse } from './post.ts'

const itemColumns = ['kind', 'invoice_id', 'credit_note_id', 'vendor_invoice_id', 'customer_id', 'vendor_id', 'item_currency', 'remaining', 'base_remaining'] as const
const lineColumns = [...itemColumns, 'day_rate', 'worth', 'gain', 'loss']

/** What is owed in other currencies at the end of a month: found and valued by the server. */
export const revaluationHooks: DocumentHooks = {
  computed: ['reverses_on', 'gain', 'loss', 'net', ...lineColumns.map((column) => `lines.${column}`)],
  async beforeSave({ context: { tx }, before, header, problem }) {
    const row: Row = { ...before, ...header }
    const day = row['doc_date']
    if (!isDate(day) || typeof row['operating_unit_id'] !== 'number') return
    if (day !== endOfMonth(day)) return problem(wrong('DocDate', 'NOT_A_CHOICE.month-end', { day: dayText(endOfMonth(day)) }))
    header['reverses_on'] = addDays(day, 1)
    const twin = await twinOf(tx, numberOf(row, 'operating_unit_id'), day, before?.id ?? 0)
    if (twin !== undefined) problem(wrong('DocDate', 'DUPLICATE.revaluation', { document: twin }))
  },
  async afterSave({ context, before, header }, { id }) {
    const row: Row = { ...before, ...header }
    const totals = await writeLines(context.tx, id, numberOf(row, 'operating_unit_id'), textOf(row, 'doc_date'))
    await context.tx.run(sql`update fx_revaluation set gain = ${totals.gain}, loss = ${totals.loss}, net = ${totals.net} where id = ${id}`)
  },
}

/** Number of a revaluation of the unit that holds on that day. */
async function twinOf(tx: Queries, unit: number, day: DateText, id: number): Promise<string | undefined> {
  return (await tx.first<{ code: string }>(sql`select code from fx_revaluation where operating_unit_id = ${unit} and doc_date = ${day}::date and status in (1, 3) and id <> ${id}`))?.code
}

interface Totals {
  readonly gain: Decimal
  readonly loss: Decimal
  readonly net: Decimal
}

async function writeLines(tx: Queries, id: number, unit: number, day: DateText): Promise<Totals> {
  const items = await tx.rows<ForeignItem>(foreignItems(day, unit))
  if (items.length === 0) invalid([wrong('DocDate', 'REQUIRED.foreign-items', { day: dayText(day) })])
  const rates = new Map<string, Decimal>()
  for (const currency of new Set(items.map((item) => item.item_currency))) rates.set(currency, await mustRate(tx, unit, currency, day, 'DocDate'))
  const lines = items.map((item) => valued(item, rates.get(item.item_currency) ?? '1'))
  await tx.run(sql`delete from fx_revaluation_line where fx_revaluation_id = ${id}`)
  await insertRows(tx, 'fx_revaluation_line', lines.map((line, at) => ({ fx_revaluation_id: id, line_no: at + 1, ...line })))
  const [gain, loss] = [sum(lines.map((line) => line.gain)), sum(lines.map((line) => line.loss))]
  return { gain: money(gain), loss: money(loss), net: money(gain.minus(loss)) }
}

interface Valued extends Row {
  readonly gain: Decimal
  readonly loss: Decimal
}

function valued(item: ForeignItem, rate: Decimal): Valued {
  const worth = baseOf(item.remaining, rate)
  const more = exact(worth).minus(item.base_remaining)
  const gained = item.kind === 'AR' ? more : zero.minus(more)
  const named = Object.fromEntries(itemColumns.map((column) => [column, item[column]]))
  return { ...named, day_rate: rate, worth, gain: gained.gt(0) ? money(gained) : '0.00', loss: gained.lt(0) ? money(gained.abs()) : '0.00' }
}

/** Finds and values them once more: between entering and posting some may have been paid, or another rate been kept. A unit is revalued once a day. */
export const revalue: Effect = async (context) => {
  const { tx, current } = context
  const [unit, day] = [numberOf(current, 'operating_unit_id'), textOf(current, 'doc_date')]
  await tx.run(sql`select 1 from operating_unit where id = ${unit} for no key update`)
  const twin = await twinOf(tx, unit, day, current.id)
  if (twin !== undefined) invalid([wrong('DocDate', 'DUPLICATE.revaluation', { document: twin })])
  context.set({ ...(await writeLines(tx, current.id, unit, day)) })
}

/** It holds for the last day of the month alone. Where that is over already, the day after has its mirror at once. */
export const turnBackWhenDue: Effect = async (context) => {
  if (context.today < textOf(context.current, 'reverses_on')) return
  await bookLater(context, (metadata.workflows['fx_revaluation']?.books?.events ?? []).filter(({ at }) => at?.includes('turn-back') === true))
  context.endIn(3)
}

/** Both journals are mirrored on their own days: the month is to be valued anew as if it had never been. */
export const undoRevaluation: Effect = async (context) => {
  await undoOn(context, 'FX_REVAL', 'doc_date')
  if (numberOf(context.current, 'status') === 3) await undoOn(context, 'FX_REVAL_BACK', 'reverses_on')
}

async function undoOn(context: TransitionContext & CommandContext, event: 'FX_REVAL' | 'FX_REVAL_BACK', field: 'doc_date' | 'reverses_on'): Promise<void> {
  const { current } = context
  const date = textOf(current, field)
  const source = { type: 'fx_revaluation', id: current.id, code: textOf(current, 'code') }
  await dayIsFixed(context.assertPeriodOpen(bookedIn(metadata, 'fx_revaluation'), numberOf(current, 'operating_unit_id'), date))
  await reverse(context, { source, event }, { source, date, description: `Reversal of fx revaluation ${source.code}` })
}
