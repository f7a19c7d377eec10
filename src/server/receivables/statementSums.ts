import { exact, money, sum, type Decimal } from '#base/decimal.ts'
import type { Row } from '#server/context.ts'

interface Side {
  readonly debit: Decimal
  readonly credit: Decimal
}

/** What came in and went out by the lines of a statement, and by how much its closing balance differs from what they lead to. */
export function sumsOf(balances: { readonly opening: Decimal; readonly closing: Decimal }, lines: readonly Side[]): Row & { readonly money_in: Decimal; readonly money_out: Decimal; readonly diff_amount: Decimal } {
  const moneyIn = sum(lines.map(({ credit }) => credit))
  const moneyOut = sum(lines.map(({ debit }) => debit))
  return { money_in: money(moneyIn), money_out: money(moneyOut), diff_amount: money(exact(balances.closing).minus(exact(balances.opening).plus(moneyIn).minus(moneyOut))) }
}
