import { describe, expect, it } from 'vitest'
import { inBooks } from '#domain/ledger/inBooks.ts'

const accounts = { gain: '421102', loss: '614101' }

describe('what two rates differ by', () => {
  it('is gained in the territory of the document: 1,000 dollars owed at 16,000 come at 16,250', () => {
    const settled = new Map([['invoice 5', '16000000.00']])
    const entries = [{ account: '111302', debit: '1000.00', credit: '0.00', territoryId: 7 }, { account: '112101', debit: '0.00', credit: '1000.00', territoryId: 7, openItemType: 'invoice', openItemId: 5 }]
    expect(inBooks(entries, { currency: 'USD', rate: '16250', settled }, accounts)).toMatchObject([
      { account: '111302', debit: '16250000.00', territoryId: 7 }, { account: '112101', credit: '16000000.00', territoryId: 7 }, { account: '421102', debit: '0.00', credit: '250000.00', territoryId: 7 },
    ])
  })
})
