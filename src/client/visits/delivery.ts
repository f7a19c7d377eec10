import type { VisitDay, VisitPrices } from '#api/visits.ts'
import { newKey, sendOnceOnly } from '../data/http.ts'
import { flush, type Delivery, type Entry, type NewEntry } from './outbox.ts'
import { boxStore } from './store.ts'

/** The day as the server has it; undefined while it is out of reach. */
export async function askDay(): Promise<VisitDay | Delivery | undefined> {
  try {
    const answer = await sendOnceOnly({ path: '/api/v1/command/visit-day' }, 8_000)
    return answer.status < 300 ? (answer.data as unknown as VisitDay) : answer
  } catch {
    return undefined
  }
}

/** What is sold and for how much; undefined where that is not to be had now. */
export async function askPrices(): Promise<VisitPrices | undefined> {
  try {
    const answer = await sendOnceOnly({ path: '/api/v1/command/visit-prices' }, 30_000)
    return answer.status < 300 ? (answer.data as unknown as VisitPrices) : undefined
  } catch {
    return undefined
  }
}

const news = 'BroadcastChannel' in globalThis ? new BroadcastChannel('arus-visits') : undefined
const listeners = new Set<() => void>()
news?.addEventListener('message', () => listeners.forEach((hear) => hear()))

function tell(): void {
  news?.postMessage('changed')
  for (const hear of listeners) hear()
}

/** Hears of every change of the box, of this tab and of others. */
export function onBox(hear: () => void): () => void {
  listeners.add(hear)
  return () => void listeners.delete(hear)
}

async function alone(work: () => Promise<void>): Promise<void> {
  // Without locks (plain http) the keys alone keep two tabs from doing a thing twice.
  if (!('locks' in navigator)) return work()
  await navigator.locks.request('arus-visits', { ifAvailable: true }, async (lock) => (lock === null ? undefined : work()))
}

export function sendBox(user: number): Promise<void> {
  return flush({ store: boxStore, alone, tell, post: (entry, path) => sendOnceOnly({ path, body: bodyOf(entry), key: entry.key, acknowledge: entry.acknowledge }, 20_000) }, user)
}

function bodyOf({ body, file }: Entry): unknown {
  if (file === undefined) return body
  const form = new FormData()
  form.append('file', file)
  return form
}

/** Answers the key it goes under. */
export async function putInBox(user: number, entry: Omit<NewEntry, 'key'>): Promise<string> {
  const key = newKey()
  await boxStore.add({ ...entry, user, key })
  tell()
  void sendBox(user)
  return key
}

/** Once put right, or seen, it goes on its way again. */
export async function sendAgain(entry: Entry, change: Partial<Pick<Entry, 'body' | 'acknowledge'>>): Promise<void> {
  await boxStore.put({ ...entry, ...change, refused: undefined })
  tell()
  void sendBox(entry.user)
}

const takenBack = new Set<string>()

export async function takeBack(entry: Entry): Promise<void> {
  takenBack.add(entry.key)
  await boxStore.remove(entry.n)
  tell()
  void sendBox(entry.user)
}

/** Of what was put in the box here: was it taken back, and so never done? */
export function isTakenBack(key: string): boolean {
  return takenBack.has(key)
}
