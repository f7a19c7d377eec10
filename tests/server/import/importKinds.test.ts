import { beforeAll, describe, expect, it } from 'vitest'
import type { ImportBatch } from '#api/import.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../../support/app.ts'
import { Imports } from '../../support/imports.ts'
import { buyAndGet, insertPromotion } from '../../support/promotions.ts'
import { textRows, workbook } from '../../support/workbook.ts'

let arus: TestApp
let admin: Session
let files: Imports

beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
  files = new Imports(arus, admin)
})

const take = (screen: string, rows: readonly (readonly string[])[]): Promise<ImportBatch> => files.take(screen, workbook(textRows(rows)), { name: 'rows.xlsx' })

async function commit(batch: ImportBatch): Promise<ImportBatch> {
  expect(await files.errors(batch)).toEqual([])
  const done = await files.commit(batch)
  // What is said of orders that were submitted is no error.
  expect((await files.errors(done)).filter((error) => !error.includes(' E00 '))).toEqual([])
  return done
}

describe('master data by file', () => {
  it('tells from the heads what the rows are, in each of its kinds', async () => {
    // Several kinds have the same heads: then somebody has to say which is meant.
    const drinks = await take('item.import', [['Code', 'Name', 'Parent'], ['CAT-1', 'Drinks', '']])
    expect(await commit(await files.as('category', drinks))).toMatchObject({ Sheet: 'category', RowsImported: 1 })
    const vendors = await take('item.import', [['Code', 'Name', 'Kind', 'NPWP', 'AccountNo'], ['V-9', 'PT Sumber', 'PRINCIPAL;TRANSPORTER', '0012345678901000', '0012300']])
    expect(vendors.Sheet).toBe('vendor')
    await commit(vendors)
    expect(await arus.database.first(sql`select kinds, bank_account_no from business_partner where code = 'V-9'`)).toEqual({ kinds: ['PRINCIPAL', 'TRANSPORTER'], bank_account_no: '0012300' })
    const odd = await take('item.import', [['Code', 'Name', 'Kind', 'NPWP', 'AccountNo'], ['V-10', 'PT Lain', 'PRINCIPAL;WRONG', '0012345678902000', '1']])
    expect(await files.errors(odd)).toEqual([expect.stringMatching(/^2 Kind E05 /)])
    const people = await take('item.import', [['WorkNumber', 'Name', 'OU', 'Position'], ['E-77', 'Budi', 'JKT', 'salesman']])
    expect(people.Sheet).toBe('salesman')
    await commit(people)
    const items = await take('item.import', [['Code', 'Name', 'Principal', 'Category', 'BaseUOM', 'SalesUOM', 'PackQty', 'Taxable', 'Barcode'], ['NEW-1', 'Tea', 'V-9', 'CAT-1', 'PCS', 'CTN', '24', 'Y', '0089'], ['NEW-1', 'Tea again', 'V-9', 'CAT-1', 'PCS', 'CTN', '24', 'Y', '']])
    expect(items).toMatchObject({ Sheet: 'item', RowsRight: 1, RowsWrong: 1 })
    expect((await files.rows(items))[1]?.Errors).toMatchObject([{ column: 'Code', code: 'E03', params: { row: 2 } }])
  })

  it('changes what is there only where the row asks for it, and only by who may', async () => {
    await commit(await take('item.import', [['Code', 'Name', 'Kind', 'Update'], ['V-UP', 'PT Lama', 'PRINCIPAL', 'N']]))
    const taken = await take('item.import', [['Code', 'Name', 'Kind', 'Update'], ['V-UP', 'PT Baru', 'PRINCIPAL', '']])
    expect(await files.errors(taken)).toEqual([expect.stringMatching(/^2 Code E04 /)])
    const twice = await take('item.import', [['Code', 'Name', 'Kind', 'Update'], ['V-UP', 'PT Baru', 'PRINCIPAL', 'Y'], ['v-up', 'PT Lain', 'PRINCIPAL', 'Y']])
    expect(await files.errors(twice)).toEqual([expect.stringMatching(/^2 Name E00 .*PT Lama/), expect.stringMatching(/^3 Name E00 /), expect.stringMatching(/^3 Code E03 /)])
    const done = await files.commit(await take('item.import', [['Code', 'Name', 'Kind', 'AccountNo', 'Update'], ['V-UP', 'PT Baru', 'PRINCIPAL', '0077', 'Y'], ['V-UQ', 'PT Tambah', 'PRINCIPAL', '', 'Y']]))
    expect(done).toMatchObject({ Status: 3, RowsImported: 2 })
    expect(await arus.database.rows(sql`select code, name, bank_account_no from business_partner where code in ('V-UP', 'V-UQ') order by code`)).toEqual([
      { code: 'V-UP', name: 'PT Baru', bank_account_no: '0077' }, { code: 'V-UQ', name: 'PT Tambah', bank_account_no: null },
    ])
    // What was there before is never taken away with a file.
    const undone = await files.undo(done)
    expect([await files.errors(undone), undone]).toMatchObject([[expect.stringMatching(/^2  E10 It was there before the file/)], { RowsImported: 1 }])
    expect(await arus.database.rows(sql`select code from business_partner where code in ('V-UP', 'V-UQ')`)).toEqual([{ code: 'V-UP' }])
    // Who may only make vendors is told so at the cell that asks for more.
    await arus.database.run(sql`update app_user set role_id = (select id from role where code = 'MASTER_DATA') where email = 'sales@arus.example'`)
    await arus.database.run(sql`delete from role_permission where guard_name = 'business-partner-edit' and role_id = (select id from role where code = 'MASTER_DATA')`)
    const maker = new Imports(arus, await arus.signIn('sales'))
    const refused = await maker.as('vendor', await maker.take('item.import', ['Code,Name,Kind,Update', 'V-UP,PT Lain,PRINCIPAL,Y'].join('\n')))
    expect(await maker.errors(refused)).toEqual([expect.stringMatching(/^2 Update E10 .*V-UP/)])
  })

  it('puts a new salesman into his team from the day of the import, and leaves the teams of others alone', async () => {
    const unit = await arus.id('operating_unit', 'JKT')
    await arus.database.run(sql`insert into work_team (code, name, operating_unit_id, is_active, created_at, updated_at, version) values ('T-1', 'Team one', ${unit}, true, now(), now(), 1)`)
    await commit(await take('item.import', [['WorkNumber', 'Name', 'OU', 'Position', 'Team'], ['E-78', 'Siti', 'JKT', 'SALESMAN', 'T-1'], ['E-79', 'Andi', 'JKT', 'SALESMAN', '']]))
    expect(await arus.database.rows(sql`
      select e.work_number, t.code, m.valid_from from employee e join work_team_member m on m.employee_id = e.id join work_team t on t.id = m.work_team_id where e.work_number in ('E-78', 'E-79')`)).toEqual([
      { work_number: 'E-78', code: 'T-1', valid_from: '2026-11-20' },
    ])
    const moved = await take('item.import', [['WorkNumber', 'Name', 'OU', 'Position', 'Team', 'Update'], ['E-79', 'Andi', 'JKT', 'SALESMAN', 'T-1', 'Y']])
    expect(await files.errors(moved)).toEqual([expect.stringMatching(/^2 Team E10 /)])
  })
})

