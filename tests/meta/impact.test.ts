import { describe, expect, it } from 'vitest'

import { impactOf } from '../../scripts/impact.ts'
import { readSchemaFiles, type SchemaFile } from '../../scripts/schemas/readSources.ts'

const before = readSchemaFiles().filter(({ path }) => !path.startsWith('schemas/meta/') && !path.startsWith('schemas/messages/'))
const layouts: readonly SchemaFile[] = [{ path: 'src/client/print/Sheet.tsx', text: "<dd>{text(record, 'PoNumber')}</dd>\n<dd>{text(record, 'Other')}</dd>" }]
const views = [
  { kind: 'view' as const, screen: 'sales-order.list', name: 'By PO', owner: 'sales@arus.example', definition: { columns: [{ name: 'code' }, { name: 'po_number' }] } },
  { kind: 'view' as const, screen: 'sales-order.list', name: 'Plain', owner: 'sales@arus.example', definition: { columns: [{ name: 'code' }] } },
  { kind: 'view' as const, screen: 'customer.list', name: 'Elsewhere', owner: 'sales@arus.example', definition: { columns: [{ name: 'po_number' }] } },
  { kind: 'view' as const, screen: 'zdr-bill.report', name: 'By brand', owner: 'analyst@arus.example', definition: { chart: 'by=brand_name%2Citem_code&show=both', parameters: {} } },
  { kind: 'schedule' as const, screen: 'zdr-bill.report', name: 'Every Monday', owner: 'finance@arus.example', definition: { columns: [{ name: 'dpp' }], summary: { rows: ['brand_name'] } } },
  { kind: 'schedule' as const, screen: 'zdr-bill.report', name: 'Of customers', owner: 'finance@arus.example', definition: { columns: [{ name: 'dpp' }], summary: { rows: ['customer_code'] } } },
  { kind: 'draft' as const, screen: 'zdr_bill', name: 'Brands on trial', owner: 'analyst@arus.example', definition: '{ "dataset": "zdr_bill", "columns": ["brand_name", "dpp"] }' },
]

/** The impact of writing `to` instead of `from` in one real file. */
function impact(file: string, from: string, to: string) {
  const found = before.find(({ path }) => path.endsWith(file))
  expect(found?.text, `${file} contains what is replaced`).toContain(from)
  const after = before.map((one) => (one === found ? { ...one, text: one.text.replace(from, to) } : one))
  return impactOf(before, after, layouts, views).map(({ change, touched, ...rest }) => ({
    change: `${change.named} ${change.owner}.${change.name} ${change.what}${change.detail === '' ? '' : ` ${change.detail}`}${change.isCarriedOver ? ' (carried over)' : ''}`,
    touched: touched.map(({ kind, id, at }) => `${kind} ${id} ${at.join('.')}`.trim()),
    exports: rest.exports,
    prints: rest.prints,
    views: rest.views.map(({ name }) => name),
  }))
}

const entity = 'sales-order.entity.json'
const poNumber = '"po_number": { "type": "text", "search": true },'

