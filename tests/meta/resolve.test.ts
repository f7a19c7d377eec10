import { describe, expect, it } from 'vitest'

import { readSchemaFiles, sourcesOf } from '../../scripts/schemas/readSources.ts'
import { besideRecord } from '#meta/besideRecord.ts'
import { gridsOf } from '#meta/formGrids.ts'
import { formSchema } from '#meta/formSchema.ts'
import { resolve } from '#meta/resolve.ts'
import { tablesSql } from '#meta/ddl.ts'
import type { FormScreen } from '#meta/resolved.ts'

const { sources } = sourcesOf(readSchemaFiles())
const { metadata, problems } = resolve(sources)
const order = metadata.entities['sales_order']

describe('resolving', () => {
  it('works out every file', () => {
    expect(problems).toEqual([])
  })

  it('adds the columns of the base and attaches the lines', () => {
    expect(order?.fields.slice(0, 4).map(({ name }) => name)).toEqual(['id', 'code', 'status', 'operating_unit_id'])
    expect(order?.lines).toEqual([{ name: 'lines', wire: 'Lines', entity: 'sales_order_line', column: 'sales_order_id', owned: false }])
    expect(metadata.entities['sales_order_line']?.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['id', 'sales_order_id', 'line_no', 'note']))
  })

  it('hands the rules of a day to the forms it stands in', () => {
    const allowed = (id: string, name: string) => {
      const screen = metadata.screens[id]
      return screen?.kind === 'form' ? screen.sections.flatMap(({ fields }) => fields).find((field) => field.name === name)?.allows : undefined
    }
    expect(allowed('payment-received.form', 'payment_date')).toEqual([{ must: { payment_date: { le: { now: 'date' } } }, label: 'rule.payment-not-ahead' }])
    expect(allowed('tax-code.form', 'valid_to')).toEqual([{ must: { valid_to: { ge: { field: 'valid_from' } } }, label: 'rule.valid-range' }])
    expect(allowed('tax-code.form', 'valid_from')).toBeUndefined()
  })

  it('hands the rules of a day in a line to its column, a field of the header under its own name', () => {
    const allowed = (id: string, name: string) => {
      const screen = metadata.screens[id]
      return screen?.kind === 'form' ? gridsOf(screen).flatMap(({ columns }) => columns).find((column) => column.name === name)?.allows : undefined
    }
    expect(allowed('bank-statement.form', 'value_date')).toEqual([{ must: { value_date: { le: { now: 'date' } } }, label: 'rule.value-not-ahead' }])
    expect(allowed('list-price.v3.form', 'valid_to')).toEqual([{ must: { any: [{ action: 'END' }, { valid_to: { ge: { field: 'effective_from' } } }] }, label: 'rule.ends-after-effect' }])
    expect(allowed('list-price.v3.form', 'old_valid_from')).toBeUndefined()
  })

  it('shows the history of whatever a form changes; only records below another have no page of their own', () => {
    const forms = Object.values(metadata.screens).filter((screen): screen is FormScreen => screen.kind === 'form')
    expect(forms.filter(({ notes }) => notes === undefined).map(({ id }) => id)).toEqual([])
    // Comments and files are kept of documents and masters.
    for (const { id, entity, notes } of forms) expect([id, notes]).toEqual([id, ['document', 'master'].includes(metadata.entities[entity]?.base ?? '') ? 'all' : 'history'])
    const pageless = forms.filter(({ entity }) => metadata.entities[entity]?.page === undefined).map(({ entity }) => entity)
    expect(pageless.toSorted()).toEqual(['business_partner_address', 'customer_address', 'item_uom', 'work_team_member'])
  })

  it('says what may be null', () => {
    const nullable = Object.fromEntries((order?.fields ?? []).map((field) => [field.name, field.nullable]))
    expect(nullable).toMatchObject({ code: true, status: false, customer_id: false, gross: false, po_date: true, block_codes: false, doc_date: false })
    expect(metadata.entities['credit_limit']?.fields.find(({ name }) => name === 'amount')?.nullable).toBe(true)
  })

  it('gives enums and statuses their labels and tones', () => {
    const choices = metadata.entities['customer']?.fields.find(({ name }) => name === 'status')?.choices
    expect(choices).toEqual([
      { value: 0, label: expect.stringContaining('status.'), tone: 'neutral' },
      { value: 4, label: expect.stringContaining('status.'), tone: 'warning' },
      { value: 1, label: expect.stringContaining('status.'), tone: 'positive' },
      { value: 6, label: expect.stringContaining('status.'), tone: 'negative' },
    ])
    expect(order?.fields.find(({ name }) => name === 'delivery_status')?.choices?.map(({ label }) => label)).toEqual(['stage.0', 'stage.2', 'stage.3'])
  })

  it('says of a report without rows that nothing answers what was asked, not that nothing has been entered', () => {
    const report = metadata.screens['journal.report']
    expect(report?.kind === 'report' && report.empty).toBe('empty.report')
    const list = metadata.screens['bank.list']
    expect(list?.kind === 'list' && list.empty).toBe('empty.list')
  })

  it('knows every permission once', () => {
    const names = metadata.guards.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['sales-order-view', 'sales-order-submit', 'payment-received-view', 'user-edit']))
    expect(metadata.guards.find(({ name }) => name === 'sales-order-view')?.module).toBe('sales-order')
  })

  it('makes tables that come after those they refer to', () => {
    const sql = tablesSql(metadata.entities)
    const made = new Set<string>()
    for (const [, table = '', body = ''] of sql.matchAll(/CREATE TABLE "(\w+)" \(([\s\S]*?)\n\);/g)) {
      for (const [, target = ''] of body.matchAll(/REFERENCES "(\w+)"/g)) expect(made, `${table} refers to ${target}`).toContain(target)
      made.add(table)
    }
    expect(made.size).toBeGreaterThan(80)
    expect(sql).toContain('DEFERRABLE INITIALLY DEFERRED')
  })
})

