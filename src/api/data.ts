import type { Condition } from '#meta/condition.ts'
import type { Warning, WireRecord } from '#api/envelope.ts'
import type { RecordCounts } from '#api/files.ts'
import type { Choice, FieldType } from '#meta/resolved.ts'
import type { Obstacle, Said } from '#api/problems.ts'

/**
 * Generic document calls, one set for every entity:
 * GET    /api/v1/data/{resource}                  list
 * GET    /api/v1/data/{resource}/groups           groups of the list with count and sums
 * GET    /api/v1/data/{resource}/counts           how many rows each of several filters has
 * POST   /api/v1/data/{resource}/selection        every row of a filter, if their number is the one seen
 * GET    /api/v1/data/{resource}/{id}             read, with lines
 * POST   /api/v1/data/{resource}                  create (Idempotency-Key)
 * PUT    /api/v1/data/{resource}/{id}             save (If-Match: version, Idempotency-Key)
 * DELETE /api/v1/data/{resource}/{id}             delete an unused master or a draft (If-Match)
 * POST   /api/v1/data/{resource}/{id}/{action}    transition (If-Match, Idempotency-Key, Acknowledge)
 * GET    /api/v1/data/{resource}/{id}/history     document_log with field changes
 * GET    /api/v1/data/{resource}/{id}/flow        document flow from order to money
 * GET    /api/v1/data/{resource}/{id}/journal     journals of the document
 * GET    /api/v1/data/{resource}/{id}/around      the records before and after it in a list; query as of the list
 * GET    /api/v1/data/{resource}/{id}/actions     what may be done with it now, and why the rest may not
 * GET    /api/v1/lookup/{entity}                  search for a reference
 * POST   /api/v1/lookup/{entity}/resolve          codes → records, in one call (paste)
 * POST   /api/v1/command/{name}                   named command
 * GET    /api/v1/report/{screen}                  report rows
 * GET    /api/v1/approval/{docType}/{transition}  queue
 * POST   /api/v1/approval/{requestId}/{decision}  approve | reject | return
 */
export interface ListQuery {
  readonly search?: string
  /** Rows a page; 1 to 1000. */
  readonly length?: number
  /** All rows in one answer: refused where they are more than a page holds. */
  readonly isWhole?: boolean
  /** From 1. */
  readonly page?: number
  /** Comma list of column names. */
  readonly order?: string
  /** Comma list of asc/desc, one for each name of `order`. */
  readonly sort?: string
  /** JSON of a Condition over column names. */
  readonly filter?: string
  /** Comma list of column names wanted; id, version, status and Actions always come. Hops (`customer_id.name`) allowed. */
  readonly columns?: string
  /** Comma list of columns to add up over the whole filter. */
  readonly totals?: string
  /** Opaque key of the row to start after, from `next` of the page before: constant cost however deep. */
  readonly after?: string
  /** Saves the count when only rows are wanted. Default true. */
  readonly count?: boolean
}

export interface ListAnswer {
  readonly recordsTotal: number
  readonly rows: readonly WireRecord[]
  /** Sums by column name (decimal text) over the whole filter; no amounts where there are several currencies. */
  readonly totals: Readonly<Record<string, string>>
  /** Where rows are in several currencies: the sums of each. */
  readonly currencies?: readonly CurrencyTotals[]
  readonly next?: string
}

export interface CurrencyTotals {
  readonly currency: string
  readonly count: number
  readonly totals: Readonly<Record<string, string>>
}

/** Filter, search and columns as of the list that is grouped. */
export interface GroupQuery extends Pick<ListQuery, 'search' | 'filter' | 'columns' | 'totals' | 'length' | 'page'> {
  /** Column, or a day with its span: `status`, `customer_id`, `doc_date:month`. */
  readonly by: string
  /** `count`, a column of `totals`, or absent: the value itself. */
  readonly order?: string
  readonly sort?: string
}

export interface GroupAnswer {
  readonly groupsTotal: number
  readonly groups: readonly RowGroup[]
}

export interface RowGroup {
  /** Value all rows of the group have; the first day of a span; null: none. */
  readonly value: unknown
  /** The value under its wire key, with code and name of a reference: what a cell shows it by. */
  readonly record: Readonly<Record<string, unknown>>
  readonly count: number
  readonly totals: Readonly<Record<string, string>>
  readonly currencies?: readonly CurrencyTotals[]
}

/** `counts[n]` belongs to `filters[n]`; one above `limit` means more. */
export interface CountAnswer {
  readonly counts: readonly number[]
  readonly limit: number
}

