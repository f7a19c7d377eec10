import type { Metadata } from '#meta/metadata.ts'
import type { ResolvedEntity, Transition } from '#meta/resolved.ts'
import { hasEntityGuard, requireEntityGuard, requireGuard } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { User } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { entityOf, entityOfResource } from '#server/documents/entities.ts'
import { flowOf } from '#server/documents/flow.ts'
import { historyOf } from '#server/documents/history.ts'
import { journalsOf } from '#server/documents/journals.ts'
import { listRecords } from '#server/documents/listRecords.ts'
import { lookup, resolveCodes } from '#server/documents/lookup.ts'
import { notInScope, readRecord } from '#server/documents/readRecord.ts'
import { createRecord, deleteRecord, updateRecord } from '#server/documents/saveRecord.ts'
import { statusName } from '#server/documents/statusNames.ts'
import { fail, invalid } from '#server/problemError.ts'
import { actionsFor } from '#server/workflow/actions.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { runTransition } from '#server/workflow/engine.ts'
import { parseTransitionInput } from '#server/workflow/transitionInput.ts'
import type { Api, Call } from './api.ts'
import type { SessionCache } from './authenticate.ts'
import { bulk, command, rowIds } from './command.ts'
import { bodyOf, idOf, listQueryOf, lookupQueryOf, requiredVersion, versionOf } from './read.ts'

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

