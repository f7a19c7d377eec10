import { approvalStates, type ApprovalAnswer, type ApprovalQuery } from '#api/approval.ts'
import { readState } from '#api/listState.ts'
import { viewCondition } from '#api/viewQuery.ts'
import type { ApprovalScreen } from '#meta/resolved.ts'
import { askRequest } from '../data/approvals.ts'
import { earlyAnswers } from '../data/earlyAnswers.ts'
import type { Answer } from '../data/http.ts'
import { askRecord, listApprovals } from '../data/records.ts'
import { firstOf } from './queue.ts'

const queueLength = 100

const early = earlyAnswers<ApprovalAnswer>()

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
  return early.take(queueQuestion(screen, place))?.promise ?? listQueue(screen, place, signal)
}

/** The queue that has come already, until somebody asks for it. */
export function foreseenQueue(screen: ApprovalScreen, place: URLSearchParams): ApprovalAnswer | undefined {
  return early.seen(queueQuestion(screen, place))
}

/** Asks for the queue, and for what opens with it, while their page is on its way; resolves when all of it has come. */
export async function askQueueEarly(screen: ApprovalScreen, resource: string | undefined, search: string): Promise<void> {
  const place = new URLSearchParams(search)
  const answer = await early.ask(queueQuestion(screen, place), (signal) => listQueue(screen, place, signal)).promise
  const open = Number(place.get('id')) || undefined
  const shown = !answer.ok ? undefined : open === undefined ? firstOf(answer.value.rows) : answer.value.rows.find(({ ID }) => ID === open)
  if (shown !== undefined) await Promise.all([askRequest(shown.ID), resource === undefined ? undefined : askRecord(resource, shown.DocID)])
}

function listQueue(screen: ApprovalScreen, place: URLSearchParams, signal?: AbortSignal): Promise<Answer<ApprovalAnswer>> {
  return listApprovals(screen.docType, screen.transition, queryOf(screen, place), signal)
}

function queryOf(screen: ApprovalScreen, place: URLSearchParams): ApprovalQuery {
  const { state, isMine } = queuePlace(place)
  const { search, filters, match } = readState(place, {})
  const condition = viewCondition(screen.where === undefined ? {} : { where: screen.where }, { filters, ...(match === undefined ? {} : { match }) }, {})
  return {
    state,
    columns: screen.columns.map((column) => column.name).join(','),
    length: queueLength,
    ...(isMine ? { mine: true } : {}),
    ...(search === '' ? {} : { search }),
    ...(condition === undefined ? {} : { filter: JSON.stringify(condition) }),
  }
}
