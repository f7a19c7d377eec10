import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { readSheet } from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { guardedText, unguardedText } from '#base/formulaText.ts'
import { CsvFile, type CsvStyle } from '#server/export/csvFile.ts'
import { LocalTime } from '#server/export/localTime.ts'
import type { Send, TableFile } from '#server/export/tableFile.ts'
import { XlsxFile } from '#server/export/xlsxFile.ts'
import { columnLetters, sheetName } from '#server/export/xlsxText.ts'
import { xmlFault } from '../support/strictXml.ts'

type Cell = (file: TableFile) => void

const text = (value: string): Cell => (file) => file.text(value)
const money = (value: string): Cell => (file) => file.number(value, { kind: 'grouped', places: 2 })
const quantity = (value: string): Cell => (file) => file.number(value, { kind: 'grouped', places: 0 })
const percent = (value: string): Cell => (file) => file.number(value, { kind: 'percent', places: 0 })
const day = (value: string): Cell => (file) => file.date(value)
const moment = (value: string): Cell => (file) => file.moment(value)
const yes: Cell = (file) => file.flag(true)
const nothing: Cell = (file) => file.empty()

const time = new LocalTime('Asia/Jakarta')

async function write(open: (send: Send) => TableFile, rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const file = open(async (bytes) => void parts.push(bytes))
  await file.openSheet({ name: 'Rows', widths: rows[0]?.map(() => 12) ?? [], frozen: 1, hasHead: false, groups: 0 })
  for (const row of rows) {
    file.startRow('row')
    for (const cell of row) cell(file)
    file.endRow()
  }
  await file.closeSheet()
  await file.finish()
  return Buffer.concat(parts)
}

function xlsx(rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  return write((send) => new XlsxFile(send, time, { title: 'Rows', author: 'Ani & Budi', at: '2026-11-20T03:00:00.000Z' }), rows)
}

async function csv(rows: readonly (readonly Cell[])[], style: Partial<CsvStyle> = {}): Promise<string> {
  return (await write((send) => new CsvFile(send, { delimiter: ',', decimal: '.', hasMark: false, ...style }, time, { yes: 'Yes', no: 'No' }), rows)).toString('utf8')
}

