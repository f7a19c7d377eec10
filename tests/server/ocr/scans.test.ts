import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { testApp, type Answer, type Session, type TestApp } from '../../support/app.ts'
import { digitalPdf, marksOf, picture } from '../../support/scans.ts'
import { upload } from '../../support/upload.ts'
import { idByCode } from '../../support/company.ts'

let arus: TestApp
let admin: Session
let unit: number
let vendor: number
beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
  unit = await idByCode(arus.database, 'operating_unit', 'JKT')
  await arus.database.run(sql`insert into business_partner (code, name, kinds, npwp) values ('V-SCAN', 'PT Sumber Rasa Makmur', '{VENDOR}', '0012345678013000')`)
  vendor = await idByCode(arus.database, 'business_partner', 'V-SCAN')
})

const marks = marksOf({ seller: 'PT Sumber Rasa Makmur', taxNumber: '00.123.456.7-801.3000', no: 'SRM/0457', day: '12 Maret 2026', faktur: '04002600012345678', lines: [['Jasa angkut', '1', '6.495.000', '6.495.000']], dpp: '6.495.000', ppn: '714.450', total: '7.209.450' })
const path = '/api/v1/data/vendor-invoice-ocr'

async function sent(bytes: Buffer, name: string): Promise<Answer['data']> {
  const file = await upload(arus.app, admin.token, '/api/v1/general/upload?resource=vendor-invoice-ocr&field=scan_id', { name, bytes }, { 'idempotency-key': crypto.randomUUID() })
  expect([file.status, file.message]).toEqual([200, expect.any(String)])
  const made = await admin.post(path, { ScanID: file.data.id ?? file.data.ID ?? file.data.record?.ID, OperatingUnitID: unit, DocDate: arus.clock.today() })
  expect([made.status, made.message]).toEqual([200, expect.any(String)])
  return made.data.record
}

/** Saved with what was put right, and accepted. */
async function accept(scan: Answer['data'], columns: object): Promise<Answer> {
  const saved = await admin.put(`${path}/${scan.ID}`, columns, { version: scan.Version })
  expect([saved.status, saved.message]).toEqual([200, expect.any(String)])
  return admin.post(`${path}/${scan.ID}/accept`, {}, { version: saved.data.record.Version })
}

async function read(bytes: Buffer, name: string): Promise<Answer['data']> {
  const { ID } = await sent(bytes, name)
  await arus.app.scans.idle()
  return (await admin.get(`${path}/${ID}`)).data.record
}

