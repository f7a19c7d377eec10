import type { ResolvedEntity, Transition } from '#meta/resolved.ts'
import type { UpkeepAction } from '#meta/upkeep.ts'
import { hasEntityGuard, hasTransition, requireEntityGuard, requireJournals, requireLookup, requireTransition } from '#server/access/guards.ts'
import { aroundRecord } from '#server/documents/around.ts'
import { countRecords } from '#server/documents/countRecords.ts'
import { entityOf, isDocument, takesNotes } from '#server/documents/entities.ts'
import { flowOf } from '#server/documents/flow.ts'
import { historyOf } from '#server/documents/history.ts'
import { journalsOf } from '#server/documents/journals.ts'
import { listGroups } from '#server/documents/listGroups.ts'
import { listRecords } from '#server/documents/listRecords.ts'
import { lookup, resolveCodes } from '#server/documents/lookup.ts'
import { madeDocuments } from '#server/documents/madeDocuments.ts'
import { readRecord, wireOf } from '#server/documents/readRecord.ts'
import { selectRecords } from '#server/documents/selectRecords.ts'
import { keepUp, requireUpkeep, upkeepOf } from '#server/documents/upkeep.ts'
import { createRecord, deleteRecord, prepareRecord, sentRecord, updateRecord, type PreparedRecord } from '#server/documents/saveRecord.ts'
import { countsOf } from '#server/comments/counts.ts'
import { statusWord } from '#server/documents/statusNames.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { actionsFor } from '#server/workflow/actions.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { runTransition } from '#server/workflow/engine.ts'
import { offeredActions } from '#server/workflow/whyNot.ts'
import { parseTransitionInput } from '#server/workflow/transitionInput.ts'
import type { Api, Call } from './api.ts'
import type { SessionCache } from './authenticate.ts'
import { bulk, command, rowIds, rowVersions } from './command.ts'
import { bodyOf, closedBodyOf, groupQueryOf, idOf, listBodyOf, listQueryOf, lookupQueryOf, requiredVersion, versionOf } from './read.ts'
import { addressed, readable, visible } from './visible.ts'

const listParameters = {
  search: 'Text looked for in the searched columns and the names of references',
  length: 'Rows a page, 1 to 1000',
  page: 'From 1',
  order: 'Comma list of columns to sort by',
  sort: 'asc or desc for each of them',
  filter: 'Condition as JSON over column names',
  columns: 'Comma list of columns wanted; one hop over a reference allowed',
  totals: 'Comma list of columns to add up over the whole filter',
  after: 'Position from `next` of the page before; instead of page',
  count: 'false: do not count',
}

const groupParameters = {
  by: 'Column to group by; a day with its span as `doc_date:month`',
  search: listParameters.search,
  filter: listParameters.filter,
  columns: 'Columns of the list: the search looks at the references among them',
  totals: 'Comma list of columns to add up for each group',
  order: '`count` or a column of totals; absent: the value of the group',
  sort: 'asc or desc',
  length: 'Groups a page, 1 to 500',
  page: 'From 1',
}

const tag = 'Records'

/** The generic calls of every entity. */
export function dataEndpoints(api: Api, sessions: SessionCache): void {
  listEndpoints(api)
  recordEndpoints(api)
  savingEndpoints(api, sessions)
  movingEndpoints(api, sessions)
  lookupEndpoints(api)
}

function listEndpoints(api: Api): void {
  api.get('/api/v1/data/:resource', { summary: 'List records within the scope of the user', tag, query: listParameters }, async (call) => {
    const { services, user } = call
    const entity = listable(call)
    return listRecords({ services, queries: services.database, user, entity, query: listQueryOf(call.query), actionsOf: actionsFor(services, user, entity) })
  })
  api.get('/api/v1/data/:resource/groups', { summary: 'Groups of a list with count and sums over the whole filter', tag, query: groupParameters }, async (call) => {
    const { services, user } = call
    return listGroups({ services, queries: services.database, user, entity: listable(call), query: groupQueryOf(call.query) })
  })
  api.get('/api/v1/data/:resource/counts', { summary: 'How many rows each of several filters has', tag, query: { search: listParameters.search, columns: groupParameters.columns, filter: listParameters.filter, filters: 'List of conditions as JSON; null: all rows' } }, async (call) => {
    const { services, user } = call
    return countRecords({ services, queries: services.database, user, entity: listable(call), query: listQueryOf(call.query) }, call.query['filters'] ?? '[]')
  })
  api.post('/api/v1/data/:resource/selection', { summary: 'Every row of a filter, if their number is the one seen', tag }, async (call) => {
    const { services, user } = call
    const entity = listable(call)
    const { count, ...question } = bodyOf(call)
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) return invalid([wrong('count', 'WRONG_TYPE.integer')])
    return selectRecords({ services, queries: services.database, user, entity, query: listBodyOf(question), actionsOf: actionsFor(services, user, entity) }, count)
  })
}

