import { beforeAll, expect, it } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { testApp, type TestApp } from '../../support/app.ts'
import { Imports } from '../../support/imports.ts'

let arus: TestApp
let files: Imports
beforeAll(async () => {
  arus = await testApp()
  files = new Imports(arus, await arus.signIn('admin'))
  await insertRows(arus.database, 'business_partner', [{ code: 'V1', name: 'PT Pemasok', kinds: ['VENDOR'], ap_account_group: 'TRADE' }])
})

const lines = () => arus.database.rows(sql`select o.status, l.code, l.qty, l.price, l.received_qty from purchase_order_line l join purchase_order o on o.id = l.purchase_order_id order by o.id, l.line_no`)

it('purchase orders come by file, released where it says so, and what came in of them by another; both are taken back', async () => {
  const orders = await files.take('purchase-order.import', [
    'ExternalRef,Vendor,Unit,OrderDate,DeliveryDate,SKU,Qty,Price,TaxCode,Release',
    'ERP-1,V1,JKT,2026-11-18,2026-11-25,A,100,12000,PPN04,Y',
    'ERP-1,V1,JKT,2026-11-18,2026-11-25,B,50,20000,PPN04,Y',
    'ERP-2,V1,JKT,2026-11-18,2026-11-25,A,10,12000,PPN04,N',
    'ERP-3,V9,JKT,2026-11-18,2026-11-10,A,10,12000,PPN04,N',
  ].join('\n'))
  expect((await files.rows(orders)).map((row) => [row.State, row.Errors.map(({ column }) => column)])).toEqual([['VALID', []], ['VALID', []], ['VALID', []], ['ERROR', ['Vendor']]])
  expect(await files.commit(orders)).toMatchObject({ RowsImported: 3, RowsWrong: 1 })
  expect(await lines()).toEqual([
    { status: 1, code: 'PO/JKT/2611/00001-1', qty: '100.000', price: '12000.000000', received_qty: '0.000' },
    { status: 1, code: 'PO/JKT/2611/00001-2', qty: '50.000', price: '20000.000000', received_qty: '0.000' },
    { status: 0, code: null, qty: '10.000', price: '12000.000000', received_qty: '0.000' },
  ])
  const receipts = await files.take('goods-receipt.import', [
    'PurchaseOrder,DeliveryNote,Date,Warehouse,OrderLine,Accepted,Rejected',
    'PO/JKT/2611/00001,SJ-1,2026-11-20,WJKT,PO/JKT/2611/00001-1,60,2',
    'PO/JKT/2611/00001,SJ-2,2026-11-20,WJKT,PO/JKT/2611/00001-1,41,0',
    'PO/JKT/2611/00001,SJ-3,2026-11-20,WJKT,PO/JKT/2611/00001-1,40,0',
    'PO/JKT/2611/00001,SJ-3,2026-11-20,WJKT,PO/JKT/2611/00001-2,50,0',
  ].join('\n'))
  expect((await files.rows(receipts)).map((row) => [row.State, row.Errors.map(({ column, text }) => [column, text])])).toEqual([
    ['VALID', []], ['ERROR', [['Accepted', 'At most 40 are left.']]], ['VALID', []], ['VALID', []],
  ])
  expect(await files.commit(receipts)).toMatchObject({ RowsImported: 3, RowsWrong: 1 })
  expect((await lines()).slice(0, 2)).toMatchObject([{ status: 3, received_qty: '100.000' }, { status: 3, received_qty: '50.000' }])
  expect(await violations(arus.database, '2026-11-20')).toEqual([])
  await files.undo(receipts)
  expect((await lines()).slice(0, 2)).toMatchObject([{ status: 1, received_qty: '0.000' }, { status: 1, received_qty: '0.000' }])
  await files.undo(orders)
  expect((await lines()).map(({ status }) => status)).toEqual([6, 6])
  expect(await violations(arus.database, '2026-11-20')).toEqual([])
})
