import type { ImportBatch, ImportReading, ImportRow } from '../../src/api/import.ts'

const cells: readonly (readonly string[])[] = [
  ['SP-2001', 'Toko Melati', 'Bandung', ''],
  ['SP-2002', 'Toko Anggrek', 'Surabaya', 'SP-1001'],
  ['SP-2003', '', 'Medan', ''],
  ['SP-2004', 'Toko Kenanga', 'Bandung', 'SP-9999'],
  ['SP-2001', 'Toko Mawar', 'Jakarta', ''],
]

const rows: readonly ImportRow[] = cells.map((row, i) => ({
  RowNo: i + 2,
  State: i < 2 ? 'VALID' : 'ERROR',
  Cells: row,
  Errors:
    i === 2
      ? [{ column: 'Name', code: 'E01', text: 'Name must not be empty.' }]
      : i === 3
        ? [{ column: 'Parent', code: 'E02', text: 'There is no partner with the code SP-9999.', suggestions: ['SP-1009', 'SP-1019'] }]
        : i === 4
          ? [{ column: 'Code', code: 'E03', text: 'SP-2001 stands in row 2 already.' }]
          : [],
  Records: [],
}))

const first: ImportBatch = {
  ID: 1, Code: 'IMP-000001', Screen: 'sample.import', Sheet: 'sample-partner', FileName: 'shops.csv', FileSize: 210, Status: 1, Work: null, RowsDone: 5,
  Doubt: null,
  Form: { kind: 'csv', encoding: 'utf-8', delimiter: ',', decimal: '.', date: 'DMY', sheet: '', sheets: [] },
  Heads: ['Code', 'Shop', 'Town', 'Belongs to'], Mapping: ['Code', 'Name', 'City', null],
  RowsTotal: 5, RowsRight: 2, RowsWarned: 0, RowsWrong: 3, RowsSkipped: 0, RowsImported: 0,
  SameAs: null, RetryOf: null, RetriedBy: null, Problem: null, UserName: 'Sari', CreatedAt: '2026-06-15T02:30:00Z', FinishedAt: null,
  Actions: ['read', 'commit', 'cancel', 'failed'],
}

/** The imports of the samples: one file, read and checked. */
export class SampleImports {
  #batch = first

  /** `rest`: what follows `import` or `import-batch` in the path. */
  answer(area: 'import' | 'import-batch', [, part = '']: readonly string[], method: string, state: string | null, body: unknown): unknown {
    if (area === 'import') return method === 'POST' ? { record: this.#batch } : { records: [this.#batch] }
    if (part === 'rows') {
      const shown = rows.filter((row) => state === null || row.State === state)
      return method === 'GET' ? { recordsTotal: shown.length, rows: shown } : { record: this.#batch }
    }
    if (part === 'reading') this.#read(body as ImportReading)
    if (part === 'commit') this.#batch = { ...this.#batch, Status: 2, RowsRight: 0, RowsImported: 2, Actions: ['undo', 'failed'] }
    return { record: this.#batch }
  }

  #read({ mapping, form }: ImportReading): void {
    this.#batch = { ...this.#batch, ...(mapping === undefined ? {} : { Mapping: mapping }), Form: { ...this.#batch.Form, ...form } }
  }
}
