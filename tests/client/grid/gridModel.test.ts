import { describe, expect, it } from 'vitest'
import {
  checkRow,
  clearRange,
  copyRange,
  deleteRows,
  emptyRow,
  enteredRows,
  fillDown,
  insertRow,
  setTyped,
  setValues,
  shownText,
  takeComputed,
  totalsOf,
} from '#client/grid/gridModel.ts'
import { applyPaste, planPaste, refusedOf, type Pasted } from '#client/grid/paste.ts'
import { LineStore, typedKey } from '#client/grid/lineStore.ts'
import type { LineColumn } from '#meta/resolved.ts'
import { orderColumns as columns } from './lineColumns.ts'
import type { GridRow, Rows } from '#client/grid/gridModel.ts'

const label = (key: string) => key
const line = (key: string, values: Record<string, unknown>, fixed = false): GridRow => ({ key, values, problems: {}, fixed })
const a = { ItemID: 1, ItemCode: 'A', ItemName: 'Item A', Qty: '24', Uom: 'CTN' }
const b = { ItemID: 2, ItemCode: 'B', ItemName: 'Item B', Qty: '10', Uom: 'CTN' }
const values = (rows: Rows) => rows.map((row) => row.values)

describe('editing', () => {
  it('leaves untouched rows identical', () => {
    const rows = [line('1', a), line('2', b)]
    const next = setValues(rows, 1, { Qty: '11' })
    expect(next[0]).toBe(rows[0])
    expect(next[1]?.values).toEqual({ ...b, Qty: '11' })
    expect(setValues(rows, 1, { Qty: '10.000' })).toBe(rows)
  })

  it('fills down with the label of a reference, and from the row above when one row is selected', () => {
    const rows = [line('1', a), line('2', {}), line('3', {})]
    expect(values(fillDown(rows, columns, { top: 0, bottom: 2, left: 0, right: 1 }))).toEqual([
      a,
      { ItemID: 1, ItemCode: 'A', ItemName: 'Item A', Qty: '24', Uom: 'CTN' },
      { ItemID: 1, ItemCode: 'A', ItemName: 'Item A', Qty: '24', Uom: 'CTN' },
    ])
    expect(values(fillDown(rows, columns, { top: 1, bottom: 1, left: 1, right: 4 }))[1]).toEqual({ Qty: '24', Uom: 'CTN' })
  })

  it('fills down what a reference fills where nothing stands yet', () => {
    const rows = [line('1', a), line('2', { Uom: 'PCS' }), line('3', {})]
    const filled = fillDown(rows, columns, { top: 0, bottom: 2, left: 0, right: 0 })
    expect(filled.map((row) => [row.values['ItemCode'], row.values['Uom'], row.values['Qty']])).toEqual([['A', 'CTN', '24'], ['A', 'PCS', undefined], ['A', 'CTN', undefined]])
  })

  it('deletes what the server put under a line with the line, and inserts never between them', () => {
    const rows = [line('1', a), line('1/0', { IsFree: true }, true), line('2', b)]
    expect(deleteRows(rows, { top: 0, bottom: 0, left: 0, right: 0 }).map((row) => row.key)).toEqual(['2'])
    expect(deleteRows(rows, { top: 1, bottom: 1, left: 0, right: 0 }).map((row) => row.key)).toEqual(['1', '1/0', '2'])
    expect(insertRow(rows, 1, 10, () => 'new').map((row) => row.key)).toEqual(['new', '1', '1/0', '2'])
    expect(insertRow(rows, 2, 3, () => 'new')).toBe(rows)
  })

  it('names what is missing or out of bounds, but not in an empty row', () => {
    expect(checkRow(line('1', { ItemID: 1, Qty: '0' }), columns)).toEqual({
      Qty: { key: 'ui.check.min', params: { limit: '0.001' } },
      Uom: { key: 'ui.check.required' },
    })
    expect(checkRow(emptyRow('1'), columns)).toEqual({})
  })

  it('adds up exactly', () => {
    expect(totalsOf([line('1', { Total: '0.10' }), line('2', { Total: '0.20' }), line('3', {})], columns)).toEqual({ Total: '0.3' })
  })

  it('shows and copies', () => {
    const row = line('1', { ...a, Price: '118000.0000', Total: '2832000' })
    expect(columns.map((column) => shownText(column, row, label))).toEqual(['A  Item A', '24', 'CTN', '118,000', '2,832,000.00'])
    expect(copyRange([row], columns, { top: 0, bottom: 0, left: 0, right: 4 })).toEqual([['A', '24', 'CTN', '118000', '2832000']])
  })
})

