import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import type { Answer } from '../support/app.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})

async function tryChange(values: object): Promise<Answer> {
  const [settings] = await scene.rows('setting_finance')
  const { admin } = scene.people
  return admin.put(`/api/v1/data/setting-finance/${settings.id}`, values, { version: (await admin.get(`/api/v1/data/setting-finance/${settings.id}`)).data.record.Version })
}
async function change(values: object): Promise<void> {
  const answer = await tryChange(values)
  expect(answer, answer.message).toMatchObject({ status: 200 })
}
const id = (table: string, code: string) => scene.at.id(table, code)
const consistent = async () => expect(await violations(scene.database, '2026-11-20')).toEqual([])

describe('finance settings', () => {
  it('choose the accounts of open items; the books follow item by item', async () => {
    const before = await scene.invoiced('C0000001', [{ item: 'C', qty: '1' }])
    await scene.database.run(sql`insert into account (code, name, type, normal, is_control, control_kind, is_postable) values ('112105', 'Receivables, wholesale', 'ASSET', 'D', true, 'AR', true)`)
    await change({ ReceivableAccountID: await id('account', '112105') })
    const after = await scene.invoiced('C0000001', [{ item: 'C', qty: '1' }])
    const receivable = async (invoice: Record) => (await scene.journal('invoice', invoice.ID, 'INV')).filter((line) => line.startsWith('112'))
    expect([await receivable(before), await receivable(after)]).toEqual([['112101 3300000.00 0.00'], ['112105 3300000.00 0.00']])
    const payment = await scene.pay('C0000001', '6600000', [{ InvoiceID: before.ID, Paid: '3300000' }, { InvoiceID: after.ID, Paid: '3300000' }])
    expect(await scene.journal('ar_payment', payment.ID)).toEqual(['111302 6600000.00 0.00', '112101 0.00 3300000.00', '112105 0.00 3300000.00'])
    await consistent()
  })

  it('take no account that keeps something else', async () => {
    expect((await tryChange({ ReceivableAccountID: await id('account', '211101') })).data.errors).toEqual([expect.objectContaining({ field: 'ReceivableAccountID', key: 'field.NOT_A_CHOICE.control-kind' })])
    expect((await tryChange({ PayableAccountID: null })).data.errors).toEqual([expect.objectContaining({ field: 'PayableAccountID', code: 'REQUIRED' })])
    const account = await id('account', '112105')
    const answer = await scene.people.admin.put(`/api/v1/data/account/${account}`, { IsActive: false }, { version: 1 })
    expect([answer.code, answer.data.obstacles.map(({ key }: { key: string }) => key)]).toEqual(['IN_USE', ['relies.setting_finance.receivable']])
  })

  it('say from which amount buyers keep VAT and income tax back, and the receipt proposes it', async () => {
    const customer = await id('customer', 'C0000002')
    await scene.database.run(sql`update customer set wapu_kind = 'GOV', trx_code = null, pph22_rate = 1.5 where id = ${customer}`)
    const invoice = await scene.invoiced('C0000002', [{ item: 'C', qty: '1' }])
    expect(invoice).toMatchObject({ PpnCollector: 'WAPU', Total: '3300000.00', Ppn: '327027.00', Dpp: '2972973.00' })
    const ask = (Amount: string) => scene.command('cashier', 'propose-payment', { CustomerID: customer, Amount })
    const deductions = [{ Kind: 'PPN_WAPU', Amount: '327027.00' }, { Kind: 'PPH22', Amount: '44595.00' }]
    expect(await ask('2928378')).toMatchObject({ Lines: [{ InvoiceID: invoice.ID, Paid: '3300000.00', Deductions: deductions }], Unapplied: '0.00' })
    await change({ WithheldAbove: '2972973' })
    expect(await ask('2972973')).toMatchObject({ Lines: [{ Paid: '3300000.00', Deductions: [deductions[0]] }], Unapplied: '0.00' })
    await change({ WithheldAbove: '2000000' })
    const { Lines: lines } = await ask('2928378')
    const payment = await scene.pay('C0000002', '2928378', lines)
    expect(await scene.journal('ar_payment', payment.ID)).toEqual(['111302 2928378.00 0.00', '112102 0.00 3300000.00', '114103 44595.00 0.00', '213102 327027.00 0.00'])
    await change({ CollectedAboveGovernment: '3300000' })
    expect(await scene.invoiced('C0000002', [{ item: 'C', qty: '1' }])).toMatchObject({ PpnCollector: 'SELLER', TrxCode: '04' })
    await consistent()
  })

  it('say what lowers the exposure', async () => {
    const customer = await id('customer', 'C0000001')
    const exposure = async () => String((await scene.database.first(sql`select exposure from v_customer_exposure where customer_id = ${customer}`))?.['exposure'])
    await scene.invoiced('C0000001', [{ item: 'C', qty: '1' }])
    await scene.pay('C0000001', '1000000', [])
    expect(await exposure()).toBe('2300000.00')
    await change({ IncludeDeposit: false })
    expect(await exposure()).toBe('3300000.00')
    await change({ IncludeDeposit: true })
    await consistent()
  })

  it('say how long a receipt and a temporary credit note may wait; a unit may say otherwise', async () => {
    const pay = async () => {
      const draft = await scene.draftPayment('C0000001', '1000', [], { PaymentDate: '2026-11-10' })
      return (await scene.tryAct('cashier', 'payment-received', draft.ID, 'post')).code
    }
    expect(await pay()).toBe('VALIDATION_FAILED')
    await change({ PaymentBackdateDays: 30, TempCnMaxDays: 12 })
    expect(await pay()).toBe('success')
    const own = await scene.people.admin.post('/api/v1/data/setting-oms', { Key: 'payment_backdate_days', OperatingUnitID: await id('operating_unit', 'JKT'), Number: 2 })
    expect(own, own.message).toMatchObject({ status: 200 })
    expect(await pay()).toBe('VALIDATION_FAILED')
    const invoice = await scene.invoiced('C0000001', [{ item: 'C', qty: '1' }])
    await scene.pay('C0000001', '3000000', [{ InvoiceID: invoice.ID, Paid: '3000000', ReasonID: await id('reason', 'R03'), ReasonText: 'display' }])
    expect((await scene.rows('cn_temporary', sql`invoice_id = ${invoice.ID}`))[0]).toMatchObject({ amount: '300000.00', deadline: '2026-12-02' })
  })

  it('and the tolerance of its reason says what small remainder a receipt may close', async () => {
    const reason = await scene.people.admin.post('/api/v1/data/reason', { Code: 'R11', Name: 'Sisa kecil ditutup', Usage: 'OUTSTANDING', Action: 'PAYMENT_DIFF', PostingAccountID: await id('account', '613102'), ToleranceUsage: 'CLOSE_INVOICE' })
    expect(reason, reason.message).toMatchObject({ status: 200 })
    const invoice = await scene.invoiced('C0000001', [{ item: 'C', qty: '1' }])
    const draft = async (Paid: string, ReasonID: number) => scene.people.cashier.post('/api/v1/data/payment-received', {
      CustomerID: invoice.CustomerID, PaymentDate: '2026-11-20', Method: 'TRANSFER', HouseBankID: await id('house_bank', 'BCA1'), Amount: Paid,
      Lines: [{ InvoiceID: invoice.ID, Paid, ReasonID, Credits: [], Deductions: [] }],
    }, { key: scene.key() })
    const tolerated = async (paid: string, by: number) => (await draft(paid, by)).data.errors?.map(({ key, params }: Record) => [key, params.limit]) ?? 'tolerated'
    expect(await tolerated('3289999', reason.data.record.ID)).toEqual([['field.EXCEEDS_TOLERANCE.difference', '10,000.00']])
    expect(await tolerated('3291000', await id('reason', 'R06'))).toEqual([['field.EXCEEDS_TOLERANCE.difference', '5,000.00']])
    const paid = (await draft('3291000', reason.data.record.ID)).data.record
    await scene.act('cashier', 'payment-received', paid.ID, 'post')
    expect(await scene.journal('ar_payment', paid.ID)).toEqual(['111302 3291000.00 0.00', expect.stringMatching(/^1121\d\d 0\.00 3300000\.00$/), '613102 9000.00 0.00'])
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    await consistent()
  })

  it('say where the spans of the aging end', async () => {
    expect((await tryChange({ Aging2: 7 })).data.errors).toEqual([expect.objectContaining({ field: 'Aging2', key: 'rule.aging-rises' })])
    await scene.database.run(sql`update invoice set due_date = '2026-11-12' where status = 1 and customer_id = ${await id('customer', 'C0000001')}`)
    const spans = async () => {
      const { rows } = (await scene.people.finance.get('/api/v1/report/ar-aging.report', { as_of: '2026-11-20', level: 'SUMMARY', length: 50 })).data
      return rows.filter((row: Record) => row.CustomerCode === 'C0000001').map((row: Record) => [row.Bucket1, row.Bucket2])
    }
    expect(await spans()).toEqual([['0.00', '3300000.00']])
    const heads = async () => (await scene.people.finance.get('/api/v1/report/ar-aging.report', { as_of: '2026-11-20', length: 1 })).data.heads
    expect(await heads()).toMatchObject({ bucket_1: { key: 'ui.report.days', params: { from: 1, to: 7 } }, bucket_2: { params: { from: 8, to: 14 } }, bucket_6: { key: 'ui.report.days-beyond', params: { after: 90 } } })
    await change({ Aging1: 8 })
    expect(await spans()).toEqual([['3300000.00', '0.00']])
    expect(await heads()).toMatchObject({ bucket_1: { params: { from: 1, to: 8 } }, bucket_2: { params: { from: 9, to: 14 } } })
  })
})
