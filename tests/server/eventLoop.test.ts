import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { recogniseFile, rowsOf } from '#server/import/openFile.ts'
import { sql } from '#server/db/sql.ts'
import { ProblemError } from '#server/problemError.ts'
import { testApp, type Answer } from '../support/app.ts'
import { testFolder } from '../support/database.ts'
import { idByCode } from '../support/company.ts'
import { Imports } from '../support/imports.ts'
import { openScene, sceneTemplate } from '../support/scene.ts'
import { watchLoop } from '../support/loopWatch.ts'
import { textRows, workbook } from '../support/workbook.ts'

/**
 * Milliseconds of this thread's processor time. Nobody shall wait longer than 200 for another's work; processors are a half as fast as others, and what held
 * everybody up took seconds.
 */
const most = 400

/** How many rows a file has, or the key of its refusal. */
async function rowsIn(content: Buffer | string): Promise<number | string> {
  const file = path.join(testFolder(), 'file')
  fs.writeFileSync(file, content)
  try {
    let count = 0
    for await (const rows of rowsOf(file, await recogniseFile(file, {}))) count += rows.length
    return count
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.key.replace('problem.', '')
    throw error
  }
}

describe('no file holds the event loop', () => {
  const wide = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`Column ${i}`, i]))
  const files: readonly (readonly [what: string, content: () => Buffer | string, rows: number | string])[] = [
    ['300,000 blank lines', () => `Code,Name\n${'\n'.repeat(300_000)}A,B\n`, 2],
    ['300,000 blank lines of Windows', () => `Code,Name\r\n${'\r\n'.repeat(300_000)}A,B\r\n`, 2],
    ['300,000 lines of empty values', () => `Code,Name\n${',\n'.repeat(300_000)}A,B\n`, 2],
    ['more blank lines than a sheet has rows', () => `Code,Name\n${'\n'.repeat(1_200_000)}A,B\n`, 'FILE_BROKEN.blank'],
    ['one line of two million values', () => `Code,Name\n${','.repeat(2_000_000)}A\n`, 'FILE_BROKEN.columns'],
    ['a quotation mark never closed', () => `Code,Name\n"${'a\n'.repeat(3_000_000)}`, 'FILE_BROKEN.quote'],
    ['200,000 rows', () => `Code,Name\n${'A,B\n'.repeat(200_000)}`, 200_001],
    ['a workbook of 200,000 empty rows', () => workbook(`${Array.from({ length: 200_000 }, (_, i) => `<row r="${i + 1}"/>`).join('')}<row r="200001"><c><v>1</v></c></row>`), 1],
    ['a workbook of 20,000 rows', () => workbook(textRows(Array.from({ length: 20_000 }, (_, i) => ['A', `Name ${i}`, '1', '2', '3']))), 20_000],
    ['a list of 100,000 records', () => JSON.stringify(Array.from({ length: 100_000 }, (_, i) => ({ Code: `C${i}`, Name: 'Some name', Price: i }))), 100_001],
    ['a list of wide records', () => JSON.stringify(Array.from({ length: 2_500 }, () => wide)), 2_501],
    ['a list of one million empty records', () => `[{"Code":1}${',{}'.repeat(1_000_000)}]`, 2],
    ['a text of 7 MB in a list', () => JSON.stringify([{ Code: 'x'.repeat(7_000_000) }]), 'FILE_BROKEN.record'],
    ['lists within lists within lists', () => `[{"Code":${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}}]`, 'FILE_BROKEN.json-deep'],
    ['lists that never end', () => `[{"Code":${'['.repeat(7_000_000)}`, 'FILE_BROKEN.json-deep'],
  ]
  it.each(files)('%s', async (_, content, rows) => {
    const made = content()
    const { longest, result } = await watchLoop(() => rowsIn(made))
    expect(result).toBe(rows)
    expect(longest).toBeLessThan(most)
  }, 120_000)
})

