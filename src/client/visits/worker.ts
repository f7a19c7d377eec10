/** Keeps the page of a salesman's day within reach where there is no network: its document and its files, as `offline.ts` has put them by. */

interface Waiting {
  readonly waitUntil: (work: Promise<unknown>) => void
}

interface Asked extends Waiting {
  readonly request: Request
  readonly respondWith: (answer: Promise<Response>) => void
}

interface Worker {
  readonly caches: CacheStorage
  readonly clients: { readonly claim: () => Promise<void> }
  readonly location: Location
  readonly skipWaiting: () => Promise<void>
  addEventListener(name: 'install' | 'activate', hear: (event: Waiting) => void): void
  addEventListener(name: 'fetch', hear: (event: Asked) => void): void
}

const worker = globalThis as unknown as Worker
/** As in `offline.ts`; this file stands alone. */
const cacheName = 'arus-visits'
/** A network that takes longer is none. */
const patienceMs = 4_000

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(file(request))
})

/** From the server; what was kept where it does not answer. */
async function page(request: Request): Promise<Response> {
  const kept = await keptAnswer(request)
  if (kept === undefined) return ask(request)
  try {
    const answer = await Promise.race([ask(request), late()])
    return answer.status >= 500 ? kept : answer
  } catch {
    return kept
  }
}

/** Names of files change with their content: what is kept is what the server would send. */
async function file(request: Request): Promise<Response> {
  return (await keptAnswer(request)) ?? ask(request)
}

function keptAnswer(request: Request): Promise<Response | undefined> {
  return worker.caches.match(request, { cacheName, ignoreSearch: request.mode === 'navigate', ignoreVary: true })
}

function ask(request: Request): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- the worker is the network of its page
  return fetch(request)
}

function late(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('The network takes too long')), patienceMs)
  })
}
