import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppHistory as History } from '#client/app/history.ts'

/** As much of a browser as a history needs: entries, where it stands in them, and the event of a step, told later as browsers do. */
class Browser {
  entries: { state: unknown; path: string }[] = [{ state: null, path: '/home' }]
  at = 0
  readonly listeners = new Map<string, ((event: Event) => void)[]>()
  readonly location = { hash: '' }
  readonly history = {
    pushState: (state: unknown, _: string, path: string) => {
      this.entries = [...this.entries.slice(0, ++this.at), { state, path }]
    },
    replaceState: (state: unknown, _: string, path?: string) => {
      this.entries[this.at] = { state, path: path ?? this.path }
    },
    go: (delta: number) =>
      void setTimeout(() => {
        this.at += delta
        this.tell('popstate', new Event('popstate'))
      }),
  }

  constructor() {
    Object.defineProperty(this.history, 'state', { get: () => this.entries[this.at]?.state })
    Object.defineProperty(this.location, 'pathname', { get: (): string => this.path.replace(/\?.*/, '') })
    Object.defineProperty(this.location, 'search', { get: (): string => this.path.replace(/^[^?]*/, '') })
  }

  get path(): string {
    return this.entries[this.at]?.path ?? ''
  }

  addEventListener(name: string, listener: (event: Event) => void): void {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener])
  }

  tell(name: string, event: Event): void {
    for (const listener of this.listeners.get(name) ?? []) listener(event)
  }
}

let browser: Browser
let history: History

/** Long enough for a step, its question, the step back and the one that goes on after all: each is told by a timer set before. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setTimeout(resolve))
}

const page = () => history.place().location.pathname

beforeEach(async () => {
  browser = new Browser()
  vi.stubGlobal('window', browser)
  vi.stubGlobal('document', { cookie: '' })
  const { AppHistory } = await import('#client/app/history.ts')
  history = new AppHistory(async () => ({ kind: 'show' }))
  await history.start()
  for (const path of ['/list', '/form', '/next']) {
    history.push(path)
    await settled()
  }
  history.go(-1)
  await settled()
  expect([page(), browser.path]).toEqual(['/form', '/form'])
})

const moves: Readonly<Record<string, { readonly move: () => void; readonly to: string }>> = {
  back: { move: () => history.go(-1), to: '/list' },
  forward: { move: () => history.go(1), to: '/next' },
  'two steps back': { move: () => history.go(-2), to: '/home' },
  'a link': { move: () => history.push('/other'), to: '/other' },
}

test('knows whether a page of ours lies before this one, where Cancel of a form leads', async () => {
  expect(history.hasPrevious).toBe(true)
  history.go(-2)
  await settled()
  expect([page(), history.hasPrevious]).toEqual(['/home', false])
})

describe('a page that holds its visitor', () => {
  for (const [name, { move, to }] of Object.entries(moves)) {
    test(`${name}: asked once where it goes, stays on no`, async () => {
      const asked: string[] = []
      history.hold(async (next) => (asked.push(next.pathname), false), () => true)
      move()
      await settled()
      expect({ asked, page: page(), address: browser.path }).toEqual({ asked: [to], page: '/form', address: '/form' })
    })

    test(`${name}: goes on yes`, async () => {
      const asked: string[] = []
      history.hold(async (next) => (asked.push(next.pathname), true), () => true)
      move()
      await settled()
      expect({ asked, page: page(), address: browser.path }).toEqual({ asked: [to], page: to, address: to })
    })

    test(`${name}: is not asked where nothing is at stake at that moment, nor once it is let go`, async () => {
      let isHolding = true
      const ask = vi.fn(async () => false)
      history.hold(ask, () => isHolding)
      const letGo = history.hold(ask, () => true)
      isHolding = false
      letGo()
      move()
      await settled()
      expect({ page: page(), asked: ask.mock.calls.length }).toEqual({ page: to, asked: 0 })
    })
  }

  test('what is typed after the page was drawn is at stake: it is asked at the moment of leaving', async () => {
    let typed = ''
    history.hold(async () => false, () => typed !== '')
    typed = 'a'
    history.push('/other')
    await settled()
    expect(page()).toBe('/form')
  })

  test('a change of the query alone asks where it opens another record, and what else holds goes on holding', async () => {
    const ask = vi.fn(async () => true)
    const other = vi.fn(async () => false)
    history.hold(ask, (next) => next?.search === '?id=2')
    history.hold(other, (next) => next?.pathname !== '/form')
    history.push('/form?tab=tax')
    expect([history.place().location.search, ask.mock.calls.length]).toEqual(['?tab=tax', 0])
    history.push('/form?id=2')
    await settled()
    history.go(-1)
    await settled()
    history.go(1)
    await settled()
    expect([history.place().location.search, ask.mock.calls.length, other.mock.calls.length]).toEqual(['?id=2', 2, 0])
    history.go(-1)
    await settled()
    history.push('/other')
    await settled()
    expect([page(), other.mock.calls.length]).toEqual(['/form', 1])
  })

  test('closing the window warns while something is at stake', () => {
    let isHolding = true
    history.hold(async () => false, () => isHolding)
    const prevented = () => {
      const event = new Event('beforeunload', { cancelable: true })
      browser.tell('beforeunload', event)
      return event.defaultPrevented
    }
    expect(prevented()).toBe(true)
    isHolding = false
    expect(prevented()).toBe(false)
  })
})

describe('a panel over a page, both unsaved', () => {
  const stage = (answer: boolean) => {
    const asked: string[] = []
    const left: string[] = []
    history.hold(async () => (asked.push('page'), answer), () => true)
    const close = history.hold(async () => (asked.push('panel'), answer), () => true, () => {
      left.push('panel')
      close()
    })
    return { asked, left }
  }

  test('Back asks once for each: first the panel closes, then the page is left', async () => {
    const { asked, left } = stage(true)
    history.go(-1)
    await settled()
    expect([page(), browser.path, asked, left]).toEqual(['/form', '/form', ['panel'], ['panel']])
    history.go(-1)
    await settled()
    expect([page(), browser.path, asked]).toEqual(['/list', '/list', ['panel', 'page']])
  })

  test('whoever stays keeps both', async () => {
    const { asked, left } = stage(false)
    history.go(-1)
    await settled()
    expect([page(), browser.path, asked, left]).toEqual(['/form', '/form', ['panel'], []])
  })

  test('a link asks once, for all that it leaves', async () => {
    const { asked, left } = stage(true)
    history.push('/other')
    await settled()
    expect([page(), asked, left]).toEqual(['/other', ['panel'], []])
  })

  test('one with nothing to lose closes without a question', async () => {
    const closed: string[] = []
    history.hold(async () => (closed.push('asked'), true), () => true)
    history.hold(async () => true, () => false, () => closed.push('panel'))
    history.go(-1)
    await settled()
    expect([page(), browser.path, closed]).toEqual(['/form', '/form', ['panel']])
  })
})
