import { beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import type { Answer, Session } from '../support/app.ts'
import { password } from '../support/company.ts'
import { clientId, clientSecret, identityProvider } from '../support/identityProvider.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'
import { pdf, upload } from '../support/upload.ts'

// One test for each row of the table in section 7 of the specification, called by that row.

let scene: Scene
let cashier: Session
let admin: Session
let customer: number
let open: Record
let partial: Record
const home = 'http://arus.example:4000'

beforeAll(async () => {
  const provider = await identityProvider(`${home}/auth/callback`)
  scene = await openScene({ sso: { issuer: provider.issuer, clientId, clientSecret, name: 'Company account' }, publicUrl: home })
  ;({ cashier, admin } = scene.people)
  customer = await scene.at.id('customer', 'C0000001')
  open = await scene.invoiced('C0000001', [{ item: 'A', qty: '10' }])
  partial = await scene.invoiced('C0000001', [{ item: 'B', qty: '5' }])
  const short = (await cashier.get('/api/v1/payment/reason-outstanding')).data.reason_outstanding.find((reason: Record) => reason.Action === 'KEEP_OPEN')
  await scene.pay('C0000001', '100000', [{ InvoiceID: partial.ID, Paid: '100000', ReasonID: short.ID, ReasonText: 'rest next week' }])
  await scene.database.transaction(async (tx) => {
    const unit = await scene.at.id('operating_unit', 'JKT')
    const territory = await scene.at.id('territory', 'JKT-N')
    const document = { operating_unit_id: unit, territory_id: territory, customer_id: customer, doc_date: '2026-11-20', status: 1 }
    await insertRows(tx, 'credit_note', [
      { ...document, code: 'CN/1', kind: 'MANUAL', total: '50000', remaining: '30000' },
      { ...document, code: 'CN/2', kind: 'MANUAL', total: '50000', remaining: '0' },
    ])
    await insertRows(tx, 'customer_deposit', [{ ...document, code: 'CD/1', amount: '75000', remaining: '75000' }])
    const bank = await scene.at.id('bank', 'BCA')
    await insertRows(tx, 'customer_payment_account', [{ customer_id: customer, bank_id: bank, bank_name: 'BCA', account_name: 'Toko Makmur', account_number: '8880001' }])
  })
  provide = provider
})

let provide: Awaited<ReturnType<typeof identityProvider>>

/** The data of a success, which names the host that answered: the browser keeps it in the hostname-api cookie. */
function answered(answer: Answer): Record {
  expect(answer).toMatchObject({ status: 200, code: 'success', data: { hostname: expect.stringMatching(/.+/) } })
  return answer.data
}

describe('POST /api/v1/login', () => {
  it('form data: email, password, user_agent | code, message, data.token, data.log_login_id', async () => {
    const form = new URLSearchParams({ email: 'sales@arus.example', password, user_agent: 'Browser 1' })
    const inject = (payload: string, type: string) => scene.at.app.inject({ method: 'POST', url: '/api/v1/login', headers: { 'content-type': type }, payload })
    const expected = { code: 200, message: expect.any(String), data: { token: expect.stringMatching(/.{20,}/), log_login_id: expect.stringMatching(/.+/), hostname: expect.any(String) } }
    expect((await inject(form.toString(), 'application/x-www-form-urlencoded')).json()).toMatchObject(expected)
    const parts = [...form].map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')
    expect((await inject(`${parts}--b--\r\n`, 'multipart/form-data; boundary=b')).json()).toMatchObject(expected)
    const wrong = await inject(new URLSearchParams({ email: 'sales@arus.example', password: 'no', user_agent: '' }).toString(), 'application/x-www-form-urlencoded')
    expect(wrong.json()).toMatchObject({ code: 401, message: expect.stringMatching(/.+/) })
  })
})

describe('POST {gateway}/api/account/v1/auth/reset-password', () => {
  it('JSON: email, host | success or failure toast', async () => {
    const path = '/api/account/v1/auth/reset-password'
    answered(await scene.at.anonymous.post(path, { email: 'sales@arus.example', host: home }))
    expect(await scene.at.anonymous.post(path, { email: 'nonsense', host: home })).toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringMatching(/.+/) })
  })
})

