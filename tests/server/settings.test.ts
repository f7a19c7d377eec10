import { beforeAll, describe, expect, it } from 'vitest'
import { ident, sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'

let arus: TestApp
let admin: Session

beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
})

const row = async (table: string, column: string, value: string) => Number((await arus.database.first(sql`select id from ${ident(table)} where ${ident(column)} = ${value} order by id limit 1`))?.['id'])

describe('number series', () => {
  it('show the next number of every unit without drawing it', async () => {
    const id = await arus.id('number_series', 'SO')
    const before = await arus.database.rows(sql`select * from number_counter order by id`)
    const first = (await admin.post('/api/v1/command/preview-number', { IDs: [id] })).data.results[0]
    expect(first.text).toMatch(/^The next number is SO\/BDG\/2611\/00001, .*SO\/JKT\/2611\/0000\d/)
    expect(await arus.database.rows(sql`select * from number_counter order by id`)).toEqual(before)
  })

  it('keep what makes numbers unique, take effect at once, and are neither added nor removed', async () => {
    const id = await arus.id('number_series', 'JV')
    const { Version: version } = (await admin.get(`/api/v1/data/number-series/${id}`)).data.record
    const save = (body: object) => admin.put(`/api/v1/data/number-series/${id}`, body, { version })
    expect((await save({ Pattern: '{PREFIX}/{OU}/{YY}/{SEQ:5}' })).data.errors).toEqual([expect.objectContaining({ field: 'Reset', key: 'rule.restart-shown' })])
    expect((await save({ Pattern: '{PREFIX}/{YY}{MM}/{SEQ:5}' })).data.errors).toEqual([expect.objectContaining({ field: 'Pattern', key: 'rule.unit-shown' })])
    expect((await save({ Pattern: '{PREFIX}/{OU}/{YY}{MM}' })).data.errors).toEqual([expect.objectContaining({ field: 'Pattern', code: 'PATTERN' })])
    expect((await save({ IsActive: false })).data.errors).toEqual([expect.objectContaining({ field: 'IsActive' })])
    expect((await save({ Pattern: '{PREFIX}-{OU}-{YYYY}{MM}-{SEQ:4}' })).status).toBe(200)
    expect((await admin.post('/api/v1/command/preview-number', { IDs: [id] })).data.results[0].text).toContain('JV-JKT-202611-')
    expect((await admin.post('/api/v1/data/number-series/bulk/delete', { IDs: [id] })).data.results[0]).toMatchObject({ ok: false, code: 'FORBIDDEN_GUARD' })
  })
})

describe('settings of behaviour', () => {
  it('say what they do in words of the catalogues, under their own name', async () => {
    expect(await arus.database.rows(sql`select key from setting_oms where description is distinct from key`)).toEqual([])
  })
})

describe('posting rules', () => {
  it('say what an event would book, with a changed account at once', async () => {
    const rule = await arus.database.first(sql`select id, version from posting_rule where event = 'INV' and amount_key = 'gross'`)
    const id = Number(rule?.['id'])
    const preview = async () => (await admin.post('/api/v1/command/preview-posting', { IDs: [id] })).data.results[0].text
    expect(await preview()).toContain('credit 411101 Sales: Gross')
    expect(await preview()).toMatch(/^Invoice books debit Receivables account: Total, /)
    const other = await arus.id('account', '414101')
    expect((await admin.put(`/api/v1/data/posting-rule/${id}`, { AccountID: other }, { version: Number(rule?.['version']) })).status).toBe(200)
    expect(await preview()).toContain('credit 414101')
    expect(await admin.put(`/api/v1/data/posting-rule/${id}`, { IsActive: false }, { version: Number(rule?.['version']) + 1 })).toMatchObject({ status: 422 })
  })
})