describe('no call holds the event loop', () => {
  it('orders of 2,000 lines saved, read, priced and submitted, lists, reports and exports of thousands of rows, errors of many rows', async () => {
    const arus = await testApp({ template: sceneTemplate })
    const admin = await arus.signIn('admin')
    const id = (table: string, code: string): Promise<number> => idByCode(arus.database, table, code)
    const items = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((code) => id('item', code)))
    const order = { CustomerID: await id('customer', 'C0000001'), Lines: Array.from({ length: 2_000 }, (_, i) => ({ ItemID: items[i % 5], Uom: 'CTN', Qty: '1' })) }
    const held = async (what: string, call: () => Promise<Pick<Answer, 'status' | 'data'>>): Promise<Answer['data']> => {
      const { longest, result } = await watchLoop(call)
      expect([what, result.status]).toEqual([what, 200])
      expect(longest, what).toBeLessThan(most)
      return result.data
    }
    const { record } = await held('save', () => admin.post('/api/v1/data/sales-order', order))
    await held('read', () => admin.get(`/api/v1/data/sales-order/${record.ID}`))
    await held('price', () => admin.post('/api/v1/command/price-order', order))
    await held('submit', () => admin.post(`/api/v1/data/sales-order/${record.ID}/submit`, {}, { version: record.Version, acknowledge: ['all'] }))
    await held('list', () => admin.get('/api/v1/data/sales-order', { length: 500 }))
    await arus.database.run(sql`
      insert into customer (code, name, customer_category_id, sales_channel_id, payment_term_id, operating_unit_id, territory_id, status, tax_name, trx_code)
      select 'M' || lpad(n::text, 5, '0'), 'Many ' || n, customer_category_id, sales_channel_id, payment_term_id, operating_unit_id, territory_id, 1, tax_name, trx_code
      from customer, generate_series(1, 10000) n where code = 'C0000001'`)
    await held('list of customers', () => admin.get('/api/v1/data/customer', { length: 500 }))
    await held('report', () => admin.get('/api/v1/report/journal.report', { length: 5_000, date_from: '2026-01-01', date_to: '2026-12-31' }))
    for (const format of ['xlsx', 'csv']) {
      await held(format, async () => {
        const body = { screen: 'customer.list', format, language: 'en', hasTotals: false, columns: [{ name: 'code' }, { name: 'name' }, { name: 'territory_id' }], sort: [] }
        const answer = await arus.app.inject({ method: 'POST', url: '/api/v1/export', headers: { authorization: `Bearer ${admin.token}` }, payload: body })
        return { status: answer.statusCode, data: answer.rawPayload }
      })
    }
    const files = new Imports(arus, admin)
    const unknown = Array.from({ length: 5_000 }, (_, i) => `X-${i},${'n'.repeat(100)},${'unknown'.repeat(20)},none,none,none,none,none,none,maybe`).join('\n')
    await held('errors', async () => ({ status: 200, data: await files.take('customer.import', `Code,Name,Category,Channel,Area,Territory,OU,Term,Salesman,PKP\n${unknown}`) }))
  }, 240_000)

  it('bank statements of thousands of lines matched and saved, hundreds of records taken on at once, the largest file of tax invoices', async () => {
    const scene = await openScene()
    const { admin } = scene.people
    const held = async (what: string, call: () => Promise<Pick<Answer, 'status' | 'data'>>): Promise<Answer['data']> => {
      const { longest, result } = await watchLoop(call)
      expect([what, result.status], JSON.stringify(result.data ?? null).slice(0, 500)).toEqual([what, 200])
      expect(longest, what).toBeLessThan(most)
      return result.data
    }
    await scene.database.run(sql`update company set npwp = '0123456789012345', is_pkp = true`)
    await scene.database.run(sql`update customer set npwp = '0987654321098765', tax_id_type = 'TIN', tax_name = 'PT Makmur' where code = 'C0000001'`)
    const invoice = await scene.invoiced('C0000001', [{ item: 'A', qty: '2' }, { item: 'B', qty: '1' }])
    for (let n = 1; n <= 5; n++) await scene.pay('C0000001', String(n * 1000), [])
    const Lines = Array.from({ length: 2_000 }, (_, i) => ({ ValueDate: '2026-11-20', Credit: String(1000 * (1 + (i % 2_000))), Description: `TRSF E-BANKING CR ${i} 2611${i} TOKO MANDIRI` }))
    const closing = String(Lines.reduce((total, line) => total + Number(line.Credit), 0))
    const statement = { HouseBankID: await scene.at.id('house_bank', 'BCA1'), DocDate: '2026-11-20', StatementNo: 'LOOP', OpeningBalance: '0', ClosingBalance: closing, Lines }
    await held('match', () => admin.post('/api/v1/command/match-statement', statement))
    await held('statement', () => admin.post('/api/v1/data/bank-statement', statement, { key: scene.key() }))

    const drafts: number[] = []
    for (let n = 0; n < 100; n++) drafts.push((await scene.draftOrder('C0000002', [{ item: 'E', qty: '1' }])).ID)
    const { results } = await held('bulk', () => admin.post('/api/v1/data/sales-order/bulk/submit', { IDs: drafts }, { key: scene.key(), acknowledge: ['all'] }))
    expect(results).toHaveLength(100)

    await scene.database.run(sql`update tax_invoice_period set status = 'OPEN'`)
    const period = '202611'
    await scene.database.run(sql`insert into tax_invoice_period (period, status, deadline) select ${period}, 'OPEN', '2026-12-20' where not exists (select 1 from tax_invoice_period where period = ${period})`)
    for (const command of ['draft-tax-invoices', 'export-tax-invoices']) expect((await admin.post(`/api/v1/command/${command}`, { Period: period }, { key: scene.key() })).data, command).toMatchObject({ results: expect.any(Array) })
    const [one] = await scene.rows('tax_invoice', sql`invoice_id = ${invoice.ID} and status = 'EXPORTED'`)
    expect(one).toBeDefined()
    await scene.database.run(sql`drop index tax_invoice_live_idx`)
    await scene.database.run(sql`
      insert into tax_invoice select (jsonb_populate_record(null::tax_invoice, to_jsonb(t) || jsonb_build_object('id', 1000000 + n, 'code', 'LOOP-' || n))).* from tax_invoice t, generate_series(1, 999) n where t.id = ${one.id}`)
    const file = await held('tax file', async () => {
      const answer = await scene.at.app.inject({ method: 'GET', url: `/api/v1/tax-invoice-xml/${String(one.tax_invoice_batch_id)}`, headers: { authorization: `Bearer ${admin.token}` } })
      return { status: answer.statusCode, data: answer.body }
    })
    expect(String(file).split('<TaxInvoice>')).toHaveLength(1_001)
  }, 240_000)

  it('and what would hold it is seen', async () => {
    const { longest } = await watchLoop(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      let sum = 0
      for (let i = 0; i < 2_000_000_000; i++) sum += i % 7
      return sum
    })
    expect(longest).toBeGreaterThan(most)
  })
})