describe('a scanned invoice', () => {
  test('is read in the background, looked at and accepted as the draft of a vendor invoice; what was put right is counted', async () => {
    const scan = await read(digitalPdf([marks]), 'faktur.pdf')
    expect(scan).toMatchObject({ Status: 1, Reading: 'READ', VendorID: vendor, VendorInvoiceNo: 'SRM/0457', InvoiceDate: '2026-03-12', FakturNumber: '04002600012345678', Dpp: '6495000.00', Ppn: '714450.00', Total: '7209450.00', FieldsRead: 6, Confidence: '100.0000', TemplateCode: 'UMUM' })
    const state = (await admin.get(`/api/v1/ocr/${scan.ID}`)).data
    expect(state).toMatchObject({ Reading: 'READ', Pages: [{ IsDigital: true }], Readings: expect.arrayContaining([expect.objectContaining({ Field: 'total', Value: '7209450.00', Page: 1 })]) })
    const page = await arus.app.inject({ url: `/api/v1/ocr/${scan.ID}/page/1`, headers: { authorization: `Bearer ${admin.token}` } })
    expect([page.statusCode, page.headers['content-type'], page.rawPayload.subarray(0, 2).toString('hex')]).toEqual([200, 'image/jpeg', 'ffd8'])
    const expense = await idByCode(arus.database, 'expense_type', 'E-JASA')
    const wrong = await accept(scan, { Total: '7209540' })
    expect(wrong.data.errors).toMatchObject([{ field: 'Total', key: 'field.NOT_EQUAL.scan-total', text: 'Net amount and VAT come to 7,209,450.00.' }])
    const accepted = await accept((await admin.get(`${path}/${scan.ID}`)).data.record, { VendorInvoiceNo: 'SRM/0475', Total: '7209450', ExpenseTypeID: expense })
    expect([accepted.status, accepted.message]).toEqual([200, expect.any(String)])
    expect(accepted.data.record).toMatchObject({ Status: 3, Corrected: 1 })
    const invoice = (await admin.get(`/api/v1/data/vendor-invoice/${accepted.data.record.VendorInvoiceID}`)).data.record
    expect(invoice).toMatchObject({ Status: 0, Kind: 'NON_TRADE', VendorID: vendor, VendorInvoiceNo: 'SRM/0475', DocDate: '2026-03-12', Dpp: '6495000.00', Ppn: '714450.00', FakturNumber: '04002600012345678', Lines: [{ ExpenseTypeID: expense, Amount: '6495000.00' }] })
    const again = await admin.put(`${path}/${scan.ID}`, { Note: 'x' }, { version: accepted.data.record.Version })
    expect(again.status, 'accepted it is closed').not.toBe(200)
  }, 60_000)

  test('that cannot be read says why, and is entered by hand all the same', async () => {
    const scan = await read(digitalPdf([marks]).subarray(0, 300), 'torn.pdf')
    expect(scan).toMatchObject({ Reading: 'FAILED', Problem: 'broken', FieldsRead: null })
    expect((await admin.get(`/api/v1/ocr/${scan.ID}`)).data).toMatchObject({ Reading: 'FAILED', Problem: 'broken', Pages: [] })
    const missing = await admin.post(`${path}/${scan.ID}/accept`, {}, { version: scan.Version })
    expect(missing.data.errors.map(({ key }: { key: string }) => key)).toContain('rule.scan-vendor')
    const accepted = await accept(scan, { VendorID: vendor, VendorInvoiceNo: 'H-1', InvoiceDate: '2026-03-12', Dpp: '100000' })
    expect(accepted.data.record).toMatchObject({ Status: 3, Total: '100000.00', Corrected: 0 })
  }, 60_000)

  test('is stopped while it is read, and read again with a template of its own', async () => {
    const { ID, Version } = await sent(await picture(marks, 200), 'scan.png')
    await admin.post(`/api/v1/ocr/${ID}/stop`, {})
    await arus.app.scans.idle()
    const stopped = (await admin.get(`${path}/${ID}`)).data.record
    expect(stopped).toMatchObject({ Status: 1, Reading: 'FAILED', Problem: 'stopped' })
    expect(Version).toBeLessThan(stopped.Version)
    const bad = await admin.post('/api/v1/data/vendor-invoice-template-ocr', { Code: 'SRM', Name: 'Sumber Rasa', VendorID: vendor, PageAnchor: 'Sumber Rasa', IsActive: true, Lines: [{ Field: 'INVOICE_NO', Type: 'TEXT', Pattern: '(' }] })
    expect(bad.data.errors).toMatchObject([{ field: 'Lines[0].Pattern', key: 'field.INVALID.pattern' }])
    const template = await admin.post('/api/v1/data/vendor-invoice-template-ocr', { Code: 'SRM', Name: 'Sumber Rasa', VendorID: vendor, PageAnchor: 'Sumber Rasa', IsActive: true, Lines: [{ Field: 'INVOICE_NO', Type: 'TEXT', Anchor: 'No. Faktur', Pattern: '(\\d{4})' }] })
    expect([template.status, template.message]).toEqual([200, expect.any(String)])
    const again = await admin.post(`${path}/${ID}/read-again`, {}, { version: stopped.Version })
    expect([again.status, again.message]).toEqual([200, expect.any(String)])
    await arus.app.scans.idle()
    expect((await admin.get(`${path}/${ID}`)).data.record).toMatchObject({ Reading: 'READ', TemplateCode: 'SRM', VendorInvoiceNo: '0457', FieldsRead: 1 })
  }, 120_000)

  test('is in work while it is read: another file and a note may be entered; then all may, and it is accepted or cancelled', async () => {
    const scan = await read(digitalPdf([marks]).subarray(0, 300), 'torn.pdf')
    const stand = async (status: number, reading: string): Promise<void> => void (await arus.database.run(sql`update vendor_invoice_ocr set status = ${status}, reading = ${reading} where id = ${scan.ID}`))
    const change = (columns: object, version: number) => admin.put(`${path}/${scan.ID}`, columns, { version })
    await stand(8, 'READING')
    const refused = await change({ Dpp: '100', Note: 'Mendesak', VendorInvoiceNo: null }, scan.Version)
    expect(refused.data.errors).toMatchObject([{ field: 'Dpp', key: 'field.READ_ONLY.status', text: 'This stays as it is while the status is Being read.' }])
    const noted = await change({ Note: 'Mendesak', VendorInvoiceNo: null, OperatingUnitID: unit }, scan.Version)
    expect(noted.data.record).toMatchObject({ Status: 8, Note: 'Mendesak' })
    for (const action of ['accept', 'cancel', 'read-again']) expect((await admin.post(`${path}/${scan.ID}/${action}`, {}, { version: noted.data.record.Version })).code).toBe('ILLEGAL_TRANSITION')
    await stand(1, 'FAILED')
    const entered = await change({ VendorID: vendor, VendorInvoiceNo: 'H-2', InvoiceDate: '2026-03-12', Dpp: '100' }, noted.data.record.Version)
    expect(entered.data.record).toMatchObject({ Status: 1, VendorInvoiceNo: 'H-2' })
    const file = await upload(arus.app, admin.token, '/api/v1/general/upload?resource=vendor-invoice-ocr&field=scan_id', { name: 'whole.pdf', bytes: digitalPdf([marks]) }, { 'idempotency-key': crypto.randomUUID() })
    const replaced = await change({ ScanID: file.data.record.ID }, entered.data.record.Version)
    expect(replaced.data.record).toMatchObject({ Status: 8, Reading: 'QUEUED' })
    await arus.app.scans.idle()
    const whole = (await admin.get(`${path}/${scan.ID}`)).data.record
    expect(whole).toMatchObject({ Status: 1, Reading: 'READ', VendorInvoiceNo: expect.stringContaining('0457') })
    const history = await arus.database.rows(sql`select action, from_status, to_status from document_log where doc_type = 'vendor_invoice_ocr' and doc_id = ${scan.ID} and from_status is distinct from to_status order by id`)
    expect(history).toEqual([{ action: 'create', from_status: null, to_status: 8 }, { action: 'read', from_status: 8, to_status: 1 }, { action: 'edit', from_status: 1, to_status: 8 }, { action: 'read', from_status: 8, to_status: 1 }])
    const cancelled = await admin.post(`${path}/${scan.ID}/cancel`, {}, { version: whole.Version })
    expect(cancelled.data.record).toMatchObject({ Status: 6 })
    expect((await change({ Note: 'x' }, cancelled.data.record.Version)).code).toBe('ILLEGAL_TRANSITION')
  }, 60_000)

  test('is nobody\'s but those who may see it', async () => {
    const sales = await arus.signIn('sales')
    expect((await sales.get('/api/v1/ocr/1')).status).toBe(403)
    expect((await sales.get('/api/v1/ocr/1/page/1')).status).toBe(403)
    expect((await sales.post('/api/v1/ocr/1/stop', {})).status).toBe(403)
    expect((await admin.get('/api/v1/ocr/99999')).status).toBe(404)
  })
})
