import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/node'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ExportBody } from '#api/export.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { CsvFile } from '#server/export/csvFile.ts'
import type { ExportPlan } from '#server/export/exportTable.ts'
import { LocalTime } from '#server/export/localTime.ts'
import { streamExport } from '#server/export/streamExport.ts'
import { textsOf } from '#server/texts.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { sheets } from '../support/sheets.ts'

let arus: TestApp
let admin: Session
let finance: Session
let sales: Session

beforeAll(async () => {
  arus = await testApp()
  ;[admin, finance, sales] = await Promise.all(['admin', 'finance', 'sales'].map((name) => arus.signIn(name)) as [Promise<Session>, Promise<Session>, Promise<Session>])
  await fillOrders()
})

/** Six orders of three customers in two units, one of them in another currency. */
async function fillOrders(): Promise<void> {
  const { database } = arus
  const [makmur, sejahtera, bandung] = await Promise.all(['C0000001', 'C0000002', 'C0000003'].map((code) => arus.id('customer', code)))
  const [jkt, bdg] = await Promise.all(['JKT', 'BDG'].map((code) => arus.id('operating_unit', code)))
  const [north, south, west] = await Promise.all(['JKT-N', 'JKT-S', 'BDG-W'].map((code) => arus.id('territory', code)))
  const admin1 = await arus.id('app_user', 'admin@arus.example', 'email')
  const place = { north: { operating_unit_id: jkt, territory_id: north, customer_id: makmur }, south: { operating_unit_id: jkt, territory_id: south, customer_id: sejahtera }, west: { operating_unit_id: bdg, territory_id: west, customer_id: bandung } }
  const order = (n: number, where: keyof typeof place, doc_date: string, total: string, more: object = {}) => ({
    code: `SO-${n}`, ...place[where], order_type: 'REG', doc_date, requested_date: doc_date, total, status: 1, po_number: `PO ${n}`, currency: 'IDR', note: null, block_codes: [] as string[], created_by: admin1, updated_by: admin1, ...more,
  })
  await insertRows(database, 'sales_order', [
    order(1, 'north', '2026-10-05', '1000000.50', { po_number: '=HYPERLINK("http://x")' }),
    order(2, 'south', '2026-10-20', '2500000.25'),
    order(3, 'north', '2026-11-02', '333333.33', { po_number: '+62 812-3456', note: 'two\nlines "quoted", <b>' }),
    order(4, 'west', '2026-11-02', '777.00', { status: 4, block_codes: ['CL01', 'PR01'] }),
    order(5, 'north', '2026-11-15', '-20.00', { po_number: null }),
    order(6, 'south', '2026-11-18', '12.34', { currency: 'USD' }),
  ])
}

const plain: ExportBody = {
  screen: 'sales-order.list', format: 'csv', language: 'en', hasTotals: false,
  columns: [{ name: 'code' }, { name: 'doc_date' }, { name: 'customer_id' }, { name: 'total' }, { name: 'status' }, { name: 'po_number' }],
  sort: [{ field: 'code', dir: 'asc' }],
}

async function ask(session: Session, body: object, headers: object = {}) {
  return arus.app.inject({ method: 'POST', url: '/api/v1/export', headers: { authorization: `Bearer ${session.token}`, ...headers }, payload: body })
}

async function csvRows(session: Session, body: object): Promise<string[][]> {
  const answer = await ask(session, body)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return parse(answer.rawPayload, { bom: true })
}

