import { beforeEach, expect, test, vi } from 'vitest'

const sent: string[] = []
vi.mock('#client/data/http.ts', () => ({
  newKey: () => 'key',
  send: async ({ path }: { readonly path: string }) => ({ ok: true, value: { path, number: sent.push(path) } }),
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

test('one nobody read in time, or another one, is no answer', async () => {
  const { askRecord, readRecord } = await import('#client/data/records.ts')
  await askRecord('customer', 7)
  await readRecord('customer', 8)
  await readRecord('vendor', 7)
  vi.advanceTimersByTime(6_000)
  await readRecord('customer', 7)
  expect(sent).toEqual(['/api/v1/data/customer/7', '/api/v1/data/customer/8', '/api/v1/data/vendor/7', '/api/v1/data/customer/7'])
})
