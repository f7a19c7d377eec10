import { describe, expect, it } from 'vitest'
import { addressNow, conditionNow, keysNow, nameNow, reportTextNow } from '#meta/renames.ts'

const renames = { brand: 'brand_name', posted: 'bill_date', from: 'date_from' }

describe('what was kept under names a dataset has given up', () => {
  it('goes on under those of today, steps of days included', () => {
    expect(['brand', 'posted:month', 'dpp', 'constructor'].map((name) => nameNow(renames, name))).toEqual(['brand_name', 'bill_date:month', 'dpp', 'constructor'])
    expect(keysNow(renames, { from: '2026-01-01', date_to: '2026-02-01' })).toEqual({ date_from: '2026-01-01', date_to: '2026-02-01' })
    expect(nameNow(undefined, 'brand')).toBe('brand')
  })

  it('in conditions wherever a field is named, and never in what it is compared with', () => {
    expect(conditionNow(renames, { all: [{ brand: { eq: 'brand' } }, { any: [{ posted: { ge: '2026-01-01' }, dpp: { gt: '0' } }, { not: { brand: 'x' } }] }] })).toEqual({
      all: [{ brand_name: { eq: 'brand' } }, { any: [{ bill_date: { ge: '2026-01-01' }, dpp: { gt: '0' } }, { not: { brand_name: 'x' } }] }],
    })
  })

  it('in an address: filters, groups, order, parameters', () => {
    const query = new URLSearchParams('by=brand,posted:month&across=none&s=-brand,dpp&f.brand=eq:"brand"&from=2026-01-01&q=brand&p=2')
    const moved = addressNow(renames, query)
    expect(new URLSearchParams(moved?.query).toString()).toBe(new URLSearchParams('by=brand_name,bill_date:month&across=none&s=-brand_name,dpp&f.brand_name=eq:"brand"&date_from=2026-01-01&q=brand&p=2').toString())
    expect(moved?.old.toSorted()).toEqual(['brand', 'from', 'posted'])
    expect(addressNow(renames, new URLSearchParams('by=brand_name&q=brand'))).toBeUndefined()
    expect(addressNow(undefined, query)).toBeUndefined()
  })

  it('in the text of a report, whose order, spacing and keys stay', () => {
    const text = '{\n  "dataset": "sales",  "columns": ["brand", { "field":"posted" }],\n  "from": "x \\"brand\\""\n}'
    expect(reportTextNow(renames, text)).toEqual({ text: '{\n  "dataset": "sales",  "columns": ["brand_name", { "field":"bill_date" }],\n  "from": "x \\"brand\\""\n}', old: ['brand', 'posted'] })
    expect(reportTextNow(undefined, text)).toEqual({ text, old: [] })
  })
})
