import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exact, fixed, sum, zero } from '#base/decimal.ts'
import { issue, receive, type Movement, type StockValue } from '#domain/inventory/costing.ts'

test('moving average', () => {
  const mixed = receive({ qty: '10.000', value: '1000.00' }, '5', '800.00')
  expect(mixed.after).toEqual({ qty: '15.000', value: '1800.00' })
  expect(issue(mixed.after, '7')).toEqual({ qty: '-7.000', cost: '-840.00', unitCost: '120.000000', after: { qty: '8.000', value: '960.00' } })
})

test('the last unit takes what is left', () => {
  const stock: StockValue = { qty: '3.000', value: '100.00' }
  const first = issue(stock, '1')
  const second = issue(first.after, '1')
  const third = issue(second.after, '1')
  expect([first.cost, second.cost, third.cost, third.after.value]).toEqual(['-33.33', '-33.34', '-33.33', '0.00'])
})

test('value follows the movements and never goes below zero', () => {
  const steps = fc.array(fc.record({ take: fc.boolean(), qty: fc.integer({ min: 1, max: 500 }), cost: fc.integer({ min: 0, max: 10 ** 9 }) }), { maxLength: 40 })
  fc.assert(
    fc.property(steps, (all) => {
      let stock: StockValue = { qty: '0.000', value: '0.00' }
      const movements: Movement[] = []
      for (const step of all) {
        if (step.take && exact(stock.qty).eq(0)) continue
        const qty = step.take && exact(step.qty).gt(stock.qty) ? stock.qty : String(step.qty)
        const movement = step.take ? issue(stock, qty) : receive(stock, qty, fixed(exact(step.cost).div(100), 2))
        movements.push(movement)
        stock = movement.after
        expect(exact(stock.value).gte(zero)).toBe(true)
        if (exact(stock.qty).eq(0)) expect(stock.value).toBe('0.00')
      }
      expect(sum(movements.map((m) => m.cost)).eq(stock.value)).toBe(true)
      expect(sum(movements.map((m) => m.qty)).eq(stock.qty)).toBe(true)
    }),
  )
})
