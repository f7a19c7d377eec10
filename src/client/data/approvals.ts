import type { ApprovalRequestAnswer, DelegateAnswer, Delegation, DelegationAnswer, DelegationBody, MyApprovals } from '#api/approval.ts'
import { earlyAnswers } from './earlyAnswers.ts'
import { newKey, send, type Answer } from './http.ts'

const early = earlyAnswers<ApprovalRequestAnswer>()
const requestPath = (requestId: number): string => `/api/v1/approval/request/${requestId}`

/** Asks for a request while the page that will show it is on its way; resolves when it has come. */
export async function askRequest(requestId: number): Promise<void> {
  const path = requestPath(requestId)
  await early.ask(path, (signal) => send({ path, signal, isPart: true })).promise
}

/** What `askRequest` has brought, until somebody reads it. */
export function foreseenRequest(requestId: number): ApprovalRequestAnswer | undefined {
  return early.seen(requestPath(requestId))
}

/** What a decision rests on: numbers, steps so far, whose word is needed. */
export function readRequest(requestId: number, signal?: AbortSignal): Promise<Answer<ApprovalRequestAnswer>> {
  const path = requestPath(requestId)
  return early.take(path)?.promise ?? send({ path, signal, isPart: true })
}

/** What waits for this user, of every kind. */
export function listMyApprovals(signal?: AbortSignal): Promise<Answer<MyApprovals>> {
  return send({ path: '/api/v1/approval/mine', signal })
}

/** Takes back a request for changed values. */
export function withdrawRequest(requestId: number): Promise<Answer<object>> {
  return send({ method: 'POST', path: `/api/v1/approval/${requestId}/withdraw`, body: {}, key: newKey() })
}

export function listDelegations(signal?: AbortSignal): Promise<Answer<DelegationAnswer>> {
  return send({ path: '/api/v1/delegation', signal })
}

/** People the user may hand his approvals over to. */
export function listDelegates(search: string, signal?: AbortSignal): Promise<Answer<DelegateAnswer>> {
  return send({ path: '/api/v1/delegation/people', query: { search }, signal, isPart: true })
}

export function handOver(body: DelegationBody): Promise<Answer<{ readonly record: Delegation }>> {
  return send({ method: 'POST', path: '/api/v1/delegation', body, key: newKey() })
}

export function endDelegation(id: number): Promise<Answer<{ readonly record: Delegation }>> {
  return send({ method: 'POST', path: `/api/v1/delegation/${id}/end`, body: {}, key: newKey() })
}
