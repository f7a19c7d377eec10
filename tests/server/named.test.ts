import { expect, test } from 'vitest'
import { named } from '#server/db/named.ts'
import { plannedAnew, sql, trusted } from '#server/db/sql.ts'

const nameOf = (text: string) => named(trusted(text)).name

test('a statement sent again is kept under a name of its own; one to be planned anew never', () => {
  expect(nameOf('select 1')).toBeUndefined()
  const name = nameOf('select 1')
  expect(name).toBeDefined()
  expect(nameOf('select 1')).toBe(name)
  expect([nameOf('select 2'), nameOf('select 2')]).toEqual([undefined, expect.not.stringMatching(`^${name}$`)])
  const anew = () => named(plannedAnew(sql`select ${3}`)).name
  expect([anew(), anew(), anew()]).toEqual([undefined, undefined, undefined])
})

test('statements sent once each take no place: one that comes after thousands of them is kept like the first', () => {
  for (let n = 0; n < 5_000; n++) nameOf(`select 'odd ${n}'`)
  expect([nameOf('select 4'), nameOf('select 4')]).toEqual([undefined, expect.any(String)])
})

test('so many are kept and no more; those kept stay', () => {
  const kept = nameOf('select 1')
  for (let n = 0; n < 3_000; n++) {
    nameOf(`select 'often ${n}'`)
    nameOf(`select 'often ${n}'`)
  }
  expect(nameOf(`select 'often 2999'`)).toBeUndefined()
  expect(nameOf(`select 'often 100'`)).toBeDefined()
  expect(nameOf('select 1')).toBe(kept)
})
