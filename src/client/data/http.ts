import axios, { isAxiosError, isCancel, type AxiosRequestConfig, type AxiosResponse } from 'axios'
import type { Envelope, ProblemData, Warning, WireRecord } from '#api/envelope.ts'
import { isProblemCode, type FieldProblem, type Obstacle, type ProblemCode, type Said } from '#api/problems.ts'
import { accept, refuse, type Result } from '#base/result.ts'
import { isWorthAnotherTry, pause, setConnection } from './connection.ts'
import { appVersion } from '../app/build.ts'
import { takeFirstAnswer } from './firstAnswers.ts'
import { readCookie, removeCookie, writeCookie } from './cookies.ts'
import { keep, readKept } from './kept.ts'
import { forgetAnswers } from './lastAnswers.ts'
import { leaveNotice } from './notice.ts'

/** What the server, or the way to it, refused: always something to tell the user. */
export interface Refusal {
  readonly code: ProblemCode | 'NETWORK' | 'ABORTED'
  /** HTTP status; 0 without an answer. */
  readonly status: number
  readonly text: string
  readonly errors: readonly FieldProblem[]
  /** 412: acknowledge these ids and send again. */
  readonly warnings: readonly Warning[]
  /** What stands in the way, one by one. */
  readonly obstacles?: readonly Obstacle[] | undefined
  /** 409 VERSION_CONFLICT: the record as it stands now. */
  readonly current?: WireRecord
  /** Number under which the server has logged what went wrong. */
  readonly incident?: string
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
  /** A POST that only asks: what it asks is too long for an address. It may be sent again and changes nothing. */
  readonly isQuestion?: boolean
  /** Answers without a session (signing in, pages anybody may read): its refusal ends none. */
  readonly isOpen?: boolean
  /** Who asks says himself what the server fails at, in the place of a part of a page for example: no error page comes. */
  readonly isPart?: boolean | undefined
  /** Told how much of the body has been sent, 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined
}

// The catalogue of the kinds is answered by samples, no server.
const isCatalogue = import.meta.env.DEV && typeof location !== 'undefined' && location.pathname.startsWith('/studio/catalogue')

// The session travels in a header of its own, never in a cookie, so no token has to be read against forged requests: looking for one would ask
// the browser and wait for its answer before every request.
const client = axios.create({
  baseURL: '/',
  timeout: 0,
  maxBodyLength: Infinity,
  maxContentLength: Infinity,
  withXSRFToken: false,
  // Of a request without a body axios would take off what it says of its content.
  transformRequest: [axios.defaults.transformRequest ?? [], (body: unknown) => body ?? null].flat(),
})

/** A page that works without the server for hours says so: being out of reach ends no session meanwhile. */
let isAbsenceBorne = false

export function bearAbsence(isBorne: boolean): void {
  isAbsenceBorne = isBorne
}

/**
 * One request to the server. Never throws for a refusal; a lost session or a server error also leaves the page as the specification says.
 * Without any answer a call that may be repeated is sent again for a while before the session counts as lost.
 */
export async function send<T>(call: Call): Promise<Answer<T>> {
  const since = Date.now()
  for (let sent = 1; ; sent++) {
    try {
      const answer = await sendOnce<T>(call)
      if (call.method !== undefined && call.isQuestion !== true) forgetAnswers()
      setConnection('fine')
      return answer
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      const isGoingOn = call.isOpen !== true && isRepeatable(call) && (await isWorthAnotherTry({ sent, since, signal: call.signal, isReachable }))
      if (isGoingOn) continue
      const isBack = error.refusal === undefined && call.isOpen !== true && !isRepeatable(call) && (await isBackInTime(call, since))
      if (call.signal?.aborted === true) return refuse(plain('ABORTED', 0, ''))
      if (error.refusal !== undefined) {
        setConnection('fine')
        return refuse(error.refusal)
      }
      if (isBack) {
        setConnection('fine')
        return refuse(plain('NETWORK', 0, inWords({ text: error.message, key: 'ui.unanswered' })))
      }
      if (call.isOpen !== true && !isAbsenceBorne) loseSession('CONNECTION_LOST')
      return refuse(unreachable(error.message))
    }
  }
}

/**
 * A call made while the window goes away: it is under way before this returns, and the browser brings it to its end even if the page is gone by then.
 * Never sent again and never a reason to change the page: what became of it is told only where the page lives on.
 */
export async function sendLeaving<T>(call: Call): Promise<Answer<T>> {
  try {
    const response = await window.fetch(call.path, { method: call.method ?? 'GET', headers: headersFor(call), body: JSON.stringify(call.body ?? {}), keepalive: true })
    const envelope = (await response.json()) as Envelope<T>
    return response.ok && bodyStatus(envelope) === undefined ? accept(envelope.data) : refuse(refusalOf(response.status, envelope))
  } catch (error) {
    return refuse(unreachable(String(error)))
  }
}

/** What came back of a call that is tried once and changes nothing else here. */
export interface PlainAnswer {
  readonly status: number
  readonly data: ProblemData & Readonly<Record<string, unknown>>
  readonly said: Said
}

/** One try that ends no session and shows no page: who sends keeps what could not be sent. Rejects without an answer. */
export async function sendOnceOnly({ path, body, ...call }: Pick<Call, 'path' | 'body' | 'key' | 'acknowledge'>, patienceMs: number): Promise<PlainAnswer> {
  const response = await window.fetch(path, {
    method: 'POST', headers: headersFor({ body, ...call }), body: body instanceof FormData ? body : JSON.stringify(body ?? {}), signal: AbortSignal.timeout(patienceMs),
  })
  const { data, message } = (await response.json()) as Envelope<PlainAnswer['data']>
  const { key, params } = data
  return { status: response.status, data, said: { text: message, ...(key === undefined ? {} : { key }), ...(params === undefined ? {} : { params }) } }
}

/** After a call that must not be sent twice: the session lives on with a server that answers others again, though nobody knows what became of this one. */
async function isBackInTime({ signal }: Call, since: number): Promise<boolean> {
  for (let sent = 1; await isWorthAnotherTry({ sent, since, signal, isReachable }); sent++) if (await isReachable()) return true
  return false
}

/** The call was sent, or not even that: nothing came back, or only that nobody is there to answer (`refusal`). */
class Unanswered extends Error {
  readonly refusal: Refusal | undefined

