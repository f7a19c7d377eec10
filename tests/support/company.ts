import { scryptSync } from 'node:crypto'
import { clockOf } from '#server/clock.ts'
import type { Clock, Database, Queries, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { ident, sql } from '#server/db/sql.ts'
import { firstTerms } from '#server/seed/legal.ts'
import { installCompanySettings, installReference } from '#server/seed/reference.ts'

export const password = 'Arus-demo-1'

/** The password's hash at a cost that a test can pay at every sign-in; a hash names its own cost. The real cost has tests of its own. */
export const passwordHash = `scrypt$1024$8$tests$${scryptSync(password, 'tests', 32, { N: 1024, r: 8, p: 1 }).toString('base64url')}`

/** The day on which tests take place unless they move their clock. */
export const testDay = '2026-11-20T03:00:00.000Z'

/**
 * A company as small as it gets: head office and two branches, three territories, a user for each role, two items, three customers. Codes
 * are what tests know it by.
 */
export async function fillCompany(database: Database, clock: Clock = clockOf(() => new Date(testDay))): Promise<void> {
  await installReference(database, clock)
  await database.transaction(async (tx) => {
    const [company] = await add(tx, 'company', [{ code: 'ARS', name: 'Arus', legal_name: 'PT Arus', is_pkp: true }])
    await installCompanySettings(tx)
    const [ho = 0, jkt = 0, bdg = 0] = await add(tx, 'operating_unit', [
      { code: 'HO', name: 'Head office', kind: 'HO', is_head_office: true },
      { code: 'JKT', name: 'Jakarta', kind: 'BRANCH', is_head_office: false },
      { code: 'BDG', name: 'Bandung', kind: 'BRANCH', is_head_office: false },
    ].map((row) => ({ ...row, company_id: company, nitku_suffix: '000000' })))
    const [north = 0, south = 0, west = 0] = await add(tx, 'territory', [
      { code: 'JKT-N', name: 'Jakarta north', operating_unit_id: jkt },
      { code: 'JKT-S', name: 'Jakarta south', operating_unit_id: jkt },
      { code: 'BDG-W', name: 'Bandung west', operating_unit_id: bdg },
    ])
    await add(tx, 'warehouse', [
      { code: 'WJKT', name: 'Jakarta main', operating_unit_id: jkt, kind: 'MAIN', stock_class: 'UNRESTRICTED' },
      { code: 'WBDG', name: 'Bandung main', operating_unit_id: bdg, kind: 'MAIN', stock_class: 'UNRESTRICTED' },
    ])
    await add(tx, 'employee', [
      { work_number: 'E1', name: 'Salesman north', operating_unit_id: jkt, position: 'SALESMAN' },
      { work_number: 'E2', name: 'Salesman west', operating_unit_id: bdg, position: 'SALESMAN' },
    ])
    await addUsers(tx, { ho, jkt, bdg }, { north, south, west })
    await addMasters(tx, { jkt, bdg }, { north, south, west })
  })
}

async function addUsers(tx: Queries, units: Readonly<Record<string, number>>, territories: Readonly<Record<string, number>>): Promise<void> {
  const everywhere = [
    ['admin', 'ADMIN'], ['credit', 'CREDIT_CTRL'], ['finance', 'FIN_MGR'], ['analyst', 'AUDITOR'], ['receivables', 'AR_MGR'],
    ['supervisor', 'SALES_SPV'], ['manager', 'SALES_MGR'], ['director', 'DIRECTOR'], ['payables', 'AP_MGR'],
  ].map(([name = '', role = '']) => ({ name, role, unit: null, places: [] as number[] }))
  const { north = 0, south = 0, west = 0 } = territories
  const local = [
    ['sales', 'SALES_ADMIN', 'jkt', north, south], ['warehouse', 'WH_HEAD', 'jkt', north, south], ['billing', 'BILLING', 'jkt', north, south],
    ['cashier', 'CASHIER', 'jkt', north, south], ['sales.bdg', 'SALES_ADMIN', 'bdg', west], ['vendors', 'AP_STAFF', 'jkt', north, south],
  ].map(([name, role, unit, ...places]) => ({ name: String(name), role: String(role), unit: units[String(unit)] ?? null, places: places.map(Number) }))
  for (const person of [...everywhere, ...local]) {
    const [id] = await add(tx, 'app_user', [{
      email: `${person.name}@arus.example`, name: person.name, password_hash: passwordHash, role_id: await idByCode(tx, 'role', person.role),
      territory_scope: person.places.length > 0, operating_unit_id: person.unit, password_change_date: '2026-11-01T00:00:00Z',
    }])
    await insertRows(tx, 'tos_agreement', [{ user_id: id, version: firstTerms, at: '2026-11-01T00:00:00Z' }])
    await insertRows(tx, 'user_territory', person.places.map((territory, i) => ({ user_id: id, territory_id: territory, operating_unit_id: person.unit, is_default: i === 0 })))
  }
}

async function addMasters(tx: Queries, units: { readonly jkt: number; readonly bdg: number }, territories: Readonly<Record<string, number>>): Promise<void> {
  const [category] = await add(tx, 'customer_category', [{ code: 'RETAIL', name: 'Retail' }])
  const [channel] = await add(tx, 'sales_channel', [{ code: 'GT', name: 'General trade' }])
  const [term] = await add(tx, 'payment_term', [{ code: 'N30', name: '30 days', net_days: 30, baseline: 'INVOICE' }])
  const [bank] = await add(tx, 'bank', [{ code: 'BCA', name: 'BCA' }])
  await add(tx, 'house_bank', [
    { code: 'BCA-JKT', operating_unit_id: units.jkt, name: 'BCA Jakarta', bank_id: bank, account_no: '001', account_name: 'PT Arus', gl_account_id: await idByCode(tx, 'account', '111302'), currency: 'IDR' },
  ])
  await add(tx, 'cash_account', [
    { code: 'KAS-JKT', name: 'Cash Jakarta', operating_unit_id: units.jkt, kind: 'CASHIER', gl_account_id: await idByCode(tx, 'account', '111102') },
  ])
  const customer = (code: string, name: string, unit: number, territory: number | undefined): Row => ({
    code, name, customer_category_id: category, sales_channel_id: channel, payment_term_id: term, operating_unit_id: unit, territory_id: territory, status: 1,
    tax_name: name, trx_code: '04',
  })
  const ids = await add(tx, 'customer', [
    customer('C0000001', 'Toko Makmur', units.jkt, territories['north']),
    customer('C0000002', 'Toko Sejahtera', units.jkt, territories['south']),
    customer('C0000003', 'Toko Bandung', units.bdg, territories['west']),
  ])
  await insertRows(tx, 'number_counter', [{ series_id: await idByCode(tx, 'number_series', 'CUSTOMER'), bucket: '', last_value: ids.length }])
  for (const [i, id] of ids.entries()) {
    await add(tx, 'customer_address', [
      { customer_id: id, code: 'S1', kind: 'SHIP_TO', address: `Jalan Kirim ${i + 1}`, is_default: true },
      { customer_id: id, code: 'B1', kind: 'BILL_TO', address: `Jalan Tagih ${i + 1}`, is_default: true },
    ])
  }
  const tax = await idByCode(tx, 'tax_code', 'PPN04')
  const items = await add(tx, 'item', [
    { code: 'A', name: 'Item A', base_uom: 'CTN', sales_uom: 'CTN', pack_qty: '1', tax_code_id: tax, status: 1 },
    { code: 'B', name: 'Item B', base_uom: 'CTN', sales_uom: 'CTN', pack_qty: '1', tax_code_id: tax, status: 1 },
  ])
  await add(tx, 'item_uom', items.map((id) => ({ item_id: id, uom: 'CTN', factor: '1' })))
  const [prices] = await add(tx, 'price_set', [{ code: 'BASE', name: 'Base prices', scheme: 'V3', scope_kind: 'BASE', valid_from: '2025-01-01', status: 1 }])
  await insertRows(tx, 'list_price', items.map((id, i) => ({ price_set_id: prices, item_id: id, uom: 'CTN', min_qty: '0', price: ['120000', '250000'][i], valid_from: '2025-01-01' })))
}

/** Inserts masters with their bookkeeping columns; ids in order. */
export async function add(tx: Queries, table: string, rows: readonly Row[]): Promise<number[]> {
  return insertRows(tx, table, rows)
}

export async function idByCode(queries: Queries, table: string, code: string, column = 'code'): Promise<number> {
  const row = await queries.first<{ id: number }>(sql`select id from ${ident(table)} where ${ident(column)} = ${code}`)
  if (!row) throw new Error(`There is no ${table} ${code}`)
  return row.id
}
