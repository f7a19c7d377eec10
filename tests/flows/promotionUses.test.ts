import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import type { Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { Imports } from '../support/imports.ts'
import { insertPromotion } from '../support/promotions.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  await insertRows(scene.database, 'warehouse', [{ code: 'RJKT', name: 'Jakarta returns', operating_unit_id: await scene.at.id('operating_unit', 'JKT'), kind: 'RETURN', stock_class: 'RETURN' }])
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
async function promotion({ item, kind = 'PCT', value = '10', min = '1' }: Gives, more: Row = {}): Promise<{ readonly id: number; readonly code: string }> {
  made += 1
  const code = `PX${made}`
  const isFree = kind === 'FREE_ITEM'
  const row = await insertPromotion(scene.database, {
    code, name: `Promo ${made}`, valid_from: '2025-01-01', conditions: [{ kind: 'ITEM_QTY', item_id: await id('item', item), min, is_multiple: isFree }],
    benefits: [{ kind, value: isFree ? '0' : value, free_qty: isFree ? value : '0' }], more,
  })
  return { id: row, code }
}
async function ended({ id: row }: { readonly id: number }): Promise<void> {
  await scene.database.run(sql`update promotion set status = 6, effective_to = '2025-01-01' where id = ${row}`)
}
async function draft(lines: readonly { readonly item: string; readonly qty: string }[], customer = 'C0000001'): Promise<Record> {
  return scene.create('admin', 'sales-order', { CustomerID: await id('customer', customer), DocDate: today(), Lines: await Promise.all(lines.map(async ({ item, qty }) => ({ ItemID: await id('item', item), Uom: item === 'E' ? 'PCS' : 'CTN', Qty: qty }))) })
}
async function claimed(customer: string, promotionId: number, dpp: string, more: object = {}): Promise<Record> {
  made += 1
  return scene.create('admin', 'credit-note', {
    Kind: 'CLAIM', CustomerID: await id('customer', customer), PromoTypeID: await id('credit_note_promo_type', 'KLAIM-LAIN'), PromotionID: promotionId, ClaimPeriod: today().slice(0, 7).replace('-', ''), DocDate: today(), ClaimDate: today(), ClaimNo: `KL-${made}`, Dpp: dpp, ...more,
  })
}
const submit = (order: Record, acknowledge: readonly string[] = []) => scene.people.admin.post(`/api/v1/data/sales-order/${order.ID}/submit`, {}, { key: scene.key(), acknowledge })

const taken = async (row: number): Promise<readonly string[]> => {
  const found = await budgetOf(row)
  return [String(found?.['committed']), String(found?.['used'])]
}
async function cancelled(invoice: Record): Promise<void> {
  const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode: 'CANCEL', ReasonID: await id('reason', 'C02') })
  await scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
  await scene.decide('invoice_cancel_request', request.ID)
}

