import type { Decimal } from '#base/decimal.ts'
import { wireName } from '#base/wireName.ts'
import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks, Saving, SavingLine } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'
import { matchedBy } from './matchStatement.ts'
import { statementOfNumber } from './statementNumber.ts'
import { sumsOf } from './statementSums.ts'

export const statementHooks: DocumentHooks = {
  computed: ['territory_id', 'operating_unit_id', 'posting_date', 'money_in', 'money_out', 'diff_amount', 'lines.diff_amount'],
  async beforeSave(saving) {
    const { context, header, before, lines, problem } = saving
    const stand: Row = { ...before, ...header }
    const bank = await context.tx.first(sql`select operating_unit_id, currency from house_bank where id = ${stand['house_bank_id']}::bigint`)
    if (bank === undefined) return problem(wrong('HouseBankID', 'REQUIRED.bank-account'))
    Object.assign(header, { operating_unit_id: bank['operating_unit_id'], currency: bank['currency'] })
    await checkNumber(saving, stand)
    for (const [i, line] of (lines?.['Lines'] ?? []).entries()) settleMatch(saving, line, `Lines[${i}]`)
    checkTwice(saving)
    const sides = lines?.['Lines']?.map(({ columns }) => columns) ?? (before === undefined ? [] : await context.tx.rows(sql`select debit, credit from bank_statement_line where bank_statement_id = ${before.id}`))
    Object.assign(header, sumsOf({ opening: amountOf(stand, 'opening_balance'), closing: amountOf(stand, 'closing_balance') }, sides.map((side) => ({ debit: amountOf(side, 'debit'), credit: amountOf(side, 'credit') }))))
  },
}

async function checkNumber({ context, before, problem }: Saving, stand: Row): Promise<void> {
  const twin = await statementOfNumber(context.tx, stand, before?.id)
  if (twin !== undefined) problem(wrong('StatementNo', 'DUPLICATE.statement', { code: twin }))
}

/** The document a line names says what the line is; one that is something else names none. */
function settleMatch({ problem }: Saving, { columns }: SavingLine, place: string): void {
  const isNothingSaid = columns['match_type'] == null || columns['match_type'] === 'NONE'
  const named = matchedBy.filter(({ column }) => columns[column] != null)
  if (isNothingSaid && named[0] !== undefined) columns['match_type'] = named[0].kind
  for (const { kind, column } of named) if (columns['match_type'] !== kind) problem(wrong(`${place}.${wireName(column)}`, 'INVALID.match'))
}

/** Money came in once: what confirms one line confirms no other. */
function checkTwice({ lines, problem }: Saving): void {
  for (const { column } of matchedBy) {
    const first = new Map<unknown, number>()
    for (const [i, { columns }] of (lines?.['Lines'] ?? []).entries()) {
      const id = columns[column]
      if (id == null) continue
      const side = (column === 'cash_bank_document_id' || column === 'ap_payment_id' || column === 'ar_payment_id') && amountOf(columns, 'credit') === '0.00' ? `${String(id)} out` : String(id)
      const known = first.get(side)
      if (known === undefined) first.set(side, i + 1)
      else problem(wrong(`Lines[${i}].${wireName(column)}`, 'DUPLICATE.statement-line', { line: known }))
    }
  }
}

function amountOf(row: Row, column: string): Decimal {
  const value = row[column]
  return typeof value === 'string' ? value : '0.00'
}
