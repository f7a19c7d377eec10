import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { metadata } from '#generated/metadata.ts'
import { purgeResets } from './access/passwordReset.ts'
import { purgeRateLimits } from './access/rateLimit.ts'
import { purgeSessions } from './access/sessions.ts'
import { purgeSignIns, type SsoSettings } from './access/singleSignOn.ts'
import { buildApp } from './app.ts'
import { Backups } from './backups.ts'
import { systemClock } from './clock.ts'
import type { Database } from './context.ts'
import { openDatabase } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { sql } from './db/sql.ts'
import { purgeExports } from './export/exportJobs.ts'
import { purgeImports } from './import/importJobs.ts'
import { diskStore } from './files/diskStore.ts'
import type { FileStore } from './files/fileStore.ts'
import { purgeFiles } from './files/purge.ts'
import { s3OptionsOf, s3Store } from './files/s3Store.ts'
import { Capacity } from './http/admission.ts'
import { refusal } from './http/envelope.ts'
import { purgeNotifications } from './notifications/notifications.ts'
import { purgeMail } from './mail/mailRoom.ts'
import { outboxTransport } from './mail/outbox.ts'
import { smtpTransport } from './mail/smtp.ts'
import { connectionsEach, isFirst, isServing, sayReady, superviseProcesses } from './processes.ts'
import { registries } from './registries.ts'
import { hasDocuments, seedDemo } from './seed/demo.ts'
import { keepScans } from './seed/demo/scans.ts'
import { demoDomain, demoPassword, people } from './seed/demo/people.ts'
import { endCreditRequests } from './credit/limitRequests.ts'
import { endPromotionBudgets } from './pricing/promotionBudget.ts'
import { installReference, keepCalendar } from './seed/reference.ts'
import { problem } from './problemError.ts'

// The one place that reads the environment.
const port = Number(process.env['PORT'] ?? 4000)
const dataFolder = path.resolve(process.env['ARUS_DATA'] ?? 'data')
const databaseUrl = process.env['DATABASE_URL'] || undefined
const processes = Number(process.env['ARUS_PROCESSES'] || 1)
const version = process.env['ARUS_VERSION'] ?? 'development'
const commit = process.env['ARUS_COMMIT'] ?? 'unknown'
const publicUrl = process.env['ARUS_URL']?.replace(/\/+$/, '') || undefined
const trustProxy = trustedProxies(process.env['TRUST_PROXY'])
const smtpUrl = process.env['SMTP_URL'] || undefined
const mailFrom = process.env['MAIL_FROM'] || `Arus <arus@${publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname}>`
const sso = ssoSettings(process.env)
const backupFolder = process.env['ARUS_BACKUP'] || undefined
const backupsKept = Number(process.env['ARUS_BACKUP_KEEP'] || 7)
const firstRowsMs = process.env['ARUS_FIRST_ROWS_MS'] ? Number(process.env['ARUS_FIRST_ROWS_MS']) : undefined
const sharedBuffersMb = Number(process.env['ARUS_SHARED_BUFFERS_MB'] ?? 96)
// Built, this file is dist/server/main.js and the client stands beside it; in development it is src/server/main.ts.
const clientFolder = path.resolve(import.meta.dirname, path.basename(path.dirname(import.meta.dirname)) === 'dist' ? '../client' : '../../dist/client')

const log = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

