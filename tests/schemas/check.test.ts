import { describe, expect, it } from 'vitest'

import { checkSchemas, contextOfRepository, readMigrationFiles } from '../../scripts/schemas/checkSchemas.ts'
import { readSchemaFiles } from '../../scripts/schemas/readSources.ts'

describe('the schemas of the product', () => {
  const context = { ...contextOfRepository(), migrations: readMigrationFiles() }
  const files = readSchemaFiles()

  it('have no errors', () => {
    const errors = checkSchemas(files, context).findings.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ path, line, column, code, message }) => `${path}:${line}:${column} ${code} ${message}`)).toEqual([])
  })

  // As in development, where the check stays in memory and remembers what has not changed.
  it.each(['/zdr-bill.report.json', '/sales-order.list.json', '/customer.form.json', '/sales-order.entity.json', '/zdr-bill.dataset.json', 'schemas/menu.json'])('are checked again when %s has changed, and changed back', (name) => {
    const file = files.find(({ path }) => path.endsWith(name)) ?? expect.fail(`${name} is gone`)
    const found = (text: string) => checkSchemas(files.map((one) => (one === file ? { ...file, text } : one)), contextOfRepository()).findings
    const before = found(file.text)
    for (const n of [1, 2]) expect(found(file.text.replace('{', `{ "wrong${n}": 1,`)).map(({ code, path, message }) => [code, path, message.includes(`wrong${n}`)])).toContainEqual(['unknown-key', file.path, true])
    expect(found(file.text)).toEqual(before)
  })

  it('stay within the paths of the specification and its order', () => {
    const routes: { path: string }[] = JSON.parse(files.find(({ path }) => path === 'schemas/routes.json')?.text ?? '[]')
    expect(routes.map(({ path }) => path).filter((path) => context.specificationPaths.includes(path))).toEqual(context.specificationPaths)
  })
})
