import { describe, expect, test } from 'vitest'
import { flush, type BoxStore, type Delivery, type Entry, type NewEntry, type Ways } from '../../src/client/visits/outbox.ts'

const ok: Delivery = { status: 200, data: {}, said: { text: '' } }

function box() {
  let entries: Entry[] = []
  const ids = new Map<string, number>()
  let n = 0
  const store: BoxStore = {
    all: async (user) => entries.filter((entry) => entry.user === user).toSorted((a, b) => a.n - b.n),
    add: async (entry) => void entries.push({ ...entry, n: ++n }),
    put: async (entry) => void (entries = entries.map((one) => (one.n === entry.n ? entry : one))),
    remove: async (gone) => void (entries = entries.filter((one) => one.n !== gone)),
    visitId: async (key) => ids.get(key),
    keepVisitId: async (key, id) => void ids.set(key, id),
  }
  return { store, left: () => entries.map(({ key }) => key) }
}

const entry = (kind: NewEntry['kind'], key: string, path = `/${kind}`): Omit<Entry, 'n'> => ({ user: 7, kind, visit: 'v', customer: { id: 1, name: 'Toko' }, path, body: {}, key })

/** A server that does what has a key once, and answers as told. */
function server(answers: Readonly<Record<string, readonly (Delivery | 'lost' | 'away')[]>> = {}) {
  const done: string[] = []
  const sent: string[] = []
  const paths: string[] = []
  const left = new Map(Object.entries(answers).map(([key, list]) => [key, [...list]]))
  const post: Ways['post'] = async (one, path) => {
    const answer = left.get(one.key)?.shift() ?? ok
    if (answer === 'away') throw new Error('Nobody answers')
    sent.push(one.key)
    paths.push(path)
    // Lost on its way back: it has been done all the same.
    if ((answer === 'lost' || answer.status < 300) && !done.includes(one.key)) done.push(one.key)
    if (answer === 'lost') throw new Error('No answer came')
    return answer
  }
  return { done, sent, paths, post }
}

/** Locks as browsers hold them over tabs. */
function locks(): Ways['alone'] {
  let isHeld = false
  return async (work) => {
    if (isHeld) return
    isHeld = true
    try {
      await work()
    } finally {
      isHeld = false
    }
  }
}

describe('the outbox of a salesman', () => {
  test('sends in the order things were done, and keeps what nobody took', async () => {
    const { store, left } = box()
    const { done, post } = server({ b: ['away'] })
    for (const one of [entry('check-in', 'a'), entry('order', 'b'), entry('check-out', 'c')]) await store.add(one)
    const ways = { store, post, alone: locks(), tell: () => undefined }
    await flush(ways, 7)
    expect(left()).toEqual(['b', 'c'])
    await flush(ways, 7)
    expect(done).toEqual(['a', 'b', 'c'])
    expect(left()).toEqual([])
  })

  test('what was done but not answered is sent again under its key and done once', async () => {
    const { store, left } = box()
    const { done, sent, post } = server({ a: ['lost'] })
    await store.add(entry('check-in', 'a'))
    const ways = { store, post, alone: locks(), tell: () => undefined }
    await flush(ways, 7)
    expect(left()).toEqual(['a'])
    await flush(ways, 7)
    expect(sent).toEqual(['a', 'a'])
    expect(done).toEqual(['a'])
    expect(left()).toEqual([])
  })

  test('two tabs at once send each thing once', async () => {
    const { store, left } = box()
    const { sent, post } = server()
    for (const key of ['a', 'b', 'c']) await store.add(entry('order', key))
    const ways = { store, post, alone: locks(), tell: () => undefined }
    await Promise.all([flush(ways, 7), flush(ways, 7)])
    expect(sent).toEqual(['a', 'b', 'c'])
    expect(left()).toEqual([])
  })

  test('stops at what is refused and keeps why; once put right, the rest follows', async () => {
    const { store, left } = box()
    const refusal: Delivery = { status: 422, said: { text: 'No' }, data: { errors: [{ field: 'ReasonID', code: 'REQUIRED', text: 'A value is required.' }] } }
    const { done, post } = server({ a: [refusal] })
    for (const one of [entry('check-out', 'a'), entry('check-in', 'b')]) await store.add(one)
    const ways = { store, post, alone: locks(), tell: () => undefined }
    await flush(ways, 7)
    await flush(ways, 7)
    expect(done).toEqual([])
    const [first] = await store.all(7)
    expect(first?.refused).toMatchObject({ said: { text: 'No' }, errors: [{ field: 'ReasonID' }] })
    if (first !== undefined) await store.put({ ...first, refused: undefined, key: 'a2' })
    await flush(ways, 7)
    expect(done).toEqual(['a2', 'b'])
    expect(left()).toEqual([])
  })

  test.each([401, 429, 500, 503])('status %i is no refusal: it stays to be sent', async (status) => {
    const { store, left } = box()
    const { post } = server({ a: [{ status, data: {}, said: { text: '' } }] })
    await store.add(entry('order', 'a'))
    await flush({ store, post, alone: locks(), tell: () => undefined }, 7)
    expect(left()).toEqual(['a'])
    expect((await store.all(7))[0]?.refused).toBeUndefined()
  })

  test('a photo goes to the visit its check-in became, and the box of another user stays shut', async () => {
    const { store } = box()
    const { paths, post } = server({ a: [{ status: 200, data: { ID: 42 }, said: { text: '' } }] })
    await store.add(entry('check-in', 'a'))
    await store.add(entry('photo', 'p', '/customer-visit/{ID}/attachments'))
    await store.add({ ...entry('order', 'x'), user: 8 })
    await flush({ store, post, alone: locks(), tell: () => undefined }, 7)
    expect(paths).toEqual(['/check-in', '/customer-visit/42/attachments'])
    expect(await store.all(8)).toHaveLength(1)
  })
})