describe('a list as CSV', () => {
  it('has the rows of the screen in its order, under its labels, values in the words of the user', async () => {
    expect(await csvRows(finance, plain)).toEqual([
      // One of them is not in the currency that goes without saying.
      ['Code', 'Date', 'Customer', 'Customer code', 'Currency', 'Total', 'Status', 'PO number'],
      ['SO-1', '2026-10-05', 'Toko Makmur', 'C0000001', 'IDR', '1000000.50', 'Open', '\'=HYPERLINK("http://x")'],
      ['SO-2', '2026-10-20', 'Toko Sejahtera', 'C0000002', 'IDR', '2500000.25', 'Open', 'PO 2'],
      ['SO-3', '2026-11-02', 'Toko Makmur', 'C0000001', 'IDR', '333333.33', 'Open', '+62 812-3456'],
      ['SO-4', '2026-11-02', 'Toko Bandung', 'C0000003', 'IDR', '777.00', 'Waiting', 'PO 4'],
      ['SO-5', '2026-11-15', 'Toko Makmur', 'C0000001', 'IDR', '-20.00', 'Open', ''],
      ['SO-6', '2026-11-18', 'Toko Sejahtera', 'C0000002', 'USD', '12.34', 'Open', 'PO 6'],
    ])
  })

  it('says several declared values in words', async () => {
    const rows = await csvRows(finance, { ...plain, columns: [{ name: 'code' }, { name: 'block_codes' }], filter: { block_codes: { in: ['CL01', 'CL06'] } } })
    expect(rows).toEqual([['Code', 'Blocks'], ['SO-4', 'Credit limit, Below floor price']])
    const others = await csvRows(finance, { ...plain, columns: [{ name: 'code' }], filter: { block_codes: { nin: ['PR01'] } } })
    expect(others.flat()).toEqual(['Code', 'SO-1', 'SO-2', 'SO-3', 'SO-5', 'SO-6'])
  })

  it('follows columns, search, filter and order', async () => {
    const rows = await csvRows(finance, { ...plain, columns: [{ name: 'total' }, { name: 'code' }], search: 'makmur', filter: { total: { gt: '0' } }, sort: [{ field: 'total', dir: 'desc' }] })
    // The search looks at the references shown; without the customer column nobody is called Makmur.
    expect(rows).toEqual([['Total', 'Code']])
    const shown = await csvRows(finance, { ...plain, columns: [{ name: 'total' }, { name: 'customer_id' }], search: 'makmur', filter: { total: { gt: '0' } }, sort: [{ field: 'total', dir: 'desc' }] })
    expect(shown.slice(1)).toEqual([['1000000.50', 'Toko Makmur', 'C0000001'], ['333333.33', 'Toko Makmur', 'C0000001']])
  })

  it('speaks the language of the user', async () => {
    const [head, first] = await csvRows(finance, { ...plain, language: 'id', columns: [{ name: 'doc_date' }, { name: 'status' }] })
    expect([head, first]).toEqual([['Tanggal', 'Status'], ['2026-10-05', 'Terbuka']])
  })

  it('is written as the company has set it', async () => {
    await arus.database.run(sql`update setting_oms set value = '";"'::jsonb where key = 'csv_delimiter'`)
    await arus.database.run(sql`update setting_oms set value = '","'::jsonb where key = 'csv_decimal'`)
    await arus.database.run(sql`update setting_oms set value = 'false'::jsonb where key = 'csv_bom'`)
    const answer = await ask(finance, { ...plain, columns: [{ name: 'code' }, { name: 'total' }] })
    expect(answer.body.split('\r\n').slice(0, 2)).toEqual(['Code;Currency;Total', 'SO-1;IDR;1000000,50'])
    await arus.database.run(sql`update setting_oms set value = '","'::jsonb where key = 'csv_delimiter'`)
    await arus.database.run(sql`update setting_oms set value = '"."'::jsonb where key = 'csv_decimal'`)
    await arus.database.run(sql`update setting_oms set value = 'true'::jsonb where key = 'csv_bom'`)
    expect((await ask(finance, plain)).rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  })

  it('says how many rows come, and what the file is called', async () => {
    const { headers } = await ask(finance, { ...plain, language: 'cn' })
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'x-total-count': '6', 'cache-control': 'no-store' })
    expect(decodeURIComponent(String(headers['content-disposition']))).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''\p{Script=Han}+ 2026-11-20\.csv$/u)
  })
})

