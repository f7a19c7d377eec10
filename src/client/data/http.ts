import axios, { isAxiosError, isCancel, type AxiosRequestConfig } from 'axios'
import { accept, refuse, type Result } from '#base/result.ts'
import type { Envelope, ProblemData, Warning, WireRecord } from '#api/envelope.ts'
import { problems, type FieldProblem, type ProblemCode } from '#api/problems.ts'
import { readCookie, removeCookie, writeCookie } from './cookies.ts'

/** What the server, or the way to it, refused: always something to tell the user. */
export interface Refusal {
  readonly code: ProblemCode | 'NETWORK' | 'ABORTED'
  /** HTTP status; 0 without an answer. */
  readonly status: number
  readonly text: string
  readonly errors: readonly FieldProblem[]
  /** 412: acknowledge these ids and send again. */
  readonly warnings: readonly Warning[]
  /** 409 VERSION_CONFLICT: the record as it stands now. */
  readonly current?: WireRecord
}

export type Answer<T> = Result<T, Refusal>

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** New for each intended command, the same when it is sent again. */
  readonly key?: string | undefined
  /** Version the user has seen. */
  readonly version?: number | undefined
  /** Warning ids the user has accepted. */
  readonly acknowledge?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

const appVersion = '0.1.0'
const client = axios.create({ baseURL: '/', timeout: 0, maxBodyLength: Infinity, maxContentLength: Infinity })

/** One request to the server. Never throws for a refusal; a lost session or a server error also leaves the page as the specification says. */
export async function send<T>(call: Call): Promise<Answer<T>> {
  const config: AxiosRequestConfig = {
    method: call.method ?? 'GET',
    url: call.path,
    params: call.query,
    data: call.body,
    headers: headersFor(call),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  }
  try {
    const { data: envelope } = await client.request<Envelope<T>>(config)
    if (envelope.code === 400 || envelope.code === 401) {
      if (!isLogin(call)) loseSession()
      return refuse(refusalOf(envelope.code, envelope))
    }
    rememberHost(envelope.data)
    return accept(envelope.data)
  } catch (error) {
    if (isCancel(error)) return refuse(plain('ABORTED', 0, ''))
    if (!isAxiosError<Envelope<ProblemData>>(error)) throw error
    if (error.response === undefined) {
      if (!isLogin(call)) loseSession()
      return refuse(plain('NETWORK', 0, error.message))
    }
    const { status, data } = error.response
    if (status === 401 && !isLogin(call)) loseSession()
    if (status === 500) goTo('/pages/error-500')
    return refuse(refusalOf(status, data))
  }
}

/** A data file of the client itself (a message catalogue). Throws when it cannot be had. */
export async function loadFile<T>(url: string): Promise<T> {
  return (await client.get<T>(url)).data
}

/** A new key for one intended command. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function hasToken(): boolean {
  return readCookie('token') !== undefined
}

type Leave = (path: string) => void
let goTo: Leave = (path) => location.assign(path)

/** Lets the application decide how a lost session and a server error change the page. */
export function onLeave(leave: Leave): void {
  goTo = leave
}

function loseSession(): void {
  removeCookie('token')
  goTo('/pages/login')
}

function isLogin(call: Call): boolean {
  return call.path === '/api/v1/login'
}

function headersFor(call: Call): Record<string, string> {
  const token = readCookie('token')
  return {
    ...(call.body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
    'X-App-Id': 'arus',
    'X-App-Name': 'oms',
    'X-Platform': 'web',
    'X-App-Version': appVersion,
    'X-Timezone': Intl.DateTimeFormat().resolvedOptions().timeZone,
    'X-Timestamp': new Date().toISOString(),
    'X-Device-Id': deviceId(),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(call.key === undefined ? {} : { 'Idempotency-Key': call.key }),
    ...(call.version === undefined ? {} : { 'If-Match': String(call.version) }),
    ...(call.acknowledge === undefined || call.acknowledge.length === 0 ? {} : { Acknowledge: call.acknowledge.join(',') }),
  }
}

function deviceId(): string {
  const known = localStorage.getItem('device-id')
  if (known !== null) return known
  const made = newKey()
  localStorage.setItem('device-id', made)
  return made
}

function rememberHost(data: unknown): void {
  if (typeof data !== 'object' || data === null || !('hostname' in data) || typeof data.hostname !== 'string') return
  if (readCookie('hostname-api') !== data.hostname) writeCookie('hostname-api', data.hostname)
}

function refusalOf(status: number, envelope: Partial<Envelope<ProblemData | unknown>> | undefined): Refusal {
  const code = isProblemCode(envelope?.status) ? envelope.status : status >= 500 ? 'INTERNAL' : 'BAD_REQUEST'
  const data = (envelope?.data ?? {}) as ProblemData
  return {
    ...plain(code, status, envelope?.message ?? `HTTP ${status}`),
    errors: data.errors ?? [],
    warnings: data.warnings ?? [],
    ...(data.current === undefined ? {} : { current: data.current }),
  }
}

function plain(code: Refusal['code'], status: number, text: string): Refusal {
  return { code, status, text, errors: [], warnings: [] }
}

function isProblemCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && Object.hasOwn(problems, code)
}
