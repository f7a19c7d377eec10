import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { ExportBody } from '#api/export.ts'
import { metadata } from '#generated/metadata.ts'
import type { ListScreen } from '#meta/resolved.ts'
import { compile, ident, sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { demoTemplate } from '../../support/demo.ts'
import { errorLines, Imports } from '../../support/imports.ts'
import { upload } from '../../support/upload.ts'

let arus: TestApp
let admin: Session
let sales: Session
let files: Imports

beforeAll(async () => {
  arus = await testApp({ template: demoTemplate })
  ;[admin, sales] = [await arus.signIn('admin'), await arus.signIn('sales')]
  files = new Imports(arus, admin)
})

/** Lists that take in what they show; one with an import of its own takes in something else. */
const lists = Object.values(metadata.screens).filter((screen): screen is ListScreen => {
  const importer = screen.kind === 'list' ? metadata.screens[screen.importer ?? ''] : undefined
  return importer?.kind === 'import' && importer.sheets.some(({ update }) => update !== undefined)
})

async function exported(list: ListScreen, change: Partial<ExportBody> = {}): Promise<Buffer> {
  const body: ExportBody = { screen: list.id, format: 'csv', language: 'en', hasTotals: false, columns: list.columns.map(({ name }) => ({ name })), ...change }
  const answer = await arus.app.inject({ method: 'POST', url: '/api/v1/export', headers: { authorization: `Bearer ${admin.token}` }, payload: body })
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return answer.rawPayload
}


describe('a list takes in what it shows', () => {
  it('every list of masters and settings that a form keeps', () => {
    const kept = metadata.routes.flatMap(({ path, screen }) => {
      const list = metadata.screens[screen ?? '']
      return (/^\/(master|setting)\//.test(path) || (list?.kind === 'list' && metadata.entities[list.entity]?.base === 'master')) && !path.includes('pricing-management') && list?.kind === 'list' && list.importer === undefined ? [path] : []
    })
    expect(kept).toEqual(['/setting/menu', '/setting/sort-menu', '/master/accounting-period'])
  })

  it.each(lists.map((list) => [list.id, list] as const))('%s: what was exported changes nothing when it is taken in', async (_, list) => {
    const before = await state(list)
    for (const format of ['csv', 'xlsx'] as const) {
      const batch = await files.take(list.importer ?? '', await exported(list, { format, language: format === 'csv' ? 'en' : 'id' }), { name: `list.${format}` })
      // A list without records exports its heads alone.
      if (batch.Problem?.key === 'problem.FILE_EMPTY.rows') {
        expect((await admin.get(`/api/v1/data/${list.resource}`, { length: '1' })).data.recordsTotal).toBe(0)
        continue
      }
      const found = await files.rows(batch)
      expect(errorLines(found.filter(({ State }) => State !== 'SKIPPED')).slice(0, 5)).toEqual([])
      expect(errorLines(found).filter((line) => !line.endsWith(' nothing is changed.')).slice(0, 5)).toEqual([])
      expect(batch).toMatchObject({ RowsWrong: 0, RowsRight: 0, RowsWarned: 0, RowsSkipped: batch.RowsTotal, Actions: expect.not.arrayContaining(['commit']) })
    }
    expect(await state(list)).toEqual(before)
  })

  it('an edited cell changes that record, a new row makes one, what is wrong says so in its cell, and history has it', async () => {
    const list = listOf('sales-area.list')
    const [head = [], ...rows]: string[][] = parse(await exported(list), { bom: true })
    const at = (name: string): number => head.indexOf(name)
    const [first = [], second = [], third = []] = rows.map((row) => [...row])
    const was = first[at('Name')] ?? ''
    first[at('Name')] = `${was} baru`
    second[at('Territory code')] = 'NOWHERE'
    const made = third.with(at('Code'), 'UJI-1').with(at('Name'), 'Area uji')
    const file = [head, first, second, third, made, made].map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n')
    const batch = await files.take(list.importer ?? '', file)
    expect(batch).toMatchObject({ RowsTotal: 5, RowsWarned: 1, RowsWrong: 2, RowsSkipped: 1, RowsRight: 1 })
    const found = await files.rows(batch)
    expect(errorLines(found).map((error) => error.replace(/ There is no.*/, ''))).toEqual([
      `2 Name E00 Is changed; ${was} until now.`, '3 TerritoryCode E02', '4  E00 Says what is there already; nothing is changed.', '6 Code E03 The same stands in row 5 already.',
    ])
    const id = await arus.id('sales_area', first[at('Code')] ?? '')
    const version = async (): Promise<unknown> => arus.database.first(sql`select name, version from sales_area where id = ${id}`)
    const before = await arus.database.first<{ name: string; version: number }>(sql`select name, version from sales_area where id = ${id}`)
    expect(await files.commit(batch)).toMatchObject({ Status: 2, RowsImported: 2 })
    expect(await version()).toEqual({ name: `${was} baru`, version: Number(before?.version) + 1 })
    const history = (await admin.get(`/api/v1/data/sales-area/${id}/history`)).data.records
    expect(history[0]).toMatchObject({ Action: 'edit', Diff: [expect.objectContaining({ From: was, To: `${was} baru` })] })
    expect(await arus.database.first(sql`select name, version from sales_area where code = 'UJI-1'`)).toEqual({ name: 'Area uji', version: 1 })
    // Sent in once more it says what is there.
    const rowsLeft = [head, first, third, made].map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n')
    expect(await files.take(list.importer ?? '', rowsLeft)).toMatchObject({ RowsTotal: 3, RowsSkipped: 3 })
  })

  it('says of a cell that shows what no file changes that it is not taken, whether the row changes something else or nothing', async () => {
    const list = listOf('document-number.list')
    const [head = [], ...rows]: string[][] = parse(await exported(list), { bom: true })
    const [gapless, prefix] = [head.indexOf('Gapless'), head.indexOf('Prefix')]
    expect(Math.min(gapless, prefix)).toBeGreaterThan(0)
    const [first = [], second = [], third = []] = rows
    const other = (row: readonly string[]): string => (row[gapless] === 'Yes' ? 'No' : 'Yes')
    const sent = [first.with(gapless, other(first)), second.with(gapless, other(second)).with(prefix, 'UJI'), third.with(gapless, '')]
    const batch = await files.take(list.importer ?? '', [head, ...sent].map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n'))
    expect(batch).toMatchObject({ RowsWarned: 1, RowsSkipped: 2, RowsWrong: 0 })
    expect(await files.errors(batch)).toEqual([
      `2  E00 Gapless is not changed from here: “${other(first)}” is not taken.`, '2  E00 Says what is there already; nothing is changed.',
      `3 Prefix E00 Is changed; ${second[prefix]} until now.`, `3  E00 Gapless is not changed from here: “${other(second)}” is not taken.`,
      '4  E00 Says what is there already; nothing is changed.',
    ])
  })

  it('an empty cell empties the field, a column that is not there leaves it, and a rule of the form holds', async () => {
    const list = listOf('customer-group.list')
    await admin.post('/api/v1/data/customer-group', { Code: 'G-UJI', Name: 'Grup uji', GroupCreditLimit: '1000000.00' })
    expect(await files.commit(await files.take(list.importer ?? '', 'Code,Name\nG-UJI,Grup coba\n'))).toMatchObject({ RowsImported: 1 })
    expect(await arus.database.first(sql`select name, group_credit_limit from customer_group where code = 'G-UJI'`)).toEqual({ name: 'Grup coba', group_credit_limit: '1000000.00' })
    const batch = await files.take(list.importer ?? '', 'Code,Name,GroupCreditLimit,IsActive\nG-UJI,Grup coba,,Y\nG-UJJ,,1,Y\n')
    expect(await files.errors(batch)).toEqual(['2 GroupCreditLimit E00 Is changed; 1000000.00 until now.', '3 Name E01 Name is missing. Fill it in.'])
    await files.commit(batch)
    expect(await arus.database.first(sql`select group_credit_limit from customer_group where code = 'G-UJI'`)).toEqual({ group_credit_limit: null })
  })

  it('says where a record is used before a file takes it off; importing it says so be it', async () => {
    const used = await arus.database.first<{ code: string }>(sql`select c.code from sales_channel c join customer k on k.sales_channel_id = c.id order by c.id limit 1`)
    const batch = await files.take(listOf('sales-channel.list').importer ?? '', `Code,IsActive\n${used?.code},N\n`)
    expect(await files.errors(batch)).toEqual([expect.stringMatching(/^2 IsActive E00 Is changed/), expect.stringMatching(/^2 IsActive E00 Used in: .*Customer \(\d+\)/)])
    expect(await files.commit(batch)).toMatchObject({ RowsImported: 1 })
    expect(await arus.database.first(sql`select is_active from sales_channel where code = ${used?.code}`)).toEqual({ is_active: false })
    await files.commit(await files.take(listOf('sales-channel.list').importer ?? '', `Code,IsActive\n${used?.code},Y\n`))
  })

  it('asks once where all records of a slice are used, and once more when it is tried, however many rows take them off', async () => {
    const used = await arus.database.rows<{ code: string }>(sql`select distinct c.code from customer_category c join customer k on k.customer_category_id = c.id order by c.code limit 3`)
    expect(used.length).toBeGreaterThan(1)
    const importer = listOf('customer-category.list').importer ?? ''
    const asked = vi.spyOn(arus.database, 'rows')
    try {
      const batch = await files.take(importer, `Code,IsActive\n${used.map(({ code }) => `${code},N`).join('\n')}\n`)
      expect((await files.errors(batch)).filter((line) => line.includes('Used in: '))).toHaveLength(used.length)
      expect(asked.mock.calls.filter(([statement]) => compile(statement).text.includes('count(*) from (select 1'))).toHaveLength(2)
    } finally {
      asked.mockRestore()
    }
  })

  it('what is only ever changed is not made by a file', async () => {
    const batch = await files.take(listOf('document-number.list').importer ?? '', 'Code,Prefix\nNONE,XX\n')
    expect((await files.errors(batch))[0]).toContain('2 Code E10')
  })

  it('whoever may not change the records has no such import', async () => {
    const answer = await upload(arus.app, sales.token, '/api/v1/import/sales-area.list-import', { name: 'a.csv', bytes: 'Code,Name\nX,Y\n' })
    expect([answer.status, answer.code]).toEqual([403, 'FORBIDDEN_GUARD'])
  })

  it('the last administrator cannot be put out by a file', async () => {
    const batch = await files.take(listOf('user.list').importer ?? '', 'Email,IsActive\nadmin@arus.example,N\n')
    expect(batch).toMatchObject({ RowsRight: 0, RowsWrong: 1 })
    expect(await arus.database.first(sql`select is_active from app_user where email = 'admin@arus.example'`)).toEqual({ is_active: true })
  })
})

/** The records of a list and how many entries all histories have. */
async function state({ entity }: ListScreen): Promise<unknown> {
  const table = metadata.entities[entity]?.table ?? ''
  return arus.database.first(sql`select (select md5(string_agg(t::text, '' order by t.id)) from ${ident(table)} t) as rows, (select count(*)::int from document_log) as entries`)
}

function listOf(id: string): ListScreen {
  const list = lists.find((one) => one.id === id)
  if (list === undefined) throw new Error(`No list ${id}`)
  return list
}

describe('codes in files', () => {
  it('of several fields of which one cannot be read do not make two rows the same', async () => {
    const errors = await files.errors(await files.take(listOf('exchange-rate.list').importer ?? '', 'Currency,RateDate,Kind,Rate\nUSD,some day,MIDDLE,16000\nUSD,another,MIDDLE,16100\n'))
    expect(errors.filter((error) => error.includes('RateDate'))).toHaveLength(2)
    expect(errors.filter((error) => error.includes('The same stands'))).toEqual([])
  })

  it('are told apart whatever their capitals: a known one is that record, and the same twice is said', async () => {
    await admin.post('/api/v1/data/customer-group', { Code: 'CapA', Name: 'Capital A' })
    const before = Number((await arus.database.first(sql`select count(*)::int as n from customer_group`))?.['n'])
    const errors = await files.errors(await files.take(listOf('customer-group.list').importer ?? '', 'Code,Name\nCAPA,Capital A\nnewb,New B\nNEWB,New B\n'))
    expect(errors).toEqual(['2  E00 Says what is there already; nothing is changed.', '4 Code E03 The same stands in row 3 already.'])
    expect(Number((await arus.database.first(sql`select count(*)::int as n from customer_group`))?.['n'])).toBe(before)
  })
})