describe('the approval matrix', () => {
  it('says who would approve a document', async () => {
    const unit = await arus.id('operating_unit', 'JKT')
    const ask = async (amount: string, code: string | null) => (await admin.post('/api/v1/command/who-approves', { DocType: 'sales_order', Amount: amount, ConditionCode: code, OperatingUnitID: unit })).data.results[0]
    expect((await ask('1000000', 'CL01')).text).toContain('level 1: CREDIT_CTRL (credit)')
    expect((await ask('1000000', null)).key).toBe('done.approvers.auto')
  })

  it('refuses a level that names nobody', async () => {
    const body = { Code: 'X-1', DocType: 'write_off', Transition: 'submit', Level: 1, ApproverKind: 'ROLE', ApproverRef: 'NOBODY', Mode: 'ANY', ValidFrom: '2026-01-01' }
    expect((await admin.post('/api/v1/data/approval-matrix', body)).data.errors).toEqual([expect.objectContaining({ field: 'ApproverRef', key: 'field.NOT_A_CHOICE.approver' })])
    expect((await admin.post('/api/v1/data/approval-matrix', { ...body, ApproverRef: 'FIN_MGR' })).status).toBe(200)
    expect((await admin.post('/api/v1/data/approval-matrix', { ...body, Code: 'X-2', ApproverRef: 'FIN_MGR', MinAmount: '10', MaxAmount: '10' })).data.errors).toEqual([expect.objectContaining({ field: 'MaxAmount', key: 'rule.amount-range' })])
  })
})

describe('the menu', () => {
  it('loses no entry without which it could not be mended, and moves entries among their neighbours', async () => {
    const id = await row('menu', 'url', '/setting/menu')
    const { Version: version } = (await admin.get(`/api/v1/data/menu/${id}`)).data.record
    expect((await admin.put(`/api/v1/data/menu/${id}`, { IsActive: false }, { version })).data.errors).toEqual([expect.objectContaining({ field: 'IsActive', key: 'field.READ_ONLY.menu-needed' })])
    const order = async () => (await admin.get('/api/v1/menu')).data.records.find((group: { name: string }) => group.name === 'Users and roles').submenu.map((entry: { url: string }) => entry.url)
    const before: string[] = await order()
    const roles = await row('menu', 'url', '/setting/role')
    expect((await admin.post('/api/v1/command/menu-up', { IDs: [roles] })).data.results[0].ok).toBe(true)
    const at = before.indexOf('/setting/role')
    expect(await order()).toEqual(before.with(at - 1, '/setting/role').with(at, before[at - 1] ?? ''))
  })

  it('stands in the order it was put in by hand, one group at a time, with its history', async () => {
    const order = async (): Promise<string[]> => (await admin.get('/api/v1/menu')).data.records.find((group: { name: string }) => group.name === 'Users and roles').submenu.map((entry: { url: string }) => entry.url)
    const wanted = (await order()).toReversed()
    const ids = await Promise.all(wanted.map((url) => row('menu', 'url', url)))
    expect((await admin.post('/api/v1/command/order-menu', { IDs: ids })).data.results.every((result: { ok: boolean }) => result.ok)).toBe(true)
    expect(await order()).toEqual(wanted)
    expect((await admin.get(`/api/v1/data/menu/${ids[0]}/history`)).data.records[0].Diff).toEqual([expect.objectContaining({ Field: 'sort_order', To: 0 })])
    const other = await row('menu', 'url', '/master/reason')
    expect((await admin.post('/api/v1/command/order-menu', { IDs: [ids[0], other] })).data.key).toBe('problem.VALIDATION_FAILED.menu-group')
    expect(await order()).toEqual(wanted)
  })
})

describe('small settings', () => {
  it('link a user to one employee only', async () => {
    const employee = await arus.database.first(sql`select work_number from employee where is_active order by id limit 1`)
    const link = async (who: string) => {
      const id = await arus.id('app_user', `${who}@arus.example`, 'email')
      const { Version: version } = (await admin.get(`/api/v1/data/user/${id}`)).data.record
      return { answer: (number: string) => admin.put(`/api/v1/data/user/${id}`, { WorkNumber: number }, { version }) }
    }
    expect((await (await link('sales')).answer('NOBODY')).data.errors).toEqual([expect.objectContaining({ field: 'WorkNumber', key: 'field.NOT_A_CHOICE.work-number' })])
    expect((await (await link('sales')).answer(String(employee?.['work_number']))).status).toBe(200)
    expect((await (await link('billing')).answer(String(employee?.['work_number']))).data.errors).toEqual([expect.objectContaining({ key: 'field.DUPLICATE.work-number' })])
  })

  it('put customers into a pricing group, each with its history', async () => {
    const group = await admin.post('/api/v1/data/pricing-group', { Code: 'UJI', Name: 'Grup uji' })
    const customer = await arus.id('customer', 'C0000002')
    const { results } = (await admin.post('/api/v1/command/set-pricing-group', { IDs: [customer, 999_999], PricingGroupID: group.data.record.ID })).data
    expect(results).toEqual([expect.objectContaining({ ID: customer, ok: true }), expect.objectContaining({ ok: false, code: 'NOT_IN_SCOPE' })])
    expect((await admin.get(`/api/v1/data/customer/${customer}/history`)).data.records[0].Diff).toEqual([expect.objectContaining({ Field: 'pricing_group_id' })])
  })
})

