import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'
import { noRegistries } from '../support/registries.ts'

let arus: TestApp

beforeAll(async () => {
  arus = await testApp({ registries: noRegistries, template: demoTemplate })
})

interface Count {
  readonly Label: string
  readonly Count: number
  readonly Tone: string
  readonly Url: string
}

const counts = async (session: Session): Promise<readonly Count[]> => (await session.get('/api/v1/home/counts')).data.records

describe('the numbers on the home page', () => {
  it('come from the lists of the user’s menu and are the numbers those lists show', async () => {
    for (const name of ['admin', 'sales', 'warehouse', 'billing', 'cashier']) {
      const session = await arus.signIn(name)
      const shown = await counts(session)
      expect(shown.length, name).toBeGreaterThan(0)
      for (const count of shown) {
        const home = metadata.homeCounts.find(({ label }) => label === count.Label)
        const resource = metadata.entities[home?.entity ?? '']?.resource ?? ''
        const list = await session.get(`/api/v1/data/${resource}`, { length: 1, ...(home?.where === undefined ? {} : { filter: JSON.stringify(home.where) }) })
        expect(count.Count, `${name} ${count.Label}`).toBe(list.data.recordsTotal)
      }
    }
  })

  it('are those of the role: each sees his own desk', async () => {
    const labels = async (name: string) => (await counts(await arus.signIn(name))).map(({ Label }) => Label)
    expect(await labels('warehouse')).toContain('home.sales-order-line-due.list.plannable')
    expect(await labels('warehouse')).not.toContain('home.payment-received.list.drafts')
    expect(await labels('cashier')).toContain('home.payment-received.list.drafts')
    expect(await labels('cashier')).not.toContain('home.sales-order-line-due.list.plannable')
    expect(await labels('billing')).toContain('home.billing-due.list.ready')
  })

  it('lead to the rows counted: the list, its tab and its preset', () => {
    const path = (label: string) => metadata.homeCounts.find((count) => count.label === label)?.path
    expect(path('home.sales-order.list.waiting')).toBe('/sales-order-list?v=waiting&view=standard')
    expect(path('home.billing-due.list.ready')).toBe('/billing?tab=due&v=ready&view=standard')
    expect(path('home.sales-order-line-due.list.plannable')).toBe('/delivery_plan?tab=due&v=plannable&view=standard')
  })
})

describe('starred pages', () => {
  beforeAll(() => arus.database.run(sql`delete from starred_page`))
  const star = async (session: Session, url: string, order: number) => (await session.post('/api/v1/data/starred-page', { Url: url, Title: url, SortOrder: order })).data.record.ID
  const urls = async (session: Session) => (await session.get('/api/v1/data/starred-page', { length: 100, order: 'sort_order,id', sort: 'asc,asc' })).data.rows.map((row: { Url: string }) => row.Url)

  it('are put in another order, renamed, and only by their owner', async () => {
    const [sales, billing] = [await arus.signIn('sales'), await arus.signIn('billing')]
    const ids = [await star(sales, '/a', 0), await star(sales, '/b', 1), await star(sales, '/c', 2)]
    const foreign = await star(billing, '/x', 0)
    expect((await sales.put('/api/v1/home/starred', { IDs: [ids[2], foreign, ids[0]] })).status).toBe(200)
    expect(await urls(sales)).toEqual(['/c', '/a', '/b'])
    expect(await urls(billing)).toEqual(['/x'])
    expect((await sales.put('/api/v1/home/starred', { IDs: 'all' })).code).toBe('VALIDATION_FAILED')
    expect((await sales.put(`/api/v1/data/starred-page/${ids[0]}`, { Title: 'My orders' }, { version: 1 })).status).toBe(200)
    expect((await sales.put(`/api/v1/data/starred-page/${foreign}`, { Title: 'Not mine' }, { version: 1 })).code).toBe('NOT_IN_SCOPE')
  })

  it('fill the short list with the first ten', async () => {
    const cashier = await arus.signIn('cashier')
    for (let i = 0; i < 12; i++) await star(cashier, `/page-${i}`, i)
    const { starred } = (await cashier.get('/api/v1/home')).data
    expect(starred.map((row: { Url: string }) => row.Url)).toEqual(Array.from({ length: 10 }, (_, i) => `/page-${i}`))
  })
})

it('what waits for me counts only what my role may decide', async () => {
  const credit = await arus.signIn('credit')
  const waiting = async () => (await credit.get('/api/v1/home')).data.approvals.reduce((sum: number, entry: { Count: number }) => sum + entry.Count, 0)
  expect(await waiting()).toBeGreaterThan(0)
  await arus.database.run(sql`delete from role_permission where guard_name in ('sales-order-approve', 'customer-approve') and role_id = ${await arus.id('role', 'CREDIT_CTRL')}`)
  const fresh = await arus.signIn('credit')
  expect((await fresh.get('/api/v1/home')).data.approvals).toEqual([])
})
