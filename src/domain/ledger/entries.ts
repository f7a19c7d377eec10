import { exact, money, sum, type Decimal } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { AmountKey } from '#generated/names.ts'

/** One line of a posting rule: which amount goes to which side of which account. */
export interface RuleLine {
  readonly line: number
  readonly side: 'D' | 'C'
  readonly amount: string
  /** Account code, or a selector (`AR`, `BANK`, `MONEY`, `LINE`) that the amount itself answers. */
  readonly account: string
}

/** What an amount belongs to; kept on the journal line. */
export interface Dimensions {
  readonly partnerKind?: 'CUSTOMER' | 'VENDOR' | 'EMPLOYEE'
  readonly partnerId?: number
  readonly itemId?: number
  readonly openItemType?: string
  readonly openItemId?: number
  readonly dueDate?: DateText
  readonly taxCodeId?: number
  readonly territoryId?: number | null
  readonly memo?: string
}

/** An amount an event supplies under a key of its rule. Zero amounts are left out; a negative one turns its line to the other side. */
export interface EventAmount extends Dimensions {
  readonly key: AmountKey
  readonly amount: Decimal
  /** Account for rule lines whose account is a selector. */
  readonly account?: string
}

export interface Entry extends Dimensions {
  readonly account: string
  readonly debit: Decimal
  readonly credit: Decimal
  /** What the document says in its own currency, where that is not the currency of the books. */
  readonly fx?: { readonly currency: string; readonly amount: Decimal }
}

const accountCode = /^\d+$/

/** Entries of an event, in the order of its rule. Throws when an amount has no line, or a selector finds no account: the rules are broken. */
export function entriesOf(rule: readonly RuleLine[], amounts: readonly EventAmount[]): Entry[] {
  const keys = new Set(rule.map((line) => line.amount))
  const stray = amounts.find((amount) => !keys.has(amount.key) && !exact(amount.amount).eq(0))
  if (stray) throw new Error(`No posting line takes the amount ${stray.key}`)
  return [...rule]
    .sort((a, b) => a.line - b.line)
    .flatMap((line) => amounts.filter((amount) => amount.key === line.amount && !exact(amount.amount).eq(0)).map((amount) => entryOf(line, amount)))
}

function entryOf(line: RuleLine, { key, amount, account, ...dimensions }: EventAmount): Entry {
  const code = accountCode.test(line.account) ? line.account : account
  if (code === undefined) throw new Error(`The amount ${key} names no account for ${line.account}`)
  const value = exact(amount)
  const debit = (line.side === 'D') === value.gt(0)
  return { account: code, debit: debit ? money(value.abs()) : '0.00', credit: debit ? '0.00' : money(value.abs()), ...dimensions }
}

/** The same entries with debit and credit exchanged. */
export function mirror(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, debit: entry.credit, credit: entry.debit }))
}

/** Total of one side when both are equal and above zero with at least two entries; null for anything else. */
export function balancedTotal(entries: readonly Entry[]): Decimal | null {
  const debit = sum(entries.map((entry) => entry.debit))
  const credit = sum(entries.map((entry) => entry.credit))
  return entries.length >= 2 && debit.gt(0) && debit.eq(credit) ? money(debit) : null
}
