import { beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
let item: number

beforeAll(async () => {
  scene = await openScene()
  item = await scene.at.id('item', 'A')
  await scene.invoiced('C0000001', [{ item: 'A', qty: '24' }])
  await scene.order('C0000001', [{ item: 'A', qty: '6' }])
})

const list = async (resource: string, who: keyof Scene['people'] = 'admin') =>
  scene.people[who].get(`/api/v1/data/${resource}`, { filter: JSON.stringify({ item_id: item }), order: 'id', sort: 'asc' })

describe('an item from all sides', () => {
  it('shows what there is, what is reserved and what is left', async () => {
    const [row] = (await list('sku-stock')).data.rows
    // 24 sold and 2 of them free goods twice over: gone; 6 wait.
    expect([row.OnHand, row.Reserved, row.Available]).toEqual(['974.000', '6.000', '968.000'])
  })

  it('shows average cost to those who may see cost alone', async () => {
    const [row] = (await list('sku-cost')).data.rows
    expect(row).toMatchObject({ AvgCost: '85000.000000', Qty: '974.000' })
    expect(await list('sku-cost', 'sales')).toMatchObject({ code: 'FORBIDDEN_GUARD' })
  })

  it('shows what was billed as the register counts it, and leads there', async () => {
    const { rows } = (await list('sku-sale')).data
    expect(rows.map((row: { QtyBase: string; IsFree: boolean }) => [row.QtyBase, row.IsFree])).toEqual([['24.000', false], ['2.000', true]])
    const register = await scene.people.admin.get('/api/v1/report/zdr-bill.report', { date_from: '2026-11-01', date_to: '2026-11-30' })
    const total = (all: readonly { ItemCode?: string; Dpp: string }[]) => all.filter((row) => row.ItemCode === undefined || row.ItemCode === 'A').reduce((sum, row) => sum + Number(row.Dpp), 0)
    expect(total(rows)).toBe(total(register.data.rows))
    expect(rows[0].InvoiceID).toBeGreaterThan(0)
  })

  it('shows its orders with what is still open', async () => {
    const { rows } = (await list('sku-order')).data
    expect(rows.map((row: { QtyBase: string; OpenQty: string }) => [row.QtyBase, row.OpenQty])).toEqual([['24.000', '0.000'], ['2.000', '0.000'], ['6.000', '6.000']])
  })

  it('shows each reader his own units and territories', async () => {
    const foreign = await scene.at.signIn('sales.bdg')
    for (const resource of ['sku-stock', 'sku-order']) {
      const answer = await foreign.get(`/api/v1/data/${resource}`, { filter: JSON.stringify({ item_id: item }) })
      expect([resource, answer.status, answer.data.recordsTotal]).toEqual([resource, 200, 0])
    }
  })
})
