import { beforeAll, describe, expect, it } from 'vitest'
import type { ImportBatch } from '#api/import.ts'
import { metadata } from '#generated/metadata.ts'
import type { Screen } from '#meta/resolved.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { Imports } from '../../support/imports.ts'

let arus: TestApp
let admin: Session
let files: Imports
let codes: readonly string[]

const heads = 'Code,Name,Category,Channel,Area,Territory,OU,Term,Salesman,PKP,BillAddress,ShipCode,ShipAddress,City'

beforeAll(async () => {
  const customers = metadata.screens['customer.import']
  if (customers?.kind !== 'import') throw new Error('no import of customers')
  const whole: Screen = { ...customers, mode: 'all-or-nothing' }
  arus = await testApp({ metadata: { ...metadata, screens: { ...metadata.screens, 'customer.import': whole } } })
  admin = await arus.signIn('admin')
  files = new Imports(arus, admin)
  await arus.database.run(sql`insert into sales_area (code, name, territory_id) select 'A-1', 'Area 1', id from territory where code = 'JKT-N'`)
  const row = await arus.database.first(sql`select (select code from customer_category order by id limit 1) as a, (select code from sales_channel order by id limit 1) as b, (select code from payment_term order by id limit 1) as c`)
  codes = [String(row?.['a']), String(row?.['b']), String(row?.['c'])]
})

const line = (code: string, territory: string, unit: string): string => [code, code, codes[0], codes[1], 'A-1', territory, unit, codes[2], unit === 'JKT' ? 'E1' : 'E2', 'N', 'Jl. 1', 'SHIP', 'Jl. 2', 'Jakarta'].join(',')

const take = (rows: readonly string[]): Promise<ImportBatch> => files.take('customer.import', [heads, ...rows].join('\n'))

const state = async (): Promise<unknown> =>
  arus.database.first(sql`select (select count(*)::int from customer) as customers, (select count(*)::int from customer_address) as addresses, (select count(*)::int from document_log) as log, (select coalesce(sum(last_value), 0)::int from number_counter) as numbers`)

describe('a file that is imported whole or not at all', () => {
  it('is not imported while a row is wrong', async () => {
    const batch = await take([line('A-1', 'JKT-N', 'JKT'), line('A-2', 'NOWHERE', 'JKT')])
    expect(batch).toMatchObject({ RowsRight: 1, RowsWrong: 1 })
    expect(batch.Actions).not.toContain('commit')
    expect((await admin.post(`/api/v1/import-batch/${batch.ID}/commit`)).code).toBe('ILLEGAL_TRANSITION')
  })

  it('leaves nothing at all, no record, no history, no number, when its last row is refused in the end', async () => {
    const rows = [...Array.from({ length: 60 }, (_, i) => line(i === 0 ? '' : `B-${i}`, 'JKT-N', 'JKT').replace(/^,,/, ',Drawn,')), line('B-LAST', 'BDG-W', 'BDG')]
    const batch = await take(rows)
    expect(batch).toMatchObject({ RowsRight: 61, RowsWrong: 0 })
    const before = await state()
    await arus.database.run(sql`update territory set is_active = false where code = 'BDG-W'`)
    expect(await files.commit(batch)).toMatchObject({ Status: 1, RowsImported: 0, RowsRight: 60, RowsWrong: 1 })
    expect(await state()).toEqual(before)
    await arus.database.run(sql`update territory set is_active = true where code = 'BDG-W'`)
    await admin.put(`/api/v1/import-batch/${batch.ID}/rows`, { cells: [{ row: 62, column: 'Territory', value: 'BDG-W' }] })
    expect(await files.commit(batch)).toMatchObject({ Status: 3, RowsImported: 61 })
  })
})

describe('stopping', () => {
  it('ends an import between documents or at once, and what was imported is what is there', async () => {
    const batch = await take(Array.from({ length: 200 }, (_, i) => line(`C-${i}`, 'JKT-N', 'JKT')))
    await admin.post(`/api/v1/import-batch/${batch.ID}/commit`)
    await admin.post(`/api/v1/import-batch/${batch.ID}/cancel`)
    const stopped = await files.settled(batch)
    expect(Number((await arus.database.first(sql`select count(*)::int as n from customer where code like 'C-%' and code ~ '^C-[0-9]+$'`))?.['n'])).toBe(stopped.RowsImported)
    if (stopped.RowsImported < 200) expect(stopped).toMatchObject({ Status: 1, RowsImported: 0 })
  })
})