describe('Complaint 11: paste from a spreadsheet drops rows and skips lookups', () => {
  const found = new Map([['ItemID', new Map<string, Record<string, unknown> | null>([['A', { ID: 1, Code: 'A', Name: 'Item A', SalesUom: 'CTN' }], ['X', null]])]])
  const options = { today: '2025-06-10', label, newKey: () => 'new' }

  it('looks each code up once, fills from it, and lists what it refuses', () => {
    const plan = planPaste('A\t24\nA\tmany\nX\t3\t\t99\n', columns, 0, 10, label)
    expect([...plan.codes]).toEqual([['ItemID', ['A', 'X']]])
    expect({ height: plan.height, overflow: plan.overflow, skipped: plan.skipped }).toEqual({ height: 3, overflow: 0, skipped: 1 })
    const result = applyPaste([emptyRow('1')], 0, plan, found, options)
    expect(values(result.rows)).toEqual([
      { ItemID: 1, ItemCode: 'A', ItemName: 'Item A', Uom: 'CTN', Qty: '24' },
      { ItemID: 1, ItemCode: 'A', ItemName: 'Item A', Uom: 'CTN' },
      { Qty: '3' },
    ])
    // Nothing pasted is gone: what is refused stands in its cell, with the reason.
    expect(result.rows.map(({ typed, problems }) => [typed, problems])).toEqual([
      [undefined, {}],
      [{ Qty: 'many' }, { Qty: { key: 'ui.entry.number', params: { text: 'many', plain: 'many', places: 3 } } }],
      [{ ItemID: 'X' }, { ItemID: { key: 'ui.paste.unknownCode', params: { code: 'X' } } }],
    ])
  })

  it('follows a heading row', () => {
    const plan = planPaste('field.qty\tfield.item_id\n7\tA', columns, 0, 10, label)
    expect(values(applyPaste([], 0, plan, found, options).rows)).toEqual([{ ItemID: 1, ItemCode: 'A', ItemName: 'Item A', Uom: 'CTN', Qty: '7' }])
  })

  it('follows headings of which most are columns here, by label or by name, and names the others', () => {
    const plan = planPaste('Uom\tRemarks\tItem Code\tfield.qty\nCTN\thurry\tA\t5\n', columns, 0, 10, label)
    expect([plan.cells.map(({ column, text }) => [column.wire, text]), plan.skipped, plan.foreign]).toEqual([[['Uom', 'CTN'], ['ItemID', 'A'], ['Qty', '5']], 1, ['Remarks']])
    // One word among values is no heading.
    expect(planPaste('Uom\tX\nCTN\tY\n', columns, 0, 10, label)).toMatchObject({ height: 2, foreign: [] })
    // Wide letters, two blanks and an accent of its own: the same heading, the same code.
    const wide = planPaste('\uff35om\tItem\u00a0 Code\tfield.qty\nCTN\tCafe\u0301  1\t5\n', columns, 0, 10, label)
    expect([wide.foreign, wide.codes.get('ItemID')]).toEqual([[], ['Caf\u00e9 1']])
  })

  it('keeps what a code fills where the cell beside it was empty, and what was pasted where it was not', () => {
    const plan = planPaste('A\t24\t\nA\t1\tPCS', columns, 0, 10, label)
    expect(values(applyPaste([], 0, plan, found, options).rows).map((row) => row['Uom'])).toEqual(['CTN', 'PCS'])
    const turned = planPaste('field.uom\tfield.item_id\nPCS\tA', columns, 0, 10, label)
    expect(values(applyPaste([], 0, turned, found, options).rows)[0]).toMatchObject({ ItemID: 1, Uom: 'PCS' })
  })

  it('repeats what was copied over a selection it fits a whole number of times', () => {
    const rows = ['1', '2', '3', '4'].map((key) => emptyRow(key))
    const over = (text: string, height: number) => values(applyPaste(rows, 0, planPaste(text, columns, 1, 10, label, { rows: height, columns: 1, own: '' }), found, options).rows).map((row) => row['Qty'])
    expect(over('7', 3)).toEqual(['7', '7', '7', undefined])
    expect(over('7\n8', 4)).toEqual(['7', '8', '7', '8'])
    expect(over('7\n8', 3)).toEqual(['7', '8', undefined, undefined])
  })

  it('leaves out what came of other lines where those are copied with it, and takes it where it is copied alone', () => {
    const quantities = (text: string, own: string) => values(applyPaste([], 0, planPaste(text, columns, 1, 10, label, { rows: 1, columns: 1, own }), found, options).rows).map((row) => row['Qty'])
    expect(quantities('1\n24\n3', '+-+')).toEqual(['1', '3'])
    expect(quantities('24\n48', '--')).toEqual(['24', '48'])
    expect(quantities('1\n24\n3', '')).toEqual(['1', '24', '3'])
  })

  it('reads numbers as the spreadsheet of their country writes them, and guesses none', () => {
    const pasted = (text: string, own = '') => {
      const result = applyPaste([], 0, planPaste(text, columns, 1, 10, label, { rows: 1, columns: 1, own }), found, options)
      return [...values(result.rows).map((row) => row['Qty'] ?? null), ...result.rows.flatMap(({ problems }) => Object.values(problems)).map((reason) => ('key' in reason ? reason.key : ''))]
    }
    expect(pasted('1.000\n2,5\nRp 1.000.000')).toEqual(['1000', '2.5', '1000000'])
    expect(pasted('1,000\n2.5')).toEqual(['1000', '2.5'])
    expect(pasted('1.000\n10')).toEqual([null, '10', 'ui.entry.thousand'])
    expect(pasted('12.345', '+')).toEqual(['12.345'])
    expect(pasted('0.125')).toEqual(['0.125'])
    expect(pasted('1,5\n2.5')).toEqual([null, '2.5', 'ui.entry.comma'])
  })

  it('reads days by the names of their months, as a bank writes them', () => {
    const days: readonly LineColumn[] = [{ name: 'value_date', wire: 'ValueDate', type: 'date', label: 'field.value_date', required: true, readOnly: false, width: 100, entry: true }]
    const plan = planPaste('10 Mar 2026\n11-Agt-26\n3月12日\nMar\n', days, 0, 10, label)
    expect(applyPaste([], 0, plan, found, options).rows.map(({ values, typed }) => values['ValueDate'] ?? typed?.['ValueDate'])).toEqual(['2026-03-10', '2026-08-11', `${options.today.slice(0, 4)}-03-12`, 'Mar'])
  })

  it('steps over lines the server made and keeps to the limit', () => {
    const rows = [line('1', a), line('1/0', { IsFree: true, Qty: '2' }, true)]
    const plan = planPaste('1\n2\n3', columns, 1, 2, label)
    expect(plan.overflow).toBe(1)
    expect(values(applyPaste(rows, 0, plan, found, options).rows)).toEqual([{ ...a, Qty: '1' }, { IsFree: true, Qty: '2' }, { Qty: '2' }])
  })
})

