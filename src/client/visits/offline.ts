import { loadChunk } from '../app/chunks.ts'

/** As in `worker.ts`. */
const cacheName = 'arus-visits'
/** By then the page has asked for what it is made of. */
const settledMs = 2_500

/**
 * Puts the page by, with the files it is made of, so that it opens and reloads where there is no network. Nothing is kept where the browser has
 * no such means, or the address is not a secure one. Returns how to call it off.
 */
export function keepWithinReach(path: string): () => void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator) || !('caches' in globalThis)) return () => undefined
  const timer = setTimeout(() => void putBy(path).catch(() => undefined), settledMs)
  return () => clearTimeout(timer)
}

async function putBy(path: string): Promise<void> {
  await navigator.serviceWorker.register('/visits-worker.js', { scope: path })
  await loadChunk(() => import('../ui/ConfirmDialog.tsx'))
  const files = [...new Set(performance.getEntriesByType('resource').map(({ name }) => name))].filter((name) => name.startsWith(`${location.origin}/assets/`))
  const cache = await caches.open(cacheName)
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  // The document brings who is here and what he may open, so it is asked for anew each time.
  await cache.addAll([new Request(path, { headers: { accept: 'text/html' }, cache: 'no-store' }), ...files.filter((name) => !kept.has(name))])
  await Promise.all([...kept].filter((url) => url.startsWith(`${location.origin}/assets/`) && !files.includes(url)).map((url) => cache.delete(url)))
}

/** The page is within reach no longer. */
export async function letGo(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(cacheName)
}
