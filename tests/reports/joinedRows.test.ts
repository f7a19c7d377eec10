import { beforeAll, describe, expect, test } from 'vitest'
import { exact, fixed, money, sum } from '#base/decimal.ts'
import type { SummaryAnswer } from '#api/report.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

describe('Complaint 4: wrong sums from joined rows', () => {
  test('four lines, delivered in three parts and billed in three invoices, are counted once each: in rows, totals, groups and across', async () => {
    const order = await scene.order('C0000001', [{ item: 'C', qty: '6' }, { item: 'D', qty: '6' }, { item: 'C', qty: '6' }, { item: 'D', qty: '6' }])
    expect(order).toMatchObject({ Status: 1 })
    const invoices: Record[] = []
    for (let part = 0; part < 3; part++) {
      const { Lines } = await scene.read('sales-order', order.ID)
      const [delivery] = await scene.plan(order, Object.fromEntries(Lines.map((line: Record) => [line.ID, '2'])))
      invoices.push(...(await scene.bill([(await scene.issue(delivery)).id])))
    }
    expect(invoices.map(({ Lines }) => Lines.length)).toEqual([4, 4, 4])
    const day = scene.at.clock.today()
    const span = { date_from: day, date_to: day, as_of: day }
    const net = money(sum(invoices.map(({ Dpp }) => Dpp)))
    const right = { so_qty: '24.000', gi_qty: '24.000', bill_qty: '24.000', bill_net: net, gap_do: '0.000', gap_gi: '0.000', gap_bill: '0.000' }
    const names = Object.keys(right)

    const { rows, totals } = (await scene.people.finance.get('/api/v1/report/so-do-gi-bill.report', { ...span, length: 100 })).data
    expect(rows.length, 'a row for each meeting of line, delivery and invoice').toBe(12)
    const places = (value: string, like: string) => fixed(value, like.split('.')[1]?.length ?? 0)
    expect(Object.fromEntries(names.map((name) => [name, places(totals[name], right[name as keyof typeof right])]))).toEqual(right)
    const written: string[] = rows.map((row: Record) => row.SoQty ?? '0')
    expect(fixed(sum(written), 3), 'what stands in the rows adds up to what stands under them').toBe(right.so_qty)

    for (const more of [{ group: 'customer_code' }, { group: 'customer_code', across: 'so_status' }, { group: 'item_code', across: 'do_status' }, { group: 'operating_unit_code,customer_code' }]) {
      const answer: SummaryAnswer = (await scene.people.finance.get('/api/v1/report/so-do-gi-bill.report/summary', { ...span, ...more, measures: names.join(','), length: 100 })).data
      const [whole] = answer.totals
      expect(names.map((name, i) => [name, places(String(whole?.cells[0]?.values[i]), right[name as keyof typeof right])]), JSON.stringify(more)).toEqual(Object.entries(right))
      const parts = answer.rows.filter(({ keys }) => keys.length === more.group.split(',').length)
      expect(fixed(parts.reduce((total, { cells }) => total.plus(String(cells[0]?.values[0])), exact('0')), 3), JSON.stringify(more)).toBe(right.so_qty)
    }
  }, 60_000)
})
