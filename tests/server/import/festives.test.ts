import { beforeAll, describe, expect, it } from 'vitest'
import type { ImportBatch } from '#api/import.ts'
import { sql } from '#server/db/sql.ts'
import { Imports } from '../../support/imports.ts'
import { openScene, type Scene } from '../../support/scene.ts'

// Assortments of a season by file: all of it or nothing, an item once a season.

let scene: Scene
let files: Imports
const heads = 'Code,Name,Season,OrderFrom,OrderTo,DeliverFrom,DeliverTo,SKU,Price,Quota,MinQty,Territory'

beforeAll(async () => {
  scene = await openScene()
  files = new Imports(scene.at, scene.people.admin)
})

const row = (code: string, sku: string, more: { readonly price?: string; readonly quota?: string; readonly territory?: string; readonly to?: string; readonly season?: string } = {}) =>
  [code, `Parsel ${code}`, more.season ?? 'LEBARAN', '2027-01-15', more.to ?? '2027-02-28', '2027-02-01', '2027-03-10', sku, more.price ?? '125000.00', more.quota ?? '500', '', more.territory ?? ''].join(',')

const taken = (rows: readonly string[]): Promise<ImportBatch> => files.take('product-festive.import', [heads, ...rows].join('\n'))
/** Imports what is right; a file that is not imported whole says so in its rows. */
const commit = async (batch: ImportBatch): Promise<ImportBatch> => (batch.Actions.includes('commit') ? files.commit(batch) : batch)
const errorsOf = async (batch: ImportBatch): Promise<readonly string[]> => (await files.errors(batch)).map((line) => line.split(' ').slice(0, 3).join(' '))

const there = () => scene.database.rows(sql`
  select f.code, f.season, f.order_from, f.deliver_to, i.code as item, l.price, l.quota_qty, t.code as territory from product_festive f
  join product_festive_line l on l.product_festive_id = f.id join item i on i.id = l.item_id left join territory t on t.id = l.territory_id order by f.code, l.line_no`)

describe('festive assortments by file', () => {
  it('rows of one code become one assortment with its items', async () => {
    expect(await commit(await taken([row('LB-1', 'A'), row('LB-1', 'B', { price: '1250.5', quota: '10', territory: 'JKT-N' }), row('LB-2', 'C', { quota: '1' })]))).toMatchObject({ Status: 3, RowsImported: 3 })
    expect(await there()).toEqual([
      { code: 'LB-1', season: 'LEBARAN', order_from: '2027-01-15', deliver_to: '2027-03-10', item: 'A', price: '125000.0000', quota_qty: '500.000', territory: null },
      { code: 'LB-1', season: 'LEBARAN', order_from: '2027-01-15', deliver_to: '2027-03-10', item: 'B', price: '1250.5000', quota_qty: '10.000', territory: 'JKT-N' },
      { code: 'LB-2', season: 'LEBARAN', order_from: '2027-01-15', deliver_to: '2027-03-10', item: 'C', price: '125000.0000', quota_qty: '1.000', territory: null },
    ])
  })

  it('an item stands once in a season; a file with one such row is not imported at all', async () => {
    const before = await there()
    const batch = await taken([row('LB-3', 'D'), row('LB-4', 'A')])
    expect(batch).toMatchObject({ Status: 1, RowsImported: 0, RowsWrong: 1 })
    expect(batch.Actions).not.toContain('commit')
    expect(await errorsOf(batch)).toEqual(['3 SKU E04'])
    expect(await there()).toEqual(before)
    // Another season is another assortment.
    expect(await commit(await taken([row('NT-1', 'A', { season: 'NATAL' })]))).toMatchObject({ Status: 3, RowsImported: 1 })
  })

  it('what is wrong is said at its cell, and heads of one code agree', async () => {
    const batch = await taken([row('LB-5', 'NOWHERE'), row('LB-6', 'D', { season: 'EASTER' }), row('LB-7', 'D', { price: '-1' }), row('LB-8', 'D', { to: '2027-01-01' }), row('LB-9', 'D'), row('LB-9', 'E', { season: 'NATAL' })])
    expect(await errorsOf(batch)).toEqual(['2 SKU E02', '3 Season E05', '4 Price E06', '5 OrderTo E05', '6  E12', '7  E11'])
    expect(batch.Actions).not.toContain('commit')
  })

  it('is taken back as long as nothing uses it', async () => {
    const batch = await commit(await taken([row('LB-X', 'E')]))
    expect(batch).toMatchObject({ Status: 3, RowsImported: 1 })
    expect(await files.undo(batch)).toMatchObject({ Status: 7, RowsImported: 0 })
    expect(await scene.database.first(sql`select 1 from product_festive where code = 'LB-X'`)).toBeUndefined()
  })
})