/** One record and what hangs on it. */
function recordEndpoints(api: Api): void {
  api.get('/api/v1/data/:resource/:id', { summary: 'Read a record with its lines', tag }, async (call) => {
    const { services, user } = call
    const entity = readable(call)
    const record = await readRecord(services, services.database, user, entity, idOf(call), actionsFor(services, user, entity))
    return takesNotes(entity) ? { record, counts: await countsOf(services.database, entity, record.ID) } : { record }
  })
  api.get('/api/v1/data/:resource/:id/history', { summary: 'What happened to a record, with changed values', tag }, async (call) => {
    const entity = await visible(call)
    return { records: await historyOf(call.services, call.services.database, entity, idOf(call)) }
  })
  api.get('/api/v1/data/:resource/:id/flow', { summary: 'The documents it came from and led to', tag }, async (call) => {
    const entity = await visible(call)
    return { records: isDocument(entity) ? await flowOf(call.services, call.services.database, call.user, entity, idOf(call)) : [] }
  })
  api.get('/api/v1/data/:resource/:id/journal', { summary: 'The journals of a document', tag }, async (call) => {
    const entity = await visible(call)
    requireJournals(call.services.metadata, call.user, entity)
    return { records: await journalsOf(call.services.metadata, call.services.database, call.user, entity, idOf(call)) }
  })
  api.get('/api/v1/data/:resource/:id/around', { summary: 'The records before and after it in a list asked for like this', tag, query: { search: listParameters.search, filter: listParameters.filter, order: listParameters.order, sort: listParameters.sort, columns: 'Columns of the list: the search looks at the references among them' } }, async (call) => {
    const { services, user } = call
    return aroundRecord({ services, queries: services.database, user, entity: listable(call), query: listQueryOf(call.query) }, idOf(call))
  })
  api.get('/api/v1/data/:resource/:id/actions', { summary: 'What may be done with a record now, and why the rest may not', tag }, async (call) => {
    const entity = await visible(call)
    return { records: await offeredActions(call.services, call.user, entity, idOf(call)) }
  })
}

