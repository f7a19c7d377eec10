import { parseArgs } from 'node:util'
import path from 'node:path'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { systemClock } from '#server/clock.ts'
import { seedDemo } from '#server/seed/demo.ts'

const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' }, data: { type: 'string' }, database: { type: 'string' } } })
const log = (line: string): void => void process.stdout.write(`${line}\n`)
const url = values.database ?? process.env['DATABASE_URL']
const folder = path.resolve(values.data ?? process.env['ARUS_DATA'] ?? 'data')
const database = await openDatabase(
  url === undefined ? { kind: 'embedded', directory: path.join(folder, 'pgdata'), log, statementTimeoutMs: 3_600_000 } : { kind: 'postgres', url, log },
)
try {
  await migrate(database, undefined, log)
  const started = Date.now()
  await seedDemo(database, systemClock, { scale: Number(values.scale), log })
  log(`Seeded in ${((Date.now() - started) / 1000).toFixed(1)} s`)
} finally {
  await database.close()
}
