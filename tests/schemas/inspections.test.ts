import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/meta/check/finding.ts'
import { checkSchemas, contextOfRepository } from '../../scripts/schemas/checkSchemas.ts'
import { findingMeanings } from '../../scripts/schemas/findingMeanings.ts'
import { readSchemaFiles, root } from '../../scripts/schemas/readSources.ts'

/**
 * One mistake planted in a file of the product: what is written instead of what, where the check must point (the first place of that text in
 * the changed file, unless `on` says in which other file), and what it must say of it.
 */
interface Planted {
  readonly code: string
  readonly file: string
  readonly from: string | RegExp
  readonly to: string
  readonly points: string
  readonly says: string
  /** The file the finding is in, when a mistake in one shows in another. */
  readonly on?: string | undefined
  /** The file goes, or is called otherwise, instead of being changed. */
  readonly isGone?: true
  readonly renamedTo?: string
}

const report = 'billing/zdr-bill/zdr-bill.report.json'
const dataset = 'billing/zdr-bill/zdr-bill.dataset.json'
const sql = 'billing/zdr-bill/zdr-bill.dataset.sql'
const list = 'master/payment-term/payment-term.list.json'
const form = 'master/payment-term/payment-term.form.json'
const entity = 'master/payment-term/payment-term.entity.json'
const dashboard = 'home/dashboard/dashboard.dashboard.json'
const columns = '"columns": ['

