import { referenceNames, wireName } from '#base/wireName.ts'
import { problems } from '#api/problems.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Field, ResolvedEntity, Transition } from '#meta/resolved.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import { isInternal } from '#server/documents/entities.ts'
import { isCreatable, isWritable } from '#server/documents/writable.ts'
import type { Endpoint } from '#server/http/api.ts'
import type { Services } from '#server/services.ts'

type Json = Readonly<Record<string, unknown>>

/** OpenAPI 3.1 of every call: those registered, and for the generic ones a path for each entity, action, command and report. */
export function openapi(services: Services, endpoints: readonly Endpoint[], version: string): Json {
  const { metadata } = services
  const entities = Object.values(metadata.entities).filter((entity) => !isInternal(entity))
  const paths: Record<string, Record<string, Json>> = {}
  const add = (path: string, method: string, operation: Json): void => {
    const entry = paths[path] ?? {}
    paths[path] = entry
    entry[method] = operation
  }
  for (const endpoint of endpoints) {
    for (const { path, extra } of expansions(services, endpoint, entities)) add(path, endpoint.method.toLowerCase(), operationOf(endpoint, path, extra))
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Arus', version, description: 'Order to cash. Every answer is { code, status, message, data }; data always carries hostname.' },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Problem: problemSchema,
        Condition: { description: '{all:[…]} {any:[…]} {not:…} or {column: value | {operator: value}}', type: 'object' },
        ...Object.fromEntries(entities.map((entity) => [schemaName(entity), recordSchema(metadata, entity)])),
      },
    },
  }
}

interface Expansion {
  readonly path: string
  readonly extra: Json
}

/** The concrete paths of an endpoint. Everything the metadata can name is named. */
function expansions(services: Services, endpoint: Endpoint, entities: readonly ResolvedEntity[]): readonly Expansion[] {
  const { metadata } = services
  const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
  if (endpoint.path.startsWith('/api/v1/data/:resource')) {
    return entities.flatMap((entity) => {
      const base = path.replace('{resource}', entity.resource)
      const tags = [entity.resource]
      if (endpoint.path.includes(':action')) {
        const transitions = (metadata.workflows[entity.id]?.transitions ?? []).filter((transition) => !transition.system)
        const isBulk = endpoint.path.includes('/bulk/')
        return transitions.map((transition) => ({
          path: base.replace('{action}', transition.action),
          extra: { tags, 'x-guard': transition.guard, requestBody: jsonBody(transitionSchema(transition, isBulk)), ...(isBulk ? {} : { responses: answers(recordAnswer(entity)) }) },
        }))
      }
      if (endpoint.method === 'POST' && !isCreatable(services, entity)) return []
      if (endpoint.method === 'PUT' && !isWritable(services, entity)) return []
      if (endpoint.method === 'DELETE' && !isCreatable(services, entity)) return []
      const guard = `${entity.resource}-${{ GET: 'view', POST: 'create', PUT: 'edit', DELETE: 'delete' }[endpoint.method]}`
      const isList = endpoint.path === '/api/v1/data/:resource' && endpoint.method === 'GET'
      const isRecord = endpoint.path === '/api/v1/data/:resource' || endpoint.path === '/api/v1/data/:resource/:id'
      return [{
        path: base,
        extra: {
          tags,
          'x-guard': guard,
          ...(endpoint.method === 'POST' || endpoint.method === 'PUT' ? { requestBody: jsonBody(ref(entity)) } : {}),
          ...(isRecord && endpoint.method !== 'DELETE' ? { responses: answers(isList ? listAnswer(entity) : recordAnswer(entity)) } : {}),
        },
      }]
    })
  }
  if (path.includes('{entity}')) return entities.map((entity) => ({ path: path.replace('{entity}', entity.id), extra: {} }))
  if (endpoint.path === '/api/v1/command/:name') {
    return Object.values(metadata.commands).map((command) => ({
      path: path.replace('{name}', command.name),
      extra: { 'x-guard': command.guard, requestBody: jsonBody(fieldsSchema(command.params, command.rows === 'none' ? {} : { IDs: idList })) },
    }))
  }
  if (endpoint.path === '/api/v1/report/:screen') {
    return Object.values(metadata.screens).flatMap((screen) =>
      screen.kind === 'report'
        ? [{ path: path.replace('{screen}', screen.id), extra: { 'x-guard': screen.guard, parameters: [...queryParameters(endpoint), ...(metadata.datasets[screen.dataset]?.parameters ?? []).map((field) => ({ name: field.name, in: 'query', required: false, schema: fieldSchema(field) }))] } }]
        : [],
    )
  }
  if (endpoint.path === '/api/v1/approval/:docType/:transition') {
    return Object.values(metadata.screens).flatMap((screen) =>
      screen.kind === 'approval' ? [{ path: path.replace('{docType}', screen.docType).replace('{transition}', screen.transition), extra: { 'x-guard': screen.guard } }] : [],
    )
  }
  return [{ path, extra: {} }]
}

function operationOf(endpoint: Endpoint, path: string, extra: Json): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name, in: 'path', required: true, schema: name === 'decision' ? { type: 'string', enum: ['approve', 'reject', 'return'] } : { type: /id$/i.test(name) ? 'integer' : 'string' },
  }))
  const headers = (endpoint.headers ?? []).map((name) => ({ name, in: 'header', required: false, schema: { type: 'string' }, description: headerTexts[name] }))
  const { parameters, ...rest } = extra
  return {
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(endpoint.isPublic === true ? { security: [] } : {}),
    ...(endpoint.body === undefined ? {} : { requestBody: jsonBody(endpoint.body) }),
    responses: answers({ ...(endpoint.answer ?? { type: 'object' }) }),
    ...rest,
    parameters: [...inPath, ...(Array.isArray(parameters) ? parameters : queryParameters(endpoint)), ...headers],
  }
}