describe('the budget of a promotion', () => {
  test('is committed when an order is submitted, used when it is billed, and free again with what is cancelled, taken back or returned', async () => {
    const b = await budget('100000000')
    // One D is 1,981,982: 10 % of five is 990,991.
    const p = await promotion({ item: 'D' }, { budget_id: b })
    const { order, issue } = await scene.delivered('C0000002', [{ item: 'D', qty: '5' }])
    expect(await taken(b)).toEqual(['990991.00', '0.00'])
    const [invoice] = await scene.bill([issue.id])
    expect(await taken(b)).toEqual(['0.00', '990991.00'])
    await cancelled(invoice)
    expect(await taken(b)).toEqual(['990991.00', '0.00'])
    const [again] = await scene.bill([issue.id])
    expect(await taken(b)).toEqual(['0.00', '990991.00'])
    const [line] = await scene.rows('invoice_line', sql`invoice_id = ${again.ID}`)
    const back = await scene.create('sales', 'sales-return', { CustomerID: again.CustomerID, ReturnDate: today(), CauseID: await id('reason', 'T01'), Kind: 'WITH_REF', InvoiceID: again.ID, Lines: [{ InvoiceLineID: line.id, ItemID: line.item_id, QtyRequested: '2' }] })
    await scene.act('sales', 'sales-return', back.ID, 'submit')
    await scene.decide('sales_return', back.ID)
    await scene.act('warehouse', 'sales-return', back.ID, 'receive', {})
    await scene.act('warehouse', 'sales-return', back.ID, 'inspect', {})
    await scene.act('receivables', 'sales-return', back.ID, 'credit')
    expect(await taken(b)).toEqual(['0.00', '594594.60'])
    await scene.act('receivables', 'sales-return', back.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await taken(b)).toEqual(['0.00', '990991.00'])
    const other = await scene.order('C0000002', [{ item: 'D', qty: '4' }])
    expect(await taken(b)).toEqual(['792792.80', '990991.00'])
    await scene.act('admin', 'sales-order', other.ID, 'cancel', { ReasonID: await id('reason', 'C01') })
    expect(await taken(b)).toEqual(['0.00', '990991.00'])
    expect((await scene.read('sales-order', order.ID)).Promo).toBe('990991.00')
    await ended(p)
  })

  test('PR5: what is not there whole is not given at all, and of two at the same second one gets it', async () => {
    const b = await budget('500000')
    const p = await promotion({ item: 'E', value: '10' }, { budget_id: b })
    // One E is 1,250.50: 4,480 pieces earn 560,224; 3,840 earn 480,192; 800 earn 100,040.
    const first = await draft([{ item: 'E', qty: '4480' }])
    expect(first.Promo).toBe('0.00')
    const typed = await scene.people.admin.post('/api/v1/command/price-order', { CustomerID: first.CustomerID, DocDate: today(), Lines: [{ ItemID: await id('item', 'E'), Uom: 'PCS', Qty: '4480' }] })
    expect([typed.data.record.Promo, typed.data.Hints.map(({ code }: Record) => code)]).toEqual(['0.00', expect.arrayContaining(['PROMO_BUDGET'])])
    const asked = await submit(first)
    expect([asked.status, asked.data.warnings?.map(({ code }: Record) => code)]).toEqual([412, ['PROMO_BUDGET']])
    expect((await submit(first, asked.data.warnings.map(({ id: warning }: Record) => warning))).status).toBe(200)
    expect(await taken(b)).toEqual(['0.00', '0.00'])
    const [second, third] = [await draft([{ item: 'E', qty: '3840' }]), await draft([{ item: 'E', qty: '800' }], 'C0000002')]
    expect([second.Promo, third.Promo]).toEqual(['480192.00', '100040.00'])
    const answers = await Promise.all([submit(second), submit(third)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
    expect(['480192.00', '100040.00']).toContain((await taken(b))[0])
    const late = answers.find(({ status }) => status === 412)
    expect(late?.data.warnings.map(({ code }: Record) => code).toSorted()).toEqual(['PROMO_BUDGET', 'REPRICED'])
    await ended(p)
  })

  test('fifty orders at once take no more than there is', async () => {
    const b = await budget('1000000')
    const p = await promotion({ item: 'E', value: '10' }, { budget_id: b })
    // 400 pieces earn 50,020: there is enough for nineteen.
    const orders: Record[] = []
    for (let n = 0; n < 50; n++) orders.push(await draft([{ item: 'E', qty: '400' }], n % 2 === 0 ? 'C0000001' : 'C0000002'))
    await Promise.all(orders.map((order) => submit(order)))
    expect(await taken(b)).toEqual(['950380.00', '0.00'])
    expect((await scene.database.rows(sql`select 1 from promotion_use where promotion_id = ${p.id}`)).length).toBe(19)
    await ended(p)
  }, 120_000)

  test('what a customer may have, and what there is in all, are rupiah of benefit', async () => {
    const p = await promotion({ item: 'E', value: '10' }, { max_per_customer: '100000', max_total: '150000' })
    // 600 pieces earn 75,030.
    const earned = async (customer: string) => (await draft([{ item: 'E', qty: '600' }], customer)).Promo
    const own = await draft([{ item: 'E', qty: '600' }])
    expect((await submit(own)).status).toBe(200)
    expect(await earned('C0000001')).toBe('0.00')
    expect(await earned('C0000002')).toBe('0.00')
    await scene.act('admin', 'sales-order', own.ID, 'cancel', { ReasonID: await id('reason', 'C01') })
    expect(await earned('C0000001')).toBe('75030.00')
    await ended(p)
  })

  test('goods given away cost their standard cost', async () => {
    await scene.database.run(sql`update item set standard_cost = 800 where code = 'E'`)
    const b = await budget('100000')
    const p = await promotion({ item: 'E', kind: 'FREE_ITEM', value: '1', min: '10' }, { budget_id: b })
    // One free for ten: 125 free pieces cost 100,000; one more does not fit.
    const fits = await draft([{ item: 'E', qty: '1250' }])
    expect(fits.Lines.filter(({ IsFree }: Record) => IsFree).map(({ QtyBase }: Record) => QtyBase)).toEqual(['125.000'])
    expect((await draft([{ item: 'E', qty: '1260' }])).Lines.filter(({ IsFree }: Record) => IsFree)).toEqual([])
    expect((await submit(fits)).status).toBe(200)
    expect(await taken(b)).toEqual(['100000.00', '0.00'])
    await scene.act('admin', 'sales-order', fits.ID, 'cancel', { ReasonID: await id('reason', 'C01') })
    expect(await taken(b)).toEqual(['0.00', '0.00'])
    await ended(p)
  })
})

test('ZR1: what a promotion covers whole is billed with nothing to pay', async () => {
  const p = await promotion({ item: 'E', value: '100' })
  // One carton of E is 24 pieces at 1,250.50.
  const { order, issue } = await scene.delivered('C0000002', [{ item: 'E', qty: '2' }])
  expect(order).toMatchObject({ Gross: '60024.00', Promo: '60024.00', Dpp: '0.00', Ppn: '0.00', Total: '0.00' })
  const [invoice] = await scene.bill([issue.id])
  expect(invoice).toMatchObject({ Status: 3, Total: '0.00', Remaining: '0.00' })
  expect(await scene.journal('invoice', invoice.ID, 'INV')).toEqual(['411101 0.00 60024.00', '412102 60024.00 0.00'])
  expect((await scene.journal('invoice', invoice.ID, 'COGS')).map((line) => line.slice(0, 6))).toEqual(['113106', '511101'])
  await ended(p)
})

describe('claims and gifts of a promotion', () => {
  test('a claim is held to what was earned and to the budget: committed when submitted, used when granted', async () => {
    const b = await budget('300000')
    const p = await promotion({ item: 'D', value: '5' }, { mechanism: 'OFF_INVOICE', budget_id: b })
    const invoice = await scene.invoiced('C0000002', [{ item: 'D', qty: '2' }])
    const bought = await scene.database.first<{ dpp: string }>(sql`select sum(l.dpp)::text as dpp from invoice_line l join invoice i on i.id = l.invoice_id where i.customer_id = ${invoice.CustomerID} and i.status in (1, 2, 3) and l.item_id = ${await id('item', 'D')} and l.returned_qty = 0`)
    const most = Math.round(Number(bought?.dpp) * 0.05)
    const claim = (dpp: string, more: object = {}) => claimed('C0000002', p.id, dpp, more)
    const refused = async (note: Record) => (await scene.tryAct('admin', 'credit-note', note.ID, 'submit')).data.errors?.map(({ field, key }: Record) => [field, key])
    expect(await refused(await claim('100000', { ClaimPeriod: '202401' }))).toEqual([['ClaimPeriod', 'field.NOT_A_CHOICE.claim-period']])
    expect(await refused(await claim(String(most + 1)))).toEqual([['Dpp', 'field.EXCEEDS_AVAILABLE.entitlement']])
    const good = await claim('200000')
    await scene.act('admin', 'credit-note', good.ID, 'submit')
    expect(await taken(b)).toEqual(['200000.00', '0.00'])
    expect(await refused(await claim('150000'))).toEqual([['PromotionID', 'field.EXCEEDS_AVAILABLE.promotion']])
    await scene.decide('credit_note', good.ID)
    expect(await scene.database.first(sql`select committed, used, claimed, available from promotion_budget where id = ${b}`)).toEqual({ committed: '0.00', used: '200000.00', claimed: '200000.00', available: '100000.00' })
    await scene.act('admin', 'credit-note', good.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await scene.decide('credit_note', good.ID)
    expect(await scene.database.first(sql`select committed, used, claimed, available from promotion_budget where id = ${b}`)).toEqual({ committed: '0.00', used: '0.00', claimed: '0.00', available: '300000.00' })
    const rejected = await claim('200000')
    await scene.act('admin', 'credit-note', rejected.ID, 'submit')
    await scene.decide('credit_note', rejected.ID, 'reject')
    expect(await taken(b)).toEqual(['0.00', '0.00'])
  })

  test('a file of claims makes a credit note for each, and says at its row what is not earned', async () => {
    const p = await promotion({ item: 'D', value: '5' }, { mechanism: 'OFF_INVOICE' })
    const code = p.code
    const files = new Imports(scene.at, scene.people.admin)
    const head = 'ClaimNo,Customer,PromoCode,ClaimType,Period,InvoiceNo,SKU,Qty,Amount,TaxInvoiceNo,DocDate'
    const period = today().slice(0, 7).replace('-', '')
    const rows = [`K1,C0000002,${code},KLAIM-LAIN,${period},,D,2,60000,,${today()}`, `K1,C0000002,${code},KLAIM-LAIN,${period},,,,40000,,${today()}`, `K2,C0000002,${code},KLAIM-LAIN,${period},,D,2,99000000,,${today()}`, `K3,C0000002,${code},KLAIM-LAIN,202401,,D,2,1000,,${today()}`]
    const batch = await files.take('promotion-claim.import', [head, ...rows].join('\n'))
    expect((await files.rows(batch)).map(({ State, Errors }) => [State, Errors.map(({ column, code: error }) => `${column} ${error}`)])).toEqual([
      ['VALID', []], ['VALID', []], ['ERROR', [expect.stringContaining('E12')]], ['ERROR', ['Period E05']],
    ])
    await files.commit(batch)
    expect(await scene.database.rows(sql`select claim_no, status, dpp, (select count(*)::int from credit_note_line l where l.credit_note_id = n.id) as lines from credit_note n where claim_no in ('K1', 'K2', 'K3')`)).toEqual([{ claim_no: 'K1', status: 0, dpp: '100000.00', lines: 2 }])
    const twice = await files.take('promotion-claim.import', [head, `K1,C0000002,${code},KLAIM-LAIN,${period},,D,1,70000,,${today()}`].join('\n'))
    expect((await files.rows(twice)).flatMap(({ Errors }) => Errors.map(({ column, code: error }) => `${column} ${error}`))).toEqual(['ClaimNo E04'])
  })

  test('goods given away for a promotion take from its budget when asked for, and use it when they leave', async () => {
    await scene.database.run(sql`update item set standard_cost = 85000 where code = 'A'`)
    const b = await budget('200000')
    const p = await promotion({ item: 'C', value: '1' }, { budget_id: b })
    const gift = (qty: string) => scene.create('admin', 'free-good', { Purpose: 'PROMO', Event: 'Peluncuran', PromotionID: p.id, WarehouseID: jkt, DocDate: today(), Lines: [{ ItemID: a, Qty: qty }] })
    const [jkt, a] = [await id('warehouse', 'WJKT'), await id('item', 'A')]
    const two = await gift('2')
    await scene.act('admin', 'free-good', two.ID, 'submit')
    expect(await taken(b)).toEqual(['170000.00', '0.00'])
    expect((await scene.tryAct('admin', 'free-good', (await gift('1')).ID, 'submit')).data.errors.map(({ field, key }: Record) => [field, key])).toEqual([['PromotionID', 'field.EXCEEDS_AVAILABLE.promotion']])
    await scene.decide('free_goods_request', two.ID)
    await scene.act('admin', 'free-good', two.ID, 'issue')
    expect(await taken(b)).toEqual(['0.00', '170000.00'])
    await scene.act('admin', 'free-good', two.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await taken(b)).toEqual(['0.00', '0.00'])
  })
})

test('on the desk of choices promotions that do not go together are named with what they give; the one chosen counts', async () => {
  const b = await budget('9000000')
  const best = await promotion({ item: 'E', value: '10' }, { stacking: 'EXCLUSIVE', budget_id: b })
  const other = await promotion({ item: 'E', value: '4' }, { stacking: 'EXCLUSIVE' })
  const customer = await id('customer', 'C0000001')
  const line = { ItemID: await id('item', 'E'), Uom: 'PCS', Qty: '1000' }
  const priced = async (more: object) => (await scene.people.admin.post('/api/v1/command/price-order', { CustomerID: customer, DocDate: today(), FormVersion: 2, Lines: [{ ...line, ...more }] })).data
  const offered = await priced({})
  expect(offered.record.Lines[0]).toMatchObject({ PromoAmount: '125050.00', Offers: { PromotionChoice: [best.code, other.code] } })
  expect(offered.Hints.filter(({ code }: Record) => code === 'PROMO_CHOICE').map(({ text }: Record) => text)).toEqual([
    `${best.code} Promo ${made - 1} would take off 125,050.00; 9,000,000.00 is left of its budget.`, `${other.code} Promo ${made} would take off 50,020.00.`,
  ])
  expect((await priced({ PromotionChoice: other.code })).record.Lines[0].PromoAmount).toBe('50020.00')
  const order = await scene.create('admin', 'sales-order', { CustomerID: customer, DocDate: today(), FormVersion: 2, Lines: [{ ...line, PromotionChoice: other.code }] })
  expect([order.Promo, order.Lines[0].PromotionChoice]).toEqual(['50020.00', other.code])
  expect((await submit(order)).status).toBe(200)
  expect((await scene.read('sales-order', order.ID)).Promo).toBe('50020.00')
  expect(await taken(b)).toEqual(['0.00', '0.00'])
})
