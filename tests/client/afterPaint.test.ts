import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterPaint } from '#client/data/afterPaint.ts'

const frames: (() => void)[] = []

beforeEach(() => {
  frames.length = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
  vi.stubGlobal('cancelAnimationFrame', (number: number) => void (frames[number - 1] = () => undefined))
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function paint(): void {
  for (const frame of frames.splice(0)) frame()
}

test('what can wait is done once the page is painted, unless it is called off', () => {
  vi.stubGlobal('document', { visibilityState: 'visible' })
  const done: string[] = []
  afterPaint(() => done.push('said'))
  const callOff = afterPaint(() => done.push('called off'))
  vi.advanceTimersByTime(1_000)
  expect(done).toEqual([])
  paint()
  expect(done).toEqual([])
  callOff()
  vi.advanceTimersByTime(1_000)
  expect(done).toEqual(['said'])
})

test('a window that nobody sees is not painted, and nothing waits for that', () => {
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  const done: string[] = []
  afterPaint(() => done.push('said'))
  afterPaint(() => done.push('called off'))()
  expect(done).toEqual([])
  vi.advanceTimersByTime(1)
  expect(done).toEqual(['said'])
  expect(frames).toEqual([])
})
