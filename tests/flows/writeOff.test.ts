import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { violations } from '#server/ledger/invariants.ts'
import type { Answer } from '../support/app.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  // Nobody is asked for a new password in the months the tests go through.
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  // Bad debts of thirty days and more, without evidence; the shipped parameters ask for it.
  await scene.database.run(sql`
    insert into write_off_parameter (code, name, category, min_age_days, max_amount_per_item, max_total, method, account_id, valid_from)
    select 'WO-UJI', 'Uji', 'BAD_DEBT', 30, 30000000, 60000000, 'DIRECT', id, '2025-01-01' from account where code = '613101'`)
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

/** Time passes, the accounting calendar with it. */
async function moveTo(at: string): Promise<void> {
  await scene.moveTo(at)
  await keepCalendar(scene.database, scene.at.clock)
}

const makmur = 'C0000001'
const id = (table: string, code: string) => scene.at.id(table, code)
const exposure = async () => (await scene.database.first<{ exposure: string }>(sql`select exposure from v_customer_exposure e join customer c on c.id = e.customer_id where c.code = ${makmur}`))?.exposure

/** An invoice of so many D, 2,200,000 each. */
const invoiced = (qty: string, customer = makmur): Promise<Record> => scene.invoiced(customer, [{ item: 'D', qty }])

async function body(lines: readonly object[], parameter = 'WO-UJI', customer = makmur): Promise<object> {
  return { CustomerID: await id('customer', customer), ParameterID: await id('write_off_parameter', parameter), CutoffDate: scene.at.clock.today(), Lines: lines }
}
const refusals = async (made: Record) => (await scene.tryAct('admin', 'write-off', made.ID, 'submit')).data.errors?.map(({ field, key }: Record) => [field, key])
const levels = async (made: Record) => (await scene.rows('approval_request', sql`doc_type = 'write_off' and doc_id = ${made.ID}`)).at(-1)

describe('DP4: a bad debt of 4,500,000 left of an invoice', () => {
  let invoice: Record
  let made: Record
  test('candidates are proposed by the parameter, and what they are worth is worked out', async () => {
    invoice = await invoiced('6')
    const paid = String(Number(invoice.Total) - 4_500_000)
    await scene.pay(makmur, paid, [{ InvoiceID: invoice.ID, Paid: paid, ReasonID: await id('reason', 'R01') }])
    const propose = async (parameter: string) => (await scene.command('admin', 'derive-write-off', await body([], parameter))).record
    expect((await propose('WO-UJI')).Lines).toEqual([])
    await moveTo('2027-02-22T03:00:00.000Z')
    const { Lines, ...header } = await propose('WO-UJI')
    expect(Lines).toMatchObject([{ InvoiceID: invoice.ID, InvoiceCode: invoice.Code, Amount: '4500000.00', RemainingAt: '4500000.00', AgeDays: 64, DueDate: '2026-12-20' }])
    expect(header).toMatchObject({ Total: '4500000.00', Category: 'BAD_DEBT', DueUntil: '2027-01-23' })
    // Brought along by their ids, the invoices say whose they are.
    const unsaid = { ...(await body([])), CustomerID: null }
    const brought = async (ids: string) => scene.people.admin.post('/api/v1/command/derive-write-off', { ...unsaid, Brought: ids })
    const along = await brought(String(invoice.ID))
    expect(along.data.record).toMatchObject({ CustomerID: await id('customer', makmur), CustomerCode: makmur, Total: '4500000.00', Lines: [{ InvoiceID: invoice.ID, Amount: '4500000.00' }] })
    const refused = await brought(`${invoice.ID},999999`)
    expect(refused.data.errors).toMatchObject([{ field: 'Lines', key: 'field.NOT_IN_SCOPE.picked' }])
    // Older than a year is asked there.
    expect((await propose('WO-LAMA')).Lines).toEqual([])
  })

  test('AR manager and finance manager decide; the invoice is closed and the exposure falls', async () => {
    made = await scene.create('admin', 'write-off', await body([{ InvoiceID: invoice.ID, Amount: '4500000' }]))
    expect(made).toMatchObject({ Total: '4500000.00', Category: 'BAD_DEBT', OperatingUnitCode: 'JKT' })
    const before = Number(await exposure())
    await scene.act('admin', 'write-off', made.ID, 'submit')
    expect((await levels(made)).levels.map(({ steps }: Record) => steps.map(({ ref }: Record) => ref))).toEqual([['AR_MGR'], ['FIN_MGR']])
    await scene.decide('write_off', made.ID)
    expect(await scene.journal('write_off', made.ID)).toEqual(['112101 0.00 4500000.00', '613101 4500000.00 0.00'])
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '0.00', Status: 3 })
    expect(before - Number(await exposure())).toBe(4_500_000)
    const items = await scene.people.finance.get('/api/v1/report/fbl5n.report', { customer_id: await id('customer', makmur), item_status: 'ALL', date_from: '2026-11-01', date_to: '2027-03-31', key_date: '2027-03-31', length: 100 })
    const { Code } = await scene.read('write-off', made.ID)
    expect(items.data.rows.filter((row: Record) => row.DocCode === Code)).toHaveLength(1)
    expect(items.data.rows.find((row: Record) => row.DocCode === invoice.Code)).toMatchObject({ ClearingCode: Code })
  })

  test('reversed it opens the invoice again, on the day of the reversal', async () => {
    await scene.act('admin', 'write-off', made.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    expect((await scene.read('write-off', made.ID)).Status).toBe(1)
    await scene.decide('write_off', made.ID)
    expect((await scene.read('write-off', made.ID)).Status).toBe(7)
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '4500000.00', Status: 2 })
    expect(await scene.balance('613101')).toBe('0.00')
  })
})

