import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { creditStanding } from '#server/credit/standing.ts'
import { openDatabase } from '#server/db/database.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { sql } from '#server/db/sql.ts'
import type { Session } from '../support/app.ts'
import { putBareDatabase, testFolder } from '../support/database.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let admin: Session
let unit: number

beforeAll(async () => {
  scene = await openScene()
  ;({ admin } = scene.people)
  unit = await scene.at.id('operating_unit', 'JKT')
})

const row = (query: ReturnType<typeof sql>) => scene.at.database.first(query)

async function change(resource: string, record: number, values: object) {
  const { Version: version } = (await admin.get(`/api/v1/data/${resource}/${record}`)).data.record
  return admin.put(`/api/v1/data/${resource}/${record}`, values, { version })
}

const newUnitPlace = async (resource: string, body: object): Promise<number> => {
  const answer = await admin.post(`/api/v1/data/${resource}`, { OperatingUnitID: unit, ...body })
  expect(answer, answer.message).toMatchObject({ status: 200 })
  return answer.data.record.ID
}

describe('what a unit uses unless said otherwise', () => {
  it('an order takes its goods from the warehouse the unit names, as the price of a typed order does', async () => {
    const customer = await scene.at.id('customer', 'C0000001')
    const order = async () => (await scene.people.sales.post('/api/v1/data/sales-order', { CustomerID: customer, OrderType: 'REG', DocDate: scene.at.clock.today(), Lines: [{ ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Qty: '1' }] })).data.record
    const old = await scene.at.id('warehouse', 'WJKT')
    expect((await order())['WarehouseID']).toBe(old)
    const second = await newUnitPlace('warehouse', { Code: 'W2', Name: 'Second', Kind: 'MAIN', StockClass: 'UNRESTRICTED' })
    expect((await order())['WarehouseID']).toBe(old)
    expect(await change('operating-unit', unit, { DefaultWarehouseID: second })).toMatchObject({ status: 200 })
    expect((await order())['WarehouseID']).toBe(second)
    const priced = await scene.people.sales.post('/api/v1/command/price-order', { CustomerID: customer, Lines: [{ ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Qty: '1' }] })
    expect(priced, priced.message).toMatchObject({ status: 200 })
    expect(priced.data.record.Lines[0].AtpQty).toBe('0.000')
    expect(await change('warehouse', second, { IsActive: false })).toMatchObject({ status: 412 })
    await scene.at.database.run(sql`update warehouse set is_active = false where id = ${second}`)
    expect((await order())['WarehouseID']).toBe(old)
  })

  it('cash goes to the desk the unit names, if none is entered', async () => {
    const receipt = async (body: object = {}) => scene.people.cashier.post('/api/v1/data/payment-received', { Method: 'CASH', CustomerID: await scene.at.id('customer', 'C0000001'), PaymentDate: scene.at.clock.today(), Amount: '500', ...body })
    await scene.at.database.run(sql`update operating_unit set default_cash_account_id = null where id = ${unit}`)
    expect((await receipt()).data.errors).toEqual([expect.objectContaining({ field: 'CashAccountID', key: 'field.REQUIRED.cash-desk' })])
    const desk = await newUnitPlace('cash-account', { Code: 'KAS-2', Name: 'Second desk', Kind: 'CASHIER', GlAccountID: await scene.at.id('account', '111102') })
    expect(await change('operating-unit', unit, { DefaultCashAccountID: desk })).toMatchObject({ status: 200 })
    expect((await receipt()).data.record.CashAccountID).toBe(desk)
    const other = await scene.at.id('cash_account', 'KAS-JKT')
    expect((await receipt({ CashAccountID: other })).data.record.CashAccountID).toBe(other)
    expect((await receipt({ Method: 'GIRO', GiroNo: 'G1', GiroDueDate: scene.at.clock.today() })).data.record.CashAccountID).toBeNull()
  })

  it('is its own', async () => {
    const elsewhere = await row(sql`select min(id) as id from warehouse where operating_unit_id <> ${unit}`)
    const returns = await newUnitPlace('warehouse', { Code: 'W3', Name: 'Returns', Kind: 'RETURN', StockClass: 'RETURN' })
    for (const id of [Number(elsewhere?.['id'] ?? 0) || returns, returns])
      expect((await change('operating-unit', unit, { DefaultWarehouseID: id })).data.errors).toEqual([expect.objectContaining({ field: 'DefaultWarehouseID', key: 'field.NOT_IN_SCOPE.own-warehouse' })])
  })
})

