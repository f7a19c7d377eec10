import type { OfferedAction } from '#api/data.ts'
import type { Problem } from '#api/problems.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { hasEntityGuard, hasTransition } from '#server/access/guards.ts'
import type { Row, User } from '#server/context.ts'
import { isDocument } from '#server/documents/entities.ts'
import { lockRecord, partSeen } from '#server/documents/readRecord.ts'
import { statusWord } from '#server/documents/statusNames.ts'
import { isWritable } from '#server/documents/writable.ts'
import { problem, ProblemError } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { actionWord } from './actionWord.ts'
import { CommandRun } from './commandRun.ts'
import { checkPreconditions } from './engine.ts'
import { existsFor } from './existing.ts'

/**
 * Every action there is for this record and people may take, in the order of its workflow: possible now, or why not. Asked the way the action itself would ask, up to
 * the effects; what only they find out is told when the action is taken.
 */
export async function offeredActions(services: Services, user: User, entity: ResolvedEntity, id: number): Promise<readonly OfferedAction[]> {
  const actions = [...new Set((services.metadata.workflows[entity.id]?.transitions ?? []).filter((transition) => !transition.system).map(({ action }) => action))]
  const answers: OfferedAction[] = []
  // Each in a transaction of its own: a refusal of the database spoils the one it happens in.
  for (const action of actions) {
    const refusal = await undone(services, async (run) => refusalOf(run, entity, await lockRecord(services, run.tx, user, entity, id), action), user)
    if (refusal !== 'no such action') answers.push(offered(action, refusal))
  }
  if (!isDocument(entity) || !isWritable(services, entity)) return answers
  const closed = await undone(services, async (run) => editRefusal(run, entity, await lockRecord(services, run.tx, user, entity, id)), user)
  return [...answers, offered('edit', closed)]
}

function offered(action: string, refusal: Problem | undefined): OfferedAction {
  if (refusal === undefined) return { Action: action }
  const { code, text, key, params } = refusal
  return { Action: action, Refusal: { code, text, key, ...(params === undefined ? {} : { params }) } }
}

/** Carries an answer out of a transaction that is rolled back: what was locked is given back at once. */
class Answer<T> extends Error {
  readonly value: T

  constructor(value: T) {
    super('answered')
    this.value = value
  }
}

async function undone<T>(services: Services, ask: (run: CommandRun) => Promise<T>, user: User): Promise<T> {
  try {
    return await services.database.transaction(async (tx) => {
      throw new Answer(await ask(new CommandRun(services, tx, user)))
    })
  } catch (error) {
    if (error instanceof Answer) return error.value as T
    throw error
  }
}

async function refusalOf(run: CommandRun, entity: ResolvedEntity, record: Row & { readonly id: number }, action: string): Promise<Problem | 'no such action' | undefined> {
  const { metadata } = run.services
  const transitions = (metadata.workflows[entity.id]?.transitions ?? []).filter((transition) => transition.action === action && !transition.system && existsFor(transition, record, run.user, run.today))
  if (transitions.length === 0) return 'no such action'
  const held = transitions.filter((transition) => hasTransition(metadata, run.user, entity, transition))
  const [first] = transitions
  if (held.length === 0 && first) return problem('FORBIDDEN_GUARD.permission', { guard: first.guard })
  if (record['pending_transition'] != null) return problem('PENDING_TRANSITION.action', { action: actionWord(metadata, entity, String(record['pending_transition'])) })
  const transition = held.find((candidate) => candidate.from.includes(Number(record['status'])))
  if (!transition) {
    const from = [...new Set(held.flatMap((candidate) => candidate.from))].map((status) => statusWord(entity, status))
    return problem('ILLEGAL_TRANSITION.status', { status: statusWord(entity, record['status']), action: actionWord(metadata, entity, action), from })
  }
  const partly = await partSeen(run.services, run.tx, run.user, entity, record.id)
  if (partly !== undefined) return partly
  try {
    await checkPreconditions(run, entity, transition, record)
    return undefined
  } catch (error) {
    if (error instanceof ProblemError) return error.problem
    throw error
  }
}

async function editRefusal({ services, tx, user }: CommandRun, entity: ResolvedEntity, record: Row & { readonly id: number }): Promise<Problem | undefined> {
  const status = Number(record['status'])
  if (!hasEntityGuard(services.metadata, user, entity, 'edit')) return problem('FORBIDDEN_GUARD.permission', { guard: `${entity.resource}-edit` })
  if (status !== 0 && status !== 5) return problem('ILLEGAL_TRANSITION.ended', { status: statusWord(entity, status) })
  return partSeen(services, tx, user, entity, record.id)
}