describe('POST /api/v1/callback', () => {
  it('code, source_app_id | data.token', async () => {
    const start = await scene.at.app.inject('/api/v1/auth/start')
    const back = await provide.walk(String(start.headers['location']), 'sales@arus.example')
    const answer = await scene.at.app.inject({
      method: 'POST', url: '/api/v1/callback', headers: { cookie: String(start.headers['set-cookie']).split(';')[0] ?? '' },
      payload: { code: back.searchParams.get('code'), iss: back.searchParams.get('iss'), source_app_id: 'oms' },
    })
    expect(answer.json()).toMatchObject({ code: 200, data: { token: expect.stringMatching(/.{20,}/) } })
  })
})

describe('GET /api/v1/setting/user-personal', () => {
  it('none | current user', async () => {
    const data = answered(await cashier.get('/api/v1/setting/user-personal'))
    expect(data).toMatchObject({ user_session_token: expect.any(String), apps: ['oms'], territory_id: await scene.at.id('territory', 'JKT-N'), is_show_tos: false, password_change_date: expect.stringMatching(/^2026-/) })
    expect(answered(await admin.get('/api/v1/setting/user-personal')).territory_id).toBe(0)
    await scene.database.run(sql`update app_user set password_change_date = null where email = 'cashier@arus.example'`)
    expect((await cashier.get('/api/v1/setting/user-personal')).data.password_change_date).toBe('0001-01-01T00:00:00Z')
    await scene.database.run(sql`update app_user set password_change_date = '2026-11-01' where email = 'cashier@arus.example'`)
  })
})

describe('GET /api/v1/menu', () => {
  it('none | menu entries', async () => {
    const entries = answered(await cashier.get('/api/v1/menu')).records
    expect(entries).toContainEqual(expect.objectContaining({ name: 'Collection', url: expect.any(String), submenu: expect.arrayContaining([expect.objectContaining({ name: expect.any(String), url: '/finance/payment' })]) }))
  })
})

describe('GET /api/v1/permission', () => {
  it('module, source=OMS | list of GuardName', async () => {
    const names = answered(await cashier.get('/api/v1/permission', { module: 'payment-received', source: 'OMS' })).records
    expect(names).toContainEqual({ GuardName: 'payment-received-create' })
    expect(names.every((entry: Record) => entry.GuardName.startsWith('payment-received-'))).toBe(true)
    expect(answered(await cashier.get('/api/v1/permission', { module: 'payment-received', source: 'OTHER' })).records).toEqual([])
  })
})

describe('GET /api/v1/payment/credit-note/list', () => {
  it('params | creditNote', async () => {
    expect(answered(await cashier.get('/api/v1/payment/credit-note/list', { customer_id: customer })).creditNote).toEqual([expect.objectContaining({ ID: expect.any(Number), Code: 'CN/1', Remaining: '30000.00' })])
  })
})

describe('GET /api/v1/payment/cust-deposit/list', () => {
  it('customer_id | customerDeposit', async () => {
    expect(answered(await cashier.get('/api/v1/payment/cust-deposit/list', { customer_id: customer })).customerDeposit).toEqual([expect.objectContaining({ ID: expect.any(Number), Code: 'CD/1', Remaining: '75000.00' })])
  })
})

describe('GET /api/v1/payment/customer', () => {
  it('none | customer', async () => {
    expect(answered(await cashier.get('/api/v1/payment/customer')).customer).toEqual([{ ID: customer, code: 'C0000001', name: 'Toko Makmur' }, { ID: expect.any(Number), code: 'C0000002', name: 'Toko Sejahtera' }])
  })
})

