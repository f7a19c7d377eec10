import { beforeEach, expect, test, vi } from 'vitest'
import type { ApprovalScreen } from '#meta/resolved.ts'

const sent: string[] = []
const answers = new Map<string, object>()
const refused = new Set<string>()
vi.mock('#client/data/http.ts', () => ({
  newKey: () => 'key',
  send: async ({ path }: { readonly path: string }) => {
    const value = { path, number: sent.push(path), ...answers.get(path) }
    if ('pending' in value) await new Promise(() => undefined)
    return refused.has(path) ? { ok: false, problem: { code: 'NOT_FOUND' } } : { ok: true, value }
  },
}))

beforeEach(() => {
  sent.length = 0
  vi.useFakeTimers()
})

test('a record asked for while its page is on its way is asked for once, and read anew the next time', async () => {
  const { askRecord, readRecord } = await import('#client/data/records.ts')
  void askRecord('customer', 7)
  void askRecord('customer', 7)
  expect(sent).toEqual(['/api/v1/data/customer/7'])
  const first = await readRecord('customer', 7)
  expect(sent).toHaveLength(1)
  expect(await readRecord('customer', 7)).not.toEqual(first)
  expect(sent).toHaveLength(2)
})

test('what was asked before a command is asked anew after it', async () => {
  const { askRecord, readRecord } = await import('#client/data/records.ts')
  const { forgetAnswers } = await import('#client/data/lastAnswers.ts')
  forgetAnswers()
  await askRecord('customer', 7)
  forgetAnswers()
  await readRecord('customer', 7)
  expect(sent).toHaveLength(2)
})

test('one nobody read in time, or another one, is no answer', async () => {
  const { askRecord, readRecord } = await import('#client/data/records.ts')
  const { forgetAnswers } = await import('#client/data/lastAnswers.ts')
  forgetAnswers()
  await askRecord('customer', 7)
  await readRecord('customer', 8)
  await readRecord('vendor', 7)
  vi.advanceTimersByTime(6_000)
  await readRecord('customer', 7)
  expect(sent).toEqual(['/api/v1/data/customer/7', '/api/v1/data/customer/8', '/api/v1/data/vendor/7', '/api/v1/data/customer/7'])
})

test('what has come is there to be shown before it is read', async () => {
  const { askRecord, foreseenRecord } = await import('#client/data/records.ts')
  const coming = askRecord('item', 3)
  expect(foreseenRecord('item', 3)).toBeUndefined()
  await coming
  expect(foreseenRecord('item', 3)).toMatchObject({ path: '/api/v1/data/item/3' })
  expect(foreseenRecord('item', 4)).toBeUndefined()
})

test('a record read before is shown at once to who comes back, asked for anew, and told as the same while it says the same', async () => {
  const { askRecord, foreseenRecord, readRecord } = await import('#client/data/records.ts')
  answers.set('/api/v1/data/item/5', { number: 1 })
  const first = await readRecord('item', 5)
  await askRecord('item', 5)
  expect(foreseenRecord('item', 5)).toEqual(first.ok && first.value)
  const reading = readRecord('item', 5)
  expect(sent).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(100)
  const again = await reading
  expect(sent).toHaveLength(2)
  expect(again.ok && again.value).toBe(first.ok && first.value)
  answers.set('/api/v1/data/item/5', { number: 2 })
  expect(await readRecord('item', 5)).toMatchObject({ value: { number: 2 } })
  expect(foreseenRecord('item', 5)).toMatchObject({ number: 2 })
})

test('whoever comes back does not wait for the new answer, nor the page for the question', async () => {
  const { askRecord, readRecord } = await import('#client/data/records.ts')
  await readRecord('item', 6)
  answers.set('/api/v1/data/item/6', { pending: true })
  await askRecord('item', 6)
  expect(sent).toEqual(['/api/v1/data/item/6'])
  await vi.advanceTimersByTimeAsync(100)
  expect(sent).toEqual(['/api/v1/data/item/6', '/api/v1/data/item/6'])
})

test('of a record that is refused by now, of one read long ago and of any after a command nothing is left to be shown', async () => {
  const { foreseenRecord, readRecord } = await import('#client/data/records.ts')
  const { forgetAnswers } = await import('#client/data/lastAnswers.ts')
  await readRecord('item', 100)
  refused.add('/api/v1/data/item/100')
  await readRecord('item', 100)
  expect(foreseenRecord('item', 100)).toBeUndefined()
  for (let id = 101; id <= 121; id++) await readRecord('item', id)
  expect([foreseenRecord('item', 101), foreseenRecord('item', 102)]).toEqual([undefined, expect.anything()])
  forgetAnswers()
  expect(foreseenRecord('item', 121)).toBeUndefined()
})

test('a queue brings what opens with it: the request and the document of the row the address names', async () => {
  const { askQueueEarly, foreseenQueue } = await import('#client/approval/askQueue.ts')
  const { foreseenRequest } = await import('#client/data/approvals.ts')
  answers.set('/api/v1/approval/order/submit', { rows: [{ ID: 1, DocID: 10 }, { ID: 2, DocID: 20 }] })
  const screen = { id: 'approval.order', docType: 'order', transition: 'submit', columns: [] } as unknown as ApprovalScreen
  await askQueueEarly(screen, 'order', 'id=2')
  expect(sent).toEqual(['/api/v1/approval/order/submit', '/api/v1/approval/request/2', '/api/v1/data/order/20'])
  expect(foreseenQueue(screen, new URLSearchParams('id=2'))).toMatchObject({ rows: [{ ID: 1 }, { ID: 2 }] })
  expect(foreseenRequest(2)).toBeDefined()
  expect(foreseenRequest(1)).toBeUndefined()
})
