import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChunkError, loadChunk, once } from '#client/app/chunks.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = () => new Promise<never>(() => undefined)
const current = () => Promise.resolve(false)
const outdated = () => Promise.resolve(true)
const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

describe('Chunk load timeout: 120000 ms.', () => {
  it('a part that comes is handed over, whatever the clock says later', async () => {
    await expect(loadChunk(() => Promise.resolve('part'), current)).resolves.toBe('part')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('one that has not come after 119,999 ms is waited for, after 120,000 ms it is late', async () => {
    const ended = vi.fn()
    const loading = loadChunk(never, current).catch((error: unknown) => ended(error))
    await vi.advanceTimersByTimeAsync(119_999)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await loading
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ trouble: 'late' }))
  })

  it('one that cannot be had failed, or is stale when the server has a newer version', async () => {
    await expect(loadChunk(gone, current)).rejects.toMatchObject({ trouble: 'failed' })
    await expect(loadChunk(gone, outdated)).rejects.toMatchObject({ trouble: 'stale' })
    await expect(loadChunk(gone, current)).rejects.toBeInstanceOf(ChunkError)
  })
})

describe('parts of the program', () => {
  const files = filesIn('src/client').filter((file) => /\.tsx?$/.test(file))
  /** The first script itself, which nothing could tell about a failure, and the table whose entries `loadChunk` calls. */
  const beforeAnything = new Set(['src/client/main.tsx', 'src/client/app/signIn.tsx', 'src/client/app/pages.ts'])

  it('are loaded through the one place that knows of time-outs', () => {
    const lines = files
      .filter((file) => !beforeAnything.has(file))
      .flatMap((file) => fs.readFileSync(file, 'utf8').split('\n').filter((line) => /[^.\w]import\(/.test(line)).map((line) => `${file}: ${line.trim()}`))
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.filter((line) => !/\b(lazy|loadChunk|loadFirstChunk|loadSpokenChunk)\(/.test(line))).toEqual([])
  })

  it('loaded once are there for all who ask later; what has failed is tried again', async () => {
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new ChunkError('failed')).mockResolvedValue('part')
    const part = once(load)
    await expect(part()).rejects.toBeInstanceOf(ChunkError)
    await expect(Promise.all([part(), part()])).resolves.toEqual(['part', 'part'])
    expect(part()).toBe(part())
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('never use React’s own lazy, which cannot try again', () => {
    expect(files.filter((file) => /import \{[^}]*\blazy\b[^}]*\} from 'react'/.test(fs.readFileSync(file, 'utf8')))).toEqual([])
  })
})

function filesIn(folder: string): readonly string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? filesIn(path.join(folder, entry.name)) : [path.join(folder, entry.name)]))
}
