import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { problems, type ProblemCode } from '#api/problems.ts'
import { metadata as generated } from '#generated/metadata.ts'
import type { Metadata } from '#meta/metadata.ts'
import { buildApp, type AppOptions, type Registries } from '#server/app.ts'
import { clockOf } from '#server/clock.ts'
import type { Clock, Database } from '#server/context.ts'
import type { Trace } from '#server/db/database.ts'
import { diskStore } from '#server/files/diskStore.ts'
import { fillCompany, idByCode, password, testDay } from './company.ts'
import { testDatabase, testFolder, type Template } from './database.ts'
import { atEnd } from './atEnd.ts'

/** An answer as tests look at it: status, code and data of the envelope. */
export interface Answer {
  readonly status: number
  /** 'success' or the problem code. */
  readonly code: 'success' | ProblemCode
  readonly message: string
  // oxlint-disable-next-line no-explicit-any -- tests read into answers of every shape
  readonly data: any
  readonly headers: Readonly<Record<string, unknown>>
}

export interface Sending {
  readonly version?: number
  readonly key?: string
  readonly acknowledge?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A signed-in user's calls. */
export interface Session {
  readonly token: string
  get(path: string, query?: Readonly<Record<string, string | number | boolean>>): Promise<Answer>
  post(path: string, body?: unknown, sending?: Sending): Promise<Answer>
  put(path: string, body?: unknown, sending?: Sending): Promise<Answer>
  delete(path: string, sending?: Sending): Promise<Answer>
}

export interface TestApp {
  readonly app: FastifyInstance
  readonly database: Database
  readonly clock: Clock
  /** Sets the clock. */
  moveTo(at: string): void
  /** Signs in with the demo password; `sales` stands for `sales@arus.example`. */
  signIn(email: string): Promise<Session>
  readonly anonymous: Session
  id(table: string, code: string, column?: string): Promise<number>
  /** Where its files are kept. */
  readonly filesFolder: string
  /** Lines the server has logged. */
  readonly log: readonly string[]
}

export interface TestAppOptions {
  readonly registries?: Registries
  readonly metadata?: Metadata
  /** Absent: the small company of `company.ts`. */
  readonly template?: Template
  readonly clientFolder?: string
  /** Anything else of the server that a test sets. */
  readonly server?: Partial<Pick<AppOptions, 'mail' | 'sso' | 'publicUrl' | 'trustProxy' | 'freeBytes' | 'capacity'>>
  /** Told of every trip to the database. */
  readonly trace?: Trace
}

/** The server on a fresh database with the small company, closed after the tests of the file. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await testDatabase(options.template ?? { name: 'company', fill: (fresh) => fillCompany(fresh) }, options.trace)
  let now = new Date(testDay)
  const clock = clockOf(() => now)
  const log: string[] = []
  const filesFolder = path.join(testFolder(), 'files')
  const app = await buildApp({
    database, clock, metadata: options.metadata ?? generated, version: 'test', log: (line) => void log.push(line),
    registries: options.registries ?? (await import('#server/registries.ts')).registries,
    files: diskStore(filesFolder),
    ...(options.clientFolder === undefined ? {} : { clientFolder: options.clientFolder }),
    ...options.server,
  })
  await app.ready()
  atEnd(() => {
    // A client in this process keeps its connections for later; the server would wait for them.
    app.server.closeAllConnections()
    return app.close()
  })
  return {
    app, database, clock, log, filesFolder,
    moveTo: (at) => {
      now = new Date(at)
    },
    signIn: async (email) => sessionOf(app, await signIn(app, email.includes('@') ? email : `${email}@arus.example`)),
    anonymous: sessionOf(app, ''),
    id: (table, code, column) => idByCode(database, table, code, column),
  }
}

async function signIn(app: FastifyInstance, email: string): Promise<string> {
  const answer = await app.inject({ method: 'POST', url: '/api/v1/login', payload: { email, password, user_agent: 'test' } })
  if (answer.statusCode !== 200) throw new Error(`${email} cannot sign in: ${answer.body}`)
  return answer.json().data.token
}

/** Calls of a token that the server knows. */
export function sessionOf(app: FastifyInstance, token: string): Session {
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, query: Readonly<Record<string, string | number | boolean>>, body: unknown, sending: Sending): Promise<Answer> => {
    // A call that needs no database would be over without the event loop having turned, and what it used could not be given back.
    await setImmediate()
    const answer = await app.inject({
      method,
      url: path,
      query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(sending.version === undefined ? {} : { 'if-match': String(sending.version) }),
        ...(sending.key === undefined ? {} : { 'idempotency-key': sending.key }),
        ...(sending.acknowledge === undefined ? {} : { acknowledge: sending.acknowledge.join(',') }),
        ...sending.headers,
      },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const parsed = answer.headers['content-type']?.toString().startsWith('application/json') === true ? answer.json() : { status: 'success', message: answer.body, data: {} }
    const code: 'success' | ProblemCode = parsed.status === 'success' || Object.hasOwn(problems, parsed.status) ? parsed.status : 'INTERNAL'
    return { status: answer.statusCode, code, message: parsed.message, data: parsed.data, headers: answer.headers }
  }
  return {
    token,
    get: (path, query = {}) => call('GET', path, query, undefined, {}),
    post: (path, body, sending = {}) => call('POST', path, {}, body, sending),
    put: (path, body, sending = {}) => call('PUT', path, {}, body, sending),
    delete: (path, sending = {}) => call('DELETE', path, {}, undefined, sending),
  }
}