function savingEndpoints(api: Api, sessions: SessionCache): void {
  // Users, roles and their menus are masters: who is signed in may do something else from now on.
  const said = async <T>(entity: ResolvedEntity, answer: T): Promise<T> => {
    if (!isDocument(entity)) await sessions.forget()
    return answer
  }
  const query = { next: 'Workflow action taken right after saving, in the same transaction: saved and moved on, or neither. The answer is the record without its lines and without the names of what it refers to' }
  api.post('/api/v1/data/:resource', { summary: 'Create a record; documents start as drafts', tag, query, headers: ['Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const entity = addressed(call)
    const next = nextOf(call, entity)
    const sent = sentRecord(call.services, call.user, entity, call.body)
    let prepared: PreparedRecord | undefined
    return said(entity, await command(call, async (run) => {
      const id = await createRecord(run, entity, call.body, next, prepared)
      return next === undefined ? answerOf(run, entity, id) : moveOn(run, entity, id, next)
    }, '', (run) => {
      prepared = sent && prepareRecord(run, entity, sent, next)
    }))
  })
  api.put('/api/v1/data/:resource/:id', { summary: 'Save a record read at the version of If-Match', tag, query, headers: ['If-Match', 'Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const entity = addressed(call)
    const id = idOf(call)
    const version = requiredVersion(call)
    const next = nextOf(call, entity)
    return said(entity, await command(call, async (run) => {
      await updateRecord(run, entity, id, version, call.body)
      return next === undefined ? answerOf(run, entity, id) : moveOn(run, entity, id, next)
    }))
  })
  api.delete('/api/v1/data/:resource/:id', { summary: 'Delete a draft or an unused master record', tag, headers: ['If-Match', 'Idempotency-Key'] }, async (call) => {
    const entity = addressed(call)
    const id = idOf(call)
    const version = requiredVersion(call)
    return said(entity, await command(call, async (run) => {
      await deleteRecord(run, entity, id, version)
      return {}
    }))
  })
}

function movingEndpoints(api: Api, sessions: SessionCache): void {
  api.post('/api/v1/data/:resource/bulk/:action', { summary: 'Take a workflow action on several records, or deactivate, activate or delete masters, each on its own', tag, headers: ['Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const entity = addressed(call)
    const upkeep = upkeepOf(entity, call.params['action'] ?? '')
    if (upkeep === undefined) return moveMany(call, entity)
    const answer = await keepUpMany(call, entity, upkeep)
    await sessions.forget()
    return answer
  })
  api.post('/api/v1/data/:resource/:id/:action', { summary: 'Take a workflow action on a record', tag, headers: ['If-Match', 'Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const entity = addressed(call)
    const id = idOf(call)
    const { transitions, action } = transitionsOf(call, entity)
    const version = versionOf(call)
    return command(call, async (run) => {
      await runTransition(run, { entity, id, action, input: parseTransitionInput(transitions, call.body), version, asSystem: false })
      return { ...(await answerOf(run, entity, id)), ...(await madeDocuments(run)) }
    })
  })
}

function lookupEndpoints(api: Api): void {
  api.get(
    '/api/v1/lookup/:entity',
    { summary: 'Records to choose from', tag, query: { search: 'Text in code or name', filter: 'Condition as JSON', length: 'At most 1000', columns: 'Further columns', ids: 'Exactly these' } },
    async (call) => lookup(call.services, call.services.database, call.user, entityOf(call.services.metadata, call.params['entity'] ?? ''), lookupQueryOf(call.query)),
  )
  api.post('/api/v1/lookup/:entity/resolve', { summary: 'Codes to records, in one call', tag }, async (call) => {
    const entity = entityOf(call.services.metadata, call.params['entity'] ?? '')
    requireLookup(call.services.metadata, call.user, entity)
    const { codes, columns = [], filter } = closedBodyOf(call, ['codes', 'columns', 'filter'])
    if (!isTexts(codes, 5_000)) return invalid([wrong('codes', 'WRONG_TYPE.list', { limit: 5_000 })])
    if (!isTexts(columns, 50)) return invalid([wrong('columns', 'WRONG_TYPE.list', { limit: 50 })])
    return resolveCodes(call.services, call.services.database, call.user, entity, codes, columns, filter)
  })
}

/** The entity of the path, if the user may list such records: asked before a word of the question is read. */
function listable(call: Call): ResolvedEntity {
  const entity = addressed(call)
  requireEntityGuard(call.services.metadata, call.user, entity, 'list')
  return entity
}

/** Masters are deactivated, activated or deleted, each on its own. */
async function keepUpMany(call: Call, entity: ResolvedEntity, upkeep: UpkeepAction): Promise<object> {
  const { IDs: _ids, Versions: _versions, ...input } = bodyOf(call)
  requireUpkeep(call, entity, upkeep)
  const [unknown] = Object.keys(input)
  if (unknown !== undefined) invalid([wrong(unknown.slice(0, 80), 'UNKNOWN_FIELD')])
  const versions = rowVersions(bodyOf(call))
  return { results: await bulk(call, rowIds(bodyOf(call)), (run, id) => keepUp(run, entity, id, versions.get(id), upkeep)) }
}

/** Documents take the same workflow action, each on its own. */
async function moveMany(call: Call, entity: ResolvedEntity): Promise<object> {
  const { IDs: _ids, Versions: _versions, ...sent } = bodyOf(call)
  const { transitions, action } = transitionsOf(call, entity)
  const input = parseTransitionInput(transitions, sent)
  const versions = rowVersions(bodyOf(call))
  const results = await bulk(call, rowIds(bodyOf(call)), async (run, id) => {
    const row = await runTransition(run, { entity, id, action, input, version: versions.get(id), asSystem: false })
    return { ...tell('done.status', { document: String(row['code'] ?? id), status: statusWord(entity, row['status']) }), ...(await madeDocuments(run)) }
  })
  return { results }
}

/** The action to take right after saving, if the user may take it at all. */
function nextOf(call: Call, entity: ResolvedEntity): string | undefined {
  const action = call.query['next']
  return action === undefined ? undefined : transitionsOf(call, entity, action).action
}

async function moveOn(run: CommandRun, entity: ResolvedEntity, id: number, action: string): Promise<object> {
  const moved = await runTransition(run, { entity, id, action, input: {}, asSystem: false })
  if (!hasEntityGuard(run.services.metadata, run.user, entity, 'view')) return { record: { ID: id } }
  return { record: { ...wireOf(entity, moved), Actions: actionsFor(run.services, run.user, entity)(moved) } }
}

function transitionsOf(call: Call, entity: ResolvedEntity, action = call.params['action'] ?? ''): { readonly transitions: readonly Transition[]; readonly action: string } {
  const transitions = (call.services.metadata.workflows[entity.id]?.transitions ?? []).filter((transition) => transition.action === action && !transition.system)
  const [first] = transitions
  if (!first) return fail('NOT_FOUND.action')
  const { metadata } = call.services
  if (!transitions.some((transition) => hasTransition(metadata, call.user, entity, transition))) requireTransition(metadata, call.user, entity, first)
  return { transitions, action }
}

/** The record as it stands after the command; nothing when the user may not read it. */
async function answerOf(run: CommandRun, entity: ResolvedEntity, id: number): Promise<object> {
  if (!hasEntityGuard(run.services.metadata, run.user, entity, 'view')) return { record: { ID: id } }
  return { record: await readRecord(run.services, run.tx, run.user, entity, id, actionsFor(run.services, run.user, entity)) }
}

function isTexts(value: unknown, most: number): value is readonly string[] {
  return Array.isArray(value) && value.length <= most && value.every((entry) => typeof entry === 'string' && entry.length <= 500 && !entry.includes('\u0000'))
}
