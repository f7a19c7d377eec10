import { exact, grouped, type Decimal } from '#base/decimal.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { fail } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { tolerance } from '#server/settings.ts'
import { eachRow } from '#server/workflow/eachRow.ts'

interface Pair extends Row {
  readonly code: string
  readonly line: number
  readonly statement: number
  readonly unit: number
  readonly payment: number
  readonly payment_code: string
  readonly diff: Decimal
  readonly amount: Decimal
  readonly is_taken: boolean
}

/** The receipt is what the line of the statement says: the statement will confirm it once it is posted. */
export const takeMatch: Command = (context, { ids }) =>
  onPair(context, ids, async (own, pair) => {
    if (pair.is_taken) return tell('done.match-taken', { line: pair.code, payment: pair.payment_code })
    const most = await tolerance(own.tx, 'BANK_MATCH', pair.unit, pair.amount)
    if (exact(pair.diff).abs().gt(most)) fail('ILLEGAL_TRANSITION.match-difference', { line: pair.code, most: grouped(most) })
    await set(own, pair, 'PAYMENT', pair.payment)
    return tell('done.match-taken', { line: pair.code, payment: pair.payment_code })
  })

/** It was not: the line is open again. */
export const releaseMatch: Command = (context, { ids }) =>
  onPair(context, ids, async (own, pair) => {
    if (pair.is_taken) await set(own, pair, 'NONE', null)
    return tell('done.match-released', { line: pair.code })
  })

/** Pairs as they are now, the receipt and its statement under lock: what others have taken meanwhile is no pair any more. */
function onPair(context: CommandContext, ids: readonly number[], work: (own: CommandContext, pair: Pair) => Promise<ReturnType<typeof tell>>): Promise<Row> {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'm') ?? sql`true`
  return eachRow(context, ids, async (own, id) => {
    const { tx } = own
    await tx.run(sql`select s.id from bank_statement s join bank_statement_line l on l.bank_statement_id = s.id where l.id = ${id}::bigint / 16777216 for update of s`)
    await tx.run(sql`select id from ar_payment where id = ${id}::bigint % 16777216 for update`)
    const pair = await tx.first<Pair>(sql`
      select m.code, m.id / 16777216 as line, m.bank_statement_id as statement, m.operating_unit_id as unit, m.ar_payment_id as payment, p.code as payment_code, m.diff, m.amount, m.is_taken
      from bank_match m join ar_payment p on p.id = m.ar_payment_id where m.id = ${id} and ${scope}`)
    return pair === undefined ? fail('ILLEGAL_TRANSITION.match-gone') : work(own, pair)
  })
}

async function set({ tx, now, user }: CommandContext, pair: Pair, type: 'PAYMENT' | 'NONE', payment: number | null): Promise<void> {
  const at = now.toISOString()
  await tx.run(sql`update bank_statement_line set match_type = ${type}, ar_payment_id = ${payment}::bigint where id = ${pair.line}`)
  await tx.run(sql`update bank_statement set version = version + 1, updated_at = ${at}, updated_by = ${user.id} where id = ${pair.statement}`)
  await writeLog(tx, { docType: 'bank_statement', docId: pair.statement, at, actorId: user.id, action: 'edit', diff: [{ field: 'match_type', from: payment === null ? pair.payment_code : null, to: payment === null ? null : pair.payment_code }] })
}
