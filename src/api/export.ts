import type { Said } from '#api/problems.ts'
import type { Grouping } from '#api/view.ts'
import type { Condition } from '#meta/condition.ts'
import type { Comparison } from '#meta/day.ts'
import type { Sort } from '#meta/resolved.ts'

/**
 * POST /api/v1/export                  the file itself, as a stream; X-Total-Count says how many rows it will have
 * POST /api/v1/export/job              the same made in the background, for long ones
 * GET  /api/v1/export/job              the user's own, newest first
 * GET  /api/v1/export/job/{id}         how far it is
 * POST /api/v1/export/job/{id}/cancel
 * The finished file is had by its key, like every other: POST /api/v1/general/download.
 */
export const exportFormats = ['xlsx', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportLanguages = ['en', 'cn', 'id'] as const
export type ExportLanguage = (typeof exportLanguages)[number]

export interface ExportedColumn {
  /** Column name; one hop over a reference (`customer_id.name`) is allowed. */
  readonly name: string
  /** Pixels it has on screen. */
  readonly width?: number
  /** Stays in view at the left. */
  readonly isPinned?: boolean
}

/** What is seen on a list or report screen, to be made a file. Columns come in this order; rows are all rows of the filter, in this order. */
export interface ExportBody {
  /** Id of a list or report screen. */
  readonly screen: string
  readonly format: ExportFormat
  readonly language: ExportLanguage
  readonly columns: readonly ExportedColumn[]
  readonly search?: string
  readonly filter?: Condition
  readonly sort?: readonly Sort[]
  /** Sub-totals for each group, outer first; rows are ordered by them first. */
  readonly groupBy?: readonly Grouping[]
  /** Sums under the rows and groups, for columns the screen adds up. */
  readonly hasTotals: boolean
  /** Parameters of a report, by name. */
  readonly parameters?: Readonly<Record<string, string>>
  /** A report in groups: `columns` are its measures, `sort` names groups and measures. */
  readonly summary?: ExportedSummary
}

/** How a report is grouped, by the keys of its groups (`customer_code`, `doc_date:month`). */
export interface ExportedSummary {
  /** Outer first; empty: the totals alone. */
  readonly rows: readonly string[]
  readonly across?: string
  readonly compare?: Comparison
}

export const exportStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED'] as const
export type ExportState = (typeof exportStates)[number]

/** Exports of more rows are made in the background. */
export const longExport = 50_000

export interface ExportJob {
  readonly ID: number
  readonly Title: string
  readonly Format: ExportFormat
  readonly State: ExportState
  /** Unknown until the rows are counted. */
  readonly RowsTotal: number | null
  readonly RowsDone: number
  readonly FileName: string
  /** Key of the finished file. */
  readonly FileKey: string | null
  readonly Bytes: number | null
  readonly CreatedAt: string
  readonly FinishedAt: string | null
  /** Why it failed, for people. */
  readonly Problem: Said | null
}
