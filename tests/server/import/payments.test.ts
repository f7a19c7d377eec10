import { beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { idByCode } from '../../support/company.ts'
import { Imports } from '../../support/imports.ts'

let arus: TestApp
let admin: Session
let files: Imports

beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
  files = new Imports(arus, admin)
  await arus.database.transaction(async (tx) => {
    await insertRows(tx, 'house_bank', [{
      code: 'BCA1', operating_unit_id: await idByCode(tx, 'operating_unit', 'JKT'), name: 'BCA', bank_id: await idByCode(tx, 'bank', 'BCA'), account_no: '111', account_name: 'PT Arus',
      gl_account_id: await idByCode(tx, 'account', '111201'), is_collection: true,
    }])
    await tx.run(sql`update setting_oms set value = 'true'::jsonb where key = 'begbal_open'`)
    await tx.run(sql`update setting_oms set value = '"2026-10-31"'::jsonb where key = 'cut_over_date'`)
  })
  const open = await files.take('opening-balance.import', 'Customer,DocNo,DocDate,DueDate,Total,Remaining\nC0000001,F-1,2026-10-01,2026-10-31,1000000,1000000\nC0000001,F-2,2026-10-02,2026-11-01,500000,500000\nC0000002,F-3,2026-10-03,2026-11-02,200000,200000')
  expect(await files.commit(open)).toMatchObject({ Status: 3, RowsImported: 3 })
})

const heads = 'PaymentRef,Customer,Date,Method,Bank,CashDesk,Amount,InvoiceNo,PaidAmount,Reason'

