import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { added, blank, compareOf, type Composed, composedIn, mayStand, moved, placedOn, removed, textOf, withChart, withCompare, withGrain } from '#meta/authoring/compose.ts'
import { menuWith } from '#meta/authoring/fileEdits.ts'
import { checkDraft, draftWorldOf } from '#meta/authoring/draft.ts'
import { type Called, understand, type Vocabulary } from '#meta/authoring/question.ts'
import { readSchemaFiles, root } from '../../scripts/schemas/readSources.ts'

const column = (name: string, type = 'text') => ({ name, type })

describe('composing a report', () => {
  const start = blank('brand-sales.report', 'zdr_bill', [{ field: 'date_from', default: { now: 'month-start' } }])
  const names = (report: Composed, shelf: Parameters<typeof placedOn>[1]) => placedOn(report, shelf).map(({ name, grain }) => (grain === undefined ? name : `${name}:${grain}`))

  it('a row brings its group and its column, a day comes in months, a measure comes with its column', () => {
    const report = added(added(added(start, 'rows', column('brand_name')), 'across', column('bill_date', 'date')), 'measures', column('dpp', 'money'))
    expect(report).toEqual({
      ...start,
      columns: ['brand_name', 'bill_date', 'dpp'], groups: ['brand_name'], across: [{ field: 'bill_date', grain: 'month' }], measures: ['dpp'],
      opens: { rows: ['brand_name'], across: { field: 'bill_date', grain: 'month' } },
    })
    expect(Object.keys(report)).toEqual(['$schema', 'kind', 'id', 'dataset', 'parameters', 'columns', 'groups', 'across', 'measures', 'opens'])
  })

  it('nothing stands on a shelf twice, and of four rows the last three stay', () => {
    const rows = ['a', 'b', 'c', 'd'].reduce((report, name) => added(report, 'rows', column(name)), added(start, 'filters', column('a')))
    expect(names(added(rows, 'rows', column('d')), 'rows')).toEqual(['b', 'c', 'd'])
    expect(names(added(rows, 'filters', column('a')), 'filters')).toEqual(['a'])
  })

  it('is moved and removed; what no longer groups leaves no opening behind', () => {
    const rows = ['a', 'b', 'c'].reduce((report, name) => added(report, 'rows', column(name)), start)
    expect(names(moved(rows, 'rows', 2, 0), 'rows')).toEqual(['c', 'a', 'b'])
    expect(moved(rows, 'rows', 0, 3)).toBe(rows)
    const empty = removed(removed(removed(withCompare(rows, 'year'), 'rows', 0), 'rows', 0), 'rows', 0)
    expect(empty['opens']).toBeUndefined()
    expect(names(moved(rows, 'columns', 0, 1), 'columns')).toEqual(['b', 'a', 'c'])
  })

  it('rows are not sorted by a column that is gone', () => {
    const sorted = { ...added(added(start, 'columns', column('a')), 'columns', column('b')), sort: [{ field: 'a', dir: 'asc' }, { field: 'b', dir: 'desc' }] }
    expect(removed(sorted, 'columns', 0)['sort']).toEqual([{ field: 'b', dir: 'desc' }])
  })

  it('steps of days, the earlier period and the chart', () => {
    const report = added(added(start, 'rows', column('bill_date', 'date')), 'measures', column('dpp', 'money'))
    expect(names(withGrain(report, 'rows', 0, 'quarter'), 'rows')).toEqual(['bill_date:quarter'])
    expect(compareOf(withCompare(report, 'year'))).toBe('year')
    expect(withChart(report, true)['chart']).toEqual({ type: 'bar', by: { field: 'bill_date', grain: 'month' }, measures: ['dpp'], top: 10 })
    expect(withChart(report, true)['opens']).toEqual({ rows: [{ field: 'bill_date', grain: 'month' }], show: 'both' })
    expect(withChart(withChart(report, true), false)).toEqual(report)
    expect(withChart(start, true)['chart']).toBeUndefined()
  })

  it('offers each column the places where it can stand', () => {
    const places = (offered: Parameters<typeof mayStand>[1], isMeasure: boolean) => (['rows', 'across', 'measures', 'columns', 'filters'] as const).filter((shelf) => mayStand(shelf, offered, isMeasure))
    expect(places(column('brand_name'), false)).toEqual(['rows', 'across', 'columns', 'filters'])
    expect(places(column('customer_id', 'ref'), false)).toEqual(['columns', 'filters'])
    expect(places({ name: 'dpp', type: 'money', isColumn: true, additive: true }, true)).toEqual(['measures', 'columns', 'filters'])
    expect(places({ name: 'qty', type: 'quantity', isColumn: true, additive: false }, true)).toEqual(['columns', 'filters'])
    expect(places({ name: 'invoices', type: 'integer', isColumn: false, additive: true }, true)).toEqual(['measures'])
  })

  it('takes any JSON for what it is, and no text that is none', () => {
    expect(composedIn('{ "columns": 3, "opens": [] }')).toEqual({ columns: 3, opens: [] })
    expect(placedOn({ columns: 3, opens: [], filters: [null, 4, { grain: 'month' }, 'a'] }, 'filters')).toEqual([{ name: 'a' }])
    expect(placedOn({ columns: 3, opens: [] }, 'rows')).toEqual([])
    for (const text of ['', '[1]', 'null', '{', '3']) expect(composedIn(text)).toBeUndefined()
  })
})

