import { expect, it } from 'vitest'
import { fitting, touchedBrowserTests, touchedTests } from '../../scripts/lib/touched.mjs'

const files = new Map([
  ['src/server/receivables/giros.ts', "import { money } from '#base/money.ts'"],
  ['src/base/money.ts', ''],
  ['src/base/day.ts', ''],
  ['src/server/app.ts', "import { giros } from './receivables/giros.ts'\nconst day = await import('#base/day.ts')"],
  ['tests/support/app.ts', "import { app } from '#server/app.ts'"],
  ['tests/flows/giros.test.ts', "import { testApp } from '../support/app.ts'\nawait pay('payment-received')"],
  ['tests/flows/closing.test.ts', "import { testApp } from '../support/app.ts'\nawait pay('payment-received')\nawait pay('/data/payment-received')"],
  ['tests/base/money.test.ts', "import { money } from '#base/money.ts'"],
  ['tests/server/receivables/giros.test.ts', ''],
  ['tests/server/listViews.test.ts', "const name = 'payment-received-x'"],
  ['tests/server/tables.test.ts', ''],
  ['tests/server/migrate.test.ts', ''],
])
const chosen = (changed: readonly string[], said: readonly string[] = []) => touchedTests(changed, files, said).map(({ file, why }) => `${file.slice(6)} ${why}`)

it('chooses the tests that import what changed, the nearest first, and the one named like it', () => {
  expect(chosen(['src/base/money.ts'])).toEqual(['base/money.test.ts imports what changed', 'flows/closing.test.ts 4 imports away', 'flows/giros.test.ts 4 imports away'])
  expect(chosen(['src/server/receivables/giros.ts'])[0]).toBe('server/receivables/giros.test.ts is named like what changed')
  expect(chosen(['src/base/day.ts'])).toHaveLength(2)
  expect(chosen(['tests/base/money.test.ts'])).toEqual(['base/money.test.ts changed'])
  expect(chosen(['README.md'])).toEqual([])
})

it('chooses the tests that name the noun of a schema file, the one that names it oftenest first, and those of its kind', () => {
  expect(chosen(['schemas/receivables/payment-received/payment-received.list.json'])).toEqual(['flows/closing.test.ts names payment-received', 'flows/giros.test.ts names payment-received', 'server/listViews.test.ts holds for every list'])
})

it('chooses for a migration the tests of its tables', () => {
  expect(chosen(['src/server/db/migrations/0100_more.sql'], ['payment_received'])).toContain('flows/giros.test.ts names payment-received')
  expect(chosen(['src/server/db/migrations/0100_more.sql'])).toEqual(['server/migrate.test.ts holds for every migration', 'server/tables.test.ts holds for every migration'])
})

it('chooses the walk over a changed screen and the single browser tests that name it or show its part of the client', () => {
  const served = new Set(['brand.list'])
  const specs = new Map([
    ['lists.spec.ts', "test('one', () => {\n  open('/sales-order-list')\n})\ntest('two', () => {\n  open('/brand')\n})"],
    ['keys.spec.ts', "test('three', () => {})"],
  ])
  expect(touchedBrowserTests(['schemas/master/brand/brand.list.json'], specs, served)).toMatchObject({ walks: [{ walk: 'screensLists.spec.ts', screens: ['brand.list'] }], tests: [{ place: 'lists.spec.ts:4', why: 'names brand' }] })
  expect(touchedBrowserTests(['schemas/master/brand/brand.form.json'], specs, served).walks).toEqual([])
  expect(touchedBrowserTests(['src/client/keys/keys.ts'], specs, served)).toMatchObject({ walks: [], tests: [{ place: 'keys.spec.ts:1' }] })
  expect(touchedBrowserTests(['schemas/master/brand/brand.entity.json', 'src/server/app.ts'], specs, served)).toEqual({ walks: [], tests: [] })
})

it('takes what fits into the time and names the rest', () => {
  expect(fitting(['a', 'bbbb', 'cc'], 3, ({ length }) => length)).toEqual({ fit: ['a', 'cc'], left: ['bbbb'] })
})