try {
  if (!Number.isInteger(processes) || processes < 1 || processes > 64) throw new Error('ARUS_PROCESSES must be a number from 1 to 64.')
  if (processes > 1 && databaseUrl === undefined) throw new Error('ARUS_PROCESSES above 1 needs DATABASE_URL: the embedded database belongs to one process.')
  if (backupFolder !== undefined && databaseUrl !== undefined) throw new Error('ARUS_BACKUP copies the embedded database; PostgreSQL is backed up with pg_dump.')
  if (!Number.isInteger(backupsKept) || backupsKept < 1) throw new Error('ARUS_BACKUP_KEEP must be a number of days from 1 on.')
  if (isServing(processes)) await start()
  else process.exit(await superviseProcesses(processes, log))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

async function start(): Promise<void> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PORT must be a port number.')
  const objectStore = s3OptionsOf(process.env)
  const files = objectStore === undefined ? diskStore(path.join(dataFolder, 'files')) : s3Store(objectStore)
  let answer: http.RequestListener = notReady
  const server = http.createServer((request, response) => answer(request, response))
  // Alone it says that it is starting. Of several those that are ready serve the port, and one that takes another's place must not answer for them.
  if (processes === 1) await listen(server)
  const database = await openDatabase(
    databaseUrl === undefined
      ? { kind: 'embedded', directory: path.join(dataFolder, 'pgdata'), sharedBuffersMb, log }
      : { kind: 'postgres', url: databaseUrl, log, ...(processes === 1 ? {} : { connections: connectionsEach(processes) }) },
  )
  await migrate(database, undefined, log)
  await installReference(database, systemClock)
  // An installation of its own starts as a company one can look at; somebody's database is never filled unasked.
  if (database.engine === 'embedded' && !(await hasDocuments(database)) && !(await hasUsers(database))) {
    log('Empty data folder: seeding the demo company …')
    await seedDemo(database, systemClock, { scale: 1, log })
    await keepScans(database, files)
  }
  const mail = smtpUrl === undefined ? outboxTransport(path.join(dataFolder, 'outbox'), mailFrom, systemClock, log) : smtpTransport(smtpUrl, mailFrom)
  const backups = backupFolder === undefined ? undefined : new Backups({ database, clock: systemClock, log, folder: path.resolve(backupFolder), files: objectStore === undefined ? path.join(dataFolder, 'files') : undefined, keep: backupsKept })
  const app = await buildApp({
    capacity: { all: new Capacity(), changes: new Capacity() }, freeBytes: () => freeBytes(dataFolder),
    database, clock: systemClock, metadata, registries, version, commit, clientFolder, files, mail, sso, publicUrl, trustProxy, firstRowsMs, log,
    ...(backups === undefined ? {} : { lastBackup: () => backups.last() }),
  })
  await app.ready()
  answer = (request, response) => app.routing(request, response)
  if (processes > 1) await listen(server)
  const housekeeping = setInterval(() => void keepHouse(database, files), 6 * 3_600_000)
  housekeeping.unref()
  void keepHouse(database, files)
  backups?.start()
  sayReady()
  if (isFirst()) await greet(database, server.address())

  let isStopping = false
  const stop = (): void => {
    if (isStopping) return
    isStopping = true
    void app.endStreams()
    // Requests under way are finished; connections that only wait are closed.
    server.close(() => {
      void app.close().then(() => backups?.stop()).then(() => database.close()).then(() => process.exit(0))
    })
    server.closeIdleConnections()
    setTimeout(() => process.exit(1), 15_000).unref()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

/** Says where the server is, and who may sign in to a demo company. */
async function greet(database: Database, address: ReturnType<http.Server['address']>): Promise<void> {
  log(`\nArus is ready: http://localhost:${typeof address === 'object' && address !== null ? address.port : port}`)
  await printAccounts(database)
}

function notReady(_request: http.IncomingMessage, response: http.ServerResponse): void {
  const { statusCode, body } = refusal(problem('SERVICE_UNAVAILABLE.starting'))
  response.writeHead(statusCode, { 'content-type': 'application/json; charset=utf-8', 'retry-after': '2' })
  response.end(JSON.stringify(body))
}

function listen(server: http.Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(Reflect.get(error, 'code') === 'EADDRINUSE' ? new Error(`Port ${port} is in use. Stop what runs there or set PORT.`) : error))
    server.listen(port, () => resolve())
  })
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await fs.promises.statfs(folder)
  return bavail * bsize
}

async function hasUsers(database: Database): Promise<boolean> {
  return (await database.first(sql`select 1 as found from app_user limit 1`)) !== undefined
}

async function printAccounts(database: Database): Promise<void> {
  const addresses = people.map((person) => `${person.account}@${demoDomain}`)
  const rows = await database.rows<{ email: string; role: string }>(sql`
    select u.email, r.name as role from app_user u join role r on r.id = u.role_id where u.email = any(${addresses}::text[]) and u.is_active`)
  if (rows.length === 0) {
    if (!(await hasUsers(database))) log('There is no account yet: npm run create-admin')
    return
  }
  log(`\nDemo accounts, password ${demoPassword}:`)
  for (const address of addresses.slice(0, 8)) {
    const row = rows.find((candidate) => candidate.email === address)
    if (row) log(`  ${address.padEnd(26)} ${row.role}`)
  }
  log('')
}

/** Forgets what nobody needs any more: ended sessions, files past their time, answers kept for repeated requests. */
async function keepHouse(database: Database, files: FileStore): Promise<void> {
  try {
    await keepCalendar(database, systemClock)
    await endCreditRequests(database, systemClock)
    await endPromotionBudgets(database, systemClock)
    await purgeSessions(database, systemClock)
    await purgeFiles(database, systemClock, files)
    await purgeExports(database, systemClock)
    await purgeImports(database, systemClock)
    await purgeResets(database, systemClock)
    await purgeSignIns(database, systemClock)
    await purgeRateLimits(database, systemClock)
    await purgeMail(database, systemClock)
    const before = new Date(systemClock.now().getTime() - 7 * 86_400_000).toISOString()
    await purgeNotifications(database, systemClock.now())
    await database.run(sql`delete from command_log where created_at < ${before}`)
  } catch (error) {
    log(`Housekeeping failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** TRUST_PROXY: unset (this computer), true, false, a number of hops, or a comma list of addresses and networks. */
function trustedProxies(text: string | undefined): boolean | number | string {
  if (text === undefined || text === '') return 'loopback'
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+$/.test(text) ? Number(text) : text
}

function ssoSettings(environment: NodeJS.ProcessEnv): SsoSettings | undefined {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name, OIDC_SCOPE: scope } = environment
  if (issuer === '' || clientId === '') return undefined
  return { issuer, clientId, clientSecret: clientSecret || undefined, name: name || new URL(issuer).hostname, scope: scope || undefined }
}
