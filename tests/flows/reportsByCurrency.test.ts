import { beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const abroad = 'C0000002'
const today = (): string => scene.at.clock.today()

async function rate(usd: string): Promise<void> {
  await scene.database.run(sql`delete from exchange_rate where currency = 'USD' and rate_date = ${today()}::date`)
  await insertRows(scene.database, 'exchange_rate', [{ currency: 'USD', rate_date: today(), kind: 'BI', rate: usd }])
}

/** One invoice of 2,200,000 rupiah, one of 1,000 dollars at 16,000 of which 400 have come at 16,100. */
beforeAll(async () => {
  scene = await openScene()
  const from = { valid_from: '2025-01-01' }
  const [set] = await insertRows(scene.database, 'price_set', [{ code: 'EXPORT', name: 'Export', scheme: 'V3', scope_kind: 'CUSTOMER', currency: 'USD', status: 1, ...from }])
  // With VAT one D is USD 1,000.
  await insertRows(scene.database, 'list_price', [{ price_set_id: set, item_id: await scene.at.id('item', 'D'), uom: 'CTN', min_qty: '0', price: '900.90', ...from }])
  await scene.database.run(sql`update customer set price_set_id = ${set} where code = ${abroad}`)
  const [bank] = await insertRows(scene.database, 'house_bank', [{
    code: 'USD1', operating_unit_id: await scene.at.id('operating_unit', 'JKT'), name: 'BCA USD', bank_id: await scene.at.id('bank', 'BCA'), account_no: '999', account_name: 'PT Arus', currency: 'USD', gl_account_id: await scene.at.id('account', '111202'), is_collection: true,
  }])
  await scene.invoiced('C0000001', [{ item: 'D', qty: '1' }])
  await rate('16000')
  const invoice = await scene.invoiced(abroad, [{ item: 'D', qty: '1' }])
  await rate('16100')
  await scene.pay(abroad, '400', [{ InvoiceID: invoice.ID, Paid: '400', ReasonID: await scene.at.id('reason', 'R01') }], { HouseBankID: bank })
})

async function told(report: string, query: object, measures: readonly string[]): Promise<unknown> {
  const answer = await scene.people.admin.get(`/api/v1/report/${report}.report`, { ...query, length: 100 })
  expect([answer.status, answer.message]).toEqual([200, answer.message])
  const each: readonly Record[] = answer.data.currencies ?? [{ currency: answer.data.rows[0]?.Currency, totals: answer.data.totals }]
  return Object.fromEntries(each.map(({ currency, totals }) => [currency, measures.map((name) => totals[name])]))
}

describe('rupiah and dollars in one company', () => {
  const span = { date_from: '2026-11-01', date_to: '2026-11-30' }

  test('the aging tells both apart, or what both are worth in the books', async () => {
    expect(await told('ar-aging', {}, ['remaining', 'not_due'])).toEqual({ IDR: ['2200000.00', '2200000.00'], USD: ['600.00', '600.00'] })
    expect(await told('ar-aging', { in_books: true }, ['remaining', 'not_due'])).toEqual({ IDR: ['11800000.00', '11800000.00'] })
    expect(await told('ar-aging-mix', {}, ['owed', 'net_open', 'sales_90'])).toEqual({ IDR: ['2200000.00', '2200000.00', '1981982.00'], USD: ['600.00', '600.00', '900.90'] })
    expect(await told('ar-aging-mix', { in_books: true }, ['owed', 'net_open', 'sales_90'])).toEqual({ IDR: ['11800000.00', '11800000.00', '16396382.00'] })
  })

  test('the movement of receivables agrees with the ledger in either', async () => {
    const measures = ['invoiced', 'paid', 'closing', 'ledger', 'ledger_difference']
    expect(await told('ar-trans', span, measures)).toEqual({ IDR: ['2200000.00', '0.00', '2200000.00', '2200000.00', '0.00'], USD: ['1000.00', '-400.00', '600.00', '600.00', '0.00'] })
    expect(await told('ar-trans', { ...span, in_books: true }, measures)).toEqual({ IDR: ['18200000.00', '-6400000.00', '11800000.00', '11800000.00', '0.00'] })
  })

  test('what goods cost in rupiah is taken off dollars at the rate of their invoice', async () => {
    const measures = ['dpp', 'cogs', 'margin']
    expect(await told('zdr-bill', span, measures)).toEqual({ IDR: ['1981982.00', '1500000.00', '481982.00'], USD: ['900.90', '93.75', '807.15'] })
    expect(await told('zdr-bill', { ...span, in_books: true }, measures)).toEqual({ IDR: ['16396382.00', '3000000.00', '13396382.00'] })
  })

  test('money that came is what it was worth on its day', async () => {
    expect(await told('payment', span, ['amount', 'allocated'])).toEqual({ USD: ['400.00', '400.00'] })
    expect(await told('payment', { ...span, in_books: true }, ['amount'])).toEqual({ IDR: ['6440000.00'] })
  })

  test('figures of grouped rows are told apart, or come to one', async () => {
    const totals = async (query: object): Promise<unknown> => {
      const { data } = await scene.people.admin.get('/api/v1/report/ar-aging.report/summary', { group: 'operating_unit_code', measures: 'remaining', ...query })
      return [data.rows, data.totals].map((rows: readonly Record[]) => rows.map(({ currency, cells }) => [currency, cells[0].values[0]]))
    }
    expect(await totals({})).toEqual([[['IDR', '2200000.00'], ['USD', '600.00']], [['IDR', '2200000.00'], ['USD', '600.00']]])
    expect(await totals({ in_books: true })).toEqual([[['IDR', '11800000.00']], [['IDR', '11800000.00']]])
  })

  test('tiles of the dashboard say what all of it is worth, and lead to where that is said', async () => {
    const tile = async (id: string): Promise<Record> => (await scene.people.admin.get(`/api/v1/dashboard/dashboard/${id}`)).data
    const receivables = await tile('receivables')
    expect(receivables.amounts).toMatchObject([{ currency: 'IDR', value: '11800000.00' }])
    expect(receivables.link).toContain('in_books=true')
    expect((await tile('sales-month')).amounts).toMatchObject([{ currency: 'IDR', value: '16396382.00' }])
    expect((await tile('collections-today')).amounts).toMatchObject([{ currency: 'IDR', value: '6440000.00' }])
  })

  test('what waits to be billed is told in the currency of its order, what the goods cost too', async () => {
    await scene.delivered(abroad, [{ item: 'D', qty: '1' }])
    await scene.delivered('C0000001', [{ item: 'D', qty: '2' }])
    const { data } = await scene.people.admin.get('/api/v1/data/billing-due', { length: 10, totals: 'amount,cost' })
    expect(data.currencies.map(({ currency, totals }: Record) => [currency, totals.amount, totals.cost])).toEqual([['IDR', expect.any(String), '3000000.00'], ['USD', '1000.00', '93.17']])
  })
})
