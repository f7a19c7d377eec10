import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { shapesOf } from '../../scripts/schemas/checkSchemas.ts'
import { root } from '../../scripts/schemas/readSources.ts'
import { SampleServer } from '../catalogue/answers.ts'
import { catalogueFiles, pages, readCatalogue } from '../catalogue/catalogue.ts'

describe('the catalogue of the kinds', () => {
  const catalogue = readCatalogue()
  const server = new SampleServer(catalogue.metadata)
  const ask = (call: string, method = 'GET', body?: unknown) => {
    const url = new URL(call, 'http://localhost')
    return server.answer({ method, path: url.pathname, query: url.searchParams, body }) as Record<string, never>
  }

  it('is written in the language and resolves', () => {
    const findings = shapesOf(catalogueFiles()).findings.filter((finding) => finding.path.startsWith('tests/'))
    expect([findings, catalogue.problems]).toEqual([[], []])
    expect(Object.values(pages).filter((screen) => catalogue.screens[screen] === undefined)).toEqual([])
  })

  it('shows the same every time', () => {
    const again = new SampleServer(readCatalogue().metadata)
    for (const call of ['/api/v1/data/sample-order?length=25&totals=amount', '/api/v1/data/sample-order/4', '/api/v1/report/sample.report', '/api/v1/approval/sample_order/submit']) {
      const url = new URL(call, 'http://localhost')
      expect(again.answer({ method: 'GET', path: url.pathname, query: url.searchParams, body: undefined }), call).toEqual(ask(call))
    }
  })

  it('answers what its pages ask: filters, totals, groups, codes, saving', () => {
    const late = encodeURIComponent(JSON.stringify({ status: 0 }))
    expect(ask(`/api/v1/data/sample-order?filter=${late}&totals=amount&length=5`)).toMatchObject({ recordsTotal: 17, totals: { amount: '101500000.00' } })
    expect(ask('/api/v1/data/sample-order/groups?by=status&totals=amount')['groupsTotal']).toBe(5)
    expect(ask('/api/v1/lookup/sample_partner/resolve', 'POST', { codes: ['sp-1003', 'none'] })).toMatchObject({ records: [{ ID: 3 }, null] })
    expect(ask('/api/v1/data/sample-order/4', 'PUT', { Name: 'New' })).toMatchObject({ record: { ID: 4, Name: 'New', Version: 2 } })
    expect(ask('/api/v1/data/sample-order/4')).toMatchObject({ record: { Name: 'New' } })
  })

  it('is in no build', () => {
    const assets = path.join(root, 'dist/client/assets')
    if (!existsSync(assets)) return
    expect(readdirSync(assets).filter((name) => name.startsWith('CataloguePage') || (name.endsWith('.js') && readFileSync(path.join(assets, name), 'utf8').includes('studio/catalogue')))).toEqual([])
  })
})
