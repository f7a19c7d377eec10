import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { noRegistries } from '../support/registries.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { password } from '../support/company.ts'

let arus: TestApp
let sales: Session

beforeAll(async () => {
  arus = await testApp({ registries: noRegistries })
  sales = await arus.signIn('sales')
})

const login = (email: string, secret: string, type = 'json') => {
  const multipart = `--x\r\ncontent-disposition: form-data; name="email"\r\n\r\n${email}\r\n--x\r\ncontent-disposition: form-data; name="password"\r\n\r\n${secret}\r\n--x--\r\n`
  const payload = type === 'json' ? { email, password: secret } : type === 'form' ? new URLSearchParams({ email, password: secret, user_agent: 'test' }).toString() : multipart
  const contentType = { json: 'application/json', form: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data; boundary=x' }[type] ?? ''
  return arus.app.inject({ method: 'POST', url: '/api/v1/login', payload, headers: { 'content-type': contentType } })
}

describe('signing in', () => {
  it.each(['json', 'form', 'multipart'])('takes %s and answers token and log_login_id', async (type) => {
    const answer = await login('SALES@arus.example', password, type)
    expect(answer.json()).toMatchObject({ code: 200, status: 'success', data: { token: expect.stringMatching(/^[\w-]{43}$/), log_login_id: expect.any(String), hostname: expect.any(String) } })
  })

  it('stores only the hash of the token and a salted hash of the password', async () => {
    const { token } = (await login('sales@arus.example', password)).json().data
    expect(await arus.database.rows(sql`select 1 from user_session where token_hash = ${token}`)).toEqual([])
    const manager = await arus.signIn('manager')
    expect((await manager.put('/api/v1/profile/password', { old_password: password, new_password: 'Another-pass-1' })).status).toBe(200)
    const [user] = await arus.database.rows(sql`select password_hash from app_user where email = 'manager@arus.example'`)
    expect(user?.['password_hash']).toMatch(/^scrypt\$65536\$8\$[\w-]{22}\$[\w-]{43}$/)
  })

  it('says the same for a wrong password and an unknown user', async () => {
    const wrong = (await login('analyst@arus.example', 'nope')).json()
    const unknown = (await login('nobody@arus.example', 'nope')).json()
    expect(wrong).toEqual(unknown)
    expect(wrong).toMatchObject({ code: 401, status: 'LOGIN_FAILED' })
  })

  it('names missing fields', async () => {
    const answer = (await login('', '')).json()
    expect(answer).toMatchObject({ status: 'VALIDATION_FAILED', data: { errors: [{ field: 'email' }, { field: 'password' }] } })
  })

  it('is asked of every call that is not public', async () => {
    expect(await arus.anonymous.get('/api/v1/setting/user-personal')).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
    expect(await arus.anonymous.get('/api/v1/data/customer')).toMatchObject({ status: 401 })
    expect(await arus.anonymous.get('/api/v1/health')).toMatchObject({ status: 200, data: { version: 'test', migration: expect.any(Number) } })
  })
})

describe('the signed-in user', () => {
  it('is told in the specification’s spelling', async () => {
    const { data } = await sales.get('/api/v1/setting/user-personal')
    expect(data).toMatchObject({ email: 'sales@arus.example', role: 'SALES_ADMIN', apps: ['oms'], is_show_tos: false, territories: [expect.any(Number), expect.any(Number)], operating_unit_id: await arus.id('operating_unit', 'JKT') })
    expect(data.territory_id).toBe(await arus.id('territory', 'JKT-N'))
    const admin = await arus.signIn('admin')
    expect((await admin.get('/api/v1/setting/user-personal')).data).toMatchObject({ territory_id: 0, operating_unit_id: null })
  })

  it('gets menu and permissions of his role', async () => {
    const { records } = (await sales.get('/api/v1/menu')).data
    expect(records.length).toBeGreaterThan(0)
    expect(records.every((entry: { submenu: unknown[] }) => entry.submenu.length > 0)).toBe(true)
    const guards = (await sales.get('/api/v1/permission', { module: 'sales-order', source: 'OMS' })).data.records
    expect(guards).toContainEqual({ GuardName: 'sales-order-submit' })
    expect(guards).not.toContainEqual({ GuardName: 'sales-order-approve' })
    expect((await sales.get('/api/v1/permission', { module: 'no-such' })).data.records).toEqual([])
  })
})

describe('options', () => {
  it('list customers in scope only', async () => {
    const codes = async (session: Session, query = {}) => (await session.get('/api/v1/master/customer/options', query)).data.records.map((row: { code: string }) => row.code)
    expect(await codes(sales)).toEqual(['C0000001', 'C0000002'])
    expect(await codes(await arus.signIn('admin'))).toEqual(['C0000001', 'C0000002', 'C0000003'])
    expect(await codes(sales, { territory_id: await arus.id('territory', 'JKT-S') })).toEqual(['C0000002'])
    expect(await codes(sales, { search: 'makmur' })).toEqual(['C0000001'])
    expect((await sales.get('/api/v1/payment/customer')).data.customer).toHaveLength(2)
  })

  it('list addresses, accounts, banks, reasons, units', async () => {
    const customer = await arus.id('customer', 'C0000001')
    const foreign = await arus.id('customer', 'C0000003')
    expect((await sales.get('/api/v1/master/customer-address/ship-to', { customer_id: customer })).data.records).toEqual([expect.objectContaining({ ID: expect.any(Number), address: 'Jalan Kirim 1' })])
    expect((await sales.get('/api/v1/master/customer-address/ship-to', { customer_id: foreign })).data.records).toEqual([])
    expect((await sales.get('/api/v1/customer-accounts', { customer_id: customer })).data.records).toEqual([])
    const banks = `/api/v1/cash-bank/form-bank/${await arus.id('operating_unit', 'JKT')}`
    expect((await (await arus.signIn('cashier')).get(banks)).data.operatingUnitBank).toEqual([expect.objectContaining({ Code: 'BCA-JKT', BankName: 'BCA' })])
    // No screen of a sales clerk asks for a bank account.
    expect((await sales.get(banks)).code).toBe('FORBIDDEN_GUARD')
    expect((await sales.get('/api/v1/payment/reason-outstanding')).data.reason_outstanding.length).toBeGreaterThan(0)
    const units = (await sales.get('/api/v1/master/operating-unit-with-territory/personal')).data.records
    expect(units).toEqual([expect.objectContaining({ Code: 'JKT', Territories: [expect.objectContaining({ TerritoryCode: 'JKT-N' }), expect.objectContaining({ TerritoryCode: 'JKT-S' })] })])
    const withHead = (await sales.get('/api/v1/master/operating-unit-with-territory/personal', { is_include_ho: true })).data.records
    expect(withHead.map((unit: { Code: string }) => unit.Code)).toEqual(['HO', 'JKT'])
  })

  it('find nothing to pay', async () => {
    const cashier = await arus.signIn('cashier')
    expect((await cashier.get('/api/v1/payment/validate/code-invoice', { invoice_code: 'INV/NONE' })).data.invoices).toEqual([])
    expect((await cashier.post('/api/v1/invoice/for-options', { codes: ['INV/NONE'] })).data.invoiceOptions).toEqual([])
    expect((await cashier.get('/api/v1/payment/credit-note/list', { customer_id: 1 })).data.creditNote).toEqual([])
    expect((await cashier.get('/api/v1/payment/cust-deposit/list', { customer_id: 1 })).data.customerDeposit).toEqual([])
  })

  it('fill the home page', async () => {
    expect((await sales.get('/api/v1/home')).data).toMatchObject({ approvals: [], announcements: [], starred: [] })
  })
})