  constructor(message: string, refusal?: Refusal) {
    super(message)
    this.refusal = refusal
  }
}

/** Asks for a file and waits for all of it. `onBytes` is told how many have come; `about` says what it is called. */
export async function sendForFile(call: Call, onBytes: (bytes: number) => void): Promise<Answer<{ readonly blob: Blob; readonly about: string }>> {
  const since = Date.now()
  try {
    const { data, headers } = await request<Blob>(call, { responseType: 'blob', onDownloadProgress: ({ loaded }) => onBytes(loaded) })
    const about = String(headers['content-disposition'] ?? '')
    const envelope = about === '' && data.type.startsWith('application/json') ? await envelopeIn(data) : undefined
    const status = bodyStatus(envelope)
    if (status === undefined) return accept({ blob: data, about })
    const refusal = refusalOf(status, envelope)
    loseSession(refusal.code)
    return refuse(refusal)
  } catch (error) {
    if (isCancel(error)) return refuse(plain('ABORTED', 0, ''))
    if (!isAxiosError<Blob>(error)) throw error
    if (error.response === undefined) {
      if (await isBackInTime(call, since)) setConnection('fine')
      else loseSession('CONNECTION_LOST')
      return refuse(unreachable(error.message))
    }
    const { status, data } = error.response
    const envelope = await envelopeIn(data)
    const refusal = refusalOf(status, envelope)
    if (status === 401 || bodyStatus(envelope) !== undefined) loseSession(refusal.code)
    return refuse(refusal)
  }
}

/** A refusal comes as an envelope even where a file was asked for. */
async function envelopeIn(data: Blob): Promise<Partial<Envelope<unknown>> | undefined> {
  return (await data.text().then(JSON.parse).catch(() => undefined)) as Partial<Envelope<unknown>> | undefined
}

function request<T>(call: Call, more: AxiosRequestConfig = {}): Promise<AxiosResponse<T>> {
  return client.request<T>({
    method: call.method ?? 'GET',
    url: isCatalogue ? `/studio/catalogue${call.path}` : call.path,
    params: call.query,
    // What is JSON is not empty.
    data: call.body ?? (call.method === 'POST' || call.method === 'PUT' ? {} : undefined),
    headers: headersFor(call),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
    ...progressOf(call),
    ...more,
  })
}

async function sendOnce<T>(call: Call): Promise<Answer<T>> {
  try {
    const first = call.method === undefined ? (takeFirstAnswer(call.path, call.query) as Envelope<T> | undefined) : undefined
    const envelope = first ?? (await request<Envelope<T>>(call)).data
    const status = bodyStatus(envelope)
    if (status !== undefined) {
      const refusal = refusalOf(status, envelope)
      if (call.isOpen !== true) loseSession(refusal.code)
      return refuse(refusal)
    }
    rememberHost(envelope.data)
    return accept(envelope.data)
  } catch (error) {
    if (isCancel(error)) return refuse(plain('ABORTED', 0, ''))
    if (!isAxiosError<Envelope<ProblemData>>(error)) throw error
    if (error.response === undefined) throw new Unanswered(error.message)
    const { status, data } = error.response
    const refusal = refusalOf(status, data)
    // What was sent before the server went down may have been done: only the same call again, once it is back, tells.
    if (isNobodyThere(status, data)) throw new Unanswered(error.message, refusal)
    if ((status === 401 || bodyStatus(data) !== undefined) && call.isOpen !== true) loseSession(refusal.code)
    if (status === 500 && call.isPart !== true) goTo('/pages/error-500', refusal)
    return refuse(refusal)
  }
}

/** The server is starting or without its database, or what stands before it says that it is not there. What is busy answers for itself. */
function isNobodyThere(status: number, envelope: Partial<Envelope<unknown>> | undefined): boolean {
  if (!awayStatuses.includes(status)) return false
  const { key } = (envelope?.data ?? {}) as ProblemData
  return !isProblemCode(envelope?.status) || key === 'problem.SERVICE_UNAVAILABLE' || key === 'problem.SERVICE_UNAVAILABLE.starting'
}

const awayStatuses: readonly number[] = [502, 503, 504]

/** The body itself says, as its code or its status, that the call was not understood (400) or not allowed (401). */
function bodyStatus(envelope: Partial<Envelope<unknown>> | undefined): number | undefined {
  return [envelope?.code, envelope?.status].map(Number).find((status) => status === 400 || status === 401)
}

/** May the call be sent again when nobody knows whether it arrived? Reading always; a command with its key or version is done only once. */
function isRepeatable(call: Call): boolean {
  return call.isQuestion === true || call.method === undefined || call.method === 'GET' || call.method === 'PUT' || call.key !== undefined || call.version !== undefined
}

/** Does the server answer at all? */
export async function isReachable(): Promise<boolean> {
  try {
    await client.get('/api/v1/health', { headers: headersFor({}), timeout: 5_000 })
    return true
  } catch (error) {
    return isAxiosError(error) && error.response !== undefined && !awayStatuses.includes(error.response.status)
  }
}

/** Resolves once the server answers, however long that takes. */
export async function untilReachable(): Promise<void> {
  while (!(await isReachable())) await pause(3_000)
}

/** A data file of the client itself (a message catalogue). Throws when it cannot be had. */
export async function loadFile<T>(url: string): Promise<T> {
  return (await client.get<T>(url)).data
}

/** A text of the client itself, as it is on the server now. Throws when it cannot be had. */
export async function loadText(url: string): Promise<string> {
  return (await client.get<string>(url, { responseType: 'text', transformResponse: (text: string) => text })).data
}

/** A new key for one intended command. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function hasToken(): boolean {
  return readCookie('token') !== undefined
}

/** Says a sentence of the server in the language on screen. */
let inWords = ({ text }: Said): string => text

export function onSay(say: (said: Said) => string): void {
  inWords = say
}

function worded<T extends Said>(said: T): T {
  return { ...said, text: inWords(said) }
}

type Leave = (path: string, refusal?: Refusal) => void
let goTo: Leave = (path) => location.assign(path)

/** Lets the application decide how a lost session and a server error change the page. */
export function onLeave(leave: Leave): void {
  goTo = leave
}

/** Has this page called in a session's name? Otherwise there is none to lose, and the page itself says what went wrong. */
let isInSession = false

/** The token goes and the sign-in page comes, which says why. */
export function loseSession(why: string): void {
  if (!isInSession) return
  isInSession = false
  leaveNotice(why)
  removeCookie('token')
  goTo('/pages/login')
}

function progressOf({ onProgress }: Call): AxiosRequestConfig {
  return onProgress === undefined ? {} : { onUploadProgress: ({ progress }) => onProgress(progress ?? 0) }
}

/** What every request carries. */
export function headersFor(call: Pick<Call, 'body' | 'key' | 'version' | 'acknowledge'>): Record<string, string> {
  const token = readCookie('token')
  isInSession ||= token !== undefined
  return {
    ...(call.body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
    'X-App-Id': 'arus',
    'X-App-Name': 'oms',
    'X-Platform': 'web',
    'X-App-Version': appVersion,
    'X-Timezone': (zone ??= zoneName()),
    'X-Timestamp': new Date().toISOString(),
    'X-Device-Id': deviceId(),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(call.key === undefined ? {} : { 'Idempotency-Key': call.key }),
    ...(call.version === undefined ? {} : { 'If-Match': String(call.version) }),
    ...(call.acknowledge === undefined || call.acknowledge.length === 0 ? {} : { Acknowledge: call.acknowledge.join(',') }),
  }
}

let device: string | undefined

/** The same for all calls of a window, even where nothing can be stored. */
let zone: string | undefined

interface WithTemporal {
  readonly Temporal?: { readonly Now: { timeZoneId(): string } }
}

/** The first use of `Intl` in a page costs as much as a small page; browsers that have `Temporal` tell without it. */
function zoneName(): string {
  return (globalThis as WithTemporal).Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

function deviceId(): string {
  if (device === undefined) {
    device = readKept('device-id') ?? newKey()
    keep('device-id', device)
  }
  return device
}

function rememberHost(data: unknown): void {
  if (typeof data !== 'object' || data === null || !('hostname' in data) || typeof data.hostname !== 'string') return
  writeCookie('hostname-api', data.hostname)
}

function refusalOf(status: number, envelope: Partial<Envelope<ProblemData | unknown>> | undefined): Refusal {
  const code = isProblemCode(envelope?.status) ? envelope.status : status >= 500 ? 'INTERNAL' : 'BAD_REQUEST'
  const data = (envelope?.data ?? {}) as ProblemData
  return {
    ...plain(code, status, inWords({ ...data, text: envelope?.message ?? `HTTP ${status}` })),
    errors: (data.errors ?? []).map(worded),
    warnings: (data.warnings ?? []).map(worded),
    obstacles: data.obstacles,
    ...(data.current === undefined ? {} : { current: data.current }),
    ...(data.incident === undefined ? {} : { incident: data.incident }),
  }
}

/** The error's own message where no catalogue has been loaded yet. */
function unreachable(message: string): Refusal {
  return plain('NETWORK', 0, inWords({ text: message, key: 'ui.unreachable' }))
}

function plain(code: Refusal['code'], status: number, text: string): Refusal {
  return { code, status, text, errors: [], warnings: [] }
}