describe('a question in words', () => {
  const called = (name: string, words: readonly string[], type = 'text', more: Partial<Called> = {}): Called => ({ name, type, words, ...more })
  const sales: Vocabulary = {
    dataset: 'zdr_bill', hasPeriod: true,
    dimensions: [called('brand_name', ['Brand', '品牌', 'merek']), called('customer_code', ['customer', 'outlet']), called('bill_date', ['bill date'], 'date'), called('salesman_name', ['Salesman'])],
    measures: [called('dpp', ['Tax base', 'net sales', '净销售额', 'penjualan bersih'], 'money'), called('margin', ['gross profit'], 'money')],
  }
  const stock: Vocabulary = { dataset: 'stock', hasPeriod: false, dimensions: [called('brand_name', ['Brand']), called('warehouse_code', ['Warehouse'])], measures: [called('on_hand', ['stock on hand'], 'quantity')] }
  const asked = (question: string) => {
    const found = understand(question, [stock, sales], '2026-11-27')
    return found && [found.dataset, found.measures.map(({ name }) => name).join(' '), found.rows.map(({ name }) => name).join(' '), found.across && `${found.across.column.name}:${found.across.grain}`, found.compare, found.hasChart, found.left.join(' ')]
  }

  it('gives measure, row and column', () => {
    expect(asked('net sales per brand and month')).toEqual(['zdr_bill', 'dpp', 'brand_name', 'bill_date:month', undefined, false, ''])
    expect(asked('Net sales and gross profit by customer, salesman')).toEqual(['zdr_bill', 'dpp margin', 'customer_code salesman_name', undefined, undefined, false, ''])
  })

  it('compares with last year and draws, when told so', () => {
    expect(asked('net sales per brand and month against the same month last year, with a chart')).toEqual(['zdr_bill', 'dpp', 'brand_name', 'bill_date:month', 'year', true, ''])
  })

  it('forgives slips in long words and the plural, in short words none', () => {
    expect(asked('net slaes per brands and month')?.slice(0, 4)).toEqual(['zdr_bill', 'dpp', 'brand_name', 'bill_date:month'])
    expect(asked('net sales per bran')?.at(-1)).toBe('bran')
  })

  it('goes to the dataset that understands most, and says what nobody knew', () => {
    expect(asked('stock on hand per brand')?.[0]).toBe('stock')
    expect(asked('net sales per brand and moonphase')?.at(-1)).toBe('moonphase')
    expect(asked('the weather tomorrow')).toBeUndefined()
    expect(asked('')).toBeUndefined()
  })

  const monthEnd = { now: 'last-month-end' }
  const lastMonth = { from: { now: 'last-month-start' }, to: monthEnd }
  it.each([
    ['net sales per customer as of end of last month', { to: monthEnd }],
    ['net sales per customer as of the end of last month', { to: monthEnd }],
    ['net sales per customer at last month end', { to: monthEnd }],
    ['net sales per customer as at month-end', { to: monthEnd }],
    ['net sales per customer, end of last month', { to: monthEnd }],
    ['penjualan bersih per outlet per akhir bulan lalu', { to: monthEnd }],
    ['截至上个月底的净销售额', { to: monthEnd }],
    ['net sales per customer as of last month', { to: monthEnd }],
    ['net sales per customer last month', lastMonth],
    ['net sales per customer in the previous month', lastMonth],
    ['penjualan bersih bulan lalu per outlet', lastMonth],
    ['上月净销售额', lastMonth],
    ['net sales per customer this month', { from: { now: 'month-start' }, to: { now: 'date' } }],
    ['net sales per customer as of today', { to: { now: 'date' } }],
    ['net sales yesterday', { from: { now: 'yesterday' }, to: { now: 'yesterday' } }],
    ['net sales year to date', { from: { now: 'year-start' }, to: { now: 'date' } }],
    ['net sales since the beginning of the year', { from: { now: 'year-start' }, to: { now: 'date' } }],
    ['net sales last week', { from: '2026-11-16', to: '2026-11-22' }],
    ['net sales last quarter', { from: '2026-07-01', to: '2026-09-30' }],
    ['net sales as of end of last quarter', { to: '2026-09-30' }],
    ['net sales as of end of last year', { to: '2025-12-31' }],
    ['net sales as of 31/10/2026', { to: '2026-10-31' }],
    ['net sales as of 2026-10-31', { to: '2026-10-31' }],
    ['net sales as of 31 October 2026', { to: '2026-10-31' }],
    ['penjualan bersih per 31 Oktober 2026', { to: '2026-10-31' }],
    ['截至2026年10月31日的净销售额', { to: '2026-10-31' }],
    ['net sales as of end of October', { to: '2026-10-31' }],
    ['net sales in December', { from: '2025-12-01', to: '2025-12-31' }],
    ['net sales in October 2026', { from: '2026-10-01', to: '2026-10-31' }],
    ['net sales from 1/10/2026 to 15/10/2026', { from: '2026-10-01', to: '2026-10-15' }],
    ['net sales 01/10/2026 - 15/10/2026', { from: '2026-10-01', to: '2026-10-15' }],
    ['net sales in 2025', { from: '2025-01-01', to: '2025-12-31' }],
    ['net sales per customer and month', undefined],
    ['net sales per customer and month against last year', undefined],
  ])('the days of "%s" are %j', (question, days) => {
    const found = understand(question, [stock, sales], '2026-11-27')
    expect([found?.dataset, found?.measures.map(({ name }) => name), found?.days, found?.left]).toEqual(['zdr_bill', ['dpp'], days, []])
    if (days !== undefined) expect(found?.across).toBeUndefined()
  })

  it('days that something is held against are an earlier period; days a dataset knows nothing of are said', () => {
    const compare = (question: string) => understand(question, [sales], '2026-11-27')?.compare
    expect(['net sales against last month', 'net sales this month compared to last month', 'net sales versus last quarter', 'net sales per brand last month'].map(compare)).toEqual(['month', 'month', 'quarter', undefined])
    expect(understand('net sales this month compared to last month', [sales], '2026-11-27')?.days).toEqual({ from: { now: 'month-start' }, to: { now: 'date' } })
    expect(asked('stock on hand per brand as of end of last month')?.at(-1)).toBe('as of end of last month')
    expect(asked('net sales as of 31/02/2026')?.at(-1)).not.toBe('')
  })

  it('speaks Chinese and Indonesian', () => {
    expect(asked('按品牌和月份的净销售额')?.slice(0, 4)).toEqual(['zdr_bill', 'dpp', 'brand_name', 'bill_date:month'])
    expect(asked('penjualan bersih per merek dan bulan')?.slice(0, 4)).toEqual(['zdr_bill', 'dpp', 'brand_name', 'bill_date:month'])
  })
})

