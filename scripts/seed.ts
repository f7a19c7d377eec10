import path from 'node:path'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { systemClock } from '#server/clock.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { demoDomain, demoPassword } from '#server/seed/demo/people.ts'
import { commandLine } from './lib/commandLine.ts'

const help = `npm run seed -- [--scale N] [--data folder | --database url]
Fills an empty installation with the demo company and 18 months of its trade; N makes it N times as large (160 is a million invoices).
Without --data or --database: DATABASE_URL, else the folder ARUS_DATA or ./data.
`

/** Making a company of a million invoices takes statements of minutes. */
const statementTimeoutMs = 3_600_000

const { values } = commandLine({ options: { scale: { type: 'string', default: '1' }, data: { type: 'string' }, database: { type: 'string' }, help: { type: 'boolean', default: false } } }, help)
const log = (line: string): void => void process.stdout.write(`${line}\n`)
const scale = Number(values.scale)

if (values.help || !(scale > 0)) {
  log(help)
  process.exit(values.help ? 0 : 1)
}

try {
  await seed()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function seed(): Promise<void> {
  const url = values.database ?? (values.data === undefined ? process.env['DATABASE_URL'] : undefined)
  const folder = path.resolve(values.data ?? process.env['ARUS_DATA'] ?? 'data')
  const database = await openDatabase(
    url === undefined || url === '' ? { kind: 'embedded', directory: path.join(folder, 'pgdata'), log, statementTimeoutMs } : { kind: 'postgres', url, log },
  )
  try {
    await migrate(database, undefined, log)
    const started = Date.now()
    await seedDemo(database, systemClock, { scale, log })
    log(`Seeded in ${((Date.now() - started) / 1000).toFixed(0)} s. Sign in as admin@${demoDomain}, password ${demoPassword}.`)
  } finally {
    await database.close()
  }
}
