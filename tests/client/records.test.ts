import { expect, test } from 'vitest'
import { columnOf } from '#base/wireName.ts'
import { fillPath, holdsFor, labelOf, wireOf } from '#client/data/around.ts'

const around = { user: { id: 7 }, today: '2026-11-21', params: {} }

test('column names and wire keys lead to each other', () => {
  expect(['customer_id', 'po_number', 'customer_id.name', 'customer_id.code', 'id'].map(wireOf)).toEqual(['CustomerID', 'PoNumber', 'CustomerName', 'CustomerCode', 'ID'])
  expect(['ID', 'SalesOrderID', 'PoNumber', 'IsPkp'].map(columnOf)).toEqual(['id', 'sales_order_id', 'po_number', 'is_pkp'])
})

test('a path is filled from the record, or is no path at all', () => {
  expect(fillPath('/sales-order-list/{ID}', { ID: 17 })).toBe('/sales-order-list/17')
  expect(fillPath('/x/{Code}', { Code: 'SO/JKT 1' })).toBe('/x/SO%2FJKT%201')
  expect(fillPath('/pages/invoice/{InvoiceID}', { InvoiceID: null })).toBeUndefined()
})

test('conditions of a screen are asked of records as they travel', () => {
  const late = { all: [{ status: { in: [1, 2] } }, { due_date: { lt: { now: 'date' as const } } }] }
  expect(holdsFor(late, { Status: 1, DueDate: '2026-11-20' }, around)).toBe(true)
  expect(holdsFor(late, { Status: 1, DueDate: null }, around)).toBe(false)
  expect(holdsFor({ 'customer_id.name': 'Maju' }, { CustomerID: 1, CustomerName: 'Maju' }, around)).toBe(true)
  expect(holdsFor(undefined, {}, around)).toBe(true)
})

test('a record is called by its number', () => {
  expect([{ ID: 1, Code: 'SO1', Name: 'n' }, { ID: 2, Name: 'Budi' }, { ID: 3 }].map(labelOf)).toEqual(['SO1', 'Budi', '3'])
})