describe('a draft held against the schema files', () => {
  const world = draftWorldOf(readSchemaFiles())
  const file = fs.readFileSync(path.join(root, 'schemas/billing/zdr-bill/zdr-bill.report.json'), 'utf8')
  const draft = file.replace('"zdr-bill.report"', '"my-bill.report"')
  const found = (text: string) => checkDraft(world, text).findings.map(({ line, column: at, code }) => `${line}:${at} ${code}`)

  it('a published report under an id of its own has no findings and becomes a screen', () => {
    const { findings, report } = checkDraft(world, draft)
    expect(findings).toEqual([])
    expect(report?.screen).toMatchObject({ kind: 'report', id: 'my-bill.report', dataset: 'zdr_bill', guard: 'report-zdr-bill-view' })
  })

  it('says place, code and what may be meant, exactly as the check of the repository', () => {
    const wrong = draft.replace('"brand_name"', '"brand_nam"')
    const place = wrong.slice(0, wrong.indexOf('"brand_nam"')).split('\n')
    const [finding] = checkDraft(world, wrong).findings
    expect(finding).toMatchObject({ line: place.length, column: (place.at(-1)?.length ?? 0) + 1, severity: 'error' })
    expect(finding?.message).toContain('did you mean "brand_name"?')
    expect(checkDraft(world, wrong).report).toBeUndefined()
  })

  it('an id that another kind of screen has, broken JSON, a wrong type, too deep a nest', () => {
    // That of another report is no mistake: the draft is a change of it.
    expect(found(file)).toEqual([])
    expect(found(draft.replace('my-bill.report', 'sales-order.list'))).toEqual([expect.stringMatching(/duplicate-id$/)])
    expect(found('{ "kind": "report", ')[0]).toMatch(/^1:\d+ json-syntax$/)
    expect(found(draft.replace('"zdr_bill"', '7'))[0]).toMatch(/wrong-type$/)
    expect(found(`{"kind":\n${'['.repeat(5_000)}`)).toEqual(['2:40 too-deep'])
    expect(found('"{[{["')[0]).toMatch(/wrong-type$/)
    expect(found('')).toHaveLength(1)
  })

  it('names no SQL, no prototype, no link out of the house', () => {
    expect(found(draft.replace('"dataset": "zdr_bill"', '"dataset": "zdr_bill; drop table app_user"'))[0]).toMatch(/unknown-dataset$/)
    expect(found(draft.replace('"dataset": "zdr_bill"', '"dataset": "zdr_bill", "sql": "select 1"'))[0]).toMatch(/unknown-key$/)
    expect(found(draft.replace('"kind": "report"', '"kind": "report", "__proto__": { "guard": "always" }'))[0]).toMatch(/unknown-key$/)
    expect(found(draft.replace('"kind": "report"', '"kind": "report", "drill": "//evil.example/{InvoiceID}"'))[0]).toMatch(/unknown-path|duplicate/)
    expect(found(draft.replace('"dataset": "zdr_bill"', '"dataset": "constructor"'))[0]).toMatch(/unknown-dataset$/)
  })

  it('what is composed is written as the formatter writes files', () => {
    expect(textOf(composedIn(draft) ?? {}).endsWith('}\n')).toBe(true)
    expect(JSON.parse(textOf(composedIn(draft) ?? {}))).toEqual(JSON.parse(draft))
  })
})