describe('GET /api/v1/master/customer-address/ship-to', () => {
  it('customer_id, search | records', async () => {
    const ask = async (search: string) => answered(await cashier.get('/api/v1/master/customer-address/ship-to', { customer_id: customer, search })).records
    expect(await ask('')).toEqual([expect.objectContaining({ ID: expect.any(Number), address: 'Jalan Kirim 1' })])
    expect(await ask('kirim')).toHaveLength(1)
    expect(await ask('nowhere')).toEqual([])
  })
})

describe('GET /api/v1/customer-accounts', () => {
  it('customer_id | payment accounts', async () => {
    expect(answered(await cashier.get('/api/v1/customer-accounts', { customer_id: customer })).records).toEqual([
      { ID: expect.any(Number), bank_name: 'BCA', bank_id: await scene.at.id('bank', 'BCA'), account_name: 'Toko Makmur', account_number: '8880001' },
    ])
  })
})

const option = (invoice: Record, paid: string) => ({ ID: invoice.ID, Code: invoice.Code, Total: invoice.Total, paid, PaidWithoutFormat: paid, reason: '', Reason: null, ReasonText: '' })

describe('GET and POST /api/v1/invoice/for-options', () => {
  it('POST body: codes | invoice options', async () => {
    const left = (await scene.read('invoice', partial.ID)).Remaining
    const expected = [
      expect.objectContaining({ ...option(open, open.Total), Status: 1, Remaining: open.Total }),
      // Each invoice defaults to paying its full Remaining amount.
      expect.objectContaining({ ...option(partial, left), Status: 2, Remaining: left }),
    ]
    expect(answered(await cashier.get('/api/v1/invoice/for-options', { customer_id: customer })).invoiceOptions).toEqual(expected)
    expect(answered(await cashier.post('/api/v1/invoice/for-options', { codes: [open.Code, partial.Code] })).invoiceOptions).toEqual(expected)
    expect(answered(await cashier.post('/api/v1/invoice/for-options', { codes: ['INV/NONE'] })).invoiceOptions).toEqual([])
  })
})

describe('GET and POST /api/v1/payment/validate/code-invoice', () => {
  it('invoice_code | invoices', async () => {
    expect(answered(await cashier.get('/api/v1/payment/validate/code-invoice', { invoice_code: open.Code })).invoices).toEqual([expect.objectContaining(option(open, open.Total))])
    expect(answered(await cashier.post('/api/v1/payment/validate/code-invoice', { invoice_code: open.Code.toLowerCase() })).invoices).toHaveLength(1)
    expect(answered(await cashier.post('/api/v1/payment/validate/code-invoice', { invoice_code: 'INV/NONE' })).invoices).toEqual([])
  })
})

describe('GET /api/v1/payment/reason-outstanding', () => {
  it('none | reason_outstanding', async () => {
    expect(answered(await cashier.get('/api/v1/payment/reason-outstanding')).reason_outstanding).toContainEqual({ ID: expect.any(Number), Code: expect.any(String), Name: expect.any(String), Action: 'KEEP_OPEN', NeedsNote: expect.any(Boolean) })
  })
})

describe('GET /api/v1/cash-bank/form-bank/{id}', () => {
  it('none | operatingUnitBank', async () => {
    const banks = answered(await cashier.get(`/api/v1/cash-bank/form-bank/${await scene.at.id('operating_unit', 'JKT')}`)).operatingUnitBank
    expect(banks.map((bank: Record) => bank.Code)).toEqual(['BCA-JKT', 'BCA1'])
    expect(answered(await cashier.get(`/api/v1/cash-bank/form-bank/${await scene.at.id('operating_unit', 'BDG')}`)).operatingUnitBank).toEqual([])
  })
})

