import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessionOfToken, type FoundSession, type LiveSession } from '#server/access/sessions.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    isPublic?: boolean
  }
}

/** Sessions known for a moment, so that the calls one page makes do not each ask the database who is asking. */
const rememberMs = 3_000

/** By it every process of this server and of others hears that permissions, users or sessions have changed. */
const channel = 'arus_access'

export interface SessionCache {
  /** After permissions, users or sessions have changed: forgotten here at once, and by every other process as soon as it is told. */
  forget(): Promise<void>
}

/** Finds the user of the bearer token for every call under /api/v1; calls that are not public are refused without one. */
export function authenticate(app: FastifyInstance, services: Services): SessionCache {
  const known = new Map<string, { readonly at: number; readonly session: LiveSession }>()
  let forgotten = 0
  const find = async (token: string): Promise<FoundSession> => {
    const now = services.clock.now().getTime()
    const cached = known.get(token)
    if (cached && now >= cached.at && now - cached.at < rememberMs) return { kind: 'live', session: cached.session }
    const before = forgotten
    const found = await sessionOfToken(services.database, services.clock, token)
    if (known.size > 2_000) known.clear()
    // What was read before something changed holds for this call, not for those to come.
    if (found.kind === 'live' && before === forgotten) known.set(token, { at: now, session: found.session })
    else known.delete(token)
    return found
  }
  app.decorateRequest('signedIn', undefined)
  app.addHook('onRequest', async (request) => {
    if (!request.url.startsWith('/api/v1/')) return
    const token = /^Bearer ([\w-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1]
    const found: FoundSession = token === undefined ? { kind: 'none' } : await find(token)
    if (found.kind === 'live') request.signedIn = found.session
    if (request.routeOptions.config.isPublic === true) return
    if (found.kind !== 'live') refuse(found.kind)
    if (found.session.isPasswordExpired && !isOpenWhileExpired(request)) fail('PASSWORD_EXPIRED')
  })
  const drop = (): void => {
    forgotten++
    known.clear()
  }
  // The embedded database has one process.
  const { database } = services
  const isShared = database.engine === 'postgres'
  if (isShared) {
    let stop: (() => void) | undefined
    app.addHook('onReady', async () => {
      stop = await database.listen(channel, drop)
    })
    app.addHook('onClose', async () => stop?.())
  }
  return {
    forget: async () => {
      drop()
      // What was changed is changed whether the others could be told or not; they ask for themselves in a moment.
      if (isShared) await database.run(sql`select pg_notify(${channel}, '')`).catch(() => undefined)
    },
  }
}

function refuse(kind: 'none' | 'expired' | 'ended'): never {
  switch (kind) {
    case 'none':
      return fail('UNAUTHENTICATED')
    case 'expired':
      return fail('SESSION_EXPIRED')
    case 'ended':
      return fail('SESSION_ENDED')
  }
}

/** Who has to change his password may see himself and his home page, and nothing of the company. */
const openWhileExpired: readonly RegExp[] = [
  /^\/api\/v1\/(setting\/user-personal|setting\/tos|menu|permission|logout|home(\/\w+)?|approval\/mine)$/,
  /^\/api\/v1\/profile(\/|$)/,
  /^\/api\/v1\/(notification|event)s?(\/|$)/,
  /^\/api\/v1\/data\/(announcement|starred-page)$/,
]

function isOpenWhileExpired(request: FastifyRequest): boolean {
  const [path = ''] = request.url.split('?')
  return openWhileExpired.some((pattern) => pattern.test(path))
}
