import type { Column, Field } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { formatTsv } from '../grid/tsv.ts'
import { valueText, type AnyRecord } from './cells.tsx'

/** Rows as tab-separated text, what spreadsheets paste; with a line of headings when whole rows are meant. */
export function tableText(columns: readonly Column[], rows: readonly AnyRecord[], hasHeadings: boolean): string {
  const lines = rows.map((row) => columns.map((column) => plainText(column, row)))
  return formatTsv(hasHeadings ? [columns.map((column) => t(column.label)), ...lines] : lines)
}

/** A value as a spreadsheet takes it: numbers bare, days as ISO text, never a formula. */
export function plainText(field: Field, record: AnyRecord): string {
  const value = record[field.wire]
  switch (field.type) {
    case 'money':
    case 'quantity':
    case 'price':
    case 'cost':
    case 'percent':
    case 'rate':
      // Zeros at the end go: 1234.00 is text where the comma separates decimals, 1234 is a number everywhere.
      return typeof value === 'string' ? value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : ''
    case 'integer':
    case 'id':
      return typeof value === 'number' ? String(value) : ''
    case 'date':
      return typeof value === 'string' ? value.slice(0, 10) : ''
    case 'boolean':
    case 'code':
    case 'text':
    case 'longtext':
    case 'email':
    case 'datetime':
    case 'period':
    case 'enum':
    case 'status':
    case 'ref':
    case 'textlist':
    case 'json':
    case 'secret':
      return harmless(valueText(field, record))
  }
}

/** Text that a spreadsheet would take for a formula says that it is text. */
function harmless(text: string): string {
  return /^[=+@]|^-(?!\d)/.test(text) ? `'${text}` : text
}
