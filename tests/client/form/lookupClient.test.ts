import { beforeEach, expect, it, vi } from 'vitest'
import { accept } from '#base/result.ts'

const items = [{ ID: 1, Code: 'AB', Name: 'Tea' }, { ID: 2, Code: 'ABC', Name: 'Tea, green' }, { ID: 3, Code: 'X', Name: 'Sugar' }]
const asked = vi.hoisted(() => vi.fn<(what: string) => void>())
vi.mock('#client/data/records.ts', () => ({
  resolveCodes: async (_: string, { codes }: { codes: readonly string[] }) => {
    asked('code')
    return accept({ records: codes.map((code) => items.find((item) => item.Code === code) ?? null) })
  },
  lookupRecords: async (_: string, { search, length }: { search: string; length: number }) => {
    asked('search')
    return accept({ records: items.filter((item) => `${item.Code} ${item.Name}`.includes(search)).slice(0, length) })
  },
}))

const { findOption } = await import('#client/form/lookupClient.ts')

beforeEach(() => asked.mockClear())

it('a text is the record of exactly that code, else the only one it finds, and never the first of several', async () => {
  const found = (text: string) => findOption({ entity: 'item', filter: undefined, columns: [] }, text)
  expect((await found('AB'))?.ID, 'though it begins another').toBe(1)
  expect(asked.mock.calls).toEqual([['code']])
  expect([(await found('Sug'))?.ID, await found('Tea'), await found('None')]).toEqual([3, null, null])
})
