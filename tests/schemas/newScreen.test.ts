import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { resolve } from '../../src/meta/resolve.ts'
import { checkSchemas, contextOfRepository } from '../../scripts/schemas/checkSchemas.ts'
import { newNoun } from '../../scripts/schemas/newNoun.ts'
import { newScreen, type NewScreen } from '../../scripts/schemas/newScreen.ts'
import { readSchemaFiles, root, sourcesOf } from '../../scripts/schemas/readSources.ts'

let copy = ''
beforeEach(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'arus-new-'))
  cpSync(path.join(root, 'schemas'), path.join(copy, 'schemas'), { recursive: true })
})
afterEach(() => rmSync(copy, { recursive: true }))

const context = contextOfRepository()
const written = () => readSchemaFiles(path.join(copy, 'schemas'), copy)
const sourcesNow = () => sourcesOf(readSchemaFiles(path.join(copy, 'schemas'), copy)).sources
const findings = () => checkSchemas(readSchemaFiles(path.join(copy, 'schemas'), copy), context).findings.map(({ path: file, code, message }) => `${file} ${code} ${message}`)

/** Findings the new files bring. */
function broughtBy(wanted: NewScreen): readonly string[] {
  const before = findings()
  const result = newScreen(copy, wanted)
  expect(result).toHaveProperty('files')
  return findings().filter((finding) => !before.includes(finding))
}

describe('npm run new for screens', () => {
  it('writes a report over each dataset that passes the check and resolves', () => {
    const before = findings()
    const datasets = sourcesNow().dataset.map(({ value }) => value.id)
    for (const [i, of] of datasets.entries()) {
      const titles = { en: `Second look ${i}`, cn: `再看 ${i}`, id: `Lihat lagi ${i}` }
      expect(newScreen(copy, { kind: 'report', area: 'sales', noun: `second-look-${i}`, of, titles })).toHaveProperty('files')
    }
    expect(findings().filter((finding) => !before.includes(finding))).toEqual([])
    const { metadata, problems } = resolve(sourcesNow())
    expect(problems).toEqual([])
    expect(datasets.map((_, i) => metadata.screens[`second-look-${i}.report`])).toEqual(datasets.map((dataset) => expect.objectContaining({ kind: 'report', dataset })))
    expect(metadata.routes.find((route) => route.screen === 'second-look-0.report')?.path).toBe('/report/second-look-0')
    expect(readFileSync(path.join(copy, 'schemas/messages/id.json'), 'utf8')).toContain('"screen.second-look-0.report": "Lihat lagi 0"')
  })

  it('opens the groups of a report with masters, never with numbers of documents', () => {
    const groupsOf = (of: string): readonly unknown[] => {
      expect(newScreen(copy, { kind: 'report', area: 'sales', noun: `grouped-${of.replaceAll('_', '-')}`, of })).toHaveProperty('files')
      return sourcesNow().report.find(({ value }) => value.id === `grouped-${of.replaceAll('_', '-')}.report`)?.value.groups ?? []
    }
    expect(groupsOf('zdr_bill')).toEqual(['customer_code', 'operating_unit_code', 'territory_code', 'sales_channel_code', 'salesman_name', 'item_code', 'principal_name', 'brand_name', { field: 'bill_date', grain: 'month' }])
    // Those with the most numbers of documents; every other dataset is scaffolded above.
    for (const of of ['payment', 'so_do_gi_bill', 'journal_line_item', 'bank_statement_report']) expect(groupsOf(of).join()).not.toMatch(/\b(so|do|gi|bill|doc|payment|journal|statement|clearing)_code\b/)
  })

  it('writes a list over an entity that has none, and the form that list opens', () => {
    const { entity, list } = sourcesNow()
    const bare = entity.find(({ value }) => value.base === 'master' && !list.some((one) => one.value.entity === value.id) && Object.keys(value.fields).length > 1)?.value.id ?? ''
    expect(bare).not.toBe('')
    expect(broughtBy({ kind: 'list', area: 'master', noun: 'bare-thing', of: bare })).toEqual([])
    expect(broughtBy({ kind: 'form', area: 'master', noun: 'bare-thing', of: bare })).toEqual([])
    expect(resolve(sourcesNow()).metadata.screens['bare-thing.list']).toMatchObject({ panel: 'bare-thing.form', actions: expect.arrayContaining([expect.objectContaining({ id: 'new', does: { kind: 'panel', screen: 'bare-thing.form' } })]) })
  })

  it('writes a dataset, and a report over it', () => {
    expect(broughtBy({ kind: 'dataset', area: 'sales', noun: 'loyal-customer' }).filter((finding) => !finding.includes('unused-dataset'))).toEqual([])
    expect(broughtBy({ kind: 'report', area: 'sales', noun: 'loyal-customer', of: 'loyal_customer' })).toEqual([])
  })

  it('refuses what is not there, with what is meant, and writes nothing', () => {
    const before = written()
    expect(newScreen(copy, { kind: 'report', area: 'sales', noun: 'x-look', of: 'ar_agin' })).toEqual({ refused: expect.stringContaining('did you mean "ar_aging"?') })
    expect(newScreen(copy, { kind: 'list', area: 'sales', noun: 'x-look', of: 'custmer' })).toEqual({ refused: expect.stringContaining('did you mean "customer"?') })
    expect(newScreen(copy, { kind: 'report', area: 'receivables', noun: 'ar-aging', of: 'ar_aging' })).toHaveProperty('refused')
    expect(newScreen(copy, { kind: 'report', area: 'sales', noun: 'x-look', of: 'ar_aging', path: '/report/ar-aging' })).toEqual({ refused: '/report/ar-aging is already served.' })
    expect(newScreen(copy, { kind: 'report', area: 'Sales', noun: 'x', of: 'ar_aging' })).toHaveProperty('refused')
    expect(newScreen(copy, { kind: 'report', area: 'sales', noun: 'x-look', of: 'ar_aging', path: 'report/x' })).toEqual({ refused: 'A path begins with "/": --path /report/x' })
    expect(newNoun(copy, { area: 'sales', noun: 'x-look', path: 'x-look' })).toEqual({ refused: 'A path begins with "/": --path /x-look' })
    expect(newScreen(copy, { kind: 'list', area: 'sales', noun: 'x-look' })).toEqual({ refused: '--of names the entity.' })
    expect(written()).toEqual(before)
  })
})
