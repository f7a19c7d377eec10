import { describe, expect, test } from 'vitest'
import { conditionOf } from '#api/listQuery.ts'
import { listSetup } from '#api/listSetup.ts'
import { emptyState, isChanged, presetOf, readState, writeState, type ListState } from '#api/listState.ts'
import { fitView, type ViewedScreen } from '#api/viewQuery.ts'
import type { Filter } from '#api/view.ts'
import type { FieldType, ListScreen } from '#meta/resolved.ts'

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
  const soldTo = { ...column('sold_to_id'), type: 'ref' as const }
  const today: ViewedScreen = { columns: [column('code'), soldTo], filters: [soldTo], sort: [], renamed: { customer_id: 'sold_to_id' }, presets: [] }

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

  test('where an old field has gone into one that stands beside it, the view has that once', () => {
    const { view } = fitView(today, {
      columns: [{ name: 'sold_to_id', width: 200 }, { name: 'code' }, { name: 'customer_id' }],
      sort: [{ field: 'customer_id', dir: 'desc' }, { field: 'sold_to_id', dir: 'asc' }],
      groupBy: [{ field: 'sold_to_id' }, { field: 'customer_id' }],
      filters: [{ field: 'customer_id', op: 'in', value: [7] }, { field: 'sold_to_id', op: 'in', value: [7, 8] }],
    })
    expect(view).toEqual({
      columns: [{ name: 'sold_to_id', width: 200 }, { name: 'code' }],
      sort: [{ field: 'sold_to_id', dir: 'desc' }],
      groupBy: [{ field: 'sold_to_id' }],
      // What narrowed the rows by both goes on narrowing them by both.
      filters: [{ field: 'sold_to_id', op: 'in', value: [7] }, { field: 'sold_to_id', op: 'in', value: [7, 8] }],
    })
  })

  test('a view of which no column is left shows the columns of the screen, never an empty page', () => {
    expect(fitView(today, { columns: [{ name: 'region' }] })).toEqual({ view: {}, dropped: ['region'] })
  })

  test('what a field cannot be compared, grouped or sorted with is left out and named, whether a view or an address says it', () => {
    const of = (name: string, type: FieldType) => ({ ...column(name), type })
    const typed: ViewedScreen & { readonly id: string } = {
      id: 'typed.list', sort: [], filters: [of('status', 'status')],
      columns: [of('code', 'code'), of('day', 'date'), of('at', 'datetime'), of('total', 'money'), of('customer_id', 'ref'), of('is_open', 'boolean'), of('period', 'period'), of('tags', 'textlist')],
    }
    const right: readonly Filter[] = [
      { field: 'code', op: 'contains', value: 'SO' }, { field: 'code', op: 'in', value: ['a', 'b'] }, { field: 'day', op: 'within', value: 'last:7d' }, { field: 'day', op: 'between', value: ['2026-01-01', '2026-01-31'] },
      { field: 'at', op: 'ge', value: '2026-01-01' }, { field: 'at', op: 'lt', value: '2026-01-01T00:00:00Z' }, { field: 'total', op: 'ge', value: '100.005' }, { field: 'total', op: 'eq', value: -7 },
      { field: 'customer_id', op: 'in', value: [7] }, { field: 'customer_id', op: 'contains', value: 'Toko' }, { field: 'is_open', op: 'eq', value: false }, { field: 'period', op: 'eq', value: '202601' },
      { field: 'tags', op: 'contains', value: 'x' }, { field: 'total', op: 'empty', value: true }, { field: 'status', op: 'in', value: [99] }, { field: 'id', op: 'in', value: [1, 2] },
    ]
    expect(fitView(typed, { filters: right })).toEqual({ view: { filters: right }, dropped: [] })
    const wrong: readonly Filter[] = [
      { field: 'code', op: 'eq', value: 7 }, { field: 'code', op: 'within', value: 'today' }, { field: 'day', op: 'within', value: 'someDay' }, { field: 'day', op: 'eq', value: '2026-13-45' }, { field: 'day', op: 'between', value: ['2026-01-01'] },
      { field: 'day', op: 'ge', value: '0001-01-01' }, { field: 'at', op: 'eq', value: 'noon' }, { field: 'total', op: 'ge', value: 'abc' }, { field: 'total', op: 'within', value: 'thisMonth' }, { field: 'total', op: 'eq', value: ['1'] },
      { field: 'customer_id', op: 'eq', value: 'abc' }, { field: 'customer_id', op: 'in', value: 7 }, { field: 'customer_id', op: 'in', value: [99_999_999_999] }, { field: 'is_open', op: 'eq', value: 'yes' }, { field: 'period', op: 'eq', value: '202613' },
      { field: 'tags', op: 'lt', value: 'x' }, { field: 'total', op: 'empty', value: 'yes' }, { field: 'status', op: 'in', value: ['x'] }, { field: 'id', op: 'eq', value: 1.5 },
    ]
    for (const filter of wrong) expect(fitView(typed, { filters: [filter] }), JSON.stringify(filter)).toEqual({ view: { filters: [] }, dropped: [filter.field] })
    expect(fitView(typed, { groupBy: [{ field: 'day', by: 'month' }, { field: 'status', by: 'month' }, { field: 'tags' }, { field: 'id' }], sort: [{ field: 'tags', dir: 'asc' }, { field: 'id', dir: 'desc' }] })).toEqual({
      view: { groupBy: [{ field: 'day', by: 'month' }], sort: [{ field: 'id', dir: 'desc' }] }, dropped: ['tags', 'status', 'id'],
    })
    const { state, dropped } = listSetup(typed, new URLSearchParams('f.day=ge:"2026-1"&f.total=ge:"10&f.code=contains:"SO"&g=ghost,status&v=urgent'), [], {})
    expect(state).toEqual({ search: '', page: 1, filters: [{ field: 'code', op: 'contains', value: 'SO' }], group: [{ field: 'status' }] })
    expect(dropped.toSorted()).toEqual(['day', 'ghost', 'total', 'urgent'])
    // A name the page does not know, beside those of its parts.
    const typedByHand = new URLSearchParams('DateFrom=2026-01-01&q=SO&p=2&edit=7&tab=due&import=1&batch=3&active=1&n=25')
    expect(listSetup({ ...typed, presetQuery: { parameter: 'active', presets: [] } }, typedByHand, [], {}).dropped).toEqual(['DateFrom'])
    expect(listSetup(typed, typedByHand, [], {}).dropped).toEqual(['DateFrom', 'active'])
  })
})
