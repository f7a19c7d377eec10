import { beforeAll, describe, expect, it } from 'vitest'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { Imports } from '../support/imports.ts'

let arus: TestApp
let admin: Session
beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
})

/** One code or name in all the ways it comes from web pages, sheets and keyboards. */
const spellings = (text: string): readonly string[] => [
  text, `\u200B${text}`, `${text}\u200E`, `\uFEFF${text}`, `${text.slice(0, 2)}\u00AD${text.slice(2)}`, ` ${text.replaceAll(' ', '  ')} `, text.replaceAll(' ', '\u00A0'), text.normalize('NFD'),
  text.replaceAll(/[A-Za-z0-9]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
]

describe('one text, however it is written', () => {
  it('is kept once, and found in lists, filters, lookups and the global search', async () => {
    const made = await admin.post('/api/v1/data/brand', { Code: '\u200BCAF\uFF11\u200E', Name: 'Cafe\u0301  Baru\u00A0Jaya' })
    expect([made.status, made.data.record?.Code, made.data.record?.Name]).toEqual([200, 'CAF1', 'Caf\u00E9 Baru Jaya'])
    for (const code of spellings('CAF1')) {
      const again = await admin.post('/api/v1/data/brand', { Code: code, Name: 'Again' })
      expect([code, again.status]).toEqual([code, 409])
      expect([code, (await admin.post('/api/v1/lookup/brand/resolve', { codes: [code] })).data.records?.[0]?.Name]).toEqual([code, 'Caf\u00E9 Baru Jaya'])
    }
    for (const name of spellings('Caf\u00E9 Baru Jaya')) {
      expect([name, (await admin.get('/api/v1/data/brand', { search: name })).data.rows?.map((row: { Code: string }) => row.Code)]).toEqual([name, ['CAF1']])
      const filter = JSON.stringify({ name: { eq: name } })
      expect([name, (await admin.get('/api/v1/data/brand', { filter })).data.rows?.length]).toEqual([name, 1])
      expect([name, (await admin.get('/api/v1/lookup/brand', { search: name })).data.records?.length]).toEqual([name, 1])
    }
  })

  it('a lookup takes what it shows itself, with a tab or blanks between code and name', async () => {
    const customer = (await admin.get('/api/v1/lookup/customer', { search: 'C0000001' })).data.records[0]
    for (const gap of ['  ', '\t', ' ', '\u00A0']) {
      const shown = `${customer.Code}${gap}${customer.Name}`
      expect([gap, (await admin.get('/api/v1/lookup/customer', { search: shown })).data.records.map((record: { ID: number }) => record.ID)]).toEqual([gap, [customer.ID]])
      expect([gap, (await admin.post('/api/v1/lookup/customer/resolve', { codes: [shown, `${customer.Code}${gap}somebody else`] })).data.records.map((record: { ID: number } | null) => record?.ID ?? null)]).toEqual([gap, [customer.ID, null]])
    }
  })

  it('tells wrong values by the hundred and counts the rest', async () => {
    const { status, data, message } = await admin.put('/api/v1/profile', Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`Key${i}`, 1])))
    expect([status, data.errors.length, message]).toEqual([422, 200, expect.stringMatching(/5,?000/)])
  })

  it('is one code in an import', async () => {
    const files = new Imports(arus, admin)
    const batch = await files.take('brand.list-import', `Code,Name\n${spellings('CAF1').map((code, i) => `"${code}",Name ${i}`).join('\n')}`)
    expect((await files.rows(batch)).map((row) => row.Errors.map((error) => error.code).includes('E03'))).toEqual([false, ...Array.from({ length: 8 }, () => true)])
  })
})
