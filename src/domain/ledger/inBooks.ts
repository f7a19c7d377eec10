import { compare, exact, money, sum, type Decimal } from '#base/decimal.ts'
import type { Entry } from './entries.ts'

/** A document in another currency than the books. */
export interface ForeignMoney {
  readonly currency: string
  /** Units of the books' currency for one of the document's. */
  readonly rate: Decimal
  /** What the document takes of open items is worth in the books what it was when they were booked: by `itemKey`. Without any, all of it is at `rate`. */
  readonly settled?: ReadonlyMap<string, Decimal>
}

/** Accounts of what is gained and lost between two rates. */
export interface ExchangeAccounts {
  readonly gain: string
  readonly loss: string
}

export function itemKey(type: string, id: number): string {
  return `${type} ${id}`
}

/** Worth of an amount in the books, to two places. */
export function baseOf(amount: Decimal, rate: Decimal): Decimal {
  return money(exact(amount).times(rate))
}

/**
 * Balanced entries of a document as the books take them, with the document's amounts beside. Where it settles open items, what the rates differ by is
 * gained or lost; otherwise only rounding can differ, and goes with the largest entry that belongs to no open item.
 */
export function inBooks(entries: readonly Entry[], { currency, rate, settled = new Map() }: ForeignMoney, accounts: ExchangeAccounts): Entry[] {
  const booked = entries.map((entry): Entry => {
    const isDebit = compare(entry.debit, '0') > 0
    const amount = isDebit ? entry.debit : entry.credit
    const key = entry.openItemType === undefined || entry.openItemId === undefined ? undefined : itemKey(entry.openItemType, entry.openItemId)
    const base = (key === undefined ? undefined : settled.get(key)) ?? baseOf(amount, rate)
    return { ...entry, debit: isDebit ? base : '0.00', credit: isDebit ? '0.00' : base, fx: { currency, amount } }
  }).filter((entry) => compare(entry.debit, entry.credit) !== 0)
  const over = sum(booked.map((entry) => entry.debit)).minus(sum(booked.map((entry) => entry.credit)))
  if (over.eq(0)) return booked
  const free = settled.size > 0 ? undefined : largestFree(booked)
  if (free === undefined) {
    const difference = money(over.abs())
    // Whoever may not see the document may not see of it what the rates came to either.
    const place = booked.find(({ territoryId }) => territoryId != null)?.territoryId ?? null
    return [...booked, { territoryId: place, ...(over.gt(0) ? { account: accounts.gain, debit: '0.00', credit: difference } : { account: accounts.loss, debit: difference, credit: '0.00' }) }]
  }
  return booked.map((entry) => {
    if (entry !== free) return entry
    return compare(entry.debit, '0') > 0 ? { ...entry, debit: money(exact(entry.debit).minus(over)) } : { ...entry, credit: money(exact(entry.credit).plus(over)) }
  })
}

function largestFree(entries: readonly Entry[]): Entry | undefined {
  return entries.filter((entry) => entry.openItemId === undefined).reduce<Entry | undefined>((most, entry) => (most === undefined || compare(size(entry), size(most)) > 0 ? entry : most), undefined)
}

function size({ debit, credit }: Entry): Decimal {
  return compare(debit, credit) > 0 ? debit : credit
}
