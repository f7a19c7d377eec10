import type { AroundAnswer, FlowNode, HistoryEntry, JournalView, ListQuery, OfferedAction } from '#api/data.ts'
import { send, type Answer } from './http.ts'

/** The records before and after one in a list asked for like this. */
export function readAround(resource: string, id: number, query: Pick<ListQuery, 'search' | 'filter' | 'order' | 'sort' | 'columns'>, signal?: AbortSignal): Promise<Answer<AroundAnswer>> {
  return send({ path: `/api/v1/data/${resource}/${id}/around`, query: { ...query }, signal, isPart: true })
}

/** What may be done with a record now, and why the rest may not. */
export function readActions(resource: string, id: number, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly OfferedAction[] }>> {
  return send({ path: `/api/v1/data/${resource}/${id}/actions`, signal, isPart: true })
}

export function readFlow(resource: string, id: number, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly FlowNode[] }>> {
  return send({ path: `/api/v1/data/${resource}/${id}/flow`, signal, isPart: true })
}

export function readHistory(resource: string, id: number, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly HistoryEntry[] }>> {
  return send({ path: `/api/v1/data/${resource}/${id}/history`, signal, isPart: true })
}

export function readJournals(resource: string, id: number, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly JournalView[] }>> {
  return send({ path: `/api/v1/data/${resource}/${id}/journal`, signal, isPart: true })
}
