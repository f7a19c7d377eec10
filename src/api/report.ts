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
  /** Sums by column name (decimal text) of the additive measures over the whole filter, not only this page. */
  readonly totals: Readonly<Record<string, string>>
  /** With `groupBy`: sums over the whole filter for each group that has a row on this page, in the order of the rows. */
  readonly groups?: readonly ReportGroup[]
  /** Parameters as used, defaults filled in. */
  readonly parameters: Readonly<Record<string, string>>
}

export interface ReportGroup {
  /** Value of the `groupBy` column as it stands in the rows. */
  readonly value: unknown
  readonly count: number
  readonly totals: Readonly<Record<string, string>>
}
