import { exact, money } from '#base/decimal.ts'
import { addDays } from '#base/date.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { addFileRow } from '#server/files/fileRows.ts'
import type { FileStore } from '#server/files/fileStore.ts'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { digitalPdf, marksOf, type Bill } from './billPdf.ts'
import type { Desk } from './desk.ts'

const bills = [
  { vendor: 'V000103', unit: 'SBY', type: 'E-SEWA', item: 'Sewa gudang Margomulyo', dpp: '42500000', days: 24, corrected: false },
  { vendor: 'V000104', unit: 'JKT', type: 'E-JASA', item: 'Cetak materi promosi', dpp: '11250000', days: 17, corrected: true },
  { vendor: 'V000103', unit: 'SBY', type: 'E-SEWA', item: 'Sewa rak tambahan', dpp: '6800000', days: 9, corrected: false },
  { vendor: 'V000104', unit: 'JKT', type: 'E-JASA', item: 'Cetak brosur akhir tahun', dpp: '8475000', days: 4, corrected: false },
  { vendor: 'V000104', unit: 'JKT', type: 'E-JASA', item: 'Spanduk dan poster', dpp: '3360000', days: 2, corrected: false },
] as const

/** Invoices that came as PDF: three accepted, two still to be looked at. */
export async function scannedInvoices(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const user = await database.first<{ id: number }>(sql`select id from app_user where email = 'admin@arus.example'`)
  const id = async (table: 'business_partner' | 'operating_unit' | 'expense_type', code: string): Promise<number> =>
    (await database.first<{ id: number }>(table === 'business_partner' ? sql`select id from business_partner where code = ${code}` : table === 'operating_unit' ? sql`select id from operating_unit where code = ${code}` : sql`select id from expense_type where code = ${code}`))?.id ?? 0
  for (const [i, bill] of bills.entries()) {
    const day = addDays(clock.today(), -bill.days)
    const ppn = money(exact(bill.dpp).times(11).div(100))
    const no = `${bill.vendor.slice(-3)}/${day.slice(2, 4)}${day.slice(5, 7)}/${String(118 + i * 7)}`
    const bytes = digitalPdf([marksOf(billOf({ seller: bill.vendor, taxNumber: '', no: bill.corrected ? no.replace('/', '-') : no, day, faktur: fakturOf(i), item: bill.item, dpp: bill.dpp, ppn }))])
    const ScanID = await addFileRow(database, {
      purpose: 'UPLOAD', docType: 'vendor_invoice_ocr', name: `faktur-${bill.vendor}-${i + 1}.pdf`, file: { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), type: 'application/pdf' },
      key: createHash('sha1').update(`scan ${i}`).digest('hex'), by: user?.id ?? 0, at: clock.now(),
    })
    const made = await desk.enter('admin', 'vendor_invoice_ocr', {
      ScanID, OperatingUnitID: await id('operating_unit', bill.unit), DocDate: addDays(day, 1), VendorID: await id('business_partner', bill.vendor), VendorInvoiceNo: no, InvoiceDate: day, FakturNumber: fakturOf(i),
      Dpp: money(bill.dpp), Ppn: ppn, Total: money(exact(bill.dpp).plus(ppn)), ExpenseTypeID: await id('expense_type', bill.type), Note: bill.item,
    }, false)
    const readings = ['invoice_no', 'invoice_date', 'faktur_number', 'dpp', 'ppn', 'total'].map((field, at) => ({ field, value: [bill.corrected ? no.replace('/', '-') : no, day, fakturOf(i), money(bill.dpp), ppn, money(exact(bill.dpp).plus(ppn))][at], confidence: 100 - i * 3, page: 1, box: { x: 0.6, y: 0.15 + at * 0.03, w: 0.2, h: 0.02 } }))
    await database.run(sql`update vendor_invoice_ocr set reading = 'READ', status = 1, fields_read = 6, confidence = ${100 - i * 3}, template_id = (select id from ocr_template order by id limit 1) where id = ${made}`)
    await database.run(sql`
      insert into vendor_invoice_ocr_reading (vendor_invoice_ocr_id, beat_at, tries, page, pages_there, pages, readings) values (${made}, ${clock.now().toISOString()}, 0, 1, 1, '[]', ${JSON.stringify(readings)}::jsonb)`)
    if (i < 3) await desk.act('admin', 'vendor_invoice_ocr', made, 'accept')
  }
}

function fakturOf(i: number): string {
  return `0400002600${String(1_204_455 + i * 37)}`
}

function billOf({ seller, taxNumber, no, day, faktur, item, dpp, ppn }: { readonly seller: string; readonly taxNumber: string; readonly no: string; readonly day: string; readonly faktur: string; readonly item: string; readonly dpp: string; readonly ppn: string }): Bill {
  const dotted = (amount: string): string => exact(amount).toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, '.')
  return { seller, taxNumber, no, day: day.split('-').reverse().join('/'), faktur, lines: [[item, '1', dotted(dpp), dotted(dpp)]], dpp: dotted(dpp), ppn: dotted(ppn), total: dotted(exact(dpp).plus(ppn).toFixed(0)) }
}

/** The files of the invoices above, once there is a place for them; those not accepted yet are then read. */
export async function keepScans(database: Database, files: FileStore): Promise<void> {
  const rows = await database.rows<{ id: number; key: string; vendor: string; tax: string | null; no: string; day: string; faktur: string; item: string; dpp: string; ppn: string }>(sql`
    select o.id, a.storage_key as key, p.name as vendor, p.npwp as tax, o.vendor_invoice_no as no, o.invoice_date as day, o.faktur_number as faktur, o.note as item, o.dpp, o.ppn
    from vendor_invoice_ocr o join attachment a on a.id = o.scan_id join business_partner p on p.id = o.vendor_id order by o.id`)
  await fs.promises.mkdir(files.incoming, { recursive: true })
  for (const { key, vendor, tax, ...row } of rows) {
    const bytes = digitalPdf([marksOf(billOf({ ...row, seller: vendor, taxNumber: tax ?? '' }))])
    const file = path.join(files.incoming, key)
    await fs.promises.writeFile(file, bytes)
    await files.keep(key, { path: file, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), type: 'application/pdf' })
    await database.run(sql`update attachment set size = ${bytes.length}, sha256 = ${createHash('sha256').update(bytes).digest('hex')} where storage_key = ${key}`)
  }
  await database.run(sql`update vendor_invoice_ocr set reading = 'QUEUED', status = 8 where status = 1 and reading = 'READ'`)
}
