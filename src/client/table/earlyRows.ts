import type { ListAnswer, ListQuery } from '#api/data.ts'
import type { ListScreen } from '#meta/resolved.ts'
import { layoutsAtom, pageSizeAtom } from '../app/preferences.ts'
import type { Answer } from '../data/http.ts'
import { listRecords } from '../data/records.ts'
import { store } from '../data/session.ts'
import { viewsAtom } from '../data/views.ts'
import { listQuery } from './listQuery.ts'
import { listSetup } from './listSetup.ts'

/** Rows asked for before the list that will show them is drawn. */
export interface Early {
  readonly promise: Promise<Answer<ListAnswer>>
  readonly stop: AbortController
  answer?: Answer<ListAnswer>
}

const early = new Map<string, Early>()
/** What nobody has taken by then was asked for in vain. */
const keepMs = 5000
/** The question a list has asked last. */
let last: string | undefined

/** Asks for the rows a list will show first at this query of the URL; resolves when they have come. */
export async function askEarly(screen: ListScreen, params: Readonly<Record<string, string>>, search: string): Promise<void> {
  const question = questionOf(screen, params, new URLSearchParams(search))
  const asked = early.has(question.key) ? undefined : ask(screen, question)
  if (asked !== undefined) asked.answer = await asked.promise
}

/** Asks for what a list will show once its address is this: the server is at work while the change is drawn. */
export function askNext(screen: ListScreen, params: Readonly<Record<string, string>>, next: URLSearchParams): void {
  const question = questionOf(screen, params, next)
  // Not every change of the address asks for other rows.
  if (question.key !== last && !early.has(question.key)) ask(screen, question)
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

function ask(screen: ListScreen, { key, query }: Question): Early {
  const stop = new AbortController()
  const asked: Early = { promise: listRecords(screen.resource, query, stop.signal), stop }
  early.set(key, asked)
  setTimeout(() => {
    if (early.get(key) === asked) early.delete(key)
  }, keepMs)
  return asked
}

/** Rows already asked for, if any; whoever takes them has them for himself. */
export function takeEarly(resource: string, query: ListQuery): Early | undefined {
  const key = keyOf(resource, query)
  last = key
  const asked = early.get(key)
  early.delete(key)
  return asked
}

function keyOf(resource: string, query: ListQuery): string {
  return `${resource} ${JSON.stringify(query)}`
}
