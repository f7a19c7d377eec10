import { readSheet } from 'read-excel-file/node'
import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import type { ExportBody } from '#api/export.ts'
import type { ReportAnswer, SummaryAnswer } from '#api/report.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'

const demo = await testApp({ template: demoTemplate })
let admin: Session
beforeAll(async () => {
  admin = await demo.signIn('admin')
})

const aging: ExportBody = {
  screen: 'ar-aging.report', format: 'xlsx', language: 'en', hasTotals: true, parameters: { in_books: 'true' },
  columns: ['customer_name', 'doc_code', 'due_date', 'days_late', 'remaining', 'overdue', 'overdue_ratio', 'unapplied'].map((name) => ({ name })),
  sort: [{ field: 'due_date', dir: 'asc' }],
}

async function ask(session: Session, body: ExportBody) {
  return demo.app.inject({ method: 'POST', url: '/api/v1/export', headers: { authorization: `Bearer ${session.token}` }, payload: body })
}

async function rowsOf(body: ExportBody, session = admin): Promise<readonly (readonly unknown[])[]> {
  const answer = await ask(session, body)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return readSheet(answer.rawPayload)
}

async function report(screen: string, query: Readonly<Record<string, string | number>> = {}): Promise<ReportAnswer> {
  return (await admin.get(`/api/v1/report/${screen}`, { length: 5000, ...query })).data
}

/** Tables made for exports that are still there. */
async function leftovers(): Promise<number> {
  return Number((await demo.database.first<{ n: number }>(sql`select count(*) as n from pg_class where relname like 'export\\_%' and relkind = 'r' and relpersistence = 't'`))?.n)
}

