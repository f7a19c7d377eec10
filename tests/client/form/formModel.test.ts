import { describe, expect, it } from 'vitest'
import { boundFilter, checkFields, headerPayload, isEditable, openFields, settle, startValues, visibleFields } from '#client/form/formModel.ts'
import type { FormField, FormScreen } from '#meta/resolved.ts'

const field = (name: string, wire: string, more: Partial<FormField> = {}): FormField => ({
  name,
  wire,
  type: 'text',
  label: `field.${name}`,
  required: false,
  readOnly: false,
  onHide: 'clear',
  span: 1,
  ...more,
})
const isTransfer = { method: { in: ['TRANSFER', 'VA'] } }
const screen: FormScreen = {
  kind: 'form',
  id: 'receipt.form',
  title: 'screen.receipt',
  guard: 'receipt-edit',
  entity: 'receipt',
  resource: 'receipt',
  sections: [
    {
      id: 'receipt',
      title: 'section.receipt',
      fields: [
        field('customer_id', 'CustomerID', { type: 'ref', entity: 'customer', required: true }),
        field('method', 'Method', { type: 'enum' }),
        field('account_id', 'AccountID', { type: 'ref', entity: 'account', when: isTransfer, requiredWhen: isTransfer, lookupWhere: { customer_id: { field: 'customer_id' } } }),
        field('amount', 'Amount', { type: 'money', min: '1' }),
        field('memo', 'Memo', { when: { method: 'CASH' }, onHide: 'keep' }),
      ],
    },
  ],
  totals: [],
  transitions: [],
  defaults: { customer_id: { param: 'customer_id' }, method: 'TRANSFER', doc_date: { now: 'date' }, unit_id: { user: 'unit_id' } },
}
const around = { user: { unit_id: 2 }, today: '2025-06-10', params: { customer_id: '17' } }
const filled = { CustomerID: 17, CustomerCode: 'C1', CustomerName: 'Toko', Method: 'TRANSFER', AccountID: 5, AccountCode: 'A', AccountName: 'Acc', Memo: 'hi', Amount: '100' }

describe('a form', () => {
  it('starts with its defaults', () => {
    expect(startValues(screen, around)).toEqual({ CustomerID: 17, Method: 'TRANSFER', DocDate: '2025-06-10', UnitID: 2 })
    expect(startValues(screen, { ...around, params: {} })).not.toHaveProperty('CustomerID')
  })

  it('empties a reference whose restriction changed, unless it came with the change', () => {
    expect(settle(screen, filled, { CustomerID: 18 }, around)).toMatchObject({ CustomerID: 18, AccountID: null, AccountName: null })
    expect(settle(screen, filled, { CustomerID: 18, AccountID: 6 }, around)).toMatchObject({ AccountID: 6 })
  })

  it('binds a lookup to the fields beside it, and to nothing while they are empty', () => {
    const where = { customer_id: { field: 'customer_id' }, kind: 'SHIP_TO', unit_id: { eq: { user: 'unit_id' } } }
    expect(boundFilter(where, filled, around)).toEqual({ customer_id: 17, kind: 'SHIP_TO', unit_id: { eq: 2 } })
    expect(boundFilter(where, {}, around)).toBeUndefined()
  })
})

describe('a document', () => {
  const scan: FormScreen = { ...screen, transitions: ['accept'], editing: [{ status: 8, fields: ['ScanID', 'Note'] }, { status: 1 }] }
  it.each([[undefined, true, undefined], [0, true, undefined], [8, true, ['ScanID', 'Note']], [1, true, undefined], [3, false, undefined], [6, false, undefined]])(
    'is changed in the statuses its workflow says, and in some of them only in some fields: %s', (status, mayBe, open) => {
      const record = status === undefined ? undefined : { ID: 1, Status: status }
      expect([isEditable(record, scan), openFields(record, scan)]).toEqual([mayBe, open])
    },
  )
  it.each([[8, 'LOADING', true, ['Note']], [8, 'BACK', false, undefined], [3, 'LOADING', false, undefined]])('in work is changed as far as its stage leaves open: %s in %s', (Status, Stage, mayBe, open) => {
    const staged: FormScreen = { ...screen, transitions: ['load'], editing: [{ status: 8, stage: 'LOADING', fields: ['Note'] }] }
    expect([isEditable({ ID: 1, Status, Stage }, staged), openFields({ ID: 1, Status, Stage }, staged)]).toEqual([mayBe, open])
  })
  it('of a workflow that says nothing is changed as a draft alone', () => {
    expect([0, 8, 1].map((Status) => isEditable({ ID: 1, Status }, { ...screen, transitions: ['submit'] }))).toEqual([true, false, false])
  })
})

