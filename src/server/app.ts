import path from 'node:path'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance } from 'fastify'
import type { Metadata } from '#meta/metadata.ts'
import { accessHooks } from './access/accessHooks.ts'
import { SingleSignOn, type SsoSettings } from './access/singleSignOn.ts'
import { Background } from './background.ts'
import type { Clock, Command, Database, Effect, Precondition } from './context.ts'
import { sql } from './db/sql.ts'
import { flowLinks, type FlowTable } from './documents/flowLinks.ts'
import type { DocumentHookTable } from './documents/hooks.ts'
import { ExportJobs } from './export/exportJobs.ts'
import { noFileStore, type FileStore } from './files/fileStore.ts'
import { admitCalls, type Capacities } from './http/admission.ts'
import { accountEndpoints } from './http/accountEndpoints.ts'
import { Api } from './http/api.ts'
import { approvalEndpoints } from './http/approvalEndpoints.ts'
import { authenticate, type SessionCache } from './http/authenticate.ts'
import { clientFiles, routedUrl } from './http/clientFiles.ts'
import { commandEndpoints } from './http/commandEndpoints.ts'
import { commentEndpoints } from './http/commentEndpoints.ts'
import { dashboardEndpoints } from './http/dashboardEndpoints.ts'
import { dataEndpoints } from './http/dataEndpoints.ts'
import { refusal } from './http/envelope.ts'
import { fileEndpoints } from './http/fileEndpoints.ts'
import { exportEndpoints } from './http/exportEndpoints.ts'
import { importEndpoints } from './http/importEndpoints.ts'
import { ocrEndpoints } from './http/ocrEndpoints.ts'
import { ImportJobs } from './import/importJobs.ts'
import { OcrJobs } from './ocr/ocrJobs.ts'
import { informationEndpoints } from './http/informationEndpoints.ts'
import { problemOf } from './http/problemOf.ts'
import { profileEndpoints } from './http/profileEndpoints.ts'
import { securityHeaders } from './http/securityHeaders.ts'
import { sessionEndpoints } from './http/sessionEndpoints.ts'
import { specifiedEndpoints } from './http/specifiedEndpoints.ts'
import { delegationEndpoints } from './http/delegationEndpoints.ts'
import { scheduleEndpoints } from './http/scheduleEndpoints.ts'
import { rememberPublished } from './studio/proposals.ts'
import { studioEndpoints } from './http/studioEndpoints.ts'
import { formFileEndpoints } from './http/formFileEndpoints.ts'
import { paymentFileEndpoints } from './http/paymentFileEndpoints.ts'
import { taxEndpoints } from './http/taxEndpoints.ts'
import { viewEndpoints } from './http/viewEndpoints.ts'
import { notificationEndpoints } from './http/notificationEndpoints.ts'
import { searchEndpoints } from './http/searchEndpoints.ts'
import { homeEndpoints } from './http/homeEndpoints.ts'
import { Streams } from './notifications/streams.ts'
import type { MailTransport } from './mail/mail.ts'
import { MailRoom } from './mail/mailRoom.ts'
import { openapiEndpoints } from './openapi/openapiEndpoints.ts'
import { fail, problem } from './problemError.ts'
import { randomToken } from './random.ts'
import { ScheduleRounds } from './schedules/scheduleRounds.ts'
import type { Services } from './services.ts'
import { Storage } from './storage.ts'
import { SchemaShelf } from './studio/schemaShelf.ts'
import { ExpiryRounds } from './workflow/expiryRounds.ts'

/** What the business brings: names in the workflow files and their implementations. */
export interface Registries {
  readonly preconditions: Readonly<Record<string, Precondition>>
  readonly effects: Readonly<Record<string, Effect>>
  readonly commands: Readonly<Record<string, Command>>
  readonly hooks: DocumentHookTable
  readonly flow?: FlowTable
}