describe('the impact of a schema change', () => {
  it('is none where nothing changed, and none for what is added', () => {
    expect(impactOf(before, before, layouts, views)).toEqual([])
    expect(impact(entity, poNumber, `${poNumber} "second_number": { "type": "text" },`)).toEqual([])
  })

  it('of a field removed names lists, forms, details, datasets over SQL, their reports, exports, prints and saved views', () => {
    const [only, ...more] = impact(entity, poNumber, '')
    expect(more).toEqual([])
    expect(only?.change).toBe('field sales_order.po_number removed')
    expect(only?.touched).toEqual(expect.arrayContaining([
      expect.stringMatching(/^list sales-order\.list columns\.\d+/), expect.stringMatching(/^form sales-order\.form sections\./), expect.stringMatching(/^detail sales-order\.detail tabs\./),
      'sql fbl5n', 'report fbl5n.report dataset',
    ]))
    expect(only?.exports).toEqual(expect.arrayContaining(['sales-order.list', 'fbl5n.report']))
    expect(only?.prints).toEqual(['src/client/print/Sheet.tsx:1'])
    expect(only?.views).toEqual(['By PO'])
  })

  it('of a field renamed with a map is carried over', () => {
    const [only] = impact(entity, poNumber, '"customer_reference": { "type": "text", "search": true },')
    expect(only?.change).toBe('field sales_order.po_number removed')
    const found = before.find(({ path }) => path.endsWith(entity))
    const text = (found?.text ?? '').replace('"po_number":', '"customer_reference":').replace('"fields": {', '"renamed": { "po_number": "customer_reference" },\n  "fields": {')
    const [mapped] = impactOf(before, before.map((file) => (file === found ? { ...file, text } : file)), layouts, views)
    expect([mapped?.change.what, mapped?.change.detail, mapped?.change.isCarriedOver]).toEqual(['renamed', 'customer_reference', true])
    expect(mapped?.views.map(({ name }) => name)).toEqual(['By PO'])
  })

  it('of a dimension names its reports, their dashboards, views, schedules and drafts; renamed with a map they follow', () => {
    const file = before.find(({ path }) => path.endsWith('/zdr-bill.dataset.json'))
    const renamedTo = (map: string) => impactOf(before, before.map((one) => (one === file ? { ...one, text: one.text.replace('"brand_name": {', `"brand": {`).replace('"dimensions": {', `${map}"dimensions": {`) } : one)), layouts, views)
    const [removed] = renamedTo('')
    const [renamed, ...more] = renamedTo('"renamed": { "brand_name": "brand" },\n  ')
    expect([removed?.change.what, removed?.change.isCarriedOver, renamed?.change.what, renamed?.change.detail, renamed?.change.isCarriedOver, more]).toEqual(['removed', false, 'renamed', 'brand', true, []])
    expect(renamed?.touched.map(({ kind, id }) => `${kind} ${id}`)).toEqual(expect.arrayContaining(['report zdr-bill.report', 'dashboard dashboard']))
    expect(renamed?.views.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['view By brand', 'schedule Every Monday', 'draft Brands on trial'])
  })

  it('of a type change tells both types', () => {
    expect(impact(entity, poNumber, '"po_number": { "type": "code", "search": true },')[0]?.change).toBe('field sales_order.po_number changed type text → code')
  })

  it('of a measure reaches reports and the dashboards that show them', () => {
    const dataset = before.find(({ path, text }) => path.endsWith('.dataset.json') && before.some((other) => other.path.endsWith('.dashboard.json') && reportsOf(text).some((report) => other.text.includes(`"${report}"`))))
    const { id, measures }: { id: string; measures: Record<string, unknown> } = JSON.parse(dataset?.text ?? '{}')
    const gone = Object.keys(measures).find((name) => before.some(({ path, text }) => path.endsWith('.report.json') && text.includes(`"${name}"`) && text.includes(`"${id}"`))) ?? ''
    const { [gone]: _, ...kept } = measures
    const after = before.map((file) => (file === dataset ? { ...file, text: JSON.stringify({ ...JSON.parse(file.text), measures: kept }) } : file))
    const found = impactOf(before, after, layouts, views).find(({ change }) => change.name === gone)
    expect(found?.touched.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['report', 'dashboard']))
  })

  it('of a screen removed reaches routes, tabs and saved views', () => {
    const list = before.find(({ path }) => path.endsWith('/sales-order.list.json'))
    const found = impactOf(before, before.filter((file) => file !== list), layouts, views).find(({ change }) => change.name === 'sales-order.list')
    expect(found?.touched.map(({ kind, id }) => `${kind} ${id}`)).toContain('routes /sales-order-list')
    expect(found?.views.map(({ name }) => name)).toEqual(['By PO', 'Plain'])
  })

  it('of a named condition reaches what asks for it by its name', () => {
    const withCondition = before.map((file) => {
      if (file.path.endsWith(entity)) return { ...file, text: file.text.replace('"fields": {', '"conditions": { "isLate": { "po_date": { "within": "past" } } },\n  "fields": {') }
      return file.path.endsWith('/sales-order.list.json') ? { ...file, text: file.text.replace('"emphasis": [', '"emphasis": [{ "when": { "not": "isLate" }, "tone": "info" }, ') } : file
    })
    const found = impactOf(withCondition, before, layouts, views).find(({ change }) => change.name === 'isLate')
    const [first, ...others] = found?.touched ?? []
    expect(`${first?.kind} ${first?.id} ${first?.at.join('.')}`).toBe('list sales-order.list emphasis.0.when.not')
    // And what counts the rows of that list.
    expect([...new Set(others.map(({ kind }) => kind))]).toEqual(['dashboard'])
  })

  it('of a measure reaches the ratios worked out from it and their reports', () => {
    const [only] = impact('sales-order-o2c.dataset.json', '"paid_value": { "type": "money"', '"paid_value": { "type": "quantity"')
    expect(only?.touched).toEqual(expect.arrayContaining(['dataset sales_order_o2c measures.paid_pct.ratio.0', expect.stringMatching(/^report sales-order-o2c.report measures\.\d+$/)]))
  })
})

function reportsOf(dataset: string): readonly string[] {
  const { id }: { id: string } = JSON.parse(dataset)
  return before.filter(({ path, text }) => path.endsWith('.report.json') && text.includes(`"dataset": "${id}"`)).map(({ text }) => JSON.parse(text).id as string)
}
