import { expect, test } from 'vitest'
import { stockPromises } from '#domain/sales/stockPromise.ts'

const line = (key: number, itemId: number, qtyBase: string, day: string | null = null) => ({ key, itemId, qtyBase, day })
const free = new Map([[1, '10'], [2, '-3']])
const promised = (...lines: ReturnType<typeof line>[]) => Object.fromEntries(stockPromises(lines, free))

test('of 10 the line of the earlier day is served first, then the one that stands before', () => {
  expect(promised(line(0, 1, '6', '2026-12-04'), line(1, 1, '3', '2026-12-01'), line(2, 1, '2', '2026-12-04'))).toEqual({ 0: '7.000', 1: '10.000', 2: '1.000' })
  expect(promised(line(0, 1, '8'), line(1, 1, '4'), line(2, 1, '1'))).toEqual({ 0: '10.000', 1: '2.000', 2: '0.000' })
})

test('nothing is promised of what is not there', () => expect(promised(line(0, 2, '1'), line(1, 3, '1'))).toEqual({ 0: '0.000', 1: '0.000' }))
