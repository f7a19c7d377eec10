import type { ApprovalAnswer, ApprovalQuery, Decision, DecisionAnswer, DecisionBody, MyApprovals } from '#api/approval.ts'
import type { CommandBody, FlowNode, HistoryEntry, JournalView, ListAnswer, ListQuery, LookupAnswer, LookupQuery, ReadAnswer, ResolveAnswer, ResolveBody, RowResult } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { ReportAnswer, ReportQuery } from '#api/report.ts'
import { newKey, send, type Answer } from './http.ts'

/** How a command is sent: again with the same key after a network failure or a warning; a new key for a new intention. */
export interface Sending {
  readonly key?: string | undefined
  readonly acknowledge?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

const data = '/api/v1/data'

export function listRecords(resource: string, query: ListQuery, signal?: AbortSignal): Promise<Answer<ListAnswer>> {
  return send({ path: `${data}/${resource}`, query: { ...query }, signal })
}

export function readRecord(resource: string, id: number, signal?: AbortSignal): Promise<Answer<ReadAnswer>> {
  return send({ path: `${data}/${resource}/${id}`, signal })
}

export function createRecord(resource: string, body: unknown, sending: Sending = {}): Promise<Answer<ReadAnswer>> {
  return send({ method: 'POST', path: `${data}/${resource}`, body, ...command(sending) })
}

export function saveRecord(resource: string, id: number, version: number, body: unknown, sending: Sending = {}): Promise<Answer<ReadAnswer>> {
  return send({ method: 'PUT', path: `${data}/${resource}/${id}`, body, version, ...command(sending) })
}

export function deleteRecord(resource: string, id: number, version: number, sending: Sending = {}): Promise<Answer<unknown>> {
  return send({ method: 'DELETE', path: `${data}/${resource}/${id}`, version, ...command(sending) })
}

/** Moves a document by a workflow action. `input`: ReasonID, Note and the action's params by wire name. */
export function transitionRecord(
  resource: string,
  id: number,
  action: string,
  version: number | undefined,
  input: Readonly<Record<string, unknown>>,
  sending: Sending = {},
): Promise<Answer<ReadAnswer>> {
  return send({ method: 'POST', path: `${data}/${resource}/${id}/${action}`, body: input, version, ...command(sending) })
}

export function readHistory(resource: string, id: number, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly HistoryEntry[] }>> {
  return send({ path: `${data}/${resource}/${id}/history`, signal })
}

export function readFlow(resource: string, id: number, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly FlowNode[] }>> {
  return send({ path: `${data}/${resource}/${id}/flow`, signal })
}

export function readJournals(resource: string, id: number, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly JournalView[] }>> {
  return send({ path: `${data}/${resource}/${id}/journal`, signal })
}

export function lookupRecords(entity: string, query: LookupQuery, signal?: AbortSignal): Promise<Answer<LookupAnswer>> {
  return send({ path: `/api/v1/lookup/${entity}`, query: { ...query }, signal })
}

export function resolveCodes(entity: string, body: ResolveBody, signal?: AbortSignal): Promise<Answer<ResolveAnswer>> {
  return send({ method: 'POST', path: `/api/v1/lookup/${entity}/resolve`, body, signal })
}

/** A named command; `results` has one line for each row where it works on rows. */
export function runCommand<T = CommandAnswer>(name: string, body: CommandBody, sending: Sending = {}): Promise<Answer<T>> {
  return send({ method: 'POST', path: `/api/v1/command/${name}`, body, ...command(sending) })
}

export interface CommandAnswer extends Readonly<Record<string, unknown>> {
  readonly results?: readonly RowResult[]
}

export function readReport(screen: string, query: ReportQuery, signal?: AbortSignal): Promise<Answer<ReportAnswer>> {
  return send({ path: `/api/v1/report/${screen}`, query: { ...query }, signal })
}

export function listApprovals(docType: string, transition: string, query: ApprovalQuery, signal?: AbortSignal): Promise<Answer<ApprovalAnswer>> {
  return send({ path: `/api/v1/approval/${docType}/${transition}`, query: { ...query }, signal })
}

export function decideApproval(requestId: number, decision: Decision, body: DecisionBody, sending: Sending = {}): Promise<Answer<DecisionAnswer>> {
  return send({ method: 'POST', path: `/api/v1/approval/${requestId}/${decision}`, body, ...command(sending) })
}

export function listMyApprovals(signal?: AbortSignal): Promise<Answer<MyApprovals>> {
  return send({ path: '/api/v1/approval/mine', signal })
}

/** Reasons of a usage, for reason dialogs. */
export async function listReasons(usage: string | undefined): Promise<readonly { readonly id: number; readonly label: string }[]> {
  const filter = usage === undefined ? undefined : JSON.stringify({ usage })
  const answer = await lookupRecords('reason', { length: 100, ...(filter === undefined ? {} : { filter }) })
  return answer.ok ? answer.value.records.map((record) => ({ id: record.ID, label: nameOf(record) })) : []
}

function nameOf(record: WireRecord): string {
  return String(record['Name'] ?? record['Code'] ?? record.ID)
}

function command(sending: Sending) {
  return { key: sending.key ?? newKey(), acknowledge: sending.acknowledge, signal: sending.signal }
}
