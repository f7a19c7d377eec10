import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { sql } from '#server/db/sql.ts'
import type { Answer, Session } from '../support/app.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let admin: Session

beforeAll(async () => {
  scene = await openScene()
  ;({ admin } = scene.people)
})

const id = (table: string, code: string, column?: string) => scene.at.id(table, code, column)
const user = (name: string) => id('app_user', `${name}@arus.example`, 'email')
const menuOf = async (who: Session): Promise<string[]> => (await who.get('/api/v1/menu')).data.records.flatMap((group: Record) => group.submenu.map((entry: Record) => entry.url))
const menuId = (url: string) => id('menu', url, 'url')

/** What the form of a record does: reads it and sends it back with something changed. */
async function change(resource: string, record: number, values: object, acknowledge: readonly string[] = []): Promise<Answer> {
  const { Version: version } = (await admin.get(`/api/v1/data/${resource}/${record}`)).data.record
  return admin.put(`/api/v1/data/${resource}/${record}`, values, { version, acknowledge })
}

async function changed(resource: string, record: number, values: object): Promise<number> {
  const answer = await change(resource, record, values)
  expect(answer, answer.message).toMatchObject({ status: 200 })
  return record
}

async function made(resource: string, values: object): Promise<number> {
  const answer = await admin.post(`/api/v1/data/${resource}`, values)
  expect(answer, `${answer.message} ${JSON.stringify(answer.data)}`).toMatchObject({ status: 200 })
  return answer.data.record.ID
}

const price = async (more: object = {}) => {
  const answer = await scene.people.sales.post('/api/v1/command/price-order', {
    CustomerID: await id('customer', 'C0000002'), Lines: [{ ItemID: await id('item', 'C'), Uom: 'CTN', Qty: '1', ...more }],
  })
  expect(answer, answer.message).toMatchObject({ status: 200 })
  return answer.data
}
const number = async (series: string): Promise<string> => (await scene.people.finance.post('/api/v1/command/preview-number', { IDs: [await id('number_series', series)] })).data.results?.[0]?.text ?? ''

interface Step {
  /** The entity whose history tells of the change. */
  readonly entity: string
  /** Changed as the administrator does; answers the record. */
  change(): Promise<number>
  /** What somebody else sees, who has been signed in all the time. */
  seen(): Promise<unknown>
  readonly before: unknown
  readonly after: unknown
}

let invoices = 0

