import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { strFromU8, unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ImportBatch, ImportRow } from '#api/import.ts'
import { loadUser } from '#server/access/users.ts'
import type { User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { importByFile } from '#server/import/importByFile.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { testFolder } from '../../support/database.ts'
import { Imports } from '../../support/imports.ts'
import { upload } from '../../support/upload.ts'
import { textRows, workbook } from '../../support/workbook.ts'

let arus: TestApp
let admin: Session
let sales: Session
let files: Imports

const heads = 'Code,Name,Category,Channel,Area,Territory,OU,Term,Salesman,PKP,NPWP,TaxName,TaxAddress,BillAddress,ShipCode,ShipAddress,City'
const rest = 'Jl. Melati 5,SHIP,Jl. Melati 6,Jakarta'
let codes: { readonly category: string; readonly channel: string; readonly term: string }

beforeAll(async () => {
  arus = await testApp()
  ;[admin, sales] = [await arus.signIn('admin'), await arus.signIn('sales')]
  files = new Imports(arus, admin)
  await arus.database.run(sql`insert into sales_area (code, name, territory_id) select 'A-1', 'Area 1', id from territory where code = 'JKT-N'`)
  const row = await arus.database.first(sql`select (select code from customer_category order by id limit 1) as category, (select code from sales_channel order by id limit 1) as channel, (select code from payment_term order by id limit 1) as term`)
  codes = { category: String(row?.['category']), channel: String(row?.['channel']), term: String(row?.['term']) }
})

const line = (code: string, name: string, change: Partial<Record<'category' | 'territory' | 'tax', string>> = {}): string =>
  [code, name, change.category ?? codes.category, codes.channel, 'A-1', change.territory ?? 'JKT-N', 'JKT', codes.term, 'E1', change.tax ?? 'N,,,', rest].join(',')

const take = (text: string | Buffer, name = 'customers.csv', query = ''): Promise<ImportBatch> => files.take('customer.import', text, { name, query })

const customers = async (): Promise<number> => Number((await arus.database.first(sql`select count(*)::int as n from customer`))?.['n'])
const errors = (rows: readonly ImportRow[]): readonly string[] => rows.flatMap((row) => row.Errors.map((error) => `${row.RowNo} ${error.column} ${error.code}`))

describe('Complaint 12: an import that does not say which row, which column and why', () => {
  it('is checked without writing, each mistake in its cell with the way to mend it', async () => {
    const before = await customers()
    const batch = await take([heads, line('K-1', 'Right'), line('K-2', 'Odd', { category: `${codes.category}X` }), line('C0000001', 'Taken'), line('K-1', 'Twice'), line('K-4', '', { tax: 'Y,,,' })].join('\n'))
    expect(batch).toMatchObject({ Status: 1, RowsTotal: 5, RowsRight: 1, RowsWrong: 4, RowsImported: 0 })
    const rows = await files.rows(batch, 'ERROR')
    expect(errors(rows)).toEqual(['3 Category E02', '4 Code E04', '5 Code E03', '6 Name E01', '6 NPWP E01', '6 TaxName E01', '6 TaxAddress E01'])
    expect(rows[0]?.Errors[0]).toMatchObject({ suggestions: expect.arrayContaining([codes.category]) })
    expect(await customers()).toBe(before)
  })

  it('names whose the customer is and whether he is a taxpayer: none of it is guessed', async () => {
    const none = line('N-1', 'Nobody').replace(',A-1,', ',,').replace(',E1,N,', ',,,')
    expect(errors(await files.rows(await take([heads, none].join('\n')), 'ERROR'))).toEqual(['2 Area E01', '2 Salesman E01', '2 PKP E01'])
  })

  it('is given up once it has brought the server down three times, and says so; a third try may still come through', async () => {
    const { database, app } = arus
    const batch = await take([heads, line('T-1', 'Tried')].join('\n'))
    const resumed = async (tries: number): Promise<ImportBatch> => {
      await database.run(sql`update import_batch set status = 8, work = 'READ', tries = ${tries}, beat_at = '2026-01-01T00:00:00Z' where id = ${batch.ID}`)
      await app.imports.start()
      return files.settled(batch)
    }
    expect(await resumed(2)).toMatchObject({ Status: 1, RowsRight: 1, Problem: null })
    expect(await resumed(3)).toMatchObject({ Status: 5, Problem: { key: 'problem.INTERNAL.import-tries', params: { most: 3 } } })
    // Whoever has looked at the file may begin anew.
    expect((await admin.put(`/api/v1/import-batch/${batch.ID}/reading`, { form: batch.Form })).status).toBe(200)
    expect(await files.settled(batch)).toMatchObject({ Status: 1, RowsRight: 1, Problem: null })
  })

  it('is imported also when that is asked for in the moment in which checking ends', async () => {
    const { database } = arus
    const first = database.first.bind(database)
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300))
    // The last look of the work that ends is slow; who asks meanwhile reads the table himself.
    database.first = async (query) => {
      const row = await first(query)
      if (row !== undefined && 'file_key' in row && row['work'] === null) await pause()
      return row as never
    }
    try {
      const sent = await upload(arus.app, admin.token, '/api/v1/import/customer.import', { name: 'quick.csv', bytes: [heads, line('Q-1', 'Quick')].join('\n') })
      const { ID } = sent.data.record as ImportBatch
      while ((await first(sql`select work from import_batch where id = ${ID}`))?.['work'] !== null) await new Promise((resolve) => setTimeout(resolve, 2))
      expect((await admin.post(`/api/v1/import-batch/${ID}/commit`, {})).message).toEqual(expect.any(String))
      expect(await files.settled({ ID })).toMatchObject({ Status: 3, RowsImported: 1 })
    } finally {
      database.first = first
    }
  }, 10_000)

  it('is mended in place, imported in part, and what is left is sent in again without touching the rest', async () => {
    const batch = await take([heads, line('M-1', 'One'), line('M-2', 'Two', { category: 'NONE' }), line('M-3', 'Three', { category: 'NONE' }), line('M-4', 'Four', { territory: 'NOWHERE' })].join('\n'))
    expect(batch.RowsWrong).toBe(3)
    const mended = await admin.put(`/api/v1/import-batch/${batch.ID}/rows`, { cells: [{ row: 3, column: 'Category', value: codes.category }], everywhere: true })
    expect(mended.data.record).toMatchObject({ RowsRight: 3, RowsWrong: 1 })
    const before = await customers()
    const done = await files.commit(batch)
    expect(done).toMatchObject({ Status: 2, RowsImported: 3, RowsWrong: 1, Actions: ['undo', 'failed'], Waiting: [{ DocType: 'customer', Count: 3, Path: '/customer-approval' }] })
    expect(await customers()).toBe(before + 3)
    const made = await arus.database.rows(sql`
      select c.code, c.name, c.status, (select string_agg(a.kind || ' ' || a.code || ' ' || a.address, ', ' order by a.kind) from customer_address a where a.customer_id = c.id) as addresses,
        (select count(*)::int from document_log l where l.doc_type = 'customer' and l.doc_id = c.id and l.action = 'create') as logged
      from customer c where c.code like 'M-%' order by c.code`)
    // They wait for approval like customers somebody has typed.
    expect(made.map(({ code, name, status, logged }) => [code, name, status, logged])).toEqual([['M-1', 'One', 4, 1], ['M-2', 'Two', 4, 1], ['M-3', 'Three', 4, 1]])
    expect(made[0]?.['addresses']).toBe('BILL_TO BILL Jl. Melati 5, SHIP_TO SHIP Jl. Melati 6')

    const file = await arus.app.inject({ url: `/api/v1/import-batch/${batch.ID}/failed?format=csv`, headers: { authorization: `Bearer ${admin.token}` } })
    const failed: readonly (readonly string[])[] = parse(file.body, { bom: true })
    expect(failed.map((row) => [row[0], row.at(-1)])).toEqual([['Code', 'Error'], ['M-4', expect.stringContaining('Territory: There is no')]])
    const again = await take(file.body.replace('NOWHERE', 'JKT-N'), 'rest.csv', `?retry_of=${batch.ID}`)
    expect(again).toMatchObject({ RowsTotal: 1, RowsRight: 1, RetryOf: { ID: batch.ID } })
    expect((await admin.get(`/api/v1/import-batch/${batch.ID}`)).data).toMatchObject({ record: { RetriedBy: { ID: again.ID, Code: again.Code } } })
    expect(await files.commit(again)).toMatchObject({ Status: 3, RowsImported: 1 })
    expect(await customers()).toBe(before + 4)
  })

  it('a limit in the file is decided with the customer it is asked for', async () => {
    const withLimit = [`${heads},Limit`, `${line('LIM-1', 'With limit')},"25.000.000"`, `${line('LIM-2', 'Without')},`, `${line('LIM-3', 'Below nothing')},-5`].join('\n')
    const batch = await take(withLimit)
    expect(errors(await files.rows(batch))).toEqual(['4 Limit E06'])
    expect(await files.commit(batch)).toMatchObject({ RowsImported: 2 })
    const id = await arus.id('customer', 'LIM-1')
    expect(await arus.database.rows(sql`select c.code, c.status, l.kind, l.amount, l.valid_from from credit_limit l join customer c on c.id = l.customer_id where c.code like 'LIM-%'`)).toEqual([
      { code: 'LIM-1', status: 4, kind: 'REGULER', amount: '25000000.00', valid_from: '2026-11-20' },
    ])
    const reasons = async (): Promise<unknown> => (await arus.database.first(sql`select reasons from approval_request where doc_type = 'customer' and doc_id = ${id} and status = 4`))?.['reasons']
    expect(await reasons()).toMatchObject([{ code: 'NEW' }, { code: 'LIMIT', text: 'Credit limit asked for: 25,000,000.00' }])
    // Returned and sent again, the request says it again.
    const credit = await arus.signIn('credit')
    const request = (await arus.database.first<{ id: number }>(sql`select id from approval_request where doc_type = 'customer' and doc_id = ${id} and status = 4`))?.id
    expect((await credit.post(`/api/v1/approval/${request}/return`, { Note: 'Which deed?' })).status).toBe(200)
    const { Version } = (await admin.get(`/api/v1/data/customer/${id}`)).data.record
    expect((await admin.put(`/api/v1/data/customer/${id}`, { Name: 'With limit and deed' }, { version: Version })).status).toBe(200)
    expect(await reasons()).toMatchObject([{ code: 'NEW' }, { code: 'LIMIT' }])
    // Who may make customers but no limits is told so at the cell, and may import the others.
    await arus.database.run(sql`update app_user set role_id = (select id from role where code = 'MASTER_DATA') where email = 'sales@arus.example'`)
    await arus.database.run(sql`delete from role_permission where guard_name = 'credit-limit-create' and role_id = (select id from role where code = 'MASTER_DATA')`)
    const maker = new Imports(arus, await arus.signIn('sales'))
    const own = await maker.take('customer.import', withLimit.replaceAll('LIM-', 'LIN-').replace('-5', ''))
    expect(await maker.errors(own)).toEqual([expect.stringMatching(/^2 Limit E10 You may not enter Credit limit/)])
    expect(await maker.commit(own)).toMatchObject({ RowsImported: 2, RowsWrong: 1 })
    await arus.database.run(sql`update app_user set role_id = (select id from role where code = 'SALES_ADMIN') where email = 'sales@arus.example'`)
  })

  it('sent twice is noticed, and rows imported before are left out even where they have no code', async () => {
    const text = [heads, line('', 'Drawn number')].join('\n')
    const first = await files.commit(await take(text))
    expect(first).toMatchObject({ Status: 3, RowsImported: 1 })
    expect((await files.rows(first))[0]?.Records[0]).toMatchObject({ entity: 'customer', name: expect.stringMatching(/\d/) })
    const before = await customers()
    const second = await take(text)
    expect(second).toMatchObject({ SameAs: { Code: first.Code }, RowsSkipped: 1, RowsRight: 0 })
    const more = await take(`${text}\n${line('', 'Another')}`)
    expect(more).toMatchObject({ SameAs: null, RowsSkipped: 1, RowsRight: 1 })
    await files.commit(await take([heads, line('S-1', 'Same')].join('\n'), 'a.csv'))
    expect(await customers()).toBe(before + 1)
  })

  it('whose numbers could be two asks how they are written, and imports nothing before it is told', async () => {
    const text = (code: string, limit: string) => `${`${heads},Limit\n${line(code, 'Doubt')},`.replaceAll(',', ';')}${limit}`
    const asked = await take(text('DB-1', '150.000'))
    expect(asked).toMatchObject({ Status: 1, RowsRight: 1, Doubt: '150.000', Actions: ['read', 'cancel'] })
    const refused = await admin.post(`/api/v1/import-batch/${asked.ID}/commit`, {})
    expect(refused).toMatchObject({ status: 422, data: { errors: [{ field: 'form.decimal', key: 'field.REQUIRED.decimal-sign' }] } })
    await admin.put(`/api/v1/import-batch/${asked.ID}/reading`, { form: { delimiter: ';' } })
    expect(await files.settled(asked), 'what was not told is asked still').toMatchObject({ Doubt: '150.000' })
    await admin.put(`/api/v1/import-batch/${asked.ID}/reading`, { form: { decimal: ',' } })
    const told = await files.settled(asked)
    expect(told).toMatchObject({ Doubt: null, Form: { decimal: ',' } })
    expect(await files.commit(told)).toMatchObject({ RowsImported: 1 })
    const limits = await arus.database.rows<{ amount: string }>(sql`select l.amount from credit_limit l join customer c on c.id = l.customer_id where c.code = 'DB-1'`)
    expect(limits.map(({ amount }) => amount)).toEqual(['150000.00'])
    // Told to be as it was taken, it is told as well.
    const other = await take(text('DB-2', '150.000'))
    await admin.put(`/api/v1/import-batch/${other.ID}/reading`, { form: { decimal: '.' } })
    expect(await files.settled(other)).toMatchObject({ Doubt: null, Form: { decimal: '.' }, Actions: expect.arrayContaining(['commit']) })
    for (const limit of ['150000', '150.000,00', '1.500.000', '150.5']) expect(await take(text('DB-3', limit)), limit).toMatchObject({ Doubt: null })
    expect(await take(text('DB-3', '').replace('Doubt', '150.000')), 'a name is no number').toMatchObject({ Doubt: null })
  })

  it('of a workbook asks about what is text, not about its numbers', async () => {
    const sheet = (limit: string) => textRows([[...heads.split(','), 'Limit'], [...line('DB-4', 'Workbook').split(','), limit]])
    expect(await take(workbook(sheet('1.000')), 'a.xlsx')).toMatchObject({ Doubt: '1.000' })
    const number = sheet('1.125').replace('<c t="inlineStr"><is><t xml:space="preserve">1.125</t></is></c>', '<c><v>1.125</v></c>')
    expect(await take(workbook(number), 'b.xlsx')).toMatchObject({ Doubt: null })
  })

  it('sent twice is read as it was read before, or its rows would not be known again', async () => {
    const text = [`${heads},Limit`, `${line('SR-1', 'Read')},25.000`, `${line('SR-2', 'Wrong', { category: 'NONE' })},1.000`].join('\n').replaceAll(',', ';')
    const first = await take(text)
    await admin.put(`/api/v1/import-batch/${first.ID}/reading`, { form: { decimal: ',' } })
    expect(await files.commit(await files.settled(first))).toMatchObject({ RowsImported: 1 })
    const second = await take(text)
    expect(second).toMatchObject({ SameAs: { ID: first.ID }, Form: { decimal: ',', delimiter: ';' }, RowsSkipped: 1, RowsWrong: 1 })
    // What its user says of it now counts.
    await admin.put(`/api/v1/import-batch/${second.ID}/reading`, { form: { decimal: '.' } })
    expect((await files.settled(second)).Form).toMatchObject({ decimal: '.' })
  })

  it('of which the same is imported again asks first', async () => {
    const text = [heads, line('T-1', 'Once'), line('T-2', 'Wrong', { category: 'NONE' })].join('\n')
    await files.commit(await take(text))
    const second = await take(text)
    await admin.put(`/api/v1/import-batch/${second.ID}/rows`, { cells: [{ row: 3, column: 'Category', value: codes.category }] })
    const asked = await admin.post(`/api/v1/import-batch/${second.ID}/commit`, {})
    expect([asked.status, asked.data.warnings[0].id]).toEqual([412, 'same-file'])
    expect(await files.commit(second, ['same-file'])).toMatchObject({ RowsImported: 1, RowsSkipped: 1 })
  })

  it('is taken back as one, except for what was changed since', async () => {
    const before = await customers()
    const batch = await files.commit(await take([heads, line('U-1', 'Stays'), line('U-2', 'Goes'), line('U-3', 'Goes too')].join('\n')))
    const id = await arus.id('customer', 'U-1')
    const { Version } = (await admin.get(`/api/v1/data/customer/${id}`)).data.record
    expect((await admin.put(`/api/v1/data/customer/${id}`, { Phone: '021 555' }, { version: Version })).status).toBe(200)
    const undone = await files.undo(batch)
    expect(undone).toMatchObject({ Status: 2, RowsImported: 1, RowsRight: 2 })
    expect(errors(await files.rows(undone, 'COMMITTED'))).toEqual(['2  E10'])
    expect(await customers()).toBe(before + 1)
    // What stays, stays whole.
    expect(await arus.database.rows(sql`select kind from customer_address where customer_id = ${id} order by kind`)).toEqual([{ kind: 'BILL_TO' }, { kind: 'SHIP_TO' }])
    expect(await arus.database.rows(sql`select id from customer_address where customer_id not in (select id from customer)`)).toEqual([])
  })

  it('with other heads is mapped by hand, and the choice is remembered', async () => {
    const other = heads.replace('Name', 'Label on the door').replace('Category', 'Sort of shop')
    const batch = await take([other, line('R-1', 'Mapped')].join('\n'))
    expect(batch.Mapping[1]).toBeNull()
    const mapping = batch.Mapping.map((name, i) => (i === 1 ? 'Name' : i === 2 ? 'Category' : name))
    expect((await admin.put(`/api/v1/import-batch/${batch.ID}/reading`, { mapping })).status).toBe(200)
    expect(await files.settled(batch)).toMatchObject({ RowsRight: 1, RowsWrong: 0 })
    expect((await take([other, line('R-2', 'Remembered')].join('\n'))).Mapping[1]).toBe('Name')
    // What is no column or no kind of rows is refused; columns nobody spoke of fill nothing.
    const put = async (reading: object): Promise<unknown> => (await admin.put(`/api/v1/import-batch/${batch.ID}/reading`, reading)).code
    expect([await put({ mapping: ['Code', '__proto__'] }), await put({ sheet: 'constructor' })]).toEqual(['VALIDATION_FAILED', 'VALIDATION_FAILED'])
    await put({ mapping: ['Code', 'Name'] })
    expect((await files.settled(batch)).Mapping).toEqual(batch.Mapping.map((_, i) => (i === 0 ? 'Code' : i === 1 ? 'Name' : null)))
    expect(await files.errors(batch)).not.toContainEqual(expect.stringMatching(/^2 {2}E05/))
    // A word on a batch says nothing of the next file but for the heads it names.
    await put({ mapping })
    await files.settled(batch)
  })

  it('is understood in every usual spelling, and corrected where it was not', async () => {
    const semicolons = [heads, line('E-1', 'Café Ünal')].join('\r\n').replaceAll(',', ';')
    for (const [bytes, encoding] of [
      [Buffer.from(semicolons, 'utf8'), 'utf-8'], [Buffer.from(`\uFEFF${semicolons}`, 'utf8'), 'utf-8'], [Buffer.from(`\uFEFF${semicolons}`, 'utf16le'), 'utf-16le'], [Buffer.from(semicolons, 'latin1'), 'windows-1252'],
    ] as const) {
      const batch = await take(bytes)
      expect(batch.Form).toMatchObject({ encoding, delimiter: ';' })
      expect((await files.rows(batch))[0]?.Cells[1]).toBe('Café Ünal')
    }
    const batch = await take(semicolons)
    await admin.put(`/api/v1/import-batch/${batch.ID}/reading`, { form: { delimiter: ',' } })
    expect(await files.settled(batch)).toMatchObject({ Form: { delimiter: ',' }, Heads: [expect.stringContaining(';')] })
  })

  it('sent in again is read as its user has said of it, unless it proves otherwise, and bears the reasons once', async () => {
    const batch = await take([`${heads},Limit`, `${line('RF-1', 'Read', { category: 'NONE' })},25.000`].join('\n'))
    expect(batch.Form).toMatchObject({ decimal: '.', date: 'DMY' })
    await admin.put(`/api/v1/import-batch/${batch.ID}/reading`, { form: { decimal: ',', date: 'MDY' } })
    const corrected = await files.settled(batch)
    expect(corrected.Form).toMatchObject({ decimal: ',', date: 'MDY' })
    const failed = async ({ ID }: Pick<ImportBatch, 'ID'>): Promise<string> =>
      (await arus.app.inject({ url: `/api/v1/import-batch/${ID}/failed?format=csv`, headers: { authorization: `Bearer ${admin.token}` } })).body
    const again = await take(await failed(corrected), 'again.csv', `?retry_of=${batch.ID}`)
    expect(again.Form).toMatchObject({ decimal: ',', date: 'MDY' })
    expect(parse(await failed(again), { bom: true, to: 1 })[0]).toEqual([...heads.split(','), 'Limit', 'Error'])
    const proven = await take([`${heads},Limit`, `${line('RF-1', 'Read')},"25,000.5"`].join('\n'), 'proven.csv', `?retry_of=${batch.ID}`)
    expect(proven.Form).toMatchObject({ decimal: '.', date: 'MDY' })
  })

  it('refused rows that look like formulas leave as text and come back as they were', async () => {
    const names = ['=1+1', '+62 812', '-5', '@SUM(A1)', '+cmd|x', '007']
    const batch = await take([heads, ...names.map((name, i) => line(`FO-${i}`, name, { category: 'NONE' }))].join('\n'))
    expect(batch.RowsWrong).toBe(names.length)
    for (const format of ['csv', 'xlsx']) {
      const file = await arus.app.inject({ url: `/api/v1/import-batch/${batch.ID}/failed?format=${format}`, headers: { authorization: `Bearer ${admin.token}` } })
      if (format === 'csv') expect(parse(file.body, { bom: true, from: 2 }).map((row) => row[1])).toEqual(["'=1+1", '+62 812', '-5', "'@SUM(A1)", "'+cmd|x", '007'])
      else expect(strFromU8(unzipSync(file.rawPayload)['xl/worksheets/sheet1.xml'] ?? new Uint8Array())).not.toContain('<f')
      const again = await take(file.rawPayload, `again.${format}`, `?retry_of=${batch.ID}`)
      expect((await files.rows(again)).map(({ Cells }) => Cells[1])).toEqual(names)
    }
  })

  it('that could not be read is read otherwise, without being sent again', async () => {
    const sheets = { 'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Cover" sheetId="1" r:id="rId1"/><sheet name="Shops" sheetId="2" r:id="rId2"/></sheets></workbook>', 'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>' }
    const shops = textRows([heads.split(','), line('CO-1', 'Behind the cover').split(',')])
    const covered = await take(workbook('', { ...sheets, 'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${shops}</sheetData></worksheet>` }), 'covered.xlsx')
    expect(covered).toMatchObject({ Status: 5, Problem: { key: 'problem.FILE_EMPTY.rows' }, Form: { sheet: 'Cover', sheets: ['Cover', 'Shops'] }, Actions: ['read'] })
    expect((await admin.put(`/api/v1/import-batch/${covered.ID}/reading`, { form: { sheet: 'Shops' } })).status).toBe(200)
    expect(await files.settled(covered)).toMatchObject({ Status: 1, RowsRight: 1, Problem: null, FinishedAt: null })
    // What the rows are is told by the sheet that is read, not by the one that was not.
    const areas = textRows([['Code', 'Name', 'Territory'], ['CA-1', 'Area', 'JKT-N']])
    const kinds = await files.take('item.import', workbook('', { ...sheets, 'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${areas}</sheetData></worksheet>` }), { name: 'areas.xlsx' })
    await admin.put(`/api/v1/import-batch/${kinds.ID}/reading`, { form: { sheet: 'Shops' } })
    expect(await files.settled(kinds)).toMatchObject({ Status: 1, Sheet: 'area', RowsRight: 1 })
    const joined = await files.take('item.import', 'Code;Name;Territory\nCA-2;Area;JKT-N')
    await admin.put(`/api/v1/import-batch/${joined.ID}/reading`, { form: { delimiter: '|' } })
    expect(await files.settled(joined)).toMatchObject({ Heads: ['Code;Name;Territory'] })
    await admin.put(`/api/v1/import-batch/${joined.ID}/reading`, { form: { delimiter: ';' } })
    expect(await files.settled(joined)).toMatchObject({ Sheet: 'area', RowsRight: 1 })
    // The same reading once more says the same once more.
    const wide = await take(`${heads}\n${line('CO-2', 'Too wide')}${','.repeat(500)}x`)
    expect(wide).toMatchObject({ Status: 5, Problem: { key: 'problem.FILE_BROKEN.columns' } })
    await admin.put(`/api/v1/import-batch/${wide.ID}/reading`, {})
    expect(await files.settled(wide)).toMatchObject({ Status: 5, Problem: { key: 'problem.FILE_BROKEN.columns' } })
    await admin.put(`/api/v1/import-batch/${wide.ID}/reading`, { form: { delimiter: ';' } })
    expect(await files.settled(wide)).toMatchObject({ Status: 1, RowsTotal: 1 })
    // What is no table in any reading stays refused.
    expect(await take(Buffer.from('PK\u0003\u0004 nothing'), 'broken.xlsx')).toMatchObject({ Status: 5, Actions: [] })
  })

  it('can be stopped and discarded; nothing of it is imported', async () => {
    const batch = await take([heads, line('X-1', 'Discarded')].join('\n'))
    expect((await admin.post(`/api/v1/import-batch/${batch.ID}/cancel`)).data.record).toMatchObject({ Status: 6, Actions: [] })
    expect((await admin.post(`/api/v1/import-batch/${batch.ID}/commit`)).code).toBe('ILLEGAL_TRANSITION')
  })

  it('belongs to whoever may import', async () => {
    const batch = await take([heads, line('Y-1', 'Mine')].join('\n'))
    expect((await sales.get(`/api/v1/import-batch/${batch.ID}`)).code).toBe('NOT_FOUND')
    expect((await sales.get('/api/v1/import/customer.import')).code).toBe('FORBIDDEN_GUARD')
    expect((await upload(arus.app, sales.token, '/api/v1/import/customer.import', { name: 'a.csv', bytes: 'x' })).status).toBe(403)
  })

  it('has a template that is itself a right file without rows', async () => {
    for (const format of ['xlsx', 'csv']) {
      const file = await arus.app.inject({ url: `/api/v1/import/customer.import/template?format=${format}&language=id`, headers: { authorization: `Bearer ${admin.token}` } })
      expect(file.statusCode).toBe(200)
      const batch = await take(file.rawPayload, `template.${format}`)
      expect(batch).toMatchObject({ Status: 5, Problem: { key: 'problem.FILE_EMPTY.rows' } })
    }
  })
})

describe('the command line', () => {
  it('imports a file with the rules, permissions and log of the screen', async () => {
    const { metadata } = await import('#generated/metadata.ts')
    const screen = metadata.screens['customer.import']
    if (screen?.kind !== 'import') throw new Error('no import of customers')
    const file = path.join(testFolder(), 'shops.csv')
    fs.writeFileSync(file, [heads, line('L-1', 'By command'), line('L-2', 'Odd', { category: 'NONE' })].join('\n'))
    const user = await userOf('admin')
    const looked = await importByFile(arus.app.imports, user, screen, { path: file, sheet: undefined, isOnlyChecked: true, isAnyway: false })
    expect([looked.batch.counts, looked.isRight]).toMatchObject([{ total: 2, right: 1, wrong: 1, imported: 0 }, false])
    expect(looked.lines).toEqual([expect.stringMatching(/^row 3, Category: There is no .* \(E02\)$/)])
    const done = await importByFile(arus.app.imports, user, screen, { path: file, sheet: undefined, isOnlyChecked: false, isAnyway: true })
    expect([done.batch.counts, done.isRight]).toMatchObject([{ imported: 1, wrong: 1 }, false])
    fs.writeFileSync(file, 'Code,Name\n"never closed,1\n')
    const broken = await importByFile(arus.app.imports, user, screen, { path: file, sheet: undefined, isOnlyChecked: false, isAnyway: false })
    expect([broken.batch.status, broken.lines, broken.isRight]).toEqual([5, [expect.stringContaining('never closed')], false])
    fs.writeFileSync(file, [heads, line('L-3', 'Right')].join('\n'))
    expect(await importByFile(arus.app.imports, user, screen, { path: file, sheet: undefined, isOnlyChecked: false, isAnyway: false })).toMatchObject({ isRight: true, batch: { status: 3 } })
    expect((await admin.get(`/api/v1/import-batch/${done.batch.id}`)).data.record).toMatchObject({ FileName: 'shops.csv', Status: 2, UserName: 'admin' })
    await expect(importByFile(arus.app.imports, await userOf('sales'), screen, { path: file, sheet: undefined, isOnlyChecked: true, isAnyway: false })).rejects.toThrow('FORBIDDEN_GUARD')
  })
})

async function userOf(name: string): Promise<User> {
  const user = await loadUser(arus.database, await arus.id('app_user', `${name}@arus.example`, 'email'))
  if (!user) throw new Error(`no user ${name}`)
  return user
}

describe('a restart', () => {
  it('goes on where it was: what was imported is not imported twice', async () => {
    const batch = await take([heads, ...Array.from({ length: 60 }, (_, i) => line(`Z-${i}`, `Shop ${i}`))].join('\n'))
    const before = await customers()
    // As a server leaves it that dies while importing.
    await arus.database.run(sql`update import_batch set work = 'COMMIT' where id = ${batch.ID}`)
    const second = await import('#server/app.ts').then(async ({ buildApp }) => {
      const { registries } = await import('#server/registries.ts')
      const { metadata } = await import('#generated/metadata.ts')
      const { diskStore } = await import('#server/files/diskStore.ts')
      return buildApp({ database: arus.database, clock: { now: () => new Date(Date.now() + 3_600_000), today: () => '2026-11-20' }, metadata, registries, version: 'test', files: diskStore(arus.filesFolder) })
    })
    await second.ready()
    expect(await files.settled(batch)).toMatchObject({ Status: 3, RowsImported: 60 })
    expect(await customers()).toBe(before + 60)
    await second.close()
  })
})
