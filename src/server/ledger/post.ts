import type { DateText } from '#base/date.ts'
import { periodOf } from '#base/date.ts'
import { balancedTotal, entriesOf, mirror, type Entry, type EventAmount, type RuleLine } from '#domain/ledger/entries.ts'
import { inBooks, type ExchangeAccounts, type ForeignMoney } from '#domain/ledger/inBooks.ts'
import { metadata } from '#generated/metadata.ts'
import type { PostingEvent } from '#generated/names.ts'
import type { CommandContext, Queries, Row } from '#server/context.ts'
import { insertRowsLater, reserveIds } from '#server/db/insertRows.ts'
import { insertPending } from '#server/db/pendingRows.ts'
import { Remembered, RememberedTable } from '#server/db/remembered.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { counterOf } from '#server/workflow/numbering.ts'

/** The document an event belongs to. */
export interface PostingSource {
  readonly type: string
  readonly id: number
  readonly code: string
}

export interface PostingRequest {
  readonly event: PostingEvent
  readonly source: PostingSource
  readonly operatingUnitId: number
  readonly date: DateText
  readonly description: string
  readonly amounts: readonly EventAmount[]
  /** Currency and rate of the amounts, where they are not in that of the books. */
  readonly money?: ForeignMoney | undefined
  /** The document was made by this very command: nothing can have been booked for it yet. */
  readonly isNew?: boolean
}

/**
 * Books an event by its posting rule and answers the journal's id. Booking the same event of the same document again changes nothing and
 * answers the first journal; an event without amounts books nothing and answers null. Draws the journal number, so call it after every other
 * number of the command is drawn: series are always locked in that order.
 */
export async function post(context: CommandContext, request: PostingRequest): Promise<number | null> {
  const [id = null] = await postAll(context, [request])
  return id
}

/** As `post` for several events at once, in their order. */
export async function postAll(context: CommandContext, requests: readonly PostingRequest[]): Promise<(number | null)[]> {
  const known = await Promise.all(requests.map(async (request) => (request.isNew === true ? undefined : journalOf(context.tx, request.source, request.event))))
  const bookings = await Promise.all(requests.map(async (request, at) => {
    if (known[at] !== undefined) return null
    const rule = await ruleOf(context.tx.ahead, request.event)
    const own = entriesOf(rule.lines, request.amounts)
    const entries = request.money === undefined ? own : inBooks(own, request.money, await exchangeAccounts(context.tx.ahead))
    return entries.length === 0 || movesNothing(entries) ? null : { ...request, event: request.event, journalType: rule.journalType, reversalOf: null, entries }
  }))
  const ids = await book(context, bookings.filter((booking) => booking !== null))
  return bookings.map((booking, at) => (booking === null ? (known[at]?.id ?? null) : (ids.shift() ?? null)))
}

/** The accounts of gains and losses between two rates, as finance keeps their rules. */
export async function exchangeAccounts(tx: Queries): Promise<ExchangeAccounts> {
  const [gain, loss] = await Promise.all([ruleOf(tx, 'FX_GAIN'), ruleOf(tx, 'FX_LOSS')])
  return { gain: gain.lines[0]?.account ?? '', loss: loss.lines[0]?.account ?? '' }
}

/** Goods become other goods of the same account: debit and credit meet there. */
function movesNothing(entries: readonly Entry[]): boolean {
  const [first] = entries
  return entries.every(({ account, partnerId, openItemId }) => account === first?.account && partnerId === undefined && openItemId === undefined) && balancedTotal(entries) !== null
}

/** Books the mirror of an event on another day, under the same name with `_REV`; null when the event was never booked. */
export async function reverse(
  context: CommandContext,
  original: { readonly source: PostingSource; readonly event: PostingEvent },
  reversal: { readonly source: PostingSource; readonly date: DateText; readonly description: string },
): Promise<number | null> {
  const journal = await journalOf(context.tx, original.source, original.event)
  if (journal === undefined) return null
  if (journal.reversed_by_id !== null) return journal.reversed_by_id
  const entries = await entriesOfJournal(context.tx, journal.id)
  const [id = 0] = await book(context, [
    {
      event: `${original.event}_REV`,
      source: reversal.source,
      operatingUnitId: journal.operating_unit_id,
      date: reversal.date,
      description: reversal.description,
      journalType: journal.journal_type,
      reversalOf: journal.id,
      entries: mirror(entries),
    },
  ])
  context.tx.later(sql`update journal set reversed_by_id = ${id}, status = 'REVERSED' where id = ${journal.id}`)
  return id
}