describe('a report as a workbook', () => {
  it('has every row of the filter and the totals of the screen, ratios worked out from totals', async () => {
    const shown = await report('ar-aging.report', { in_books: 'true' })
    const rows = await rowsOf(aging)
    expect(rows).toHaveLength(shown.recordsTotal + 2)
    expect(rows[0]).toEqual(['Customer name', 'Document no.', 'Due date', 'Days late', 'Remaining', 'Overdue', 'Overdue %', 'Unapplied'])
    const number = (name: string) => Number(shown.totals[name])
    const [label, , , , ...totals] = rows.at(-1) ?? []
    expect(label).toBe(`Total of ${shown.recordsTotal} rows`)
    expect(totals).toEqual(['remaining', 'overdue', 'overdue_ratio', 'unapplied'].map(number))
    expect(await leftovers()).toBe(0)
  })

  it('has its groups under their names with the sums of the screen', async () => {
    const shown = await report('ar-aging.report', { in_books: 'true' })
    const rows = await rowsOf({ ...aging, groupBy: [{ field: 'customer_code' }] })
    const headings = rows.filter(([first]) => typeof first === 'string' && / [\d,]+ rows?$/.test(first))
    expect(headings).toHaveLength((shown.groups?.length ?? 0) + 1)
    const group = shown.groups?.[0]
    const name = shown.rows.find((row) => row['CustomerCode'] === group?.value)?.['CustomerName']
    expect(headings.find(([first]) => first === `${String(name)} ${String(group?.value)}: ${group?.count === 1 ? '1 row' : `${group?.count ?? 0} rows`}`)?.[4]).toBe(Number(group?.totals['remaining']))
  })

  it('says a customer once where a row is a customer', async () => {
    const shown = await report('ar-aging.report', { level: 'SUMMARY', in_books: 'true' })
    const rows = await rowsOf({ ...aging, parameters: { level: 'SUMMARY', in_books: 'true' }, groupBy: [{ field: 'customer_code' }] })
    expect(rows).toHaveLength(shown.recordsTotal + (shown.groups?.length ?? 0) + 2)
  })

  it('calls the spans of the aging by the days set for them, alone and in groups, in the language asked for', async () => {
    const spans = { ...aging, columns: [{ name: 'bucket_2' }, { name: 'bucket_6' }], sort: [{ field: 'bucket_2', dir: 'desc' as const }] }
    expect((await rowsOf(spans))[0]).toEqual(['8–14 days', 'Over 90 days'])
    expect((await rowsOf({ ...spans, language: 'id', summary: { rows: ['customer_code'] } }))[0]?.slice(1)).toEqual(['8–14 hari', 'Di atas 90 hari'])
    expect(await readSheet((await ask(admin, spans)).rawPayload, 2)).toEqual(expect.arrayContaining([['Sorted by', '8–14 days ↓']]))
  })

  it('says its parameters on the second sheet', async () => {
    const answer = await ask(admin, { ...aging, parameters: { as_of: '2026-10-31', basis: 'INVOICE' }, filter: { days_late: { gt: 30 } } })
    const about = await readSheet(answer.rawPayload, 2)
    expect(about).toEqual(expect.arrayContaining([['As of', '31/10/2026'], ['Aged by', 'Invoice date'], ['Filter', 'Days late more than 30']]))
  })

  it('of every kind there is can be made with all its columns', async () => {
    for (const screen of Object.values(metadata.screens)) {
      if (screen.kind !== 'report') continue
      const parameters = screen.id === 'fbl5n.report' ? { customer_id: String(await demo.id('customer', 'C0000001')) } : {}
      const columns = screen.columns.map(({ name }) => ({ name }))
      expect({ screen: screen.id, rows: (await rowsOf({ ...aging, screen: screen.id, columns, parameters, sort: screen.sort })).length > 1 }).toEqual({ screen: screen.id, rows: true })
    }
    expect(await leftovers()).toBe(0)
  }, 120_000)

  it('tells the currency of its amounts where not all are in the one that goes without saying', async () => {
    const invoice = await demo.database.first<{ id: number; code: string }>(sql`select id, code from invoice where status = 1 order by id limit 1`)
    await demo.database.run(sql`update invoice set currency = 'AUD' where id = ${invoice?.id}`)
    try {
      const body = { ...aging, parameters: {}, columns: [{ name: 'doc_code' }, { name: 'remaining' }, { name: 'overdue' }] }
      const rows = await rowsOf(body)
      expect(rows[0]).toEqual(['Document no.', 'Currency', 'Remaining', 'Overdue'])
      expect(rows.find(([code]) => code === invoice?.code)?.[1]).toBe('AUD')
      expect(new Set(rows.slice(1, -3).map(([, currency]) => currency))).toEqual(new Set(['IDR', 'AUD', 'USD']))
      expect(rows.slice(-3).map(([label]) => String(label).slice(-3))).toEqual(['IDR', 'AUD', 'USD'])
      // Said once, where it was asked for; not at all where no amount stands, or where all are in the usual one.
      expect((await rowsOf({ ...body, columns: [...body.columns, { name: 'currency' }] }))[0]).toEqual(['Document no.', 'Remaining', 'Overdue', 'Currency'])
      expect((await rowsOf({ ...body, columns: [{ name: 'doc_code' }, { name: 'days_late' }] }))[0]).toEqual(['Document no.', 'Days late'])
      expect((await rowsOf({ ...body, filter: { currency: 'IDR' } }))[0]).toEqual(['Document no.', 'Remaining', 'Overdue'])
      // In groups: also where it is the only one.
      expect((await rowsOf({ ...body, columns: [{ name: 'remaining' }], sort: [], filter: { currency: 'AUD' }, summary: { rows: ['customer_code'] } }))[0]).toEqual(['Customer', 'Currency', 'Remaining'])
    } finally {
      await demo.database.run(sql`update invoice set currency = 'IDR' where id = ${invoice?.id}`)
    }
  })

  it('is refused whole when it has more rows than its dataset allows', async () => {
    const dataset = metadata.datasets['ar_aging']
    if (!dataset) throw new Error('No dataset')
    const small = await testApp({ template: demoTemplate, metadata: { ...metadata, datasets: { ...metadata.datasets, ar_aging: { ...dataset, limits: { ...dataset.limits, rows: 10 } } } } })
    const session = await small.signIn('admin')
    const answer = await small.app.inject({ method: 'POST', url: '/api/v1/export', headers: { authorization: `Bearer ${session.token}` }, payload: aging })
    expect(answer.json()).toMatchObject({ status: 'VALIDATION_FAILED', message: expect.stringContaining('at most 10') })
    expect(Number((await small.database.first<{ n: number }>(sql`select count(*) as n from pg_class where relname like 'export\\_%' and relpersistence = 't'`))?.n)).toBe(0)
  })
})

describe('who may export a report', () => {
  it('is refused without the permission to export', async () => {
    await demo.database.run(sql`delete from role_permission where guard_name = 'report-ar-aging-export' and role_id = (select id from role where code = 'CREDIT_CTRL')`)
    const credit = await demo.signIn('credit')
    expect((await credit.get('/api/v1/report/ar-aging.report')).status).toBe(200)
    expect((await ask(credit, aging)).json()).toMatchObject({ status: 'FORBIDDEN_GUARD' })
  })

  it('holds what lies in the territories of the user', async () => {
    const sales = await demo.signIn('sales')
    const body: ExportBody = { ...aging, screen: 'so-do-gi-bill.report', columns: [{ name: 'so_code' }, { name: 'territory_code' }], sort: [], hasTotals: false }
    const territories = new Set((await rowsOf(body, sales)).slice(1).map(([, territory]) => territory))
    const allowed = await demo.database.rows<{ code: string }>(sql`
      select t.code from user_territory ut join territory t on t.id = ut.territory_id join app_user u on u.id = ut.user_id where u.email = 'sales@arus.example'`)
    expect([...territories].filter((code) => !allowed.some((one) => one.code === code))).toEqual([])
    expect(territories.size).toBeGreaterThan(0)
    expect((await rowsOf(body)).length).toBeGreaterThan((await rowsOf(body, sales)).length)
  })
})

