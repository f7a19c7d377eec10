import type { Queries } from '#server/context.ts'

const sales = new WeakSet<object>()

/** From here on the transaction sells from a van: orders of vans are made by that command alone. */
export function beginVanSale(tx: Queries): void {
  sales.add(tx.unit)
}

export function isVanSale(tx: Queries): boolean {
  return sales.has(tx.unit)
}
