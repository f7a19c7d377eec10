import { loadText } from '../data/http.ts'
import { chunkTimeoutMs } from './constants.ts'
import { isSpeakingFirst, untilSpoken } from './messages.ts'

/** `late`: nothing came in time. `stale`: a newer version is installed and the files of this one are gone. `failed`: anything else. */
export type ChunkTrouble = 'late' | 'stale' | 'failed'

/** A part of the program did not arrive. */
export class ChunkError extends Error {
  readonly trouble: ChunkTrouble

  constructor(trouble: ChunkTrouble, cause?: unknown) {
    super(`A part of the program could not be loaded (${trouble})`, { cause })
    this.name = 'ChunkError'
    this.trouble = trouble
  }
}

/** Every part of the program that is loaded later comes through here: in 120 seconds, with all texts it may speak, or with a ChunkError. */
export function loadChunk<T>(load: () => Promise<T>, isStale: () => Promise<boolean> = isOutdated): Promise<T> {
  return inTime(() => Promise.all([load(), untilSpoken()]).then(([part]) => part), isStale)
}

/** A part whose texts have come with the page where others have not (`partsOfLists` of the server). */
export function loadSpokenChunk<T>(load: () => Promise<T>): Promise<T> {
  return inTime(load, isOutdated)
}

/** What no page can be drawn without: as long as the first is being drawn, the texts that came with it are enough. */
export function loadFirstChunk<T>(load: () => Promise<T>): Promise<T> {
  return isSpeakingFirst() ? loadSpokenChunk(load) : loadChunk(load)
}

/**
 * What is loaded by its first caller and there for all others: to import a part that is there already still goes through the browser's loader,
 * a task of its own behind the frames of a busy page. What has failed is tried again.
 */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    if (loading !== undefined) return loading
    loading = load()
    loading.catch(() => (loading = undefined))
    return loading
  }
}

async function inTime<T>(load: () => Promise<T>, isStale: () => Promise<boolean>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError('late')), chunkTimeoutMs)
  })
  try {
    return await Promise.race([load(), late])
  } catch (error) {
    throw error instanceof ChunkError ? error : new ChunkError((await isStale()) ? 'stale' : 'failed', error)
  } finally {
    clearTimeout(timer)
  }
}

/** Has the server another version than this page? It then names another first script. */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src')
  const page = await loadText('/').catch(() => undefined)
  return own !== null && own !== undefined && page !== undefined && !page.includes(own)
}