interface Booking {
  readonly event: string
  readonly source: PostingSource
  readonly operatingUnitId: number
  readonly date: DateText
  readonly description: string
  readonly journalType: string
  readonly reversalOf: number | null
  readonly entries: readonly Entry[]
}

async function book(context: CommandContext, bookings: readonly Booking[]): Promise<number[]> {
  if (bookings.length === 0) return []
  const totals = bookings.map(({ event, source, entries }) => balancedTotal(entries) ?? fail('UNBALANCED.journal', { event, document: source.code }, { data: { entries } }))
  const { tx } = context
  const draws = await Promise.all(bookings.map((booking) => counterOf(tx, 'JV', booking.operatingUnitId, booking.date)))
  const [known, ids, codes, currencies] = await Promise.all([
    accounts.all(tx.ahead, bookings.flatMap(({ entries }) => entries.map((entry) => entry.account))),
    reserveIds(tx.ahead, 'journal', bookings.length),
    Promise.all(draws.map((draw) => draw())),
    Promise.all(bookings.map((booking) => homeCurrency(tx.ahead, booking.operatingUnitId))),
    ...bookings.map((booking) => context.assertPeriodOpen(['GL'], booking.operatingUnitId, booking.date)),
  ])
  await insertPending(tx, 'journal', bookings.map((booking, at) => ({
    id: ids[at] ?? 0,
    code: codes[at],
    journal_type: booking.journalType,
    posting_date: booking.date,
    period: periodOf(booking.date),
    operating_unit_id: booking.operatingUnitId,
    source_doc_type: booking.source.type,
    source_doc_id: booking.source.id,
    source_doc_code: booking.source.code,
    source_event: booking.event,
    description: booking.description,
    total_debit: totals[at],
    total_credit: totals[at],
    reversal_of_id: booking.reversalOf,
    created_by: context.user.id,
    created_at: context.now.toISOString(),
    currency: currencies[at],
    rate: '1',
    status: 'POSTED',
  })))
  await insertRowsLater(tx, 'journal_line', bookings.flatMap(({ entries }, n) => entries.map((entry, at) => journalLine(ids[n] ?? 0, at + 1, entry, known))))
  return ids
}

interface AccountRow extends Row {
  readonly id: number
  readonly code: string
  readonly is_control: boolean
  readonly is_postable: boolean
  readonly control_kind: string | null
}

/** One line of a journal as stored. */
export function journalLine(journalId: number, lineNo: number, entry: Entry, accounts: ReadonlyMap<string, AccountRow>): Row {
  const account = accounts.get(entry.account)
  if (account === undefined || !account.is_postable) throw new Error(`Account ${entry.account} takes no postings`)
  return {
    journal_id: journalId,
    line_no: lineNo,
    account_id: account.id,
    debit: entry.debit,
    credit: entry.credit,
    partner_kind: entry.partnerKind ?? null,
    partner_id: entry.partnerId ?? null,
    item_id: entry.itemId ?? null,
    open_item_type: entry.openItemType ?? null,
    open_item_id: entry.openItemId ?? null,
    due_date: entry.dueDate ?? null,
    tax_code_id: entry.taxCodeId ?? null,
    territory_id: entry.territoryId ?? null,
    memo: entry.memo ?? null,
    fx_currency: entry.fx?.currency ?? null,
    fx_amount: entry.fx?.amount ?? null,
  }
}

const accounts = new Remembered<string, AccountRow>('setup', async (tx, codes) => {
  const rows = await tx.rows<AccountRow>(sql`select id, code, is_control, is_postable, control_kind from account where code = any(${[...codes]}::text[])`)
  return new Map(rows.map((row) => [row.code, row]))
})

interface RuleRow extends Row {
  readonly event: string
  readonly line_no: number
  readonly side: 'D' | 'C'
  readonly amount_key: string
  readonly account: string
}

