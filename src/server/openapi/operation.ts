import { problems, type ProblemCode } from '#api/problems.ts'
import { objectOf, ref, text, whole, type Schema } from './schema.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  /** The value is JSON text of the schema. */
  readonly isJson?: boolean
}

/** One call as people need to know it. */
export interface Operation {
  readonly method: Method
  /** `/api/v1/data/sales-order/{id}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Permissions of which one is needed; absent: a session is enough. */
  readonly guards?: readonly string[]
  /** Paths of the screens that make the call: one of them must be in the user's menu. Absent: behind no screen. */
  readonly screens?: readonly string[]
  /** Who may call, in words, where guards cannot say it. */
  readonly accessText?: string
  readonly isPublic?: boolean
  readonly parameters?: readonly (Parameter | SharedParameter)[]
  readonly headers?: readonly HeaderName[]
  /** Absent: no body. */
  readonly body?: Schema
  readonly isForm?: boolean
  /** The body is a multipart form. */
  readonly isUpload?: boolean
  /** The answer is a file, not an envelope. */
  readonly isFile?: boolean
  /** Schema of `data`; the host name is added to it unless it is a text. */
  readonly answer?: Schema
  /** Answers server-sent events, for as long as the connection holds. */
  readonly isStream?: boolean
}

export type HeaderName = 'Idempotency-Key' | 'If-Match' | 'Acknowledge'
export type SharedParameter = keyof typeof sharedParameters

/** Parameters named by many calls. */
export const sharedParameters = {
  id: { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 }, description: 'Id of the record.' },
  search: { name: 'search', in: 'query', schema: { type: 'string', maxLength: 200 }, description: 'Text looked for in the searched columns, and in code and name of the references shown.' },
  length: { name: 'length', in: 'query', schema: { oneOf: [{ type: 'integer', minimum: 1, maximum: 1_000 }, { const: 'All' }], default: 5 }, description: 'Rows a page; All: all rows in one answer, refused where they are more than 1,000.' },
  page: { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 }, description: 'Page, from 1.' },
  order: { name: 'order', in: 'query', schema: text, description: 'Comma list of columns to sort by, at most 8.' },
  sort: { name: 'sort', in: 'query', schema: { type: 'string', pattern: '^(asc|desc)(,(asc|desc))*$' }, description: 'asc or desc for each column of order.' },
  filter: { name: 'filter', in: 'query', schema: ref('Condition'), isJson: true, description: 'Condition as JSON over column names.' },
  columns: { name: 'columns', in: 'query', schema: text, description: 'Comma list of columns wanted; one hop over a reference (`customer_id.name`) is allowed. Absent: all.' },
  totals: { name: 'totals', in: 'query', schema: text, description: 'Comma list of columns to add up over the whole filter.' },
  after: { name: 'after', in: 'query', schema: text, description: 'Position from `next` of the page before, instead of page: costs the same however deep.' },
  count: { name: 'count', in: 'query', schema: { type: 'boolean', default: true }, description: 'false: neither count nor totals.' },
} as const satisfies Readonly<Record<string, Parameter>>

export const listParameters = ['search', 'length', 'page', 'order', 'sort', 'filter', 'columns', 'totals', 'after', 'count'] as const satisfies readonly SharedParameter[]

const headers: Readonly<Record<HeaderName, { readonly required: boolean; readonly schema: Schema; readonly description: string }>> = {
  'Idempotency-Key': {
    required: false,
    schema: { type: 'string', minLength: 8, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' },
    description: 'New for each intended command. The same key with the same payload gets the first answer again, with another payload DUPLICATE_REQUEST.',
  },
  'If-Match': { required: false, schema: { type: 'string', pattern: '^(W/)?"?\\d{1,9}"?$' }, description: 'Version the user has seen. VERSION_CONFLICT when the record has moved on.' },
  Acknowledge: { required: false, schema: text, description: 'Comma list of the ids of the warnings of a 412 that a person has accepted.' },
}

const refused = {
  400: 'The request cannot be read.',
  401: 'No session, or it has ended.',
  403: 'The role lacks the permission, or somebody else has to decide.',
  404: 'There is no such record, or it lies outside the territories of the user.',
  409: 'The record has changed, the action does not fit its status, or the key is taken.',
  410: 'The link was used already or is too old.',
  412: 'A person has to acknowledge warnings; send again with the header Acknowledge.',
  413: 'The body is too large.',
  422: 'A value or the whole document is refused; `data.errors` says where.',
  429: 'Too many requests or failed sign-ins.',
  500: 'Our fault; nothing was changed.',
  503: 'The database does not answer or took too long, or the server has more to do than it can; Retry-After says when to come back.',
  507: 'The disk of the server is full.',
} as const satisfies Record<(typeof problems)[ProblemCode], string>

/** `components` but for the schemas. */
export function sharedComponents(): object {
  return {
    securitySchemes: { session: { type: 'http', scheme: 'bearer', description: 'Token of POST /api/v1/login; ends 7 days after it was given.' } },
    parameters: {
      ...Object.fromEntries(Object.entries(sharedParameters).map(([name, parameter]) => [name, parameterObject(parameter)])),
      ...Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, { name, in: 'header', ...header }])),
    },
    responses: Object.fromEntries(
      Object.entries(refused).map(([status, description]) => {
        const codes = Object.entries(problems).flatMap(([code, of]) => (String(of) === status ? [code] : []))
        const schema = { allOf: [ref('Problem')], properties: { code: { const: Number(status) }, status: { enum: codes } } }
        return [`Refused${status}`, { description: `${description} ${codes.join(', ')}.`, content: { 'application/json': { schema } } }]
      }),
    ),
  }
}