const headerTexts = {
  'If-Match': 'Version that was read; refused with VERSION_CONFLICT when the record has moved on',
  'Idempotency-Key': 'The same key and payload gets the first answer again',
  Acknowledge: 'Comma list of warning ids a person has confirmed',
} as const

function queryParameters(endpoint: Endpoint): readonly Json[] {
  return Object.entries(endpoint.query ?? {}).map(([name, description]) => ({ name, in: 'query', required: false, schema: { type: 'string' }, ...(description === '' ? {} : { description }) }))
}

function answers(data: Json): Json {
  return {
    200: { description: 'Success', content: { 'application/json': { schema: envelope(data) } } },
    default: { description: 'A refusal', content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } },
  }
}

function envelope(data: Json): Json {
  return { type: 'object', properties: { code: { type: 'integer' }, status: { const: 'success' }, message: { type: 'string' }, data }, required: ['code', 'status', 'message', 'data'] }
}

const problemSchema: Json = {
  type: 'object',
  properties: {
    code: { type: 'integer', enum: [...new Set(Object.values(problems))] },
    status: { type: 'string', enum: Object.keys(problems) },
    message: { type: 'string' },
    data: {
      type: 'object',
      properties: {
        errors: { type: 'array', items: { type: 'object', properties: { field: { type: 'string' }, code: { type: 'string' }, text: { type: 'string' } } } },
        warnings: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' }, code: { type: 'string' }, text: { type: 'string' } } } },
        current: { type: 'object', description: 'VERSION_CONFLICT: the record as it stands' },
        hostname: { type: 'string' },
      },
    },
  },
}

const idList: Json = { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 500 }

function listAnswer(entity: ResolvedEntity): Json {
  const rows = { type: 'array', items: ref(entity) }
  return { type: 'object', properties: { recordsTotal: { type: 'integer' }, rows, records: rows, totals: { type: 'object', additionalProperties: { type: 'string' } }, next: { type: 'string' } } }
}

function recordAnswer(entity: ResolvedEntity): Json {
  return { type: 'object', properties: { record: ref(entity) } }
}

function ref(entity: ResolvedEntity): Json {
  return { $ref: `#/components/schemas/${schemaName(entity)}` }
}

function schemaName(entity: ResolvedEntity): string {
  return wireName(entity.id)
}

function recordSchema(metadata: Metadata, entity: ResolvedEntity): Json {
  const properties: Record<string, Json> = {}
  for (const field of entity.fields.filter((candidate) => !candidate.hidden)) {
    properties[field.wire] = { ...fieldSchema(field), ...(field.readOnly ? { readOnly: true } : {}) }
    if (field.type === 'ref' && field.name.endsWith('_id')) {
      const names = referenceNames(field.name)
      properties[names.code] ??= { type: 'string', readOnly: true }
      properties[names.name] ??= { type: 'string', readOnly: true }
    }
  }
  for (const line of entity.lines) {
    const target = metadata.entities[line.entity]
    if (target) properties[line.wire] = { type: 'array', items: ref(target) }
  }
  properties['Actions'] = { type: 'array', items: { type: 'string' }, readOnly: true, description: 'What the user may do now' }
  const required = entity.fields.filter((field) => field.required && !field.readOnly && !field.hidden && field.default === undefined).map((field) => field.wire)
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

function fieldsSchema(fields: readonly Field[], more: Json): Json {
  const required = fields.filter((field) => field.required).map((field) => field.wire)
  return { type: 'object', properties: { ...more, ...Object.fromEntries(fields.map((field) => [field.wire, fieldSchema(field)])) }, ...(required.length === 0 ? {} : { required }) }
}

function transitionSchema(transition: Transition, isBulk: boolean): Json {
  const reason = transition.reason === 'none' ? {} : { ReasonID: { type: 'integer' }, ReasonText: { type: 'string' } }
  return fieldsSchema(transition.params, { ...(isBulk ? { IDs: idList } : {}), ...reason, Note: { type: 'string' } })
}

function fieldSchema(field: Field): Json {
  const places = decimalPlaces[field.type]
  if (places !== undefined) return { type: 'string', pattern: `^-?\\d+(\\.\\d{1,${places}})?$`, description: `Decimal text, at most ${places} places` }
  switch (field.type) {
    case 'id':
    case 'ref':
    case 'integer':
      return { type: 'integer', ...(field.entity === undefined ? {} : { description: `ID of ${field.entity}` }) }
    case 'status':
      return { type: 'integer', ...(field.choices === undefined ? {} : { enum: field.choices.map((choice) => choice.value) }) }
    case 'boolean':
      return { type: 'boolean' }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'datetime':
      return { type: 'string', format: 'date-time' }
    case 'textlist':
      return { type: 'array', items: { type: 'string' } }
    case 'json':
      return {}
    default:
      return { type: 'string', ...(field.choices === undefined ? {} : { enum: field.choices.map((choice) => choice.value) }), ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }) }
  }
}

function jsonBody(schema: object): Json {
  return { required: true, content: { 'application/json': { schema } } }
}
