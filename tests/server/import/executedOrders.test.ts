import { beforeAll, describe, expect, it } from 'vitest'
import type { ImportBatch } from '#api/import.ts'
import { metadata } from '#generated/metadata.ts'
import { loadUser } from '#server/access/users.ts'
import { sql } from '#server/db/sql.ts'
import { requireTaking } from '#server/import/permissions.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import { violations } from '#server/ledger/invariants.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { Imports } from '../../support/imports.ts'
import { runOf } from '../../support/scene.ts'
import { upload } from '../../support/upload.ts'

let arus: TestApp
let admin: Session
let files: Imports

const heads = 'ExternalRef,Customer,ShipTo,InvoiceDate,Warehouse,SKU,UOM,Qty,Price,Discount'

beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
  files = new Imports(arus, admin)
  await receive('JKT', 'WJKT', [['A', '500', '40000000'], ['B', '500', '95000000']])
})

async function receive(unit: string, warehouse: string, lines: readonly (readonly [code: string, qty: string, cost: string])[]): Promise<void> {
  const [unitId, warehouseId] = [await arus.id('operating_unit', unit), await arus.id('warehouse', warehouse)]
  const stock = await Promise.all(lines.map(async ([code, qty, cost]) => ({ itemId: await arus.id('item', code), qty, cost })))
  await arus.database.transaction((tx) => receiveStock(runOf(arus.database, tx), {
    kind: 'OB_STOCK', date: '2026-11-01', operatingUnitId: unitId, warehouseId, source: { type: 'opening', id: unitId, code: `OPENING ${unit}` }, lines: stock,
  }))
}

const take = (rows: readonly string[]): Promise<ImportBatch> => files.take('so-to-invoice.import', [heads, ...rows].join('\n'))

const trade = (): Promise<unknown> => arus.database.first(sql`
  select (select count(*)::int from sales_order) as orders, (select count(*)::int from delivery_order) as deliveries, (select count(*)::int from goods_issue) as issues,
    (select count(*)::int from invoice) as invoices, (select count(*)::int from journal) as journals, (select sum(on_hand)::text from stock_balance) as stock`)