describe('what a paste could not take', () => {
  const options = { today: '2026-11-20' as never, label, newKey: () => 'new' }
  const paste = (rows: Rows, text: string) => {
    const plan = planPaste(text, columns, 1, 100, label)
    const result = applyPaste(rows, 0, plan, new Map(), options)
    const pasted: Pasted = { keys: result.keys, wires: new Set(plan.cells.map(({ column }) => column.wire)), rows: new Map(result.rows.map((row) => [row.key, row])) }
    return { rows: result.rows, refused: (now: Rows) => refusedOf(now, columns, pasted).map(({ row, rowKey, column, text: cell }) => [row, rowKey, column.wire, cell]) }
  }

  it('is told with the row it fell on, wherever that stands now, until it is put right', () => {
    const { rows, refused } = paste([line('1', a), line('2', b)], 'abc\tCTN\n5\tCTN')
    expect(refused(rows)).toEqual([[1, '1', 'Qty', 'abc']])
    expect(refused(insertRow(rows, 0, 10, () => 'above'))).toEqual([[1, '1', 'Qty', 'abc']])
    expect(refused(setValues(rows, 0, { Qty: '7' }))).toEqual([])
    expect(refused(rows.slice(1))).toEqual([])
  })

  it('names what the server refused later, not what was typed since or never pasted', () => {
    const { rows, refused } = paste([line('1', a), line('2', b)], '5\tXXX')
    expect(refused(rows)).toEqual([])
    const told = rows.map((row, i) => (i === 0 ? { ...row, problems: { Uom: { text: 'No such unit' }, ItemID: { text: 'No such item' } } } : row))
    expect(refused(told)).toEqual([[1, '1', 'Uom', 'XXX']])
    const typed = setValues(told, 0, { Uom: 'YYY' }).map((row) => ({ ...row, problems: { Uom: { text: 'No such unit' } } }))
    expect(refused(typed)).toEqual([])
  })
})

