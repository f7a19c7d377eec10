import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Template } from '#domain/ocr/extract.ts'
import { readScan, ScanRefused } from '#server/ocr/readScan.ts'
import { genericTemplate } from '#server/seed/ocrTemplate.ts'
import { testFolder } from '../../support/database.ts'
import { digitalPdf, marksOf, noisy, picture, scannedPdf, turned, type Bill } from '../../support/scans.ts'

const bill: Bill = {
  seller: 'PT Sumber Rasa Makmur', taxNumber: '01.234.567.8-013.000', no: 'SRM/2026/0457', day: '12 Maret 2026', faktur: '040.026-26.12345678',
  lines: [['Kecap Manis 600 ml', '120', '18.500', '2.220.000'], ['Saus Sambal 340 ml', '240', '11.250', '2.700.000'], ['Santan Instan 65 ml', '500', '3.150', '1.575.000']],
  dpp: '6.495.000', ppn: '714.450', total: '7.209.450',
}
const wanted = { invoice_no: 'SRM/2026/0457', invoice_date: '2026-03-12', faktur_number: '0400262612345678', dpp: '6495000.00', ppn: '714450.00', total: '7209450.00' }
const marks = marksOf(bill)

async function read(bytes: Buffer, name: string, templates: readonly Template[] = [genericTemplate(1)], signal = new AbortController().signal) {
  const out = testFolder()
  const file = path.join(out, name)
  fs.writeFileSync(file, bytes)
  const seen: string[] = []
  const result = await readScan({ file, out, languages: ['eng'], templates }, { signal, onPage: (page, pages) => void seen.push(`${page}/${pages}`) })
  return { ...result, seen, values: Object.fromEntries(result.readings.map(({ field, value }) => [field, value])) }
}

describe('an invoice is read', () => {
  test('from a digital PDF to the letter, without doubt', async () => {
    const result = await read(digitalPdf([marks]), 'a.pdf')
    expect(result.values).toEqual(wanted)
    expect(result.readings.map(({ confidence }) => confidence)).toEqual(result.readings.map(() => 100))
    expect(result).toMatchObject({ templateId: 1, seen: ['1/1'], taxNumbers: expect.arrayContaining(['012345678013000']), pages: [{ isDigital: true }] })
    expect(fs.statSync(result.pages[0]?.file ?? '').size).toBeGreaterThan(5_000)
  }, 60_000)

  test.each([
    ['clean, 300 dpi', () => picture(marks)],
    ['150 dpi', () => picture(marks, 150)],
    ['turned by 2 degrees', async () => turned(await picture(marks, 200), 2)],
    ['noisy', async () => noisy(await picture(marks, 200))],
  ])('from a scan: %s', async (_, draw) => {
    const { values, pages } = await read(await draw(), 'scan.png')
    expect(pages).toMatchObject([{ isDigital: false }])
    expect(values).toEqual(wanted)
  }, 120_000)

  test('from a scanned PDF, with each page told', async () => {
    const { values, seen } = await read(await scannedPdf([await picture(marks, 200), await picture([{ x: 20, y: 30, text: 'Syarat pembayaran 30 hari setelah tanggal faktur' }], 150)]), 'scan.pdf')
    expect(values).toEqual(wanted)
    expect(seen).toEqual(['1/2', '2/2'])
  }, 120_000)
})

test('amounts that do not add up are doubtful, however clear they are', async () => {
  const { readings } = await read(digitalPdf([marksOf({ ...bill, total: '7.209.540' })]), 'a.pdf')
  expect(readings.filter(({ confidence }) => confidence < 85).map(({ field }) => field).sort()).toEqual(['dpp', 'ppn', 'total'])
}, 60_000)

test('the template whose mark stands on the page is taken before the one for all', async () => {
  const own: Template = { id: 7, pageAnchor: 'Sumber Rasa Makmur', fields: [{ field: 'invoice_no', type: 'text', anchor: 'No. Faktur', pattern: 'SRM/(\\d{4}/\\d+)', box: null, page: 1 }] }
  expect(await read(digitalPdf([marks]), 'a.pdf', [genericTemplate(1), own])).toMatchObject({ templateId: 7, values: { invoice_no: '2026/0457' } })
  expect(await read(digitalPdf([marks]), 'a.pdf', [genericTemplate(1), { ...own, pageAnchor: 'Another company' }])).toMatchObject({ templateId: 1 })
}, 60_000)

describe('what is no invoice is refused and says why', () => {
  const bomb = Buffer.concat([Buffer.from('%PDF-1.4\n1 0 obj\n<< /Length 9 /Filter /FlateDecode >>\nstream\n'), zlib.deflateSync(Buffer.alloc(400e6)), Buffer.from('\nendstream\nendobj\n%%EOF')])
  test.each([
    ['junk', Buffer.from('no invoice at all'), 'broken'],
    ['a torn PDF', digitalPdf([marks]).subarray(0, 200), 'broken'],
    ['a part that inflates to 400 MB', bomb, 'large'],
    ['too many pages', digitalPdf(Array.from({ length: 21 }, () => marks)), 'pages'],
  ])('%s', async (_, bytes, why) => {
    await expect(read(bytes, 'x.pdf')).rejects.toMatchObject({ why })
  }, 60_000)

  test('an empty page', async () => {
    await expect(read(await picture([], 100), 'x.png')).rejects.toMatchObject({ why: 'empty' })
  }, 60_000)

  test('a pattern that would never end is ended with its process', async () => {
    const stop = new AbortController()
    const slow: Template = { id: 3, pageAnchor: null, fields: [{ field: 'invoice_no', type: 'text', anchor: null, pattern: '^(([A-Za-z]+ ?)+)+$', box: null, page: 1 }] }
    const reading = read(digitalPdf([[{ x: 10, y: 20, text: `${'a '.repeat(40)}!` }]]), 'x.pdf', [slow], stop.signal)
    setTimeout(() => stop.abort(new Error('stopped')), 4_000)
    await expect(reading).rejects.toThrow('stopped')
    expect(new ScanRefused('slow', 'x').why).toBe('slow')
  }, 60_000)
})