describe('DP4: money comes for what was written off', () => {
  let invoice: Record
  let made: Record
  const receipt = async (amount: string, recovered: string, more: object = {}) => scene.people.cashier.post('/api/v1/data/payment-received', {
    CustomerID: await id('customer', makmur), PaymentDate: scene.at.clock.today(), Method: 'TRANSFER', HouseBankID: await id('house_bank', 'BCA1'), Amount: amount, ArPaymentRecovery: [{ InvoiceID: invoice.ID, Amount: recovered }], ...more,
  }, { key: scene.key() })
  const posted = async (answer: Answer) => scene.act('cashier', 'payment-received', answer.data.record.ID, 'post', {}, { acknowledge: ['PAYS_NOTHING', 'PAYS_LESS'] })

  test('it is income up to what was written off, the rest is the customer’s, and the write-off stands as long as it does', async () => {
    const [open] = await scene.rows('invoice', sql`remaining = 4500000`)
    invoice = await scene.read('invoice', open.id)
    made = await scene.create('admin', 'write-off', await body([{ InvoiceID: invoice.ID, Amount: '4500000' }]))
    expect((await receipt('1500000', '1500000')).data.errors).toMatchObject([{ field: 'ArPaymentRecovery[0].InvoiceID', key: 'field.NOT_IN_SCOPE' }])
    await scene.act('admin', 'write-off', made.ID, 'submit')
    await scene.decide('write_off', made.ID)
    const before = await exposure()

    const first = await posted(await receipt('1500000', '1500000'))
    expect(first).toMatchObject({ Status: 1, Amount: '1500000.00', Recovered: '1500000.00', Unapplied: '0.00', Allocated: '0.00' })
    expect(await scene.journal('ar_payment', first.ID)).toEqual(['111302 1500000.00 0.00', '421104 0.00 1500000.00'])
    expect([await scene.read('invoice', invoice.ID), await exposure()]).toMatchObject([{ Remaining: '0.00', Status: 3 }, before])
    // As long as the money is there the write-off is.
    expect((await scene.tryAct('admin', 'write-off', made.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })).data.key).toBe('problem.ILLEGAL_TRANSITION.recovered')

    const tooMuch = await receipt('3500000', '3500000')
    expect(tooMuch.data.errors).toMatchObject([{ field: 'ArPaymentRecovery[0].Amount', key: 'field.EXCEEDS_REMAINING.recovery', params: { limit: '3,000,000.00' } }])
    const second = await posted(await receipt('3500000', '3000000'))
    expect(second).toMatchObject({ Recovered: '3000000.00', Unapplied: '500000.00' })
    expect(await scene.journal('ar_payment', second.ID)).toEqual(['111302 3500000.00 0.00', '212101 0.00 500000.00', '421104 0.00 3000000.00'])
    expect((await receipt('1', '1')).data.errors).toMatchObject([{ key: 'field.EXCEEDS_REMAINING.recovery' }])
  })

  test('a receipt taken back gives room again; with none left the write-off can be undone', async () => {
    const live = await scene.rows('ar_payment', sql`recovered > 0 and status = 1`)
    for (const payment of live) {
      await scene.act('cashier', 'payment-received', payment.id, 'request-reversal', { ReasonID: await id('reason', 'V02') })
      await scene.decide('ar_payment', payment.id)
    }
    expect(await scene.balance('421104')).toBe('0.00')
    expect(await scene.rows('written_off_invoice', sql`id = ${invoice.ID}`)).toMatchObject([{ written_off: '4500000.00', recoverable: '4500000.00' }])
    await scene.act('admin', 'write-off', made.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    // While it waits nothing is recovered for it.
    expect((await receipt('1500000', '1500000')).data.errors).toMatchObject([{ key: 'field.NOT_IN_SCOPE' }])
    await scene.decide('write_off', made.ID)
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '4500000.00', Status: 2 })
  })
})

