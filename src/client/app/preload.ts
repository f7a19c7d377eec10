import { pause } from '../data/connection.ts'
import { hasToken } from '../data/http.ts'
import { askRecord } from '../data/records.ts'
import { loadViews } from '../data/views.ts'
import { loadChunk, loadFirstChunk, once } from './chunks.ts'
import { loadHandPage, loadKindPage } from './pages.ts'
import { recordOf } from '#meta/recordOf.ts'
import type { ApprovalScreen, Screen } from '#meta/resolved.ts'
import { matchRoute, type RouteMatch } from './routeTable.ts'
import { loadScreen } from './screens.ts'

const formPart = once(() => loadChunk(() => import('../form/useForm.ts')))
const detailPart = once(() => loadChunk(() => import('../pages/DetailView.tsx')))
const queuePart = once(() => loadChunk(() => import('../approval/askQueue.ts')))
const earlyPart = once(() => loadFirstChunk(() => import('../table/earlyRows.ts')))

/** Page code and screen of a route, together. */
export async function loadRoute({ route, params }: RouteMatch, search = ''): Promise<void> {
  const { screen, kind, page } = route
  await Promise.all([
    screen === undefined ? undefined : loadScreen(screen),
    kind === undefined ? undefined : loadKindPage(kind),
    page === undefined ? undefined : loadHandPage(page),
    screen === undefined ? undefined : loadFirstPart(kind, screen, search, params['status']),
  ])
}

/** What a page draws first besides itself: one that had to wait for it would show a skeleton, and React shows none for less than 300 ms. */
async function loadFirstPart(kind: RouteMatch['route']['kind'], id: string, search: string, status: string | undefined): Promise<void> {
  if (kind === 'form') await (await formPart()).loadValidation(id)
  if (kind !== 'detail' && kind !== 'approval') return
  const [{ screen }, { linesTab, loadTab, tabOfStatus }] = await Promise.all([loadScreen(id), detailPart()])
  const shown = screen.kind === 'approval' ? await peekOf(screen) : screen
  if (shown?.kind === 'detail') await loadTab(shown, screen.kind === 'approval' ? linesTab(shown) : (new URLSearchParams(search).get('tab') ?? tabOfStatus(shown, status)))
}

/** The document beside a queue. One that does not come says so in its place. */
async function peekOf({ peek }: ApprovalScreen): Promise<Screen | undefined> {
  return (await loadScreen(peek).catch(() => undefined))?.screen
}

/** Starts loading what a link leads to: on focus or pointer down, before the click is complete. */
export function preload(path: string): void {
  const [pathname = path, search] = path.split('?')
  const match = matchRoute(pathname)
  // A failure shows itself when the route is opened.
  if (match !== undefined) void loadRoute(match, search).catch(() => undefined)
}

/** A pointer that stays so long on a link may mean it; one on its way past it does not, nor one that lies where a page is just being drawn. */
const intentMs = 100
let nearing: ReturnType<typeof setTimeout> | undefined

/** Starts loading what a link leads to once the pointer has come to rest on it. */
export function preloadSoon(path: string): void {
  clearTimeout(nearing)
  nearing = setTimeout(() => preload(path), intentMs)
}

/** A page waits so long for what it will show first: an answer that comes soon is drawn at once, without its place being drawn empty before. */
const patienceMs = 150

function soon(answer: Promise<void>): Promise<void> {
  return Promise.race([answer, pause(patienceMs)])
}

/** Asks for the views of a page and the rows or the record it will show first, while the page is on its way. */
export async function askRows(match: RouteMatch, search: string): Promise<void> {
  const { kind, screen: id, preload: isPreloaded } = match.route
  const isViewed = kind === 'list' || kind === 'report' || kind === 'workbench'
  const views = isViewed && hasToken() ? loadViews() : undefined
  // Which rows a page shows that takes part in a common choice is known only once that choice is.
  if (kind === 'list' && id !== undefined && isPreloaded === undefined) {
    const [{ screen }, { askEarly }] = await Promise.all([loadScreen(id), earlyPart(), views])
    if (screen.kind === 'list') await soon(askEarly(screen, match.params, search))
  } else if ((kind === 'form' || kind === 'detail') && id !== undefined) {
    const { screen } = await loadScreen(id)
    const record = recordOf(screen, { ...Object.fromEntries(new URLSearchParams(search)), ...match.params })
    if ('resource' in screen && record !== undefined && record > 0) await soon(askRecord(screen.resource, record))
  }
  if (kind === 'approval' && id !== undefined) {
    const [{ screen }, { askQueueEarly }] = await Promise.all([loadScreen(id), queuePart()])
    if (screen.kind === 'approval') {
      const peek = await peekOf(screen)
      await soon(askQueueEarly(screen, peek !== undefined && 'resource' in peek ? peek.resource : undefined, search))
    }
  }
  await views
}
