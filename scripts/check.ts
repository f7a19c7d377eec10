import { commandLine } from './lib/commandLine.ts'
import { findingFormats } from './schemas/annotations.ts'
import { checkSchemas, contextOfRepository, readMigrationFiles } from './schemas/checkSchemas.ts'
import { readSchemaFiles } from './schemas/readSources.ts'

const started = performance.now()
const { values, positionals: wanted } = commandLine({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    /** Errors alone, and nothing about how much was checked. */
    errors: { type: 'boolean' },
    format: { type: 'string', default: process.env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'text' },
  },
}, 'npm run check -- [part of a path …] [--errors] [--json] [--format text|github|gitlab]')
const result = checkSchemas(readSchemaFiles(), { ...contextOfRepository(), migrations: readMigrationFiles() })
/** `npm run check -- schemas/sales` speaks of these files only. */
const findings = wanted.length === 0 ? result.findings : result.findings.filter(({ path }) => wanted.some((part) => path.includes(part)))
const errors = findings.filter(({ severity }) => severity === 'error')
const { format } = values
if (!isFormat(format)) {
  console.error(`--format ${format}: there may be ${Object.keys(findingFormats).join(', ')}`)
  process.exitCode = 2
} else if (values.json === true) {
  console.log(JSON.stringify({ ...result, findings }, null, 1))
} else {
  for (const line of findingFormats[format](values.errors === true ? errors : findings)) console.log(line)
  // What a code host reads whole is nothing but the findings.
  if (values.errors !== true && format !== 'gitlab') {
    console.log(`${result.served} of ${result.total} routes of the specification are served, and ${result.own} beside them.`)
    console.log(`${result.slots} of ${result.slotBudget} hand-written slots are used.`)
    console.log(`${result.files} files, ${counted(errors.length, 'error')}, ${counted(findings.length - errors.length, 'warning')} in ${Math.round(performance.now() - started)} ms.`)
  }
}
if (errors.length > 0) process.exitCode = 1

function isFormat(name: string): name is keyof typeof findingFormats {
  return Object.hasOwn(findingFormats, name)
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