describe('a menu entry', () => {
  const menu = '[\n  {\n    "name": "Sales", "icon": "cart",\n    "submenu": [\n      {"name":"Reports","url":"/sales","guard":"a"}\n    ]\n  },\n  {\n    "name": "Reports", "icon": "chart",\n    "submenu": [\n    ]\n  }\n]\n'
  const entry = { name: 'Cost in $$ and $& [net]', url: '/report/cost', guard: 'b' }

  it('stands last in its group, whatever it is called and whatever else bears the name of the group', () => {
    const after = JSON.parse(menuWith(menu, 'Reports', entry.name, entry.guard, entry.url))
    expect(after).toEqual(JSON.parse(menu).with(1, { name: 'Reports', icon: 'chart', submenu: [entry] }))
    expect(JSON.parse(menuWith(JSON.stringify(after), 'Reports', 'More', 'c', '/more'))[1].submenu).toEqual([entry, { name: 'More', url: '/more', guard: 'c' }])
  })

  it('brings its group where there is none', () => {
    const after = menuWith(menu, 'Costs', entry.name, entry.guard, entry.url)
    expect(JSON.parse(after)).toEqual([...JSON.parse(menu), { name: 'Costs', icon: 'file', submenu: [entry] }])
    expect(after.startsWith(menu.trimEnd().slice(0, -2))).toBe(true)
  })
})

describe('a published report', () => {
  it('is a patch that git applies and the check passes', async () => {
    const { published } = await import('#meta/authoring/proposal.ts')
    const { patchOf } = await import('#server/studio/patch.ts')
    const { checkSchemas, contextOfRepository } = await import('../../scripts/schemas/checkSchemas.ts')
    const before = readSchemaFiles()
    const source = composedIn(fs.readFileSync(path.join(root, 'schemas/billing/zdr-bill/zdr-bill.report.json'), 'utf8')) ?? {}
    const texts = { en: 'Brand sales for "tests"', cn: '品牌销售', id: 'Penjualan merek' }
    const written = published(before, {
      report: { ...(source as unknown as Parameters<typeof published>[1]['report']), id: 'brand-sales-test.report' },
      area: 'sales', path: '/report/brand-sales-test', group: 'Reports', guard: 'report-zdr-bill-view', title: texts, sentence: texts,
      tile: { dashboard: 'dashboard', type: 'chart', measure: 'dpp', by: 'brand_name', title: texts },
    })
    expect(written.map((file) => file.path)).toContain('schemas/home/dashboard/dashboard.dashboard.json')
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'studio-'))
    try {
      fs.cpSync(path.join(root, 'schemas'), path.join(folder, 'schemas'), { recursive: true })
      const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
      git('init', '-q')
      fs.writeFileSync(path.join(folder, 'new.patch'), written.map((file) => patchOf(before.find((one) => one.path === file.path), file)).join(''))
      git('apply', '--check', '--whitespace=error', 'new.patch')
      git('apply', 'new.patch')
      const after = readSchemaFiles(path.join(folder, 'schemas'), folder)
      for (const file of written) expect(after.find((one) => one.path === file.path)?.text).toBe(file.text)
      const { findings, own } = checkSchemas(after, contextOfRepository())
      expect(findings).toEqual(checkSchemas(before, contextOfRepository()).findings)
      expect(own).toBe(checkSchemas(before, contextOfRepository()).own + 1)
    } finally {
      fs.rmSync(folder, { recursive: true, force: true })
    }
  })
})