describe('what is typed and is no value', () => {
  const [item, qty] = columns
  if (item === undefined || qty === undefined) throw new Error('An order has items and quantities.')
  const problem = { key: 'ui.entry.number', params: { text: 'many', plain: 'many', places: 3 } } as const
  const rows = setTyped([line('1', a), emptyRow('2')], 0, qty, '1.2.3', problem)

  it('stands in its cell instead of the value before, on paper and in the clipboard too, and counts as nothing', () => {
    expect([shownText(qty, rows[0] as GridRow, label), copyRange(rows, columns, { top: 0, bottom: 0, left: 1, right: 1 }), rows[0]?.values['Qty']]).toEqual(['1.2.3', [['1.2.3']], null])
    expect(rows[0]?.problems).toEqual({ Qty: problem })
  })

  it('makes a line of an empty row, which is then not left out of what is saved', () => {
    const typed = setTyped(rows, 1, item, 'NOBODY')
    expect(enteredRows(typed, columns).map(({ key }) => key)).toEqual(['1', '2'])
    expect(shownText(item, typed[1] as GridRow, label)).toBe('NOBODY')
  })

  it('goes when the cell is typed over, with the value of before too, cleared or filled', () => {
    for (const next of [setValues(rows, 0, { Qty: '24' }), clearRange(rows, columns, { top: 0, bottom: 0, left: 1, right: 1 })]) {
      expect([next[0]?.typed, next[0]?.problems]).toEqual([undefined, {}])
    }
    expect(setValues(setTyped(rows, 0, item, 'X'), 0, { Qty: '1' })[0]?.typed).toEqual({ ItemID: 'X' })
  })

  it('is filled down as it is', () => {
    const filled = fillDown(rows, columns, { top: 0, bottom: 1, left: 0, right: 1 })
    expect([filled[1]?.typed, filled[1]?.problems, filled[1]?.values['ItemID']]).toEqual([{ Qty: '1.2.3' }, { Qty: problem }, 1])
  })

  it('survives in a draft', () => {
    const store = new LineStore(columns, 10, [{ ...a, Qty: null, [typedKey]: { Qty: '1.2.3', Nonsense: 'x' } }])
    expect(store.rows[0]).toMatchObject({ typed: { Qty: '1.2.3' }, problems: { Qty: { key: 'ui.grid.unread', params: { text: '1.2.3' } } } })
    expect(store.rows[0]?.values).not.toHaveProperty(typedKey)
  })
})