describe('what follows from a change', () => {
  const followed: FormScreen = {
    ...screen,
    sections: [{
      id: 'order',
      title: 'section.order',
      fields: [
        field('priority', 'Priority', { type: 'enum' }), field('is_urgent', 'IsUrgent', { type: 'boolean' }), field('due_date', 'DueDate', { type: 'date' }), field('qty', 'Qty', { type: 'quantity' }),
        field('price', 'Price', { type: 'price' }), field('amount', 'Amount', { type: 'money', readOnly: true, compute: { mul: ['qty', 'price'] } }),
        field('tax', 'Tax', { type: 'money', readOnly: true, compute: { div: [{ mul: ['amount', 11] }, 100] } }),
        field('bill_to_id', 'BillToID', { type: 'ref', entity: 'customer' }), field('ship_to_id', 'ShipToID', { type: 'ref', entity: 'customer' }),
      ],
    }],
    defaults: {},
    sideEffects: [
      { on: ['priority'], when: { priority: 'HIGH' }, set: { is_urgent: true }, keep: false },
      { on: ['is_urgent'], when: { is_urgent: true }, set: { due_date: { now: 'date' } }, keep: true },
      { on: ['bill_to_id'], set: { ship_to_id: { field: 'bill_to_id' } }, keep: true },
    ],
  }

  it('sets other fields in the order of the effects, one after the other, and keeps what was given', () => {
    expect(settle(followed, {}, { Priority: 'HIGH' }, around)).toEqual({ Priority: 'HIGH', IsUrgent: true, DueDate: '2025-06-10' })
    expect(settle(followed, { DueDate: '2025-01-01' }, { Priority: 'HIGH' }, around)).toMatchObject({ DueDate: '2025-01-01' })
    expect(settle(followed, {}, { Priority: 'HIGH', IsUrgent: false }, around)).toEqual({ Priority: 'HIGH', IsUrgent: false })
    expect(settle(followed, {}, { Priority: 'LOW' }, around)).toEqual({ Priority: 'LOW' })
  })

  it('takes a reference over with its code and name', () => {
    expect(settle(followed, {}, { BillToID: 7, BillToCode: 'C7', BillToName: 'Toko' }, around)).toEqual({
      BillToID: 7, BillToCode: 'C7', BillToName: 'Toko', ShipToID: 7, ShipToCode: 'C7', ShipToName: 'Toko',
    })
  })

  it('computes what depends on it, also on one another, and only then', () => {
    expect(settle(followed, { Price: '10.5' }, { Qty: '3' }, around)).toEqual({ Price: '10.5', Qty: '3', Amount: '31.50', Tax: '3.47' })
    expect(settle(followed, { Qty: '3', Price: '10', Amount: '99.00' }, { Priority: 'LOW' }, around)).toMatchObject({ Amount: '99.00' })
    expect(settle(followed, { Qty: '3', Price: '10', Amount: '30.00', Tax: '3.30' }, { Qty: null }, around)).toMatchObject({ Amount: null, Tax: null })
  })
})

describe('Complaint 8: hidden fields that stay required or leave stale values', () => {
  it('clears what hiding clears, with the label of a reference, and keeps the rest', () => {
    expect(settle(screen, filled, { Method: 'CASH' }, around)).toEqual({ ...filled, Method: 'CASH', AccountID: null, AccountCode: null, AccountName: null })
    expect(visibleFields(screen, { Method: 'CASH' }, around).map((one) => one.name)).toEqual(['customer_id', 'method', 'amount', 'memo'])
  })

  it('asks only for what is on view', () => {
    expect(checkFields(screen, { Method: 'TRANSFER', Amount: '0.50' }, around)).toEqual({
      CustomerID: { key: 'ui.check.required' },
      AccountID: { key: 'ui.check.required' },
      Amount: { key: 'ui.check.min', params: { limit: '1' } },
    })
    expect(checkFields(screen, { Method: 'CASH', CustomerID: 1 }, around)).toEqual({})
  })

  it('sends nothing stale: hidden fields as null, and for a new record the defaults that are not shown', () => {
    expect(headerPayload(screen, { ...filled, Method: 'CASH' }, false, around)).toEqual({ CustomerID: 17, Method: 'CASH', AccountID: null, Amount: '100', Memo: 'hi' })
    expect(headerPayload(screen, filled, true, around)).toMatchObject({ DocDate: '2025-06-10', UnitID: 2, AccountID: 5, Memo: 'hi' })
  })
})