const rules = new RememberedTable('setup', (tx) => tx.rows<RuleRow>(sql`
  select distinct on (r.event, r.line_no) r.event, r.line_no, r.side, r.amount_key, coalesce(a.code, r.account_selector) as account
  from posting_rule r left join account a on a.id = r.account_id where r.is_active
  order by r.event, r.line_no, r.priority desc, r.id`))

const accountCodes = new RememberedTable('setup', async (tx) => new Map((await tx.rows<{ id: number; code: string }>(sql`select id, code from account`)).map((row) => [row.id, row.code])))

/** Code of an account. */
export async function accountCode(tx: Queries, id: number): Promise<string> {
  return (await accountCodes.get(tx)).get(id) ?? ''
}

const stockAccounts = new RememberedTable('setup', async (tx) => new Map((await tx.rows<{ code: string; kind: string }>(sql`select code, control_kind as kind from account where control_kind like 'STOCK:%'`)).map((row) => [row.kind, row.code])))

/** Account that carries the value of goods of a stock class. */
export async function stockAccount(tx: Queries, stockClass: string): Promise<string> {
  const code = (await stockAccounts.get(tx)).get(`STOCK:${stockClass}`)
  if (code === undefined) throw new Error(`No account carries stock of class ${stockClass}`)
  return code
}

/** The rule as finance keeps it: an account named on the row wins over the selector, of several rows of a line the highest priority. */
async function ruleOf(tx: Queries, event: string): Promise<{ readonly lines: RuleLine[]; readonly journalType: string }> {
  const rows = (await rules.get(tx)).filter((row) => row.event === event)
  if (rows.length === 0) throw new Error(`No posting rule for ${event}`)
  return {
    lines: rows.map((row) => ({ line: row.line_no, side: row.side, amount: row.amount_key, account: row.account })),
    journalType: metadata.postings[event]?.journalType ?? 'MJ',
  }
}

interface JournalRow extends Row {
  readonly id: number
  readonly operating_unit_id: number
  readonly journal_type: string
  readonly reversed_by_id: number | null
}

function journalOf(tx: Queries, source: PostingSource, event: string): Promise<JournalRow | undefined> {
  return tx.first<JournalRow>(sql`
    select id, operating_unit_id, journal_type, reversed_by_id from journal
    where source_doc_type = ${source.type} and source_doc_id = ${source.id} and source_event = ${event}`)
}

interface LineRow extends Row {
  readonly account: string
  readonly debit: string
  readonly credit: string
  readonly partner_kind: 'CUSTOMER' | 'VENDOR' | 'EMPLOYEE' | null
  readonly partner_id: number | null
  readonly item_id: number | null
  readonly open_item_type: string | null
  readonly open_item_id: number | null
  readonly due_date: string | null
  readonly tax_code_id: number | null
  readonly territory_id: number | null
  readonly memo: string | null
  readonly fx_currency: string | null
  readonly fx_amount: string | null
}

async function entriesOfJournal(tx: Queries, journalId: number): Promise<Entry[]> {
  const rows = await tx.rows<LineRow>(sql`
    select a.code as account, l.debit, l.credit, l.partner_kind, l.partner_id, l.item_id, l.open_item_type, l.open_item_id, l.due_date, l.tax_code_id, l.territory_id, l.memo, l.fx_currency, l.fx_amount
    from journal_line l join account a on a.id = l.account_id where l.journal_id = ${journalId} order by l.line_no`)
  return rows.map((row) => ({
    account: row.account,
    debit: row.debit,
    credit: row.credit,
    territoryId: row.territory_id,
    ...(row.partner_kind === null ? {} : { partnerKind: row.partner_kind }),
    ...(row.partner_id === null ? {} : { partnerId: row.partner_id }),
    ...(row.item_id === null ? {} : { itemId: row.item_id }),
    ...(row.open_item_type === null ? {} : { openItemType: row.open_item_type }),
    ...(row.open_item_id === null ? {} : { openItemId: row.open_item_id }),
    ...(row.due_date === null ? {} : { dueDate: row.due_date }),
    ...(row.tax_code_id === null ? {} : { taxCodeId: row.tax_code_id }),
    ...(row.memo === null ? {} : { memo: row.memo }),
    ...(row.fx_currency === null || row.fx_amount === null ? {} : { fx: { currency: row.fx_currency, amount: row.fx_amount } }),
  }))
}
