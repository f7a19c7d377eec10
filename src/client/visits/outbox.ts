import type { FieldProblem, Said } from '#api/problems.ts'
import type { Warning } from '#api/envelope.ts'

/** A command on its way to the server. It has its key from the moment it was given, so that it is done once however often it is sent. */
export interface Entry {
  /** Place in the box: they are sent in this order. */
  readonly n: number
  readonly user: number
  readonly kind: 'check-in' | 'order' | 'collection' | 'check-out' | 'photo'
  /** Visit it belongs to. */
  readonly visit: string
  readonly customer: { readonly id: number; readonly name: string }
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly file?: File | undefined
  readonly key: string
  readonly acknowledge?: readonly string[] | undefined
  readonly refused?: Refused | undefined
}

export type NewEntry = Omit<Entry, 'n' | 'user'>

/** Why the server does not take it. What comes after it waits, for it may depend on it. */
export interface Refused {
  readonly said: Said
  readonly errors: readonly FieldProblem[]
  readonly warnings: readonly Warning[]
}

export interface Delivery {
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
  readonly said: Said
}

/** Where the box is kept; entries come in their order. */
export interface BoxStore {
  all(user: number): Promise<readonly Entry[]>
  add(entry: Omit<Entry, 'n'>): Promise<void>
  put(entry: Entry): Promise<void>
  remove(n: number): Promise<void>
  /** Number of a visit on the server, once it is there. */
  visitId(key: string): Promise<number | undefined>
  keepVisitId(key: string, id: number): Promise<void>
}

export interface Ways {
  readonly store: BoxStore
  /** One tab at a time; `undefined` when another is at it. */
  readonly alone: (work: () => Promise<void>) => Promise<void>
  /** Rejects where nobody answers. */
  readonly post: (entry: Entry, path: string) => Promise<Delivery>
  /** Something in the box has changed; other tabs are told. */
  readonly tell: () => void
}

/** Sends what is in the box, oldest first, until it is empty, something is refused or nobody answers. */
export async function flush({ store, alone, post, tell }: Ways, user: number): Promise<void> {
  await alone(async () => {
    for (;;) {
      const [next] = await store.all(user)
      if (next === undefined || next.refused !== undefined) return
      let answer: Delivery
      try {
        answer = await post(next, await pathOf(store, next))
      } catch {
        return
      }
      // The session is over, too much at once, or the server is not well: it is worth sending again as it is.
      if (answer.status >= 500 || answer.status === 401 || answer.status === 429) return
      if (answer.status < 300) await delivered(store, next, answer)
      else await store.put({ ...next, refused: refusedBy(answer) })
      tell()
    }
  })
}

async function delivered(store: BoxStore, entry: Entry, { data }: Delivery): Promise<void> {
  if (entry.kind === 'check-in' && typeof data['ID'] === 'number') await store.keepVisitId(entry.visit, data['ID'])
  await store.remove(entry.n)
}

async function pathOf(store: BoxStore, { path, visit }: Entry): Promise<string> {
  return path.includes('{ID}') ? path.replace('{ID}', String((await store.visitId(visit)) ?? 0)) : path
}

function refusedBy({ data, said }: Delivery): Refused {
  return { said, errors: listed(data['errors']) as readonly FieldProblem[], warnings: listed(data['warnings']) as readonly Warning[] }
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
