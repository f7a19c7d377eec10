import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HeldQueue, undoMs, type SendingTime } from '#client/approval/heldQueue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function queueOf(): { readonly queue: HeldQueue<string>; readonly sent: (readonly [string, SendingTime])[] } {
  const sent: (readonly [string, SendingTime])[] = []
  return { sent, queue: new HeldQueue<string>(async (item, time) => void sent.push([item, time])) }
}

describe('what is held back for a while', () => {
  it('is sent when its time is up, each for itself and once', () => {
    const { queue, sent } = queueOf()
    queue.hold('A')
    vi.advanceTimersByTime(undoMs - 1_000)
    queue.hold('B')
    expect(sent).toEqual([])
    vi.advanceTimersByTime(1_000)
    expect(sent).toEqual([['A', 'due']])
    expect(queue.list().map(({ item }) => item)).toEqual(['B'])
    vi.advanceTimersByTime(10 * undoMs)
    expect(sent).toEqual([['A', 'due'], ['B', 'due']])
  })

  it('is not sent once it is undone, and not undone once it is sent', () => {
    const { queue, sent } = queueOf()
    queue.hold('A')
    queue.hold('B')
    const [first, second] = queue.list()
    if (first === undefined || second === undefined) throw new Error('Two are held.')
    expect(queue.undo(first)).toBe(true)
    expect(queue.undo(first)).toBe(false)
    vi.advanceTimersByTime(undoMs)
    expect(queue.undo(second)).toBe(false)
    expect(sent).toEqual([['B', 'due']])
  })

  it('is sent at once when the page is left, before that returns, and its own time sends nothing more', () => {
    const { queue, sent } = queueOf()
    queue.hold('A')
    queue.hold('B')
    void queue.sendAll('window-hidden')
    expect(sent).toEqual([['A', 'window-hidden'], ['B', 'window-hidden']])
    void queue.sendAll('page-left')
    vi.advanceTimersByTime(undoMs)
    expect(sent).toHaveLength(2)
    expect(queue.list()).toEqual([])
  })

  it('tells whoever listens of every change, and of nothing else', () => {
    const { queue } = queueOf()
    const heard = vi.fn()
    const stop = queue.subscribe(heard)
    queue.hold('A')
    expect(queue.list()).toBe(queue.list())
    vi.advanceTimersByTime(undoMs)
    expect(heard).toHaveBeenCalledTimes(2)
    stop()
    queue.hold('B')
    expect(heard).toHaveBeenCalledTimes(2)
  })
})
