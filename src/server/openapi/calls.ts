import { approvalStates, decisions } from '#api/approval.ts'
import type { Metadata, ResolvedCommand } from '#meta/metadata.ts'
import type { ApprovalScreen, ReportScreen, ResolvedEntity, Transition } from '#meta/resolved.ts'
import { guardsFor } from '#server/access/guards.ts'
import { isPersonal } from '#server/access/scope.ts'
import { isInternal } from '#server/documents/entities.ts'
import { isCreatable, isWritable } from '#server/documents/writable.ts'
import { hookKey } from '#server/documents/readRecord.ts'
import type { DocumentHookTable } from '#server/documents/hooks.ts'
import { listParameters, type HeaderName, type Operation, type Parameter } from './operation.ts'
import { described, requiredKeys, saveName } from './recordSchemas.ts'
import { closedObject, flag, id, listOf, objectOf, orNull, ref, schemaName, text, whole, words, type Schema } from './schema.ts'
import { reasonProperties } from './sharedSchemas.ts'

/** What calls are made from. */
export interface Product {
  readonly metadata: Metadata
  readonly hooks: DocumentHookTable
}

const commandHeaders: readonly HeaderName[] = ['Idempotency-Key', 'Acknowledge']
const savingHeaders: readonly HeaderName[] = ['If-Match', 'Idempotency-Key', 'Acknowledge']
const idsOfRows: Schema = { ...listOf(id), minItems: 1, maxItems: 500 }

/**
 * Calls with a name in their path (`:resource`, `:name`) stand for one call for each thing they can name. By method and path as the server
 * registers them.
 */
