import type { Comparison } from '#meta/day.ts'
import type { Heads } from './heads.ts'

/** Query of `GET /api/v1/report/{screen}`: the report's parameters by name (`as_of=2025-01-31`) beside these. */
export interface ReportQuery {
  readonly search?: string
  readonly length?: number
  readonly page?: number
  readonly order?: string
  readonly sort?: string
  /** JSON of a Condition over the report's filters. */
  readonly filter?: string
  readonly [parameter: string]: string | number | undefined
}

/** A report row has no identity of its own: wire keys of its columns and of what its links need. */
export type ReportRow = Readonly<Record<string, unknown>>

export interface ReportAnswer {
  readonly recordsTotal: number
  readonly rows: readonly ReportRow[]
  /** Totals by column name (decimal text) over the whole filter, not only this page. With several currencies: without money. */
  readonly totals: Readonly<Record<string, string>>
  /** Only when the rows are in several currencies: totals of each. */
  readonly currencies?: readonly ReportTotals[]
  /** With `groupBy`: sums over the whole filter for each group that has a row on this page, in the order of the rows; none of a group that is its only row. */
  readonly groups?: readonly ReportGroup[]
  /** Parameters as used, defaults filled in. */
  readonly parameters: Readonly<Record<string, string>>
  readonly heads?: Heads
}

export interface ReportTotals {
  /** Null where the dataset knows one currency only. */
  readonly currency: string | null
  readonly count: number
  readonly totals: Readonly<Record<string, string>>
}

export interface ReportGroup extends ReportTotals {
  /** Value of the `groupBy` column as it stands in the rows. */
  readonly value: unknown
}

/** Query of `GET /api/v1/report/{screen}/summary`: as for the rows, and how they are grouped. */
export interface SummaryQuery extends ReportQuery {
  /** Comma list of groups, outer first: `customer_code,doc_date:month`. Absent: the totals alone. */
  readonly group?: string
  /** The group that stands across. */
  readonly across?: string
  /** Comma list of measures; those of the report when left out. */
  readonly measures?: string
  readonly compare?: Comparison
}

export type GroupValue = string | number | boolean | null

/** What the measures come to, in the order asked for: decimal text, null where there is nothing to say. */
export interface SummaryCell {
  /** Rows behind it. */
  readonly count: number
  readonly values: readonly (string | null)[]
  /** The same in the period compared with. */
  readonly before?: readonly (string | null)[]
}

export interface SummaryRow {
  /** Values of the groups, outer first; sub-totals have fewer. */
  readonly keys: readonly GroupValue[]
  readonly currency: string | null
  /** What describes the groups (names of codes, ids), by wire key. */
  readonly about: ReportRow
  /** Over everything across, then one for each value across. */
  readonly cells: readonly SummaryCell[]
}

export interface SummaryAnswer {
  /** Groups over the whole filter. */
  readonly recordsTotal: number
  /** Groups of this page. */
  readonly rows: readonly SummaryRow[]
  /** Sub-totals of the outer groups that have a row on this page. */
  readonly subtotals: readonly SummaryRow[]
  /** One for each currency; a single one where there is none to tell apart. */
  readonly totals: readonly SummaryRow[]
  readonly across: readonly GroupValue[]
  /** Names of the measures, in the order of the values. */
  readonly measures: readonly string[]
  readonly heads?: Heads
  readonly parameters: Readonly<Record<string, string>>
  /** Parameters of the period compared with. */
  readonly before?: Readonly<Record<string, string>>
}
