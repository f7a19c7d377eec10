import { exact, fixed, money, spread, type Decimal, type Exact } from '#base/decimal.ts'

export const landedBases = ['VALUE', 'QUANTITY', 'WEIGHT'] as const
export type LandedBasis = (typeof landedBases)[number]

/** Goods received that a bill is shared over. */
export interface ReceivedGoods {
  readonly itemId: number
  readonly qty: Decimal
  /** What of them has not gone back to the vendor. */
  readonly kept: Decimal
  readonly value: Decimal
  readonly weight: Decimal
}

export interface LandedShare {
  readonly share: Decimal
  readonly qtyLeft: Decimal
  /** Of the share, what goods still there bear; the rest has gone with goods that left. */
  readonly inStock: Decimal
  readonly gone: Decimal
}

export function basisOf(goods: ReceivedGoods, by: LandedBasis): Decimal {
  return { VALUE: goods.value, QUANTITY: goods.qty, WEIGHT: goods.weight }[by]
}

/** Shares a bill over goods, oldest receipt first, to the cent. `onHand`: what there is of each item now. */
export function landCost(bill: Decimal, by: LandedBasis, goods: readonly ReceivedGoods[], onHand: ReadonlyMap<number, Decimal>): LandedShare[] {
  const shares = spread(exact(bill), goods.map((one) => exact(basisOf(one, by))), 2)
  const left = stillThere(goods.map(({ itemId, kept }) => ({ itemId, most: kept })), onHand)
  return goods.map(({ qty }, i) => {
    const [share, there] = [exact(money(shares[i] ?? exact(0))), left[i] ?? exact(0)]
    const inStock = part(share, there, exact(qty))
    return { share: money(share), qtyLeft: fixed(there, 3), inStock: money(inStock), gone: money(share.minus(inStock)) }
  })
}

/** What stays in the value of the stock of what landed there, when the bill is taken back: goods that have left meanwhile took it along. */
export function landedSince(landed: readonly { readonly itemId: number; readonly qtyLeft: Decimal; readonly inStock: Decimal }[], onHand: ReadonlyMap<number, Decimal>): Decimal[] {
  const left = stillThere(landed.map(({ itemId, qtyLeft }) => ({ itemId, most: qtyLeft })), onHand)
  return landed.map(({ qtyLeft, inStock }, i) => money(exact(inStock).minus(part(exact(inStock), left[i] ?? exact(0), exact(qtyLeft)))))
}

/**
 * How much of each is still there. Stock is one pool at one average price, in which nobody can tell which pieces left: of what there is, no more can be of these goods than
 * came of them, and among several receipts of an item the latest are taken to be there, as goods leave in the order they came.
 */
function stillThere(goods: readonly { readonly itemId: number; readonly most: Decimal }[], onHand: ReadonlyMap<number, Decimal>): Exact[] {
  const free = new Map([...onHand].map(([itemId, qty]) => [itemId, exact(qty)]))
  return goods
    .toReversed()
    .map(({ itemId, most }) => {
      const there = free.get(itemId) ?? exact(0)
      const taken = there.lt(most) ? there : exact(most)
      free.set(itemId, there.minus(taken))
      return taken
    })
    .toReversed()
}

function part(whole: Exact, there: Exact, of: Exact): Exact {
  return of.gt(0) ? exact(money(whole.times(there).div(of))) : exact(0)
}