describe('orders carried out elsewhere', () => {
  it('become order, delivery, goods issue and invoice of their own day at the prices agreed', async () => {
    const batch = await take([
      'MP-1,C0000001,S1,2026-11-03,WJKT,A,CTN,10,100000,0', 'MP-1,C0000001,S1,2026-11-03,WJKT,B,CTN,2,,5000', 'MP-2,C0000002,S1,2026-11-04,WJKT,A,CTN,1,99.5,',
    ])
    expect(await files.errors(batch)).toEqual([])
    const done = await files.commit(batch)
    expect([await files.errors(done), done]).toMatchObject([[], { Status: 3, RowsImported: 3 }])
    expect(await arus.database.rows(sql`
      select o.external_ref, o.doc_date, o.status, o.stage, o.source, o.currency, d.status as delivery, g.posting_date as issued, i.posting_date as invoiced, i.due_date, i.gross, i.discount, i.dpp, i.ppn, i.total, i.status as invoice
      from sales_order o join delivery_order d on d.sales_order_id = o.id join goods_issue g on g.delivery_order_id = d.id join invoice i on i.sales_order_id = o.id order by o.id`)).toEqual([
      {
        external_ref: 'MP-1', doc_date: '2026-11-03', status: 3, stage: 'BILLED', source: 'IMPORT', currency: 'IDR', delivery: 3, issued: '2026-11-03', invoiced: '2026-11-03', due_date: '2026-12-03',
        gross: '1500000.00', discount: '5000.00', dpp: '1495000.00', ppn: '164450.00', total: '1659450.00', invoice: 1,
      },
      {
        external_ref: 'MP-2', doc_date: '2026-11-04', status: 3, stage: 'BILLED', source: 'IMPORT', currency: 'IDR', delivery: 3, issued: '2026-11-04', invoiced: '2026-11-04', due_date: '2026-12-04',
        gross: '99.50', discount: '0.00', dpp: '100.00', ppn: '11.00', total: '111.00', invoice: 1,
      },
    ])
    expect(await arus.database.rows(sql`select price, price_source from sales_order_line order by id`)).toEqual([
      { price: '100000.0000', price_source: 'AGREED' }, { price: '250000.0000', price_source: 'BASE:BASE' }, { price: '99.5000', price_source: 'AGREED' },
    ])
    expect(await arus.database.first(sql`select sum(on_hand)::text as stock, sum(reserved)::text as reserved from stock_balance`)).toEqual({ stock: '987.000', reserved: '0.000' })
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
    // The log names all of it and leads there.
    const [row] = await files.rows(done)
    expect(row?.Records.map(({ entity, name, path }) => [entity, name.split('/')[0], path?.split('?')[0]?.replace(/\d+$/, '{id}')])).toEqual([
      ['sales_order', 'SO', '/sales-order-list/{id}'], ['delivery_order', 'DO', '/delivery_plan'], ['invoice', 'INV', '/billing'],
    ])
  })

  it('are imported whole or not at all, each by itself, and the row that stops one says why', async () => {
    const before = await trade()
    const batch = await take([
      'MP-3,C0000001,S1,2026-11-05,WJKT,A,CTN,1,100,', 'MP-3,C0000001,S1,2026-11-05,WJKT,B,CTN,100000,100,',
      'MP-4,C0000001,S1,2027-01-05,WJKT,A,CTN,1,100,', 'MP-5,C0000001,S1,2020-01-05,WJKT,A,CTN,1,100,',
      'MP-6,C0000001,S1,2026-11-05,WJKT,A,CTN,1,100,', 'MP-6,C0000001,S1,2026-11-06,WJKT,A,CTN,1,100,', 'MP-7,C0000001,S1,2026-11-05,WBDG,A,CTN,1,100,',
    ])
    // What only doing shows is found before anything is done.
    expect(batch).toMatchObject({ Status: 1, RowsRight: 0, RowsWrong: 7, Actions: expect.not.arrayContaining(['commit']) })
    const errors = await files.errors(batch)
    expect(errors.filter((error) => !error.includes('E12'))).toEqual([
      '3 Qty E06 Only 498 of B are in stock.', '4 InvoiceDate E05 What was carried out cannot be dated in the future.', expect.stringMatching(/^5 .*01\/2020/), expect.stringMatching(/^7  E11/),
      expect.stringMatching(/^8 Warehouse/),
    ])
    expect(await trade()).toEqual(before)
  })

  it('of a closed month are told at the day, every closed module at once, while the file is looked at', async () => {
    const close = (status: string) => arus.database.run(sql`update accounting_period set status = ${status} where period = '202611' and module in ('ST', 'AR')`)
    await close('CLOSED')
    const batch = await take(['MP-CLOSED,C0000001,S1,2026-11-03,WJKT,A,CTN,1,100000,0'])
    await close('OPEN')
    expect((await files.rows(batch))[0]?.Errors).toMatchObject([{ column: 'InvoiceDate', text: 'Period 11/2026 is closed for Stock, Receivables.' }])
  })

  it('are noticed when they come again, in the same file or another', async () => {
    const before = await trade()
    const rows = ['MP-1,C0000001,S1,2026-11-03,WJKT,A,CTN,10,100000,0', 'mp-2,C0000002,S1,2026-11-04,WJKT,B,CTN,1,,']
    const batch = await take(rows)
    expect(batch).toMatchObject({ RowsSkipped: 1, RowsWrong: 1, RowsRight: 0, Actions: expect.not.arrayContaining(['commit']) })
    expect((await files.errors(batch)).at(-1)).toMatch(/^3 ExternalRef E04/)
    expect(await trade()).toEqual(before)
  })

  it('are taken back whole: invoice, goods issue, delivery and order, the last one first', async () => {
    const batch = await files.commit(await take(['MP-8,C0000001,S1,2026-11-06,WJKT,A,CTN,3,1000,']))
    expect(batch).toMatchObject({ RowsImported: 1 })
    const stock = async (): Promise<unknown> => (await arus.database.first(sql`select sum(on_hand)::text as n from stock_balance`))?.['n']
    expect(await stock()).toBe('984.000')
    const undone = await files.undo(batch)
    expect([await files.errors(undone), undone]).toMatchObject([[], { Status: 7, RowsImported: 0 }])
    expect(await stock()).toBe('987.000')
    expect(await arus.database.rows(sql`
      select o.status, d.status as delivery, g.status as issue, i.status as invoice, i.remaining from sales_order o join delivery_order d on d.sales_order_id = o.id
      join goods_issue g on g.delivery_order_id = d.id join invoice i on i.sales_order_id = o.id where o.external_ref = 'MP-8'`)).toEqual([{ status: 6, delivery: 6, issue: 7, invoice: 6, remaining: '0.00' }])
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
    // Taken back, it may come again.
    const again = await take(['MP-8,C0000001,S1,2026-11-06,WJKT,A,CTN,2,1000,'])
    expect(await files.commit(again)).toMatchObject({ RowsImported: 1 })
  })

  it('may be orders that are approved here: what the file says went is delivered and billed of them, at their prices', async () => {
    const scene = { CustomerID: await arus.id('customer', 'C0000001'), WarehouseID: await arus.id('warehouse', 'WJKT'), DocDate: '2026-11-05', RequestedDate: '2026-11-05' }
    const made = await admin.post('/api/v1/data/sales-order', { ...scene, Lines: [{ ItemID: await arus.id('item', 'A'), Uom: 'CTN', Qty: '10' }, { ItemID: await arus.id('item', 'B'), Uom: 'CTN', Qty: '4' }] })
    const id = Number(made.data.record.ID)
    const named = 'ExternalRef,SONumber,Customer,InvoiceDate,SKU,UOM,Qty,Price'
    const draft = await files.take('so-to-invoice.import', `${named}\nEX-0,SO-NONE,,2026-11-06,A,CTN,1,`)
    expect(await files.errors(draft)).toEqual([expect.stringMatching(/^2 SONumber E02 /)])
    await arus.database.run(sql`delete from approval_matrix where doc_type = 'sales_order'`)
    const { code, status } = (await admin.post(`/api/v1/data/sales-order/${id}/submit`, {}, { acknowledge: [] })).data.record === undefined ? { code: '', status: 0 } : (await arus.database.first<{ code: string; status: number }>(sql`select code, status from sales_order where id = ${id}`)) ?? { code: '', status: 0 }
    expect(status).toBe(1)
    const prices = await arus.database.rows<{ price: string }>(sql`select price from sales_order_line where sales_order_id = ${id} and not is_free order by line_no`)
    const wrongs = await files.take('so-to-invoice.import', [
      named, `EX-1,${code},,2026-11-06,A,CTN,11,`, `EX-2,${code},C0000002,2026-11-06,A,CTN,1,`, `EX-3,${code},,2026-11-01,A,CTN,1,`, `EX-4,${code},,2026-11-06,A,CTN,1,1`, `EX-5,${code},,2026-11-06,A,CTN,1,`, `EX-5,,C0000001,2026-11-06,A,CTN,1,`,
    ].join('\n'))
    expect((await files.errors(wrongs)).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      '2 Qty E06', '3 Customer E05', '4 InvoiceDate E05', '5 Price E05', '6  E12', '7 ShipTo E01', '7 Warehouse E01', '7  E11',
    ])
    const first = await files.commit(await files.take('so-to-invoice.import', [named, `EX-6,${code},C0000001,2026-11-06,A,CTN,6,${prices[0]?.price}`, `EX-7,${code.toLowerCase()},,2026-11-07,A,CTN,4,`, `EX-7,${code.toLowerCase()},,2026-11-07,B,CTN,1,`].join('\n')))
    expect([await files.errors(first), first]).toMatchObject([[], { Status: 3, RowsImported: 3 }])
    expect((await files.rows(first))[1]?.Records).toMatchObject([{ entity: 'sales_order', id, name: code }, { entity: 'delivery_order' }, { entity: 'invoice' }])
    const state = (): Promise<unknown> => arus.database.rows(sql`
      select o.status, l.qty_base, l.delivered_qty, l.billed_qty, l.planned_qty, l.reserved_qty from sales_order o join sales_order_line l on l.sales_order_id = o.id where o.id = ${id} and not l.is_free order by l.line_no`)
    expect(await state()).toEqual([
      { status: 2, qty_base: '10.000', delivered_qty: '10.000', billed_qty: '10.000', planned_qty: '0.000', reserved_qty: '0.000' },
      { status: 2, qty_base: '4.000', delivered_qty: '1.000', billed_qty: '1.000', planned_qty: '0.000', reserved_qty: '3.000' },
    ])
    expect(await arus.database.rows(sql`select posting_date, status from invoice where sales_order_id = ${id} order by id`)).toEqual([{ posting_date: '2026-11-06', status: 1 }, { posting_date: '2026-11-07', status: 1 }])
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
    // The same number is carried out once, whatever it says.
    expect(await files.errors(await files.take('so-to-invoice.import', `${named}\nex-6,${code},,2026-11-08,B,CTN,1,`))).toEqual([expect.stringMatching(/^2 ExternalRef E04 It was carried out already: DO/)])
    // Taken back, the order waits for its goods again; it is the file's no more than before.
    const undone = await files.undo(first)
    expect([await files.errors(undone), undone]).toMatchObject([[], { Status: 7 }])
    expect(await state()).toMatchObject([{ status: 1, delivered_qty: '0.000', billed_qty: '0.000', reserved_qty: '10.000' }, { status: 1, delivered_qty: '0.000', reserved_qty: '4.000' }])
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
  })

  it('need the permissions to issue goods and to bill, and are refused before the file is looked at', async () => {
    const sales = await arus.signIn('sales')
    expect((await upload(arus.app, sales.token, '/api/v1/import/so-to-invoice.import', { name: 'a.csv', bytes: heads })).status).toBe(403)
    const person = await loadUser(arus.database, await arus.id('app_user', 'admin@arus.example', 'email'))
    const screen = metadata.screens['so-to-invoice.import']
    if (person === undefined || screen?.kind !== 'import') throw new Error('nothing to import, or nobody')
    const refusal = (guards: ReadonlySet<string>): unknown => {
      try {
        requireTaking(metadata, { ...person, guards }, screen)
        return undefined
      } catch (error) {
        return error
      }
    }
    expect(refusal(person.guards)).toBeUndefined()
    const fewer = new Set([...person.guards].filter((guard) => guard !== 'billing-post'))
    expect(refusal(fewer)).toMatchObject({ problem: { code: 'FORBIDDEN_GUARD', params: { guard: 'billing-post' } } })
  })

  it('stopped in the middle, leave whole orders and nothing of the others; the rest goes in afterwards, once', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `STOP-${i},C0000001,S1,2026-11-07,WJKT,A,CTN,1,100,`)
    const batch = await take(rows)
    const made = (): Promise<{ readonly orders: number; readonly whole: number } | undefined> => arus.database.first(sql`
      select count(*)::int as orders, count(*) filter (where o.status = 3 and exists (select 1 from invoice i where i.sales_order_id = o.id and i.status = 1)
        and exists (select 1 from delivery_order d join goods_issue g on g.delivery_order_id = d.id and g.status in (1, 2, 3) where d.sales_order_id = o.id and d.status = 3))::int as whole
      from sales_order o where o.external_ref like 'STOP-%'`)
    expect((await admin.post(`/api/v1/import-batch/${batch.ID}/commit`, {})).status).toBe(200)
    while ((await made())?.orders === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await admin.post(`/api/v1/import-batch/${batch.ID}/cancel`, {})).status).toBe(200)
    const stopped = await files.settled(batch)
    expect(stopped).toMatchObject({ Status: 2, RowsWrong: 0, Actions: expect.arrayContaining(['commit', 'undo']) })
    expect(stopped.RowsImported).toBeGreaterThan(0)
    expect(stopped.RowsImported).toBeLessThan(60)
    expect(await made()).toEqual({ orders: stopped.RowsImported, whole: stopped.RowsImported })
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
    expect(await files.commit(stopped)).toMatchObject({ Status: 3, RowsImported: 60 })
    expect(await made()).toEqual({ orders: 60, whole: 60 })
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
  })
})

