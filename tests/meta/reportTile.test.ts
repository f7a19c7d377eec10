import { describe, expect, it } from 'vitest'
import type { ReportSource } from '#generated/language.ts'
import { dashboardWith, freeTileId, tileOf } from '#meta/authoring/reportTile.ts'

const report = { kind: 'report', id: 'brand-sales.report', dataset: 'zdr_bill', columns: ['brand_name', 'dpp'], opens: { rows: ['brand_name'], compare: 'year' } } satisfies ReportSource
const dashboard = `{
  "kind": "dashboard",
  "id": "home",
  "tiles": [
    { "id": "a", "type": "approvals",   "size": "small" },
    {
      "id": "brand-sales",
      "type": "kpi", "from": { "list": "sales-order.list", "where": { "note": "]} \\" {" } }
    }
  ]
}
`

describe('a tile of a report', () => {
  it('is a chart, a list or a figure, compared as the report opens', () => {
    expect(tileOf({ dashboard: 'home', type: 'chart', measure: 'dpp', by: 'brand_name' }, 't', report)).toEqual({
      id: 't', type: 'chart', size: 'wide', from: { report: 'brand-sales.report', compare: 'year' }, chart: { type: 'bar', by: 'brand_name', measures: ['dpp'], top: 10 },
    })
    expect(tileOf({ dashboard: 'home', type: 'chart', measure: 'dpp', by: 'bill_date:month' }, 't', { ...report, chart: { type: 'line', by: 'bill_date', measures: ['dpp'] } })).toMatchObject({
      chart: { type: 'line', by: { field: 'bill_date', grain: 'month' }, measures: ['dpp'] },
    })
    expect(tileOf({ dashboard: 'home', type: 'list', measure: 'dpp', by: 'brand_name' }, 't', { ...report, opens: { rows: ['brand_name'] } })).toEqual({
      id: 't', type: 'list', from: { report: 'brand-sales.report' }, by: 'brand_name', measures: ['dpp'], top: 10,
    })
    expect(tileOf({ dashboard: 'home', type: 'kpi', measure: 'dpp', by: '' }, 't', report)).toEqual({ id: 't', type: 'kpi', from: { report: 'brand-sales.report', measure: 'dpp' }, compare: 'year' })
  })

  it('stands at the end of its dashboard, and nothing else of the file changes', () => {
    const written = dashboardWith(dashboard, tileOf({ dashboard: 'home', type: 'kpi', measure: 'dpp', by: '' }, freeTileId(JSON.parse(dashboard), 'brand-sales'), report))
    expect(written).toBe(dashboard.replace('    }\n  ]\n', '    },\n    { "id": "brand-sales-2", "type": "kpi", "from": { "report": "brand-sales.report", "measure": "dpp" }, "compare": "year" }\n  ]\n'))
    expect(JSON.parse(written).tiles.map(({ id }: { id: string }) => id)).toEqual(['a', 'brand-sales', 'brand-sales-2'])
  })
})