export const expansions: Readonly<Record<string, (product: Product) => readonly Operation[]>> = {
  'GET /api/v1/data/:resource': ({ metadata }) =>
    resources(metadata).map((entity) => ({
      ...aboutRecords(metadata, entity, 'view'),
      method: 'GET',
      path: `/api/v1/data/${entity.resource}`,
      summary: `List ${words(entity.id).toLowerCase()}`,
      description: `Rows within the scope of the user. Columns: ${entity.fields.filter((field) => !field.hidden).map((field) => field.name).join(', ')}.`,
      parameters: listParameters,
      answer: listAnswer(ref(schemaName(entity.id))),
    })),
  'GET /api/v1/data/:resource/:id': ({ metadata }) =>
    resources(metadata).filter(hasId).map((entity) => ({
      ...aboutRecords(metadata, entity, 'view'),
      method: 'GET',
      path: `/api/v1/data/${entity.resource}/{id}`,
      summary: `Read one ${words(entity.id).toLowerCase()}${entity.lines.length > 0 ? ' with its lines' : ''}`,
      parameters: ['id'],
      answer: recordAnswer(entity),
    })),
  'POST /api/v1/data/:resource': ({ metadata, hooks }) =>
    resources(metadata).filter((entity) => isCreatable({ hooks }, entity)).map((entity) => ({
      ...aboutRecords(metadata, entity, 'create'),
      method: 'POST',
      path: `/api/v1/data/${entity.resource}`,
      summary: `Create one ${words(entity.id).toLowerCase()}`,
      ...(entity.base === 'document' ? { description: 'It starts as a draft without a number.' } : {}),
      headers: commandHeaders,
      body: { ...ref(saveName(entity)), ...required(requiredKeys(entity, hooks[hookKey(entity)])) },
      answer: recordAnswer(entity),
    })),
  'PUT /api/v1/data/:resource/:id': ({ metadata, hooks }) =>
    resources(metadata).filter((entity) => isWritable({ hooks }, entity)).map((entity) => ({
      ...aboutRecords(metadata, entity, 'edit'),
      method: 'PUT',
      path: `/api/v1/data/${entity.resource}/{id}`,
      summary: `Save one ${words(entity.id).toLowerCase()}`,
      description: `Keys left out stay as they are${entity.lines.length > 0 ? '; lines sent replace all lines' : ''}.${entity.base === 'document' ? ' Only drafts and rejected documents can be changed.' : ''}`,
      parameters: ['id'],
      headers: savingHeaders,
      body: ref(saveName(entity)),
      answer: recordAnswer(entity),
    })),
  'DELETE /api/v1/data/:resource/:id': ({ metadata, hooks }) =>
    resources(metadata).filter((entity) => isCreatable({ hooks }, entity)).map((entity) => ({
      ...aboutRecords(metadata, entity, 'delete'),
      method: 'DELETE',
      path: `/api/v1/data/${entity.resource}/{id}`,
      summary: entity.base === 'document' ? `Delete a draft ${words(entity.id).toLowerCase()}` : `Delete an unused ${words(entity.id).toLowerCase()}`,
      parameters: ['id'],
      headers: ['If-Match', 'Idempotency-Key'],
    })),
  'GET /api/v1/data/:resource/:id/history': ({ metadata }) => partsOf(metadata, 'history', 'What happened to it, newest first', 'HistoryEntry', () => true),
  'GET /api/v1/data/:resource/:id/flow': ({ metadata }) => partsOf(metadata, 'flow', 'The documents it came from and led to', 'FlowNode', isDocument),
  'GET /api/v1/data/:resource/:id/journal': ({ metadata }) => partsOf(metadata, 'journal', 'The journals it brought about', 'JournalView', isDocument),
  'POST /api/v1/data/:resource/:id/:action': ({ metadata }) =>
    transitions(metadata).map(({ entity, action, offered }) => ({
      ...aboutTransition(entity, offered),
      method: 'POST',
      path: `/api/v1/data/${entity.resource}/{id}/${action}`,
      summary: `${words(action)} one ${words(entity.id).toLowerCase()}`,
      description: `From status ${[...new Set(offered.flatMap((transition) => transition.from))].join(', ')} to ${[...new Set(offered.map((transition) => transition.to))].join(', ')}.`,
      parameters: ['id'],
      headers: savingHeaders,
      body: transitionBody(offered),
      answer: recordAnswer(entity),
    })),
  'POST /api/v1/data/:resource/bulk/:action': ({ metadata }) =>
    transitions(metadata).map(({ entity, action, offered }) => ({
      ...aboutTransition(entity, offered),
      method: 'POST',
      path: `/api/v1/data/${entity.resource}/bulk/${action}`,
      summary: `${words(action)} several, each on its own`,
      headers: commandHeaders,
      body: transitionBody(offered, { IDs: idsOfRows }),
      answer: objectOf({ results: listOf(ref('RowResult')) }),
    })),
  'GET /api/v1/lookup/:entity': ({ metadata }) =>
    resources(metadata).filter(hasId).map((entity) => ({
      ...aboutLookup(metadata, entity),
      method: 'GET',
      path: `/api/v1/lookup/${entity.id}`,
      summary: `Choose one ${words(entity.id).toLowerCase()}`,
      description: 'Active records; a code that begins with the search text stands first.',
      parameters: [
        'search', 'filter', 'columns',
        { name: 'length', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1_000, default: 20 }, description: 'At most so many records.' },
        { name: 'ids', in: 'query', schema: { type: 'string', pattern: '^\\d+(,\\d+)*$' }, description: 'Exactly these, active or not: names of values already stored.' },
      ],
      answer: objectOf({ records: listOf(choice) }),
    })),
  'POST /api/v1/lookup/:entity/resolve': ({ metadata }) =>
    resources(metadata).filter(hasId).map((entity) => ({
      ...aboutLookup(metadata, entity),
      method: 'POST',
      path: `/api/v1/lookup/${entity.id}/resolve`,
      summary: `Codes to ${words(entity.id).toLowerCase()} records`,
      description: 'One entry for each code, in order; null where nothing active in scope has that code.',
      body: closedObject({ codes: { ...listOf(text), maxItems: 5_000 }, columns: { ...listOf(text), maxItems: 50 }, filter: ref('Condition') }, ['columns', 'filter']),
      answer: objectOf({ records: listOf(orNull({ ...choice })) }),
    })),
  'POST /api/v1/command/:name': ({ metadata }) => Object.values(metadata.commands).map((command) => commandCall(metadata, command)),
  'GET /api/v1/report/:screen': ({ metadata }) => Object.values(metadata.screens).filter((screen) => screen.kind === 'report').map((screen) => reportCall(metadata, screen)),
  'GET /api/v1/approval/:docType/:transition': ({ metadata }) =>
    Object.values(metadata.screens).filter((screen) => screen.kind === 'approval').map((screen) => approvalCall(metadata, screen)),
  'POST /api/v1/approval/bulk/:decision': () =>
    decisions.map((decision) => ({
      method: 'POST',
      path: `/api/v1/approval/bulk/${decision}`,
      tag: 'Approval',
      summary: `${words(decision)} several requests, each on its own`,
      headers: commandHeaders,
      body: closedObject({ IDs: idsOfRows, ...reasonProperties() }, Object.keys(reasonProperties())),
      answer: objectOf({ results: listOf(ref('RowResult')) }),
    })),
  'POST /api/v1/approval/:requestId/:decision': () =>
    decisions.map((decision) => ({
      method: 'POST',
      path: `/api/v1/approval/{requestId}/${decision}`,
      tag: 'Approval',
      summary: `${words(decision)} one request`,
      description: `The matrix says who decides, and his role must hold the permission to approve such documents; the maker never does.${decision === 'reject' ? ' A reason is required.' : ''}`,
      parameters: [{ name: 'requestId', in: 'path', required: true, schema: id, description: 'Id of the approval request.' }],
      headers: commandHeaders,
      body: closedObject(reasonProperties(), Object.keys(reasonProperties())),
      answer: objectOf({ ID: id, isFinal: { ...flag, description: 'Was this the last level?' }, text }),
    })),
}

