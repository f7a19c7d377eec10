import { describe, expect, it } from 'vitest'

import { checkSchemas, contextOfRepository } from '../../scripts/schemas/checkSchemas.ts'
import { readSchemaFiles } from '../../scripts/schemas/readSources.ts'

describe('the schemas of the product', () => {
  const context = contextOfRepository()
  const files = readSchemaFiles()

  it('have no errors', () => {
    const errors = checkSchemas(files, context).findings.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ path, line, column, code, message }) => `${path}:${line}:${column} ${code} ${message}`)).toEqual([])
  })

  it('are checked in less than two seconds', () => {
    const runs = [0, 1, 2].map(() => {
      const started = performance.now()
      checkSchemas(files, context)
      return performance.now() - started
    })
    expect(Math.min(...runs)).toBeLessThan(2000)
  })

  // What a save costs in development, where the check stays in memory. The clock of a shared computer says little: the work of this process is counted.
  it.each(['/zdr-bill.report.json', '/sales-order.list.json', '/customer.form.json', '/sales-order.entity.json', '/zdr-bill.dataset.json', 'schemas/menu.json'])('are checked again in 200 ms when %s has changed', (name) => {
    const file = files.find(({ path }) => path.endsWith(name)) ?? expect.fail(`${name} is gone`)
    checkSchemas(files, contextOfRepository())
    const runs = Array.from({ length: 15 }, (_, n) => {
      const changed = files.map((one) => (one === file ? { ...file, text: file.text.replace('{', `{ "wrong${n}": 1,`) } : one))
      const started = process.cpuUsage()
      const { findings } = checkSchemas(changed, contextOfRepository())
      const { user, system } = process.cpuUsage(started)
      expect(findings.map(({ code, path }) => [code, path])).toContainEqual(['unknown-key', file.path])
      return (user + system) / 1000
    })
    expect(Math.min(...runs)).toBeLessThan(200)
  })

  it('stay within the paths of the specification and its order', () => {
    const routes: { path: string }[] = JSON.parse(files.find(({ path }) => path === 'schemas/routes.json')?.text ?? '[]')
    expect(routes.map(({ path }) => path).filter((path) => context.specificationPaths.includes(path))).toEqual(context.specificationPaths)
  })
})