/** Codes no other test plants, by the inspections of the plan. */
const planted: readonly Planted[] = [
  // 1–2: syntax, unknown keys and values
  { code: 'too-few', file: report, from: /"across": \[.*\],/, to: '"across": [],', points: '[],', says: 'at least 1' },
  { code: 'too-many', file: report, from: '"measures": ["qty_base"', to: '"opens": { "rows": ["customer_code", "item_code", "brand_name", "principal_name"] },\n  "measures": ["qty_base"', points: '["customer_code", "item_code", "brand_name", "principal_name"]', says: 'at most 3' },
  { code: 'out-of-range', file: dataset, from: '"rows": 500000', to: '"rows": 0', points: '0, "timeoutMs"', says: '0 is below 1' },
  { code: 'wrong-value', file: report, from: '"kind": "report"', to: '"kind": "list"', points: '"list"', says: '"report"' },
  { code: 'wrong-name', file: dataset, from: '"parameters": {', to: '"renamed": { "Old Name": "dpp" },\n  "parameters": {', points: '"Old Name"', says: 'does not match' },
  { code: 'missing-key', file: report, from: '  "dataset": "zdr_bill",\n', to: '', points: '{', says: '"dataset"' },
  // 3: names that lead nowhere
  { code: 'unknown-column', file: dataset, from: '"parameters": {', to: '"renamed": { "net": "dp" },\n  "parameters": {', points: '"dp"', says: 'did you mean "dpp"?' },
  { code: 'renamed-present', file: dataset, from: '"parameters": {', to: '"renamed": { "dpp": "total" },\n  "parameters": {', points: '"dpp": "total"', says: 'still there' },
  { code: 'unknown-value', file: report, from: '"default": { "now": "month-start" }', to: '"default": "01/02/2026"', points: '"01/02/2026"', says: 'write it as 2026-01-31' },
  { code: 'unknown-value', file: report, from: '"default": "ALL"', to: '"default": "ALLL"', points: '"ALLL"', says: 'did you mean "ALL"?' },
  { code: 'wrong-type', file: report, from: '"default": "ALL"', to: '"default": { "now": "date" }', points: '{ "now": "date" } }\n', says: 'cannot start with a day' },
  { code: 'wrong-placeholder', file: 'messages/en.json', from: /("sentence.zdr-bill.report": ".*)\{DateFrom\}/, to: '$1{Datefrom}', points: '"Every line billed from {Datefrom}', says: 'did you mean "DateFrom"?' },
  { code: 'unknown-preset', file: dashboard, from: '"preset": "openPeriods"', to: '"preset": "openPeriod"', points: '"openPeriod"', says: 'did you mean "openPeriods"?' },
  { code: 'unknown-filter', file: dashboard, from: '"where": { "days_late": { "ge": 1 } }', to: '"where": { "days_lat": { "ge": 1 } }', points: '{ "days_lat": { "ge": 1 } }', says: 'did you mean "days_late"?' },
  { code: 'unknown-group', file: dashboard, from: '"rows": [{ "field": "bill_date", "grain": "day" }]', to: '"rows": [{ "field": "bill_date", "grain": "year" }]', points: '[{ "field": "bill_date", "grain": "year" }]', says: 'did you mean "bill_date:' },
  { code: 'no-total', file: dashboard, from: '"second": "amount"', to: '"second": "amont"', points: '"amont"', says: 'did you mean "amount"?' },
  { code: 'unknown-menu', file: 'routes.json', from: '"url":"/master/payment-term"', to: '"url":"/master/payment-terms"', points: '{"parent":"Customers","url":"/master/payment-terms"}', says: '/master/payment-term' },
  { code: 'unknown-event', file: 'receivables/write-off/write-off.workflow.json', from: '"event": "TAX_DIFF"', to: '"event": "TAX_DIF"', points: '"TAX_DIF"', says: 'did you mean "TAX_DIFF"?' },
  {
    code: 'unknown-amount', file: 'receivables/write-off/write-off.posting.json', from: '"of": "amount"', to: '"of": "amont"', points: '"WRITE_OFF"', says: 'did you mean "amount"?',
    on: 'receivables/write-off/write-off.workflow.json',
  },
  { code: 'missing-key', file: 'payables/ap-payment/ap-payment.entity.json', from: /("field": "vendor_id",)\s*"at": \["submit"\],/, to: '$1', points: '"when"', says: 'which transitions' },
  { code: 'unknown-field', file: 'receivables/ar-payment/ar-payment.workflow.json', from: '"min_age_days", "code"', to: '"min_age_day", "code"', points: '"min_age_day"', says: 'did you mean "min_age_days"?' },
  { code: 'unknown-field', file: 'inventory/canvas-request/canvas-request.workflow.json', from: '"lines.qty_picked",\n        "note"', to: '"lines.qty_picked",\n        "notes"', points: '"notes"', says: 'did you mean "note"?' },
  { code: 'wrong-screen', file: list, from: '"panel": "payment-term.form"\n', to: '"panel": "payment-term.list"\n', points: '"payment-term.list"\n', says: 'form' },
  // 5: what cannot be filtered
  { code: 'secret-field', file: 'access/app-user/user.list.json', from: columns, to: `${columns}"password_hash", `, points: '"password_hash"', says: 'never leaves the server' },
  { code: 'no-filter', file: 'ledger/posting-rule/posting-rule.list.json', from: '"filters": [', to: '"filters": ["selector", ', points: '"selector"', says: 'cannot be filtered' },
  { code: 'not-owned', file: 'master/customer/customer.entity.json', from: '"addresses": "customer_address"', to: '"addresses": "business_partner_address"', points: '"business_partner_address"', says: '"owner"' },
  { code: 'missing-column', file: 'master/item/item.import.json', from: '        { "header": "Name", "field": "name", "aliases": ["Description"], "example": "Coffee 200 g" },\n', to: '', points: '{ "id": "item", "entity": "item" }', says: '"name"' },
  { code: 'unknown-record', file: 'master/item/item.import.json', from: '"field": "brand_id"', to: '"field": "itm.brand_id"', points: '{ "header": "Brand"', says: 'did you mean "item"?' },
  { code: 'unknown-kind', file: list, from: '', to: '', renamedTo: 'master/payment-term/payment-term.lst.json', on: 'master/payment-term/payment-term.lst.json', points: '{', says: '.<kind>.json' },
  // 8: routes and screens
  { code: 'route-kind', file: 'routes.json', from: '"screen":"payment-term.list"', to: '"screen":"payment-term.list","redirect":"/home"', points: '{"path":"/master/payment-term"', says: 'screen and redirect' },
  { code: 'route-print', file: 'routes.json', from: '"screen":"payment-term.list"', to: '"page":"print"', points: '"print","guard":{"parent":"Customers"', says: 'go together' },
  { code: 'missing-guard', file: 'routes.json', from: /("screen":"payment-term\.list"),"guard":\{[^}]*\}/, to: '$1', points: '{"path":"/master/payment-term"', says: 'needs a guard' },
  { code: 'unserved-route', file: 'routes.json', from: '"screen":"payment-term.list",', to: '', points: '{"path":"/master/payment-term"', says: 'nothing serves it' },
  { code: 'unreachable-screen', file: 'routes.json', from: '"screen":"payment-term.list"', to: '"screen":"customer-group.list"', on: list, points: '"payment-term.list"', says: 'payment-term.list' },
  { code: 'unbound-parameter', file: list, from: '"filters":', to: '"where": { "id": { "param": "id" } },\n  "filters":', on: 'routes.json', points: '"payment-term.list"', says: '"id"' },
  { code: 'home-count', file: list, from: '"filters":', to: '"where": { "id": { "param": "id" } },\n  "presets": [{ "id": "open", "where": { "is_active": true } }],\n  "home": [{ "preset": "open" }],\n  "filters":', points: '{ "preset": "open" }', says: 'home page' },
  // 9–10: conditions, fields of forms
  { code: 'not-flat', file: dashboard, from: '"where": { "days_late": { "ge": 1 } }', to: '"where": { "any": [{ "days_late": { "ge": 1 } }] }', points: '{ "any": [', says: 'field tests only' },
  { code: 'hop-in-form', file: 'sales/sales-order/sales-order.form.json', from: '"po_number"', to: '"customer_id.phone"', points: '"customer_id.phone"', says: 'another record' },
  { code: 'hop-in-when', file: 'receivables/ar-payment/ar-payment.workflow.json', from: '"when": "isGiro"', to: '"when": { "customer_id.is_active": true }', points: '"customer_id.is_active"', says: 'another record' },
  { code: 'wrong-widget', file: form, from: '"net_days",', to: '{ "field": "net_days", "widget": "tags" },', points: '"tags"', says: 'net_days' },
  { code: 'wrong-widget', file: 'master/customer-payment-account/customer-payment-account.entity.json', from: '"va_number": { "type": "text" }', to: '"va_number": { "type": "json" }', on: 'master/customer/customer.form.json', points: '{ "field": "va_number"', says: 'a grid cannot enter it' },
  { code: 'wrong-widget', file: 'settings/approval-matrix/approval-matrix.form.json', from: '"field": "approver_ref"', to: '"field": "level"', points: '{ "by"', says: 'level is integer' },
  { code: 'unknown-value', file: 'settings/approval-matrix/approval-matrix.form.json', from: '"ROLE": "role"', to: '"ROLES": "role"', points: '"ROLES"', says: 'did you mean "ROLE"?' },
  { code: 'unknown-entity', file: 'settings/approval-matrix/approval-matrix.form.json', from: '"USER": "app_user"', to: '"USER": "app_users"', points: '"app_users"', says: 'did you mean "app_user"?' },
  { code: 'unknown-field', file: 'settings/approval-matrix/approval-matrix.form.json', from: '"by": "approver_kind"', to: '"by": "aprover_kind"', points: '"aprover_kind"', says: 'did you mean "approver_kind"?' },
  { code: 'section-kind', file: form, from: '"id": "term",', to: '"id": "term",\n      "slot": "CreditGauge",', points: '{\n      "id": "term"', says: 'fields and slot' },
  { code: 'prefers-other', file: 'sales/sales-order/sales-order.form.json', from: '"operating_unit_id.default_warehouse_id"', to: '"operating_unit_id.default_cash_account_id"', points: '"operating_unit_id.default_cash_account_id"', says: 'names a cash_account' },
  { code: 'wrong-closed', file: 'sales/sales-order/sales-order.form.json', from: '"sales-order.detail"', to: '"invoice.detail"', points: '"invoice.detail"', says: 'shows invoice' },
  { code: 'wrong-closed', file: 'sales/sales-order/sales-order.form.json', from: '"transitions": ["submit"]', to: '"transitions": []', points: '"sales-order.detail"', says: 'always edited' },
  { code: 'file-field', file: entity, from: /"name": \{ "type": "text"/, to: '"name": { "file": { "types": "picture", "megabytes": 2 }, "type": "text"', points: '{ "types": "picture"', says: 'attachment' },
  // 11: amounts and totals
  { code: 'wrong-currency', file: 'sales/sales-target/sales-target.entity.json', from: 'company_id.base_currency', to: 'company_id.fiscal_year_start_month', points: '"operating_unit_id.company_id.fiscal_year_start_month"', says: 'a currency is text' },
  { code: 'missing-currency', file: dataset, from: '  "currency": "currency",\n', to: '', points: '{ "type": "money"', says: '"currency"' },
  { code: 'missing-in-books', file: dataset, from: '  "inBooks": { "rate": "rate" },\n', to: '', points: '"currency",', says: '"inBooks"' },
  { code: 'missing-scope', file: dataset, from: '"scope": { "operating_unit": "i.operating_unit_id", ', to: '"scope": { ', points: '{ "territory"', says: '"operating_unit"' },
  { code: 'total-not-additive', file: report, from: '{ "field": "qty", "width": 90 }', to: '{ "field": "qty", "total": "sum" }', points: '"sum"', says: 'may not be added up' },
  { code: 'two-aggregates', file: dataset, from: '"gross": { "type": "money", "adds": "always" }', to: '"gross": { "type": "money", "adds": "always", "agg": "max" }', points: '"max"', says: 'said once' },
  { code: 'unused-key', file: dataset, from: '"gross": { "type": "money", "adds": "always" }', to: '"gross": { "type": "money", "adds": "always", "of": "bill_code" }', points: '"bill_code" },\n    "discount_1"', says: 'countDistinct' },
  { code: 'mixed-measures', file: report, from: '"grain": "day" }, "measures": ["dpp"]', to: '"grain": "day" }, "measures": ["dpp", "qty_base"]', points: '["dpp", "qty_base"]', says: 'money and quantity' },
  { code: 'too-many-measures', file: report, from: '"grain": "day" }, "measures": ["dpp"]', to: '"grain": "day" }, "series": "billing_type", "measures": ["dpp", "gross"]', points: '"billing_type", "measures"', says: 'one measure' },
  { code: 'no-row-value', file: report, from: '"item_code",\n', to: '"invoices",\n', points: '"invoices",\n', says: 'counts rows' },
  { code: 'no-measure', file: report, from: /"columns": \[[\s\S]*?\n {2}\],([\s\S]*?)"measures": \[[^\]]*\],/, to: '"columns": ["bill_code"],$1', points: '[\n    { "field": "bill_date", "grain": "day" }', says: 'measure' },
  { code: 'group-by-id', file: report, from: '"groups": [', to: '"groups": ["customer_id", ', points: '"customer_id", \n', says: 'did you mean "customer_code"?' },
  { code: 'wrong-grain', file: report, from: '"groups": [', to: '"groups": [{ "field": "uom", "grain": "month" }, ', points: '"month" }, \n', says: 'only a date' },
  { code: 'no-time', file: 'credit/customer-limit/customer-limit.report.json', from: '"columns": [', to: '"opens": { "compare": "year" },\n  "columns": [', points: '"year"', says: 'time' },
  { code: 'wrong-describes', file: dataset, from: '"item_name": { "type": "text", "describes": "item_code" }', to: '"item_name": { "type": "text", "describes": "customer_name" }', points: '"customer_name" }', says: 'describes something itself' },
  { code: 'unknown-tile', file: dashboard, from: '"unless": ["top-overdue"]', to: '"unless": ["top-overdu"]', points: '"top-overdu"', says: 'did you mean "top-overdue"?' },
  { code: 'unknown-value', file: 'receivables/ar-aging/ar-aging.dataset.json', from: '"SUMMARY": "customer_code"', to: '"SUMMERY": "customer_code"', points: '"SUMMERY"', says: 'did you mean "SUMMARY"?' },
  { code: 'unknown-dimension', file: 'receivables/ar-aging/ar-aging.dataset.json', from: '"SUMMARY": "customer_code"', to: '"SUMMARY": "customer"', points: '"customer" }', says: 'no dimension' },
  { code: 'unknown-parameter', file: 'receivables/ar-aging/ar-aging.dataset.json', from: '"rowsOf": { "level"', to: '"rowsOf": { "levels"', points: '"levels"', says: 'did you mean "level"?' },
  { code: 'reserved-name', file: dataset, from: '"parameters": {', to: '"parameters": {\n    "across": { "type": "text" },', points: '"across"', says: 'address' },
  { code: 'unused-parameter', file: dataset, from: '"parameters": {', to: '"parameters": {\n    "region": { "type": "text" },', points: '"region"', says: ':region' },
  { code: 'not-a-question', file: sql, from: /^/, to: 'delete from invoice; ', on: dataset, points: '"zdr_bill"', says: 'delete' },
  { code: 'missing-sql', file: sql, from: '', to: '', isGone: true, on: dataset, points: '"zdr_bill"', says: 'zdr-bill.dataset.sql' },
  { code: 'no-place', file: 'routes.json', from: /"screen":"monitoring-coa\.report"/, to: '"screen":"ar-aging.report"', on: dashboard, points: '"monitoring-coa.report"', says: 'no route leads' },
  { code: 'many-values', file: report, from: '"filters": [', to: '"saidBy": ["date_from"],\n  "filters": [', points: '"date_from"],\n  "filters"', says: 'only the values of an enum or a boolean' },
  { code: 'unknown-value', file: report, from: '{ "field": "date_to", ', to: '{ "field": "date_to", "with": { "doc_type": ["AL"] }, ', points: '"AL"', says: 'did you mean "ALL"?' },
  { code: 'no-group', file: dataset, from: '"brand_name": { "type": "text" }', to: '"brand_name": { "type": "longtext" }', on: report, points: '"brand_name", "salesman_name"', says: 'cannot be grouped' },
  { code: 'unknown-tab', file: 'pricing/price-change/price-change.entity.json', from: 'tab=price-changes', to: 'tab=changes', points: '"/master/pricing-management', says: 'price-changes' },
  { code: 'unknown-value', file: 'settings/setting-oms/setting-oms.entity.json', from: '"backorder": ["KEEP"', to: '"backorder": ["KEPT"', points: '"KEPT"', says: 'KEEP' },
  // 12: actions
  { code: 'no-question', file: 'master/customer/customer.workflow.json', from: /"reason": "required",\s*"reasonUsage": "CANCEL",\s*"confirm": true,/, to: '"confirm": false,', points: 'false', says: 'ask first' },
  { code: 'action-kind', file: list, from: '"panel": "payment-term.form", "scope"', to: '"panel": "payment-term.form", "goto": "/home", "scope"', points: '{ "id": "new"', says: 'goto and panel' },
  // 13: texts
  // 14: columns of one importance
  { code: 'no-importance', file: 'settings/approval-matrix/approval-matrix.list.json', from: '"territory_id", "importance": "low"', to: '"territory_id"', points: '[\n    { "field": "code"', says: '13 columns' },
  { code: 'same-label', file: list, from: '{ "field": "is_cod", "width": 80 }', to: '{ "field": "is_cod", "label": "field.is_cash" }', points: '{ "field": "is_cod"', says: 'both called' },
  { code: 'wrong-placeholder', file: 'messages/cn.json', from: /"studio\.deleted": "[^"]*"/, to: '"studio.deleted": "{other}"', points: '"{other}"', says: '{name}' },
  { code: 'wrong-placeholder', file: 'messages/en.json', from: /"export\.n-rows": "[^"]*"/, to: '"export.n-rows": "{n} {n|row}"', points: '"{n} {n|row}"', says: 'word for one' },
]

const files = readSchemaFiles()
const context = contextOfRepository()
const named = (name: string) => files.find((file) => file.path === `schemas/${name}`) ?? expect.fail(`${name} is gone`)

/** Line and column, from 1, of the first place of a text. */
function placeOf(text: string, wanted: string): string {
  const at = text.indexOf(wanted)
  expect(at, `the file contains ${wanted}`).toBeGreaterThanOrEqual(0)
  const before = text.slice(0, at).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

/** The mistakes in handfuls, each in another file: a check takes as long for one as for many. One that is not found beside others, which may hide it, is looked for alone. */
const handfuls = planted.reduce<Planted[][]>((some, one) => {
  const room = some.find((others) => !others.some(({ file }) => file === one.file))
  if (room === undefined) some.push([one])
  else room.push(one)
  return some
}, [])

const checked = new Map<readonly Planted[], readonly Finding[]>()

function textOf({ file, from, to }: Planted): string {
  return named(file).text.replace(from, to)
}

/** What the check says of the files with these mistakes in them. */
function findings(mistakes: readonly Planted[]): readonly Finding[] {
  const known = checked.get(mistakes)
  if (known !== undefined) return known
  const changed = files.flatMap((file) => {
    const mistake = mistakes.find((one) => `schemas/${one.file}` === file.path)
    if (mistake === undefined) return [file]
    return mistake.isGone === true ? [] : [{ path: mistake.renamedTo === undefined ? file.path : `schemas/${mistake.renamedTo}`, text: textOf(mistake) }]
  })
  const found = checkSchemas(changed, context).findings
  checked.set(mistakes, found)
  return found
}

describe('every inspection of the schema files', () => {
  it.each(planted.map((one) => [one.code, one] as const))('%s is found at its place, with what may stand there', (code, mistake) => {
    const { file, points, says, on = file, isGone, renamedTo } = mistake
    const text = textOf(mistake)
    expect(text !== named(file).text || isGone === true || renamedTo !== undefined, 'the mistake is planted').toBe(true)
    const place = placeOf(on === file || renamedTo !== undefined ? text : named(on).text, points)
    const told = (all: readonly Finding[]) => all.filter((finding) => finding.code === code && finding.path === `schemas/${on}`).map(({ line, column, message }) => ({ place: `${line}:${column}`, message }))
    const together = told(findings(handfuls.find((some) => some.includes(mistake)) ?? [mistake]))
    const found = together.find((one) => one.place === place)?.message.includes(says) === true ? together : told(findings([mistake]))
    expect(found.map((one) => one.place)).toContain(place)
    expect(found.find((one) => one.place === place)?.message).toContain(says)
  })

  it('slot-budget is found where one hand-written part too many stands', () => {
    const form = named('access/app-user/user.form.json')
    const [found, ...more] = checkSchemas(files, { ...context, slotBudget: 0 }).findings.filter(({ code }) => code === 'slot-budget')
    expect([found?.path, `${found?.line}:${found?.column}`, more]).toEqual([form.path, placeOf(form.text, '"user-password"'), []])
    expect(found?.message).toContain('package.json allows 0')
  })

  it('has a test that plants what it finds', () => {
    const folders = ['tests/schemas', 'tests/meta', 'tests/server', 'tests/reports']
    const texts = folders.flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts')).map((name) => readFileSync(path.join(root, folder, name), 'utf8')))
    const mistakes = texts.join('\n')
    const untried = Object.keys(findingMeanings).filter((code) => !new RegExp(`(?<![\\w-])${code}(?![\\w-])`).test(mistakes))
    expect(untried).toEqual([])
  })
})
