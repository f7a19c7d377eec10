import type { Finding } from '../src/meta/check/finding.ts'
import { checkSchemas, contextOfRepository } from './schemas/checkSchemas.ts'
import { readSchemaFiles } from './schemas/readSources.ts'

const started = performance.now()
const result = checkSchemas(readSchemaFiles(), contextOfRepository())
const errors = result.findings.filter(({ severity }) => severity === 'error').length
if (process.argv.includes('--json')) {
  console.log(JSON.stringify(result, null, 1))
} else if (process.argv.includes('--errors')) {
  print(result.findings.filter(({ severity }) => severity === 'error'))
} else {
  print(result.findings)
  console.log(`${result.served} of ${result.total} routes are served.`)
  console.log(`${result.slots} of ${result.slotBudget} hand-written slots are used.`)
  console.log(`${result.files} files, ${errors} errors, ${result.findings.length - errors} warnings in ${Math.round(performance.now() - started)} ms.`)
}
if (errors > 0) process.exitCode = 1

function print(findings: readonly Finding[]): void {
  for (const { path, line, column, severity, code, message } of findings) console.log(`${path}:${line}:${column}  ${severity}  ${code}  ${message}`)
}