describe('a form as JSON Schema', () => {
  const form: FormScreen = {
    kind: 'form', id: 'f', title: '', guard: '', entity: 'e', resource: 'e', totals: [], transitions: [], defaults: {},
    sections: [
      {
        id: 's',
        title: '',
        fields: [
          { name: 'method', wire: 'Method', type: 'enum', label: '', required: true, readOnly: false, onHide: 'clear', span: 1, choices: [{ value: 'CASH', label: '', tone: 'neutral' }, { value: 'BANK', label: '', tone: 'neutral' }] },
          { name: 'bank_id', wire: 'BankID', type: 'ref', entity: 'bank', label: '', required: true, readOnly: false, onHide: 'clear', span: 1, when: { method: 'BANK' } },
          { name: 'amount', wire: 'Amount', type: 'money', label: '', required: false, readOnly: false, onHide: 'clear', span: 1, requiredWhen: { amount: { gt: { field: 'limit' } } } },
        ],
      },
    ],
  }

  it('asks for a hidden field only when it is shown, and leaves to the evaluator what it cannot say', () => {
    expect(formSchema(form)).toEqual({
      $id: 'f',
      type: 'object',
      properties: {
        Method: { type: 'string', enum: ['CASH', 'BANK'] },
        BankID: { type: 'integer', minimum: 1 },
        Amount: { type: 'string', pattern: '^-?\\d{1,16}(\\.\\d{1,2})?$' },
      },
      required: ['Method'],
      // oxlint-disable-next-line unicorn/no-thenable -- `then` belongs to JSON Schema here
      allOf: [{ if: { allOf: [{ required: ['Method'], properties: { Method: { const: 'BANK' } } }] }, then: { required: ['BankID'] } }],
    })
  })
})

describe('the journal of a document', () => {
  it('has a tab where documents of its kind, or their lines, are posted', () => {
    const shown = Object.values(metadata.screens).flatMap((screen) => (screen.kind === 'detail' && screen.tabs.some(({ kind }) => kind === 'journal') ? [screen.entity] : []))
    expect(shown.toSorted()).toEqual(['advance_application', 'ap_payment', 'ar_clearing', 'ar_clearing_gov', 'ar_payment', 'bank_statement', 'canvas_request', 'canvas_request', 'canvas_request', 'canvas_request', 'canvas_request', 'canvas_request', 'cash_bank_document', 'cash_bank_document', 'cash_deposit', 'cn_temporary', 'cod_reconciliation', 'collection_list', 'consignment_pickup', 'container_move', 'credit_note', 'credit_note_transfer', 'customer_deposit', 'customer_deposit_settlement', 'customer_deposit_transfer', 'debit_note', 'debit_note_adjustment', 'dn_application', 'free_goods_request', 'fx_revaluation', 'goods_issue', 'goods_issue_return', 'goods_receipt', 'invoice', 'invoice_close_request', 'kitting_order', 'payment_for_dn', 'sales_return', 'scrap', 'shipment_cost', 'stock_opname', 'stock_transfer', 'stock_transfer_receipt', 'supplier_credit_note', 'supplier_receipt', 'vendor_advance', 'vendor_invoice', 'write_off'])
  })
})

describe('what lists offer for one row', () => {
  const offered = (id: string): readonly string[] => {
    const screen = metadata.screens[id]
    return screen?.kind === 'detail' ? screen.actions.map((action) => action.id) : []
  }

  it('stands on the page of its record as well, but for the steps of the workflow and what the page has of itself', () => {
    expect(offered('sales-order.detail')).toEqual(['override-credit'])
    // Deleted from the list only.
    expect(offered('product-festive.detail')).toEqual(['deactivate', 'activate'])
    // A panel offers what the list it stands beside does: the same invoice stands beside lists that offer nothing.
    expect(offered('invoice.detail')).toEqual([])
  })

  it('is, in a panel, what the list beside it offers', () => {
    const list = metadata.screens['sku-view.list']
    const detail = metadata.screens['sku-view.detail']
    if (list?.kind !== 'list' || detail?.kind !== 'detail') throw new Error('No such screens')
    expect(besideRecord(list.actions, detail).map(({ id }) => id)).toEqual(['units', 'deactivate', 'activate'])
    const invoices = metadata.screens['invoice.list']
    expect(invoices?.kind === 'list' && besideRecord(invoices.actions, detail).map(({ id }) => id)).toEqual(['request-cancel', 'request-close'])
  })

  it('is left to the lists where two mean something else by one name', () => {
    const lists = Object.values(metadata.screens).filter((screen) => screen.kind === 'list' && screen.entity === 'price_change')
    expect(lists.flatMap((screen) => (screen.kind === 'list' ? screen.actions.map(({ id }) => id) : []))).toContain('edit-change')
    expect(offered('price-change.detail')).not.toContain('edit-change')
  })
})
