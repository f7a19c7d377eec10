import { describe, expect, test } from 'vitest'
import { conditionOf } from '#api/listQuery.ts'
import { listSetup } from '#api/listSetup.ts'
import { emptyState, isChanged, presetOf, readState, writeState, type ListState } from '#api/listState.ts'
import { fitView, type ViewedScreen } from '#api/viewQuery.ts'
import type { ListScreen } from '#meta/resolved.ts'

const screen: ListScreen = {
  kind: 'list',
  id: 'order.list',
  title: 'screen.order.list',
  guard: 'order-view',
  entity: 'order',
  resource: 'order',
  columns: [],
  filters: [],
  sort: [{ field: 'doc_date', dir: 'desc' }],
  presets: [
    { id: 'open', label: 'preset.open', where: { status: { in: [1, 2] } }, default: true, count: true },
    { id: 'late', label: 'preset.late', where: { due_date: { lt: { now: 'date' } } }, default: false, count: false },
  ],
  groupBy: [],
  renamed: {},
  emphasis: [],
  where: { customer_id: { param: 'id' } },
  actions: [],
  empty: 'empty.list',
}

const full: ListState = {
  search: 'maju jaya & co',
  page: 3,
  length: 100,
  sort: [{ field: 'total', dir: 'desc' }, { field: 'id', dir: 'asc' }],
  filters: [
    { field: 'status', op: 'in', value: [0, 4] },
    { field: 'doc_date', op: 'within', value: 'last:7d' },
    { field: 'total', op: 'between', value: ['100.00', '200.50'] },
    { field: 'is_pkp', op: 'eq', value: true },
  ],
  preset: 'late',
}

test('a state survives its URL', () => {
  expect(readState(new URLSearchParams(new URLSearchParams(writeState(full, new URLSearchParams())).toString()))).toEqual(full)
})

test('defaults leave no trace in the URL, other parameters stay', () => {
  expect(writeState(emptyState, new URLSearchParams('tab=plans&q=old&p=4&f.status=in:[1]'))).toEqual([['tab', 'plans']])
})

test('a query cut or typed by hand opens the list without what cannot be read', () => {
  const query = new URLSearchParams('p=minus&n=99999&f.status=in:[1&f.total=shout:"1"&f.code=contains:"SO"&f.note=eq:{"a":1}')
  expect(readState(query)).toEqual({ search: '', page: 1, filters: [{ field: 'code', op: 'contains', value: 'SO' }] })
})

test('the condition holds the fixed filter with its parameter, the preset and every chip', () => {
  const state: ListState = { ...emptyState, filters: [{ field: 'total', op: 'ge', value: '100.00' }] }
  expect(conditionOf(screen, state, { id: '17' })).toEqual({
    all: [{ customer_id: 17 }, { status: { in: [1, 2] } }, { total: { ge: '100.00' } }],
  })
  expect(conditionOf({ ...screen, presets: [], where: { status: 1 } }, emptyState, {})).toEqual({ status: 1 })
})

test('what is none of the values named may also have none at all', () => {
  const state: ListState = { ...emptyState, filters: [{ field: 'reason_id', op: 'nin', value: [3, 4] }, { field: 'total', op: 'ne', value: '5.00' }] }
  expect(conditionOf({ ...screen, presets: [], where: {} }, state, {})).toEqual({ all: [{}, { not: { reason_id: { in: [3, 4] } } }, { not: { total: { eq: '5.00' } } }] })
})

test('the default preset is in effect until another one, or none, is chosen', () => {
  expect(presetOf(screen, emptyState)?.id).toBe('open')
  expect(presetOf(screen, { ...emptyState, preset: 'late' })?.id).toBe('late')
  expect(presetOf(screen, { ...emptyState, preset: 'none' })).toBeUndefined()
})

test('asking for no preset changes a list that opens with one, and no other', () => {
  const asked = (of: ListScreen) => {
    const { state, base } = listSetup(of, new URLSearchParams('v=none'), [], {})
    return isChanged(state, base)
  }
  expect(asked(screen)).toBe(true)
  expect(asked({ ...screen, presets: screen.presets.filter((preset) => !preset.default) })).toBe(false)
})

describe('Complaint 15: configuration fails silently or far away', () => {
  const column = (name: string) => ({ name, wire: name, type: 'text' as const, label: `field.${name}`, required: false, readOnly: false, nullable: true, importance: 'medium' as const, hidden: false, sortable: true, filterable: true })
  const today: ViewedScreen = { columns: [column('code'), column('sold_to_id')], filters: [column('sold_to_id')], sort: [], renamed: { customer_id: 'sold_to_id' }, presets: [] }

  test('a saved view follows a renamed field and names what is gone, and the rest of it stands', () => {
    const { view, dropped } = fitView(today, {
      columns: [{ name: 'customer_id', width: 200, pin: 'left' }, { name: 'region' }, { name: 'code' }],
      filters: [{ field: 'customer_id', op: 'in', value: [7] }, { field: 'customer_id.name', op: 'contains', value: 'Toko' }, { field: 'region', op: 'eq', value: 'W' }],
      sort: [{ field: 'region', dir: 'asc' }, { field: 'customer_id', dir: 'desc' }],
      groupBy: [{ field: 'customer_id' }],
      preset: 'urgent',
    })
    expect(view).toEqual({
      columns: [{ name: 'sold_to_id', width: 200, pin: 'left' }, { name: 'code' }],
      filters: [{ field: 'sold_to_id', op: 'in', value: [7] }],
      sort: [{ field: 'sold_to_id', dir: 'desc' }],
      groupBy: [{ field: 'sold_to_id' }],
    })
    expect(dropped.toSorted()).toEqual(['customer_id.name', 'region', 'urgent'])
  })

  test('a view of which no column is left shows the columns of the screen, never an empty page', () => {
    expect(fitView(today, { columns: [{ name: 'region' }] })).toEqual({ view: {}, dropped: ['region'] })
  })
})
