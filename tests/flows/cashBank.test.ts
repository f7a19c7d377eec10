import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let bank: number
let till: number
let collector: number
beforeAll(async () => {
  scene = await openScene()
  bank = await id('house_bank', 'BCA1')
  till = await id('cash_account', 'KAS-JKT')
  collector = Number((await scene.database.first<{ id: number }>(sql`
    insert into employee (work_number, name, operating_unit_id, position) select 'KOL-1', 'Kolektor', id, 'COLLECTOR' from operating_unit where code = 'JKT' returning id`))?.id)
})
afterEach(async () => expect(await violations(scene.database, today())).toEqual([]))

const makmur = 'C0000001'
const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()

const how = {
  CASH: async () => ({ Method: 'CASH', HouseBankID: null, CashAccountID: till }),
  CIT: async () => ({ Method: 'CIT', HouseBankID: null, CollectorID: collector }),
  GIRO: async () => ({ Method: 'GIRO', HouseBankID: null, GiroNo: `G${Math.random()}`, GiroDueDate: '2026-11-20' }),
  TRANSFER: async () => ({ Method: 'TRANSFER', HouseBankID: bank }),
}
/** An invoice of 2,200,000 paid in this way. */
async function paid(method: keyof typeof how, customer = makmur): Promise<Record> {
  const invoice = await scene.invoiced(customer, [{ item: 'D', qty: '1' }])
  return scene.pay(customer, '2200000', [{ InvoiceID: invoice.ID, Paid: '2200000' }], await how[method]())
}
let slips = 0
const slip = (lines: readonly (readonly [Record, string])[], more: object = {}): Promise<Record> =>
  scene.create('cashier', 'deposit-payment', { HouseBankID: bank, DocDate: today(), SlipNo: `SLIP-${++slips}X`, Lines: lines.map(([payment, Amount]) => ({ ArPaymentID: payment.ID, Amount })), ...more })
const status = async (resource: string, record: Record): Promise<number> => (await scene.read(resource, record.ID)).Status

let closing = '0'
/** A statement of the bank with these lines, approved. */
async function statement(lines: readonly { readonly Credit?: string; readonly Debit?: string }[]): Promise<Record> {
  const end = String(Number(closing) + lines.reduce((sum, { Credit = '0', Debit = '0' }) => sum + Number(Credit) - Number(Debit), 0))
  const made = await scene.create('admin', 'bank-statement', { HouseBankID: bank, DocDate: today(), StatementNo: `S${Math.random()}`, OpeningBalance: closing, ClosingBalance: end, Lines: lines.map((line) => ({ ValueDate: today(), ...line })) })
  await scene.act('admin', 'bank-statement', made.ID, 'submit')
  await scene.decide('bank_statement', made.ID).catch(async (error: unknown) => {
    await scene.decide('bank_statement', made.ID, 'reject')
    throw error
  })
  closing = end
  return made
}
const refusals = async (resource: string, made: Record) => (await scene.tryAct('cashier', resource, made.ID, 'submit')).data.errors?.map(({ field, key }: Record) => [field, key])