describe('orders by file', () => {
  const heads = ['ExternalRef', 'Customer', 'ShipTo', 'OrderDate', 'SKU', 'UOM', 'Qty', 'Submit']
  let facts: { readonly customer: string; readonly ship: string; readonly items: readonly { readonly code: string; readonly uom: string }[] }

  beforeAll(async () => {
    const row = await arus.database.first(sql`select c.code as customer, a.code as ship from customer c join customer_address a on a.customer_id = c.id and a.kind = 'SHIP_TO' order by c.id limit 1`)
    const items = await arus.database.rows<{ code: string; uom: string }>(sql`select code, base_uom as uom from item where exists (select 1 from list_price p where p.item_id = item.id) order by id limit 2`)
    facts = { customer: String(row?.['customer']), ship: String(row?.['ship']), items }
  })

  const line = (ref: string, item: number, qty: string, submit = 'N', date = '2026-11-20'): readonly string[] => [ref, facts.customer, facts.ship, date, facts.items[item]?.code ?? '', facts.items[item]?.uom ?? '', qty, submit]

  it('rows of one reference become one order, priced as if typed; submitted where the file says so', async () => {
    const batch = await take('sales-order.import', [heads, line('W-1', 0, '5'), line('W-2', 1, '3', 'Y'), line('W-1', 1, '2')])
    expect(await commit(batch)).toMatchObject({ Status: 3, RowsImported: 3 })
    const orders = await arus.database.rows<{ note: string; status: number; code: string | null; total: string; lines: number }>(sql`
      select o.external_ref as note, o.status, o.code, o.total, (select count(*)::int from sales_order_line l where l.sales_order_id = o.id and not l.is_free) as lines from sales_order o where o.external_ref like 'W-%' order by o.external_ref`)
    expect(orders.map(({ note, lines }) => [note, lines])).toEqual([['W-1', 2], ['W-2', 1]])
    expect(orders.map(({ status, code, total }) => [status === 0, code === null, Number(total) > 0])).toEqual([[true, true, true], [false, false, true]])
    const [first] = await files.rows(batch)
    expect(first?.Records).toMatchObject([{ entity: 'sales_order' }])
  })

  it('a wrong row keeps its whole order back, and no other; a reference is used once', async () => {
    const before = Number((await arus.database.first(sql`select count(*)::int as n from sales_order`))?.['n'])
    const batch = await take('sales-order.import', [heads, line('W-5', 0, '1'), line('W-6', 0, '1'), line('W-5', 1, 'many'), line('W-7', 0, '1'), line('W-7', 1, '1', 'N', '2026-11-19'), line('W-1', 0, '9')])
    expect((await files.rows(batch)).map((row) => [row.RowNo, row.State, row.Errors.map(({ code }) => code)])).toEqual([
      [2, 'ERROR', ['E12']], [3, 'VALID', []], [4, 'ERROR', ['E05']], [5, 'ERROR', ['E12']], [6, 'ERROR', ['E11']], [7, 'ERROR', ['E04']],
    ])
    expect(await files.commit(batch)).toMatchObject({ Status: 2, RowsImported: 1, RowsWrong: 5 })
    expect(Number((await arus.database.first(sql`select count(*)::int as n from sales_order`))?.['n'])).toBe(before + 1)
    expect(await files.undo(batch)).toMatchObject({ Status: 7, RowsImported: 0 })
    expect(Number((await arus.database.first(sql`select count(*)::int as n from sales_order`))?.['n'])).toBe(before)
  })

  it('the log says of a submitted order whether it is approved or what somebody decides about it', async () => {
    await arus.database.run(sql`insert into credit_limit (customer_id, kind, amount, valid_from, created_at, updated_at) select id, 'REGULER', '999999999', '2026-01-01', now(), now() from customer where code = ${facts.customer}`)
    const batch = await files.commit(await take('sales-order.import', [heads, line('W-N1', 0, '1', 'Y')]))
    expect(await files.errors(batch)).toEqual(['2  E00 Submitted and approved.'])
    await arus.database.run(sql`update credit_limit set amount = 1`)
    const over = await files.commit(await take('sales-order.import', [heads, line('W-N2', 0, '1', 'Y')]))
    expect(await files.errors(over)).toEqual(['2  E00 Submitted; somebody decides first: Credit limit.'])
    // Taken back, an approved order is cancelled; one that somebody is asked about stays and says so.
    expect(await files.undo(batch)).toMatchObject({ Status: 7, RowsImported: 0 })
    expect(await arus.database.rows(sql`select status from sales_order where external_ref = 'W-N1'`)).toEqual([{ status: 6 }])
    expect(await files.errors(await files.undo(over))).toEqual([expect.stringMatching(/^2  E10 This document is /)])
  })

  it('rows of goods given free make no line: a promotion must give them on the order', async () => {
    const [item] = facts.items
    const sold = await arus.database.first<{ id: number }>(sql`select id from item where code = ${item?.code ?? ''}`)
    await insertPromotion(arus.database, { code: 'F1', name: 'Buy 10 get 1', valid_from: '2025-01-01', ...buyAndGet(sold?.id ?? 0, '10', '1', 3) })
    const withFlag = [...heads, 'FreeFlag']
    const free = (ref: string, qty: string, flag: string): readonly string[] => [...line(ref, 0, qty), flag]
    const batch = await take('sales-order.import', [withFlag, free('W-F1', '1', 'Y'), free('W-F1', '10', ''), free('W-F2', '10', 'N'), free('W-F2', '2', 'Y'), free('W-F3', '1', 'Y')])
    // Found by trying, before anything is imported; the row right in itself names the one it waits for.
    expect(await files.errors(batch)).toEqual([
      expect.stringMatching(/^4  E12 Row 5 of this document is wrong/), expect.stringMatching(/^5 Qty E06 Promotions give 1\.000 .* of .* on this order\.$/), expect.stringMatching(/^6 Qty E06 Promotions give 0\.000/),
    ])
    const { rows: wrong } = (await admin.get(`/api/v1/import-batch/${batch.ID}/rows`, { state: 'ERROR' })).data
    expect(wrong.map((one: { readonly RowNo: number }) => one.RowNo)).toEqual([5, 6, 4])
    expect(await files.commit(batch)).toMatchObject({ RowsImported: 2, RowsWrong: 3 })
    expect(await arus.database.rows(sql`
      select l.qty, l.is_free from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.external_ref like 'W-F%' order by o.external_ref, l.is_free`)).toEqual([
      { qty: '10.000', is_free: false }, { qty: '1.000', is_free: true },
    ])
  })

  it('what saving itself refuses is said at the cell', async () => {
    const batch = await take('sales-order.import', [heads, ['W-8', facts.customer, facts.ship, '2026-11-20', facts.items[0]?.code ?? '', 'BARREL', '1', 'N']])
    expect(batch).toMatchObject({ Status: 1, RowsRight: 0, RowsWrong: 1 })
    expect((await files.rows(batch))[0]?.Errors).toMatchObject([{ column: 'UOM', code: 'E05' }])
  })
})

describe('prices by file', () => {
  it('become a change that waits for approval; no price is live before', async () => {
    const price = await arus.database.first<{ set: string; item: string; uom: string }>(sql`
      select s.code as set, i.code as item, p.uom from list_price p join price_set s on s.id = p.price_set_id join item i on i.id = p.item_id order by p.id limit 1`)
    const before = await arus.database.rows(sql`select * from list_price order by id`)
    const batch = await take('price-change.import', [['PriceSet', 'SKU', 'UOM', 'Price', 'FloorPrice', 'ValidFrom', 'Action'], [price?.set ?? '', price?.item ?? '', price?.uom ?? '', '1,234.50', '1000', '2026-12-01', 'U']])
    expect(await commit(batch)).toMatchObject({ RowsImported: 1 })
    expect(await arus.database.rows(sql`select c.status, c.kind, c.effective_from, l.value, l.action, l.effect from price_change c join price_change_line l on l.price_change_id = c.id`)).toMatchObject([
      { status: 0, kind: 'LIST_PRICE', effective_from: '2026-12-01', value: '1234.5000', action: 'SET' },
    ])
    expect(await arus.database.rows(sql`select * from list_price order by id`)).toEqual(before)
  })
})
