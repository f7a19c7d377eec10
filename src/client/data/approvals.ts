import type { ApprovalRequestAnswer, DelegateAnswer, Delegation, DelegationAnswer, DelegationBody } from '#api/approval.ts'
import { newKey, send, type Answer } from './http.ts'

/** What a decision rests on: numbers, steps so far, whose word is needed. */
export function readRequest(requestId: number, signal?: AbortSignal): Promise<Answer<ApprovalRequestAnswer>> {
  return send({ path: `/api/v1/approval/request/${requestId}`, signal })
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
  return send({ path: '/api/v1/delegation/people', query: { search }, signal })
}

export function handOver(body: DelegationBody): Promise<Answer<{ readonly record: Delegation }>> {
  return send({ method: 'POST', path: '/api/v1/delegation', body, key: newKey() })
}

export function endDelegation(id: number): Promise<Answer<{ readonly record: Delegation }>> {
  return send({ method: 'POST', path: `/api/v1/delegation/${id}/end`, body: {}, key: newKey() })
}
