import type { ListAnswer, ListQuery } from '#api/data.ts'
import { listQuery } from '#api/listQuery.ts'
import { listSetup } from '#api/listSetup.ts'
import type { ListScreen } from '#meta/resolved.ts'
import { layoutsAtom, pageSizeAtom } from '../app/preferences.ts'
import { earlyAnswers, type Early } from '../data/earlyAnswers.ts'
import { listRecords } from '../data/records.ts'
import { store } from '../data/session.ts'
import { viewsAtom } from '../data/views.ts'

const early = earlyAnswers<ListAnswer>()
/** The question a list has asked last. */
let last: string | undefined

/** Asks for the rows a list will show first at this query of the URL; resolves when they have come. */
export async function askEarly(screen: ListScreen, params: Readonly<Record<string, string>>, search: string): Promise<void> {
  await ask(screen, questionOf(screen, params, new URLSearchParams(search))).promise
}

/** Asks for what a list will show once its address is this: the server is at work while the change is drawn. */
export function askNext(screen: ListScreen, params: Readonly<Record<string, string>>, next: URLSearchParams, isPart?: boolean): void {
  const question = questionOf(screen, params, next)
  // Not every change of the address asks for other rows.
  if (question.key !== last) ask(screen, question, isPart)
}

interface Question {
  readonly key: string
  readonly query: ListQuery
}

function questionOf(screen: ListScreen, params: Readonly<Record<string, string>>, place: URLSearchParams): Question {
  const { state, columns } = listSetup(screen, place, store.get(viewsAtom), store.get(layoutsAtom))
  const query = listQuery({ screen, state, columns, params, preferredLength: store.get(pageSizeAtom) })
  return { key: keyOf(screen.resource, query), query }
}

function ask(screen: ListScreen, { key, query }: Question, isPart?: boolean): Early<ListAnswer> {
  return early.ask(key, (signal) => listRecords(screen.resource, query, signal, isPart))
}

/** Rows already asked for, if any; whoever takes them has them for himself. */
export function takeEarly(resource: string, query: ListQuery): Early<ListAnswer> | undefined {
  last = keyOf(resource, query)
  return early.take(last)
}

function keyOf(resource: string, query: ListQuery): string {
  return `${resource} ${JSON.stringify(query)}`
}
