import fs from 'node:fs'
import path from 'node:path'
import { metadata } from '#generated/metadata.ts'
import { loadUser } from '#server/access/users.ts'
import { buildApp } from '#server/app.ts'
import { systemClock } from '#server/clock.ts'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { sql } from '#server/db/sql.ts'
import { diskStore } from '#server/files/diskStore.ts'
import { importByFile } from '#server/import/importByFile.ts'
import { registries } from '#server/registries.ts'
import { commandLine } from './lib/commandLine.ts'

const help = `npm run import -- <kind> <file> --user name@company.example [--sheet name] [--decimal .|,] [--check] [--anyway]
Imports an .xlsx or .csv file with the rules, permissions and log of the screens; <kind> is the name of an import (customer, item, price-change, sales-order).
  --sheet    kind of rows, where an import has several
  --decimal  how the file writes numbers, where 150.000 could be two
  --check    only looks; nothing is imported
  --anyway   imports a file that was imported before
Ends with 0 when everything is imported (--check: is right), with 2 when rows are not or the file cannot be read, with 1 when it could not begin.
The embedded database is open to one process: stop the server first. With DATABASE_URL set nothing needs to stop.
`

const { values, positionals } = commandLine({
  allowPositionals: true,
  options: { user: { type: 'string' }, sheet: { type: 'string' }, decimal: { type: 'string' }, check: { type: 'boolean', default: false }, anyway: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
}, help)
const [kind = '', file = ''] = positionals
const log = (line: string): void => void process.stdout.write(`${line}\n`)

if (values.help || kind === '' || file === '' || values.user === undefined) {
  log(help)
  process.exit(values.help ? 0 : 1)
}

try {
  process.exitCode = await run(values.user)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

/** 0: everything is imported, or would be; 2: some rows are not, or the file could not be read. */
async function run(email: string): Promise<number> {
  const screen = metadata.screens[kind] ?? metadata.screens[`${kind}.import`]
  if (screen?.kind !== 'import') throw new Error(`There is no import "${kind}". There are ${Object.values(metadata.screens).filter((one) => one.kind === 'import').map(({ id }) => id.replace(/\.import$/, '')).join(', ')}.`)
  const sheets = screen.sheets.map(({ id }) => id)
  if (values.sheet !== undefined && !sheets.includes(values.sheet)) throw new Error(`${kind} has no sheet "${values.sheet}". It has ${sheets.join(', ')}.`)
  const { decimal } = values
  if (decimal !== undefined && decimal !== '.' && decimal !== ',') throw new Error('--decimal is . or ,')
  if (!fs.existsSync(file)) throw new Error(`There is no file ${file}.`)
  const folder = path.resolve(process.env['ARUS_DATA'] ?? 'data')
  const url = process.env['DATABASE_URL']
  const database = await openDatabase(url === undefined || url === '' ? { kind: 'embedded', directory: path.join(folder, 'pgdata'), log } : { kind: 'postgres', url, log })
  try {
    await migrate(database, undefined, log)
    const row = await database.first<{ id: number }>(sql`select id from app_user where lower(email) = ${email.toLowerCase()} and is_active`)
    const user = row === undefined ? undefined : await loadUser(database, row.id)
    if (user === undefined) throw new Error(`There is no active user ${email}.`)
    const app = await buildApp({ database, clock: systemClock, metadata, registries, version: 'import', files: diskStore(path.join(folder, 'files')), log })
    await app.ready()
    try {
      const { batch, lines, isRight } = await importByFile(app.imports, user, screen, { path: file, sheet: values.sheet, ...(decimal === undefined ? {} : { decimal }), isOnlyChecked: values.check, isAnyway: values.anyway })
      for (const line of lines) log(line)
      log(`${batch.code}: ${batch.counts.total} rows, ${batch.counts.imported} imported, ${batch.counts.right + batch.counts.warned} right and waiting, ${batch.counts.wrong} wrong, ${batch.counts.skipped} imported before.`)
      log(`The log: /pages/import-log${screen.log === 'payments' ? '-payment' : ''}/${batch.id}`)
      return isRight ? 0 : 2
    } finally {
      await app.close()
    }
  } finally {
    await database.close()
  }
}
