import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'

/**
 * The code of another live statement of the account under the same number, in whatever case, or undefined. The bank numbers its statements: one that was
 * refused or undone is entered again under its own number. Whoever asks has the numbers of the account to himself until his transaction ends.
 */
export async function statementOfNumber(tx: Queries, statement: Row, id: number | undefined): Promise<string | undefined> {
  const bank = numberOf(statement, 'house_bank_id')
  const twin = await tx.exclusive(`statement numbers of account ${bank}`, () =>
    tx.first<{ code: string }>(sql`
      select coalesce(code, statement_no) as code from bank_statement
      where house_bank_id = ${bank} and lower(statement_no) = lower(${textOf(statement, 'statement_no')}) and status in (0, 3, 4, 8) and id is distinct from ${id ?? null}::bigint limit 1`))
  return twin?.code
}