describe('a list as a workbook', () => {
  it('has typed cells, totals by currency, and a sheet that tells what it is', async () => {
    const answer = await ask(finance, { ...plain, format: 'xlsx', hasTotals: true, search: 'toko', filter: { all: [{ status: { in: [1, 4] } }, { doc_date: { within: 'thisYear' } }, { customer_id: await arus.id('customer', 'C0000001') }] } }, { 'x-timezone': 'America/Lima' })
    expect(answer.statusCode, answer.body).toBe(200)
    const [rows, about] = [await readSheet(answer.rawPayload), await readSheet(answer.rawPayload, 2)]
    expect(rows).toEqual([
      ['Code', 'Date', 'Customer', 'Customer code', 'Total', 'Status', 'PO number'],
      ['SO-1', new Date('2026-10-05'), 'Toko Makmur', 'C0000001', 1000000.5, 'Open', '=HYPERLINK("http://x")'],
      ['SO-3', new Date('2026-11-02'), 'Toko Makmur', 'C0000001', 333333.33, 'Open', '+62 812-3456'],
      ['SO-5', new Date('2026-11-15'), 'Toko Makmur', 'C0000001', -20, 'Open', null],
      ['Total of 3 rows', null, null, null, 1333313.83, null, null],
    ])
    expect(about).toEqual([
      ['List', 'Sales orders'],
      ['Company', 'PT Arus'],
      ['Made by', 'finance <finance@arus.example>'],
      ['Made at', '2026-11-20 10:00:00 Asia/Jakarta'],
      ['Territories', 'All'],
      ['Search', 'toko'],
      ['Filter', 'Status is one of Open, Waiting'],
      [null, 'Date: This year'],
      [null, 'Customer is Toko Makmur C0000001'],
      ['Sorted by', 'Code ↑'],
      ['Rows', '3'],
    ])
  })

  it('says days as days and amounts as amounts', async () => {
    const filter = { all: [{ doc_date: { ge: '2026-10-01', lt: '2026-12-01' } }, { total: { ge: '1' } }] }
    const about = await readSheet((await ask(finance, { ...plain, format: 'xlsx', filter })).rawPayload, 2)
    expect(about.map(([, said]) => said)).toEqual(expect.arrayContaining(['Date from 01/10/2026', 'Date before 01/12/2026', 'Total at least 1']))
  })

  it('never adds up two currencies', async () => {
    const rows = await readSheet((await ask(finance, { ...plain, format: 'xlsx', hasTotals: true, columns: [{ name: 'code' }, { name: 'total' }] })).rawPayload)
    expect(rows.slice(-2)).toEqual([['Total of 5 rows IDR', null, 3834091.08], ['Total of 1 row USD', null, 12.34]])
  })

  it('says of which currency a group is, also where it has but one', async () => {
    const answer = await ask(finance, { ...plain, format: 'xlsx', hasTotals: true, columns: [{ name: 'code' }, { name: 'total' }], filter: { total: { le: '777' } }, groupBy: [{ field: 'customer_id' }] })
    expect((await readSheet(answer.rawPayload)).map(([label, , total]) => [label, total]).filter(([label]) => / rows? /.test(String(label)))).toEqual([
      ['Toko Bandung C0000003: 1 row IDR', 777],
      ['Toko Makmur C0000001: 1 row IDR', -20],
      ['Toko Sejahtera C0000002: 1 row USD', 12.34],
      ['Total of 2 rows IDR', 757],
      ['Total of 1 row USD', 12.34],
    ])
  })

  it('has sub-totals under each group, the groups together', async () => {
    const answer = await ask(finance, { ...plain, format: 'xlsx', hasTotals: true, columns: [{ name: 'code' }, { name: 'total' }], filter: { currency: 'IDR' }, groupBy: [{ field: 'doc_date', by: 'month' }, { field: 'customer_id' }], sort: [{ field: 'total', dir: 'desc' }] })
    expect(await readSheet(answer.rawPayload)).toEqual([
      ['Code', 'Total'],
      ['SO-2', 2500000.25],
      ['Toko Sejahtera C0000002: 1 row', 2500000.25],
      ['SO-1', 1000000.5],
      ['Toko Makmur C0000001: 1 row', 1000000.5],
      ['10/2026: 2 rows', 3500000.75],
      ['SO-3', 333333.33],
      ['SO-5', -20],
      ['Toko Makmur C0000001: 2 rows', 333313.33],
      ['SO-4', 777],
      ['Toko Bandung C0000003: 1 row', 777],
      ['11/2026: 3 rows', 334090.33],
      ['Total of 5 rows', 3834091.08],
    ])
  })

  it('has the groups in the order of the screen: by their sum where that is sorted by, days newest first, else by their value', async () => {
    const codes = async (body: object) => (await csvRows(finance, { ...plain, columns: [{ name: 'code' }, { name: 'total' }], filter: { currency: 'IDR' }, ...body })).slice(1).map(([code]) => code)
    expect(await codes({ groupBy: [{ field: 'customer_id' }], sort: [{ field: 'total', dir: 'asc' }] })).toEqual(['SO-4', 'SO-5', 'SO-3', 'SO-1', 'SO-2'])
    expect(await codes({ groupBy: [{ field: 'doc_date', by: 'month' }] })).toEqual(['SO-3', 'SO-4', 'SO-5', 'SO-1', 'SO-2'])
    expect(await codes({ groupBy: [{ field: 'doc_date', by: 'month' }], sort: [{ field: 'doc_date', dir: 'asc' }, { field: 'code', dir: 'desc' }] })).toEqual(['SO-1', 'SO-2', 'SO-4', 'SO-3', 'SO-5'])
    expect(await codes({ groupBy: [{ field: 'customer_id' }], sort: [{ field: 'code', dir: 'desc' }] })).toEqual(['SO-4', 'SO-5', 'SO-3', 'SO-1', 'SO-2'])
  })

  it('keeps heads and pinned columns in view, filters the rows and prints heads on each page', async () => {
    const answer = await ask(finance, { ...plain, format: 'xlsx', hasTotals: true, columns: [{ name: 'code', isPinned: true, width: 150 }, { name: 'total' }, { name: 'note' }] })
    const { workbook, sheet } = sheets(answer.rawPayload)
    expect(sheet).toContain('<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/>')
    expect(sheet).toContain('<col min="1" max="1" width="20" customWidth="1"/>')
    // The totals stand below what is filtered.
    expect(sheet).toContain('<autoFilter ref="A1:D7"/>')
    expect(workbook).toContain(`<definedName name="_xlnm.Print_Titles" localSheetId="0">'Sales orders'!$1:$1</definedName>`)
  })
})