export interface AppOptions {
  readonly database: Database
  readonly clock: Clock
  readonly metadata: Metadata
  readonly registries: Registries
  readonly version: string
  /** Folder of the built client; undefined: only the API. */
  readonly clientFolder?: string
  /** Milliseconds a page waits for the rows it will show. */
  readonly firstRowsMs?: number | undefined
  /** Where files are kept; absent: nowhere. */
  readonly files?: FileStore
  /** Commit the program was built from. */
  readonly commit?: string
  /** How mail leaves; undefined: it waits in the database. */
  readonly mail?: MailTransport | undefined
  /** Undefined: people sign in with their password only. */
  readonly sso?: SsoSettings | undefined
  /** Address under which people reach the product (`https://arus.example`); undefined: mails hold no links. */
  readonly publicUrl?: string | undefined
  /** Proxies whose word on address and protocol of the caller is believed. */
  readonly trustProxy?: boolean | number | string
  readonly log?: Log
  /** Day of the last backup the server has made, null before the first; absent: it makes none. */
  readonly lastBackup?: () => string | null
  /** Room left where the server keeps its data, in bytes; absent: it is not looked at. */
  readonly freeBytes?: () => Promise<number>
  /** How many calls are let in at a time; absent: all. */
  readonly capacity?: Capacities
  /** Folder of the schema files; beside the program unless said. */
  readonly schemaFolder?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Ends what would otherwise keep connections open for ever: the server stops. */
    endStreams(): Promise<void>
    /** Files on their way in; the command line uses them without a browser. */
    readonly imports: ImportJobs
    readonly scans: OcrJobs
  }
}

const bodyLimit = 4 * 1024 * 1024
/** Nothing that is sent is nested deeper; what reads a body goes down by calling itself. */
const deepestBody = 100

