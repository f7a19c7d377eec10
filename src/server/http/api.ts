import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '#server/context.ts'
import { fail, invalid } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { success } from './envelope.ts'

/** What a handler works with. */
export interface Call {
  readonly services: Services
  readonly user: User
  readonly sessionId: number
  readonly params: Readonly<Record<string, string>>
  /** Query parameters as text; of a repeated one the last. */
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** How an endpoint is described to people; the OpenAPI document is made from it. */
export interface EndpointDoc {
  readonly summary: string
  readonly tag: string
  /** Query parameters: name → what it is for. */
  readonly query?: Readonly<Record<string, string>>
  /** JSON schema of the body. */
  readonly body?: object
  /** JSON schema of `data`. */
  readonly answer?: object
  /** Headers beside Authorization. */
  readonly headers?: readonly ('If-Match' | 'Idempotency-Key' | 'Acknowledge')[]
  /** Answers without a session. */
  readonly isPublic?: boolean
}

export interface Endpoint extends EndpointDoc {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
}

type Handler = (call: Call) => Promise<object>
type PublicHandler = (call: Omit<Call, 'user' | 'sessionId'>) => Promise<object>

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: { readonly user: User; readonly sessionId: number } | undefined
  }
}

/** Registers endpoints under /api/v1 and keeps their descriptions. */
export class Api {
  readonly endpoints: Endpoint[] = []
  readonly #app: FastifyInstance
  readonly #services: Services

  constructor(app: FastifyInstance, services: Services) {
    this.#app = app
    this.#services = services
  }

  get(path: string, doc: EndpointDoc, handler: Handler): void {
    this.#add('GET', path, doc, handler)
  }

  post(path: string, doc: EndpointDoc, handler: Handler): void {
    this.#add('POST', path, doc, handler)
  }

  put(path: string, doc: EndpointDoc, handler: Handler): void {
    this.#add('PUT', path, doc, handler)
  }

  delete(path: string, doc: EndpointDoc, handler: Handler): void {
    this.#add('DELETE', path, doc, handler)
  }

  /** An endpoint that answers without a session. `limit`: requests a minute from one address. */
  open(method: Endpoint['method'], path: string, doc: EndpointDoc, handler: PublicHandler, limit?: number): void {
    this.endpoints.push({ ...doc, isPublic: true, method, path })
    this.#app.route({
      method,
      url: path,
      config: { isPublic: true, ...(limit === undefined ? {} : { rateLimit: { max: limit, timeWindow: 60_000 } }) },
      handler: async (request, reply) => {
        const data = await handler({ services: this.#services, ...partsOf(request), request, reply })
        return reply.sent ? reply : success(data)
      },
    })
  }

  #add(method: Endpoint['method'], path: string, doc: EndpointDoc, handler: Handler): void {
    this.endpoints.push({ ...doc, method, path })
    this.#app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const { signedIn } = request
        if (!signedIn) return fail('UNAUTHENTICATED', 'Sign in first.')
        return success(await handler({ services: this.#services, ...signedIn, ...partsOf(request), request, reply }))
      },
    })
  }
}

function partsOf(request: FastifyRequest): Pick<Call, 'params' | 'query' | 'body'> {
  return { params: texts(request.params), query: storable(texts(request.query)), body: request.body }
}

/** No query can ask for what the database cannot hold. */
function storable(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [field, text] of Object.entries(query)) {
    if (text.includes('\u0000')) invalid([{ field: field.slice(0, 80), code: 'WRONG_TYPE', text: 'The text contains characters that cannot be stored.' }])
  }
  return query
}

function texts(source: unknown): Readonly<Record<string, string>> {
  if (typeof source !== 'object' || source === null) return {}
  // No prototype: a parameter called `constructor` is just a parameter.
  const result: Record<string, string> = Object.create(null)
  for (const [key, value] of Object.entries(source)) {
    const last: unknown = Array.isArray(value) ? value.at(-1) : value
    if (typeof last === 'string') result[key] = last
  }
  return result
}
