import type { Metadata } from '#meta/metadata.ts'
import type { DocumentHookTable } from '#server/documents/hooks.ts'
import type { Endpoint } from '#server/http/api.ts'
import { expansions } from './calls.ts'
import { isInternal } from '#server/documents/entities.ts'
import { hookKey } from '#server/documents/readRecord.ts'
import { isWritable } from '#server/documents/writable.ts'
import { namedCalls } from './namedCalls.ts'
import { operationObject, pathParameters, sharedComponents, sharedParameters, type Operation, type Parameter, type SharedParameter } from './operation.ts'
import { readSchema, saveName, saveSchema } from './recordSchemas.ts'
import { schemaName, text, type Schema } from './schema.ts'
import { sharedSchemas } from './sharedSchemas.ts'

/** What the server adds to the metadata: the calls it registers and what document types accept beyond their fields. */
export interface Registered {
  readonly endpoints?: readonly Endpoint[]
  readonly hooks?: DocumentHookTable
}

/** OpenAPI 3.1 as far as it is looked into here. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly [key: string]: unknown
}

/**
 * The description of every call, made of the same metadata that requests are checked with: one set of paths for each resource, action,
 * command, report and approval. Pure. Without `endpoints` only the generic calls.
 */
export function openApi(metadata: Metadata, version: string, { endpoints, hooks = {} }: Registered = {}): OpenApiDocument {
  const operations = endpoints === undefined ? Object.values(expansions).flatMap((expand) => expand({ metadata, hooks })) : endpoints.flatMap((endpoint) => described({ metadata, hooks }, endpoint))
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const methods = (paths[operation.path] ??= {})
    methods[operation.method.toLowerCase()] = operationObject(operation)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Arus', version, description: introduction },
    servers: [{ url: '/' }],
    security: [{ session: [] }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: { ...sharedComponents(), schemas: schemasOf(metadata, hooks) },
  }
}

const introduction = [
  'Order to cash and finance of a distributor.',
  'Every answer is `{ code, status, message, data }`; `data` always carries `hostname`. A refusal has the code of the problem in `status` and what is wrong with which field in `data.errors`.',
  'Keys of records are PascalCase. Money and quantities are decimal text, dates `YYYY-MM-DD`, moments ISO text in UTC.',
  'Beside `Authorization: Bearer`, the web client sends `X-App-Id`, `X-App-Name: oms`, `X-Platform: web`, `X-App-Version`, `X-Timezone`, `X-Timestamp` and `X-Device-Id`; the server asks for none of them.',
].join('\n\n')

function described(product: { readonly metadata: Metadata; readonly hooks: DocumentHookTable }, endpoint: Endpoint): readonly Operation[] {
  const key = `${endpoint.method} ${endpoint.path}`
  const expand = expansions[key]
  if (expand) return expand(product)
  const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
  const detail = namedCalls[key]
  const query = Object.entries(endpoint.query ?? {}).map(([name, description]): Parameter => ({ name, in: 'query', schema: queryType(name), ...(description === '' ? {} : { description }) }))
  const inPath = pathParameters(path).map((parameter): Parameter | SharedParameter => (parameter.name === 'id' ? 'id' : parameter))
  return [
    {
      method: endpoint.method,
      path,
      tag: endpoint.tag,
      summary: endpoint.summary,
      ...(endpoint.isPublic === true ? { isPublic: true } : {}),
      ...(endpoint.headers === undefined ? {} : { headers: endpoint.headers }),
      ...(endpoint.body === undefined ? {} : { body: { ...endpoint.body } }),
      ...(endpoint.answer === undefined ? {} : { answer: { ...endpoint.answer } }),
      parameters: [...inPath, ...query],
      ...detail,
    },
  ]
}

function queryType(name: string): Schema {
  if (Object.hasOwn(sharedParameters, name)) return sharedParameters[name as SharedParameter].schema
  return name.endsWith('_id') ? { type: 'integer', minimum: 0 } : text
}

function schemasOf(metadata: Metadata, hooks: DocumentHookTable): Readonly<Record<string, Schema>> {
  const schemas: Record<string, Schema> = { ...sharedSchemas }
  for (const entity of Object.values(metadata.entities)) {
    if (isInternal(entity)) continue
    schemas[schemaName(entity.id)] = readSchema(metadata, entity)
    if (!isWritable({ hooks }, entity)) continue
    schemas[saveName(entity)] = saveSchema(metadata, entity, hooks[hookKey(entity)])
    for (const line of entity.lines) {
      const lineEntity = metadata.entities[line.entity]
      // An owned record has a page and a call of its own; what is saved there says it too.
      if (lineEntity && !line.owned) schemas[saveName(lineEntity)] = saveSchema(metadata, lineEntity, hooks[hookKey(entity)], 'lines.')
    }
  }
  return schemas
}
