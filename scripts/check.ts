import type { Finding } from '../src/meta/check/finding.ts'
import { checkSchemas, contextOfRepository } from './schemas/checkSchemas.ts'
import { readSchemaFiles } from './schemas/readSources.ts'

const started = performance.now()
const result = checkSchemas(readSchemaFiles(), contextOfRepository())
/** `npm run check -- schemas/sales` speaks of these files only. */
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const findings = wanted.length === 0 ? result.findings : result.findings.filter(({ path }) => wanted.some((part) => path.includes(part)))
const errors = findings.filter(({ severity }) => severity === 'error').length
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ ...result, findings }, null, 1))
} else if (process.argv.includes('--errors')) {
  print(findings.filter(({ severity }) => severity === 'error'))
} else {
  print(findings)
  console.log(`${result.served} of ${result.total} routes are served.`)
  console.log(`${result.slots} of ${result.slotBudget} hand-written slots are used.`)
  console.log(`${result.files} files, ${errors} errors, ${findings.length - errors} warnings in ${Math.round(performance.now() - started)} ms.`)
}
if (errors > 0) process.exitCode = 1

function print(findings: readonly Finding[]): void {
  for (const { path, line, column, severity, code, message } of findings) console.log(`${path}:${line}:${column}  ${severity}  ${code}  ${message}`)
}
