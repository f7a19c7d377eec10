import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { routes } from '#generated/routes.ts'
import { holds } from '#client/form/conditions.ts'
import { allFields, deciderOf } from '#client/form/formModel.ts'
import { fieldsOf } from '#meta/operands.ts'
import type { Condition } from '#meta/condition.ts'
import type { FormField, FormScreen, ListScreen } from '#meta/resolved.ts'

const folder = path.join(import.meta.dirname, '../../../src/generated/screens')
const forms = readdirSync(folder).filter((name) => name.endsWith('.form.json')).map((name) => (JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as { screen: FormScreen }).screen)
const around = { user: {}, today: '2026-01-01', params: {} }
const fields = forms.flatMap((screen) => allFields(screen).map((field) => ({ screen, field })))
const bounds = ({ lookupWhere }: FormField): readonly string[] => (lookupWhere === undefined ? [] : fieldsOf(lookupWhere))

describe('a lookup bounded by other fields', () => {
  it('names the field that is missing: the one itself, or the one that fills it', () => {
    const bounded = fields.filter(({ field }) => bounds(field).some((name) => name !== 'id'))
    expect(bounded.length).toBeGreaterThan(10)
    expect(bounded.filter(({ screen, field }) => bounds(field).some((name) => name !== 'id') && deciderOf(field, allFields(screen)) === undefined).map(({ screen, field }) => `${screen.id} ${field.name}`)).toEqual([])
    const receipt = forms.find(({ id }) => id === 'payment-received.form')
    const bank = fields.find(({ screen, field }) => screen === receipt && field.name === 'house_bank_id')
    expect(bank && deciderOf(bank.field, allFields(bank.screen))?.name).toBe('customer_id')
  })

  it('offers banks, cash desks and warehouses of the unit the record is of, and no others: the server takes no others', () => {
    const places = fields.filter(({ field }) => ['house_bank', 'cash_account', 'warehouse'].includes(field.entity ?? ''))
    expect(places.map(({ screen, field }) => [`${screen.id} ${field.name}`, bounds(field)]).toSorted()).toEqual([
      ['ap-payment-advance.form house_bank_id', ['operating_unit_id']],
      ['ap-payment.form house_bank_id', ['operating_unit_id']],
      ['ar-clearing-gov.form house_bank_id', ['operating_unit_id']],
      // The unit is that of the bank or cash desk itself.
      ['bank-statement.form house_bank_id', []],
      ['canvas-request.form source_warehouse_id', []],
      ['canvas-request.form van_warehouse_id', ['operating_unit_id']],
      ...['hand', 'move'].flatMap((kind) => ['from_cash_account_id', 'from_house_bank_id', 'to_cash_account_id', 'to_house_bank_id'].map((field) => [`cash-bank.${kind}.form ${field}`, []])),
      ['cash-deposit.form house_bank_id', []],
      ['cod-reconciliation.form cash_account_id', ['operating_unit_id']],
      ['consignment-fill.form warehouse_id', ['operating_unit_id']],
      ['consignment-pickup.form from_warehouse_id', ['customer_id']],
      ['consignment-pickup.form to_warehouse_id', []],
      ['customer-deposit-settlement.form house_bank_id', ['operating_unit_id']],
      ['customer-deposit.form cash_account_id', ['operating_unit_id']],
      ['customer-deposit.form house_bank_id', ['operating_unit_id']],
      ['dn-return.form warehouse_id', ['operating_unit_id']],
      ['free-goods-request.form warehouse_id', []],
      ['goods-issue-return.form quarantine_id', ['operating_unit_id']],
      ['goods-receipt.form warehouse_id', ['operating_unit_id']],
      ['inventory-container.form warehouse_id', ['operating_unit_id']],
      ['kitting-order.form warehouse_id', []],
      ['operating-unit.form default_cash_account_id', ['id']],
      ['operating-unit.form default_warehouse_id', ['id']],
      ['payment-file.form house_bank_id', ['operating_unit_id']], ['payment-proposal.form house_bank_id', ['operating_unit_id']],
      ['payment-received.form cash_account_id', ['operating_unit_id']],
      ['payment-received.form house_bank_id', ['operating_unit_id']],
      ['reservation.form warehouse_id', []],
      ['sales-order-customer.form warehouse_id', ['operating_unit_id']],
      ['sales-order-trader.form warehouse_id', ['operating_unit_id']],
      ['sales-order-v2.form warehouse_id', ['operating_unit_id']],
      ['sales-order-v3.form warehouse_id', ['operating_unit_id']],
      ['sales-order.form warehouse_id', ['operating_unit_id']],
      ...['sales-return', 'sales-return-free', 'sales-return-ref'].flatMap((form) => ['quarantine_id', 'warehouse_id'].map((field) => [`${form}.form ${field}`, ['operating_unit_id']])),
      // The unit is that of the warehouse itself.
      ['scrap.form warehouse_id', []],
      ['simulation.form warehouse_id', ['operating_unit_id']],
      ['stock-opname.form warehouse_id', []],
      ['stock-transfer-receipt.form warehouse_id', []],
      ['stock-transfer.form from_warehouse_id', []],
      ['supplier-receipt.form house_bank_id', ['operating_unit_id']],
    ].toSorted())
  })
})

describe('the list a form goes back to', () => {
  const lists = readdirSync(folder).filter((name) => name.endsWith('.list.json')).map((name) => (JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as { screen: ListScreen }).screen)

  /** What a condition asks of one field. */
  const only = (where: Condition | undefined, name: string) => Object.fromEntries(Object.entries(where ?? {}).filter(([field]) => field === name))

  it('shows whatever was entered: it leaves out no value the form offers', () => {
    const lost = forms.flatMap((form) => {
      const list = lists.find(({ id }) => id === routes.find((route) => route.path === form.after)?.screen)
      return allFields(form).flatMap((field) => (field.choices ?? [])
        .filter(({ value }) => !holds(only(list?.where, field.name), { [field.wire]: value }, around))
        .map(({ value }) => `${form.id} ${field.name} ${value}`))
    })
    expect(lost).toEqual([])
  })
})
