import { compare, exact, money, type Decimal } from '#base/decimal.ts'
import { baseOf, itemKey, type ForeignMoney } from '#domain/ledger/inBooks.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { NewAllocation } from './allocations.ts'

interface Rest extends Row {
  readonly kind: string
  readonly id: number
  readonly rate: Decimal
  remaining: Decimal
  base_remaining: Decimal
}

/** Allocations with what they take in the books, and that in sum by open item, as posting wants it. */
export interface BookedAllocations {
  readonly allocations: readonly NewAllocation[]
  readonly money: ForeignMoney | undefined
}

/**
 * What each allocation of a document in another currency takes of its items in the books (D39): its part at the item's rate, and the last one all that is
 * left. The items are locked by whoever allocates.
 */
export async function basesOf(tx: Queries, foreign: ForeignMoney | undefined, allocations: readonly NewAllocation[]): Promise<BookedAllocations> {
  if (foreign === undefined || allocations.length === 0) return { allocations, money: foreign }
  const idsOf = (source: string): number[] => allocations.flatMap((one) => (one.sourceType === source ? [one.sourceId] : []))
  const rows = await tx.rows<Rest>(sql`
    select 'invoice' as kind, id, rate, remaining, base_remaining from invoice where id = any(${allocations.flatMap(({ invoiceId }) => invoiceId ?? [])}::bigint[])
    union all select 'credit_note', id, rate, remaining, base_remaining from credit_note where id = any(${idsOf('CREDIT_NOTE')}::bigint[])
    union all select 'vendor_invoice', id, rate, remaining, base_remaining from vendor_invoice where id = any(${allocations.flatMap(({ item }) => (item?.type === 'vendor_invoice' ? [item.id] : []))}::bigint[])
    union all select 'customer_deposit', id, rate, remaining, base_remaining from customer_deposit where id = any(${idsOf('DEPOSIT')}::bigint[])`)
  const rests = new Map(rows.map((row) => [itemKey(row.kind, row.id), row]))
  const settled = new Map<string, Decimal>()
  const take = (key: string, amount: Decimal): Decimal | undefined => {
    const rest = rests.get(key)
    if (rest === undefined) return undefined
    const isLast = compare(amount, rest.remaining) >= 0
    const part = baseOf(amount, rest.rate)
    const base = isLast || compare(part, rest.base_remaining) > 0 ? rest.base_remaining : part
    Object.assign(rest, { remaining: money(exact(rest.remaining).minus(amount)), base_remaining: money(exact(rest.base_remaining).minus(base)) })
    settled.set(key, money(exact(settled.get(key) ?? '0').plus(base)))
    return base
  }
  const booked = allocations.map((one): NewAllocation => {
    const item = one.invoiceId === null ? one.item : { type: 'invoice', id: one.invoiceId }
    const base = item === undefined ? undefined : take(itemKey(item.type, item.id), one.amount)
    const kind = one.sourceType === 'CREDIT_NOTE' ? 'credit_note' : one.sourceType === 'DEPOSIT' ? 'customer_deposit' : undefined
    const sourceBase = kind === undefined ? undefined : take(itemKey(kind, one.sourceId), one.amount)
    return { ...one, ...(base === undefined ? {} : { base }), ...(sourceBase === undefined ? {} : { sourceBase }) }
  })
  return { allocations: booked, money: { ...foreign, settled } }
}
