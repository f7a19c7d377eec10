import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

import { checkSchemas, contextOfRepository } from '../../scripts/schemas/checkSchemas.ts'
import { readSchemaFiles, root } from '../../scripts/schemas/readSources.ts'

const files = readSchemaFiles()
const context = contextOfRepository()
const guide = readFileSync(path.join(root, 'schemas/README.md'), 'utf8')
const tasks = new Map([...guide.slice(guide.indexOf('## Twenty small tasks')).matchAll(/^(\d+)\. (\*\*.*)$/gm)].map(([, number, text]) => [Number(number), text ?? '']))

type Json = { [key: string]: unknown }

/** A task of the guide carried out in a real file: what the guide writes, and where an analyst puts it. */
interface Recipe {
  readonly file: string
  /** What the guide shows; it stands there word for word. */
  readonly written: string
  readonly put: (file: Json, written: unknown) => void
  readonly texts?: Readonly<Record<string, string>>
}

const add = (key: string) => (file: Json, written: unknown): void => void (file[key] as unknown[]).push(written)
const set = (file: Json, written: unknown): void => void Object.assign(file, written)
/** In the place of the column or field of the same name. */
const swap = (list: unknown[], written: unknown): void => {
  const nameOf = (part: unknown): unknown => (typeof part === 'object' && part !== null ? Reflect.get(part, 'field') : part)
  const at = list.findIndex((part) => nameOf(part) === nameOf(written))
  if (at < 0) list.push(written)
  else list[at] = written
}
const column = (file: Json, written: unknown): void => swap(file['columns'] as unknown[], written)
const formField = (file: Json, written: unknown): void => {
  const [section] = file['sections'] as { fields: unknown[] }[]
  swap(section?.fields ?? [], written)
}
const orders = 'sales/sales-order/sales-order.list.json'
const payment = 'receivables/ar-payment/payment-received.form.json'

const recipes: Readonly<Record<number, Recipe>> = {
  1: { file: orders, written: '"external_ref"', put: add('columns') },
  2: { file: orders, written: '"customer_id.phone"', put: add('columns') },
  3: { file: orders, written: '"emphasis": [{ "when": { "requested_date": { "within": "past" } }, "tone": "negative" }]', put: set },
  4: { file: orders, written: '{ "field": "code", "width": 190, "pin": "left" }', put: column },
  5: { file: orders, written: '{ "field": "note", "hidden": true }', put: column },
  6: { file: orders, written: '{ "field": "total", "total": "sum" }', put: column },
  7: { file: orders, written: '"payment_term_id"', put: add('filters') },
  8: { file: orders, written: '{ "id": "overdue", "where": { "requested_date": { "within": "past" } } }', put: add('presets'), texts: { 'preset.overdue': 'Overdue' } },
  9: { file: orders, written: '{ "preset": "late", "tone": "negative" }', put: (file, written) => void (file['home'] = [written]) },
  10: { file: orders, written: '"sort": [{ "field": "doc_date", "dir": "desc" }]', put: set },
  11: { file: orders, written: '"groupBy": ["customer_id"]', put: set },
  12: { file: orders, written: '{ "field": "code", "link": "/sales-order-list/{ID}" }', put: column },
  13: { file: payment, written: '{ "field": "giro_due_date", "requiredWhen": { "method": "GIRO" } }', put: formField },
  14: { file: payment, written: '{ "field": "house_bank_id", "when": { "method": { "in": ["TRANSFER", "GIRO"] } } }', put: formField },
  15: { file: 'sales/sales-order/sales-order.form.json', written: '{ "field": "ship_to_id", "lookupWhere": { "customer_id": { "field": "customer_id" } } }', put: formField },
  16: { file: 'sales/sales-order/sales-order.form.json', written: '{ "field": "customer_id", "fills": { "payment_term_id": "payment_term_id" } }', put: formField },
  17: { file: payment, written: '"defaults": { "payment_date": { "now": "date" }, "operating_unit_id": { "user": "operating_unit_id" } }', put: set },
  18: { file: 'sales/sales-order/sales-order.entity.json', written: '"conditions": { "isOpen": { "status": { "in": [0, 1] } } }', put: (file, written) => void (file['conditions'] = { ...(file['conditions'] as object), ...(written as { conditions: object }).conditions }) },
  19: { file: 'sales/sales-order/sales-order.entity.json', written: '"renamed": { "order_no": "po_number" }', put: set },
  20: { file: orders, written: '"field.sales_order.po_number": "Their order"', put: () => undefined, texts: { 'field.sales_order.po_number': 'Their order' } },
  21: { file: 'home/dashboard/dashboard.dashboard.json', written: '{ "id": "brands", "type": "chart", "from": { "report": "zdr-bill.report" }, "chart": { "type": "bar", "by": "brand_name", "measures": ["dpp"], "top": 10 } }', put: add('tiles'), texts: { 'tile.dashboard.brands': 'Brands' } },
  22: { file: 'billing/zdr-bill/zdr-bill.report.json', written: '"opens": { "rows": ["brand_name"], "compare": "year", "show": "both" }', put: set },
  23: {
    file: 'receivables/ar-payment/ar-payment.workflow.json', written: '"when": { "method": { "in": ["GIRO", "CHEQUE"] } }',
    put: (file, written) => void Object.assign((file['transitions'] as { action: string }[]).find(({ action }) => action === 'clear') ?? {}, written),
  },
  24: {
    file: 'billing/zdr-bill/zdr-bill.dataset.json', written: '"discount": { "type": "money", "adds": "always", "readBy": "list-price-view" }',
    put: (file, written) => void Object.assign(file['measures'] as object, written),
  },
}

describe('the small tasks of the guide', () => {
  it('are all tried here', () => {
    expect([...tasks.keys()]).toEqual(Object.keys(recipes).map(Number))
    expect(tasks.size).toBeGreaterThanOrEqual(20)
  })

  it.each([...tasks])('%i works as written: %s', (number, text) => {
    const recipe = recipes[number] ?? expect.fail('nobody tries it')
    expect(text).toContain(recipe.written)
    const written: unknown = JSON.parse(recipe.written.startsWith('"') && recipe.written.includes('":') ? `{ ${recipe.written} }` : recipe.written)
    const changed = files.map((file) => {
      const language = /^schemas\/messages\/(\w+)\.json$/.exec(file.path)?.[1]
      if (language !== undefined) return { ...file, text: JSON.stringify({ ...(JSON.parse(file.text) as Json), ...recipe.texts }) }
      if (file.path !== `schemas/${recipe.file}`) return file
      const value = JSON.parse(file.text) as Json
      recipe.put(value, written)
      return { ...file, text: JSON.stringify(value) }
    })
    const found = checkSchemas(changed, context).findings.filter(({ severity }) => severity === 'error')
    expect(found.map(({ path: file, code, message }) => `${file} ${code} ${message}`)).toEqual([])
  })
})
