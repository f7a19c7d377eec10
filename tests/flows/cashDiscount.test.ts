import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const buyer = 'C0000002'
/** 2 % of what an invoice is without VAT, for who pays by its second day. */
const granting = { cash_discount_pct: '2', cash_discount_days: 2 }
const invoices: Record[] = []

const setTerm = (pct: string, days: number, netDays = 30) => scene.database.run(sql`update payment_term set cash_discount_pct = ${pct}, cash_discount_days = ${days}, net_days = ${netDays} where code = 'N30'`)
const less = (Amount: string) => [{ Kind: 'CASH_DISCOUNT', Amount }]
const line = (invoice: Record | undefined, Paid: string, discount: string, more: object = {}) => ({ InvoiceID: invoice?.ID, Paid, Deductions: less(discount), ...more })

beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update promotion set status = 0`)
  await scene.database.run(sql`update list_price set price = 8500000 where item_id = (select id from item where code = 'D')`)
  await setTerm(granting.cash_discount_pct, granting.cash_discount_days)
  for (let i = 0; i < 5; i++) invoices.push(await scene.invoiced(buyer, [{ item: 'D', qty: '1' }]))
})

async function refused(amount: string, lines: readonly object[], more: object = {}): Promise<unknown> {
  const answer = await scene.people.cashier.post('/api/v1/data/payment-received', {
    CustomerID: await scene.at.id('customer', buyer), PaymentDate: scene.at.clock.today(), Method: 'TRANSFER', HouseBankID: await scene.at.id('house_bank', 'BCA1'), Amount: amount, ...more,
    Lines: lines.map((one) => ({ Credits: [], ...one })),
  }, { key: scene.key() })
  return answer.data.errors?.map(({ field, key, params }: Record) => [field, key, params?.limit ?? params?.taken])
}
const tooMuch = (limit: string) => [['Lines[0].Deductions', 'field.EXCEEDS_TOLERANCE.cash-discount', limit]]

describe('what an invoice grants', () => {
  test('is kept on it when it is posted: a term changed afterwards gives it neither more nor less, nor moves the day it is due', async () => {
    expect(invoices[0]).toMatchObject({ Total: '9435000.00', CashDiscountPct: '2.0000', CashDiscountDays: 2, NetDays: 30, Baseline: 'INVOICE', DueDate: '2026-12-20' })
    await setTerm('50', 60, 7)
    expect(await refused('4717500', [line(invoices[0], '9435000', '4717500')])).toEqual(tooMuch('86,560.00'))
    await setTerm('0', 0, 90)
    expect(await refused('9265000', [line(invoices[0], '9435000', '170000')])).toBeUndefined()
    expect((await scene.read('invoice', invoices[0]?.ID)).DueDate).toBe('2026-12-20')
  })

  test('RC6: is a part of the price without VAT, for the last day too, and in proportion to what is paid', async () => {
    await scene.moveTo('2026-11-22T03:00:00.000Z')
    expect(await refused('9264999', [line(invoices[0], '9435000', '170001')])).toEqual(tooMuch('170,000.00'))
    const whole = await scene.pay(buyer, '9265000', [line(invoices[0], '9435000', '170000')])
    expect(await scene.journal('ar_payment', whole.ID, 'RCPT_TRANSFER')).toEqual(['111302 9265000.00 0.00', '112101 0.00 9435000.00', '412103 170000.00 0.00'])
    expect(await scene.read('invoice', invoices[0]?.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    const reason = { ReasonID: await scene.at.id('reason', 'R01') }
    expect(await refused('4000000', [line(invoices[1], '4073395', '73395', reason)])).toEqual(tooMuch('73,394.00'))
    await scene.pay(buyer, '4000000', [line(invoices[1], '4073394', '73394', reason)])
    expect(await scene.read('invoice', invoices[1]?.ID)).toMatchObject({ Remaining: '5361606.00' })
    // The rest in time earns the rest of it, and no more.
    expect(await refused('5264999', [line(invoices[1], '5361606', '96607')])).toEqual(tooMuch('96,606.00'))
    expect(await refused('5265000', [line(invoices[1], '5361606', '96606')])).toBeUndefined()
  })

  test('is nothing a day later: the rest of a part paid in time is paid whole, and so is what a giro pays later', async () => {
    const giro = { Method: 'GIRO', GiroNo: 'G-1', GiroBank: 'BCA', GiroDueDate: '2026-11-23' }
    expect(await refused('9265000', [line(invoices[2], '9435000', '170000')], giro)).toEqual(tooMuch('0.00'))
    expect(await refused('9265000', [line(invoices[2], '9435000', '170000')], { ...giro, GiroDueDate: '2026-11-22' })).toBeUndefined()
    await scene.moveTo('2026-11-23T03:00:00.000Z')
    expect(await refused('9265000', [line(invoices[3], '9435000', '170000')])).toEqual(tooMuch('0.00'))
    expect(await refused('5265000', [line(invoices[1], '5361606', '96606')])).toEqual(tooMuch('0.00'))
    // A receipt of an earlier day counts for that day.
    expect(await refused('9265000', [line(invoices[4], '9435000', '170000')], { PaymentDate: '2026-11-22' })).toBeUndefined()
    const [kept] = await scene.database.rows(sql`select cash_discount_pct, cash_discount_days, net_days, baseline from invoice where id = ${invoices[4]?.ID}`)
    expect(kept).toEqual({ cash_discount_pct: '2.0000', cash_discount_days: 2, net_days: 30, baseline: 'INVOICE' })
  })

  test('is also the days that count from delivery, when that is confirmed after the term was changed', async () => {
    const [term] = await scene.database.rows<{ id: number }>(sql`insert into payment_term (code, name, net_days, baseline) values ('P14', '14 days from delivery', 14, 'POD') returning id`)
    await scene.database.run(sql`update customer set payment_term_id = ${term?.id} where code = ${buyer}`)
    const { issue } = await scene.delivered(buyer, [{ item: 'B', qty: '1' }])
    const [invoice] = await scene.bill([issue.id])
    await scene.database.run(sql`update payment_term set net_days = 60, baseline = 'INVOICE' where id = ${term?.id}`)
    await scene.moveTo('2026-11-25T03:00:00.000Z')
    await scene.act('warehouse', 'delivery-order', issue.delivery_order_id, 'deliver')
    expect([invoice?.['DueDate'], (await scene.read('invoice', invoice?.ID))['DueDate']]).toEqual(['2026-12-07', '2026-12-09'])
    expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
  })
})
