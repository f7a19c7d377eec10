import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { explanationAt, type Help, suggestionsAt } from '#meta/authoring/complete.ts'
import { root } from '../../scripts/schemas/readSources.ts'

const read = (name: string) => JSON.parse(fs.readFileSync(path.join(root, 'src/generated/editor', `${name}.schema.json`), 'utf8'))
const lists: Readonly<Record<string, readonly string[]>> = { dataset: ['zdr_bill', 'ar_aging'], 'columns.zdr_bill': ['brand_name', 'bill_date', 'dpp'], 'dimensions.zdr_bill': ['brand_name', 'bill_date'], 'measures.zdr_bill': ['dpp', 'margin'], 'parameters.zdr_bill': ['date_from'], 'columns.ar_aging': ['remaining'] }
const help: Help = { schema: read('report'), common: read('common').definitions, names: (list) => (lists[list] ?? []).map((name) => ({ name, about: `About ${name}` })) }

/** `|` is the cursor. */
const at = (marked: string) => {
  const offset = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = suggestionsAt(help, text, offset)
  return { labels: found?.options.map(({ label }) => label), replaced: found === undefined ? undefined : text.slice(found.from, found.to), options: found?.options }
}
const report = (inside: string) => `{\n  "kind": "report",\n  "id": "x.report",\n  "dataset": "zdr_bill",\n  ${inside}\n}\n`

describe('what may stand at the cursor in a report', () => {
  it('keys that are not there yet, with what they mean', () => {
    const { labels, options } = at(report('|'))
    expect(labels).toEqual(expect.arrayContaining(['columns', 'groups', 'opens', 'chart']))
    expect(labels).not.toEqual(expect.arrayContaining(['dataset']))
    expect(options?.find(({ label }) => label === 'columns')).toEqual({ text: '"columns"', label: 'columns', about: 'Dimensions and measures shown.', isKey: true })
    expect(at(report('"gro|"')).labels?.slice(0, 2)).toEqual(['groupBy', 'groups'])
    expect(at(report('"opens": { "|" }')).labels?.toSorted()).toEqual(['across', 'compare', 'draw', 'rows', 'show'])
    expect(at(report('"chart": { "type": "bar", |')).labels).toEqual(expect.arrayContaining(['by', 'measures', 'top']))
  })

  it('datasets, and the names of the one the file says', () => {
    expect(at('{ "kind": "report",\n  "dataset": "|" }').labels).toEqual(['zdr_bill', 'ar_aging'])
    expect(at(report('"columns": ["brand_name", "|"]')).labels).toEqual(['bill_date', 'dpp'])
    expect(at(report('"columns": ["brand_name", |]')).labels).toEqual(['bill_date', 'dpp'])
    expect(at(report('"columns": [{ "field": "b|" }]')).labels).toEqual(['brand_name', 'bill_date', 'dpp'])
    expect(at(report('"measures": ["|"')).labels).toEqual(['dpp', 'margin'])
    expect(at(report('"chart": { "by": "|" }')).labels).toEqual(expect.arrayContaining(['brand_name', 'bill_date']))
    expect(at('{\n  "dataset": "ar_aging",\n  "columns": ["|"]\n}').labels).toEqual(['remaining'])
  })

  it('choices of the language, and what is replaced by one', () => {
    expect(at(report('"opens": { "show": "b|o" }'))).toMatchObject({ labels: ['both', 'table'], replaced: '"bo"' })
    expect(at(report('"columns": [{ "field": "dpp", "hidden": tr| }]')).labels).toEqual(['true'])
    expect(at(report('"columns": [{ "field": "dpp", "importance": "|" }]')).labels).toEqual(['high', 'medium', 'low'])
    expect(at(report('"columns": ["dp|p"]')).replaced).toBe('"dpp"')
  })

  it('nothing where nothing is known, and outside', () => {
    expect([at(report('"id2": "|"')).labels, at('|').labels, at('"|').labels]).toEqual([undefined, undefined, undefined])
  })
})

describe('what stands at the cursor', () => {
  const said = (marked: string) => explanationAt(help, marked.replace('|', ''), marked.indexOf('|'))?.text
  it('is explained: keys by the language, names by their labels', () => {
    expect(said(report('"gro|ups": ["brand_name"]'))).toContain('grouped by at run time')
    expect(said(report('"groups": ["brand|_name"]'))).toBe('About brand_name')
    expect(said(report('"groups": ["stran|ger"]'))).toBeUndefined()
    expect(said(report('"groups": |["x"]'))).toBeUndefined()
  })
})
