import { beforeAll, describe, expect, it } from 'vitest'
import { makeAdministrator } from '#server/access/makeAdministrator.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { installReference } from '#server/seed/reference.ts'
import { testApp, type Answer, type Session, type TestApp } from '../support/app.ts'
import { password, passwordHash } from '../support/company.ts'
import { Imports } from '../support/imports.ts'

interface Record {
  readonly ID: number
  readonly Version: number
  readonly [field: string]: unknown
}

let arus: TestApp
let boss: Session

// An installation as a company gets it: what the product ships, and nobody but its first administrator.
beforeAll(async () => {
  arus = await testApp({ template: { name: 'nothing', fill: () => Promise.resolve() } })
  await installReference(arus.database, arus.clock)
  await arus.database.transaction(async (tx) => makeAdministrator(tx, { email: 'boss@arus.example', name: 'Boss', hash: passwordHash }, arus.clock.now()))
  boss = await arus.signIn('boss')
})

async function made(resource: string, body: object, by = boss): Promise<Record> {
  const { status, message, data } = await by.post(`/api/v1/data/${resource}`, body)
  expect([resource, status, message, data.errors ?? []]).toEqual([resource, 200, expect.any(String), []])
  return data.record
}

const steps = async (): Promise<readonly (readonly [string, boolean])[]> =>
  (await boss.get('/api/v1/home/counts')).data.steps.map(({ Url, IsDone }: { readonly Url: string; readonly IsDone: boolean }) => [Url, IsDone])

describe('a company that begins with nothing', () => {
  it('is shown what it lacks, in order, until all of it is there; then it sells, delivers, bills and is paid', async () => {
    expect(await steps()).toEqual([
      ['/setting/company', false], ['/setting/operating-unit', false], ['/setting/territory', false], ['/setting/warehouse', false], ['/setting/cash-account', false],
      ['/setting/house-bank', false], ['/master/payment-term', false], ['/master/customer-category', false], ['/master/sales-channel', false], ['/master/customers', false],
      ['/master/sku-view', false], ['/setting/user', true],
    ])
    const company = await made('company', { Code: 'ACME', Name: 'Acme', LegalName: 'PT Acme' })
    const unit = await made('operating-unit', { Code: 'MDN', Name: 'Medan', CompanyID: company.ID, Kind: 'BRANCH' })
    expect((await steps()).map(([, isDone]) => isDone).slice(0, 3)).toEqual([true, true, false])
    const territory = await made('territory', { Code: 'MDN-K', Name: 'Medan kota', OperatingUnitID: unit.ID })
    const warehouse = await made('warehouse', { Code: 'WH', Name: 'Gudang', OperatingUnitID: unit.ID, Kind: 'MAIN', StockClass: 'UNRESTRICTED' })
    const desk = await made('cash-account', { Code: 'KAS', Name: 'Kas', OperatingUnitID: unit.ID, Kind: 'CASHIER', GlAccountID: await arus.id('account', '111102') })
    const bank = await made('bank', { Code: 'BCA', Name: 'Bank Central Asia' })
    await made('house-bank', {
      Code: 'BCA1', Name: 'BCA Medan', OperatingUnitID: unit.ID, BankID: bank.ID, AccountNo: '0011', AccountName: 'PT Acme', GlAccountID: await arus.id('account', '111201'),
    })
    const kept = (await boss.get(`/api/v1/data/operating-unit/${unit.ID}`)).data.record
    expect((await boss.put(`/api/v1/data/operating-unit/${unit.ID}`, { DefaultWarehouseID: warehouse.ID, DefaultCashAccountID: desk.ID }, { version: kept.Version })).status).toBe(200)
    const term = await made('payment-term', { Code: 'COD', Name: 'Cash on delivery', NetDays: 0, IsCod: true })
    const category = await made('customer-category', { Code: 'TOKO', Name: 'Toko' })
    const channel = await made('sales-channel', { Code: 'GT', Name: 'General trade' })
    const item = await made('item', { Code: 'A', Name: 'Kopi', BaseUom: 'PCS', SalesUom: 'CTN', PackQty: '24', IsTaxable: true, TaxCodeID: await arus.id('tax_code', 'PPN04') })
    await made('item-uom', { ItemID: item.ID, Uom: 'CTN', Factor: '24' })
    const customer = await made('customer', {
      Name: 'Toko Satu', CustomerCategoryID: category.ID, SalesChannelID: channel.ID, TerritoryID: territory.ID, OperatingUnitID: unit.ID, PaymentTermID: term.ID,
    })
    await made('customer-address', { CustomerID: customer.ID, Code: 'A', Kind: 'SHIP_TO', Address: 'Jl. Satu 1', City: 'Medan', IsDefault: true })
    expect(await steps()).toEqual([])

    // What one enters another approves, from the first day on.
    const credit = await joined('credit', 'CREDIT_CTRL')
    const finance = await joined('finance', 'FIN_MGR')
    await approved(credit, 'customer', 'change', customer.ID)
    const prices = await made('price-change', {
      Kind: 'PRICE_SET', Scheme: 'V3', IsPartial: false, SetCode: 'BASE', SetName: 'Base prices', ScopeKind: 'BASE', EffectiveFrom: arus.clock.today(), Lines: [{ ItemID: item.ID, Uom: 'CTN', Value: '240000' }],
    })
    expect((await boss.post(`/api/v1/data/price-change/${prices.ID}/submit`, {}, { version: prices.Version })).status).toBe(200)
    await approved(finance, 'price_change', 'submit', prices.ID)

    const files = new Imports(arus, boss)
    await setting('cut_over_date', { Text: arus.clock.today() })
    await setting('begbal_open', { Flag: true })
    const stock = await files.take('opening-balance.import', 'SKU,Warehouse,Batch,Qty,UnitCost\nA,WH,,480,8000', { name: 'stock.csv' })
    expect(await files.errors(stock)).toEqual([])
    const { Status } = await files.commit(await files.as('opening-stock', stock))
    expect(Status).toBe(3)

    const order = await made('sales-order', { CustomerID: customer.ID, OperatingUnitID: unit.ID, WarehouseID: warehouse.ID, Lines: [{ ItemID: item.ID, Uom: 'CTN', Qty: '2' }] })
    expect(order).toMatchObject({ Dpp: '480000.00', Total: '532800.00' })
    expect((await act('sales-order', order.ID, 'submit'))['Status']).toBe(1)
    const { Lines: lines } = (await boss.get(`/api/v1/data/sales-order/${order.ID}`)).data.record
    await command('plan-delivery', { IDs: lines.map(({ ID }: Record) => ID), PlanDate: arus.clock.today(), Release: true })
    const [delivery] = await arus.database.rows<{ id: number }>(sql`select id from delivery_order`)
    await act('delivery-order', delivery?.id ?? 0, 'pick')
    await act('delivery-order', delivery?.id ?? 0, 'issue')
    const issues = await arus.database.rows<{ id: number }>(sql`select id from goods_issue`)
    const { Invoices: [invoice] } = await command('bill-deliveries', { IDs: issues.map(({ id }) => id), InvoiceDate: arus.clock.today() })
    const receipt = await made('payment-received', {
      CustomerID: customer.ID, PaymentDate: arus.clock.today(), Method: 'CASH', CashAccountID: desk.ID, Amount: '532800', Lines: [{ InvoiceID: invoice.ID, Paid: '532800', Credits: [], Deductions: [] }],
    })
    expect((await act('payment-received', receipt.ID, 'post'))['Status']).toBe(1)
    expect((await boss.get(`/api/v1/data/invoice/${invoice.ID}`)).data.record).toMatchObject({ Total: '532800.00', Remaining: '0.00' })
    expect(await violations(arus.database, arus.clock.today())).toEqual([])
  })
})

