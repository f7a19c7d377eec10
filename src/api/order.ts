import type { FieldProblem, Said } from '#api/problems.ts'
import type { WireRecord } from '#api/envelope.ts'

export interface OrderHint extends Said {
  readonly code: string
  /** Only to be confirmed by whoever submits it: nobody else is asked. */
  readonly isWarning?: true
  /** Only to be known: nobody is asked. */
  readonly isNote?: true
}

/**
 * POST /api/v1/command/price-order: prices an order as typed, saves nothing. The same body as saving the order: header wire keys and
 * `Lines` with `LineNo` (from 1, as sent), `ItemID`, `Uom`, `Qty`, `ManualDiscount`. Lines that cannot be priced yet (no item, no quantity)
 * come back as they were sent. `Trace: true` asks for `PriceTrace` too: step by step how each line came about.
 */
export interface PriceOrderAnswer {
  /**
   * Header totals (Gross … Total) and `Lines` in order. An entered line carries the `LineNo` it was sent with; a free or exploded line
   * has `IsFree` or a `ParentLineNo` naming the entered line it stands under, and `ItemCode`, `ItemName` for showing. `Offers` of an entered
   * line: what its cells may hold, by wire key (`Uom`: the units of its item). `Beside`: what a cell says when it is pointed at (`AtpQty`, which
   * is in the unit of the line: the same in base units).
   */
  readonly record: WireRecord & { readonly Lines: readonly WireRecord[] }
  /** What would make the order wait for a person (credit, price), told while it is still typed. */
  readonly Hints?: readonly OrderHint[]
  /** What would refuse or block saving: `Lines[2].Qty` counts from 0 over the lines sent. */
  readonly errors?: readonly FieldProblem[]
}
