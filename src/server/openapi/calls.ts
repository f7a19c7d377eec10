import { approvalStates, decisions, type Decision } from '#api/approval.ts'
import { comparisons, type Day } from '#meta/day.ts'
import type { Metadata, ResolvedCommand } from '#meta/metadata.ts'
import type { ApprovalScreen, DashboardScreen, ImportScreen, ReportScreen, ResolvedEntity, Tile, Transition } from '#meta/resolved.ts'
import { upkeepActions } from '#meta/upkeep.ts'
import { behindRecords, guardsFor, type RecordAction } from '#server/access/guards.ts'
import { routesBehind, routesChoosing, type Behind } from '#server/access/reach.ts'
import { isPersonal } from '#server/access/scope.ts'
import { isInternal, takesNotes } from '#server/documents/entities.ts'
import { isGroupable } from '#server/documents/listGroups.ts'
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
      ...aboutRecords(metadata, entity, 'list'),
      method: 'GET',
      path: `/api/v1/data/${entity.resource}`,
      summary: `List ${words(entity.id).toLowerCase()}`,
      description: `Rows within the scope of the user. Columns: ${entity.fields.filter((field) => !field.hidden).map((field) => field.name).join(', ')}.`,
      parameters: listParameters,
      answer: listAnswer(ref(schemaName(entity.id))),
    })),
  'GET /api/v1/data/:resource/groups': ({ metadata }) =>
    resources(metadata).map((entity) => ({
      ...aboutRecords(metadata, entity, 'view'),
      method: 'GET',
      path: `/api/v1/data/${entity.resource}/groups`,
      summary: `Groups of ${words(entity.id).toLowerCase()} with count and sums`,
      parameters: [
        { name: 'by', in: 'query', required: true, schema: { type: 'string', pattern: '^\\w+(\\.\\w+)?(:(month|quarter|year))?$', examples: entity.fields.filter(isGroupable).slice(0, 1).map((field) => field.name) }, description: 'Column, or a day with its span: `doc_date:month`.' },
        'search', 'filter', 'columns', 'totals',
        { name: 'order', in: 'query', schema: text, description: '`count` or a column of totals; absent: the value of the group.' },
        { name: 'sort', in: 'query', schema: { type: 'string', enum: ['asc', 'desc'] } },
        { name: 'length', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 500, default: 50 }, description: 'Groups a page.' },
        'page',
      ],
      answer: objectOf({ groupsTotal: whole, groups: listOf(ref('RowGroup')) }),
    })),
  'GET /api/v1/data/:resource/counts': ({ metadata }) =>
    resources(metadata).map((entity) => ({
      ...aboutRecords(metadata, entity, 'view'),
      method: 'GET',
      path: `/api/v1/data/${entity.resource}/counts`,
      summary: `Count ${words(entity.id).toLowerCase()} of several filters`,
      parameters: [
        'search', 'filter',
        { name: 'filters', in: 'query', schema: { ...listOf(orNull(ref('Condition'))), maxItems: 40 }, isJson: true, description: 'Conditions; null: all rows.' },
      ],
      answer: objectOf({ counts: listOf(whole), limit: { ...whole, description: 'A count above it means more.' } }),
    })),
  'POST /api/v1/data/:resource/selection': ({ metadata }) =>
    resources(metadata).map((entity) => ({
      ...aboutRecords(metadata, entity, 'view'),
      method: 'POST',
      path: `/api/v1/data/${entity.resource}/selection`,
      summary: `Every ${words(entity.id).toLowerCase()} of a filter`,
      description: 'At most 10000 rows. SELECTION_CHANGED when their number is not the one the user saw.',
      body: closedObject({ filter: ref('Condition'), search: text, columns: text, order: text, sort: text, count: { type: 'integer', minimum: 1 } }, ['filter', 'search', 'columns', 'order', 'sort']),
      answer: objectOf({ rows: listOf(ref(schemaName(entity.id))) }),
    })),
  'GET /api/v1/data/:resource/:id': ({ metadata }) =>
    resources(metadata).filter(hasId).map((entity) => ({
      ...aboutRecords(metadata, entity, 'view'),
      method: 'GET',
      path: `/api/v1/data/${entity.resource}/{id}`,
      summary: `Read one ${words(entity.id).toLowerCase()}${entity.lines.length > 0 ? ' with its lines' : ''}`,
      parameters: ['id'],
      answer: readAnswer(entity),
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
  'GET /api/v1/data/:resource/:id/actions': ({ metadata }) => partsOf(metadata, 'actions', 'What may be done with it now, and why the rest may not', 'OfferedAction', () => true),
  'GET /api/v1/data/:resource/:id/around': ({ metadata }) =>
    resources(metadata).filter(hasId).map((entity) => ({
      ...aboutRecords(metadata, entity, 'list'),
      method: 'GET',
      path: `/api/v1/data/${entity.resource}/{id}/around`,
      summary: 'The records before and after it in a list asked for like this',
      parameters: ['id', 'search', 'filter', 'order', 'sort', 'columns'],
      answer: objectOf({ Previous: orNull(id), Next: orNull(id), Position: orNull(whole), Total: whole }),
    })),
  'POST /api/v1/data/:resource/:id/:action': ({ metadata }) =>
    transitions(metadata).map(({ entity, action, offered }) => ({
      ...aboutTransition(metadata, entity, offered),
      method: 'POST',
      path: `/api/v1/data/${entity.resource}/{id}/${action}`,
      summary: `${words(action)} one ${words(entity.id).toLowerCase()}`,
      description: `From status ${[...new Set(offered.flatMap((transition) => transition.from))].join(', ')} to ${[...new Set(offered.map((transition) => transition.to))].join(', ')}.${existsOnly(offered)}`,
      parameters: ['id'],
      headers: savingHeaders,
      body: transitionBody(offered),
      answer: objectOf({ record: ref(schemaName(entity.id)), made }, ['made']),
    })),
  'POST /api/v1/data/:resource/bulk/:action': ({ metadata, hooks }) => [
    ...transitions(metadata).map(({ entity, action, offered }): Operation => ({
      ...aboutTransition(metadata, entity, offered),
      method: 'POST',
      path: `/api/v1/data/${entity.resource}/bulk/${action}`,
      summary: `${words(action)} several, each on its own`,
      ...(existsOnly(offered) === '' ? {} : { description: existsOnly(offered).trim() }),
      headers: commandHeaders,
      body: withVersions(transitionBody(offered, { IDs: idsOfRows })),
      answer: objectOf({ results: listOf(ref('RowResult')) }),
    })),
    ...resources(metadata).filter((entity) => entity.base === 'master' && isWritable({ hooks }, entity)).flatMap((entity) => upkeepActions.map((action): Operation => ({
      ...aboutRecords(metadata, entity, action === 'delete' ? 'delete' : 'edit'),
      method: 'POST',
      path: `/api/v1/data/${entity.resource}/bulk/${action}`,
      summary: `${words(action)} several, each on its own`,
      headers: commandHeaders,
      body: withVersions(closedObject({ IDs: idsOfRows }, [])),
      answer: objectOf({ results: listOf(ref('RowResult')) }),
    }))),
  ],
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
  'GET /api/v1/report/:screen/summary': ({ metadata }) => Object.values(metadata.screens).filter((screen) => screen.kind === 'report').map((screen) => summaryCall(metadata, screen)),
  'POST /api/v1/form/:screen/file': ({ metadata }) => Object.values(metadata.screens).filter((screen) => screen.kind === 'form' && screen.lines?.file !== undefined).map((screen) => ({
    method: 'POST', path: `/api/v1/form/${screen.id}/file`, tag: 'Files', summary: 'What a file holds, as the form would have it entered', description: 'Nothing is saved. What it leaves open is asked: sent again with the chosen value as `answer`.',
    guards: [screen.guard], ...screensOf(metadata, { part: 'screens', name: screen.id }),
    parameters: [{ name: 'answer', in: 'query', schema: text }],
    body: objectOf({ file: { type: 'string', contentMediaType: 'application/octet-stream' } }), isUpload: true,
    answer: objectOf({ parts: listOf({ type: 'object' }), asks: { type: 'object' } }, ['asks']),
  })),
  'GET /api/v1/import/:screen': ({ metadata }) => imports(metadata).map((screen) => ({
    ...aboutImport(metadata, screen), method: 'GET', path: `/api/v1/import/${screen.id}`, summary: 'Files imported before, newest first', answer: objectOf({ records: listOf(ref('ImportBatch')) }),
  })),
  'POST /api/v1/import/:screen': ({ metadata }) => imports(metadata).map((screen) => ({
    ...aboutImport(metadata, screen), method: 'POST', path: `/api/v1/import/${screen.id}`,
    summary: 'Take in a file; it is read and checked in the background, nothing is imported yet',
    description: 'An Excel workbook or text with values. Creating the records needs their own permission beside it.',
    parameters: [{ name: 'retry_of', in: 'query', schema: whole, description: 'Batch whose refused rows these are.' }],
    body: objectOf({ file: { type: 'string', contentMediaType: 'application/octet-stream' } }), isUpload: true, answer: objectOf({ record: ref('ImportBatch') }),
  })),
  'GET /api/v1/import/:screen/template': ({ metadata }) => imports(metadata).map((screen) => ({
    ...aboutImport(metadata, screen), method: 'GET', path: `/api/v1/import/${screen.id}/template`, summary: 'A sheet to fill in', isFile: true,
    parameters: [
      { name: 'sheet', in: 'query', schema: { type: 'string', enum: screen.sheets.map(({ id: sheet }) => sheet) } },
      { name: 'format', in: 'query', schema: { type: 'string', enum: ['xlsx', 'csv'], default: 'xlsx' } },
      { name: 'language', in: 'query', schema: { type: 'string', enum: ['en', 'cn', 'id'], default: 'en' } },
    ],
  })),
  'GET /api/v1/dashboard/:screen': ({ metadata }) => dashboards(metadata).map((screen) => ({
    method: 'GET',
    path: `/api/v1/dashboard/${screen.id}`,
    tag: 'Dashboards',
    summary: 'The tiles the user may see',
    description: 'A tile whose report or list the user may not open is left out.',
    ...(screen.guard === '' ? {} : { guards: [screen.guard] }),
    answer: objectOf({ tiles: listOf(objectOf({ id: text, title: text, kind: text, size: text })) }),
  })),
  'GET /api/v1/dashboard/:screen/:tile': ({ metadata }) => dashboards(metadata).flatMap((screen) => screen.tiles.map((tile) => tileCall(screen, tile))),
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
      body: decisionBody(decision),
      answer: objectOf({ ID: id, isFinal: { ...flag, description: 'Was this the last level?' }, text, key: text, params: { type: 'object' } }, ['key', 'params']),
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

function aboutRecords(metadata: Metadata, entity: ResolvedEntity, action: RecordAction): Pick<Operation, 'tag' | 'guards' | 'screens'> {
  // Lines have no permission of their own: that of their header is asked.
  const guards = guardsFor(metadata, entity, action).filter((name) => metadata.guards.some((guard) => guard.name === name))
  return { tag: words(entity.resource), ...(isPersonal(entity) ? {} : { guards, ...screensOf(metadata, behindRecords(metadata, entity, action)) }) }
}

/** Choosing one asks for a screen of the menu where one is chosen, or for what viewing them asks. */
function aboutLookup(metadata: Metadata, entity: ResolvedEntity): Pick<Operation, 'tag' | 'accessText' | 'screens'> {
  const { guards = [] } = aboutRecords(metadata, entity, 'view')
  const screens = routesChoosing(metadata, entity.id)
  return { tag: 'Lookups', accessText: `A screen of the menu where one is chosen, or ${guards.join(' or ')}.`, ...(screens.length === 0 ? {} : { screens }) }
}

function aboutTransition(metadata: Metadata, entity: ResolvedEntity, offered: readonly Transition[]): Pick<Operation, 'tag' | 'guards' | 'screens'> {
  return { tag: words(entity.resource), guards: [...new Set(offered.map((transition) => transition.guard))], ...screensOf(metadata, { part: 'moves', name: entity.id }) }
}

/** Paths of which one must be in the menu; none: behind no screen. */
function screensOf(metadata: Metadata, behind: Behind | undefined): Pick<Operation, 'screens'> {
  const screens = behind === undefined ? [] : routesBehind(metadata, behind)
  return screens.length === 0 ? {} : { screens }
}

function required(keys: readonly string[]): Schema {
  return keys.length === 0 ? {} : { required: keys }
}

const made: Schema = { ...listOf(ref('Obstacle')), description: 'Documents this has brought about, each with its page.' }

function recordAnswer(entity: ResolvedEntity): Schema {
  return objectOf({ record: ref(schemaName(entity.id)) })
}

function readAnswer(entity: ResolvedEntity): Schema {
  return takesNotes(entity) ? objectOf({ record: ref(schemaName(entity.id)), counts: ref('RecordCounts') }) : recordAnswer(entity)
}

function listAnswer(row: Schema): Schema {
  return objectOf(
    {
      recordsTotal: { ...whole, description: 'Rows of the whole filter; -1 when not counted.' },
      rows: listOf(row),
      totals: { type: 'object', additionalProperties: text, description: 'Sums by column name, over the whole filter; no amounts where there are several currencies.' },
      currencies: { ...listOf(ref('CurrencyTotals')), description: 'Where there are several currencies: the sums of each.' },
      next: { ...text, description: 'Hand it over as `after` to go on; absent on the last page.' },
    },
    ['currencies', 'next'],
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

/** Which documents there is such an action for, as a filter of their list would say it. */
function existsOnly(offered: readonly Transition[]): string {
  const conditions = offered.flatMap(({ when }) => (when === undefined ? [] : [when]))
  if (conditions.length < offered.length) return ''
  const [only] = conditions
  return ` Only for documents with ${JSON.stringify(conditions.length === 1 ? only : { any: conditions })}; refused with ILLEGAL_TRANSITION for others.`
}

function transitionBody(offered: readonly Transition[], before: Readonly<Record<string, Schema>> = {}): Schema {
  const params = offered.flatMap((transition) => transition.params)
  const properties = { ...before, ...reasonProperties(), ...Object.fromEntries(params.map((field) => [field.wire, field.required ? described(field) : orNull(described(field))])) }
  const needed = new Set([...Object.keys(before), ...params.filter((field) => field.required).map((field) => field.wire)])
  const notes = offered.some((transition) => transition.reason === 'required') ? { description: 'A reason is required: ReasonID, or ReasonText or Note.' } : {}
  return { ...closedObject(properties, Object.keys(properties).filter((key) => !needed.has(key))), ...notes }
}

/** Who approves may cut lines of documents that allow it. */
function decisionBody(decision: Decision): Schema {
  const cut = { type: ['object', 'null'], additionalProperties: text, description: 'Of documents whose lines may be cut while approving: what is left of a line, by its id.' }
  const properties = { ...reasonProperties(), ...(decision === 'approve' ? { Quantities: cut } : {}) }
  return closedObject(properties, Object.keys(properties))
}

/** Versions the user has seen, one for each of `IDs`. */
function withVersions(body: Schema): Schema {
  return { ...body, properties: { ...(body['properties'] as Schema), Versions: { ...listOf(id), description: 'Versions seen, one for each of IDs; a record that has moved on is refused.' } } }
}

const commandAnswers: Readonly<Record<string, Schema>> = {
  'price-order': objectOf({ record: { ...ref('SalesOrder') }, errors: listOf(ref('FieldProblem')) }, ['errors']),
  'propose-payment': objectOf({ Lines: listOf(ref('PaymentLine')), Unapplied: text }),
}

/** Params that only their command can read. */
const commandParams: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'propose-payment': { InvoiceIDs: { ...orNull({ ...listOf(id), maxItems: 2_000 }), description: 'Only these invoices; absent: all that are open.' } },
  'plan-delivery': { Quantities: orNull({ type: 'object', additionalProperties: { type: 'string', pattern: '^\\d+(\\.\\d{1,3})?$' }, description: 'Base quantity by id of the order line; a line not named goes with all that is open.' }) },
}

function commandCall(metadata: Metadata, command: ResolvedCommand): Operation {
  const rows: Readonly<Record<string, Schema>> = command.rows === 'none' ? {} : { IDs: command.rows === 'one' ? { ...idsOfRows, maxItems: 1 } : idsOfRows }
  const reasons = command.rows === 'none' ? {} : reasonProperties()
  const params = Object.fromEntries(command.params.map((field) => [field.wire, field.required ? described(field) : orNull(described(field))]))
  const properties = { ...rows, ...params, ...commandParams[command.name], ...reasons }
  const needed = new Set([...Object.keys(rows), ...command.params.filter((field) => field.required).map((field) => field.wire)])
  const optional = Object.keys(properties).filter((key) => !needed.has(key))
  return {
    method: 'POST',
    path: `/api/v1/command/${command.name}`,
    tag: 'Commands',
    summary: words(command.name),
    description: `Works on ${words(metadata.entities[command.entity]?.id ?? command.entity).toLowerCase()}${command.rows === 'none' ? '' : ', the rows of IDs'}.`,
    guards: [command.guard],
    ...screensOf(metadata, { part: 'commands', name: command.name }),
    headers: commandHeaders,
    body: command.body === 'record' ? { ...ref(`${schemaName(command.entity)}Save`), description: `The record as typed; nothing is saved.${command.params.map((field) => ` ${field.wire} beside it: ${words(field.name).toLowerCase()}.`).join('')}` } : closedObject(properties, optional),
    answer: commandAnswers[command.name] ?? (command.rows === 'none' ? { type: 'object' } : objectOf({ results: listOf(ref('RowResult')), made }, ['made'])),
  }
}

function reportParameters(metadata: Metadata, screen: ReportScreen): readonly Parameter[] {
  return (metadata.datasets[screen.dataset]?.parameters ?? []).map((field) => {
    const preset = screen.parameters.find((parameter) => parameter.name === field.name)?.defaultValue ?? field.default
    return {
      name: field.name,
      in: 'query',
      required: field.required && preset === undefined,
      schema: described(field),
      ...(typeof preset === 'object' && 'now' in preset ? { description: `Absent: ${dayWords[preset.now]}.` } : {}),
    }
  })
}

const dayWords: Readonly<Record<Day, string>> = {
  date: 'the business day', yesterday: 'the day before the business day', 'week-ago': 'six days before the business day', 'month-ago': 'the business day a month earlier', 'year-ago': 'the business day a year earlier',
  'week-start': 'the Monday of the week', 'month-start': 'the first day of the month', 'quarter-start': 'the first day of the quarter', 'year-start': 'the first day of the year',
  'last-month-start': 'the first day of the month before', 'last-month-end': 'the last day of the month before',
}

const reportLength: Parameter = { name: 'length', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 5_000, default: 100 }, description: 'Rows a page.' }

function reportCall(metadata: Metadata, screen: ReportScreen): Operation {
  const dataset = metadata.datasets[screen.dataset]
  const fields = [...(dataset?.dimensions ?? []), ...(dataset?.measures ?? [])]
  const row: Schema = { type: 'object', properties: Object.fromEntries(fields.map((field) => [field.wire, orNull(described(field))])) }
  const sums: Schema = { type: 'object', additionalProperties: text }
  return {
    method: 'GET',
    path: `/api/v1/report/${screen.id}`,
    tag: 'Reports',
    summary: `Report ${words(screen.id.replace(/\.report$/, '')).toLowerCase()}`,
    description: dataset === undefined ? '' : `One row is ${dataset.grain}. Columns: ${fields.map((field) => field.name).join(', ')}.`,
    guards: [screen.guard],
    ...screensOf(metadata, { part: 'screens', name: screen.id }),
    parameters: [...reportParameters(metadata, screen), 'search', 'page', 'order', 'sort', 'filter', reportLength],
    answer: objectOf(
      {
        recordsTotal: whole,
        rows: listOf(row),
        totals: { ...sums, description: 'Totals of the measures by column name, over the whole filter; with several currencies without money.' },
        currencies: { ...listOf(objectOf({ currency: orNull(text), count: whole, totals: sums })), description: 'Totals of each currency, only when there are several.' },
        groups: listOf(objectOf({ value: {}, currency: orNull(text), count: whole, totals: sums })),
        parameters: { ...sums, description: 'Parameters as used, defaults filled in.' },
        heads,
      },
      ['groups', 'currencies', 'heads'],
    ),
  }
}

const heads: Schema = { type: 'object', description: 'What measures are called whose days are settings: message key and what fills it, by column name.' }

function imports(metadata: Metadata): readonly ImportScreen[] {
  return Object.values(metadata.screens).filter((screen) => screen.kind === 'import')
}

function aboutImport(metadata: Metadata, screen: ImportScreen): Pick<Operation, 'tag' | 'guards' | 'screens'> {
  return { tag: 'Imports', guards: [screen.guard], ...screensOf(metadata, { part: 'screens', name: screen.id }) }
}

function dashboards(metadata: Metadata): readonly DashboardScreen[] {
  return Object.values(metadata.screens).flatMap((screen) => (screen.kind === 'dashboard' ? [screen] : []))
}

/** Each kind of tile answers in a shape of its own, told by `kind`. */
function tileCall(screen: DashboardScreen, tile: Tile): Operation {
  return {
    method: 'GET',
    path: `/api/v1/dashboard/${screen.id}/${tile.id}`,
    tag: 'Dashboards',
    summary: `Numbers of the tile ${words(tile.id).toLowerCase()}`,
    description: 'Asks for the permission of the report or list it draws on; whoever lacks it is told that there is no such tile.',
    answer: { type: 'object', properties: { kind: { const: tile.kind }, link: { ...text, description: 'Path of the report or list whose total is the figure.' } }, required: ['kind'] },
  }
}

function summaryCall(metadata: Metadata, screen: ReportScreen): Operation {
  const dataset = metadata.datasets[screen.dataset]
  const keys = (groups: readonly { readonly key: string }[]): string => groups.map(({ key }) => key).join(', ')
  const figure: Schema = { type: ['string', 'null'] }
  const key: Schema = { type: ['string', 'number', 'boolean', 'null'] }
  const cell = objectOf({ count: whole, values: listOf(figure), before: { ...listOf(figure), description: 'In the period compared with.' } }, ['before'])
  const row = objectOf({ keys: listOf(key), currency: orNull(text), about: { type: 'object', description: 'What describes the groups, by wire key.' }, cells: { ...listOf(cell), description: 'Over everything across, then one for each value across.' } })
  const texts: Schema = { type: 'object', additionalProperties: text }
  const list = (name: string, description: string): Parameter => ({ name, in: 'query', schema: text, description })
  return {
    method: 'GET',
    path: `/api/v1/report/${screen.id}/summary`,
    tag: 'Reports',
    summary: `Report ${words(screen.id.replace(/\.report$/, '')).toLowerCase()}, grouped`,
    description: 'Ratios are worked out from totals, amounts of different currencies are never added up.',
    guards: [...new Set([screen.guard, dataset?.guard ?? screen.guard])],
    parameters: [
      ...reportParameters(metadata, screen),
      list('group', `Comma list of at most three, outer first: ${keys(screen.groups) || 'none'}. Absent: the totals alone.`),
      list('across', `One of ${keys([...screen.groups, ...screen.across]) || 'none'}: a cell for each of its values.`),
      list('measures', `Comma list of ${screen.measures.map(({ name }) => name).join(', ')}; all of them when left out.`),
      { name: 'compare', in: 'query', schema: { type: 'string', enum: comparisons }, description: 'Period compared with: the one just before, or the same days a month, a quarter, a year earlier.' },
      'search', 'page', 'order', 'sort', 'filter', reportLength,
    ],
    answer: objectOf(
      {
        recordsTotal: { ...whole, description: 'Groups of the whole filter.' },
        rows: listOf(row),
        subtotals: { ...listOf(row), description: 'Of the outer groups that have a row on this page.' },
        totals: { ...listOf(row), description: 'Over the whole filter, one for each currency.' },
        across: { ...listOf(key), description: 'Values across, in order.' },
        measures: { ...listOf(text), description: 'Names of the values, in order.' },
        parameters: { ...texts, description: 'Parameters as used, defaults filled in.' },
        before: { ...texts, description: 'Parameters of the period compared with.' },
        heads,
      },
      ['before', 'heads'],
    ),
  }
}

function approvalCall(metadata: Metadata, screen: ApprovalScreen): Operation {
  const row: Schema = { allOf: [ref('ApprovalRequestRow')], ...objectOf({ Document: ref(schemaName(screen.docType)) }) }
  return {
    method: 'GET',
    path: `/api/v1/approval/${screen.docType}/${screen.transition}`,
    tag: 'Approval',
    summary: `Queue: ${screen.transition} of ${words(screen.docType).toLowerCase()}`,
    description: 'Search, filter and order work on the documents.',
    guards: [screen.guard],
    ...screensOf(metadata, { part: 'screens', name: screen.id }),
    parameters: [
      { name: 'state', in: 'query', schema: { type: 'string', enum: approvalStates, default: 'waiting' }, description: 'Which tab.' },
      { name: 'mine', in: 'query', schema: { type: 'boolean', default: false }, description: 'Of those waiting only what the user may decide now.' },
      'search', 'length', 'page', 'order', 'sort', 'filter', 'columns',
    ],
    answer: objectOf({ recordsTotal: whole, rows: listOf(row), counts: ref('ApprovalCounts'), mine: { ...whole, description: 'How many of those waiting the user may decide now.' } }),
  }
}
