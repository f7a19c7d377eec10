import { describe, expect, it, vi } from 'vitest'
import type { InvoiceOption } from '#api/payment.ts'

const calls: string[] = []
const answers: Readonly<Record<string, object>> = {
  '/api/v1/payment/credit-note/list': { creditNote: [{ ID: 1 }] },
  '/api/v1/payment/cust-deposit/list': { customerDeposit: [{ ID: 2 }] },
  '/api/v1/payment/reason-outstanding': { reason_outstanding: [{ ID: 3 }] },
  '/api/v1/master/customer-address/ship-to': { records: [{ ID: 4, address: 'Jalan Kirim 1' }] },
  '/api/v1/customer-accounts': { records: [{ ID: 5, bank_name: 'BCA', bank_id: 9, account_name: 'Toko Makmur', account_number: '8880001' }] },
  '/api/v1/cash-bank/form-bank/6': { operatingUnitBank: [{ ID: 7, Code: 'BCA1', Name: 'BCA' }] },
}
vi.mock('#client/data/http.ts', () => ({
  send: ({ path, query = {} }: { readonly path: string; readonly query?: Readonly<Record<string, string | number>> }) => {
    calls.push(`${path} ${JSON.stringify(query)}`)
    return Promise.resolve({ ok: true, value: answers[path] })
  },
}))

const { emptyArPayment, isShown, loadArPayment, mapPaymentAccount } = await import('#client/wizards/payment/arPayment.ts')
const { lineOf } = await import('#client/wizards/payment/allocation.ts')

describe('AR payment filter: startDate, endDate, customer, shipTo, paymentAccount, creditNote, custDeposit, reason, ouBank.', () => {
  it('has these members', () => {
    expect(Object.keys(emptyArPayment).filter((key) => key !== 'chosenShipTo')).toEqual(['startDate', 'endDate', 'customer', 'shipTo', 'paymentAccount', 'creditNote', 'custDeposit', 'reason', 'ouBank'])
  })

  it('is filled by the calls of the specification', async () => {
    const found = await loadArPayment(8, 6)
    expect(found).toMatchObject({ ok: true, value: { customer: 8, creditNote: [{ ID: 1 }], custDeposit: [{ ID: 2 }], reason: [{ ID: 3 }], shipTo: [{ ID: 4 }], paymentAccount: [{ ID: 5 }], ouBank: [{ ID: 7 }], startDate: '', endDate: '' } })
    expect(calls.toSorted()).toEqual([
      '/api/v1/cash-bank/form-bank/6 {}', '/api/v1/customer-accounts {"customer_id":8}', '/api/v1/master/customer-address/ship-to {"customer_id":8}',
      '/api/v1/payment/credit-note/list {"customer_id":8}', '/api/v1/payment/cust-deposit/list {"customer_id":8}', '/api/v1/payment/reason-outstanding {}',
    ])
  })
})

it('Payment account: bank_name, bank_id, account_name, account_number. These are mapped to BankName, BankID, Issuer, AccountName, AccountNumber.', () => {
  expect(mapPaymentAccount({ ID: 5, bank_name: 'BCA', bank_id: 9, account_name: 'Toko Makmur', account_number: '8880001' })).toEqual({
    BankName: 'BCA', BankID: 9, Issuer: 'Toko Makmur', AccountName: 'Toko Makmur', AccountNumber: '8880001',
  })
})

const invoice: InvoiceOption = { ID: 1, Code: 'INV/1', DocDate: '2026-11-10', DueDate: '2026-12-10', Status: 1, Total: '1000.00', Remaining: '400.00', ShipToID: 4 }

it('Invoice: Status (1 means use Total, otherwise use Remaining)', () => {
  expect(lineOf(invoice, true)).toMatchObject({ remaining: '1000.00' })
  expect([2, 3, 0].map((Status) => lineOf({ ...invoice, Status }, true).remaining)).toEqual(['400.00', '400.00', '400.00'])
})

it('Each invoice defaults to paying its full Remaining amount.', () => {
  expect(lineOf({ ...invoice, Status: 2 }, false).paid).toBe('400.00')
})

describe('the invoices shown', () => {
  const line = lineOf(invoice, false)
  const shows = (change: object) => isShown(line, { ...emptyArPayment, ...change })
  it('are those of the days and the address asked for', () => {
    expect([shows({}), shows({ startDate: '2026-11-10', endDate: '2026-11-10' }), shows({ startDate: '2026-11-11' }), shows({ endDate: '2026-11-09' }), shows({ chosenShipTo: 4 }), shows({ chosenShipTo: 5 })]).toEqual([true, true, false, false, true, false])
  })

  it('and those being paid, whatever is asked for', () => {
    expect(isShown({ ...line, selected: true }, { ...emptyArPayment, chosenShipTo: 5, startDate: '2027-01-01' })).toBe(true)
  })
})
