import { approvalStates, decisions, type ApprovalState, type Decision } from '#api/approval.ts'
import { withdrawChanges } from '#server/approval/changes.ts'
import { decisionParams } from '#server/approval/cuts.ts'
import { decide, type Decided } from '#server/approval/decide.ts'
import type { Said } from '#api/problems.ts'
import { decidedAction } from '#meta/screenUse.ts'
import { approvalQueue, myApprovals } from '#server/approval/queue.ts'
import { approvalRequest } from '#server/approval/request.ts'
import { hasScreen, requireEntityGuard, requireScreen } from '#server/access/guards.ts'
import type { Row } from '#server/context.ts'
import { entityOf } from '#server/documents/entities.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { parseParams } from '#server/workflow/transitionInput.ts'
import type { Api, Call } from './api.ts'
import { bulk, command, rowIds } from './command.ts'
import { bodyOf, closedBodyOf, idOf, listQueryOf } from './read.ts'

/** The approval queues and the decisions. */
export function approvalEndpoints(api: Api): void {
  const tag = 'Approval'
  api.get('/api/v1/approval/mine', { summary: 'What waits for the user, a line for each kind', tag }, async (call) =>
    ({ ...(await myApprovals(call.services, call.services.database, call.user)) }))
  api.get('/api/v1/approval/request/:requestId', { summary: 'What a decision rests on: numbers, steps so far, whose word is needed', tag }, async (call) =>
    ({ ...(await approvalRequest(call.services, call.services.database, call.user, idOf(call, 'requestId'))) }))
  api.get(
    '/api/v1/approval/:docType/:transition',
    { summary: 'Requests of one kind with their documents', tag, query: { state: 'waiting, approved or rejected', tab: 'The same', mine: 'true: of those waiting only what the user may decide now', search: '', filter: '', order: '', sort: '', page: '', length: '', columns: '' } },
    async (call) => {
      const { services, user } = call
      const entity = entityOf(services.metadata, call.params['docType'] ?? '')
      const transition = call.params['transition'] ?? ''
      // Several queues may be of one kind; whoever has one of them in his menu sees it.
      const screens = Object.values(services.metadata.screens).filter(
        (candidate) => candidate.kind === 'approval' && candidate.docType === entity.id && decidedAction(candidate.transition) === decidedAction(transition),
      )
      const screen = screens.find((candidate) => user.guards.has(candidate.guard) && hasScreen(services.metadata, user, candidate)) ?? screens[0]
      if (!screen && !services.metadata.workflows[entity.id]?.transitions.some((candidate) => candidate.action === decidedAction(transition))) {
        return fail('NOT_FOUND.approval')
      }
      if (screen) requireScreen(services.metadata, user, screen)
      else requireEntityGuard(services.metadata, user, entity, 'list')
      return approvalQueue(services, services.database, user, entity, transition, { ...listQueryOf(call.query), state: stateOf(call.query), mine: isMine(call.query) })
    },
  )
  api.post('/api/v1/approval/bulk/:decision', { summary: 'Decide several requests, each on its own', tag, headers: ['Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const decision = decisionOf(call)
    const { IDs: _ids, ...input } = bodyOf(call)
    const parsed = parseParams(new Map(), input, true)
    return { results: await bulk(call, rowIds(bodyOf(call)), async (run, id) => outcome(decision, await decide(run, id, decision, parsed))) }
  })
  api.post('/api/v1/approval/:requestId/withdraw', { summary: 'Take back a request for changed values; only by who made it', tag, headers: ['Idempotency-Key'] }, async (call) => {
    closedBodyOf(call, [])
    const id = idOf(call, 'requestId')
    return command(call, async (run) => {
      await withdrawChanges(run, id)
      return { ID: id, ...tell('done.withdrawn') }
    })
  })
  api.post('/api/v1/approval/:requestId/:decision', { summary: 'Approve, reject or return one request', tag, headers: ['Idempotency-Key', 'Acknowledge'] }, async (call) => {
    const decision = decisionOf(call)
    const id = idOf(call, 'requestId')
    return command(call, async (run) => {
      const input: Row = parseParams(decision === 'approve' ? await decisionParams(call.services, run.tx, id) : new Map(), call.body, true)
      const decided = await decide(run, id, decision, input)
      return { ID: id, isFinal: decided.isFinal, ...outcome(decision, decided) }
    })
  })
}

function decisionOf(call: Call): Decision {
  return decisions.find((decision) => decision === call.params['decision']) ?? fail('NOT_FOUND.decision')
}

function stateOf(query: Readonly<Record<string, string>>): ApprovalState {
  const asked = query['state'] ?? query['tab'] ?? 'waiting'
  return approvalStates.find((state) => state === asked) ?? invalid([wrong('state', 'NOT_A_CHOICE', { choices: approvalStates })])
}

function isMine(query: Readonly<Record<string, string>>): boolean {
  const asked = query['mine'] ?? 'false'
  return asked === 'true' || (asked === 'false' ? false : invalid([wrong('mine', 'WRONG_TYPE.boolean')]))
}

function outcome(decision: Decision, { isFinal, isLevelDone }: Decided): Said {
  if (decision === 'approve') return tell(isFinal ? 'done.approved' : isLevelDone ? 'done.next-level' : 'done.same-level')
  return decision === 'reject' ? tell('done.rejected') : tell('done.returned')
}
