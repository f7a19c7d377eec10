import type { FieldProblem } from '#api/problems.ts'
import type { Queries } from '#server/context.ts'
import type { Saving } from '#server/documents/hooks.ts'
import { sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'

/** Where money goes to. */
export interface MoneyPlace {
  readonly operatingUnitId: number
  readonly houseBankId: number | null
  readonly cashAccountId: number | null
  /** Currency of the money, where it is known. */
  readonly currency?: string
}

/** Money of a unit's customer goes to a bank account or cash desk of that unit: its books are kept apart. */
export async function unitAccountProblems(tx: Queries, { operatingUnitId, houseBankId, cashAccountId, currency }: MoneyPlace): Promise<readonly FieldProblem[]> {
  if (houseBankId === null && cashAccountId === null) return []
  const place = await tx.first<{ bank: number | null; currency: string | null; desk: number | null }>(sql`
    select (select operating_unit_id from house_bank where id = ${houseBankId}::bigint) as bank, (select currency from house_bank where id = ${houseBankId}::bigint) as currency, (select operating_unit_id from cash_account where id = ${cashAccountId}::bigint) as desk`)
  return [
    ...(houseBankId === null || place?.bank === operatingUnitId ? [] : [wrong('HouseBankID', 'NOT_IN_SCOPE.unit-bank')]),
    ...(houseBankId === null || currency === undefined || place?.currency == null || place.currency === currency ? [] : [wrong('HouseBankID', 'NOT_A_CHOICE.bank-currency', { own: place.currency, currency })]),
    ...(cashAccountId === null || place?.desk === operatingUnitId ? [] : [wrong('CashAccountID', 'NOT_IN_SCOPE.own-cash')]),
  ]
}

/** The same while a record is saved whose unit is known. */
export async function checkUnitAccounts({ context, header, before, problem }: Saving): Promise<void> {
  const idOf = (column: string): number | null => {
    const value = Object.hasOwn(header, column) ? header[column] : before?.[column]
    return typeof value === 'number' ? value : null
  }
  const operatingUnitId = idOf('operating_unit_id')
  if (operatingUnitId === null) return
  const currency = Object.hasOwn(header, 'currency') ? header['currency'] : before?.['currency']
  for (const found of await unitAccountProblems(context.tx, { operatingUnitId, houseBankId: idOf('house_bank_id'), cashAccountId: idOf('cash_account_id'), ...(typeof currency === 'string' ? { currency } : {}) })) problem(found)
}
