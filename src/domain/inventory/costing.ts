import { exact, fixed, money, type Decimal } from '#base/decimal.ts'

/** Stock of an item in one operating unit and stock class: quantity in base units and its value. */
export interface StockValue {
  readonly qty: Decimal
  readonly value: Decimal
}

export interface Movement {
  /** Signed: negative for an issue. */
  readonly qty: Decimal
  readonly cost: Decimal
  readonly unitCost: Decimal
  readonly after: StockValue
}

/** Takes `qty` out at moving average: round(qty × average, 2); whoever takes the last unit takes all the value left. */
export function issue(stock: StockValue, qty: Decimal): Movement {
  const left = exact(stock.qty).minus(qty)
  const cost = left.eq(0) ? exact(stock.value) : exact(stock.value).times(qty).div(stock.qty).round(2)
  return {
    qty: fixed(exact(qty).times(-1), 3),
    cost: money(cost.times(-1)),
    unitCost: exact(qty).eq(0) ? '0.000000' : fixed(cost.div(qty), 6),
    after: { qty: fixed(left, 3), value: money(exact(stock.value).minus(cost)) },
  }
}

/** Puts `qty` in at a known cost; the average follows. */
export function receive(stock: StockValue, qty: Decimal, cost: Decimal): Movement {
  return {
    qty: fixed(qty, 3),
    cost: money(cost),
    unitCost: exact(qty).eq(0) ? '0.000000' : fixed(exact(cost).div(qty), 6),
    after: { qty: fixed(exact(stock.qty).plus(qty), 3), value: money(exact(stock.value).plus(cost)) },
  }
}
