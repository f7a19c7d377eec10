import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let makmur: number
beforeAll(async () => {
  scene = await openScene()
  makmur = await scene.at.id('customer', 'C0000001')
})

const exposure = async (): Promise<string> => String((await scene.database.first<{ exposure: string }>(sql`select exposure from v_customer_exposure where customer_id = ${makmur}`))?.exposure)
const broken = () => violations(scene.database, scene.at.clock.today())

describe('G1: one order of Toko Makmur, from entry to the bank statement', () => {
  let order: Record
  let issue: Record
  let inv1: Record
  let inv2: Record
  let inv3: Record
  let note: Record
  let deposit: Record
  let payment: Record
  let claim: Record
  let early: Record

  test('the order is priced, taxed and approved without anybody having to be asked', async () => {
    order = await scene.order('C0000001', [{ item: 'A', qty: '24' }, { item: 'B', qty: '10' }])
    expect(order).toMatchObject({
      Code: 'SO/JKT/2611/00001', Status: 1, Stage: 'ALLOCATED',
      Gross: '5332000.00', Discount: '164900.80', Promo: '129177.48', Dpp: '5037922.00', DppOther: '4618095.17', Ppn: '554171.00', Rounding: '0.28', Total: '5592093.00',
    })
    expect(order.Lines.map((line: Record) => [line.Qty, line.Dpp, line.Ppn, line.PromoAmount, line.IsFree, line.ReservedQty])).toEqual([
      ['24.000', '2624797.00', '288727.67', '67302.48', false, '24.000'],
      ['10.000', '2413125.00', '265443.75', '61875.00', false, '10.000'],
      ['2.000', '0.00', '0.00', '236000.00', true, '2.000'],
    ])
    expect(await exposure()).toBe('5592093.42')
  })

  test('goods leave at moving average', async () => {
    const [delivery] = await scene.plan(order)
    issue = await scene.issue(delivery)
    expect(issue).toMatchObject({ status: 1, cost: '4110000.00', code: 'GI/JKT/2611/00001' })
    expect(await scene.journal('goods_issue', issue.id)).toEqual(['113101 0.00 4110000.00', '113106 4110000.00 0.00'])
    expect(await exposure()).toBe('5592093.42')
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 2, Stage: 'SHIPPED', DeliveryStatus: 3, BillingStatus: 0 })
    expect(await scene.rows('stock_balance', sql`item_id = ${await scene.at.id('item', 'A')}`)).toMatchObject([{ on_hand: '974.000', reserved: '0.000' }])
  })

  test('the invoice books revenue, tax, rounding and cost', async () => {
    ;[inv1] = await scene.bill([issue.id])
    expect(inv1).toMatchObject({ Status: 1, Total: '5592093.00', Remaining: '5592093.00', Code: 'INV/JKT/2611/00001', DueDate: '2026-12-20', TrxCode: '04', PpnCollector: 'SELLER' })
    expect(await scene.journal('invoice', inv1.ID, 'INV')).toEqual([
      '112101 5592093.00 0.00', '213101 0.00 554171.00', '411101 0.00 5332000.00', '412101 164900.80 0.00', '412102 129177.48 0.00', '421101 0.00 0.28',
    ])
    expect(await scene.journal('invoice', inv1.ID, 'COGS')).toEqual(['113106 0.00 4110000.00', '511101 3940000.00 0.00', '611101 170000.00 0.00'])
    expect(await scene.journal('invoice', inv1.ID, 'FREE_VAT')).toEqual(['213101 0.00 18700.00', '613105 18700.00 0.00'])
    expect(await scene.balance('113106')).toBe('0.00')
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 3, Stage: 'BILLED', BillingStatus: 3, PaymentStatus: 0 })
    expect(await exposure()).toBe('5592093.00')
  })

  test('two more invoices, one of them partly paid; a credit note; a deposit', async () => {
    inv2 = await scene.invoiced('C0000001', [{ item: 'C', qty: '1' }])
    inv3 = await scene.invoiced('C0000001', [{ item: 'D', qty: '1' }])
    expect([inv2.Total, inv3.Total]).toEqual(['3300000.00', '2200000.00'])
    early = await scene.pay('C0000001', '1500000', [{ InvoiceID: inv2.ID, Paid: '1500000', ReasonID: await scene.at.id('reason', 'R01') }])
    expect(await scene.read('invoice', inv2.ID)).toMatchObject({ Status: 2, Remaining: '1800000.00', Paid: '1500000.00' })

    note = await scene.create('admin', 'credit-note', { CustomerID: makmur, Kind: 'MANUAL', DocDate: '2026-11-20', Dpp: '250000', Total: '250000', AccountID: await scene.at.id('account', '414101') })
    await scene.act('admin', 'credit-note', note.ID, 'submit')
    await scene.decide('credit_note', note.ID)
    expect(await scene.read('credit-note', note.ID)).toMatchObject({ Status: 1, Remaining: '250000.00' })
    expect(await scene.journal('credit_note', note.ID)).toEqual(['112101 0.00 250000.00', '414101 250000.00 0.00'])

    deposit = await scene.create('admin', 'customer-deposit', { CustomerID: makmur, Method: 'TRANSFER', HouseBankID: await scene.at.id('house_bank', 'BCA1'), Amount: '1000000' })
    await scene.act('admin', 'customer-deposit', deposit.ID, 'submit')
    await scene.decide('customer_deposit', deposit.ID)
    expect(await scene.journal('customer_deposit', deposit.ID)).toEqual(['111302 1000000.00 0.00', '212101 0.00 1000000.00'])
    expect(await broken()).toEqual([])
  })

  test('one transfer pays all three, with credit note, deposit, a small difference and a claim', async () => {
    const before = Number(await exposure())
    payment = await scene.pay('C0000001', '7900000', [
      { InvoiceID: inv1.ID, Paid: '5592093' },
      { InvoiceID: inv2.ID, Paid: '1800000', Credits: [{ Source: 'CREDIT_NOTE', SourceID: note.ID, Amount: '250000' }] },
      {
        InvoiceID: inv3.ID, Paid: '1760000', ReasonID: await scene.at.id('reason', 'R03'), ReasonText: 'display November',
        Credits: [{ Source: 'DEPOSIT', SourceID: deposit.ID, Amount: '1000000' }], Deductions: [{ Kind: 'DIFF', Amount: '2093' }],
      },
    ])
    expect(payment).toMatchObject({ Status: 1, Amount: '7900000.00', Allocated: '9152093.00', CreditUsed: '250000.00', DepositUsed: '1000000.00', Deducted: '2093.00', Unapplied: '0.00' })
    // Used up by now, and still named by what they paid.
    expect(payment.Lines.flatMap((line: Record) => line.Credits.map((credit: Record) => credit.SourceCode))).toEqual([(await scene.read('credit-note', note.ID)).Code, (await scene.read('customer-deposit', deposit.ID)).Code])
    expect(payment.Lines.map((line: Record) => [line.MoneyAmount, line.RemainingBefore, line.DiffAmount, line.DiffAction])).toEqual([
      ['5592093.00', '5592093.00', '0.00', null], ['1550000.00', '1800000.00', '0.00', null], ['757907.00', '2200000.00', '440000.00', 'TEMP_CN'],
    ])
    expect(await scene.journal('ar_payment', payment.ID)).toEqual(['111302 7900000.00 0.00', '112101 250000.00 9152093.00', '212101 1000000.00 0.00', '613102 2093.00 0.00'])
    expect(await left()).toEqual([['0.00', 3], ['0.00', 3], ['440000.00', 2]])
    expect(await scene.read('credit-note', note.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    expect(await scene.read('customer-deposit', deposit.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    // Money lowers the exposure; credit note and deposit were counted before.
    expect(Number(await exposure()) - before).toBe(-7_902_093)
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ PaymentStatus: 3, Stage: 'PAID' })
  })

  test('the claim is approved and settles the rest', async () => {
    ;[claim] = await scene.rows('cn_temporary', sql`ar_payment_id = ${payment.ID}`)
    expect(claim).toMatchObject({ status: 0, amount: '440000.00', deadline: '2026-12-20' })
    await scene.act('admin', 'cn-temporary', claim.id, 'submit')
    await scene.decide('cn_temporary', claim.id)
    expect(await scene.journal('cn_temporary', claim.id)).toEqual(['112101 0.00 440000.00', '112204 440000.00 0.00'])
    expect(await left()).toEqual([['0.00', 3], ['0.00', 3], ['0.00', 3]])
    expect([await scene.balance('112101', makmur), await scene.balance('212101', makmur)]).toEqual(['0.00', '0.00'])
    expect(await broken()).toEqual([])
  })

  test('the claim’s credit note takes its place', async () => {
    const final = await scene.create('admin', 'credit-note', { CustomerID: makmur, Kind: 'CLAIM', PromoTypeID: await scene.at.id('credit_note_promo_type', 'KLAIM-LAIN'), ClaimNo: 'D-11', DocDate: '2026-11-20', Dpp: '440000', Total: '440000', CnTemporaryID: claim.id })
    await scene.act('admin', 'credit-note', final.ID, 'submit')
    await scene.decide('credit_note', final.ID)
    expect(await scene.journal('credit_note', final.ID)).toEqual(['112204 0.00 440000.00', '611102 440000.00 0.00'])
    expect(await scene.read('cn-temporary', claim.id)).toMatchObject({ Status: 3, Remaining: '0.00' })
    expect(await scene.balance('112204')).toBe('0.00')
  })

  test('the bank statement confirms the money', async () => {
    const statement = await scene.create('admin', 'bank-statement', {
      HouseBankID: await scene.at.id('house_bank', 'BCA1'), StatementNo: '2026-11', OpeningBalance: '0', ClosingBalance: '10392500',
      Lines: [
        { ValueDate: '2026-11-20', Credit: '1500000', MatchType: 'PAYMENT', ArPaymentID: early.ID },
        { ValueDate: '2026-11-20', Credit: '1000000', MatchType: 'DEPOSIT', CustomerDepositID: deposit.ID },
        { ValueDate: '2026-11-20', Credit: '7900000', MatchType: 'PAYMENT', ArPaymentID: payment.ID },
        { ValueDate: '2026-11-20', Debit: '7500', MatchType: 'CHARGE' },
      ],
    })
    const asked = await scene.act('admin', 'bank-statement', statement.ID, 'submit')
    const [request] = await scene.rows('approval_request', sql`doc_type = 'bank_statement' and doc_id = ${statement.ID}`)
    expect(request).toMatchObject({ doc_code: asked.Code })
    const facts = Object.fromEntries(request.facts.map((fact: Record) => [fact.name, fact.value]))
    expect(facts).toEqual({ opening: '0.00', 'money-in': '10400000.00', 'money-out': '7500.00', closing: '10392500.00', difference: '0.00', lines: '4', 'open-lines': '0' })
    await scene.decide('bank_statement', statement.ID)
    const [line] = await scene.rows('bank_statement_line', sql`ar_payment_id = ${payment.ID}`)
    expect(await scene.journal('bank_statement_line', line.id)).toEqual(['111201 7900000.00 0.00', '111302 0.00 7900000.00'])
    expect([await scene.balance('111302'), await scene.balance('111201'), await scene.balance('613103')]).toEqual(['0.00', '10392500.00', '7500.00'])
    expect(await scene.read('payment-received', payment.ID)).toMatchObject({ Status: 3 })
    expect(await broken()).toEqual([])
  })

  test('the flow of the order leads to the money', async () => {
    const flow = await scene.people.admin.get(`/api/v1/data/sales-order/${order.ID}/flow`)
    expect(flow.data.records.map((node: Record) => node.DocType)).toEqual(expect.arrayContaining(['sales_order', 'delivery_order', 'goods_issue', 'invoice', 'ar_payment']))
  })

  async function left(): Promise<unknown[]> {
    return Promise.all([inv1, inv2, inv3].map(async ({ ID }) => {
      const { Remaining, Status } = await scene.read('invoice', ID)
      return [Remaining, Status]
    }))
  }
})
