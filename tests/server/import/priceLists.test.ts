import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '#base/date.ts'
import type { ExportBody } from '#api/export.ts'
import type { ImportBatch } from '#api/import.ts'
import { metadata } from '#generated/metadata.ts'
import type { ListScreen } from '#meta/resolved.ts'
import { sql } from '#server/db/sql.ts'
import { textsOf } from '#server/texts.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { demoTemplate } from '../../support/demo.ts'
import { Imports } from '../../support/imports.ts'

// The rows of every front of pricing leave as a file and come back as a change that somebody else approves; nothing is live before.

let arus: TestApp
let admin: Session
let files: Imports

beforeAll(async () => {
  arus = await testApp({ template: demoTemplate })
  admin = await arus.signIn('admin')
  files = new Imports(arus, admin)
})

const lists = Object.values(metadata.screens).filter((screen): screen is ListScreen => screen.kind === 'list' && screen.importer === 'price-change.import')

/** What the list shows now, as a table. */
async function exported(list: ListScreen, language: 'en' | 'id' | 'cn'): Promise<readonly (readonly string[])[]> {
  const today = arus.clock.today()
  const filter = { all: [{ valid_from: { le: today } }, { any: [{ valid_to: { empty: true } }, { valid_to: { ge: today } }] }] }
  const body: ExportBody = { screen: list.id, format: 'csv', language, hasTotals: false, columns: list.columns.map(({ name }) => ({ name })), filter }
  const answer = await arus.app.inject({ method: 'POST', url: '/api/v1/export', headers: { authorization: `Bearer ${admin.token}` }, payload: body })
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return parse(answer.rawPayload, { bom: true })
}

const taken = (rows: readonly (readonly string[])[]): Promise<ImportBatch> =>
  files.take('price-change.import', rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n'))
/** Imports what is right, if anything is. */
const commit = async (batch: ImportBatch): Promise<ImportBatch> => (batch.Actions.includes('commit') ? files.commit(batch) : batch)
/** What is wrong, once each: column, code, text. */
const errorsOf = async (batch: ImportBatch): Promise<readonly string[]> =>
  [...new Set((await files.rows(batch)).flatMap((row) => row.Errors.filter(({ isWarning }) => isWarning !== true).map((error) => `${error.column} ${error.code} ${error.text}`)))]

/** A day of its own for each file: a row that was imported once is not imported again. */
let sent = 0
const nextDay = (): string => addDays('2026-11-21', sent++)
const live = () => arus.database.first(sql`select (select md5(string_agg(t::text, '' order by t.id)) from list_price t) as prices, (select md5(string_agg(t::text, '' order by t.id)) from discount t) as discounts`)
const effectsOf = (after: number) => arus.database.rows<{ kind: string; effect: string; n: number }>(sql`
  select c.kind, l.effect, count(*)::int as n from price_change_line l join price_change c on c.id = l.price_change_id where c.id > ${after} group by 1, 2 order by 1, 2`)
const lastChange = async () => Number((await arus.database.first(sql`select coalesce(max(id), 0) as id from price_change`))?.['id'])

describe('the rows of every front', () => {
  it('are those of the four fronts of prices and of discounts', () => {
    expect(lists.map(({ id }) => id).toSorted()).toEqual(['discount-row.src.list', 'discount-row.v1.list', 'discount-row.v2.list', 'discount-row.v3.list', 'price-row.src.list', 'price-row.v1.list', 'price-row.v2.list', 'price-row.v3.list'])
  })

  it.each(lists.map((list) => [list.id, list] as const))('%s: taken back as they left, they change nothing; a changed value changes its row alone', async (id, list) => {
    const isPrice = id.startsWith('price')
    const before = await live()
    for (const language of ['en', 'id', 'cn'] as const) {
      const [head = [], ...rows] = await exported(list, language)
      expect(rows.length).toBeGreaterThan(0)
      const few = rows.slice(0, 40)
      const textOf = textsOf(language)
      const from = head.indexOf(textOf('field.valid_from'))
      const value = head.indexOf(textOf(isPrice ? 'field.price' : 'field.value'))
      expect([from, value].every((place) => place >= 0), head.join(' | ')).toBe(true)
      // What began in the past stays as it is: its day is refused at the cell.
      const past = await commit(await taken([head, ...few]))
      expect(past).toMatchObject({ RowsImported: 0 })
      expect((await errorsOf(past)).map((error) => error.split(' ')[0])).toContain('ValidFrom')
      const mark = await lastChange()
      const first = nextDay()
      const same = await taken([head, ...few.map((row) => row.with(from, first))])
      expect(await errorsOf(same)).toEqual([])
      expect(await commit(same)).toMatchObject({ RowsImported: few.length, RowsWrong: 0 })
      expect(await effectsOf(mark)).toEqual([{ kind: isPrice ? 'LIST_PRICE' : 'DISCOUNT', effect: 'SAME', n: few.length }])
      const second = await lastChange()
      const then = nextDay()
      const edited = few.map((row, i) => row.with(from, then).with(value, i === 0 ? (isPrice ? '98765432' : '7.5') : (row[value] ?? '')))
      const third = await taken([head, ...edited])
      expect(await errorsOf(third)).toEqual([])
      const done = await commit(third)
      expect(await errorsOf(done)).toEqual([])
      expect(done).toMatchObject({ RowsImported: few.length })
      expect((await effectsOf(second)).map(({ effect, n }) => `${effect} ${n}`)).toEqual(['CHANGED 1', `SAME ${few.length - 1}`])
    }
    expect(await live()).toEqual(before)
  }, 60_000)

  it('wrong values are refused at their cells, and the rest of the file goes on', async () => {
    const list = lists.find(({ id }) => id === 'discount-row.v3.list')
    if (list === undefined) throw new Error('No list')
    const [head = [], first = []] = await exported(list, 'en')
    const at = (name: string) => head.indexOf(name)
    const row = first.with(at('Valid from'), '2026-12-01')
    const batch = await taken([head, row.with(at('Discount set code'), 'NOWHERE'), row.with(at('Sequence'), '12'), row.with(at('Value'), '-1'), row.with(at('Kind'), 'GIFT')])
    expect((await errorsOf(batch)).map((error) => error.split(' ').slice(0, 2).join(' '))).toEqual(['DiscountSet E02', 'Seq E06', 'Value E06', 'Kind E05'])
  })
})
