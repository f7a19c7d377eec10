import { addDays, periodOf, type DateText } from '#base/date.ts'
import { exact, type Exact } from '#base/decimal.ts'
import type { Row } from '#server/context.ts'
import type { Change } from '#server/documents/audit.ts'
import type { Book } from './book.ts'
import { isWorkday, type Unit } from './company.ts'
import type { Buyer } from './customers.ts'
import type { Dice } from './dice.ts'
import type { Goods } from './goods.ts'
import type { Ledger } from './ledger.ts'
import type { Numbers } from './numbers.ts'
import type { Pricer } from './pricing.ts'
import type { Stock } from './stock.ts'

/** Everything the daily trade works on. */
export interface Trade {
  readonly book: Book
  readonly chance: Dice
  readonly numbers: Numbers
  readonly ledger: Ledger
  readonly stock: Stock
  readonly pricer: Pricer
  readonly units: readonly Unit[]
  readonly buyers: readonly Buyer[]
  readonly goods: readonly Goods[]
  /** An item as often as it is bought. */
  readonly drawGoods: () => Goods
  readonly reasons: ReadonlyMap<string, number>
  readonly accounts: ReadonlyMap<string, number>
  /** Type of claims without papers. */
  readonly claimType: number
  readonly today: DateText
  /** The last day anybody worked: today, unless that is a Sunday or a holiday. */
  readonly lastDay: DateText
  /** ISO time nothing happens after. */
  readonly now: string
}

/** ISO time of an hour of the business day (Jakarta is seven hours ahead), never after now. */
export function moment(trade: Trade, day: DateText, hour: number, minute = 0): string {
  const at = `${day}T${String(hour - 7).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00.000Z`
  return at > trade.now ? trade.now : at
}

export function nextWorkday(day: DateText, after = 1): DateText {
  let found = addDays(day, after)
  while (!isWorkday(found)) found = addDays(found, 1)
  return found
}

export function lastWorkday(today: DateText): DateText {
  let found = today
  while (!isWorkday(found)) found = addDays(found, -1)
  return found
}

/** Header columns every document has. Later changes go through `advance`. */
export type Header = Row & {
  code: string | null
  status: number
  posting_date: DateText | null
  reason_id: number | null
  version: number
}

export interface Birth {
  readonly unit: Unit
  readonly territoryId: number | null
  readonly day: DateText
  readonly by: number
  readonly at: string
  readonly source?: string
}

/** A document as its maker leaves it: status 0, no number, no postings. */
export function header(birth: Birth): Header {
  return {
    code: null, status: 0, operating_unit_id: birth.unit.id, territory_id: birth.territoryId, doc_date: birth.day, posting_date: null, period: null, currency: 'IDR', rate: '1',
    note: null, reason_id: null, reason_text: null, created_by: birth.by, created_at: birth.at, updated_by: birth.by, updated_at: birth.at, submitted_at: null, submitted_by: null,
    approved_at: null, approved_by: null, cancelled_at: null, cancelled_by: null, version: 1, source: birth.source ?? 'WEB', pending_transition: null,
  }
}

/** Dates a document that posts. */
export function dated(document: Header, day: DateText): void {
  document.posting_date = day
  document['period'] = periodOf(day)
}

/** Moves a document to a status, with stamps and history as the workflow engine leaves them. */
export function advance(trade: Trade, docType: string, document: Header & { id: number }, action: string, to: number, by: number, at: string, note: string | null = null, isUnasked = false, diff: readonly Change[] | null = null): void {
  const from = document.status
  document.status = to
  document.version++
  Object.assign(document, { updated_at: at, updated_by: by })
  if (from === 0 && to !== 0 && to !== 6) Object.assign(document, { submitted_at: at, submitted_by: by })
  if (action === 'approve' || (from === 0 && to === 1)) Object.assign(document, { approved_at: at, approved_by: by })
  if (to === 6 || to === 7) Object.assign(document, { cancelled_at: at, cancelled_by: by })
  log(trade, docType, document.id, isUnasked ? `${action}-unasked` : action, from, to, by, at, note, diff)
}

/** One entry of a document's history. */
export function log(trade: Trade, docType: string, docId: number, action: string, from: number | null, to: number | null, by: number, at: string, note: string | null = null, diff: readonly Change[] | null = null): void {
  trade.book.add('document_log', { doc_type: docType, doc_id: docId, at, actor_id: by, action, from_status: from, from_state: null, to_status: to, to_state: null, note, diff, request_id: null })
}

export function least(a: Exact, b: Exact): Exact {
  return a.lt(b) ? a : b
}

export const nothing: Exact = exact(0)
