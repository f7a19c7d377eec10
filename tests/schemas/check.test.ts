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

  // On a quiet computer this is under 200 ms; the time of a shared one says little, so its processor's is counted, with room.
  it('are checked again quickly when one of them has changed', () => {
    const file = files.find(({ path }) => path.endsWith('/zdr-bill.report.json')) ?? expect.fail('the report is gone')
    const runs = Array.from({ length: 12 }, (_, n) => {
      const changed = files.map((one) => (one === file ? { ...file, text: file.text.replace('"columns"', `"colums${n}"`) } : one))
      const started = process.cpuUsage()
      const { findings } = checkSchemas(changed, context)
      const { user, system } = process.cpuUsage(started)
      expect(findings.map(({ code, path }) => [code, path])).toContainEqual(['unknown-key', file.path])
      return (user + system) / 1000
    })
    expect(Math.min(...runs)).toBeLessThan(600)
  })

  it('stay within the paths of the specification and its order', () => {
    const routes: { path: string }[] = JSON.parse(files.find(({ path }) => path === 'schemas/routes.json')?.text ?? '[]')
    expect(routes.map(({ path }) => path).filter((path) => context.specificationPaths.includes(path))).toEqual(context.specificationPaths)
  })
})
