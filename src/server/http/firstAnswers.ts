import { PassThrough, type Transform } from 'node:stream'
import zlib from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { firstAnswersId } from '#api/firstAnswers.ts'
import { isAllowed } from '#api/menuAccess.ts'
import type { MenuAnswer } from '#api/session.ts'
import type { Envelope } from '#api/envelope.ts'
import { recordOf } from '#meta/recordOf.ts'
import type { Route, Screen } from '#meta/resolved.ts'
import { parametersOf, type FoundRoute } from '#meta/routePath.ts'

const menuCall = '/api/v1/menu'
const sessionCalls = ['/api/v1/setting/user-personal', menuCall, '/api/v1/permission?source=OMS']
const viewed: readonly string[] = ['list', 'report', 'workbench']

/** The answers to what the page of a route asks first, for the session of the page's own cookie; the calls go the way every call goes. */
export class FirstAnswers {
  readonly #app: FastifyInstance
  readonly #screens: Readonly<Record<string, Screen>>

  constructor(app: FastifyInstance, screens: Readonly<Record<string, Screen>>) {
    this.#app = app
    this.#screens = screens
  }

  /** The element that holds them; '' where the session is none. Of a route that is not in the menu no record is read. */
  async element(found: FoundRoute<Route>, request: FastifyRequest): Promise<string> {
    const token = cookieOf(request, 'token')
    if (token === undefined) return ''
    const screen = found.route.screen === undefined ? undefined : this.#screens[found.route.screen]
    const ask = async (url: string): Promise<readonly [url: string, body: string] | undefined> => {
      const { statusCode, body } = await this.#app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` }, remoteAddress: request.ip })
      return statusCode === 200 ? [url, body] : undefined
    }
    const first = await Promise.all([...sessionCalls, ...(viewed.includes(screen?.kind ?? '') ? ['/api/v1/view'] : [])].map(ask))
    const menu = first.find((one) => one?.[0] === menuCall)?.[1]
    const record = screen === undefined || menu === undefined ? undefined : recordCall(screen, found, request)
    const isOpen = menu !== undefined && isAllowed(found.route, (JSON.parse(menu) as Envelope<MenuAnswer>).data.records)
    const answers = [...first, record !== undefined && isOpen ? await ask(record) : undefined].filter((one) => one !== undefined)
    if (answers.length === 0) return ''
    const session = JSON.stringify(cookieOf(request, 'log_login_id') ?? '')
    const json = `{"session":${session},"answers":{${answers.map(([url, body]) => `${JSON.stringify(url)}:${body}`).join(',')}}}`
    // The end of the element is not written by what stands in it.
    return `<script type="application/json" id="${firstAnswersId}">${json.replaceAll('<', String.raw`\u003c`)}</script>`
  }
}

/** The call by which the page reads the record it shows. */
function recordCall(screen: Screen, { route, values }: FoundRoute<Route>, request: FastifyRequest): string | undefined {
  if ((screen.kind !== 'form' && screen.kind !== 'detail') || !('resource' in screen)) return undefined
  const { searchParams } = new URL(request.url, 'http://page')
  const id = recordOf(screen, { ...Object.fromEntries(searchParams), ...parametersOf(route, values) })
  return id !== undefined && id > 0 ? `/api/v1/data/${screen.resource}/${id}` : undefined
}

function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const found = new RegExp(`(?:^|; )${name}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1]
  return found === undefined || !/^[\w-]{1,200}$/.test(found) ? undefined : found
}

/** A page that is sent in two parts: the browser begins with the first while the second is being made. */
export function inTwoParts(request: FastifyRequest, before: string, after: Promise<string>): { readonly body: Transform; readonly encoding: 'br' | undefined } {
  const isSmall = /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
  const body = isSmall ? zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }) : new PassThrough()
  body.write(before)
  if ('flush' in body) body.flush()
  void after.then(
    (text) => body.end(text),
    (error: unknown) => body.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return { body, encoding: isSmall ? 'br' : undefined }
}
