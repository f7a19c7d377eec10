import { longestCell, mostImportColumns } from '#api/import.ts'
import { fail } from '#server/problemError.ts'

/** One row of an uploaded file. */
export interface SourceRow {
  /** As the file counts them, from 1. */
  readonly no: number
  readonly cells: readonly string[]
}

/** Blank lines a file may have: as many as a sheet has rows. */
export const mostBlank = 1_048_576

/** Refuses what no cell can hold; says where. */
export function checkCell(text: string, row: number): string {
  if (text.length > longestCell) fail('FILE_BROKEN.cell', { row, limit: longestCell })
  if (text.includes('\u0000')) fail('FILE_BROKEN.nul', { row })
  // Half a character is no text; the database would not take it.
  return /[\uD800-\uDFFF]/.test(text) ? wellFormed(text) : text
}

/** Halves of characters become the sign for what cannot be shown. */
export function wellFormed(text: string): string {
  return text.replaceAll(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
}

export function checkColumn(index: number): void {
  if (index >= mostImportColumns) fail('FILE_BROKEN.columns', { limit: mostImportColumns })
}
