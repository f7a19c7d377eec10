/** A salesman's day as his device keeps it: customers in the order he goes to them, what may be said of a visit and what each usually orders. */
export interface VisitDay {
  readonly Day: string
  readonly Customers: readonly DayCustomer[]
  readonly Reasons: readonly { readonly ID: number; readonly Name: string; readonly NeedsNote: boolean }[]
}

export interface DayCustomer {
  readonly ID: number
  readonly Code: string
  readonly Name: string
  readonly Address: string
  readonly Phone: string
  readonly IsPlanned: boolean
  readonly Visit: DayVisit | null
  readonly Items: readonly UsualItem[]
  /** Open on his invoices, and what of it is due already. */
  readonly Open: string
  readonly Due: string
}

/** His latest visit of the day there. */
export interface DayVisit {
  readonly ID: number
  readonly Code: string
  readonly VisitKey: string
  readonly Status: number
  readonly CheckInAt: string
  readonly DistanceM: number | null
  readonly Result: string | null
}

export interface UsualItem extends SoldItem {
  /** What he last paid for one, before what today's promotions give. */
  readonly Price: string | null
}

/** What may be sold at the customers of the day and for how much, as the device keeps it to take orders out of reach. */
export interface VisitPrices {
  readonly Day: string
  readonly Items: readonly SoldItem[]
  /** By number of the customer: what one of each item costs him after his discounts and before promotions, in the order of `Items`; null: it is not sold to him. */
  readonly Prices: Readonly<Record<string, readonly (string | null)[]>>
}

export interface SoldItem {
  readonly ID: number
  readonly Code: string
  readonly Name: string
  readonly Uom: string
}