/** Entities that have an address. */
function resources(metadata: Metadata): readonly ResolvedEntity[] {
  return Object.values(metadata.entities).filter((entity) => !isInternal(entity)).toSorted((a, b) => (a.resource < b.resource ? -1 : 1))
}

function hasId(entity: ResolvedEntity): boolean {
  return entity.fields.some((field) => field.name === 'id')
}

function isDocument(entity: ResolvedEntity): boolean {
  return entity.base === 'document'
}

function aboutRecords(metadata: Metadata, entity: ResolvedEntity, action: string): Pick<Operation, 'tag' | 'guards'> {
  // Lines have no permission of their own: that of their header is asked.
  const guards = guardsFor(metadata, entity, action).filter((name) => metadata.guards.some((guard) => guard.name === name))
  return { tag: words(entity.resource), ...(isPersonal(entity) ? {} : { guards }) }
}

/** Whoever writes records that name such a master may choose one without opening its list. */
function aboutLookup(metadata: Metadata, entity: ResolvedEntity): Pick<Operation, 'tag' | 'guards' | 'guardText'> {
  const { guards } = aboutRecords(metadata, entity, 'view')
  const writers = entity.base === 'master' && entity.id !== 'app_user' ? Object.values(metadata.entities).filter((other) => other.fields.some((field) => field.entity === entity.id)) : []
  if (guards === undefined || writers.some(isPersonal)) return { tag: 'Lookups' }
  const writing = writers.flatMap((other) => ['create', 'edit'].flatMap((action) => aboutRecords(metadata, other, action).guards ?? []))
  return { tag: 'Lookups', guards: [...new Set([...guards, ...writing])], guardText: `${guards.join(' or ')}${writing.length === 0 ? '' : ', or to create or edit records that refer to one'}` }
}