/** The whole server, not yet listening. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { clock, log = (): void => undefined } = options
  const background = new Background(log)
  const services = servicesOf(options, background, log)
  // What has to be asked of the database before the first request is waited for, however slow the disk: half started would be no better.
  const app = fastify({
    pluginTimeout: 0,
    bodyLimit,
    genReqId: () => randomToken(9),
    trustProxy: trusted(options.trustProxy ?? 'loopback'),
    routerOptions: { maxParamLength: 200, caseSensitive: true },
    rewriteUrl: ({ url = '/' }) => routedUrl(url),
  })
  const storage = new Storage(clock, options.freeBytes)
  tellRefusals(app, options.metadata, storage, log)
  await securityHeaders(app)
  if (options.capacity !== undefined) admitCalls(app, options.capacity)
  await readBodies(app)
  const sessions = authenticate(app, services)
  keepRoom(app, services, storage)
  app.addHook('preValidation', async ({ body }) => {
    if (isDeeper(body, deepestBody)) return fail('BAD_REQUEST')
  })
  const works = worksOf(app, services, log)
  const api = new Api(app, services)
  addEndpoints(api, { options, sessions, works, storage })
  openapiEndpoints(app, api, services, options.version)
  if (options.clientFolder === undefined) app.setNotFoundHandler(() => notFound())
  else await clientFiles(app, options.clientFolder, options.metadata, options.firstRowsMs)
  app.addHook('onReady', async () => {
    services.mail.start()
    if (services.schemas !== undefined) await rememberPublished(services.database, services, services.clock.now())
    works.rounds.start()
    works.expiry.start()
    await works.imports.start()
    await works.scans.start()
  })
  app.addHook('onClose', async () => {
    await works.rounds.stop()
    await works.expiry.stop()
    await background.settle()
    await services.mail.stop()
  })
  return app
}

type Log = (line: string) => void

function servicesOf(options: AppOptions, background: Background, log: Log): Services {
  const { database, clock } = options
  return {
    database,
    clock,
    metadata: options.metadata,
    hooks: mergedHooks(options.registries.hooks),
    flow: options.registries.flow ?? flowLinks,
    preconditions: options.registries.preconditions,
    effects: options.registries.effects,
    commands: options.registries.commands,
    files: options.files ?? noFileStore,
    log,
    mail: new MailRoom({ database, clock, transport: options.mail, log }),
    sso: options.sso && new SingleSignOn(options.sso, { database, clock, log }),
    publicUrl: options.publicUrl,
    schemas: new SchemaShelf(options.schemaFolder ?? path.resolve(import.meta.dirname, '../../schemas')),
    later: (work) => background.run(work),
  }
}

/** Every refusal is told in the same form; what nobody foresaw is written down under the number the user is told. */
function tellRefusals(app: FastifyInstance, metadata: Metadata, storage: Storage, log: Log): void {
  app.setErrorHandler((error, request, reply) => {
    const known = problemOf(error, metadata)
    if (!known || known.code === 'UNBALANCED') log(`${request.id} ${request.method} ${request.url.split('?')[0]} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    if (known?.code === 'STORAGE_FULL') storage.tellFull()
    const { statusCode, body } = refusal(known ?? { ...problem('INTERNAL.number', { number: request.id }), data: { incident: request.id } })
    const seconds = known?.data?.['seconds']
    if (typeof seconds === 'number') void reply.header('retry-after', String(seconds))
    return reply.status(statusCode).send(body)
  })
}

/** A database that runs out of room in the middle of a write has to be started again: where it lies in the server's own folder nothing is begun that would lead there. */
function keepRoom(app: FastifyInstance, { database }: Services, storage: Storage): void {
  if (database.engine !== 'embedded') return
  app.addHook('onRequest', async ({ method, url }) => {
    if (method === 'GET' || method === 'HEAD' || !url.startsWith('/api/') || /^\/api\/v1\/log(in|out)\b/.test(url)) return
    if (await storage.isShort()) fail('STORAGE_FULL')
  })
}

async function readBodies(app: FastifyInstance): Promise<void> {
  // Every request says that it is JSON, also one that takes something away and has nothing to say.
  const json = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => (body === '' && request.method === 'DELETE' ? done(null, undefined) : json(request, String(body), done)))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))))
  await app.register(multipart, { limits: { fileSize: bodyLimit, files: 1, fields: 20 } })
}

/** What goes on beside the requests, and ends before the server does. */
interface Works {
  readonly streams: Streams
  readonly exports: ExportJobs
  readonly rounds: ScheduleRounds
  readonly expiry: ExpiryRounds
  readonly imports: ImportJobs
  readonly scans: OcrJobs
}

function worksOf(app: FastifyInstance, services: Services, log: Log): Works {
  const streams = new Streams(services.database, services.clock, log)
  const exports = new ExportJobs(services)
  const imports = new ImportJobs(services)
  const scans = new OcrJobs(services)
  app.decorate('endStreams', () => streams.close())
  app.decorate('imports', imports)
  app.decorate('scans', scans)
  app.addHook('onResponse', (request, _, done) => {
    if (request.method !== 'GET' && request.url.startsWith('/api/v1/data/vendor-invoice-ocr')) scans.wake()
    done()
  })
  for (const work of [streams, exports, imports, scans]) app.addHook('preClose', () => work.close())
  return { streams, exports, rounds: new ScheduleRounds(services), expiry: new ExpiryRounds(services), imports, scans }
}

/** In the order in which the description of the calls lists them. */
function addEndpoints(api: Api, { options, sessions, works, storage }: { readonly options: AppOptions; readonly sessions: SessionCache; readonly works: Works; readonly storage: Storage }): void {
  healthEndpoint(api, options, storage)
  sessionEndpoints(api, sessions)
  accountEndpoints(api, sessions)
  profileEndpoints(api, sessions)
  informationEndpoints(api, { version: options.version, commit: options.commit ?? 'unknown' })
  specifiedEndpoints(api)
  approvalEndpoints(api)
  homeEndpoints(api)
  searchEndpoints(api)
  notificationEndpoints(api, works.streams)
  commandEndpoints(api)
  dashboardEndpoints(api)
  dataEndpoints(api, sessions)
  fileEndpoints(api, sessions)
  commentEndpoints(api)
  viewEndpoints(api)
  delegationEndpoints(api)
  exportEndpoints(api, works.exports)
  taxEndpoints(api)
  paymentFileEndpoints(api)
  formFileEndpoints(api)
  scheduleEndpoints(api, works.rounds)
  importEndpoints(api, works.imports)
  ocrEndpoints(api, works.scans)
  studioEndpoints(api)
}

function healthEndpoint(api: Api, options: AppOptions, storage: Storage): void {
  api.open('GET', '/api/v1/health', { summary: 'Is the server ready? Version and migration number; where the server backs itself up, the day of the last copy', tag: 'Session' }, async ({ services }) => {
    if (await storage.isFull()) fail('STORAGE_FULL')
    const row = await services.database.first<{ number: number }>(sql`select max(number) as number from schema_migration`)
    return { version: options.version, migration: row?.number ?? 0, database: services.database.engine, ...(options.lastBackup === undefined ? {} : { backup: options.lastBackup() }) }
  })
}

/** So many hops are proxies of our own, or these addresses are. */
function trusted(proxies: boolean | number | string): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/** Platform hooks first; for an entity both know, the business adds what the platform leaves open. */
function mergedHooks(business: DocumentHookTable): DocumentHookTable {
  const merged: { [id in keyof DocumentHookTable]: DocumentHookTable[id] } = { ...business }
  for (const [id, hooks] of Object.entries(accessHooks)) Object.assign(merged, { [id]: { ...merged[id as keyof DocumentHookTable], ...hooks } })
  return merged
}

function notFound(): never {
  throw Object.assign(new Error('Not found'), { statusCode: 404 })
}

/** Goes down level by level: what is nested without end must not be what ends the walk. */
function isDeeper(value: unknown, most: number): boolean {
  let level = [value].filter(isNested)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === most) return true
    level = level.flatMap((part) => Object.values(part).filter(isNested))
  }
  return false
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
