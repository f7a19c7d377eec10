import type { BrowserContext, Page, Request } from '@playwright/test'

interface Traffic {
  readonly open: Set<Request>
  last: number
}

const traffic = new WeakMap<Page, Traffic>()

/** Follows the requests of every page of a context, so that `settled` can tell when a page has come to rest. */
export function followRequests(context: BrowserContext): void {
  context.on('page', follow)
  for (const page of context.pages()) follow(page)
}

function follow(page: Page): void {
  const state: Traffic = { open: new Set(), last: Date.now() }
  traffic.set(page, state)
  const ended = (request: Request) => {
    state.open.delete(request)
    state.last = Date.now()
  }
  page.on('request', (request) => {
    // Stays open as long as the page does.
    if (!request.url().includes('/notifications/stream')) state.open.add(request)
    state.last = Date.now()
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
}

/** Waits until the page is drawn and no request has been under way for `quiet` milliseconds: a page that brings its first answers along asks for nothing while it starts. Throws after 20 s. */
export async function settled(page: Page, quiet = 250): Promise<void> {
  const state = traffic.get(page)
  if (state === undefined) throw new Error('followRequests was not called for the context of this page')
  const giveUp = Date.now() + 20_000
  await page.waitForFunction(() => document.querySelector('#overlay:not([hidden])') === null && document.getElementById('root')?.childElementCount !== 0, undefined, { timeout: 20_000 })
  state.last = Math.max(state.last, Date.now())
  while (state.open.size > 0 || Date.now() - state.last < quiet) {
    if (Date.now() > giveUp) throw new Error(`Still asking after 20 s: ${[...state.open].map((request) => request.url()).join(' ')}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
