import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance } from 'fastify'
import type { Metadata } from '#meta/metadata.ts'
import { accessHooks } from './access/accessHooks.ts'
import type { Clock, Command, Database, Effect, Precondition } from './context.ts'
import { sql } from './db/sql.ts'
import { flowLinks, type FlowTable } from './documents/flowLinks.ts'
import type { DocumentHookTable } from './documents/hooks.ts'
import { Api } from './http/api.ts'
import { approvalEndpoints } from './http/approvalEndpoints.ts'
import { authenticate } from './http/authenticate.ts'
import { clientFiles } from './http/clientFiles.ts'
import { commandEndpoints } from './http/commandEndpoints.ts'
import { dataEndpoints } from './http/dataEndpoints.ts'
import { refusal } from './http/envelope.ts'
import { problemOf } from './http/problemOf.ts'
import { securityHeaders } from './http/securityHeaders.ts'
import { sessionEndpoints } from './http/sessionEndpoints.ts'
import { specifiedEndpoints } from './http/specifiedEndpoints.ts'
import { openapiEndpoints } from './openapi/openapiEndpoints.ts'
import { randomToken } from './random.ts'
import type { Services } from './services.ts'

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
  /** Requests a minute from one address; absent: no limit but that of the sign-in. */
  readonly requestsPerMinute?: number
  readonly log?: (line: string) => void
}

const bodyLimit = 4 * 1024 * 1024

/** The whole server, not yet listening. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const log = options.log ?? ((): void => undefined)
  const services: Services = {
    database: options.database,
    clock: options.clock,
    metadata: options.metadata,
    hooks: mergedHooks(options.registries.hooks),
    flow: options.registries.flow ?? flowLinks,
    preconditions: options.registries.preconditions,
    effects: options.registries.effects,
    commands: options.registries.commands,
    log,
  }
  const app = fastify({ bodyLimit, genReqId: () => randomToken(9), trustProxy: 'loopback', routerOptions: { maxParamLength: 200, caseSensitive: true } })
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error, options.metadata)
    if (!problem || problem.code === 'UNBALANCED') log(`${request.id} ${request.method} ${request.url.split('?')[0]} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    const { statusCode, body } = refusal(problem ?? { code: 'INTERNAL', text: `Something went wrong on the server. If it happens again, tell support the number ${request.id}.` })
    return reply.status(statusCode).send(body)
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))))
  await securityHeaders(app)
  await app.register(rateLimit, {
    global: options.requestsPerMinute !== undefined,
    max: options.requestsPerMinute ?? 1_000,
    timeWindow: 60_000,
    errorResponseBuilder: () => Object.assign(new Error('Too many requests'), { statusCode: 429 }),
  })
  await app.register(multipart, { limits: { fileSize: bodyLimit, files: 1, fields: 20 } })
  const sessions = authenticate(app, services)
  const api = new Api(app, services)
  healthEndpoint(api, options)
  sessionEndpoints(api, sessions)
  specifiedEndpoints(api)
  approvalEndpoints(api)
  commandEndpoints(api)
  dataEndpoints(api, sessions)
  openapiEndpoints(app, api, services, options.version)
  if (options.clientFolder === undefined) app.setNotFoundHandler(() => notFound())
  else await clientFiles(app, options.clientFolder)
  return app
}

function healthEndpoint(api: Api, options: AppOptions): void {
  api.open('GET', '/api/v1/health', { summary: 'Is the server ready? Version and migration number', tag: 'Session' }, async ({ services }) => {
    const row = await services.database.first<{ number: number }>(sql`select max(number) as number from schema_migration`)
    return { version: options.version, migration: row?.number ?? 0, database: services.database.engine }
  })
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