/** Every entry of the menu's Setting group that belongs to this test, with what changes there and who feels it. */
const steps: Readonly<{ [url: string]: Step }> = {
  '/setting/finance': {
    entity: 'setting_finance',
    async change() {
      const [settings] = await scene.rows('setting_finance')
      return changed('setting-finance', settings.id, { PaymentBackdateDays: 30 })
    },
    // A receipt of ten days ago: beyond the days allowed somebody has to approve it.
    async seen() {
      const draft = await scene.draftPayment('C0000001', '1000', [], { PaymentDate: '2026-11-10' })
      return (await scene.tryAct('cashier', 'payment-received', draft.ID, 'post')).data.key
    },
    before: 'problem.VALIDATION_FAILED.backdated', after: undefined,
  },
  '/setting/company': {
    entity: 'company',
    change: async () => changed('company', await id('company', 'ARS'), { LegalName: 'PT Arus Baru' }),
    seen: async () => (await scene.people.finance.get('/api/v1/data/company/1')).data.record?.LegalName ?? (await scene.people.finance.get('/api/v1/data/lookup/company')).code,
    before: 'PT Arus', after: 'PT Arus Baru',
  },
  '/setting/user': {
    entity: 'app_user',
    change: async () => changed('user', await user('sales'), { TerritoryIDs: [await id('territory', 'JKT-S')] }),
    seen: async () => (await scene.people.sales.get('/api/v1/data/customer', { columns: 'code' })).data.rows.map((row: Record) => row.Code),
    before: ['C0000001', 'C0000002'], after: ['C0000002'],
  },
  '/setting/role': {
    entity: 'role',
    async change() {
      const role = await id('role', 'CREDIT_CTRL')
      const guards = (await admin.get(`/api/v1/data/role/${role}`)).data.record.GuardNames as string[]
      return changed('role', role, { GuardNames: guards.filter((guard) => guard !== 'credit-limit-view') })
    },
    seen: async () => (await scene.people.credit.get('/api/v1/data/credit-limit')).code,
    before: 'success', after: 'FORBIDDEN_GUARD',
  },
  '/setting/role-menu': {
    entity: 'role',
    async change() {
      const role = await id('role', 'SALES_ADMIN')
      const record = (await admin.get(`/api/v1/data/role/${role}`)).data.record
      const without = await menuId('/sales-order/simulation')
      return changed('role', role, { MenuIDs: record.MenuIDs.filter((entry: number) => entry !== without) })
    },
    seen: async () => (await menuOf(scene.people.sales)).includes('/sales-order/simulation'),
    before: true, after: false,
  },
  '/setting/menu': {
    entity: 'menu',
    change: async () => changed('menu', await menuId('/report/ar-aging'), { IsActive: false }),
    seen: async () => [(await menuOf(scene.people.finance)).includes('/report/ar-aging'), (await scene.people.finance.get('/api/v1/report/ar-aging.report', { as_of: '2026-11-20' })).code],
    before: [true, 'success'], after: [false, 'FORBIDDEN_GUARD'],
  },
  '/setting/sort-menu': {
    entity: 'menu',
    async change() {
      const entries = (await menuOf(scene.people.sales)).filter((url) => ['/sales-order-list', '/sales-order-form'].includes(url))
      const ids = await Promise.all(entries.toReversed().map((url) => menuId(url)))
      expect((await admin.post('/api/v1/command/order-menu', { IDs: ids })).status).toBe(200)
      return ids[0] ?? 0
    },
    seen: async () => (await menuOf(scene.people.sales)).filter((url) => ['/sales-order-list', '/sales-order-form'].includes(url)),
    before: ['/sales-order-form', '/sales-order-list'], after: ['/sales-order-list', '/sales-order-form'],
  },
  '/setting/minimum-order-quantity': {
    entity: 'minimum_order_quantity',
    change: async () => made('minimum-order-quantity', { ItemID: await id('item', 'C'), MinQty: '5', Action: 'BLOCK' }),
    seen: async () => ((await price()).Hints ?? []).map(({ code }: Record) => code),
    before: [], after: ['MQ01'],
  },
  '/setting/user-work-number': {
    entity: 'app_user',
    change: async () => changed('user', await user('supervisor'), { WorkNumber: 'E1' }),
    seen: async () => (await scene.people.supervisor.get('/api/v1/profile')).data.work_number,
    before: null, after: 'E1',
  },
  '/setting/rounding': {
    entity: 'rounding_rule',
    async change() {
      const rule = await scene.database.first<{ id: number }>(sql`select id from rounding_rule where doc_type = 'sales_order' and currency = 'IDR'`)
      return changed('rounding-rule', rule?.id ?? 0, { Unit: '100' })
    },
    seen: async () => (await price({ ManualDiscount: '5' })).record.Total,
    before: '3299994.00', after: '3300000.00',
  },
  '/setting/posting-rule': {
    entity: 'posting_rule',
    async change() {
      const rule = await scene.database.first<{ id: number }>(sql`select id from posting_rule where event = 'INV' and amount_key = 'gross'`)
      return changed('posting-rule', rule?.id ?? 0, { AccountID: await id('account', '414101') })
    },
    async seen() {
      invoices += 1
      const invoice = await scene.invoiced('C0000002', [{ item: 'D', qty: String(4 - invoices) }])
      return (await scene.journal('invoice', invoice.ID, 'INV')).some((line) => line.startsWith('414101 '))
    },
    before: false, after: true,
  },
  '/setting/master-number': {
    entity: 'number_series',
    change: async () => changed('number-series', await id('number_series', 'CUSTOMER'), { Pattern: 'K{SEQ:7}' }),
    seen: () => number('CUSTOMER'),
    before: 'The next number is C0000004.', after: 'The next number is K0000004.',
  },
  '/setting/document-number': {
    entity: 'number_series',
    change: async () => changed('number-series', await id('number_series', 'SO'), { Pattern: 'PSN/{OU}/{YY}{MM}/{SEQ:5}' }),
    seen: async () => String((await scene.order('C0000002', [{ item: 'D', qty: '1' }])).Code).slice(0, 3),
    before: 'SO/', after: 'PSN',
  },
  '/setting/setting-oms': {
    entity: 'setting_oms',
    async change() {
      const setting = await scene.database.first<{ id: number }>(sql`select id from setting_oms where key = 'manual_discount_pct' and operating_unit_id is null`)
      return changed('setting-oms', setting?.id ?? 0, { Number: 0 })
    },
    seen: async () => (await price({ ManualDiscount: '29729' })).record.Lines[0].Blocks,
    before: [], after: ['PR02'],
  },
  '/setting/allocation-rule': {
    entity: 'allocation_rule',
    change: async () => made('allocation-rule', { Code: 'KECIL', Name: 'Terkecil dulu', Domain: 'PAYMENT', Priority: 1, Method: 'SMALLEST' }),
    async seen() {
      // Of the two invoices of the posting rule the later one is smaller.
      const customer = await id('customer', 'C0000002')
      const { Lines: lines } = await scene.command('cashier', 'propose-payment', { CustomerID: customer, Amount: '1' })
      const [smallest] = await scene.rows('invoice', sql`customer_id = ${customer} and status in (1, 2) and remaining = (select min(remaining) from invoice where customer_id = ${customer} and status in (1, 2))`)
      return lines[0].InvoiceID === smallest.id
    },
    before: false, after: true,
  },
  '/setting/write-off-parameters': {
    entity: 'write_off_parameter',
    change: async () => made('write-off-parameter', { Code: 'WO-UJI', Name: 'Uji', MinAgeDays: 30, MaxAmountPerItem: '1000', MaxTotal: '5000', Method: 'DIRECT', AccountID: await id('account', '613102'), ValidFrom: '2026-01-01' }),
    seen: async () => (await scene.people.finance.get('/api/v1/data/write-off-parameter', { columns: 'code' })).data.rows?.some((row: Record) => row.Code === 'WO-UJI'),
    before: false, after: true,
  },
  '/setting/approval': {
    entity: 'approval_matrix',
    change: async () => made('approval-matrix', { Code: 'SO-ALL', DocType: 'sales_order', Transition: 'approve', Level: 1, ApproverKind: 'ROLE', ApproverRef: 'SALES_SPV', Mode: 'ANY', ValidFrom: '2026-01-01' }),
    seen: async () => (await scene.order('C0000002', [{ item: 'D', qty: '1' }])).Status,
    before: 1, after: 4,
  },
}

describe('a change of a setting', () => {
  it('is tried on every page of the group', () => {
    const pages = new Set(metadata.routes.filter(({ path, guard }) => path.startsWith('/setting/') && (typeof guard !== 'object' || guard.parent === 'Setting')).map((route) => (typeof route.guard === 'object' ? route.guard.url : '')))
    expect([...pages].filter((url) => steps[url] === undefined)).toEqual([])
  })

  it.each(Object.entries(steps))('%s is felt by who is signed in at the next call, and stands in the history', async (_, { entity, change: apply, seen, before, after }) => {
    expect(await seen()).toEqual(before)
    const record = await apply()
    expect(await seen()).toEqual(after)
    const [entry] = await scene.database.rows<{ actor_id: number; action: string; diff: unknown[] | null }>(sql`
      select actor_id, action, diff from document_log where doc_type = ${entity} and doc_id = ${record} order by id desc limit 1`)
    expect(entry?.actor_id).toBe(await user('admin'))
    // What was changed says from what to what; what is new says so.
    if (entry?.action === 'edit') expect(entry.diff?.length).toBeGreaterThan(0)
    else expect(entry?.action).toBe('create')
  })
})
