import type { DateText } from '#base/date.ts'
import { exact, money, type Decimal } from '#base/decimal.ts'

/** What is to be settled of a vendor's invoice. */
export interface Owed {
  readonly invoiceId: number
  readonly vendorId: number
  readonly currency: string
  readonly dueDate: DateText
  readonly amount: Decimal
}

export const creditKinds = ['DEBIT_NOTE', 'SUPPLIER_CN', 'ADVANCE'] as const
export type CreditKind = (typeof creditKinds)[number]

/** What a vendor owes us: `free` of it may be set off. */
export interface VendorCredit {
  readonly kind: CreditKind
  readonly id: number
  readonly vendorId: number
  readonly currency: string
  readonly docDate: DateText
  readonly free: Decimal
}

export interface Offset {
  readonly credit: VendorCredit
  readonly invoiceId: number
  readonly amount: Decimal
}

/** Sets credits off against what is owed the same vendor in the same currency: the oldest due first, claims of ours before his credit notes before advances, each by age. Never more than is owed. */
export function offsetOldestDue(owed: readonly Owed[], credits: readonly VendorCredit[]): readonly Offset[] {
  const key = ({ vendorId, currency }: Owed | VendorCredit): string => `${vendorId} ${currency}`
  const open = new Map<string, { readonly invoiceId: number; left: ReturnType<typeof exact> }[]>()
  for (const one of [...owed].sort((a, b) => a.dueDate.localeCompare(b.dueDate) || a.invoiceId - b.invoiceId)) {
    open.set(key(one), [...(open.get(key(one)) ?? []), { invoiceId: one.invoiceId, left: exact(one.amount) }])
  }
  const found: Offset[] = []
  const rank = ({ kind }: VendorCredit): number => creditKinds.indexOf(kind)
  for (const credit of [...credits].sort((a, b) => rank(a) - rank(b) || a.docDate.localeCompare(b.docDate) || a.id - b.id)) {
    let left = exact(credit.free)
    for (const one of open.get(key(credit)) ?? []) {
      const part = left.lt(one.left) ? left : one.left
      if (part.lte(0)) continue
      found.push({ credit, invoiceId: one.invoiceId, amount: money(part) })
      one.left = one.left.minus(part)
      left = left.minus(part)
    }
  }
  return found
}