describe('computed values', () => {
  const sent = [line('1', a), line('2', b)]
  const answer = [
    { LineNo: 1, Price: '118000', Total: '100.00', Qty: '999' },
    { LineNo: 2, Price: '250000', Total: '200.00' },
    { IsFree: true, ParentLineNo: 1, ItemCode: 'A', Qty: '2' },
  ]

  it('fills read-only cells and hangs free lines under their line', () => {
    const next = takeComputed([...sent, emptyRow('3')], columns, sent, answer)
    expect(values(next)).toEqual([
      { ...a, Price: '118000', Total: '100.00' },
      { IsFree: true, ParentLineNo: 1, ItemCode: 'A', Qty: '2' },
      { ...b, Price: '250000', Total: '200.00' },
      {},
    ])
    expect(takeComputed(next, columns, enteredRows(next, columns), answer)).toBe(next)
  })

  it('hangs the parts of a combo under it, takes what marks a line, and counts the parts alone', () => {
    const parts = [
      { LineNo: 1, Price: '10', Total: null },
      { LineNo: 2, Price: '250000', Total: '200.00', ComboItemCode: null },
      { LineNo: null, ParentLineNo: 1, ItemCode: 'X', Qty: '2', Total: '10.00', ComboItemCode: 'PK' }, { LineNo: null, ParentLineNo: 1, ItemCode: 'Y', Qty: '1', Total: '20.00', ComboItemCode: 'PK' },
      { IsFree: true, ParentLineNo: 2, ItemCode: 'A', Qty: '2', Total: '0.00' },
    ]
    const next = takeComputed(sent, columns, sent, parts)
    expect(next.map((row) => [row.values['ItemCode'], row.fixed])).toEqual([['A', false], ['X', true], ['Y', true], ['B', false], ['A', true]])
    const marked = sent.map((row) => ({ ...row, values: { ...row.values, ComboItemCode: 'OLD' } }))
    expect(takeComputed(marked, columns, marked, parts, ['ComboItemCode']).map((row) => row.values['ComboItemCode'])).toEqual(['OLD', 'PK', 'PK', null, undefined])
    expect(totalsOf(next.map((row) => (row.key === '1' ? { ...row, values: { ...row.values, Total: '999' } } : row)), columns)['Total']).toBe('230')
  })

  it('keeps what the server offers in the cells of a line, until it offers something else', () => {
    const offers = { Uom: ['PCS', 'CTN'] }
    const next = takeComputed(sent, columns, sent, [{ LineNo: 1, Offers: offers }, { LineNo: 2 }])
    expect(next.map((row) => row.offers)).toEqual([offers, undefined])
    expect(takeComputed(next, columns, next, [{ LineNo: 1, Offers: offers }, { LineNo: 2 }])).toBe(next)
    expect(takeComputed(next, columns, next, [{ LineNo: 1 }, { LineNo: 2 }])[0]?.offers).toBeUndefined()
  })

  it('leaves a row alone that was edited after it was sent', () => {
    const edited = setValues(sent, 0, { Qty: '25' })
    expect(takeComputed(edited, columns, sent, answer)[0]?.values).toEqual({ ...a, Qty: '25' })
  })
})

describe('the store', () => {
  it('undoes and redoes one step at a time and always offers an empty last row', () => {
    const store = new LineStore(columns, 100, [a])
    expect(values(store.rows)).toEqual([a, {}])
    store.edit(setValues(store.rows, 1, b))
    expect(values(store.rows)).toEqual([a, b, {}])
    store.undo()
    expect(values(store.rows)).toEqual([a, {}])
    store.redo()
    expect(values(store.rows)).toEqual([a, b, {}])
  })

  it('inserts a line where the focus is and takes it there, above the whole of a combo; at the limit it stays', () => {
    const store = new LineStore(columns, 5, [a, { ...b, ParentLineID: 1 }, { ...b, ParentLineID: 1 }])
    store.moveTo(2, 1)
    store.insert()
    expect([values(store.rows).map((row) => row['ItemCode']), store.cursor.row, store.cursor.col]).toEqual([[undefined, a.ItemCode, b.ItemCode, b.ItemCode, undefined], 0, 1])
    store.moveTo(3, 0)
    store.insert()
    expect([store.rows.length, store.cursor.row]).toEqual([5, 3])
  })
})

describe('Complaint 6: slow typing in big forms and arrays', () => {
  it('tells only the rows that changed', () => {
    const store = new LineStore(columns, 100, [a, b])
    const told: string[] = []
    for (const row of store.rows) store.onRow(row.key, () => told.push(row.key))
    store.onList(() => told.push('list'))
    store.edit(setValues(store.rows, 1, { Qty: '11' }))
    expect(told).toEqual(['r2'])
    store.edit(insertRow(store.rows, 0, 100, store.newKey))
    expect(told).toEqual(['r2', 'list'])
  })
})
