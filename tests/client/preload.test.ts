import { afterEach, expect, test, vi } from 'vitest'
import { preloadSoon } from '#client/app/preload.ts'

const opened = vi.hoisted(() => [] as string[])
vi.mock('#client/app/routeTable.ts', () => ({ matchRoute: (path: string) => void opened.push(path) }))

afterEach(() => vi.useRealTimers())

test('a pointer loads the page of the link it rests on, not those of links it passes', () => {
  vi.useFakeTimers()
  for (const path of ['/home', '/billing', '/delivery_plan']) {
    preloadSoon(path)
    vi.advanceTimersByTime(40)
  }
  expect(opened).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(opened).toEqual(['/delivery_plan'])
})