describe('GET /api/v1/master/operating-unit-with-territory/personal', () => {
  it('is_head_office, is_include_ho | records', async () => {
    const units = async (query: object) => answered(await cashier.get('/api/v1/master/operating-unit-with-territory/personal', { ...query })).records
    const [jakarta] = await units({})
    expect(jakarta).toMatchObject({ ID: expect.any(Number), Code: 'JKT', Name: 'Jakarta' })
    expect(jakarta.Territories).toEqual([
      { ID: expect.any(Number), TerritoryID: await scene.at.id('territory', 'JKT-N'), TerritoryCode: 'JKT-N', TerritoryName: 'Jakarta north' },
      { ID: expect.any(Number), TerritoryID: await scene.at.id('territory', 'JKT-S'), TerritoryCode: 'JKT-S', TerritoryName: 'Jakarta south' },
    ])
    expect((await units({ is_include_ho: 1 })).map((unit: Record) => unit.Code)).toEqual(['HO', 'JKT'])
    expect((await units({ is_include_ho: 1, is_head_office: 1 })).map((unit: Record) => unit.Code)).toEqual(['HO'])
    expect(answered(await admin.get('/api/v1/master/operating-unit-with-territory/personal')).records).toHaveLength(3)
  })
})

describe('GET /api/v1/master/customer/options', () => {
  it('optional query params, or territory_id | list of customers (ID, code, name), used to fill the customer lists', async () => {
    const codes = async (session: Session, query = {}) => answered(await session.get('/api/v1/master/customer/options', query)).records.map((one: Record) => `${one.code} ${one.name}`)
    expect(await codes(cashier)).toEqual(['C0000001 Toko Makmur', 'C0000002 Toko Sejahtera'])
    expect(await codes(cashier, { territory_id: await scene.at.id('territory', 'JKT-S') })).toEqual(['C0000002 Toko Sejahtera'])
    expect(await codes(cashier, { territory_id: await scene.at.id('territory', 'BDG-W') })).toEqual([])
    expect(await codes(admin, { territory_id: 0 })).toHaveLength(3)
    expect(await codes(admin, { search: 'bandung' })).toEqual(['C0000003 Toko Bandung'])
  })
})

describe('PUT api/v1/setting/tos', () => {
  it('accepts the terms', async () => {
    await scene.database.run(sql`update app_user set is_show_tos = true where email = 'cashier@arus.example'`)
    const fresh = await scene.at.signIn('cashier')
    expect((await fresh.get('/api/v1/setting/user-personal')).data.is_show_tos).toBe(true)
    answered(await fresh.put('/api/v1/setting/tos', { agree: true }))
    expect((await fresh.get('/api/v1/setting/user-personal')).data.is_show_tos).toBe(false)
  })
})

describe('general files', () => {
  let key: string
  beforeAll(async () => {
    key = (await upload(scene.at.app, admin.token, `/api/v1/data/invoice/${open.ID}/attachments`, { name: 'faktur pajak.pdf', bytes: pdf })).data.record.Key
  })

  it('POST /api/v1/general/download | body {key} | code, data (encoded URL), message. On code 200 the URL opens in a new tab.', async () => {
    const answer = await scene.at.app.inject({ method: 'POST', url: '/api/v1/general/download', payload: { key }, headers: { authorization: `Bearer ${cashier.token}` } })
    const body: { readonly code: number; readonly message: string; readonly data: string } = answer.json()
    expect(body).toMatchObject({ code: 200, message: expect.any(String), data: expect.stringMatching(/^http:\/\/arus\.example:4000\/api\/v1\/general\/file\/\S+\/faktur%20pajak\.pdf$/) })
    const file = await scene.at.app.inject({ url: new URL(body.data).pathname })
    expect(file.rawPayload.equals(pdf)).toBe(true)
  })

  it('GET /api/v1/general/preview | query key | code, data.file (base64), data.type; shown as a blob', async () => {
    expect(answered(await cashier.get('/api/v1/general/preview', { key }))).toMatchObject({ file: pdf.toString('base64'), type: 'application/pdf' })
  })
})
