import { beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { Imports } from '../../support/imports.ts'

let arus: TestApp
let admin: Session
let files: Imports

beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
  files = new Imports(arus, admin)
  const [company] = await insertRows(arus.database, 'company', [{ code: 'UK', name: 'Arus UK', legal_name: 'Arus Ltd', base_currency: 'GBP', default_trx_code: '04' }])
  await arus.database.run(sql`update operating_unit set company_id = ${company} where code = 'BDG'`)
  expect((await change('cut_over_date', { Text: '2026-10-31' })).status).toBe(200)
  expect((await change('begbal_open', { Flag: true })).status).toBe(200)
})

async function change(key: string, body: object, unit: number | null = null) {
  const { rows } = (await admin.get('/api/v1/data/setting-oms', { search: key, length: 20 })).data
  const found = rows.find((row: { readonly Key: string; readonly OperatingUnitID: number | null }) => row.Key === key && row.OperatingUnitID === unit)
  return admin.put(`/api/v1/data/setting-oms/${found.ID}`, body, { version: found.Version })
}

async function taken(lines: string) {
  const batch = await files.as('opening-ledger', await files.take('opening-balance.import', `Account,Debit,Credit,OU\n${lines}`, { name: 'opening-ledger.csv' }))
  const done = await files.commit(batch, ['same-file'])
  expect([done.Status, await files.errors(done)]).toEqual([3, []])
  return done
}

const amounts = (answer: { readonly data: { readonly params?: { readonly amount?: unknown } } }) => answer.data.params?.amount

describe('opening balances of several companies', () => {
  it('close when the account they stand against is zero in each company and currency, not when the sums make up for one another', async () => {
    const first = await taken('311101,,7000,JKT\n311101,7000,,BDG')
    const open = ['ARS IDR 7,000.00', 'UK GBP -7,000.00']
    expect(first.Problem).toMatchObject({ key: 'warning.suspense', params: { amount: open } })
    const refused = await change('begbal_open', { Flag: false })
    expect([refused.status, refused.data.key, amounts(refused)]).toEqual([409, 'problem.ILLEGAL_TRANSITION.opening-incomplete', open])
    await taken('111101,7000,,JKT')
    expect(amounts(await change('begbal_open', { Flag: false }))).toEqual(['UK GBP -7,000.00'])
    const last = await taken('111101,,7000,BDG')
    expect(last.Problem).toBeNull()
  })

  it('nor do two currencies of one company', async () => {
    await taken('213101,,50,JKT')
    await arus.database.run(sql`update company set base_currency = 'SGD' where code = 'ARS'`)
    await taken('213101,50,,HO')
    await arus.database.run(sql`update company set base_currency = 'IDR' where code = 'ARS'`)
    expect(amounts(await change('begbal_open', { Flag: false }))).toEqual(['ARS IDR 50.00', 'ARS SGD -50.00'])
    await arus.database.run(sql`update setting_oms set value = 'false', flag = false where key = 'begbal_open'`)
    expect(JSON.stringify(await violations(arus.database, '2026-11-20'))).toContain('331101 of ARS is SGD -50.00 though opening balances are closed')
    await arus.database.run(sql`update setting_oms set value = 'true', flag = true where key = 'begbal_open'`)
  })

  it('a unit is not closed by a value of its own, nor by losing it, while something is missing there', async () => {
    const unit = await arus.id('operating_unit', 'JKT')
    const own = (Flag: boolean) => admin.post('/api/v1/data/setting-oms', { Key: 'begbal_open', OperatingUnitID: unit, Flag }, { key: `own-${String(Flag)}` })
    const closed = await own(false)
    expect([closed.status, amounts(closed)]).toEqual([409, ['ARS IDR 50.00']])
    const { record } = (await own(true)).data
    await arus.database.run(sql`update setting_oms set value = 'false', flag = false where key = 'begbal_open' and operating_unit_id is null`)
    const dropped = await admin.delete(`/api/v1/data/setting-oms/${record.ID}`, { version: record.Version })
    expect([dropped.status, amounts(dropped)]).toEqual([409, ['ARS IDR 50.00']])
  })
})