describe('an employee', () => {
  it('is linked to who signs in with his work number, whichever is saved first', async () => {
    const employee = await admin.post('/api/v1/data/employee', { WorkNumber: 'E-77', Name: 'Kasir', OperatingUnitID: unit, Position: 'CASHIER', Nik: '3174012505900001' })
    expect(employee.data.record).toMatchObject({ Nik: '3174012505900001', UserID: null })
    const linked = async () => (await row(sql`select u.email from employee e left join app_user u on u.id = e.user_id where e.work_number = 'E-77'`))?.['email']
    const cashier = await scene.at.id('app_user', 'cashier@arus.example', 'email')
    expect(await change('user', cashier, { WorkNumber: 'E-77' })).toMatchObject({ status: 200 })
    expect(await linked()).toBe('cashier@arus.example')
    expect(await change('user', cashier, { WorkNumber: null })).toMatchObject({ status: 200 })
    expect(await linked()).toBeNull()
    expect(await change('user', cashier, { WorkNumber: 'E-77' })).toMatchObject({ status: 200 })
    const renamed = await change('employee', employee.data.record.ID, { WorkNumber: 'E-78' })
    expect(renamed, renamed.message).toMatchObject({ status: 200 })
    expect((await row(sql`select user_id from employee where work_number = 'E-78'`))?.['user_id']).toBeNull()
    expect((await admin.post('/api/v1/data/employee', { WorkNumber: 'E-77', Name: 'Kasir', OperatingUnitID: unit, Position: 'CASHIER', Nik: '12' })).data.errors).toEqual([expect.objectContaining({ field: 'Nik' })])
  })

  it('is one user, also when two are given his number at once', async () => {
    await admin.post('/api/v1/data/employee', { WorkNumber: 'E-79', Name: 'Gudang', OperatingUnitID: unit, Position: 'CASHIER' })
    const users = await Promise.all(['cashier', 'billing'].map((name) => scene.at.id('app_user', `${name}@arus.example`, 'email')))
    const answers = await Promise.all(users.map((user) => change('user', user, { WorkNumber: 'E-79' })))
    expect(answers.map(({ status, data }) => [status, data.errors?.[0]?.key]).toSorted()).toEqual([[200, undefined], [422, 'field.DUPLICATE.work-number']])
  })
})

describe('a range of numbers of a tax month', () => {
  it('ends after it begins, and what comes next lies within it', async () => {
    const made = await admin.post('/api/v1/data/tax-invoice-period', { Period: '202701', Deadline: '2027-02-20', NsfpFrom: '0100001234567890', NsfpTo: '0100001234567899', Next: '0100001234567891' })
    expect(made, made.message).toMatchObject({ status: 200 })
    const { ID: id } = made.data.record
    const wrong = async (values: object) => (await change('tax-invoice-period', id, values)).data.errors?.map(({ field, key }: Record) => `${String(field)} ${String(key)}`)
    expect(await wrong({ NsfpTo: '0100001234567889' })).toContain('NsfpTo field.TOO_SMALL.nsfp')
    expect(await wrong({ Next: '0100001234567900' })).toEqual(['Next field.NOT_IN_SCOPE.nsfp'])
    expect(await wrong({ Next: '0100001234567' })).toEqual(['Next field.NOT_IN_SCOPE.nsfp'])
    expect(await change('tax-invoice-period', id, { Next: '0100001234567899' })).toMatchObject({ status: 200 })
  })
})

describe('text as it is kept', () => {
  const term = (body: object) => admin.post('/api/v1/data/payment-term', { NetDays: 7, Baseline: 'INVOICE', ...body })
  const wrong = async (body: object) => (await term(body)).data.errors?.map((error: { field: string; key: string }) => `${error.field} ${error.key}`)

  it('has nothing around it that nobody sees, and none in a code', async () => {
    const saved = await term({ Code: ' Z\u200bQ1\u00a0', Name: '\ufeff Seven  days\t' })
    expect(saved, saved.message).toMatchObject({ status: 200, data: { record: { Code: 'ZQ1', Name: 'Seven days' } } })
    expect(await wrong({ Code: 'ZQ1 ', Name: 'Again' })).toEqual(['Code field.DUPLICATE.code'])
    expect(await wrong({ Code: ' \u200b\u00a0', Name: '   ' })).toEqual(['Code field.REQUIRED', 'Name field.REQUIRED'])
  })

  it('keeps the lines of a longer one, without blanks behind them', async () => {
    const kept = async (note: string) => (await admin.post('/api/v1/data/promotion-type', { Code: `N${note.length}`, Name: 'Note', Mechanism: 'ITEM_FREE', RequiredDocs: note })).data.record?.RequiredDocs
    expect([await kept('first  \n\n  second\t\n \n'), await kept(' \n\u200b')]).toEqual(['first\n\n  second', null])
  })
})

