import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readScan } from '#server/ocr/readScan.ts'
import { genericTemplate } from '#server/seed/ocrTemplate.ts'
import { marksOf, noisy, picture } from '../support/scans.ts'
import { quantile, times, type Run } from './bench.ts'

/** A page of an invoice as a scanner sends it, with specks, read by the recogniser: one worker, which begins anew for each file. */
export const run: Run = async () => {
  const marks = marksOf({
    seller: 'PT Sumber Rasa Makmur', taxNumber: '01.234.567.8-013.000', no: 'SRM/2026/0457', day: '12 Maret 2026', faktur: '040.026-26.12345678',
    lines: [['Kecap Manis 600 ml', '120', '18.500', '2.220.000'], ['Saus Sambal 340 ml', '240', '11.250', '2.700.000'], ['Santan Instan 65 ml', '500', '3.150', '1.575.000']],
    dpp: '6.495.000', ppn: '714.450', total: '7.209.450',
  })
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-scan-'))
  try {
    const file = path.join(out, 'scan.png')
    fs.writeFileSync(file, await noisy(await picture(marks, 300)))
    const samples = await times(3, () => readScan({ file, out, languages: ['eng', 'ind'], templates: [genericTemplate(1)] }, { signal: new AbortController().signal, onPage: () => undefined }), 1)
    return [{ what: 'page of a scan at 300 dpi read, its worker and languages loaded anew', value: quantile(samples, 0.5), unit: 'ms', limit: 10_000, bound: 'most' }]
  } finally {
    fs.rmSync(out, { recursive: true, force: true })
  }
}