describe('payments by file', () => {
  it('are posted receipt by receipt, a wrong one holds back none but itself, and the log says what became of the money', async () => {
    const batch = await files.take('ar-payment.import', [
      heads,
      'T-1,C0000001,2026-11-20,TRANSFER,BCA1,,1500100,F-1,1000000,',
      'T-1,C0000001,2026-11-20,TRANSFER,BCA1,,1500100,F-2,500000,',
      'T-2,C0000002,2026-11-20,CASH,,KAS-JKT,300000,F-3,250000,',
      'T-3,C0000002,2026-11-20,TRANSFER,BCA1,,50,F-1,50,',
    ].join('\n'))
    expect((await files.rows(batch)).map((row) => [row.RowNo, row.State, row.Errors.map(({ column }) => column)])).toEqual([[2, 'VALID', []], [3, 'VALID', []], [4, 'ERROR', ['PaidAmount']], [5, 'ERROR', ['InvoiceNo', 'PaidAmount']]])
    // Looking at it has done nothing yet.
    expect(await arus.database.first(sql`select count(*)::int as n from ar_payment`)).toEqual({ n: 0 })
    expect(await files.commit(batch)).toMatchObject({ Status: 2, RowsImported: 2, RowsWrong: 2 })
    expect((await admin.get(`/api/v1/import-batch/${batch.ID}/payments`)).data.rows).toMatchObject([
      { RowNo: 2, Customer: 'C0000001 Toko Makmur', InvoiceCode: 'F-1', Amount: '1500100.00', Paid: '1000000.00', Allocated: '1000000.00', Remaining: '0.00', Unapplied: '100.00' },
      { RowNo: 3, InvoiceCode: 'F-2', Allocated: '500000.00', Remaining: '0.00' },
      { RowNo: 4, PaymentID: null, Allocated: null },
      { RowNo: 5, PaymentID: null },
    ])
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
    await admin.put(`/api/v1/import-batch/${batch.ID}/rows`, { cells: [{ row: 4, column: 'PaidAmount', value: '200000' }, { row: 4, column: 'Amount', value: '200000' }] })
    expect(await files.commit(batch)).toMatchObject({ Status: 2, RowsImported: 3, RowsWrong: 1 })
    expect(await arus.database.rows(sql`select code, status, remaining from invoice order by code`)).toEqual([
      { code: 'F-1', status: 3, remaining: '0.00' }, { code: 'F-2', status: 3, remaining: '0.00' }, { code: 'F-3', status: 3, remaining: '0.00' },
    ])
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
  })

  it('are taken back by asking for the reversal of each receipt; what is decided stands, the rest waits', async () => {
    const own = await files.take('opening-balance.import', 'Customer,DocNo,DocDate,DueDate,Total,Remaining\nC0000002,F-9,2026-10-01,2026-10-31,400000,400000\nC0000002,F-10,2026-10-01,2026-10-31,300000,300000')
    expect(await files.commit(own)).toMatchObject({ Status: 3 })
    const text = `${heads}\nU-1,C0000002,2026-11-20,TRANSFER,BCA1,,400000,F-9,400000,\nU-2,C0000002,2026-11-20,TRANSFER,BCA1,,300000,F-10,300000,`
    const right = await files.take('ar-payment.import', text)
    expect(await files.errors(right)).toEqual([])
    const batch = await files.commit(right)
    expect(batch).toMatchObject({ RowsImported: 2, Actions: expect.arrayContaining(['undo']) })
    const asked = await files.undo(batch)
    expect([await files.errors(asked), asked]).toMatchObject([[expect.stringMatching(/^2  E00 Taking it back was asked for/), expect.stringMatching(/^3  E00/)], { Status: 3, RowsImported: 2 }])
    const finance = await arus.signIn('finance')
    const requests = await arus.database.rows<{ id: number }>(sql`select r.id from approval_request r join ar_payment p on p.id = r.doc_id where r.doc_type = 'ar_payment' and r.status = 4 and p.reference_no = 'U-1'`)
    for (const { id } of requests) expect((await finance.post(`/api/v1/approval/${id}/approve`, {})).status).toBe(200)
    const again = await files.undo(asked)
    expect([(await files.rows(again)).map((row) => [row.State, row.Errors.map(({ code }) => code)]), again]).toMatchObject([[['VALID', []], ['COMMITTED', ['E10']]], { Status: 2, RowsImported: 1 }])
    expect(await arus.database.rows(sql`select status, remaining from invoice where code in ('F-9', 'F-10') order by id`)).toEqual([{ status: 1, remaining: '400000.00' }, { status: 3, remaining: '0.00' }])
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
    // What was taken back may be imported again.
    expect(await files.commit(again)).toMatchObject({ Status: 3, RowsImported: 2 })
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
  })

  it('each is judged as if those before it were booked, however many rows lie between, and again when one of them is mended', async () => {
    const others = Array.from({ length: 60 }, (_, i) => `V-${i},C0000002,2026-11-20,CASH,,KAS-JKT,100,O-${i},100,`)
    const own = await files.take('opening-balance.import', [
      'Customer,DocNo,DocDate,DueDate,Total,Remaining', 'C0000001,F-20,2026-10-01,2026-10-31,1000,1000', 'C0000001,F-21,2026-10-01,2026-10-31,1000,1000',
      ...others.map((_, i) => `C0000002,O-${i},2026-10-01,2026-10-31,100,100`),
    ].join('\n'))
    expect(await files.commit(own)).toMatchObject({ Status: 3 })
    // The second half is no part of the invoice that is left open, the third more than there is.
    const reason = (await arus.database.first<{ code: string }>(sql`select code from reason where usage = 'OUTSTANDING' and action = 'KEEP_OPEN' and not needs_note and is_active order by id limit 1`))?.code
    const pay = (ref: string, invoice: string, amount: string, why = ''): string => `${ref},C0000001,2026-11-20,TRANSFER,BCA1,,${amount},${invoice},${amount},${why}`
    const batch = await files.take('ar-payment.import', [heads, pay('W-1', 'F-20', '600', reason), pay('W-2', 'F-21', '900', reason), ...others, pay('W-3', 'f-20', '400'), pay('W-4', 'F-21', '400')].join('\n'))
    expect((await files.rows(batch)).filter(({ Errors }) => Errors.length > 0).map((row) => [row.RowNo, row.State, row.Errors.map(({ column }) => column)])).toEqual([[65, 'ERROR', ['PaidAmount']]])
    await admin.put(`/api/v1/import-batch/${batch.ID}/rows`, { cells: [{ row: 3, column: 'PaidAmount', value: '600' }, { row: 3, column: 'Amount', value: '600' }] })
    expect(await files.errors(batch)).toEqual([])
    await admin.put(`/api/v1/import-batch/${batch.ID}/rows`, { cells: [{ row: 2, column: 'PaidAmount', value: '500' }, { row: 2, column: 'Amount', value: '500' }] })
    expect((await files.rows(batch)).filter(({ Errors }) => Errors.length > 0).map((row) => [row.RowNo, row.State, row.Errors.map(({ column }) => column)])).toEqual([[64, 'ERROR', ['Reason']]])
    await admin.put(`/api/v1/import-batch/${batch.ID}/rows`, { cells: [{ row: 64, column: 'PaidAmount', value: '500' }, { row: 64, column: 'Amount', value: '500' }] })
    expect(await files.errors(batch)).toEqual([])
    expect(await files.commit(batch)).toMatchObject({ Status: 3, RowsImported: 64, RowsWrong: 0 })
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
  })

  it('come in from before the cut-over while a company begins, however old; by hand and afterwards they ask', async () => {
    const set = (key: string, value: unknown): Promise<unknown> => arus.database.run(sql`update setting_oms set value = ${JSON.stringify(value)}::jsonb where key = ${key}`)
    await set('cut_over_date', '2026-08-31')
    const own = await files.take('opening-balance.import', 'Customer,DocNo,DocDate,DueDate,Total,Remaining\nC0000002,F-30,2026-08-01,2026-08-31,900,900\nC0000002,F-31,2026-08-01,2026-08-31,900,900')
    expect(await files.commit(own)).toMatchObject({ Status: 3 })
    await set('cut_over_date', '2026-09-10')
    const row = (ref: string, day: string, amount: string): string => `${ref},C0000002,${day},TRANSFER,BCA1,,${amount},F-30,${amount},`
    const take = async (day: string): Promise<readonly unknown[]> => (await files.rows(await files.take('ar-payment.import', `${heads}\n${row('X-1', day, '900')}`))).map(({ State, Errors }) => [State, Errors.map(({ column }) => column)])
    expect([await take('2026-09-10'), await take('2026-09-11')]).toEqual([[['VALID', []]], [['ERROR', ['Date']]]])
    const typed = await admin.post('/api/v1/data/payment-received', {
      CustomerID: await arus.id('customer', 'C0000002'), PaymentDate: '2026-09-05', Method: 'TRANSFER', HouseBankID: await arus.id('house_bank', 'BCA1'), Amount: '900',
      Lines: [{ InvoiceID: (await arus.database.first<{ id: number }>(sql`select id from invoice where code = 'F-31'`))?.id, Paid: '900', Credits: [], Deductions: [] }],
    })
    expect((await admin.post(`/api/v1/data/payment-received/${typed.data.record.ID}/post`, {}, { version: typed.data.record.Version })).data.errors).toMatchObject([{ field: 'PaymentDate', code: 'BACKDATED' }])
    await set('begbal_open', false)
    expect(await take('2026-09-05')).toEqual([['ERROR', ['Date']]])
    await set('begbal_open', true)
    const batch = await files.take('ar-payment.import', `${heads}\n${row('X-1', '2026-09-05', '900')}`)
    expect(await files.commit(batch, ['same-file'])).toMatchObject({ Status: 3, RowsImported: 1 })
    expect(await arus.database.first(sql`select posting_date, status from ar_payment where reference_no = 'X-1'`)).toEqual({ posting_date: '2026-09-05', status: 1 })
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
  })

  it('a file that names no invoices shows none in its log', async () => {
    const batch = await files.take('ar-payment.import', 'PaymentRef,Customer,Date,Method,Bank,Amount,PaidAmount\nT-9,C0000001,2026-11-20,TRANSFER,BCA1,70,70')
    expect((await admin.get(`/api/v1/import-batch/${batch.ID}/payments`)).data.rows).toMatchObject([{ RowNo: 2, InvoiceCode: '' }])
  })

  it('the same reference pays once; another import has no such log', async () => {
    const again = await files.take('ar-payment.import', `${heads}\nT-1,C0000001,2026-11-20,TRANSFER,BCA1,,1,F-1,1,`)
    expect(again).toMatchObject({ RowsRight: 0, RowsWrong: 1 })
    const other = (await admin.get('/api/v1/import/opening-balance.import')).data.records[0]
    expect((await admin.get(`/api/v1/import-batch/${other.ID}/payments`)).status).toBe(404)
  })
})
