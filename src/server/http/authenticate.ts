import type { FastifyInstance } from 'fastify'
import { userOfToken } from '#server/access/sessions.ts'
import type { User } from '#server/context.ts'
import { fail } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    isPublic?: boolean
  }
}

/** Sessions known for a moment, so that the calls one page makes do not each ask the database who is asking. */
const rememberMs = 3_000

export interface SessionCache {
  /** After permissions, users or sessions have changed. */
  forget(): void
}

/** Finds the user of the bearer token for every call under /api/v1; calls that are not public are refused without one. */
export function authenticate(app: FastifyInstance, services: Services): SessionCache {
  const known = new Map<string, { readonly at: number; readonly session: { readonly user: User; readonly sessionId: number } }>()
  app.decorateRequest('signedIn', undefined)
  app.addHook('onRequest', async (request) => {
    const isApi = request.url.startsWith('/api/v1/')
    if (!isApi) return
    const token = /^Bearer ([\w-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1]
    if (token !== undefined) {
      const now = Date.now()
      const cached = known.get(token)
      if (cached && now - cached.at < rememberMs) request.signedIn = cached.session
      else {
        const session = await userOfToken(services.database, services.clock, token)
        if (known.size > 2_000) known.clear()
        if (session) known.set(token, { at: now, session })
        else known.delete(token)
        request.signedIn = session
      }
    }
    if (!request.signedIn && request.routeOptions.config.isPublic !== true) fail('UNAUTHENTICATED', 'Sign in to continue.')
  })
  return { forget: () => known.clear() }
}