describe('rounding', () => {
  it('is to a step there is', async () => {
    const [rule] = (await admin.get('/api/v1/data/rounding-rule', { columns: 'unit', length: '1' })).data.rows
    const put = async (Unit: string) => (await admin.put(`/api/v1/data/rounding-rule/${rule.ID}`, { Unit }, { version: rule.Version })).data.errors?.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
    expect(await put('0')).toEqual(['Unit TOO_SMALL'])
    expect(await put('-1')).toEqual(['Unit TOO_SMALL'])
    expect(await put('1000000')).toEqual(['Unit TOO_LARGE'])
  })
})

describe('behaviour', () => {
  const find = async (key: string) => (await admin.get('/api/v1/data/setting-oms', { search: key, length: '5' })).data.rows.find((row: { Key: string }) => row.Key === key)

  it('is typed by its kind, holds at once, and may differ in a unit', async () => {
    const days = await find('so_expiry_days')
    expect(days).toMatchObject({ Text: '7' })
    expect((await admin.put(`/api/v1/data/setting-oms/${days.ID}`, { Number: 9 }, { version: days.Version })).data.record).toMatchObject({ Text: '9', Kind: 'NUMBER' })
    expect(await arus.database.first(sql`select value from setting_oms where key = 'so_expiry_days'`)).toEqual({ value: 9 })
    expect((await admin.put(`/api/v1/data/setting-oms/${days.ID}`, { Number: null }, { version: days.Version + 1 })).data.errors).toEqual([expect.objectContaining({ field: 'Number', code: 'REQUIRED' })])
    const unit = await arus.id('operating_unit', 'BDG')
    const own = await admin.post('/api/v1/data/setting-oms', { Key: 'payment_needs_approval', OperatingUnitID: unit, Flag: true })
    expect(own.data.record).toMatchObject({ Text: 'true', OperatingUnitCode: 'BDG' })
    expect((await admin.post('/api/v1/data/setting-oms', { Key: 'nonsense', OperatingUnitID: unit })).data.errors).toEqual([expect.objectContaining({ field: 'Key', key: 'field.NOT_A_CHOICE.setting' })])
    // What is asked where no unit is in question has one value; what nothing asks for yet has none of a unit.
    const ofUnit = async (key: string, value: object) => (await admin.post('/api/v1/data/setting-oms', { Key: key, OperatingUnitID: unit, ...value })).data.errors?.map(({ field, key }: { field: string; key: string }) => `${field} ${key}`)
    for (const key of ['exclude_cash', 'overdue_ignore_dispute', 'allow_self_approval', 'csv_bom']) expect(await ofUnit(key, { Flag: true })).toEqual(['OperatingUnitID field.NOT_A_CHOICE.setting-everywhere'])
    expect(await ofUnit('session_days', { Number: 1 })).toEqual(['Key field.NOT_A_CHOICE.setting'])
    const map = await find('approval_default')
    expect(map.Text).toContain('sales_order=AUTO')
    expect((await admin.put(`/api/v1/data/setting-oms/${map.ID}`, { Text: 'sales_order' }, { version: map.Version })).data.errors).toEqual([expect.objectContaining({ field: 'Text', key: 'field.WRONG_TYPE.pairs' })])
    // A value nobody knows would be read as some other: it is refused at its field, and so is one sent as text that is none of the kind.
    const put = async (key: string, value: object) => {
      const { ID, Version } = await find(key)
      const { status, data } = await admin.put(`/api/v1/data/setting-oms/${ID}`, value, { version: Version })
      return status === 200 ? data.record.Text : data.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).join()
    }
    expect(await put('backorder', { Text: 'NONSENSE' })).toBe('Text NOT_A_CHOICE')
    expect(await put('backorder', { Text: 'CUT' })).toBe('CUT')
    expect(await put('csv_decimal', { Text: 'x' })).toBe('Text NOT_A_CHOICE')
    expect(await put('csv_delimiter', { Text: ';' })).toBe(';')
    expect(await put('approval_default', { Text: 'nothing=AUTO' })).toBe('Text NOT_A_CHOICE')
    expect(await put('approval_default', { Text: 'sales_order=PERHAPS' })).toBe('Text NOT_A_CHOICE')
    expect(await put('approval_default', { Text: 'sales_order=AUTO, credit_note=AUTO, *=BLOCK' })).toBe('sales_order=AUTO, credit_note=AUTO, *=BLOCK')
    expect(await put('quota_soft', { Text: 'perhaps' })).toBe('Text WRONG_TYPE')
    expect(await put('quota_soft', { Text: 'true' })).toBe('true')
    // The history names the value once, in the words it is shown in.
    const soft = await find('quota_soft')
    const [latest] = (await admin.get(`/api/v1/data/setting-oms/${soft.ID}/history`)).data.records
    expect(latest.Diff).toEqual([expect.objectContaining({ Field: 'text', Label: 'field.setting_oms.text', From: 'false', To: 'true', Choices: expect.arrayContaining([expect.objectContaining({ value: 'true', label: 'setting.true' })]) })])
    expect(await put('manual_discount_pct', { Text: '3.5' })).toBe('Text WRONG_TYPE')
    expect(await put('manual_discount_pct', { Number: 101 })).toBe('Number TOO_LARGE')
    expect(await put('manual_discount_pct', { Text: '4' })).toBe('4')
    expect((await admin.delete(`/api/v1/data/setting-oms/${map.ID}`, { version: map.Version + 1 })).code).toBe('IN_USE')
    expect((await admin.delete(`/api/v1/data/setting-oms/${own.data.record.ID}`, { version: 1 })).status).toBe(200)
  })
})

