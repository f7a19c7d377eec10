import { PassThrough, type Transform } from 'node:stream'
import zlib from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Envelope } from '#api/envelope.ts'
import { callName, firstAnswersId, listHabitsCookie, readHabits } from '#api/firstAnswers.ts'
import { listQuery } from '#api/listQuery.ts'
import { listSetup } from '#api/listSetup.ts'
import { isAllowed } from '#api/menuAccess.ts'
import type { MenuAnswer, PermissionAnswer } from '#api/session.ts'
import type { SavedView, ViewAnswer } from '#api/view.ts'
import { permitted } from '#meta/permitted.ts'
import { recordOf } from '#meta/recordOf.ts'
import type { Route, Screen } from '#meta/resolved.ts'
import { parametersOf, type FoundRoute } from '#meta/routePath.ts'
import { acceptsBrotli } from './packedFiles.ts'

const menuCall = '/api/v1/menu'
const viewCall = '/api/v1/view'
const permissionCall = '/api/v1/permission?module=&source=OMS'
const sessionCalls = ['/api/v1/setting/user-personal', menuCall, permissionCall]
const viewed: readonly string[] = ['list', 'report', 'workbench']

/** So long a page waits for the rows it will show, as the browser would before it draws the page without them. */
const usualPatienceMs = 150
/** More rows come on their own: the page, which must be whole before its program begins, would grow long. */
const mostRows = 200
/** So many pages of a list go without waiting once its rows have come too late. */
const pagesWithout = 20

/** The answers to what the page of a route asks first, for the session of the page's own cookie; the calls go the way every call goes. */
export class FirstAnswers {
  readonly #app: FastifyInstance
  readonly #screens: Readonly<Record<string, Screen>>
  readonly #patienceMs: number
  /** Pages that are still to go without rows, by screen. */
  readonly #without = new Map<string, number>()

  constructor(app: FastifyInstance, screens: Readonly<Record<string, Screen>>, patienceMs = usualPatienceMs) {
    this.#app = app
    this.#screens = screens
    this.#patienceMs = patienceMs
  }

  /** The element that holds them, and `more` members of it; '' where the session is none. Of a route that is not in the menu no record is read, and no row. */
  async element(found: FoundRoute<Route>, request: FastifyRequest, more = ''): Promise<string> {
    const token = cookieOf(request, 'token')
    if (token === undefined) return ''
    const whole = found.route.screen === undefined ? undefined : this.#screens[found.route.screen]
    const ask = async (url: string): Promise<readonly [url: string, body: string] | undefined> => {
      const { statusCode, body } = await this.#app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` }, remoteAddress: request.ip })
      return statusCode === 200 ? [url, body] : undefined
    }
    const first = await Promise.all([...sessionCalls, ...(viewed.includes(whole?.kind ?? '') ? [viewCall] : [])].map(ask))
    const known = new Map(first.filter((one) => one !== undefined))
    const menu = dataIn(known.get(menuCall)) as MenuAnswer | undefined
    const screen = whole?.asks === undefined ? whole : seenScreen(whole, dataIn(known.get(permissionCall)) as PermissionAnswer | undefined)
    if (screen !== undefined && menu !== undefined && isAllowed(found.route, menu.records)) {
      const record = recordCall(screen, found, request)
      const rows = rowsCall(screen, found, request, (dataIn(known.get(viewCall)) as ViewAnswer | undefined)?.records)
      const shown = record !== undefined ? await ask(record) : rows === undefined ? undefined : await this.#soon(screen.id, () => ask(rows))
      if (shown !== undefined) known.set(...shown)
    }
    if (known.size === 0) return ''
    const session = JSON.stringify(cookieOf(request, 'log_login_id') ?? '')
    const json = `{"session":${session},"answers":{${[...known].map(([url, body]) => `${JSON.stringify(url)}:${body}`).join(',')}}${more}}`
    // The end of the element is not written by what stands in it.
    return `<script type="application/json" id="${firstAnswersId}">${json.replaceAll('<', String.raw`\u003c`)}</script>`
  }

  /** What is asked if it comes soon: the program of a page does not begin before its end. */
  async #soon<T>(screen: string, ask: () => Promise<T>): Promise<T | undefined> {
    const without = this.#without.get(screen) ?? 0
    if (without > 0) {
      this.#without.set(screen, without - 1)
      return undefined
    }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        this.#without.set(screen, pagesWithout)
        resolve(undefined)
      }, this.#patienceMs)
    })
    try {
      return await Promise.race([ask(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The screen as the page will have it: what may not be read is not asked for. */
function seenScreen(screen: Screen, permissions: PermissionAnswer | undefined): Screen {
  const held = new Set(permissions?.records.map(({ GuardName: name }) => name))
  return permitted(screen, (guard) => held.has(guard))
}

/** The call by which the page reads the record it shows. */
function recordCall(screen: Screen, { route, values }: FoundRoute<Route>, request: FastifyRequest): string | undefined {
  if ((screen.kind !== 'form' && screen.kind !== 'detail') || !('resource' in screen)) return undefined
  const { searchParams } = new URL(request.url, 'http://page')
  const id = recordOf(screen, { ...Object.fromEntries(searchParams), ...parametersOf(route, values) })
  return id !== undefined && id > 0 ? `/api/v1/data/${screen.resource}/${id}` : undefined
}

/** What stands in the envelope of an answer. */
function dataIn(body: string | undefined): unknown {
  return body === undefined ? undefined : (JSON.parse(body) as Envelope<unknown>).data
}

/** The language the browser says it is in; undefined where it says none. */
export function languageOf(request: FastifyRequest): string | undefined {
  return readHabits(cookieOf(request, listHabitsCookie) ?? '')?.language
}

/** The call by which the page of a list asks for the rows it shows first; undefined where only the browser knows which. */
function rowsCall(screen: Screen, { route, values }: FoundRoute<Route>, request: FastifyRequest, views: readonly SavedView[] = []): string | undefined {
  const habits = readHabits(cookieOf(request, listHabitsCookie) ?? '')
  // What a page shows that takes part in a common choice is known only once that choice is.
  if (screen.kind !== 'list' || route.preload !== undefined || habits?.laidOut === undefined) return undefined
  const { state, columns, layoutKey } = listSetup(screen, new URL(request.url, 'http://page').searchParams, views, {})
  if (habits.laidOut.includes(layoutKey)) return undefined
  const query = listQuery({ screen, state, columns, params: parametersOf(route, values), preferredLength: habits.length })
  return (query.length ?? 0) > mostRows ? undefined : callName(`/api/v1/data/${screen.resource}`, { ...query })
}

/** Letters, digits and what else stands in the values of our own cookies; anything else is none of them. */
function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const found = new RegExp(`(?:^|; )${name}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1]
  return found === undefined || !/^([\w.!*-]|%23){1,2000}$/.test(found) ? undefined : decodeURIComponent(found)
}

/** A page that is sent in two parts: the browser begins with the first while the second is being made. */
export function inTwoParts(request: FastifyRequest, before: string, after: Promise<string>): { readonly body: Transform; readonly encoding: 'br' | undefined } {
  const isSmall = acceptsBrotli(request)
  const body = isSmall ? zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }) : new PassThrough()
  body.write(before)
  if ('flush' in body) body.flush()
  void after.then(
    (text) => body.end(text),
    (error: unknown) => body.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return { body, encoding: isSmall ? 'br' : undefined }
}