describe('who may export what', () => {
  it('is refused without the permission to export, and without that to see', async () => {
    const credit = await arus.signIn('credit')
    expect((await ask(credit, plain)).json()).toMatchObject({ status: 'FORBIDDEN_GUARD' })
    const cashier = await arus.signIn('cashier')
    expect((await ask(cashier, plain)).json()).toMatchObject({ status: 'FORBIDDEN_GUARD' })
    expect((await ask(arus.anonymous, plain)).json()).toMatchObject({ status: 'UNAUTHENTICATED' })
  })

  it('holds what lies in the territories of the user, and says so', async () => {
    expect((await csvRows(sales, { ...plain, columns: [{ name: 'code' }] })).flat()).toEqual(['Code', 'SO-1', 'SO-2', 'SO-3', 'SO-5', 'SO-6'])
    const bandung = await arus.signIn('sales.bdg')
    expect((await csvRows(bandung, { ...plain, columns: [{ name: 'code' }] })).flat()).toEqual(['Code', 'SO-4'])
    const answer = await ask(bandung, { ...plain, format: 'xlsx' })
    expect(await readSheet(answer.rawPayload, 2)).toContainEqual(['Territories', 'BDG-W'])
  })

  it('is refused for columns, filters and screens that do not exist or are kept back', async () => {
    const refused = async (change: object) => (await ask(admin, { ...plain, ...change })).json().status
    expect(await refused({ columns: [{ name: 'nonsense' }] })).toBe('VALIDATION_FAILED')
    expect(await refused({ screen: 'user.list', columns: [{ name: 'password_hash' }] })).toBe('VALIDATION_FAILED')
    expect(await refused({ filter: { nonsense: 1 } })).toBe('VALIDATION_FAILED')
    expect(await refused({ sort: [{ field: 'id; drop table x', dir: 'asc' }] })).toBe('VALIDATION_FAILED')
    expect(await refused({ groupBy: [{ field: 'constructor' }] })).toBe('VALIDATION_FAILED')
    expect(await refused({ screen: 'constructor' })).toBe('NOT_FOUND')
    expect(await refused({ screen: 'sales-order.form' })).toBe('NOT_FOUND')
    expect(await refused({ columns: [] })).toBe('VALIDATION_FAILED')
    expect(await refused({ format: 'pdf' })).toBe('VALIDATION_FAILED')
    expect(await refused({ surprise: 1 })).toBe('VALIDATION_FAILED')
  })
})