describe('a bank deposit', () => {
  let cash: Record
  let collected: Record
  let giro: Record
  let made: Record
  test('payments in hand are proposed, and what they come to is booked by where they lie', async () => {
    ;[cash, collected, giro] = [await paid('CASH'), await paid('CIT'), await paid('GIRO')]
    await paid('TRANSFER')
    const { record } = await scene.command('cashier', 'derive-deposit-payment', { HouseBankID: bank, DocDate: today(), SlipNo: 'X', Lines: [] })
    expect(record.Lines.map(({ ArPaymentID, Amount, Method }: Record) => [ArPaymentID, Amount, Method])).toEqual([[cash.ID, '2200000.00', 'CASH'], [collected.ID, '2200000.00', 'CIT'], [giro.ID, '2200000.00', 'GIRO']])
    made = await slip([[cash, '1200000'], [collected, '2200000'], [giro, '2200000']])
    expect(made).toMatchObject({ Total: '5600000.00', OperatingUnitCode: 'JKT' })
    await scene.act('cashier', 'deposit-payment', made.ID, 'submit')
    expect((await scene.tryAct('cashier', 'payment-received', giro.ID, 'clear', { HouseBankID: bank })).message).toMatch(/^Deposit slip DEP.+ is waiting for approval\.$/)
    const second = await slip([[collected, '1']])
    expect(await refusals('deposit-payment', second)).toEqual([['Lines[0].Amount', 'field.EXCEEDS_REMAINING.most']])
    await scene.decide('cash_deposit', made.ID)
    expect(await scene.journal('cash_deposit', made.ID)).toEqual(['111102 0.00 1200000.00', '111103 0.00 2200000.00', '111301 5600000.00 0.00', '111303 0.00 2200000.00'])
    expect(await Promise.all([cash, collected, giro].map((payment) => status('payment-received', payment)))).toEqual([2, 2, 2])
    // What was left of the cash is still in hand.
    const rest = await scene.command('cashier', 'derive-deposit-payment', { HouseBankID: bank, DocDate: today(), SlipNo: 'X', Lines: [] })
    expect(rest.record.Lines.map(({ ArPaymentID, Amount }: Record) => [ArPaymentID, Amount])).toEqual([[cash.ID, '1000000.00']])
    const reversal = await scene.tryAct('cashier', 'payment-received', collected.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    expect(reversal.code).toBe('ILLEGAL_TRANSITION')
  })

  test('the statement shows it by its slip number; what is wholly in the bank is closed; the statement taken back opens it again', async () => {
    const answer = await scene.command('cashier', 'match-statement', { HouseBankID: bank, DocDate: today(), Lines: [{ ValueDate: today(), Description: `SETORAN TUNAI SLIP-${slips - 1}X`, Credit: '5600000' }] })
    expect(answer.record.Lines[0]).toMatchObject({ MatchType: 'CASH_DEPOSIT', CashDepositID: made.ID })
    await expect(statement([{ Credit: '5599999', MatchType: 'CASH_DEPOSIT', CashDepositID: made.ID } as never])).rejects.toThrow('5,600,000.00')
    const shown = await statement([{ Credit: '5600000', MatchType: 'CASH_DEPOSIT', CashDepositID: made.ID } as never])
    expect(await scene.balance('111301')).toBe('0.00')
    expect(await status('deposit-payment', made)).toBe(3)
    expect(await Promise.all([cash, collected, giro].map((payment) => status('payment-received', payment)))).toEqual([2, 3, 3])
    await scene.act('admin', 'bank-statement', shown.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    closing = '0'
    expect(await scene.balance('111301')).toBe('5600000.00')
    expect(await Promise.all([cash, collected, giro].map((payment) => status('payment-received', payment)))).toEqual([2, 2, 2])
  })

  test('GR1: a giro on a slip under way comes back: 111301 falls, the slip brings less, its receipt is undone', async () => {
    await scene.act('cashier', 'payment-received', giro.ID, 'bounce', {})
    expect(await scene.read('deposit-payment', made.ID)).toMatchObject({ Returned: '2200000.00', Expected: '3400000.00', Status: 1 })
    expect(await scene.balance('111301')).toBe('3400000.00')
    expect(await scene.balance('111303')).toBe('0.00')
    expect((await scene.tryAct('cashier', 'deposit-payment', made.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })).data.errors).toMatchObject([{ key: 'rule.nothing-returned' }])
    await statement([{ Credit: '3400000', MatchType: 'CASH_DEPOSIT', CashDepositID: made.ID } as never])
    expect(await status('deposit-payment', made)).toBe(3)
  })

  test('a slip that never reached the bank is reversed, and its payments are in hand again', async () => {
    const back = await slip([[cash, '1000000']])
    await scene.act('cashier', 'deposit-payment', back.ID, 'submit')
    await scene.decide('cash_deposit', back.ID)
    await scene.act('cashier', 'deposit-payment', back.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await scene.decide('cash_deposit', back.ID)
    expect(await status('deposit-payment', back)).toBe(7)
    // The other slip still holds some of it.
    expect(await status('payment-received', cash)).toBe(2)
    expect(await scene.balance('111102')).toBe('1000000.00')
  })

  test('a payment twice, a transfer, none: each is told at its cell', async () => {
    const transfer = await paid('TRANSFER', 'C0000002')
    expect(await refusals('deposit-payment', await slip([[transfer, '1'], [cash, '1'], [cash, '0']]))).toEqual([['Lines[0].ArPaymentID', 'field.NOT_A_CHOICE.deposit'], ['Lines[2].ArPaymentID', 'field.DUPLICATE.line']])
    expect(await refusals('deposit-payment', await slip([]))).toEqual([['Lines', 'field.REQUIRED.lines']])
  })
})

describe('cash and bank entries', () => {
  const enter = (Kind: string, more: object): Promise<Record> => scene.create('cashier', 'cash-bank-management', { Kind, DocDate: today(), ...more })
  const post = async (Kind: string, more: object): Promise<Record> => {
    const made = await enter(Kind, more)
    await scene.act('cashier', 'cash-bank-management', made.ID, 'submit')
    await scene.decide('cash_bank_document', made.ID)
    return made
  }
  const booked = (made: Record) => scene.journal('cash_bank_document', made.ID)
  const expense = () => id('account', '615101')

  test('paid out of the till, as far as there is cash', async () => {
    const paidOut = await post('DISBURSEMENT', { FromCashAccountID: till, Lines: [{ AccountID: await expense(), Amount: '300000', Memo: 'ATK' }] })
    expect(await booked(paidOut)).toEqual(['111102 0.00 300000.00', '615101 300000.00 0.00'])
    const tooMuch = await enter('DISBURSEMENT', { FromCashAccountID: till, Lines: [{ AccountID: await expense(), Amount: '700001' }] })
    expect(await refusals('cash-bank-management', tooMuch)).toEqual([['Amount', 'field.EXCEEDS_AVAILABLE.cash']])
    // Cash that comes in today was not there yesterday.
    const yesterday = await enter('DISBURSEMENT', { FromCashAccountID: till, DocDate: '2026-11-01', Lines: [{ AccountID: await expense(), Amount: '1' }] })
    expect(await refusals('cash-bank-management', yesterday)).toEqual([['Amount', 'field.EXCEEDS_AVAILABLE.cash']])
    // What was there when it was asked for may be gone when it is decided.
    const [first, second] = [await enter('DISBURSEMENT', { FromCashAccountID: till, Lines: [{ AccountID: await expense(), Amount: '600000' }] }), await enter('DISBURSEMENT', { FromCashAccountID: till, Lines: [{ AccountID: await expense(), Amount: '600000' }] })]
    for (const one of [first, second]) await scene.act('cashier', 'cash-bank-management', one.ID, 'submit')
    await scene.decide('cash_bank_document', first.ID)
    await expect(scene.decide('cash_bank_document', second.ID)).rejects.toThrow()
    await scene.decide('cash_bank_document', second.ID, 'reject')
  })

  test('a control account takes no manual posting', async () => {
    const wrong = await enter('DISBURSEMENT', { FromCashAccountID: till, Lines: [{ AccountID: await id('account', '112101'), Amount: '1' }] })
    expect(await refusals('cash-bank-management', wrong)).toEqual([['Lines[0].AccountID', 'rule.no-control-account']])
    const manual = await enter('MANUAL', { OperatingUnitID: await id('operating_unit', 'JKT'), Lines: [{ AccountID: await id('account', '112101'), Debit: '1' }, { AccountID: await expense(), Credit: '1' }] })
    expect(await refusals('cash-bank-management', manual)).toEqual([['Lines[0].AccountID', 'rule.no-control-account']])
  })

  test('the bank receives, pays and moves money; the statement shows each side', async () => {
    const received = await post('RECEIPT', { ToHouseBankID: bank, ReferenceNo: 'SEWA77', Lines: [{ AccountID: await id('account', '421101'), Amount: '500000' }] })
    expect(await booked(received)).toEqual(['111302 500000.00 0.00', '421101 0.00 500000.00'])
    const paidOut = await post('DISBURSEMENT', { FromHouseBankID: bank, Lines: [{ AccountID: await expense(), Amount: '200000' }] })
    expect(await booked(paidOut)).toEqual(['214101 0.00 200000.00', '615101 200000.00 0.00'])
    const petty = await post('PETTY_REFILL', { FromHouseBankID: bank, ToCashAccountID: till, Amount: '150000' })
    expect(await booked(petty)).toEqual(['111102 150000.00 0.00', '214101 0.00 150000.00'])
    const carried = await post('TRANSFER', { FromCashAccountID: till, ToHouseBankID: bank, Amount: '50000' })
    expect(await booked(carried)).toEqual(['111102 0.00 50000.00', '111301 50000.00 0.00'])
    const charge = await post('MANUAL', { FromHouseBankID: bank, Lines: [{ AccountID: await id('account', '613103'), Debit: '10000' }, { AccountID: await id('account', '421101'), Credit: '2500' }] })
    expect(await booked(charge)).toEqual(['214101 0.00 7500.00', '421101 0.00 2500.00', '613103 10000.00 0.00'])
    const answer = await scene.command('cashier', 'match-statement', { HouseBankID: bank, DocDate: today(), Lines: [{ ValueDate: today(), Description: 'SEWA77', Credit: '500000' }] })
    expect(answer.record.Lines[0]).toMatchObject({ MatchType: 'CB_DOC', CashBankDocumentID: received.ID })
    const shown = await statement([
      { Credit: '500000', MatchType: 'CB_DOC', CashBankDocumentID: received.ID } as never, { Debit: '200000', MatchType: 'CB_DOC', CashBankDocumentID: paidOut.ID } as never,
      { Debit: '150000', MatchType: 'CB_DOC', CashBankDocumentID: petty.ID } as never, { Credit: '50000', MatchType: 'CB_DOC', CashBankDocumentID: carried.ID } as never, { Debit: '7500', MatchType: 'CB_DOC', CashBankDocumentID: charge.ID } as never,
    ])
    expect(await scene.rows('cash_bank_document', sql`status = 3`)).toHaveLength(5)
    for (const account of ['111301', '214101']) expect(await scene.balance(account), account).toBe('0.00')
    expect((await scene.tryAct('cashier', 'cash-bank-management', received.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })).code).toBe('ILLEGAL_TRANSITION')
    await scene.act('admin', 'bank-statement', shown.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await scene.rows('cash_bank_document', sql`status = 3`)).toHaveLength(0)
    expect(await scene.balance('214101')).toBe('-357500.00')
    await scene.act('cashier', 'cash-bank-management', received.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await scene.decide('cash_bank_document', received.ID)
    expect(await status('cash-bank-management', received)).toBe(7)
  })

  test('where the money goes is told apart', async () => {
    const both = await enter('RECEIPT', { ToHouseBankID: bank, ToCashAccountID: till, Lines: [{ AccountID: await expense(), Amount: '1' }] })
    expect(await refusals('cash-bank-management', both)).toEqual([['ToCashAccountID', 'field.REQUIRED.cash-or-bank']])
    const same = await enter('TRANSFER', { FromHouseBankID: bank, ToHouseBankID: bank, Amount: '1' })
    expect(await refusals('cash-bank-management', same)).toEqual([['ToCashAccountID', 'field.INVALID.other-account']])
    const noMoney = await enter('MANUAL', { FromCashAccountID: till, Lines: [{ AccountID: await expense(), Debit: '5' }, { AccountID: await id('account', '421101'), Credit: '5' }] })
    expect(await refusals('cash-bank-management', noMoney)).toEqual([['FromCashAccountID', 'field.INVALID.no-money']])
    const onlyBooks = await post('MANUAL', { OperatingUnitID: await id('operating_unit', 'JKT'), Lines: [{ AccountID: await expense(), Debit: '5' }, { AccountID: await id('account', '421101'), Credit: '5' }] })
    expect(await booked(onlyBooks)).toEqual(['421101 0.00 5.00', '615101 5.00 0.00'])
  })
})
