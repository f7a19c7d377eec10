import { describe, expect, it } from 'vitest'
import { explain, screenNamed, suggestion } from '../../scripts/explain.ts'
import { readSchemaFiles, sourcesOf } from '../../scripts/schemas/readSources.ts'
import { placesOf } from '../../scripts/schemas/origins.ts'
import { traced } from '../../src/meta/origins.ts'
import { filePath } from '../../src/meta/variants.ts'
import { resolve } from '../../src/meta/resolve.ts'

const files = readSchemaFiles()
const { sources } = sourcesOf(files)
const { metadata } = traced(() => resolve(sources))

describe('what npm run explain prints', () => {
  const form = sources.form.find(({ value }) => value.id === 'payment-received.form')
  const lines = form === undefined ? [] : explain(metadata.screens['payment-received.form'] ?? {}, { file: form.path, at: [], value: form.value }, sources.messages, placesOf(files, sources, metadata))
  /** What stands at the place said behind a line, in its file. */
  const standsAt = (line: string): string => {
    const [, path = '', number = '0'] = / (schemas\/\S+\.json):(\d+)/.exec(line) ?? []
    return files.find((file) => file.path === path)?.text.split('\n')[Number(number) - 1] ?? 'nowhere'
  }

  it('names file and line of every value that is written somewhere', () => {
    const bare = lines.filter((line) => / schemas\/\S+\.json(?!:)/.test(line))
    expect(bare).toEqual([])
    expect(standsAt(lines.find((line) => line.includes('id: "receipt"')) ?? '')).toContain('"receipt"')
    expect(standsAt(lines.find((line) => line.includes('name: "payment_date"')) ?? '')).toContain('"payment_date"')
    const type = lines.findIndex((line) => line.includes('name: "payment_date"'))
    expect(lines[type + 2]).toMatch(/type: "date".*ar-payment\.entity\.json:\d/)
    expect(standsAt(lines[type + 2] ?? '')).toContain('"payment_date": {')
  })

  it('names for a rule the entity file it stands in, at the field that follows it and below', () => {
    const follows = lines[lines.findIndex((line) => line.trim() === 'allows:') + 5] ?? ''
    expect(follows).toMatch(/now: "date" .*ar-payment\.entity\.json:\d/)
    expect(standsAt(follows)).toContain('"payment-not-ahead"')
    const rules = lines.filter((line) => line.startsWith('rule of ar_payment: '))
    expect(rules.map(standsAt).filter((text) => text.includes('"payment-not-ahead"'))).toHaveLength(1)
  })

  it('names a place in its own files of every value of every screen', () => {
    const places = placesOf(files, sources, metadata)
    for (const { path, value } of [...sources.list, ...sources.form, ...sources.detail, ...sources.report, ...sources.workbench]) {
      const told = explain(metadata.screens[value.id] ?? {}, { file: path, at: [], value }, sources.messages, places)
      expect(told.filter((line) => standsAt(line) === 'nowhere' && / schemas\/\S+:\d/.test(line)), path).toEqual([])
      expect(told.some((line) => line.includes(`${filePath(path)}:`)), path).toBe(true)
    }
  })
})

describe('the screen npm run explain is asked for', () => {
  it.each([
    ['its id', 'sales-order.list', 'sales-order.list'],
    ['the address it is shown under', '/sales-order-list', 'sales-order.list'],
    ['the address without its stroke', 'sales-order-list', 'sales-order.list'],
    ['an address with a record', '/sales-order-list/{id}', 'sales-order.detail'],
    ['the address of a record', '/sales-order-list/12', 'sales-order.detail'],
    ['an address as it stands in the browser', 'http://localhost:4000/sales-order-list/12?tab=lines', 'sales-order.detail'],
    ['the noun of a single screen', 'ar-aging', 'ar-aging.report'],
  ])('%s', (_, said, id) => {
    expect(screenNamed(said, metadata)).toBe(id)
  })

  it('a noun of several screens names them, a misspelt id the one it resembles', () => {
    expect(screenNamed('payment-term', metadata)).toBe('payment-term')
    expect(suggestion('payment-term', metadata)).toBe('; there are payment-term.form, payment-term.list, payment-term.list-import')
    expect(suggestion('sales-order.lst', metadata)).toBe(', did you mean "sales-order.list"?')
    expect(suggestion('sales-ordr', metadata)).toBe(', did you mean "sales-order"?')
  })
})