async function act(resource: string, id: number, action: string): Promise<Record> {
  const { Version } = (await boss.get(`/api/v1/data/${resource}/${id}`)).data.record
  const { status, message, data } = await boss.post(`/api/v1/data/${resource}/${id}/${action}`, {}, { version: Version })
  expect([action, status, message, data.errors ?? data.warnings ?? []]).toEqual([action, 200, expect.any(String), []])
  return data.record
}

async function command(name: string, body: object): Promise<Answer['data']> {
  const { status, message, data } = await boss.post(`/api/v1/command/${name}`, body)
  expect([name, status, message]).toEqual([name, 200, expect.any(String)])
  return data
}

/** A colleague who has chosen a password of his own. */
async function joined(name: string, role: string): Promise<Session> {
  const user = await made('user', { Email: `${name}@arus.example`, Name: name, RoleID: await arus.id('role', role), Password: password })
  await arus.database.run(sql`update app_user set password_hash = ${passwordHash}, password_change_date = ${arus.clock.now()} where id = ${user.ID}`)
  return arus.signIn(name)
}

async function approved(by: Session, docType: string, transition: string, id: number): Promise<void> {
  const { rows } = (await by.get(`/api/v1/approval/${docType}/${transition}`, { state: 'waiting', columns: 'id' })).data
  const asked = rows.find((row: Record) => row['DocID'] === id)
  const { status, message } = await by.post(`/api/v1/approval/${asked?.ID}/approve`, {})
  expect([docType, status, message]).toEqual([docType, 200, expect.any(String)])
  expect(await arus.database.rows(sql`select doc_code from approval_request where doc_type = ${docType} and doc_id = ${id} and status = 4`)).toEqual([])
}

async function setting(key: string, value: object): Promise<void> {
  const found = (await boss.get('/api/v1/data/setting-oms', { search: key, length: 5 })).data.rows.find((row: { readonly Key: string }) => row.Key === key)
  const { status, message } = await boss.put(`/api/v1/data/setting-oms/${found.ID}`, value, { version: found.Version })
  expect([key, status, message]).toEqual([key, 200, expect.any(String)])
}
