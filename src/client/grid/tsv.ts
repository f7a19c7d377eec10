import { withoutUnseen } from '#base/unseen.ts'

/**
 * Cells of text copied from a spreadsheet: tabs between cells, line ends between rows, cells in double quotes may hold both and doubled
 * quotes. The line end a spreadsheet puts after the last row adds no row.
 */
export function parseTsv(copied: string): readonly (readonly string[])[] {
  const text = withoutUnseen(copied)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  let started = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? ''
    if (quoted) {
      if (char !== '"') cell += char
      else if (text[i + 1] === '"') {
        cell += '"'
        i++
      } else quoted = false
      continue
    }
    if (char === '"' && !started) quoted = true
    else if (char === '\t' || char === '\n' || char === '\r') {
      row.push(cell)
      cell = ''
      started = false
      if (char === '\t') continue
      if (char === '\r' && text[i + 1] === '\n') i++
      rows.push(row)
      row = []
      continue
    } else cell += char
    started = true
  }
  if (cell !== '' || started || row.length > 0) rows.push([...row, cell])
  return rows
}

/** The reverse: what a spreadsheet pastes back into the same cells. */
export function formatTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quote).join('\t')).join('\n')
}

function quote(cell: string): string {
  return /[\t\n\r]|^"/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell
}
