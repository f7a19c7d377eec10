import type { Said } from '#api/problems.ts'
import type { FileForm } from '#domain/importing/fileForm.ts'

export type { FileForm }

/**
 * GET  /api/v1/import/{screen}                   the user's batches of an import, newest first
 * POST /api/v1/import/{screen}?retry_of=         a file as multipart form: ImportBatch, read in the background
 * GET  /api/v1/import/{screen}/template          an empty workbook to fill in; query sheet, format, language
 * GET  /api/v1/import-batch/{id}                 how far it is
 * PUT  /api/v1/import-batch/{id}/reading         ImportReading: how the file is read and which column is which
 * GET  /api/v1/import-batch/{id}/rows            ImportRowsAnswer; query state, page, length
 * PUT  /api/v1/import-batch/{id}/rows            ImportMending: cells mended in place
 * POST /api/v1/import-batch/{id}/{commit|cancel|undo}
 * GET  /api/v1/import-batch/{id}/payments       { rows: PaymentLogRow[] }: what became of the money of a payment file; query page, length
 * GET  /api/v1/import-batch/{id}/failed          rows that were not imported, with what is wrong; query format
 */
export const importWorks = ['READ', 'CHECK', 'COMMIT', 'UNDO'] as const
export type ImportWork = (typeof importWorks)[number]

export const importRowStates = ['NEW', 'VALID', 'WARNING', 'ERROR', 'SKIPPED', 'COMMITTED'] as const
export type ImportRowState = (typeof importRowStates)[number]

/** 8 being read, 1 checked, 2 imported in part, 3 imported, 5 failed, 6 discarded, 7 taken back. */
export type ImportStatus = 8 | 1 | 2 | 3 | 5 | 6 | 7

/** A file may be so large. */
export const largestImport = 200 * 1024 * 1024
/** Columns of a file that are read. */
export const mostImportColumns = 400
/** Characters of one cell. */
export const longestCell = 32_767

export interface ImportBatch {
  readonly ID: number
  readonly Code: string
  readonly Screen: string
  readonly Sheet: string
  readonly FileName: string
  readonly FileSize: number
  readonly Status: ImportStatus
  /** What is being done now; null: nothing, it waits for the user. */
  readonly Work: ImportWork | null
  readonly RowsDone: number
  readonly Form: FileForm
  /** A number that could be two (`150.000`): nothing is imported until somebody says how numbers are written. */
  readonly Doubt: string | null
  /** Heads of the columns of the file. */
  readonly Heads: readonly string[]
  /** Column of the import that each column of the file fills, or null. */
  readonly Mapping: readonly (string | null)[]
  readonly RowsTotal: number
  readonly RowsRight: number
  readonly RowsWarned: number
  readonly RowsWrong: number
  readonly RowsSkipped: number
  readonly RowsImported: number
  /** Earlier batch of the very same file. */
  readonly SameAs: { readonly ID: number; readonly Code: string; readonly At: string; readonly By: string } | null
  readonly RetryOf: { readonly ID: number; readonly Code: string } | null
  /** The last batch of rows mended and sent again. */
  readonly RetriedBy: { readonly ID: number; readonly Code: string } | null
  readonly Problem: Said | null
  /** Of one batch asked for: what it became and somebody is still to decide about, by kind; `Path`: where, for whoever may look. */
  readonly Waiting?: readonly { readonly DocType: string; readonly Count: number; readonly Path: string | null }[]
  readonly UserName: string
  readonly CreatedAt: string
  readonly FinishedAt: string | null
  /** What the user may do with it now. */
  readonly Actions: readonly ('read' | 'commit' | 'cancel' | 'undo' | 'failed')[]
}

export interface ImportReading {
  readonly form?: Partial<Pick<FileForm, 'encoding' | 'delimiter' | 'decimal' | 'date' | 'sheet'>>
  readonly sheet?: string
  readonly mapping?: readonly (string | null)[]
}

/** What is wrong in one cell and how to mend it. */
export interface CellError extends Said {
  /** Column of the import; empty: the row as a whole. */
  readonly column: string
  /** E01 required, E02 not found, E03 twice in the file, E04 in the system already, E05 form, E06 range, E07 inactive, E08 out of scope, E10 not allowed. */
  readonly code: string
  readonly isWarning?: boolean
  /** Values that would do. */
  readonly suggestions?: readonly string[]
}

export interface ImportRow {
  readonly RowNo: number
  readonly State: ImportRowState
  /** In the order of the file's columns. */
  readonly Cells: readonly string[]
  readonly Errors: readonly CellError[]
  /** Records it became; `path` where the user sees them. */
  readonly Records: readonly { readonly entity: string; readonly id: number; readonly name: string; readonly path?: string }[]
}

export interface ImportRowsAnswer {
  readonly recordsTotal: number
  readonly rows: readonly ImportRow[]
}

/** What became of the money of one row of a payment file; null before it is imported. */
export interface PaymentLogRow {
  readonly RowNo: number
  readonly PaymentID: number | null
  readonly PaymentCode: string | null
  readonly Customer: string | null
  readonly InvoiceID: number | null
  readonly InvoiceCode: string
  /** Money of the whole receipt. */
  readonly Amount: string | null
  readonly Paid: string | null
  /** Settled of the invoice by this receipt, deductions included. */
  readonly Allocated: string | null
  /** Open on the invoice now. */
  readonly Remaining: string | null
  /** Of the receipt, on no invoice. */
  readonly Unapplied: string | null
}

export interface ImportMending {
  readonly cells: readonly { readonly row: number; readonly column: string; readonly value: string }[]
  /** Every row with the old value in the column gets the new one. */
  readonly everywhere?: boolean
}
