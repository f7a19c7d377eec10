import { approvalStates, type ApprovalAnswer, type ApprovalQuery } from '#api/approval.ts'
import { viewCondition } from '#api/viewQuery.ts'
import type { ApprovalScreen } from '#meta/resolved.ts'
import type { Answer } from '../data/http.ts'
import { askRecord, listApprovals } from '../data/records.ts'
import { readState } from '../table/listState.ts'
import { firstOf } from './queue.ts'

const queueLength = 100
/** What nobody has taken by then was asked for in vain. */
const keepMs = 5_000

const early = new Map<string, Promise<Answer<ApprovalAnswer>>>()

/** Which requests the address asks for. */
export function queuePlace(place: URLSearchParams): { readonly state: (typeof approvalStates)[number]; readonly isMine: boolean } {
  const state = approvalStates.find((one) => one === place.get('state')) ?? 'waiting'
  return { state, isMine: state === 'waiting' && place.get('mine') === '1' }
}

/** The same text for the same question. */
export function queueQuestion(screen: ApprovalScreen, place: URLSearchParams): string {
  return `${screen.id} ${JSON.stringify(queryOf(screen, place))}`
}

/** The queue at this address; one that was asked for early is taken. */
export function askQueue(screen: ApprovalScreen, place: URLSearchParams, signal?: AbortSignal): Promise<Answer<ApprovalAnswer>> {
  const question = queueQuestion(screen, place)
  const asked = early.get(question)
  early.delete(question)
  return asked ?? listApprovals(screen.docType, screen.transition, queryOf(screen, place), signal)
}

/** Asks for the queue, and for the document that opens with it, while their page is on its way; resolves when the queue has come. */
export async function askQueueEarly(screen: ApprovalScreen, resource: string | undefined, search: string): Promise<void> {
  const place = new URLSearchParams(search)
  const question = queueQuestion(screen, place)
  if (early.has(question)) return
  const asked = askQueue(screen, place)
  early.set(question, asked)
  setTimeout(() => {
    if (early.get(question) === asked) early.delete(question)
  }, keepMs)
  const answer = await asked
  const open = Number(place.get('id')) || undefined
  const shown = !answer.ok ? undefined : open === undefined ? firstOf(answer.value.rows) : answer.value.rows.find(({ ID }) => ID === open)
  if (resource !== undefined && shown !== undefined) void askRecord(resource, shown.DocID)
}

function queryOf(screen: ApprovalScreen, place: URLSearchParams): ApprovalQuery {
  const { state, isMine } = queuePlace(place)
  const { search, filters, match } = readState(place, {})
  const condition = viewCondition({}, { filters, ...(match === undefined ? {} : { match }) }, {})
  return {
    state,
    columns: screen.columns.map((column) => column.name).join(','),
    length: queueLength,
    ...(isMine ? { mine: true } : {}),
    ...(search === '' ? {} : { search }),
    ...(condition === undefined ? {} : { filter: JSON.stringify(condition) }),
  }
}
