import type { DateText } from '#base/date.ts'
import { money, sum, type Decimal } from '#base/decimal.ts'
import type { RowResult } from '#api/data.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { tell } from '#server/sentences.ts'
import { setting } from '#server/settings.ts'
import { insertDocument, textOf } from '#server/workflow/newDocument.ts'

interface Due extends Row {
  readonly goods_issue_id: number
  readonly operating_unit_id: number
  readonly customer_id: number
  readonly sales_order_id: number | null
  readonly posting_date: DateText
  readonly billing_rule: string
  readonly amount: Decimal
}

/** Why goods issues are billed only once somebody else has agreed; undefined: they are billed at once. */
export async function causeOfRun(context: CommandContext, date: DateText, lines: number): Promise<'BACK_DATED' | 'LARGE' | undefined> {
  if (date < context.today) return 'BACK_DATED'
  return lines > (await setting(context.tx, 'billing_run_auto_max', null, 200)) ? 'LARGE' : undefined
}

/** Asks for the goods issues to be billed, a run for each unit. */
export async function askForRun(context: CommandContext, ids: readonly number[], date: DateText, cause: 'BACK_DATED' | 'LARGE'): Promise<readonly RowResult[]> {
  const due = await context.tx.rows<Due>(sql`
    select id as goods_issue_id, operating_unit_id, customer_id, sales_order_id, posting_date, billing_rule, amount from billing_due where id = any(${[...ids]}::bigint[]) order by posting_date, id`)
  const results: RowResult[] = []
  for (const unit of new Set(due.map((line) => line.operating_unit_id))) {
    const lines = due.filter((line) => line.operating_unit_id === unit)
    const { id } = await insertDocument(context, 'billing_run', {
      operating_unit_id: unit, territory_id: null, doc_date: context.today, invoice_date: date, cause, deliveries: lines.length, total: money(sum(lines.map(({ amount }) => amount))), source: 'WEB',
    }, { table: 'billing_run_line', rows: lines.map(({ operating_unit_id: _unit, ...line }) => ({ ...line, result: 'OPEN' })) })
    const run = await context.transition('billing_run', id, 'submit')
    results.push(...lines.map((line) => ({ ID: line.goods_issue_id, ok: true, ...tell('done.billing-run-asked', { run: textOf(run, 'code') }) })))
  }
  return results
}
