import type { VisitDay, VisitPrices } from '#api/visits.ts'
import type { BoxStore, Entry } from './outbox.ts'

const name = 'arus-visits'

let opened: Promise<IDBDatabase> | undefined

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, 1)
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore('outbox', { keyPath: 'n', autoIncrement: true })
      asked.result.createObjectStore('days')
      asked.result.createObjectStore('ids')
    }
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error ?? new Error('The store of visits does not open'))
  })
  return opened
}

async function within<T>(table: 'outbox' | 'days' | 'ids', mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await database()
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(table, mode)
    const asked = work(transaction.objectStore(table))
    // What is said to be kept is on the disk.
    transaction.oncomplete = () => resolve(asked.result)
    transaction.onabort = () => reject(transaction.error ?? new Error('Nothing was kept'))
  })
}

export const boxStore: BoxStore = {
  all: async (user) => (await within<Entry[]>('outbox', 'readonly', (store) => store.getAll())).filter((entry) => entry.user === user),
  add: async (entry) => void (await within('outbox', 'readwrite', (store) => store.add(entry))),
  put: async (entry) => void (await within('outbox', 'readwrite', (store) => store.put(entry))),
  remove: (n) => within('outbox', 'readwrite', (store) => store.delete(n)),
  visitId: (key) => within<number | undefined>('ids', 'readonly', (store) => store.get(key)),
  keepVisitId: async (key, id) => void (await within('ids', 'readwrite', (store) => store.put(id, key))),
}

export interface KeptDay {
  readonly day: VisitDay
  /** When the server said so. */
  readonly at: string
}

export function keptDay(user: number): Promise<KeptDay | undefined> {
  return within<KeptDay | undefined>('days', 'readonly', (store) => store.get(user))
}

export async function keepDay(user: number, kept: KeptDay): Promise<void> {
  await within('days', 'readwrite', (store) => store.put(kept, user))
}

export interface KeptPrices {
  readonly prices: VisitPrices
  readonly at: string
}

export function keptPrices(user: number): Promise<KeptPrices | undefined> {
  return within<KeptPrices | undefined>('days', 'readonly', (store) => store.get(`prices ${user}`))
}

export async function keepPrices(user: number, kept: KeptPrices): Promise<void> {
  await within('days', 'readwrite', (store) => store.put(kept, `prices ${user}`))
}

/** What the server said of somebody's day is gone; what he has not sent yet stays. */
export async function forgetDay(user: number): Promise<void> {
  await within('days', 'readwrite', (store) => store.delete(user))
  await within('days', 'readwrite', (store) => store.delete(`prices ${user}`))
}
