import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { Zip, ZipDeflate, strToU8 } from 'fflate'
import { systemClock } from '#server/clock.ts'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { fillWholesaler } from '../support/wholesale.ts'
import type { Measure, Run } from './bench.ts'
import { Server } from './wholesale.ts'

const heads = ['Code', 'Name', 'Principal', 'Category', 'BaseUOM', 'SalesUOM', 'PackQty', 'Taxable', 'Barcode']

/** A million rows (`ARUS_IMPORT_ROWS`) read and checked as text and as workbook (`ARUS_IMPORT_KINDS=csv,xlsx`), a minute of importing, and its end: memory of the server all along. */
export const run: Run = async ({ engines, log }) => {
  if (!engines.includes('embedded')) return []
  const rows = Number(process.env['ARUS_IMPORT_ROWS'] ?? 1_000_000)
  const measures: Measure[] = []
  for (const kind of (process.env['ARUS_IMPORT_KINDS'] ?? 'csv,xlsx').split(',')) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-imports-'))
    try {
      const file = path.join(folder, `items.${kind}`)
      await (kind === 'csv' ? writeText(file, rows) : writeWorkbook(file, rows))
      const database = await openDatabase({ kind: 'embedded', directory: path.join(folder, 'pgdata'), log })
      await migrate(database)
      await fillWholesaler(database, systemClock, { from: '2026-01-01', to: '2026-12-31' })
      await database.close()
      const server = await Server.start(folder)
      try {
        log(`${kind}: ${Math.round(fs.statSync(file).size / 1024 / 1024)} MB, server ${server.peak()} MB before`)
        const started = performance.now()
        const batch = await server.import('item.import', file, (done, work) => log(`${kind}: ${work} ${done}, ${server.peak()} MB, ${((performance.now() - started) / 1000).toFixed(0)} s`))
        const seconds = (performance.now() - started) / 1000
        if (batch.RowsRight !== rows) throw new Error(`${batch.RowsRight} of ${rows} rows are right: ${JSON.stringify(batch.Problem)}`)
        log(`${kind}: ${rows} rows read and checked in ${seconds.toFixed(0)} s, ${server.peak()} MB`)
        const imported = await server.commitFor(batch.ID, 60_000)
        log(`${kind}: ${imported.RowsImported} rows imported in a minute, then stopped, status ${imported.Status}, ${server.peak()} MB`)
        measures.push(
          { what: `${kind} of ${rows} rows, read and checked`, value: rows / seconds, unit: 'rows/s', limit: 1_500, bound: 'least' },
          { what: `${kind}, rows imported`, value: imported.RowsImported / 60, unit: 'rows/s', limit: 50, bound: 'least' },
          { what: `${kind}, largest memory of the server`, value: server.peak(), unit: 'MB', limit: 512, bound: 'most' },
        )
      } finally {
        await server.stop()
      }
    } finally {
      await fs.promises.rm(folder, { recursive: true, force: true })
    }
  }
  return measures
}

function cellsOf(row: number): readonly string[] {
  return [`SKU-${String(row).padStart(8, '0')}`, `Item number ${row}, ${row % 3 === 0 ? 'red' : 'white'}`, 'V-ALL', 'GIFTS', 'PCS', 'CTN', String(6 + (row % 12)), row % 2 === 0 ? 'Y' : 'N', `089${String(row).padStart(10, '0')}`]
}

async function writeText(file: string, rows: number): Promise<void> {
  const out = fs.createWriteStream(file)
  out.write(`${heads.join(',')}\n`)
  for (let row = 1; row <= rows; row++) if (!out.write(`${cellsOf(row).map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',')}\n`)) await once(out, 'drain')
  out.end()
  await once(out, 'finish')
}

/** As spreadsheets write it: every text once among the shared strings. */
async function writeWorkbook(file: string, rows: number): Promise<void> {
  const out = fs.createWriteStream(file)
  const zip = new Zip((error, chunk, isLast) => {
    if (error) throw error
    out.write(chunk)
    if (isLast) out.end()
  })
  const part = (name: string): ((text: string, isLast?: boolean) => Promise<void>) => {
    const entry = new ZipDeflate(name, { level: 1 })
    zip.add(entry)
    return async (text, isLast = false) => {
      entry.push(strToU8(text), isLast)
      if (out.writableNeedDrain) await once(out, 'drain')
    }
  }
  await part('[Content_Types].xml')('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>', true)
  await part('xl/workbook.xml')('<workbook xmlns:r="r"><sheets><sheet name="Item" sheetId="1" r:id="rId1"/></sheets></workbook>', true)
  await part('xl/_rels/workbook.xml.rels')('<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>', true)
  const index = new Map<string, number>()
  const strings = part('xl/sharedStrings.xml')
  await strings('<sst>')
  const add = (text: string): number => {
    index.set(text, index.size)
    return index.size - 1
  }
  let buffer = ''
  const common = new Map([...heads, 'V-ALL', 'GIFTS', 'PCS', 'CTN', 'Y', 'N'].map((text) => [text, add(text)]))
  for (const text of common.keys()) buffer += `<si><t>${text}</t></si>`
  for (let row = 1; row <= rows; row++) {
    const [code = '', name = '', , , , , , , barcode = ''] = cellsOf(row)
    buffer += `<si><t>${code}</t></si><si><t>${name}</t></si><si><t>${barcode}</t></si>`
    if (row % 2_000 !== 0) continue
    await strings(buffer)
    buffer = ''
  }
  await strings(`${buffer}</sst>`, true)
  const sheet = part('xl/worksheets/sheet1.xml')
  await sheet('<worksheet><sheetData>')
  const shared = (at: number | undefined): string => `<c t="s"><v>${at ?? 0}</v></c>`
  buffer = `<row r="1">${heads.map((head) => shared(common.get(head))).join('')}</row>`
  for (let row = 1; row <= rows; row++) {
    const cells = cellsOf(row)
    const first = common.size + (row - 1) * 3
    buffer += `<row r="${row + 1}">${cells.map((cell, i) => (i === 0 ? shared(first) : i === 1 ? shared(first + 1) : i === 8 ? shared(first + 2) : i === 6 ? `<c><v>${cell}</v></c>` : shared(common.get(cell)))).join('')}</row>`
    if (row % 2_000 !== 0) continue
    await sheet(buffer)
    buffer = ''
  }
  await sheet(`${buffer}</sheetData></worksheet>`, true)
  zip.end()
  await once(out, 'finish')
}
