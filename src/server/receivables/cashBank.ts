import { compare, exact, isDecimal, isZero, money, sum, type Decimal } from '#base/decimal.ts'
import type { Effect, Precondition, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { assertCash } from './cashOnHand.ts'

const sides = [
  { cash: 'from_cash_account_id', bank: 'from_house_bank_id', wire: 'FromCashAccountID', kinds: ['DISBURSEMENT', 'TRANSFER', 'PETTY_REFILL'] },
  { cash: 'to_cash_account_id', bank: 'to_house_bank_id', wire: 'ToCashAccountID', kinds: ['RECEIPT', 'TRANSFER', 'PETTY_REFILL'] },
] as const

const moves = ['TRANSFER', 'PETTY_REFILL']

/** Money in and out without an invoice: what it comes to is what its lines say, but for a move between two accounts. */
export const cashBankHooks: DocumentHooks = {
  computed: ['territory_id', 'posting_date', 'from_statement_line_id', 'to_statement_line_id'],
  async beforeSave(saving) {
    const { context, before, header } = saving
    const stand: Row = { ...before, ...header }
    const kind = String(stand['kind'])
    for (const { cash, bank, kinds } of sides) {
      if (kind !== 'MANUAL' && !kinds.some((known) => known === kind)) Object.assign(header, { [cash]: null, [bank]: null })
    }
    const units = await context.tx.rows<{ unit: number }>(sql`
      select operating_unit_id as unit from cash_account where id = any(${idsOf(stand, 'cash')}::bigint[]) union select operating_unit_id from house_bank where id = any(${idsOf(stand, 'bank')}::bigint[])`)
    const [first, second] = units
    if (second !== undefined) return saving.problem(wrong('ToCashAccountID', 'INVALID.one-unit'))
    header['operating_unit_id'] = first?.unit ?? stand['operating_unit_id']
    if (!moves.includes(kind)) header['amount'] = await amountOfLines(saving, kind === 'MANUAL')
  },
}

function idsOf(row: Row, what: 'cash' | 'bank'): number[] {
  return sides.flatMap((side) => numberOrNull(row, side[what]) ?? [])
}

async function amountOfLines({ context, before, lines }: Saving, isManual: boolean): Promise<Decimal> {
  const rows = lines?.['Lines']?.map(({ columns }) => columns) ?? (before === undefined ? [] : await context.tx.rows(sql`select amount, debit, credit from cash_bank_document_line where cash_bank_document_id = ${before.id}`))
  const total = (column: string): ReturnType<typeof sum> => sum(rows.map((row) => row[column]).filter((value): value is string => isDecimal(value, 12)))
  return money(isManual ? total('debit').minus(total('credit')).abs() : total('amount'))
}

/** The document says where the money goes, adds up, and takes no cash that is not there. */
export const cashIsThere: Precondition = async ({ tx, current }) => {
  const kind = textOf(current, 'kind')
  const lines = await tx.rows<{ amount: Decimal; debit: Decimal; credit: Decimal }>(sql`select amount, debit, credit from cash_bank_document_line where cash_bank_document_id = ${current.id} order by line_no, id`)
  if (moves.includes(kind) ? lines.length > 0 : lines.length === 0) invalid([wrong('Lines', moves.includes(kind) ? 'INVALID.no-lines' : 'REQUIRED.lines')])
  for (const [at, line] of lines.entries()) {
    const isRight = kind === 'MANUAL' ? compare(line.debit, '0') >= 0 && compare(line.credit, '0') >= 0 && isZero(line.debit) !== isZero(line.credit) : compare(line.amount, '0') > 0
    if (!isRight) invalid([wrong(`Lines[${at}].${kind === 'MANUAL' ? 'Debit' : 'Amount'}`, kind === 'MANUAL' ? 'INVALID.one-side' : 'REQUIRED.amount')])
  }
  const amount = textOf(current, 'amount')
  if (kind !== 'MANUAL' && compare(amount, '0') <= 0) invalid([wrong('Amount', 'REQUIRED.amount')])
  const out = sum(lines.map((line) => line.debit)).minus(sum(lines.map((line) => line.credit)))
  for (const [side, { cash, bank, wire, kinds }] of sides.entries()) {
    const named = [cash, bank].filter((column) => numberOrNull(current, column) !== null).length
    const wanted = kind === 'MANUAL' ? Number(side === 0 ? out.gt(0) : out.lt(0)) : Number(kinds.some((known) => known === kind))
    if (named !== wanted) invalid([wrong(wire, wanted === 0 ? 'INVALID.no-money' : 'REQUIRED.cash-or-bank')])
  }
  if (kind === 'TRANSFER' || kind === 'PETTY_REFILL') {
    if (sides.every(({ cash }) => current[cash] === current['to_cash_account_id']) && sides.every(({ bank }) => current[bank] === current['to_house_bank_id'])) invalid([wrong('ToCashAccountID', 'INVALID.other-account')])
    if (kind === 'PETTY_REFILL' && current['to_cash_account_id'] === null) invalid([wrong('ToCashAccountID', 'REQUIRED.cash-or-bank')])
  }
  const from = numberOrNull(current, 'from_cash_account_id')
  if (from === null) return
  const account = await tx.first<{ code: string }>(sql`select k.code from cash_account c join account k on k.id = c.gl_account_id where c.id = ${from}`)
  await assertCash(tx, { account: account?.code ?? '', operatingUnitId: numberOf(current, 'operating_unit_id'), date: textOf(current, 'doc_date'), amount: money(exact(amount)), field: 'Amount' })
}

/** Asked once more when it is approved: meanwhile the cash may have gone elsewhere. */
export const cashStays: Effect = async (context) => {
  await cashIsThere(context)
}

/** What came in is still there when it is taken back. */
export const cashMayGo: Effect = async ({ tx, current, today }) => {
  const account = await tx.first<{ code: string }>(sql`select k.code from cash_account c join account k on k.id = c.gl_account_id where c.id = ${numberOrNull(current, 'to_cash_account_id')}::bigint`)
  if (account === undefined) return
  await assertCash(tx, { account: account.code, operatingUnitId: numberOf(current, 'operating_unit_id'), date: today, amount: textOf(current, 'amount'), field: 'Amount' })
}
