import { beforeEach, expect, it, vi } from 'vitest'
import type * as LookupClient from '#client/form/lookupClient.ts'
import { orderColumns as columns } from './lineColumns.ts'
import type { LineColumn } from '#meta/resolved.ts'

type Found = Awaited<ReturnType<typeof LookupClient.resolveOptions>>
type One = Awaited<ReturnType<typeof LookupClient.findOption>>

const known = new Map([['A', { ID: 1, Code: 'A', Name: 'Item A', SalesUom: 'CTN' }]])
const server = vi.hoisted(() => ({ isAway: false, meanwhile: (): void => undefined }))
vi.mock('#client/form/lookupClient.ts', async (original) => ({
  ...(await original<typeof LookupClient>()),
  resolveOptions: async (_: unknown, codes: readonly string[]): Promise<Found> => {
    server.meanwhile()
    return server.isAway ? undefined : codes.map((code) => known.get(code) ?? null)
  },
  findOption: async (_: unknown, wanted: string): Promise<One> => {
    server.meanwhile()
    return server.isAway ? undefined : ([...known.values()].find(({ Code, Name }) => Code === wanted || Name.startsWith(wanted)) ?? null)
  },
}))

const { LineEntry } = await import('#client/grid/lineEntry.ts')
const { LineStore } = await import('#client/grid/lineStore.ts')
const { insertRow, shownText } = await import('#client/grid/gridModel.ts')

const [item] = columns
if (item === undefined) throw new Error('The grid has a column for the item.')

function stage() {
  const store = new LineStore(columns, 100, [{ ItemID: 1, ItemCode: 'A', ItemName: 'Item A', Qty: '5', Uom: 'CTN' }])
  const row = (index = 1) => store.rows[index]
  const type = async (code: string) => {
    new LineEntry(store, () => undefined).takeText(row()?.key ?? '', item as NonNullable<typeof item>, code)
    await new Promise((done) => setTimeout(done))
  }
  return { store, row, type, entry: new LineEntry(store, () => undefined) }
}

beforeEach(() => {
  server.isAway = false
  server.meanwhile = () => undefined
})

it('a paste whose codes cannot be looked up takes nothing, and says so instead of calling them unknown', async () => {
  const { store, entry } = stage()
  const before = store.rows
  server.isAway = true
  store.moveTo(1, 0)
  expect(await entry.takePaste('A\t3\r\nB\t4', '')).toBeUndefined()
  expect([store.rows, store.steps]).toEqual([before, 0])
  server.isAway = false
  expect(await entry.takePaste('A\t3\r\nB\t4', '')).toMatchObject({ total: 4 })
  expect(store.rows.map(({ values }) => [values['ItemID'], values['Qty']])).toEqual([[1, '5'], [1, '3'], [undefined, '4'], [undefined, undefined]])
  expect(store.rows[2]).toMatchObject({ typed: { ItemID: 'B' }, problems: { ItemID: { key: 'ui.paste.unknownCode' } } })
})

it('a paste goes to the line it was meant for, though lines came above it while its codes were looked up', async () => {
  const { store, entry } = stage()
  store.moveTo(1, 0)
  server.meanwhile = () => store.edit(insertRow(store.rows, 0, store.max, store.newKey))
  await entry.takePaste('A\t3', '')
  expect(store.rows.map(({ values }) => values['Qty'])).toEqual([undefined, '5', '3', undefined])
})

it('a code typed while the server is away stays, is not called unknown, and typed again is looked up again', async () => {
  const { row, type } = stage()
  server.isAway = true
  await type('A')
  expect(row()).toMatchObject({ typed: { ItemID: 'A' }, problems: { ItemID: { key: 'ui.lookup.failed', params: { text: 'A' } } } })
  server.isAway = false
  await type('A')
  expect(row()).toMatchObject({ values: { ItemID: 1, ItemCode: 'A', ItemName: 'Item A', Uom: 'CTN' }, problems: {}, typed: undefined })
  await type('NOBODY')
  expect(row()).toMatchObject({ values: { ItemID: null, ItemCode: null }, typed: { ItemID: 'NOBODY' }, problems: { ItemID: { key: 'ui.paste.unknownCode' } } })
})

it('what names one record alone is that record in a cell too, as it is when the list under it has come', async () => {
  const { row, type } = stage()
  await type('Item')
  expect(row()).toMatchObject({ values: { ItemID: 1, ItemCode: 'A', Uom: 'CTN' }, problems: {}, typed: undefined })
})

it('codes that nobody could look up are looked up again where somebody needs them, also out of a draft; those of nothing are not', async () => {
  const { store } = stage()
  store.load([{ Qty: '2', '#typed': { ItemID: 'A' } }, { Qty: '3', '#typed': { ItemID: 'NOBODY' } }])
  const asked = vi.fn<() => void>()
  server.meanwhile = asked
  const again = async () => {
    store.lookUpAgain()
    store.lookUpAgain()
    await store.settled
  }
  server.isAway = true
  await again()
  expect([asked.mock.calls.length, store.rows[0]?.problems]).toMatchObject([2, { ItemID: { key: 'ui.lookup.failed' } }])
  server.isAway = false
  await again()
  expect([asked.mock.calls.length, store.rows[0], store.rows[1]]).toMatchObject([4, { values: { ItemID: 1, ItemCode: 'A', Qty: '2', Uom: 'CTN' }, problems: {} }, { typed: { ItemID: 'NOBODY' }, problems: { ItemID: { key: 'ui.paste.unknownCode' } } }])
  await again()
  expect(asked).toHaveBeenCalledTimes(4)
})

it('text that is no value stays in the cell it was pasted into, though a new line has a default or an empty tick there', async () => {
  const choice = { ...columns[2], name: 'priority', wire: 'Priority', type: 'enum', label: 'field.priority', required: false, default: 'NORMAL', choices: [{ value: 'NORMAL', label: 'Normal', tone: 'neutral' }] } as LineColumn
  const tick = { ...columns[2], name: 'is_urgent', wire: 'IsUrgent', type: 'boolean', label: 'field.is_urgent', required: false } as LineColumn
  const store = new LineStore([...columns.slice(0, 2), choice, tick], 100)
  await new LineEntry(store, () => undefined).takePaste('A\t3\tNope\tmaybe', '')
  const [row] = store.rows
  expect(row?.values['Priority'] ?? null).toBeNull()
  expect([choice, tick].map((column) => shownText(column, row as NonNullable<typeof row>, (key) => key))).toEqual(['Nope', 'maybe'])
  expect(store.rows.map(({ values }) => values['Priority'])).toEqual([undefined, undefined])
})