/** What a spreadsheet would show as text or value in each cell of the first sheet, read from the XML itself. */
function cellsOf(bytes: Buffer): Record<string, { type: string; value: string }> {
  const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  const cells = [...sheet.matchAll(/<c r="([A-Z]+\d+)"([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)]
  return Object.fromEntries(
    cells.map(([, place = '', attributes = '', inner = '']) => [place, { type: /t="(\w+)"/.exec(attributes)?.[1] ?? 'n', value: decoded(inner.replaceAll(/<[^>]+>/g, '')) }]),
  )
}

function decoded(xml: string): string {
  return xml
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? '')
    .replaceAll(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

const hostile = [
  '=1+1', '+1+cmd|\' /C calc\'!A0', '-2+3+cmd|', '@SUM(A1)', '\t=1', '\r=1', '＝1+1', '=HYPERLINK("http://x","y")', '  =1+1',
  '-5', '+62 812-3456-7890', '+628123456', '-', '(021) 555', '007', '1e5', 'TRUE', '31/12/2026', "it's", 'say "hi"', 'a;b,c\td', 'two\nlines', 'two\r\nlines',
  '<b>&amp;</b>', ']]>', '_x0041_', 'bell\u0007', 'Toko Maju 店 🏪', ' spaces  around ', "'quoted",
]

describe('a workbook', () => {
  it('holds numbers, days, moments and text as what they are', async () => {
    const bytes = await xlsx([[text('Toko Maju'), money('1234567.50'), quantity('12.500'), percent('11.0000'), day('2026-11-20'), moment('2026-11-19T20:05:09.000Z'), yes, nothing, text('end')]])
    const [row] = await readSheet(bytes)
    expect(row).toEqual(['Toko Maju', 1234567.5, 12.5, 11, new Date('2026-11-20T00:00:00Z'), new Date('2026-11-20T03:05:09Z'), true, null, 'end'])
  })

  it('keeps every digit: what a spreadsheet would round stays text', async () => {
    const values = ['0.00', '-0.00', '-5.00', '999999999999.99', '1234567890123.45', '9999999999999999.99', '0.000001', '123456789012345', '12345678901234567', '1000000000000000.00']
    const cells = Object.values(cellsOf(await xlsx([values.map(quantity)])))
    expect(cells).toEqual([
      { type: 'n', value: '0' }, { type: 'n', value: '0' }, { type: 'n', value: '-5' }, { type: 'n', value: '999999999999.99' }, { type: 'n', value: '1234567890123.45' },
      { type: 'inlineStr', value: '9999999999999999.99' }, { type: 'n', value: '0.000001' }, { type: 'n', value: '123456789012345' }, { type: 'inlineStr', value: '12345678901234567' },
      { type: 'n', value: '1000000000000000' },
    ])
  })

  it('gives back whatever text it was given, and none of it as a formula', async () => {
    const bytes = await xlsx(hostile.map((value) => [text(value)]))
    const cells = Object.values(cellsOf(bytes))
    expect(cells.map(({ value }) => value)).toEqual(hostile)
    expect(new Set(cells.map(({ type }) => type))).toEqual(new Set(['inlineStr']))
    expect(strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array())).not.toContain('<f>')
    const read = (await readSheet(bytes)).map(([value]) => value)
    expect(read.filter((value) => typeof value !== 'string')).toEqual([])
  })

  it('is XML that a strict parser accepts, part for part', async () => {
    const bytes = await xlsx([hostile.map(text), [...hostile.map(() => money('1.5')), day('1899-01-01'), day('2026-02-28'), moment('nonsense')]])
    const faults = Object.entries(unzipSync(bytes)).map(([name, part]) => [name, xmlFault(strFromU8(part))])
    expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([])
    expect(faults.length).toBe(7)
  })

  it.each(['<a><b></a></b>', '<a>&nbsp;</a>', '<a>a & b</a>', '<a x="1" x="2"/>', '<a/><b/>', '<a>\u0007</a>', '<a x="<"/>', '<a'])('the strict parser finds what is wrong with %j', (document) => {
    expect(xmlFault(document)).toBeTypeOf('string')
  })

  it('cuts off what no cell can hold, never half a character', async () => {
    const [cell] = Object.values(cellsOf(await xlsx([[text(`${'x'.repeat(32_765)}🏪🏪`)]])))
    expect(cell?.value).toBe(`${'x'.repeat(32_765)}…`)
  })

  it('names tabs as a spreadsheet allows', () => {
    expect(sheetName("Sales: orders / 'open' [all]*?\\", [])).toBe('Sales orders \'open\' all')
    expect(sheetName("'''", [])).toBe('Sheet')
    expect(sheetName('x'.repeat(40), ['x'.repeat(31)])).toBe(`${'x'.repeat(29)} 2`)
    expect(sheetName('history', [])).toBe('history 2')
  })

  it('counts columns past Z', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'])
  })
})

describe('text in CSV', () => {
  it('is never run as a formula, and telephone numbers stay what they are', () => {
    expect(Object.fromEntries(hostile.slice(0, 17).map((value) => [value, guardedText(value)]))).toEqual({
      '=1+1': "'=1+1", "+1+cmd|' /C calc'!A0": "'+1+cmd|' /C calc'!A0", '-2+3+cmd|': "'-2+3+cmd|", '@SUM(A1)': "'@SUM(A1)", '\t=1': "'\t'=1", '\r=1': "'\r'=1", '＝1+1': "'＝1+1",
      '=HYPERLINK("http://x","y")': '\'=HYPERLINK("http://x","y")', '  =1+1': "'  =1+1",
      '-5': '-5', '+62 812-3456-7890': '+62 812-3456-7890', '+628123456': '+628123456', '-': '-', '(021) 555': '(021) 555', '007': '007', '1e5': '1e5', TRUE: 'TRUE',
    })
  })

  it('is none behind the signs that divide other files, and comes back as it was', () => {
    const texts = [';=1+1', 'a;=1+1', 'a,@SUM(A1)', 'a\t+1+cmd', 'a|-2+x', 'two\n=1', "'=1", "''=1", "' =1", "a;'=1", "'\t=1", "'", "O'Neil", 'Jakarta, -', 'Jl. Melati 5, +62 812-3456', 'x;-5']
    expect(texts.map(guardedText)).toEqual([
      ";'=1+1", "a;'=1+1", "a,'@SUM(A1)", "a\t'+1+cmd", "a|'-2+x", "two\n'=1", "''=1", "'''=1", "'' =1", "a;''=1", "''\t'=1", "'", "O'Neil", 'Jakarta, -', 'Jl. Melati 5, +62 812-3456', 'x;-5',
    ])
    expect(texts.map((one) => unguardedText(guardedText(one)))).toEqual(texts)
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', ';', ',', '\t', '\n', ' ', 'a', '1') }), (one) => unguardedText(guardedText(one)) === one))
  })

  it('stands between the delimiters of the company', async () => {
    const row = [text('a;b'), text('say "hi"'), text('two\nlines'), money('1234567.50'), money('-5.00'), percent('11.5000'), day('2026-11-20'), moment('2026-11-19T20:05:09.000Z'), yes, nothing]
    expect(await csv([row])).toBe('a;b,"say ""hi""","two\nlines",1234567.50,-5.00,11.5,2026-11-20,2026-11-20 03:05:09,Yes,\r\n')
    expect(await csv([row], { delimiter: ';', decimal: ',' })).toBe('"a;b";"say ""hi""";"two\nlines";1234567,50;-5,00;11,5;2026-11-20;2026-11-20 03:05:09;Yes;\r\n')
    expect(await csv([row], { delimiter: ',', decimal: ',' })).toContain('1234567.50,-5.00')
    expect(await csv([[text('x')]], { hasMark: true })).toBe('\u{FEFF}x\r\n')
  })

  it('comes back as it was by a reader of CSV', async () => {
    const { parse } = await import('csv-parse/sync')
    const written = await csv(hostile.map((value) => [text('first'), text(value)]))
    const read: string[][] = parse(written, { relaxQuotes: false })
    expect(read.map(([, value]) => value)).toEqual(hostile.map(guardedText))
  })
})

describe('the wall clock', () => {
  it('follows a zone through its changes', () => {
    const berlin = new LocalTime('Europe/Berlin')
    expect(['2025-03-30T00:59:59.000Z', '2025-03-30T01:00:00.000Z', '2025-10-26T00:59:59.000Z', '2025-10-26T01:00:00.000Z'].map((at) => berlin.text(at))).toEqual([
      '2025-03-30 01:59:59', '2025-03-30 03:00:00', '2025-10-26 02:59:59', '2025-10-26 02:00:00',
    ])
    expect(new LocalTime('Asia/Kathmandu').text('2026-11-20T00:00:00.000Z')).toBe('2026-11-20 05:45:00')
  })

  it('is that of the business where the zone is nonsense', () => {
    expect(new LocalTime("'; drop table x").zone).toBe('Asia/Jakarta')
    expect(new LocalTime('Mars/Olympus').zone).toBe('Asia/Jakarta')
  })
})