describe('behaviour of credit', () => {
  const general = async (key: string, flag: boolean) => {
    const setting = await row(sql`select id from setting_oms where key = ${key} and operating_unit_id is null`)
    expect(await change('setting-oms', Number(setting?.['id']), { Flag: flag })).toMatchObject({ status: 200 })
  }

  it('orders on cash take up credit or not, as the switch says', async () => {
    const term = await admin.post('/api/v1/data/payment-term', { Code: 'TUNAI', Name: 'Cash', NetDays: 0, Baseline: 'INVOICE', IsCash: true })
    const exposure = async () => Number((await row(sql`select exposure from v_customer_exposure e join customer c on c.id = e.customer_id where c.code = 'C0000002'`))?.['exposure'])
    const before = await exposure()
    const order = await scene.order('C0000002', [{ item: 'C', qty: '1' }], { PaymentTermID: term.data.record.ID })
    await scene.decide('sales_order', order.ID)
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 1, PaymentTermCode: 'TUNAI' })
    expect(await exposure()).toBe(before)
    await general('exclude_cash', false)
    expect(await exposure()).toBeGreaterThan(before)
    await general('exclude_cash', true)
    expect(await exposure()).toBe(before)
  })

  it('disputed invoices count as overdue or not, as the switch says', async () => {
    const customer = await scene.at.id('customer', 'C0000002')
    await scene.invoiced('C0000002', [{ item: 'C', qty: '1' }])
    await scene.at.database.run(sql`update invoice set due_date = '2026-11-01', dispute = true where customer_id = ${customer}`)
    const overdue = async () => (await scene.at.database.transaction((tx) => creditStanding(tx, customer, scene.at.clock.today()))).overdueAmount
    expect(Number(await overdue())).toBe(0)
    await general('overdue_ignore_dispute', false)
    expect(Number(await overdue())).toBeGreaterThan(0)
    await general('overdue_ignore_dispute', true)
  })
})

describe('a closing period', () => {
  it('takes postings of those alone who hold the permission', async () => {
    const { cashier } = scene.people
    await scene.at.database.run(sql`update accounting_period set status = 'CLOSING' where module = 'AR' and status = 'OPEN'`)
    const post = async () => {
      const draft = (await cashier.post('/api/v1/data/payment-received', { Method: 'CASH', CustomerID: await scene.at.id('customer', 'C0000001'), PaymentDate: scene.at.clock.today(), Amount: '500', CashAccountID: await scene.at.id('cash_account', 'KAS-JKT') })).data.record
      return (await cashier.post(`/api/v1/data/payment-received/${draft.ID}/post`)).code
    }
    expect(await post()).toBe('PERIOD_CLOSED')
    const role = await scene.at.id('role', 'CASHIER')
    const { GuardNames: guards } = (await admin.get(`/api/v1/data/role/${role}`)).data.record as { GuardNames: string[] }
    expect(await change('role', role, { GuardNames: [...guards, 'accounting-period-post'] })).toMatchObject({ status: 200 })
    expect(await post()).toBe('success')
    const holders = await scene.at.database.rows(sql`select r.code from role r join role_permission p on p.role_id = r.id where p.guard_name = 'accounting-period-post' order by 1`)
    expect(holders.map(({ code }) => code)).toEqual(['ADMIN', 'CASHIER', 'FIN_MGR'])
  })
})

describe('an installation from before', () => {
  it('goes on with the warehouse and the cash desk it used, and knows who its employees sign in as', async () => {
    const directory = path.join(testFolder(), 'pgdata')
    await putBareDatabase(directory)
    const database = await openDatabase({ kind: 'embedded', directory, isDurable: false })
    try {
      const all = readMigrations()
      await migrate(database, all.filter(({ number }) => number < 63))
      await database.transaction(async (tx) => {
        const add = async (table: string, row: object) => (await insertRows(tx, table, [{ ...row }]))[0] ?? 0
        const company = await add('company', { code: 'OLD', name: 'Old', legal_name: 'PT Old', base_currency: 'IDR' })
        const [one = 0, two = 0] = await Promise.all(['U1', 'U2'].map((code) => add('operating_unit', { code, name: code, company_id: company, kind: 'BRANCH' })))
        const account = await add('account', { code: '111102', name: 'Cash', type: 'ASSET', normal: 'D' })
        for (const [code, kind, unit] of [['R1', 'RETURN', one], ['W1', 'MAIN', one], ['W2', 'MAIN', one]]) await add('warehouse', { code, name: code, operating_unit_id: unit, kind, stock_class: 'UNRESTRICTED' })
        for (const [code, unit] of [['K1', one], ['K2', two], ['K3', two]]) await add('cash_account', { code, name: code, operating_unit_id: unit, kind: 'CASHIER', gl_account_id: account })
        const role = await add('role', { code: 'X', name: 'X' })
        await add('app_user', { email: 'k@arus.example', name: 'K', role_id: role, work_number: 'E9' })
        await add('employee', { work_number: 'E9', name: 'K', operating_unit_id: one, position: 'CASHIER' })
        await add('setting_oms', { key: 'exclude_cash', value: 'true', operating_unit_id: one })
      })
      await migrate(database, all)
      expect(await database.rows(sql`
        select o.code, w.code as goods, k.code as money from operating_unit o left join warehouse w on w.id = o.default_warehouse_id left join cash_account k on k.id = o.default_cash_account_id order by 1`))
        .toEqual([{ code: 'U1', goods: 'W1', money: 'K1' }, { code: 'U2', goods: null, money: null }])
      expect(await database.rows(sql`select e.work_number, u.email from employee e join app_user u on u.id = e.user_id`)).toEqual([{ work_number: 'E9', email: 'k@arus.example' }])
      expect(await database.rows(sql`select key, is_active from setting_oms`)).toEqual([{ key: 'exclude_cash', is_active: false }])
    } finally {
      await database.close()
    }
  })
})
