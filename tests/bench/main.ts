import fs from 'node:fs'
import { commandLine } from '../../scripts/lib/commandLine.ts'
import { verdict, type BenchOptions, type Engine, type Run } from './bench.ts'

// Each file of this folder that exports `run` is a part: `npm run bench -- list orders --engine postgres`.
const support = new Set(['main.ts', 'bench.ts', 'databases.ts', 'client.ts', 'load.ts', 'serve.ts', 'browserStage.ts', 'processorTime.ts'])
const known = fs.readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !support.has(file)).map((file) => file.slice(0, -3)).sort()

const usage = `npm run bench -- [part …] [--engine embedded,postgres] [--scale invoices of the large database]\nparts: ${known.join(' ')}\n`
const { values, positionals } = commandLine({
  allowPositionals: true,
  options: { engine: { type: 'string', default: 'embedded,postgres' }, scale: { type: 'string', default: '1000000' }, help: { type: 'boolean', default: false } },
}, usage)
const unknown = positionals.filter((name) => !known.includes(name))
if (values.help || unknown.length > 0) {
  process.stdout.write(usage)
  process.exit(unknown.length > 0 ? 1 : 0)
}

const engines = values.engine.split(',').filter((engine): engine is Engine => engine === 'embedded' || engine === 'postgres')
const options: BenchOptions = { engines: await reachable(engines), invoices: Number(values.scale), log: (line) => void process.stderr.write(`  ${line}\n`) }

let failures = 0
for (const name of positionals.length > 0 ? positionals : known) {
  process.stdout.write(`${name}\n`)
  try {
    const { run } = (await import(`./${name}.ts`)) as { run: Run }
    for (const measure of await run(options)) {
      const result = verdict(measure)
      if (result === 'FAIL') failures++
      const limit = `${measure.bound === 'most' ? 'at most' : 'at least'} ${figure(measure.limit)} ${measure.unit}`
      process.stdout.write(`${result}  ${measure.what}: ${figure(measure.value)} ${measure.unit} (${limit})\n`)
    }
  } catch (error) {
    failures++
    process.stdout.write(`FAIL  ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  }
}
process.stdout.write(failures === 0 ? 'All within their limits.\n' : `${failures} beyond their limit.\n`)
process.exit(failures === 0 ? 0 : 1)

function figure(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2)
}

/** Without a PostgreSQL at hand its parts are left out, and said so. */
async function reachable(wanted: readonly Engine[]): Promise<readonly Engine[]> {
  if (!wanted.includes('postgres')) return wanted
  const { isPostgresThere } = await import('./databases.ts')
  if (await isPostgresThere()) return wanted
  process.stdout.write('No PostgreSQL at TEST_POSTGRES_URL: its parts are left out.\n')
  return wanted.filter((engine) => engine !== 'postgres')
}
