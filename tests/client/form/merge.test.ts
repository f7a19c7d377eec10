import { expect, it } from 'vitest'
import { onlyIn } from '#client/form/clash.ts'
import { merge } from '#client/form/merge.ts'

it('takes their changes, keeps mine, names what both changed', () => {
  const base = { Name: 'Toko Makmur', Phone: '021', Limit: '100.00', Note: null, City: 'Jakarta' }
  const mine = { Name: 'Toko Makmur Jaya', Phone: '021', Limit: '150', Note: '', City: 'Bogor' }
  const theirs = { Name: 'Toko Makmur', Phone: '022', Limit: '200.00', Note: null, City: 'Bogor' }
  expect(merge(Object.keys(base), base, mine, theirs)).toEqual({
    values: { Name: 'Toko Makmur Jaya', Phone: '022', Limit: '150', Note: '', City: 'Bogor' },
    taken: ['Phone'],
    conflicts: [{ key: 'Limit', base: '100.00', mine: '150', theirs: '200.00' }],
  })
})

it('does not see a difference in how a decimal is written', () => {
  expect(merge(['Limit'], { Limit: '100.00' }, { Limit: '100' }, { Limit: '200.00' }).values).toEqual({ Limit: '200.00' })
})

it('names of two lists what only one has, as often as it has it more often', () => {
  expect(onlyIn(['a', 'b', 'b', 'c'], ['b', 'c', 'd'])).toEqual(['a', 'b'])
  expect(onlyIn([], ['b'])).toEqual([])
})