describe('a report in groups as a workbook', () => {
  const measures = ['remaining', 'overdue', 'overdue_ratio']
  const grouped: ExportBody = { screen: 'ar-aging.report', format: 'xlsx', language: 'en', hasTotals: true, columns: measures.map((name) => ({ name })), parameters: { in_books: 'true' }, summary: { rows: ['territory_code', 'customer_code'] }, sort: [{ field: 'remaining', dir: 'desc' }] }
  const summary = async (query: Readonly<Record<string, string | number>>): Promise<SummaryAnswer> =>
    (await admin.get('/api/v1/report/ar-aging.report/summary', { length: 5000, measures: measures.join(','), in_books: 'true', ...query })).data
  const numbers = (values: readonly (string | null)[] | undefined) => (values ?? []).map((value) => (value === null ? null : Number(value)))

  it('has the groups of the screen in their order, their sub-totals under them and its totals', async () => {
    const shown = await summary({ group: 'territory_code,customer_code', order: 'remaining', sort: 'desc' })
    const [head, ...rows] = await rowsOf(grouped)
    expect(head).toEqual(['Territory', 'Customer', 'Remaining', 'Overdue', 'Overdue %'])
    const sums = rows.filter(([first]) => String(first).startsWith('Sum of '))
    const leaves = rows.filter(([first, second]) => second !== null && !String(first).startsWith('Sum of '))
    expect(leaves.map((row) => row.slice(2))).toEqual(shown.rows.map(({ cells }) => numbers(cells[0]?.values)))
    expect(leaves.map(([, customer]) => /\((.*)\)$/.exec(String(customer))?.[1])).toEqual(shown.rows.map(({ keys }) => keys[1]))
    expect(new Set(sums.map((row) => JSON.stringify(row.slice(2))))).toEqual(new Set(shown.subtotals.map(({ cells }) => JSON.stringify(numbers(cells[0]?.values)))))
    expect(rows.at(-1)).toEqual([`All ${shown.totals[0]?.cells[0]?.count ?? 0}`, null, ...numbers(shown.totals[0]?.cells[0]?.values)])
    // The sum of a territory stands under its customers.
    const first = rows.findIndex(([name]) => String(name).startsWith('Sum of '))
    expect(rows[first]?.[0]).toBe(`Sum of ${String(rows[0]?.[0])}`)
    // Sums are not counted among the rows.
    expect(await readSheet((await ask(admin, grouped)).rawPayload, 2)).toEqual(expect.arrayContaining([['Rows', String(leaves.length)]]))
  })

  it('has a column for every value across and the earlier period beside each figure', async () => {
    const across = await summary({ group: 'customer_code', across: 'territory_code', measures: 'remaining' })
    const [head = []] = await rowsOf({ ...grouped, columns: [{ name: 'remaining' }], summary: { rows: ['customer_code'], across: 'territory_code' } })
    expect(head).toHaveLength(across.across.length + 2)
    expect(head.at(-1)).toBe('All · Remaining')
    const compared = await summary({ group: 'customer_code', compare: 'month', measures: 'remaining', order: 'remaining', sort: 'desc' })
    const rows = await rowsOf({ ...grouped, columns: [{ name: 'remaining' }], summary: { rows: ['customer_code'], compare: 'month' } })
    expect(rows[0]).toEqual(['Customer', 'Remaining', 'Remaining · Before', 'Remaining · Difference', 'Remaining · %'])
    const [now, before] = [compared.rows[0]?.cells[0]?.values[0], compared.rows[0]?.cells[0]?.before?.[0]].map(Number)
    expect(rows[1]?.slice(1, 4)).toEqual([now, before, Number(((now ?? 0) - (before ?? 0)).toFixed(2))])
    const answer = await ask(admin, { ...grouped, summary: { rows: ['customer_code'], compare: 'month' } })
    expect(await readSheet(answer.rawPayload, 2)).toEqual(expect.arrayContaining([['Grouped by', 'Customer'], ['Compare with', expect.stringMatching(/^a month earlier \(\d\d\/\d\d\/\d{4}\)$/)]]))
  })

  it('is refused by name when it groups by what the report does not offer, and for those who may not export', async () => {
    const wrong = await ask(admin, { ...grouped, summary: { rows: ['remaining'] } })
    expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('summary')])
    const sales = await demo.signIn('warehouse')
    expect((await ask(sales, grouped)).statusCode).toBe(403)
  })

  it('of every kind there is can be made', async () => {
    for (const screen of Object.values(metadata.screens)) {
      if (screen.kind !== 'report' || screen.groups[0] === undefined) continue
      const parameters = screen.id === 'fbl5n.report' ? { customer_id: String(await demo.id('customer', 'C0000001')) } : {}
      const body: ExportBody = { ...grouped, screen: screen.id, columns: screen.measures.map(({ name }) => ({ name })), parameters, sort: [], summary: { rows: [screen.groups[0].key] } }
      expect({ screen: screen.id, rows: (await rowsOf(body)).length > 1 }).toEqual({ screen: screen.id, rows: true })
    }
  }, 120_000)
})
