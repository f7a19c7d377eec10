import { describe, expect, it } from 'vitest'
import { getLanguageService, TextDocument } from 'vscode-json-languageservice'

import { resolve } from '../../src/meta/resolve.ts'
import { shapesOf } from '../../scripts/schemas/checkSchemas.ts'
import { editorSchemas } from '../../scripts/schemas/editorSchemas.ts'
import { readSchemaFiles, sourcesOf } from '../../scripts/schemas/readSources.ts'

const files = readSchemaFiles()
const { sources } = sourcesOf(files)
const schemas = editorSchemas(shapesOf(files).metaSchemas, resolve(sources).metadata, sources)

/** The service behind the JSON support of common editors, over the generated schemas. */
const service = getLanguageService({
  schemaRequestService: (uri) => Promise.resolve(JSON.stringify(schemas[uri.slice(uri.lastIndexOf('/') + 1)] ?? {})),
  workspaceContext: { resolveRelativePath: (relative, from) => new URL(relative, from).href },
})

/** A file of the product with `|` put in place of a text: where the cursor stands. */
function at(file: string, from: string, to: string) {
  const source = files.find(({ path }) => path.endsWith(file)) ?? expect.fail(`${file} is gone`)
  expect(source.text).toContain(from)
  const text = source.text.replace(from, to)
  const offset = text.indexOf('|')
  const document = TextDocument.create(`file:///product/${source.path}`, 'json', 1, text.slice(0, offset) + text.slice(offset + 1))
  return { document, position: document.positionAt(offset), json: service.parseJSONDocument(document) }
}

async function offered(file: string, from: string, to: string): Promise<readonly string[]> {
  const { document, position, json } = at(file, from, to)
  return ((await service.doComplete(document, position, json))?.items ?? []).map(({ label }) => label.replaceAll('"', ''))
}

async function explained(file: string, from: string, to: string): Promise<string> {
  const { document, position, json } = at(file, from, to)
  return JSON.stringify((await service.doHover(document, position, json))?.contents ?? '')
}

describe('a common editor', () => {
  const report = 'billing/zdr-bill/zdr-bill.report.json'

  it('offers the measures of the dataset a report names', async () => {
    const names = await offered(report, '"measures": ["', '"measures": ["|", "')
    expect(names).toEqual(expect.arrayContaining(['dpp', 'margin', 'margin_pct']))
    expect(names).not.toContain('brand_name')
  })

  it('offers datasets, entities, fields and keys', async () => {
    expect(await offered(report, '"dataset": "zdr_bill"', '"dataset": "|"')).toEqual(expect.arrayContaining(['zdr_bill', 'ar_aging']))
    expect(await offered('sales/sales-order/sales-order.list.json', '"entity": "sales_order"', '"entity": "|"')).toEqual(expect.arrayContaining(['sales_order', 'customer']))
    expect(await offered('sales/sales-order/sales-order.list.json', '"filters": [', '"filters": ["|", ')).toEqual(expect.arrayContaining(['po_number', 'customer_id.name']))
    expect(await offered(report, '"kind": "report",', '"kind": "report", "|"')).toEqual(expect.arrayContaining(['groupBy', 'guard', 'opens']))
  })

  it('explains a key and a name on hover', async () => {
    expect(await explained(report, '"dataset":', '"data|set":')).toContain('Dataset shown')
    expect(await explained(report, '"dataset": "zdr_bill"', '"dataset": "zdr|_bill"')).toContain('One row: One line billed')
    expect(await explained(report, '"promo", "dpp", "ppn", "total", "cogs"', '"promo", "dp|p", "ppn", "total", "cogs"')).toMatch(/Net sales .*money/)
  })

  it('underlines nothing in the files of the product that the check does not', async () => {
    for (const file of [report, 'sales/sales-order/sales-order.list.json', 'home/dashboard/dashboard.dashboard.json']) {
      const { document, json } = at(file, '{', '|{')
      expect((await service.doValidation(document, json)).map(({ message }) => message)).toEqual([])
    }
  })
})