describe('sales targets', () => {
  it('are confirmed only when their parts add up', async () => {
    const unit = await arus.id('operating_unit', 'JKT')
    const [north, south] = [await arus.id('territory', 'JKT-N'), await arus.id('territory', 'JKT-S')]
    const target = (await admin.post('/api/v1/data/sales-target', { Code: 'T-1', Name: 'November', Metric: 'VALUE', OperatingUnitID: unit, ValidFrom: '2026-11-01', ValidTo: '2026-11-30', Amount: '1000.10', Level: 'TERRITORY' })).data.record
    const split = (amounts: readonly string[], version: number) =>
      admin.put(`/api/v1/data/sales-target/${target.ID}`, { IsConfirmed: true, Lines: amounts.map((Amount, i) => ({ TerritoryID: [north, south][i], Amount })) }, { version })
    expect((await split(['600.05', '400.06'], 1)).data.errors).toEqual([expect.objectContaining({ field: 'Lines', text: 'The parts add up to 1,000.11; the target is 1,000.10.' })])
    expect((await split(['600.05', '400.05'], 1)).status).toBe(200)
    // A confirmed split holds the target itself.
    expect((await admin.put(`/api/v1/data/sales-target/${target.ID}`, { Amount: '2000' }, { version: 2 })).data.errors).toEqual([expect.objectContaining({ field: 'Lines', code: 'RULE' })])
  })
})

describe('sales quotas', () => {
  it('show what approved orders have used of them', async () => {
    const [item, customer] = [await arus.id('item', 'A'), await arus.id('customer', 'C0000001')]
    const quota = { Code: 'Q-1', Name: 'Kuota', ItemID: item, ScopeKind: 'CUSTOMER', CustomerID: customer, ValidFrom: '2026-11-01', ValidTo: '2026-11-30', QuotaQty: '10' }
    expect((await admin.post('/api/v1/data/sales-quota', quota)).status).toBe(200)
    expect((await admin.post('/api/v1/data/sales-quota', { ...quota, Code: 'Q-2', ValidFrom: '2026-11-30', ValidTo: '2026-12-31' })).code).toBe('DUPLICATE_DOCUMENT')
    expect((await admin.post('/api/v1/data/sales-quota', { ...quota, Code: 'Q-3', CustomerID: null })).data.errors).toEqual([expect.objectContaining({ field: 'ScopeKind', key: 'rule.quota-scope' })])
    const order = (await admin.post('/api/v1/data/sales-order', { CustomerID: customer, Lines: [{ ItemID: item, Uom: 'CTN', Qty: '4' }] })).data.record
    const use = async () => (await admin.get('/api/v1/data/sales-quota-use', { search: 'Q-1', length: '5' })).data.rows[0]
    expect(await use()).toMatchObject({ UsedQty: '0.000', LeftQty: '10.000' })
    await arus.database.run(sql`update sales_order set status = 1 where id = ${order.ID}`)
    await arus.database.run(sql`update sales_order_line set cancelled_qty = 1 where sales_order_id = ${order.ID}`)
    expect(await use()).toMatchObject({ UsedQty: '3.000', LeftQty: '7.000' })
  })
})
