import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let admin: Awaited<ReturnType<Scene['at']['signIn']>>
const makmur = 'C0000001'

beforeAll(async () => {
  scene = await openScene()
  admin = await scene.at.signIn('admin')
  await scene.database.run(sql`insert into tax_invoice_period (period, deadline, status) values ('202611', '2026-12-20', 'OPEN') on conflict do nothing`)
  await scene.database.run(sql`update company set npwp = '0123456789012345', is_pkp = true`)
  await scene.database.run(sql`update customer set npwp = '0987654321098765', tax_id_type = 'TIN', trx_code = null`)
})

const taxed = async (item: string, code: string) => scene.database.run(sql`update item set tax_code_id = (select id from tax_code where code = ${code}) where code = ${item}`)
const exported = async (): Promise<Record[]> => {
  const answer = await admin.post('/api/v1/command/export-tax-invoices', { Period: '202611' }, { key: scene.key() })
  expect([answer.status, answer.message], scene.at.log.join('\n')).toEqual([200, expect.any(String)])
  return answer.data.results
}
const fileOf = async (id: number): Promise<string> => (await scene.at.app.inject({ url: `/api/v1/tax-invoice-xml/${id}`, headers: { authorization: `Bearer ${admin.token}` } })).body
const fakturOf = (invoice: Record) => scene.database.first<Record>(sql`select id, trx_code, status, buyer_document, buyer_number from tax_invoice where invoice_id = ${invoice.ID}`)
const valuesOf = (xml: string, name: string): string[] => [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map((match) => match[1] ?? '')
const saveCode = (body: object) => scene.people.admin.post('/api/v1/data/tax-code', { Name: 'PPN', Kind: 'PPN_OUT', ValidFrom: '2026-01-01', BaseNumerator: 1, BaseDenominator: 1, ...body }, { key: scene.key() })

describe('the transaction code of a sale', () => {
  test('is that of the goods where the buyer has none: on invoice, tax invoice and in the file; goods of two codes are two invoices', async () => {
    await taxed('A', 'PPN01')
    const { issue } = await scene.delivered(makmur, [{ item: 'A', qty: '2' }, { item: 'B', qty: '1' }])
    const invoices = await scene.bill([issue.id])
    expect(invoices.map((one) => one['TrxCode'])).toEqual(['01', '04'])
    const [result] = await exported()
    expect(result).toMatchObject({ ok: true, key: 'done.tax-file' })
    expect(await Promise.all(invoices.map(async (one) => (await fakturOf(one))?.['trx_code']))).toEqual(['01', '04'])
    const xml = await fileOf(result?.ID)
    expect([valuesOf(xml, 'TrxCode'), valuesOf(xml, 'VATRate')]).toEqual([['01', '04'], ['12', '12']])
    expect(valuesOf(xml, 'TaxBase')[0]).toBe(valuesOf(xml, 'OtherTaxBase')[0])
  })

  test('is the collector’s above his threshold and that of the goods below it, the buyer’s own always', async () => {
    await scene.database.run(sql`update customer set wapu_kind = 'GOV' where code = ${makmur}`)
    expect((await scene.invoiced(makmur, [{ item: 'A', qty: '1' }]))['TrxCode']).toBe('01')
    expect((await scene.invoiced(makmur, [{ item: 'A', qty: '30' }]))['TrxCode']).toBe('02')
    await scene.database.run(sql`update customer set wapu_kind = 'NONE', trx_code = '10' where code = ${makmur}`)
    expect((await scene.invoiced(makmur, [{ item: 'A', qty: '1' }]))['TrxCode']).toBe('10')
    await scene.database.run(sql`update customer set trx_code = null where code = ${makmur}`)
    expect((await exported())[0]).toMatchObject({ ok: true, params: { n: 3 } })
  })
})

describe('the rate in the file', () => {
  test('is that of the code the line was billed with, whatever becomes of the item afterwards', async () => {
    expect((await saveCode({ Code: 'PPN11', Rate: '11', TrxCode: '01' })).status).toBe(200)
    await taxed('B', 'PPN11')
    const invoice = await scene.invoiced('C0000002', [{ item: 'B', qty: '1' }])
    await taxed('B', 'PPN04')
    expect([invoice['Dpp'], invoice['Ppn']]).toEqual(['250000.00', '27500.00'])
    const [result] = await exported()
    const xml = await fileOf(result?.ID)
    expect(['TrxCode', 'TaxBase', 'OtherTaxBase', 'VATRate', 'VAT'].map((name) => valuesOf(xml, name))).toEqual([['01'], ['250000.00'], ['250000.00'], ['11'], ['27500.00']])
    expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
  })

  test.each([
    ['04 on the full price', { TrxCode: '04', Rate: '11' }, 'TrxCode'],
    ['01 on a part of it', { TrxCode: '01', Rate: '12', BaseNumerator: 11, BaseDenominator: 12 }, 'TrxCode'],
    ['07 with VAT', { TrxCode: '07', Rate: '12' }, 'TrxCode'],
    ['08 with VAT', { TrxCode: '08', Rate: '12', BaseNumerator: 11, BaseDenominator: 12 }, 'TrxCode'],
    ['04 without', { TrxCode: '04', Rate: '0', BaseNumerator: 11, BaseDenominator: 12 }, 'Rate'],
    ['no code without VAT', { Rate: '0' }, 'Rate'],
  ])('a tax code of %s is refused when it is saved', async (_, body, field) => {
    const { status, data } = await saveCode({ Code: 'PPNX', ...body })
    expect([status, data.errors]).toMatchObject([422, [{ field, code: 'RULE' }]])
  })

  test('what agrees is taken: both ordinary codes, a facility, a tax that is withheld', async () => {
    const part = { BaseNumerator: 11, BaseDenominator: 12 }
    const answers = await Promise.all([
      { Code: 'P1', TrxCode: '04', Rate: '12', ...part }, { Code: 'P2', TrxCode: '01', Rate: '12' }, { Code: 'P3', TrxCode: '07', Rate: '0' }, { Code: 'P4', Rate: '12', ...part }, { Code: 'P5', Kind: 'PPH23', Rate: '0' },
    ].map(saveCode))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })
})

describe('the buyer in the file', () => {
  test('has the number of his passport; without one the tax invoice waits until the customer is mended', async () => {
    await scene.database.run(sql`update customer set tax_id_type = 'PASSPORT', npwp = null, nik = '3171234567890001' where code = 'C0000002'`)
    const invoice = await scene.invoiced('C0000002', [{ item: 'B', qty: '1' }])
    const faktur = await (async () => (await exported(), fakturOf(invoice)))()
    expect(faktur).toMatchObject({ status: 'DRAFT', buyer_document: 'PASSPORT', buyer_number: null })
    expect((await exported())[0]).toMatchObject({ ID: faktur?.['id'], ok: false, params: { problem: { key: 'tax.no-number' } } })
    const id = await scene.at.id('customer', 'C0000002')
    const { Version } = (await scene.people.admin.get(`/api/v1/data/customer/${id}`)).data.record
    expect((await scene.people.admin.put(`/api/v1/data/customer/${id}`, { TaxIDNumber: 'B1234567' }, { key: scene.key(), version: Version })).status).toBe(200)
    const [result] = await exported()
    expect(result).toMatchObject({ ok: true })
    const xml = await fileOf(result?.ID)
    expect(['BuyerTin', 'BuyerDocument', 'BuyerDocumentNumber'].map((name) => valuesOf(xml, name))).toEqual([['0000000000000000'], ['Passport'], ['B1234567']])
  })
})