export interface SelectionBody extends Pick<ListQuery, 'search' | 'columns' | 'order' | 'sort'> {
  readonly filter?: Condition
  /** The number of rows the user saw; SELECTION_CHANGED when it is another now. */
  readonly count: number
}

export interface SelectionAnswer {
  readonly rows: readonly WireRecord[]
}

export interface ReadAnswer {
  readonly record: WireRecord
  /** Of documents and master data. */
  readonly counts?: RecordCounts
}

export interface LookupQuery {
  readonly search?: string
  readonly filter?: string
  readonly length?: number
  readonly columns?: string
  /** Fetch these ids (labels of stored values). */
  readonly ids?: string
}

/** `records[n]`: ID, Code, Name and the columns asked for. */
export interface LookupAnswer {
  readonly records: readonly WireRecord[]
}

export interface ResolveBody {
  readonly codes: readonly string[]
  readonly columns?: readonly string[]
  readonly filter?: Condition
}

/** One entry for each code, in order; null where nothing in scope has that code. */
export interface ResolveAnswer {
  readonly records: readonly (WireRecord | null)[]
}

export interface HistoryEntry {
  readonly ID: number
  readonly At: string
  /** null: the server did it of its own accord. */
  readonly ActorName: string | null
  /** Whom a deputy acted for. */
  readonly OnBehalfOfName: string | null
  readonly Action: string
  readonly FromStatus: number | null
  readonly ToStatus: number | null
  readonly Note: string | null
  readonly Diff: readonly HistoryChange[]
}

/** One value of a record: how it is called, what it is, and what it was. A reference by code and name. */
interface ChangedValue {
  /** Message key. */
  readonly Label: string
  readonly Type: FieldType
  /** Words of a status or a choice. */
  readonly Choices?: readonly Choice[]
}

export interface HistoryChange extends Omit<ChangedValue, 'Type'> {
  /** Column, or `lines[2].qty`. */
  readonly Field: string
  /** `line`: a line came or went; `Parts` say what stood in it. */
  readonly Type: FieldType | 'line'
  /** Number of the line, from 1; null: of the header. */
  readonly Line: number | null
  /** null: nothing; for a line: it came. */
  readonly From: unknown
  /** null: nothing; for a line: it went. */
  readonly To: unknown
  readonly Parts?: readonly (ChangedValue & { readonly Value: unknown })[]
}

/** Neighbours of a record in a list; null: there is none. */
export interface AroundAnswer {
  readonly Previous: number | null
  readonly Next: number | null
  /** From 1; null: the record is not in the list any more. */
  readonly Position: number | null
  readonly Total: number
}

/** An action people may take on such records; without `Refusal` it is possible now. */
export interface OfferedAction {
  readonly Action: string
  readonly Refusal?: Said & { readonly code: string }
}

/** A document in the flow; `Level` counts from the order (0). */
export interface FlowNode {
  readonly DocType: string
  readonly ID: number
  readonly Code: string
  readonly Date: string
  readonly Status: number
  readonly Amount: string | null
  readonly Level: number
  readonly Parents: readonly string[]
  /** `sales_order:17`: unique in the answer, named by Parents. */
  readonly Key: string
  /** It undoes the document it came from. */
  readonly IsReversal: boolean
  /** Where it is looked at; null: nowhere the user may open. */
  readonly Url: string | null
}

export interface JournalView {
  readonly ID: number
  readonly Code: string
  readonly PostingDate: string
  readonly SourceEvent: string
  readonly Description: string
  readonly TotalDebit: string
  readonly TotalCredit: string
  /** The journal this one undoes, and the one that undid it. */
  readonly ReversalOfCode: string | null
  readonly ReversedByCode: string | null
  readonly Lines: readonly {
    readonly AccountCode: string
    readonly AccountName: string
    readonly Debit: string
    readonly Credit: string
    readonly Memo: string | null
  }[]
}

export interface CommandBody {
  readonly IDs?: readonly number[]
  readonly [param: string]: unknown
}

/** Result of a bulk command or transition, one for each row. */
export interface RowResult extends Said {
  readonly ID: number
  readonly ok: boolean
  readonly code?: string
  /** WARNINGS: what a person must acknowledge before this row goes through. */
  readonly warnings?: readonly Warning[]
  /** What stands in the way, and where it is seen. */
  readonly obstacles?: readonly Obstacle[]
  /** Documents this has brought about, each with its page. */
  readonly made?: readonly Obstacle[]
}
