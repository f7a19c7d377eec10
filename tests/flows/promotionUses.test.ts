import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { forgetMasters } from '../support/masters.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  // Only the promotions of these tests.
  await scene.database.run(sql`update promotion set status = 6, effective_to = '2025-01-01'`)
})
afterEach(async () => {
  expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
})

const today = () => scene.at.clock.today()
const id = (table: string, code: string) => scene.at.id(table, code)
let made = 0

async function budget(amount: string): Promise<number> {
  made += 1
  const [principal] = await insertRows(scene.database, 'business_partner', [{ code: `V-P${made}`, name: 'PT Prinsipal', kinds: ['PRINCIPAL'] }])
  const [row = 0] = await insertRows(scene.database, 'promotion_budget', [{
    code: `PBG-${made}`, status: 1, name: 'Dukungan', principal_id: principal, operating_unit_id: await id('operating_unit', 'JKT'), doc_date: today(), period_from: '2026-01-01', period_to: addDays(today(), 60), amount, available: amount,
  }])
  return row
}
const budgetOf = async (row: number) => scene.database.first(sql`select committed, used, available from promotion_budget where id = ${row}`)

interface Gives {
  readonly item: string
  readonly kind?: 'PCT' | 'FREE_ITEM'
  readonly value?: string
  readonly min?: string
}
async function promotion({ item, kind = 'PCT', value = '10', min = '1' }: Gives, more: object = {}): Promise<{ readonly id: number; readonly code: string }> {
  made += 1
  const code = `PX${made}`
  const isFree = kind === 'FREE_ITEM'
  const [row = 0] = await insertRows(scene.database, 'promotion', [{
    code, name: `Promo ${made}`, status: 1, operating_unit_id: await id('operating_unit', 'JKT'), doc_date: today(), promotion_type_id: (await scene.database.first<{ id: number }>(sql`select min(id) as id from promotion_type`))?.id, mechanism: 'ON_INVOICE',
    valid_from: '2025-01-01', ...more,
  }])
  await insertRows(scene.database, 'promotion_condition', [{ promotion_id: row, line_no: 1, tier_no: 1, kind: 'ITEM_QTY', item_id: await id('item', item), min, is_multiple: isFree }])
  await insertRows(scene.database, 'promotion_benefit', [{ promotion_id: row, line_no: 1, tier_no: 1, kind, value: isFree ? '0' : value, free_qty: isFree ? value : '0' }])
  await forgetMasters(scene.at)
  return { id: row, code }
}
async function ended({ id: row }: { readonly id: number }): Promise<void> {
  await scene.database.run(sql`update promotion set status = 6, effective_to = '2025-01-01' where id = ${row}`)
  await forgetMasters(scene.at)
}
async function draft(lines: readonly { readonly item: string; readonly qty: string }[], customer = 'C0000001'): Promise<Record> {
  return scene.create('admin', 'sales-order', { CustomerID: await id('customer', customer), DocDate: today(), Lines: await Promise.all(lines.map(async ({ item, qty }) => ({ ItemID: await id('item', item), Uom: item === 'E' ? 'PCS' : 'CTN', Qty: qty }))) })
}
const submit = (order: Record, acknowledge: readonly string[] = []) => scene.people.admin.post(`/api/v1/data/sales-order/${order.ID}/submit`, {}, { key: scene.key(), acknowledge })

describe('the budget of a promotion', () => {
  test('is committed when an order is submitted, used when it is billed, and free again with what is cancelled or comes back', async () => {
    const b = await budget('100000000')
    const p = await promotion({ item: 'C' }, { budget_id: b })
    // One C is 2,972,973: 10 % of ten is 2,972,973.
    const order = await draft([{ item: 'C', qty: '10' }])
    expect(await budgetOf(b)).toEqual({ committed: '0.00', used: '0.00', available: '100000000.00' })
    expect((await submit(order)).status).toBe(200)
    expect(await budgetOf(b)).toEqual({ committed: '2972973.00', used: '0.00', available: '97027027.00' })
    await scene.act('admin', 'sales-order', order.ID, 'recall').catch(() => undefined)
    await ended(p)
  })

  test('PR5: what is not there whole is not given at all, and of two at the same second one gets it', async () => {
    const b = await budget('500000')
    const p = await promotion({ item: 'E', value: '10' }, { budget_id: b })
    // One E is 1,250.50: 4,480 pieces earn 560,224; 3,840 earn 480,192; 800 earn 100,040.
    const first = await draft([{ item: 'E', qty: '4480' }])
    expect(first.Promo).toBe('0.00')
    const asked = await submit(first)
    expect([asked.status, asked.data.warnings?.map(({ code }: Record) => code)]).toEqual([412, expect.arrayContaining(['PROMO_BUDGET'])])
    const [second, third] = [await draft([{ item: 'E', qty: '3840' }]), await draft([{ item: 'E', qty: '800' }], 'C0000002')]
    expect([second.Promo, third.Promo]).toEqual(['480192.00', '100040.00'])
    const answers = await Promise.all([submit(second), submit(third)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
    const taken = (await budgetOf(b))?.['committed']
    expect(['480192.00', '100040.00']).toContain(taken)
    await ended(p)
  })
})
