import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'

import { generate } from '../../scripts/generate.ts'
import { kindOfFile, readSchemaFiles, root } from '../../scripts/schemas/readSources.ts'
import { variantsOf } from '#meta/variants.ts'
import { shippedSizes } from '../support/shippedSize.ts'

const files = readSchemaFiles()

describe('the meta-schemas', () => {
  const metas = files.filter((file) => file.path.startsWith('schemas/meta/')).map((file) => ({ name: path.basename(file.path, '.schema.json'), schema: JSON.parse(file.text) }))
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictTypes: false }).addKeyword({ keyword: 'version', schemaType: 'number' })
  for (const { name, schema } of metas) ajv.addSchema(schema, `${name}.schema.json`)

  it.each(files.filter((file) => kindOfFile(file.path) !== undefined).map((file) => file.path))('%s is as its meta-schema says', (file) => {
    const text = files.find((candidate) => candidate.path === file)?.text ?? ''
    const validate = ajv.getSchema(`${kindOfFile(file)}.schema.json`)
    expect(validate).toBeDefined()
    // A file with variants is held against it as each of them comes out.
    for (const { value } of variantsOf(JSON.parse(text))) expect([validate?.(value), validate?.errors]).toEqual([true, null])
  })

  it.each(metas.map(({ name, schema }) => [name, schema] as const))('%s is closed and describes every property', (_, schema) => {
    const gaps: string[] = []
    const walk = (part: unknown, at: string): void => {
      if (typeof part !== 'object' || part === null) return
      const node = part as Record<string, unknown>
      if (node['type'] === 'object' && node['additionalProperties'] === undefined) gaps.push(`${at} is open`)
      for (const [name, property] of Object.entries((node['properties'] ?? {}) as Record<string, Record<string, unknown>>)) {
        if (property['description'] === undefined && property['$ref'] === undefined) gaps.push(`${at}.${name} is not described`)
      }
      for (const [key, value] of Object.entries(node)) walk(value, `${at}.${key}`)
    }
    walk(schema, '')
    expect(gaps).toEqual([])
  })
})

describe('generating', () => {
  it('gives the same output twice, and skips when nothing changed', async () => {
    const folders = [0, 1].map(() => mkdtempSync(path.join(tmpdir(), 'arus-gen-')))
    const texts: Record<string, string>[] = []
    for (const target of folders) {
      expect(await generate({ target })).toEqual([])
      const names = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      texts.push(Object.fromEntries(names.map((entry) => [path.relative(target, path.join(entry.parentPath, entry.name)), readFileSync(path.join(entry.parentPath, entry.name), 'utf8')])))
      const written = () => names.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs)
      const before = written()
      await generate({ target })
      expect(written()).toEqual(before)
      rmSync(target, { recursive: true })
    }
    expect(Object.keys(texts[0] ?? {}).length).toBeGreaterThan(20)
    expect(texts[1]).toEqual(texts[0])
  })

  it('keeps a screen within 2 KiB and a form validator within 4 KiB on the wire', () => {
    const sizes = (folder: string, extension: '.json' | '.js') => shippedSizes(path.join(root, 'src/generated', folder), extension)
    // The list of posting rules names every event the company books; an invoice of a vendor shows goods, costs, receipts and what is spread over them.
    const wider: Readonly<Record<string, number>> = { 'posting-rule.list.json': 4096, 'vendor-invoice.detail.json': 2560 }
    expect(sizes('screens', '.json').filter(([name, size]) => size > (wider[name] ?? 2048))).toEqual([])
    expect(sizes('validators', '.js').filter(([, size]) => size > 4096)).toEqual([])
  })

  it('writes validators without eval', () => {
    const folder = path.join(root, 'src/generated/validators')
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
      const text = readFileSync(path.join(folder, name), 'utf8')
      expect(text).not.toMatch(/new Function|\beval\(|require\(/)
    }
  })
})