describe('many rows', () => {
  it('come complete and in order across the slices they are read in', async () => {
    const body = { ...plain, screen: 'customer.list', columns: [{ name: 'code' }] }
    await arus.database.run(sql`
      insert into customer (code, name, customer_category_id, sales_channel_id, payment_term_id, operating_unit_id, territory_id, status, tax_name, trx_code)
      select 'M' || lpad(n::text, 5, '0'), 'Many ' || n, customer_category_id, sales_channel_id, payment_term_id, operating_unit_id, territory_id, 1, tax_name, trx_code
      from customer, generate_series(1, 6001) n where code = 'C0000001'`)
    const rows = (await csvRows(admin, { ...body, search: 'many' })).slice(1).flat()
    expect(rows).toEqual(Array.from({ length: 6001 }, (_, i) => `M${String(i + 1).padStart(5, '0')}`))
    const backwards = (await csvRows(admin, { ...body, search: 'many', sort: [{ field: 'name', dir: 'desc' }] })).slice(1).flat()
    expect(backwards.toSorted()).toEqual(rows)
    // By name: Many 999 stands after Many 6001.
    expect(backwards[0]).toBe('M00999')
  })

  it('let others at the database between the slices', async () => {
    const waits: number[] = []
    const exporting = ask(admin, { ...plain, screen: 'customer.list', columns: [{ name: 'code' }, { name: 'name' }, { name: 'territory_id' }] })
    const ended = new AbortController()
    void exporting.then(() => ended.abort())
    while (!ended.signal.aborted) {
      const started = performance.now()
      await arus.database.first(sql`select 1 as one`)
      waits.push(performance.now() - started)
      await pause(1)
    }
    expect((await exporting).headers['x-total-count']).toBe('6004')
    expect(waits.length).toBeGreaterThan(2)
  })
})

describe('a receiver that leaves', () => {
  it('ends the work before the next slice', async () => {
    let read = 0
    let isClosed = false
    const plan: ExportPlan = {
      title: 'Endless', groups: [], currency: undefined, hasTotals: false, about: [], translate: textsOf('en'),
      columns: [{ label: 'N', width: 10, isPinned: false, write: (file, row) => file.text(String(row['n'])) }],
      rows: async (work) => {
        try {
          return await work({
            total: 1_000_000,
            isEmpty: false,
            each: async (write) => {
              for (;;) {
                read++
                await write(Array.from({ length: 1_000 }, (_, i) => ({ n: `${read} ${i} ${'x'.repeat(1_000)}` })))
              }
            },
          })
        } finally {
          isClosed = true
        }
      },
    }
    const log: string[] = []
    const { body } = await streamExport({ log: (line) => void log.push(line) }, {
      plan, fileName: 'x.csv', open: (send) => new CsvFile(send, { delimiter: ',', decimal: '.', hasMark: false }, new LocalTime(undefined), { yes: 'Yes', no: 'No' }),
    })
    await new Promise((resolve) => {
      body.once('data', resolve)
    })
    body.destroy()
    await expect.poll(() => isClosed).toBe(true)
    const at = read
    await pause(20)
    expect(read).toBe(at)
    expect(log).toEqual([])
  })
})