describe('what is not written off', () => {
  const other = 'C0000002'
  let invoice: Record
  beforeAll(async () => {
    await moveTo('2027-02-22T03:00:00.000Z')
    invoice = await invoiced('1', other)
  })

  test('young, disputed, too much, twice, without evidence: each is told at its cell', async () => {
    const draft = async (lines: readonly object[], parameter?: string) => scene.create('admin', 'write-off', await body(lines, parameter, other))
    expect(await refusals(await draft([{ InvoiceID: invoice.ID, Amount: '2200000' }]))).toEqual([['Lines[0].InvoiceID', 'rule.old-enough']])
    await moveTo('2027-04-26T03:00:00.000Z')
    expect(await refusals(await draft([{ InvoiceID: invoice.ID, Amount: '2200001' }]))).toEqual([['Lines[0].Amount', 'field.EXCEEDS_REMAINING.most']])
    expect(await refusals(await draft([{ InvoiceID: invoice.ID, Amount: '1' }, { InvoiceID: invoice.ID, Amount: '1' }]))).toEqual([['Lines[1].InvoiceID', 'field.DUPLICATE.line']])
    expect(await refusals(await draft([{ InvoiceID: invoice.ID, Amount: '2200000' }], 'WO-PAILIT'))).toEqual([['Lines[0].EvidenceID', 'rule.evidence']])
    expect(await refusals(await draft([{ InvoiceID: invoice.ID, Amount: '2200000' }], 'WO-KECIL'))).toEqual([
      ['Total', 'rule.within-total'], ['Lines[0].Amount', 'rule.within-item'], ['Lines[0].InvoiceID', 'rule.old-enough'],
    ])
    expect(await refusals(await draft([]))).toEqual([['Lines', 'field.REQUIRED.lines']])
    await scene.database.run(sql`update invoice set dispute = true where id = ${invoice.ID}`)
    expect(await refusals(await draft([{ InvoiceID: invoice.ID, Amount: '2200000' }]))).toEqual([['Lines[0].InvoiceID', 'rule.not-disputed']])
    await scene.database.run(sql`update invoice set dispute = false where id = ${invoice.ID}`)
  })

  test('what was paid while it waited is refused to the last approver, and nothing is booked', async () => {
    const made = await scene.create('admin', 'write-off', await body([{ InvoiceID: invoice.ID, Amount: '2200000' }], 'WO-UJI', other))
    await scene.act('admin', 'write-off', made.ID, 'submit')
    await scene.pay(other, '200000', [{ InvoiceID: invoice.ID, Paid: '200000', ReasonID: await id('reason', 'R01') }])
    await expect(scene.decide('write_off', made.ID)).rejects.toThrow('2,000,000.00')
    await scene.decide('write_off', made.ID, 'reject')
    expect((await scene.act('admin', 'write-off', made.ID, 'reopen')).Status).toBe(0)
    expect(await scene.journal('write_off', made.ID)).toEqual([])
  })

  test('AM1: 25,000,000 is decided by two, a rupiah more by the director as well', async () => {
    const large = await invoiced('12', other)
    await moveTo('2027-06-30T03:00:00.000Z')
    for (const [amount, roles] of [['25000000', ['AR_MGR', 'FIN_MGR']], ['25000001', ['AR_MGR', 'FIN_MGR', 'DIRECTOR']]] as const) {
      const made = await scene.create('admin', 'write-off', await body([{ InvoiceID: large.ID, Amount: amount }], 'WO-UJI', other))
      await scene.act('admin', 'write-off', made.ID, 'submit')
      expect((await levels(made)).levels.flatMap(({ steps }: Record) => steps.map(({ ref }: Record) => ref))).toEqual(roles)
      await scene.act('admin', 'write-off', made.ID, 'recall')
    }
  })

  test('a customer with a write-off under way stays with his unit', async () => {
    const made = await scene.create('admin', 'write-off', await body([{ InvoiceID: invoice.ID, Amount: '100' }], 'WO-UJI', other))
    await scene.act('admin', 'write-off', made.ID, 'submit')
    const customer = await scene.read('customer', await id('customer', other))
    const answer = await scene.people.admin.put(`/api/v1/data/customer/${customer.ID}`, { OperatingUnitID: await id('operating_unit', 'BDG') }, { version: customer.Version, acknowledge: ['DUPLICATE'] })
    expect(answer.data.errors.map(({ field }: Record) => field)).toContain('OperatingUnitID')
    await scene.act('admin', 'write-off', made.ID, 'recall')
  })
})
