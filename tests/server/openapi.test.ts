import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { openApi } from '#server/openapi/openapi.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { describedCalls, registeredRoutes, type DescribedCall } from '../support/calls.ts'

let test: TestApp
let admin: Session
let calls: readonly DescribedCall[]
let components: object
let ajv: Ajv2020

beforeAll(async () => {
  test = await testApp()
  admin = await test.signIn('admin')
  const answer = await test.app.inject('/api/v1/openapi.json')
  expect(answer.headers['content-type']).toContain('application/json')
  calls = describedCalls(answer.json())
  components = answer.json().components.schemas
  ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false, allErrors: true })
  formats(ajv)
  // A password is any text; only people's tools treat it otherwise.
  ajv.addFormat('password', true)
  ajv.addSchema(JSON.parse(JSON.stringify({ $id: 'api', $defs: components }).replaceAll('#/components/schemas/', '#/$defs/')))
})

function compiled(schema: unknown) {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'api#/$defs/')))
}

describe('description and server', () => {
  /** The description itself and the page to read it. */
  const aside = new Set(['GET /api/v1/openapi.json', 'GET /api/docs', 'GET /api/docs/page.js', 'GET /api/docs/page.css'])

  it('every registered route is described', () => {
    const missing = registeredRoutes(test.app).filter((route) => !aside.has(route.text) && !calls.some((call) => route.matches(call.method, call.path)))
    expect(missing.map((route) => route.text)).toEqual([])
  })

  it('every described call is registered', () => {
    const routes = registeredRoutes(test.app)
    const missing = calls.filter((call) => !routes.some((route) => route.matches(call.method, call.path)))
    expect(missing.map((call) => `${call.method} ${call.path}`)).toEqual([])
  })

  it('describes the generic calls of the metadata alone', () => {
    const document = openApi(metadata, '1')
    expect(Object.keys(document.paths)).toContain('/api/v1/data/sales-order/{id}/submit')
    expect(openApi(metadata, '1')).toEqual(document)
  })

  it('names a permission that exists for every guarded call', () => {
    const known = new Set(metadata.guards.map((guard) => guard.name))
    const unknown = calls.flatMap((call) => (call.guards ?? []).filter((guard) => !known.has(guard)).map((guard) => `${call.method} ${call.path}: ${guard}`))
    expect(unknown).toEqual([])
  })
})

describe('the document', () => {
  it('is OpenAPI 3.1 in its structure', async () => {
    const document: unknown = (await test.app.inject('/api/v1/openapi.json')).json()
    const check = new Ajv2020({ strict: false }).compile(structure)
    check(document)
    expect(check.errors ?? []).toEqual([])
  })

  it('has schemas that compile, and references that lead somewhere', () => {
    for (const name of Object.keys(components)) compiled({ $ref: `#/components/schemas/${name}` })
    const parts = calls.flatMap((call) => [call.body ?? {}, call.answer, ...call.parameters.map((parameter) => parameter.schema)])
    for (const schema of parts) {
      expect(ajv.validateSchema(schema)).toBe(true)
      const names = [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? '')
      expect(names.filter((name) => !Object.hasOwn(components, name))).toEqual([])
    }
  })

  it('declares the parameters its paths hold, and gives every call its own id', () => {
    for (const call of calls) {
      const declared = call.parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
      expect(declared.toSorted()).toEqual([...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).toSorted())
    }
    expect(new Set(calls.map((call) => call.operationId)).size).toBe(calls.length)
  })
})

describe('bodies', () => {
  const check = (path: string, body: unknown): boolean => {
    const call = calls.find((candidate) => candidate.path === path && candidate.method === 'POST')
    return compiled(call?.body)(body)
  }

  it('are closed at every depth', () => {
    const order = { CustomerID: 1, ShipToID: 1, BillToID: 1, WarehouseID: 1, Lines: [{ ItemID: 1, Uom: 'CTN', Qty: '1' }] }
    const path = '/api/v1/data/sales-order'
    expect(check(path, { ...order, Surprise: 1 })).toBe(false)
    expect(check(path, { ...order, Lines: [{ ItemID: 1, Uom: 'CTN', Qty: '1', Surprise: 1 }] })).toBe(false)
    expect(check('/api/v1/data/sales-order/{id}/cancel', { ReasonID: 1, Surprise: 1 })).toBe(false)
    expect(check('/api/v1/data/sales-order/{id}/cancel', { ReasonID: 1 })).toBe(true)
  })

  it('say what a new record needs', () => {
    expect(check('/api/v1/data/payment-term', { Code: 'N7', Name: '7 days', NetDays: 7, Baseline: 'INVOICE' })).toBe(true)
    expect(check('/api/v1/data/payment-term', { Name: '7 days' })).toBe(false)
  })
})

