import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf, slowDown } from '#server/access/rateLimit.ts'
import { seenBy } from '#server/access/seenBy.ts'
import type { LiveSession } from '#server/access/sessions.ts'
import type { User } from '#server/context.ts'
import { isStorable } from '#server/documents/parseValue.ts'
import { fail, invalid, unknownParameter, wrong } from '#server/problemError.ts'
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
  /** Takes parameters of further names as well, which the handler checks (`expectOnly`). */
  readonly takesMore?: boolean
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

/** A file instead of the envelope. */
export class FileAnswer {
  readonly body: Readable
  readonly headers: Readonly<Record<string, string>>

  constructor(body: Readable, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
  }
}

/** An envelope whose `data` is a text, where the specification says so. */
export class TextAnswer {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Handler = (call: Call) => Promise<object>
type PublicHandler = (call: Omit<Call, 'user' | 'sessionId'>) => Promise<object>

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: LiveSession | undefined
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

  /** An endpoint that answers without a session. `limit`: requests a minute from one network, counted for all server processes together. */
  open(method: Endpoint['method'], path: string, doc: EndpointDoc, handler: PublicHandler, limit?: number): void {
    this.endpoints.push({ ...doc, isPublic: true, method, path })
    const names = Object.keys(doc.query ?? {})
    this.#app.route({
      method,
      url: path,
      config: { isPublic: true },
      handler: async (request, reply) => {
        if (limit !== undefined) await slowDown(this.#services.database, this.#services.clock, { bucket: `${path} ${networkOf(request.ip)}`, most: limit, windowMs: 60_000 })
        const parts = partsOf(request)
        if (doc.takesMore !== true) expectOnly(parts.query, names)
        const data = await handler({ services: this.#services, ...parts, request, reply })
        return reply.sent ? reply : answered(data, reply)
      },
    })
  }

  #add(method: Endpoint['method'], path: string, doc: EndpointDoc, handler: Handler): void {
    this.endpoints.push({ ...doc, method, path })
    const names = Object.keys(doc.query ?? {})
    this.#app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const { signedIn } = request
        if (!signedIn) return fail('UNAUTHENTICATED')
        const parts = partsOf(request)
        if (doc.takesMore !== true) expectOnly(parts.query, names)
        return answered(await handler({ services: seenBy(this.#services, signedIn.user), user: signedIn.user, sessionId: signedIn.sessionId, ...parts, request, reply }), reply)
      },
    })
  }
}

/** A parameter under a name nobody knows is refused: who mistypes a filter must not take all rows for those he meant. Second names are taken too, and not told of. */
export function expectOnly(query: Readonly<Record<string, string>>, names: readonly string[], second: readonly string[] = []): void {
  const unknown = Object.keys(query).filter((name) => !names.includes(name) && !second.includes(name))
  if (unknown.length > 0) invalid(unknown.map((name) => unknownParameter(name, names)))
}

function answered(data: object, reply: FastifyReply): unknown {
  if (data instanceof FileAnswer) return reply.headers(data.headers).send(data.body)
  return success(data instanceof TextAnswer ? data.text : data)
}

function partsOf(request: FastifyRequest): Pick<Call, 'params' | 'query' | 'body'> {
  return { params: texts(request.params), query: storable(texts(request.query)), body: request.body }
}

/** No query can ask for what the database cannot hold. */
function storable(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [field, text] of Object.entries(query)) {
    if (!isStorable(text)) invalid([wrong(field.slice(0, 80), 'WRONG_TYPE.characters')])
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
