import type { FastifyInstance } from 'fastify'
import type { Answer, Session } from './app.ts'

type Json = Readonly<Record<string, unknown>>

/** A call as the OpenAPI document describes it, references to parameters followed. */
export interface DescribedCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly operationId: string
  /** Permissions of which one is needed; undefined: none. */
  readonly guards: readonly string[] | undefined
  readonly isPublic: boolean
  /** Goes on answering for as long as one listens. */
  readonly isStream: boolean
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Json }[]
  readonly body: Json | undefined
  readonly answer: Json
}

/** Every call of the document. */
export function describedCalls(document: unknown): readonly DescribedCall[] {
  const root = objectOf(document)
  const follow = (part: unknown): Json => {
    const { $ref: target } = objectOf(part)
    if (typeof target !== 'string') return objectOf(part)
    return target.slice(2).split('/').reduce<Json>((at, key) => objectOf(at[key]), root)
  }
  return Object.entries(objectOf(root['paths'])).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, part]): DescribedCall => {
      const operation = objectOf(part)
      const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : []
      const guards: unknown = operation['x-guards']
      return {
        method: methodOf(method),
        path,
        operationId: String(operation['operationId']),
        guards: Array.isArray(guards) ? guards.map(String) : undefined,
        isPublic: Array.isArray(operation['security']) && operation['security'].length === 0,
        parameters: parameters.map(follow).map((parameter) => ({
          name: String(parameter['name']), in: String(parameter['in']), required: parameter['required'] === true, schema: objectOf(parameter['schema'] ?? schemaIn(parameter)),
        })),
        isStream: Object.hasOwn(objectOf(objectOf(objectOf(operation['responses'])['200'])['content']), 'text/event-stream'),
        body: operation['requestBody'] === undefined ? undefined : schemaIn(objectOf(operation['requestBody'])),
        answer: schemaIn(objectOf(objectOf(operation['responses'])['200'])),
      }
    }),
  )
}

/** No row has this id. */
const nobody = 999_999_999

/** The call on a record that does not exist, with nothing in its body: whoever may make it is refused for another reason. */
export function emptyCall(session: Session, call: DescribedCall): Promise<Answer> {
  const path = call.path.replaceAll(/\{\w+\}/g, String(nobody))
  const query = Object.fromEntries(call.parameters.filter((parameter) => parameter.in === 'query' && parameter.required).map((parameter) => [parameter.name, '2026-11-01']))
  switch (call.method) {
    case 'GET':
      return session.get(path, query)
    case 'POST':
      return session.post(path, {}, { version: 1 })
    case 'PUT':
      return session.put(path, {}, { version: 1 })
    case 'DELETE':
      return session.delete(path, { version: 1 })
  }
}

export interface RegisteredRoute {
  /** `GET /api/v1/data/:resource`. */
  readonly text: string
  matches(method: string, path: string): boolean
}

/** Every route of the server but HEAD and the files of the client, read from the router itself. */
export function registeredRoutes(app: FastifyInstance): readonly RegisteredRoute[] {
  const prefixes: string[] = []
  return app.printRoutes({ commonPrefix: false }).split('\n').flatMap((line) => {
    const match = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/.exec(line)
    if (!match) return []
    const [, indent = '', part = '', methods = ''] = match
    const depth = indent.length / 4
    const url = `${depth === 0 ? '' : (prefixes[depth - 1] ?? '')}${part}`
    prefixes[depth] = url
    const pattern = new RegExp(`^${url.split('/').map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.'))).join('/')}$`)
    return methods.split(', ').filter((method) => /^[A-Z]+$/.test(method) && method !== 'HEAD').map((method) => ({
      text: `${method} ${url}`,
      matches: (asked: string, path: string): boolean => asked === method && pattern.test(path),
    }))
  })
}

function schemaIn(part: Json): Json {
  const [media] = Object.values(objectOf(part['content']))
  return objectOf(objectOf(media)['schema'])
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}
}

function methodOf(text: string): DescribedCall['method'] {
  const method = (['GET', 'POST', 'PUT', 'DELETE'] as const).find((candidate) => candidate.toLowerCase() === text)
  if (!method) throw new Error(`No method ${text}`)
  return method
}