function aboutTransition(entity: ResolvedEntity, offered: readonly Transition[]): Pick<Operation, 'tag' | 'guards'> {
  return { tag: words(entity.resource), guards: [...new Set(offered.map((transition) => transition.guard))] }
}

function required(keys: readonly string[]): Schema {
  return keys.length === 0 ? {} : { required: keys }
}

function recordAnswer(entity: ResolvedEntity): Schema {
  return objectOf({ record: ref(schemaName(entity.id)) })
}

function listAnswer(row: Schema): Schema {
  return objectOf(
    {
      recordsTotal: { ...whole, description: 'Rows of the whole filter; -1 when not counted.' },
      rows: listOf(row),
      records: { ...listOf(row), description: 'The same as rows.' },
      totals: { type: 'object', additionalProperties: text, description: 'Sums by column name, over the whole filter.' },
      next: { ...text, description: 'Hand it over as `after` to go on; absent on the last page.' },
    },
    ['next'],
  )
}

const choice: Schema = { ...objectOf({ ID: id, Code: text, Name: text }), description: 'With the columns asked for.' }

function partsOf(metadata: Metadata, part: string, summary: string, schema: string, isOffered: (entity: ResolvedEntity) => boolean): readonly Operation[] {
  return resources(metadata).filter((entity) => hasId(entity) && isOffered(entity)).map((entity) => ({
    ...aboutRecords(metadata, entity, 'view'),
    method: 'GET',
    path: `/api/v1/data/${entity.resource}/{id}/${part}`,
    summary,
    parameters: ['id'],
    answer: objectOf({ records: listOf(ref(schema)) }),
  }))
}

/** Workflow actions people can take; one action may leave several states. */
function transitions(metadata: Metadata): readonly { readonly entity: ResolvedEntity; readonly action: string; readonly offered: readonly Transition[] }[] {
  return resources(metadata).flatMap((entity) => {
    const offered = (metadata.workflows[entity.id]?.transitions ?? []).filter((transition) => !transition.system)
    return [...new Set(offered.map((transition) => transition.action))].map((action) => ({ entity, action, offered: offered.filter((transition) => transition.action === action) }))
  })
}

function transitionBody(offered: readonly Transition[], before: Readonly<Record<string, Schema>> = {}): Schema {
  const params = offered.flatMap((transition) => transition.params)
  const properties = { ...before, ...reasonProperties(), ...Object.fromEntries(params.map((field) => [field.wire, field.required ? described(field) : orNull(described(field))])) }
  const needed = new Set([...Object.keys(before), ...params.filter((field) => field.required).map((field) => field.wire)])
  const notes = offered.some((transition) => transition.reason === 'required') ? { description: 'A reason is required: ReasonID, or ReasonText or Note.' } : {}
  return { ...closedObject(properties, Object.keys(properties).filter((key) => !needed.has(key))), ...notes }
}

const commandAnswers: Readonly<Record<string, Schema>> = {
  'price-order': objectOf({ record: { ...ref('SalesOrder') }, errors: listOf(ref('FieldProblem')) }, ['errors']),
  'propose-payment': objectOf({ Lines: listOf(ref('PaymentLine')), Unapplied: text }),
}

/** Bodies of commands that take a whole document and check it themselves. */
const commandBodies: Readonly<Record<string, Schema>> = {
  'price-order': { ...ref('SalesOrderSave'), description: 'The order as typed; nothing is saved.' },
}