/** The OpenAPI operation object. */
export function operationObject(operation: Operation): object {
  const { guards, screens, accessText = '', isPublic = false } = operation
  const permission = guards === undefined ? accessText : `Permission: ${guards.join(' or ')}.`
  const menu = screens === undefined ? '' : `Screens, of which one must be in the menu: ${screens.join(', ')}.`
  const description = [operation.description, permission, menu].filter((part) => part !== undefined && part !== '').join('\n\n')
  return {
    operationId: operationId(operation),
    tags: [operation.tag],
    summary: operation.summary,
    ...(description === '' ? {} : { description }),
    ...(guards === undefined ? {} : { 'x-guards': guards }),
    ...(screens === undefined ? {} : { 'x-screens': screens }),
    ...(isPublic ? { security: [] } : {}),
    ...parametersOf(operation),
    ...(operation.body === undefined ? {} : { requestBody: { required: true, content: { [mediaType(operation)]: { schema: operation.body } } } }),
    responses: {
      200: answerObject(operation),
      ...Object.fromEntries(statusesOf(operation).map((status) => [status, { $ref: `#/components/responses/Refused${status}` }])),
    },
  }
}

function parametersOf(operation: Operation): object {
  const own = (operation.parameters ?? []).map((parameter) => (typeof parameter === 'string' ? { $ref: `#/components/parameters/${parameter}` } : parameterObject(parameter)))
  const sent = (operation.headers ?? []).map((name) => {
    // Saving and deleting must not overwrite what nobody has seen.
    const isRequired = name === 'If-Match' && (operation.method === 'PUT' || operation.method === 'DELETE')
    return isRequired ? { name, in: 'header', ...headers[name], required: true } : { $ref: `#/components/parameters/${name}` }
  })
  return own.length + sent.length === 0 ? {} : { parameters: [...own, ...sent] }
}

function parameterObject({ schema, isJson = false, ...parameter }: Parameter): object {
  return { ...parameter, ...(isJson ? { content: { 'application/json': { schema } } } : { schema }) }
}

function mediaType({ isForm = false, isUpload = false }: Operation): string {
  return isUpload ? 'multipart/form-data' : isForm ? 'application/x-www-form-urlencoded' : 'application/json'
}

function answerObject({ answer, isFile = false, isStream = false }: Operation): object {
  if (isStream) return { description: 'Events, for as long as the connection holds.', content: { 'text/event-stream': { schema: text } } }
  if (isFile) return { description: 'The file.', content: { 'application/octet-stream': { schema: {} } } }
  const around = answer?.['type'] === 'string' ? { type: 'object' } : { allOf: [ref('Envelope')] }
  const schema = answer === undefined ? ref('Envelope') : { ...around, ...objectOf({ data: answer }) }
  return { description: 'Done.', content: { 'application/json': { schema } } }
}

function statusesOf({ method, isPublic = false, guards, accessText, path, body, headers: sent = [] }: Operation): readonly number[] {
  const isCommand = method !== 'GET'
  return [
    ...(isCommand ? [400] : []),
    ...(isPublic && !path.endsWith('/login') ? [] : [401]),
    ...(guards === undefined && accessText === undefined ? [] : [403]),
    ...(path.includes('{') ? [404] : []),
    ...(sent.includes('Idempotency-Key') ? [409] : []),
    ...(sent.includes('Acknowledge') ? [412] : []),
    ...(body === undefined ? [] : [413]),
    422, 429, 500, 503,
  ]
}

/** Unique and stable: method and path as one word. */
function operationId({ method, path }: Operation): string {
  const parts = path.replace(/^\/api\/v1\//, '').split('/').map((part) => (part.startsWith('{') ? `by-${part.slice(1, -1)}` : part))
  return [method.toLowerCase(), ...parts].join('-').replaceAll(/[^\w-]/g, '-')
}

/** Path parameters of a template that no call describes better. */
export function pathParameters(path: string): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true, schema: /id$/i.test(name) ? whole : text }))
}
