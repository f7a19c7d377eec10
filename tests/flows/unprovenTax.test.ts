import { afterEach, beforeAll, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { ExpiryRounds } from '#server/workflow/expiryRounds.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let invoice: Record
let received: Record
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

async function rounds(day: string): Promise<number> {
  await scene.moveTo(`${day}T03:00:00.000Z`)
  await keepCalendar(scene.database, scene.at.clock)
  const services = await scene.database.transaction(async (tx) => runOf(scene.database, tx, `${day}T03:00:00.000Z`).services)
  return new ExpiryRounds(services).run()
}
const read = () => scene.read('payment-received', received.ID)

test('D56: withheld tax without its proof counts for thirty days, and is owed again after them', async () => {
  const first = scene.at.clock.today()
  invoice = await scene.invoiced('C0000001', [{ item: 'D', qty: '1' }])
  const withheld = '39640.00'
  const paid = (Number(invoice.Total) - 39640).toFixed(2)
  received = await scene.pay('C0000001', paid, [{ InvoiceID: invoice.ID, Paid: invoice.Total, Deductions: [{ Kind: 'PPH23', Amount: withheld }] }])
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
  expect(await rounds(addDays(first, 30))).toBe(0)
  expect(await rounds(addDays(first, 31))).toBe(1)
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 2, Remaining: withheld })
  expect(await scene.journal('ar_payment', received.ID, 'WHT_UNPROVEN')).toEqual(['112101 39640.00 0.00', '114104 0.00 39640.00'])
  expect(await read()).toMatchObject({ Status: 1, Deducted: '0.00', Allocated: paid })
  expect(await scene.rows('tax_proof', sql`ar_payment_id = ${received.ID}`)).toEqual([])
  expect(await rounds(addDays(first, 32))).toBe(0)
})

test('the receipt undone afterwards undoes that too', async () => {
  await scene.act('cashier', 'payment-received', received.ID, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
  await scene.decide('ar_payment', received.ID)
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 1, Remaining: invoice.Total })
  expect([await scene.balance('114104'), await scene.balance('111302')]).toEqual(['0.00', '0.00'])
})

test('what was proved in time stays', async () => {
  const day = scene.at.clock.today()
  const other = await scene.invoiced('C0000002', [{ item: 'D', qty: '1' }])
  const receipt = await scene.pay('C0000002', (Number(other.Total) - 39640).toFixed(2), [{ InvoiceID: other.ID, Paid: other.Total, Deductions: [{ Kind: 'PPH23', Amount: '39640.00', DocumentNo: 'BP-1', DocumentDate: day }] }])
  await rounds(addDays(day, 40))
  expect(await scene.read('invoice', other.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
  expect(await scene.read('payment-received', receipt.ID)).toMatchObject({ Deducted: '39640.00' })
})
