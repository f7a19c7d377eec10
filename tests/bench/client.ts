import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import type { FastifyInstance } from 'fastify'
import { metadata } from '#generated/metadata.ts'
import { buildApp } from '#server/app.ts'
import { diskStore } from '#server/files/diskStore.ts'
import { Capacity } from '#server/http/admission.ts'
import type { Database } from '#server/context.ts'
import { registries } from '#server/registries.ts'
import { demoPassword } from '#server/seed/demo/people.ts'
import type { Engine } from './bench.ts'
import { benchClock, type Bench, type Place } from './databases.ts'

/** The server over a real socket, and a signed-in user's calls to it over kept connections. */
export interface Client {
  readonly origin: string
  /** Of every process that serves the database. */
  readonly origins: readonly string[]
  readonly token: string
  get<T>(path: string, query?: Readonly<Record<string, string | number | boolean>>): Promise<T>
  post<T>(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<T>
  close(): Promise<void>
}

interface Call {
  readonly path: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Text the answer must hold, beyond its status. */
  readonly expected?: string
}

/** What the sending process is told. */
export interface Load {
  readonly origins: readonly string[]
  readonly token: string
  readonly atOnce: number
  readonly calls: readonly Call[]
}

let loads = 0

/** Sends the calls from a process of its own, as users do, `atOnce` side by side; answers how many a second. Throws at the first that is refused. */
export async function answeredPerSecond({ origins, token }: Client, atOnce: number, calls: readonly Call[]): Promise<number> {
  const load = ++loads
  const keyed = calls.map((call, n) => ({ ...call, headers: { 'idempotency-key': `load-${process.pid}-${load}-${n}`, ...call.headers } }))
  const child = fork(path.join(import.meta.dirname, 'load.ts'))
  const answer = await new Promise<{ readonly ms?: number; readonly failure?: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { ms?: number; failure?: string }))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The sending process ended with code ${code}.`)))
    child.send({ origins, token, atOnce, calls: keyed } satisfies Load)
  })
  // Its time on the processors is not the server's: it is gone before anybody looks.
  if (child.exitCode === null) await once(child, 'exit')
  if (answer.ms === undefined) throw new Error(answer.failure)
  return (calls.length * 1000) / answer.ms
}

export async function startApp(database: Database): Promise<{ readonly app: FastifyInstance; readonly origin: string }> {
  const app = await buildApp({ database, clock: benchClock, metadata, registries, version: 'bench', files: diskStore(fs.mkdtempSync(path.join(os.tmpdir(), 'arus-bench-files-'))), capacity: { all: new Capacity(), changes: new Capacity() } })
  return { app, origin: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

interface Served {
  readonly origin: string
  readonly token: string
  readonly stop: () => Promise<void>
}

/** The server in a process of its own. */
export async function serveApart(place: Place): Promise<Served> {
  const server = spawn(process.execPath, ['--import', path.join(import.meta.dirname, 'register.mjs'), path.join(import.meta.dirname, 'serve.ts'), JSON.stringify(place)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM')
    await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(null)))
  }
  const { origin, token } = await new Promise<Omit<Served, 'stop'>>((resolve, reject) => {
    readline.createInterface(server.stdout).once('line', (line) => resolve(JSON.parse(line) as Omit<Served, 'stop'>))
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  return { origin, token, stop }
}

/** Processes that serve one database: as many as there are processors where it can be shared. */
export const processesOn = (engine: Engine): number => (engine === 'postgres' ? os.availableParallelism() : 1)

/** The server as `ARUS_PROCESSES` runs it: what is sent side by side is spread over all processes. */
export async function serveAll({ database, place }: Bench, processes: number): Promise<Client> {
  const client = await serve(database)
  const others = await Promise.all(Array.from({ length: processes - 1 }, () => serveApart(place)))
  return {
    ...client,
    origins: [client.origin, ...others.map(({ origin }) => origin)],
    close: async () => {
      await Promise.all(others.map(({ stop }) => stop()))
      await client.close()
    },
  }
}

export async function serve(database: Database, account = 'admin'): Promise<Client> {
  const { app, origin } = await startApp(database)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  let token = ''
  let key = 0
  const send = <T>(method: string, path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<T> =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body)
      const request = http.request(
        origin + path,
        {
          method, agent,
          headers: {
            ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers,
            ...(payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const answer = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { status: string; message: string; data: T }
            if (response.statusCode === 200 || response.statusCode === 201) resolve(answer.data)
            else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer.message} ${JSON.stringify(answer.data)}`))
          })
        },
      )
      request.on('error', reject)
      request.end(payload)
    })
  const client = {
    origin,
    origins: [origin],
    get: <T>(path: string, query: Readonly<Record<string, string | number | boolean>> = {}) =>
      send<T>('GET', `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()}`, undefined, {}),
    post: <T>(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => send<T>('POST', path, body, { 'idempotency-key': `bench-${process.pid}-${++key}`, ...headers }),
    close: async () => {
      agent.destroy()
      await app.close()
    },
  }
  const { token: signedIn } = await client.post<{ token: string }>('/api/v1/login', { email: `${account}@arus.example`, password: demoPassword, user_agent: 'bench' })
  token = signedIn
  return { ...client, token }
}
