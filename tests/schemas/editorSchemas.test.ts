import { Ajv, type ValidateFunction } from 'ajv'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

import { resolve } from '../../src/meta/resolve.ts'
import { shapesOf } from '../../scripts/schemas/checkSchemas.ts'
import { editorSchemas } from '../../scripts/schemas/editorSchemas.ts'
import { kindOfFile, readSchemaFiles, root, sourcesOf } from '../../scripts/schemas/readSources.ts'

const files = readSchemaFiles()
const { sources } = sourcesOf(files)
const schemas = editorSchemas(shapesOf(files).metaSchemas, resolve(sources).metadata, sources)
const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false })
for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name)
const own = files.filter(({ path: file }) => file.endsWith('.json') && !file.startsWith('schemas/meta/') && !file.startsWith('schemas/messages/'))

function validatorOf(file: string): ValidateFunction {
  const kind = file === 'schemas/routes.json' ? 'routes' : file === 'schemas/menu.json' ? 'menu' : kindOfFile(file)
  const found = ajv.getSchema(`${kind}.schema.json`)
  if (found === undefined) throw new Error(`no editor schema for ${file}`)
  return found
}

/** Places an editor would underline. */
function underlined(file: string, value: unknown): readonly string[] {
  const validate = validatorOf(file)
  return validate(value) === true ? [] : [...new Set((validate.errors ?? []).filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath))]
}

describe('the schemas for editors', () => {
  it('accept every file of the product', () => {
    expect(own.flatMap(({ path: file, text }) => underlined(file, JSON.parse(text)).map((place) => `${file}${place}`))).toEqual([])
  })

  it('are named by every file, or by the settings of the editor', () => {
    const settings: { 'json.schemas': { fileMatch: string[]; url: string }[] } = JSON.parse(fs.readFileSync(path.join(root, '.vscode/settings.json'), 'utf8'))
    const wrong = own.filter(({ path: file, text }) => {
      const url = settings['json.schemas'].find(({ fileMatch }) => fileMatch.includes(`/${file}`))?.url
      const named: unknown = url ?? JSON.parse(text).$schema
      const target = typeof named === 'string' ? path.resolve(root, url === undefined ? path.dirname(file) : '.', named) : ''
      return path.dirname(target) !== path.join(root, 'src/generated/editor') || schemas[path.basename(target)] === undefined
    })
    expect(wrong.map(({ path: file }) => file)).toEqual([])
  })

  it('underline a field the entity does not have, and offer those it has with their labels', () => {
    const file = 'schemas/sales/sales-order/sales-order.list.json'
    const list = JSON.parse(own.find(({ path: candidate }) => candidate === file)?.text ?? '{}')
    expect(underlined(file, { ...list, filters: ['po_numbr'] })).toContain('/filters/0')
    expect(underlined(file, { ...list, entity: 'sales_ordr' })).toContain('/entity')
    const names = schemas['names.schema.json'] as { definitions: Record<string, { anyOf: { enum: string[]; enumDescriptions: string[] }[] }> }
    const fields = names.definitions['fields.sales_order']?.anyOf[0]
    expect(fields?.enumDescriptions[fields.enum.indexOf('po_number')]).toBe('PO number: text')
    expect(fields?.enum).toContain('customer_id.name')
  })

  it('know the measures and dimensions of the dataset a report names', () => {
    const file = 'schemas/receivables/ar-aging/ar-aging.report.json'
    const report = JSON.parse(own.find(({ path: candidate }) => candidate === file)?.text ?? '{}')
    expect(underlined(file, { ...report, columns: ['nothing'] })).toContain('/columns/0')
    expect(underlined(file, { ...report, dataset: 'ar_agin' })).toContain('/dataset')
    expect(underlined(file, { ...report, measures: ['customer_code'] })).toContain('/measures/0')
  })
})