describe('answers', () => {
  it('of every call that reads are as described', async () => {
    const wrong: string[] = []
    for (const call of calls) {
      // The start of a single sign-on leads away from here; it is followed where there is a provider.
      if (call.method !== 'GET' || call.path.includes('{') || ofOneFile.has(call.path) || call.isStream || call.path === '/api/v1/auth/start') continue
      const answer = await admin.get(call.path, requiredQuery(call))
      // A tile for those who do not see another one is not among his.
      if (standIns.has(call.path)) expect(answer.status).toBe(404)
      else if (answer.status !== 200) wrong.push(`${call.path}: ${answer.status} ${answer.message}`)
      else wrong.push(...misfits(call, answer.data))
    }
    expect(wrong).toEqual([])
  }, 120_000)

  it('of every record are as described', async () => {
    const wrong: string[] = []
    for (const call of calls) {
      const [, resource] = /^\/api\/v1\/data\/([\w-]+)\/\{id\}$/.exec(call.path) ?? []
      if (call.method !== 'GET' || resource === undefined) continue
      const rows = (await admin.get(`/api/v1/data/${resource}`, { length: 2 })).data.rows
      for (const row of rows) {
        const answer = await admin.get(`/api/v1/data/${resource}/${row.ID}`)
        if (answer.status !== 200) wrong.push(`${call.path}: ${answer.status} ${answer.message}`)
        else wrong.push(...misfits(call, answer.data))
      }
    }
    expect(wrong).toEqual([])
  }, 120_000)

  it('of a refusal are as described', async () => {
    const refused = await test.app.inject({ method: 'POST', url: '/api/v1/data/payment-term', headers: { authorization: `Bearer ${admin.token}` }, payload: { Surprise: 1 } })
    const check = compiled({ $ref: 'api#/$defs/Problem' })
    expect(check(refused.json())).toBe(true)
    expect(refused.json().data.errors).toContainEqual({
      field: 'Surprise', code: 'UNKNOWN_FIELD', text: 'Surprise is not a field of this record.', key: 'field.UNKNOWN_FIELD.record', params: { field: 'Surprise' },
    })
  })
})

/** Calls about one file, which has to be there first: tests/server/files.test.ts. */
/** Tiles that only those have who do not see others. */
const standIns = new Set(Object.values(metadata.screens).flatMap((screen) => (screen.kind === 'dashboard' ? screen.tiles.filter(({ unless }) => unless.length > 0).map(({ id }) => `/api/v1/dashboard/${screen.id}/${id}`) : [])))

const ofOneFile = new Set(['/api/v1/general/preview'])

function requiredQuery(call: DescribedCall): Record<string, string> {
  return Object.fromEntries(call.parameters.filter((parameter) => parameter.in === 'query' && parameter.required).map((parameter) => [parameter.name, sample(parameter.schema)]))
}

function sample(schema: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(schema['examples'])) return String(schema['examples'][0])
  return Array.isArray(schema['enum']) ? String(schema['enum'][0]) : schema['format'] === 'date' ? '2026-11-01' : '1'
}

function misfits(call: DescribedCall, data: unknown): string[] {
  const check = compiled(call.answer)
  check({ code: 200, status: 'success', message: 'OK', data })
  return (check.errors ?? []).slice(0, 3).map((error) => `${call.method} ${call.path} ${error.instancePath}: ${error.message ?? ''}`)
}

describe('the page', () => {
  it('takes script and style from here alone', async () => {
    const page = await test.app.inject('/api/docs')
    expect(page.statusCode).toBe(200)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(sources.filter((source) => !source.startsWith('/api/'))).toEqual(['data:,'])
    expect(page.body).not.toMatch(/<script(?![^>]*src)|<style|\son\w+=/)
    for (const source of sources.filter((one) => one !== 'data:,')) expect((await test.app.inject(source)).statusCode).toBe(200)
  })
})

const reference = { type: 'object', required: ['$ref'], properties: { $ref: { type: 'string', pattern: '^#/components/' } } }
const orReference = (schema: object): object => ({ if: { type: 'object', required: ['$ref'] }, then: reference, else: schema })
const content = { type: 'object', minProperties: 1, additionalProperties: { type: 'object', required: ['schema'], properties: { schema: { type: ['object', 'boolean'] } }, additionalProperties: false } }
const parameter = {
  type: 'object',
  required: ['name', 'in'],
  properties: { name: { type: 'string' }, in: { enum: ['query', 'header', 'path', 'cookie'] }, required: { type: 'boolean' }, description: { type: 'string' }, schema: { type: 'object' }, content },
  oneOf: [{ required: ['schema'] }, { required: ['content'] }],
  additionalProperties: false,
}
const answerSchema = { type: 'object', required: ['description'], properties: { description: { type: 'string' }, content }, additionalProperties: false }
const operation = {
  type: 'object',
  required: ['operationId', 'tags', 'summary', 'responses'],
  properties: {
    operationId: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
    summary: { type: 'string', minLength: 1 },
    description: { type: 'string', minLength: 1 },
    security: { type: 'array' },
    parameters: { type: 'array', items: orReference(parameter) },
    requestBody: { type: 'object', required: ['content'], properties: { required: { type: 'boolean' }, content }, additionalProperties: false },
    responses: { type: 'object', required: ['200'], patternProperties: { '^[2-5]\\d\\d$': orReference(answerSchema) }, additionalProperties: false },
  },
  patternProperties: { '^x-': {} },
  additionalProperties: false,
}

/** The parts of the OpenAPI 3.1 schema that our document uses, closed. */
const structure = {
  type: 'object',
  required: ['openapi', 'info', 'paths', 'components'],
  properties: {
    openapi: { const: '3.1.0' },
    info: { type: 'object', required: ['title', 'version'], properties: { title: { type: 'string' }, version: { type: 'string' }, description: { type: 'string' } }, additionalProperties: false },
    servers: { type: 'array', items: { type: 'object', required: ['url'] } },
    security: { type: 'array' },
    tags: { type: 'array', items: { type: 'object', required: ['name'] } },
    paths: {
      type: 'object',
      patternProperties: { '^/': { type: 'object', minProperties: 1, properties: { get: operation, put: operation, post: operation, delete: operation }, additionalProperties: false } },
      additionalProperties: false,
    },
    components: {
      type: 'object',
      properties: {
        schemas: { type: 'object', propertyNames: { pattern: '^[a-zA-Z0-9._-]+$' } },
        parameters: { type: 'object', additionalProperties: parameter },
        responses: { type: 'object', additionalProperties: answerSchema },
        securitySchemes: { type: 'object' },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}
