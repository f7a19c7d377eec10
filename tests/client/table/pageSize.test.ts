import { expect, it } from 'vitest'
import { isCommonSize, offeredSizes, pageSizeOf } from '#client/table/pageSize.ts'

it("Table page size: an empty value becomes 5; 'All' becomes the total count.", () => {
  expect([pageSizeOf('', 42), pageSizeOf('x', 42), pageSizeOf('0', 42), pageSizeOf('All', 42), pageSizeOf('All', 0), pageSizeOf('25', 42)]).toEqual([5, 5, 5, 42, 1, 25])
})

it('Main table limits: 5, 10, 25, 50, 100. Other tables add 250, 1000 and All.', () => {
  expect(offeredSizes('main', 5)).toEqual([5, 10, 25, 50, 100])
  expect(offeredSizes('other', 5)).toEqual([5, 10, 25, 50, 100, 250, 1000])
  expect(offeredSizes('main', 20)).toEqual([5, 10, 20, 25, 50, 100])
})

it('a size only some tables have is not remembered for all of them', () => {
  expect([5, 100, 250, 42].map(isCommonSize)).toEqual([true, true, false, false])
})