function commandCall(metadata: Metadata, command: ResolvedCommand): Operation {
  const rows: Readonly<Record<string, Schema>> = command.rows === 'none' ? {} : { IDs: command.rows === 'one' ? { ...idsOfRows, maxItems: 1 } : idsOfRows }
  const reasons = command.rows === 'none' ? {} : reasonProperties()
  const params = Object.fromEntries(command.params.map((field) => [field.wire, field.required ? described(field) : orNull(described(field))]))
  const properties = { ...rows, ...params, ...reasons }
  const needed = new Set([...Object.keys(rows), ...command.params.filter((field) => field.required).map((field) => field.wire)])
  const optional = Object.keys(properties).filter((key) => !needed.has(key))
  return {
    method: 'POST',
    path: `/api/v1/command/${command.name}`,
    tag: 'Commands',
    summary: words(command.name),
    description: `Works on ${words(metadata.entities[command.entity]?.id ?? command.entity).toLowerCase()}${command.rows === 'none' ? '' : ', the rows of IDs'}.`,
    guards: [command.guard],
    headers: commandHeaders,
    body: commandBodies[command.name] ?? (command.rows === 'none' ? objectOf(properties, optional) : closedObject(properties, optional)),
    answer: commandAnswers[command.name] ?? (command.rows === 'none' ? { type: 'object' } : objectOf({ results: listOf(ref('RowResult')) })),
  }
}

function reportCall(metadata: Metadata, screen: ReportScreen): Operation {
  const dataset = metadata.datasets[screen.dataset]
  const parameters: readonly Parameter[] = (dataset?.parameters ?? []).map((field) => {
    const preset = screen.parameters.find((parameter) => parameter.name === field.name)?.defaultValue ?? field.default
    return {
      name: field.name,
      in: 'query',
      required: field.required && preset === undefined,
      schema: described(field),
      ...(typeof preset === 'object' && 'now' in preset ? { description: 'Absent: the business day.' } : {}),
    }
  })
  const fields = [...(dataset?.dimensions ?? []), ...(dataset?.measures ?? [])]
  const row: Schema = { type: 'object', properties: Object.fromEntries(fields.map((field) => [field.wire, orNull(described(field))])) }
  const sums: Schema = { type: 'object', additionalProperties: text }
  return {
    method: 'GET',
    path: `/api/v1/report/${screen.id}`,
    tag: 'Reports',
    summary: `Report ${words(screen.id.replace(/\.report$/, '')).toLowerCase()}`,
    description: dataset === undefined ? '' : `One row is ${dataset.grain}. Columns: ${fields.map((field) => field.name).join(', ')}.`,
    guards: [...new Set([screen.guard, dataset?.guard ?? screen.guard])],
    parameters: [
      ...parameters, 'search', 'page', 'order', 'sort', 'filter',
      { name: 'length', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 5_000, default: 100 }, description: 'Rows a page.' },
    ],
    answer: objectOf(
      {
        recordsTotal: whole,
        rows: listOf(row),
        totals: { ...sums, description: 'Sums of the additive measures by column name, over the whole filter.' },
        groups: listOf(objectOf({ value: {}, count: whole, totals: sums })),
        parameters: { ...sums, description: 'Parameters as used, defaults filled in.' },
      },
      ['groups'],
    ),
  }
}

function approvalCall(metadata: Metadata, screen: ApprovalScreen): Operation {
  const resource = metadata.entities[screen.docType]?.resource ?? screen.docType
  const row: Schema = { allOf: [ref('ApprovalRequestRow')], ...objectOf({ Document: ref(schemaName(screen.docType)) }) }
  return {
    method: 'GET',
    path: `/api/v1/approval/${screen.docType}/${screen.transition}`,
    tag: 'Approval',
    summary: `Queue: ${screen.transition} of ${words(screen.docType).toLowerCase()}`,
    description: 'Search, filter and order work on the documents.',
    guards: [...new Set([screen.guard, `${resource}-view`])],
    parameters: [
      { name: 'state', in: 'query', schema: { type: 'string', enum: approvalStates, default: 'waiting' }, description: 'Which tab.' },
      'search', 'length', 'page', 'order', 'sort', 'filter', 'columns',
    ],
    answer: objectOf({ recordsTotal: whole, rows: listOf(row), counts: ref('ApprovalCounts') }),
  }
}