/** The generic calls of every entity. */
export function dataEndpoints(api: Api, sessions: SessionCache): void {
  const tag = 'Records'
  api.get('/api/v1/data/:resource', { summary: 'List records within the scope of the user', tag, query: listParameters }, async (call) => {
    const { services, user } = call
    const entity = readable(call)
    return listRecords({ services, queries: services.database, user, entity, query: listQueryOf(call.query), actionsOf: actionsFor(services, user, entity) })
  })
  api.get('/api/v1/data/:resource/:id', { summary: 'Read a record with its lines', tag }, async (call) => {
    const entity = readable(call)
    return { record: await readRecord(call.services, call.services.database, call.user, entity, idOf(call), actionsFor(call.services, call.user, entity)) }
  })
  api.get('/api/v1/data/:resource/:id/history', { summary: 'What happened to a record, with changed values', tag }, async (call) => {
    const entity = await visible(call)
    return { records: await historyOf(call.services, call.services.database, entity, idOf(call)) }
  })
  api.get('/api/v1/data/:resource/:id/flow', { summary: 'The documents it came from and led to', tag }, async (call) => {
    const entity = await visible(call)
    return { records: await flowOf(call.services, call.services.database, call.user, entity, idOf(call)) }
  })
  api.get('/api/v1/data/:resource/:id/journal', { summary: 'The journals of a document', tag }, async (call) => {
    const entity = await visible(call)
    return { records: await journalsOf(call.services.database, entity, idOf(call)) }
  })
  api.post('/api/v1/data/:resource', { summary: 'Create a record; documents start as drafts', tag, headers: ['Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const entity = entityOfResource(call.services.metadata, call.params['resource'] ?? '')
    const answer = await command(call, async (run) => answerOf(run, entity, await createRecord(run, entity, call.body)))
    sessions.forget()
    return answer
  })
  api.put('/api/v1/data/:resource/:id', { summary: 'Save a record read at the version of If-Match', tag, headers: ['If-Match', 'Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const entity = entityOfResource(call.services.metadata, call.params['resource'] ?? '')
    const id = idOf(call)
    const version = requiredVersion(call)
    const answer = await command(call, async (run) => {
      await updateRecord(run, entity, id, version, call.body)
      return answerOf(run, entity, id)
    })
    sessions.forget()
    return answer
  })
  api.delete('/api/v1/data/:resource/:id', { summary: 'Delete a draft or an unused master record', tag, headers: ['If-Match', 'Idempotency-Key'] }, async (call) => {
    const entity = entityOfResource(call.services.metadata, call.params['resource'] ?? '')
    const id = idOf(call)
    const version = requiredVersion(call)
    const answer = await command(call, async (run) => {
      await deleteRecord(run, entity, id, version)
      return {}
    })
    sessions.forget()
    return answer
  })
  api.post('/api/v1/data/:resource/bulk/:action', { summary: 'Take a workflow action on several records, each on its own', tag, headers: ['Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const entity = entityOfResource(call.services.metadata, call.params['resource'] ?? '')
    const { IDs: _ids, ...input } = bodyOf(call)
    const { transitions, action } = transitionsOf(call, entity)
    const parsed = parseTransitionInput(transitions, input)
    const results = await bulk(call, rowIds(bodyOf(call)), async (run, id) => {
      const row = await runTransition(run, { entity, id, action, input: parsed, asSystem: false })
      return `${String(row['code'] ?? id)}: ${statusName(row['status'])}`
    })
    return { results }
  })
  api.post('/api/v1/data/:resource/:id/:action', { summary: 'Take a workflow action on a record', tag, headers: ['If-Match', 'Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const entity = entityOfResource(call.services.metadata, call.params['resource'] ?? '')
    const id = idOf(call)
    const { transitions, action } = transitionsOf(call, entity)
    const version = versionOf(call)
    return command(call, async (run) => {
      await runTransition(run, { entity, id, action, input: parseTransitionInput(transitions, call.body), version, asSystem: false })
      return answerOf(run, entity, id)
    })
  })
  api.get(
    '/api/v1/lookup/:entity',
    { summary: 'Records to choose from', tag, query: { search: 'Text in code or name', filter: 'Condition as JSON', length: 'At most 1000', columns: 'Further columns', ids: 'Exactly these' } },
    async (call) => lookup(call.services, call.services.database, call.user, lookedUp(call), lookupQueryOf(call.query)),
  )
  api.post('/api/v1/lookup/:entity/resolve', { summary: 'Codes to records, in one call', tag }, async (call) => {
    const entity = lookedUp(call)
    const { codes, columns = [], filter, ...rest } = bodyOf(call)
    const unknown = Object.keys(rest)[0]
    if (unknown !== undefined) invalid([{ field: unknown, code: 'UNKNOWN_FIELD', text: 'Not expected here.' }])
    if (!isTexts(codes, 5_000)) return invalid([{ field: 'codes', code: 'WRONG_TYPE', text: 'A list of at most 5000 codes is expected.' }])
    if (!isTexts(columns, 50)) return invalid([{ field: 'columns', code: 'WRONG_TYPE', text: 'A list of columns is expected.' }])
    return resolveCodes(call.services, call.services.database, call.user, entity, codes, columns, filter)
  })
}

/** The entity of the path, if the user may read it. */
function readable(call: Call): ResolvedEntity {
  const entity = entityOfResource(call.services.metadata, call.params['resource'] ?? '')
  requireEntityGuard(call.services.metadata, call.user, entity, 'view')
  return entity
}

/** As `readable`, and the record of the path lies in the user's scope. */
async function visible(call: Call): Promise<ResolvedEntity> {
  const entity = readable(call)
  const scope = scopeCondition(call.services.metadata, call.user, entity, 't')
  const row = await call.services.database.first(sql`select 1 as found from ${ident(entity.table)} t where t.id = ${idOf(call)} ${scope ? sql`and ${scope}` : sql``}`)
  return row ? entity : notInScope(entity)
}

/** Choosing a record needs less than opening its list: whoever works with documents that name it may look it up. */
function lookedUp(call: Call): ResolvedEntity {
  const { metadata } = call.services
  const entity = entityOf(metadata, call.params['entity'] ?? '')
  if (!mayLookUp(metadata, call.user, entity)) fail('FORBIDDEN_GUARD', `Your role lacks the permission ${entity.resource}-view.`)
  return entity
}

function mayLookUp(metadata: Metadata, user: User, entity: ResolvedEntity): boolean {
  if (hasEntityGuard(metadata, user, entity, 'view')) return true
  if (entity.base !== 'master' || entity.id === 'app_user') return false
  const writers = Object.values(metadata.entities).filter((other) => other.fields.some((field) => field.entity === entity.id))
  return writers.some((other) => ['create', 'edit'].some((action) => hasEntityGuard(metadata, user, other, action)))
}

function transitionsOf(call: Call, entity: ResolvedEntity): { readonly transitions: readonly Transition[]; readonly action: string } {
  const action = call.params['action'] ?? ''
  const transitions = (call.services.metadata.workflows[entity.id]?.transitions ?? []).filter((transition) => transition.action === action && !transition.system)
  const [first] = transitions
  if (!first) return fail('NOT_FOUND', 'There is no such action for this document.')
  if (!transitions.some((transition) => call.user.guards.has(transition.guard))) requireGuard(call.user, first.guard)
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
