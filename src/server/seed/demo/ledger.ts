import { periodOf, type DateText } from '#base/date.ts'
import { balancedTotal, entriesOf, mirror, type Entry, type EventAmount } from '#domain/ledger/entries.ts'
import { metadata } from '#generated/metadata.ts'
import { must } from '../insertMissing.ts'
import type { Book } from './book.ts'
import type { Unit } from './company.ts'
import type { Numbers } from './numbers.ts'

/** The document a journal is booked for. */
export interface Source {
  readonly type: string
  readonly id: number
  readonly code: string
}

export interface Booking {
  readonly event: string
  readonly source: Source
  readonly unit: Unit
  readonly date: DateText
  readonly description: string
  readonly by: number
  readonly at: string
}

/** Books events by the posting rules of the schemas into the book. */
export class Ledger {
  readonly #book: Book
  readonly #numbers: Numbers
  readonly #accounts: ReadonlyMap<string, number>
  readonly #journals = new Map<string, { readonly id: number; readonly entries: readonly Entry[]; readonly row: { reversed_by_id: number | null; status: string }; readonly type: string }>()

  constructor(book: Book, numbers: Numbers, accounts: ReadonlyMap<string, number>) {
    this.#book = book
    this.#numbers = numbers
    this.#accounts = accounts
  }

  /** Answers the journal's id; null when all amounts are zero. */
  post(booking: Booking, amounts: readonly EventAmount[]): number | null {
    const rule = metadata.postings[booking.event]
    if (rule === undefined) throw new Error(`No posting rule for ${booking.event}`)
    const entries = entriesOf(rule.lines, amounts)
    return entries.length === 0 ? null : this.#write(booking, booking.event, rule.journalType, entries, null)
  }

  /** Books entries no rule describes: the owners' capital behind the opening balances. */
  enter(booking: Booking, journalType: string, entries: readonly Entry[]): number {
    return this.#write(booking, booking.event, journalType, entries, null)
  }

  /** The mirror of an event, under the same name with `_REV`. */
  reverse(booking: Booking, original: Source): number | null {
    const journal = this.#journals.get(keyOf(original, booking.event))
    if (journal === undefined) return null
    const id = this.#write(booking, `${booking.event}_REV`, journal.type, mirror(journal.entries), journal.id)
    journal.row.reversed_by_id = id
    journal.row.status = 'REVERSED'
    return id
  }

  #write(booking: Booking, event: string, journalType: string, entries: readonly Entry[], reversalOf: number | null): number {
    const total = balancedTotal(entries)
    if (total === null) throw new Error(`Journal ${event} of ${booking.source.code} does not balance`)
    const row = this.#book.add('journal', {
      code: this.#numbers.next('JV', booking.unit, booking.date), journal_type: journalType, posting_date: booking.date, period: periodOf(booking.date), operating_unit_id: booking.unit.id,
      source_doc_type: booking.source.type, source_doc_id: booking.source.id, source_doc_code: booking.source.code, source_event: event, description: booking.description,
      currency: 'IDR', rate: '1', total_debit: total, total_credit: total, reversal_of_id: reversalOf, reversed_by_id: null as number | null, status: 'POSTED',
      created_by: booking.by, created_at: booking.at,
    })
    for (const [at, entry] of entries.entries())
      this.#book.add('journal_line', {
        journal_id: row.id, line_no: at + 1, account_id: must(this.#accounts, entry.account), debit: entry.debit, credit: entry.credit, partner_kind: entry.partnerKind ?? null,
        partner_id: entry.partnerId ?? null, item_id: entry.itemId ?? null, open_item_type: entry.openItemType ?? null, open_item_id: entry.openItemId ?? null,
        due_date: entry.dueDate ?? null, tax_code_id: entry.taxCodeId ?? null, territory_id: entry.territoryId ?? null, memo: entry.memo ?? null,
      })
    // Only what may still be undone needs its entries again.
    if (reversible.has(event)) this.#journals.set(keyOf(booking.source, event), { id: row.id, entries, row, type: journalType })
    return row.id
  }
}

const reversible = new Set(['INV', 'COGS', 'FREE_VAT', 'RCPT_TRANSFER', 'RCPT_CASH'])

function keyOf(source: Source, event: string): string {
  return `${source.type} ${source.id} ${event}`
}
