import { accept } from '#base/result.ts'
import type { ApprovalAnswer, ApprovalQuery, Decision, DecisionAnswer, DecisionBody } from '#api/approval.ts'
import type { CommandBody, CountAnswer, GroupAnswer, GroupQuery, ListAnswer, ListQuery, LookupAnswer, LookupQuery, ReadAnswer, ResolveAnswer, ResolveBody, RowResult, SelectionAnswer, SelectionBody } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { ReportAnswer, ReportQuery } from '#api/report.ts'
import { earlyAnswers } from './earlyAnswers.ts'
import { newKey, send, sendLeaving, type Answer } from './http.ts'
import { keepAnswer, lastAnswer } from './lastAnswers.ts'
import { isWithheld } from './withheld.ts'

/** How a command is sent: again with the same key after a network failure or a warning; a new key for a new intention. */
export interface Sending {
  readonly key?: string | undefined
  readonly acknowledge?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

const data = '/api/v1/data'

/** Rows the server gives in one answer. */
const mostRows = 1_000

/** Rows of a list. More than the server gives at once are asked for in several calls, each going on where the last one ended. `isPart`: the page stands without them. */
export async function listRecords(resource: string, query: ListQuery, signal?: AbortSignal, isPart?: boolean): Promise<Answer<ListAnswer>> {
  const ask = (part: ListQuery): Promise<Answer<ListAnswer>> => send({ path: `${data}/${resource}`, query: { ...part }, signal, isPart })
  const { length = 0 } = query
  if (length <= mostRows) return ask(query)
  const { page: _page, ...rest } = query
  const first = await ask({ ...rest, length: mostRows })
  if (!first.ok) return first
  const rows = [...first.value.rows]
  let { next } = first.value
  while (next !== undefined && rows.length < length) {
    const more = await ask({ ...rest, length: Math.min(mostRows, length - rows.length), after: next, count: false })
    if (!more.ok) return more
    rows.push(...more.value.rows)
    next = more.value.next
  }
  return { ok: true, value: { ...first.value, rows } }
}

/** How many rows each of several filters has. */
export function countRecords(resource: string, query: { readonly filters: string; readonly search?: string; readonly columns?: string }, signal?: AbortSignal): Promise<Answer<CountAnswer>> {
  return send({ path: `${data}/${resource}/counts`, query: { ...query }, signal, isPart: true })
}

export function listGroups(resource: string, query: GroupQuery, signal?: AbortSignal): Promise<Answer<GroupAnswer>> {
  return send({ path: `${data}/${resource}/groups`, query: { ...query }, signal, isPart: true })
}

/** Every row of a filter; refused when their number is not the one the user saw. */
export function selectRecords(resource: string, body: SelectionBody, signal?: AbortSignal): Promise<Answer<SelectionAnswer>> {
  return send({ method: 'POST', path: `${data}/${resource}/selection`, body, signal, isQuestion: true, isPart: true })
}

/** The same workflow action on several documents, each on its own with its own result. */
export function transitionRecords(resource: string, action: string, body: Readonly<Record<string, unknown>>, sending: Sending = {}): Promise<Answer<{ readonly results: readonly RowResult[] }>> {
  return send({ method: 'POST', path: `${data}/${resource}/bulk/${action}`, body, ...command(sending) })
}

const early = earlyAnswers<ReadAnswer>()

/** A record that can be drawn at once is asked for anew after so long: to send a question first costs the page a tenth of the time it is drawn in. */
const drawnFirstMs = 30

/** Asks for a record while the page that will show it is on its way; resolves when there is something to show: it has come, or was read before. */
export async function askRecord(resource: string, id: number): Promise<void> {
  const path = `${data}/${resource}/${id}`
  const isKnown = lastAnswer(path) !== undefined
  const { promise } = early.ask(path, async (signal) => {
    if (isKnown) await new Promise((resolve) => setTimeout(resolve, drawnFirstMs))
    return send({ path, signal })
  })
  if (!isKnown) await promise
}

/** What `askRecord` has brought, until somebody reads it; else the record as it was last read here. */
export function foreseenRecord(resource: string, id: number): ReadAnswer | undefined {
  const path = `${data}/${resource}/${id}`
  return early.seen(path) ?? (lastAnswer(path) as ReadAnswer | undefined)
}

export async function readRecord(resource: string, id: number, signal?: AbortSignal, isPart?: boolean): Promise<Answer<ReadAnswer>> {
  const path = `${data}/${resource}/${id}`
  const answer = await (early.take(path)?.promise ?? send<ReadAnswer>({ path, signal, isPart }))
  if (signal?.aborted === true) return answer
  const kept = keepAnswer(path, answer.ok ? answer.value : undefined)
  return kept === undefined ? answer : accept(kept)
}

/** `next`: action taken right after, in the same command; the answer is then the record without its lines and names of what it refers to. */
export function createRecord(resource: string, body: unknown, sending: Sending & { readonly next?: string | undefined } = {}): Promise<Answer<ReadAnswer>> {
  return send({ method: 'POST', path: `${data}/${resource}`, query: { next: sending.next }, body, ...command(sending) })
}

/** `next`: as in `createRecord`. */
export function saveRecord(resource: string, id: number, version: number, body: unknown, sending: Sending & { readonly next?: string | undefined } = {}): Promise<Answer<ReadAnswer>> {
  return send({ method: 'PUT', path: `${data}/${resource}/${id}`, query: { next: sending.next }, body, version, ...command(sending) })
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
): Promise<Answer<ReadAnswer & Pick<RowResult, 'made'>>> {
  return send({ method: 'POST', path: `${data}/${resource}/${id}/${action}`, body: input, version, ...command(sending) })
}

export function lookupRecords(entity: string, query: LookupQuery, signal?: AbortSignal): Promise<Answer<LookupAnswer>> {
  return send({ path: `/api/v1/lookup/${entity}`, query: { ...query }, signal, isPart: true })
}

export function resolveCodes(entity: string, body: ResolveBody, signal?: AbortSignal): Promise<Answer<ResolveAnswer>> {
  return send({ method: 'POST', path: `/api/v1/lookup/${entity}/resolve`, body, signal, isQuestion: true, isPart: true })
}

/** A named command; `results` has one line for each row where it works on rows. */
export function runCommand(name: string, body: CommandBody, sending: Sending = {}): Promise<Answer<CommandAnswer>> {
  return send({ method: 'POST', path: `/api/v1/command/${name}`, body, ...command(sending) })
}

/** A named command that only answers. */
export function askCommand<T>(name: string, body: CommandBody, signal?: AbortSignal): Promise<Answer<T>> {
  return send({ method: 'POST', path: `/api/v1/command/${name}`, body, signal, isQuestion: true })
}

export interface CommandAnswer extends Readonly<Record<string, unknown>> {
  readonly results?: readonly RowResult[]
  /** Documents it has brought about, for all rows together. */
  readonly made?: RowResult['made']
}

export function readReport(screen: string, query: ReportQuery, signal?: AbortSignal): Promise<Answer<ReportAnswer>> {
  return send({ path: `/api/v1/report/${screen}`, query: { ...query }, signal })
}

export function listApprovals(docType: string, transition: string, query: ApprovalQuery, signal?: AbortSignal): Promise<Answer<ApprovalAnswer>> {
  return send({ path: `/api/v1/approval/${docType}/${transition}`, query: { ...query }, signal })
}

/** `isLeaving`: the window may be gone before the answer comes. */
export function decideApproval(requestId: number, decision: Decision, body: DecisionBody, sending: Sending & { readonly isLeaving?: boolean } = {}): Promise<Answer<DecisionAnswer>> {
  return (sending.isLeaving === true ? sendLeaving : send)<DecisionAnswer>({ method: 'POST', path: `/api/v1/approval/${requestId}/${decision}`, body, ...command(sending) })
}

/** Reasons of a usage, for reason dialogs. None where this user may not see them: words of his own serve then. */
export async function listReasons(usage: string | undefined): Promise<Answer<readonly { readonly id: number; readonly label: string }[]>> {
  const filter = usage === undefined ? undefined : JSON.stringify({ usage })
  const answer = await lookupRecords('reason', { length: 100, ...(filter === undefined ? {} : { filter }) })
  if (!answer.ok) return isWithheld(answer.problem) ? accept([]) : answer
  return accept(answer.value.records.map((record) => ({ id: record.ID, label: nameOf(record) })))
}

function nameOf(record: WireRecord): string {
  return String(record['Name'] ?? record['Code'] ?? record.ID)
}

function command(sending: Sending) {
  return { key: sending.key ?? newKey(), acknowledge: sending.acknowledge, signal: sending.signal }
}
