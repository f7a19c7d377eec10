import type { ListAnswer, ListQuery } from '#api/data.ts'
import type { ListScreen } from '#meta/resolved.ts'
import { layoutsAtom, pageSizeAtom } from '../app/preferences.ts'
import type { Answer } from '../data/http.ts'
import { listRecords } from '../data/records.ts'
import { store } from '../data/session.ts'
import { viewsAtom } from '../data/views.ts'
import { listQuery } from './listQuery.ts'
import { listSetup } from './listSetup.ts'

/** Rows asked for while the page that will show them is still being loaded. */
export interface Early {
  readonly promise: Promise<Answer<ListAnswer>>
  answer?: Answer<ListAnswer>
}

const early = new Map<string, Early>()
/** What nobody has taken by then was asked for in vain. */
const keepMs = 5000

/** Asks for the rows a list will show first at this query of the URL; resolves when they have come. */
export async function askEarly(screen: ListScreen, params: Readonly<Record<string, string>>, search: string): Promise<void> {
  const { state, columns } = listSetup(screen, new URLSearchParams(search), store.get(viewsAtom), store.get(layoutsAtom))
  const query = listQuery({ screen, state, columns, params, preferredLength: store.get(pageSizeAtom) })
  const key = keyOf(screen.resource, query)
  if (early.has(key)) return
  const asked: Early = { promise: listRecords(screen.resource, query) }
  early.set(key, asked)
  setTimeout(() => early.delete(key), keepMs)
  asked.answer = await asked.promise
}

/** Rows already asked for, if any; whoever takes them has them for himself. */
export function takeEarly(resource: string, query: ListQuery): Early | undefined {
  const key = keyOf(resource, query)
  const asked = early.get(key)
  early.delete(key)
  return asked
}

function keyOf(resource: string, query: ListQuery): string {
  return `${resource} ${JSON.stringify(query)}`
}