describe('a company that keeps its books in another currency and owes no tax', () => {
  it('prices, bills and books to the cent in it', async () => {
    await arus.database.transaction(async (tx) => {
      const company = (await tx.first<{ id: number }>(sql`
        insert into company (code, name, legal_name, base_currency, default_trx_code, is_active, created_at, updated_at, version) values ('UK', 'Arus UK', 'Arus Ltd', 'GBP', '04', true, now(), now(), 1) returning id`))?.id
      await tx.run(sql`update operating_unit set company_id = ${company} where code = 'BDG'`)
      await tx.run(sql`update item set is_taxable = false where code = 'B'`)
    })
    await receive('BDG', 'WBDG', [['B', '100', '333.33']])
    const heads2 = ['UK-1,C0000003,S1,2026-11-03,WBDG,B,CTN,7,1.2550,', 'UK-1,C0000003,S1,2026-11-03,WBDG,B,CTN,3,4.25,0.01']
    const done = await files.commit(await take(heads2))
    expect([await files.errors(done), done.RowsImported]).toEqual([[], 2])
    expect(await arus.database.rows(sql`select currency, gross, discount, dpp, ppn, rounding, total, remaining from invoice where customer_id = ${await arus.id('customer', 'C0000003')}`)).toEqual([
      { currency: 'GBP', gross: '21.54', discount: '0.01', dpp: '21.53', ppn: '0.00', rounding: '0.00', total: '21.53', remaining: '21.53' },
    ])
    expect(await arus.database.rows(sql`
      select distinct j.currency, j.total_debit from journal j where j.source_event in ('INV', 'COGS', 'GI_SALE') and j.operating_unit_id = ${await arus.id('operating_unit', 'BDG')} order by 2`)).toEqual([
      { currency: 'GBP', total_debit: '21.54' }, { currency: 'GBP', total_debit: '33.33' },
    ])
    expect(await violations(arus.database, '2026-11-20')).toEqual([])
    const aging = await admin.get('/api/v1/report/ar-aging.report', { as_of: '2026-11-20' })
    // Pounds and rupiah are never added up.
    expect([aging.data.totals, aging.data.currencies]).toMatchObject([{}, [{ currency: 'IDR' }, { currency: 'GBP', totals: { remaining: '21.53' } }]])
    // By file prices of another currency are none; entered by hand an order is in that of the price list, at the rate of its day.
    const blank = await take(['UK-2,C0000003,S1,2026-11-03,WBDG,B,CTN,1,,'])
    expect((await files.errors(blank))[0]).toMatch(/^2 SKU/)
    const foreign = await admin.post('/api/v1/data/sales-order', { CustomerID: await arus.id('customer', 'C0000003'), Currency: 'IDR', Lines: [] })
    expect([foreign.status, JSON.stringify(foreign.data)]).toEqual([422, expect.stringContaining('No exchange rate of IDR is kept for 20/11/2026.')])
  })
})
