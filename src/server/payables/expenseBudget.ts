import { isDate, periodOf } from '#base/date.ts'
import { compare, exact, grouped, money, sum, type Decimal } from '#base/decimal.ts'
import type { Row, TransitionContext } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import type { Match } from './matchInvoice.ts'

interface Budget extends Row {
  readonly id: number
  readonly account_id: number
  readonly name: string
  readonly available: Decimal
}

/**
 * What is bought without an order rests on a contract, or on the budget of each account it is booked on, for the unit and the month of the invoice. The budgets are
 * locked: of two invoices at once the second sees what the first has left. Each line keeps its budget and uses it up when the invoice is posted, under a contract as well.
 */
export async function expenseMatches(context: TransitionContext): Promise<readonly Match[]> {
  const { tx, current } = context
  const lines = (await linesOf(context)).map(({ row }) => row)
  const day = textOf(current, 'doc_date')
  const period = isDate(day) ? periodOf(day) : ''
  // Budgets are in the currency of the books: what comes in another rests on its contract.
  const isForeign = compare(textOf(current, 'rate'), '1') !== 0
  const accounts = [...new Set(lines.flatMap((line) => numberOrNull(line, 'account_id') ?? []))]
  const budgets = new Map((await tx.rows<Budget>(sql`
    select id, account_id, name, available from expense_budget
    where operating_unit_id = ${numberOf(current, 'operating_unit_id')} and period = ${period} and account_id = any(${isForeign ? [] : accounts}::bigint[]) and is_active order by id for update`)).map((budget) => [budget.account_id, budget]))
  const kept = lines.map((line) => ({ id: numberOf(line, 'id'), budget: budgets.get(numberOrNull(line, 'account_id') ?? 0)?.id ?? null }))
  await tx.run(sql`update vendor_invoice_line l set expense_budget_id = x.budget from ${recordset(kept, { id: 'bigint', budget: 'bigint' }, 'x')} where l.id = x.id and l.expense_budget_id is distinct from x.budget`)
  const contract = (textOrNull(current, 'contract_no') ?? '').trim()
  if (contract !== '') return [{ rule: 'CONTRACT', expected: '', actual: contract, difference: '', isFine: true }]
  const codes = new Map((await tx.rows<{ id: number; code: string }>(sql`select id, code from account where id = any(${accounts}::bigint[])`)).map(({ id, code }) => [id, code]))
  return accounts.map((account): Match => {
    const asked = sum(lines.filter((line) => line['account_id'] === account).map((line) => exact(textOf(line, 'amount'))))
    const budget = budgets.get(account)
    if (budget === undefined) return { rule: 'CONTRACT', expected: `${codes.get(account) ?? ''} ${monthText(period)}`, actual: '', difference: '', isFine: false }
    const over = asked.minus(budget.available)
    return { rule: 'BUDGET', expected: `${grouped(budget.available)} (${budget.name})`, actual: grouped(money(asked)), difference: over.gt(0) ? grouped(money(over)) : '', isFine: !over.gt(0) }
  })
}

function monthText(period: string): string {
  return `${period.slice(4)}/${period.slice(0, 4)}`
}

/** A budget set up late counts what is posted on its account already. */
export const expenseBudgetHooks: DocumentHooks = {
  async afterSave({ context: { tx }, before }, { id }) {
    if (before !== undefined) return
    await tx.run(sql`
      update vendor_invoice_line l set expense_budget_id = b.id from expense_budget b, vendor_invoice i
      where b.id = ${id} and i.id = l.vendor_invoice_id and i.kind = 'NON_TRADE' and i.rate = 1 and i.status in (1, 2, 3) and i.operating_unit_id = b.operating_unit_id
        and to_char(i.doc_date, 'YYYYMM') = b.period and l.account_id = b.account_id and l.expense_budget_id is null`)
    await tx.run(sql`update expense_budget set used = (select coalesce(sum(amount), 0) from vendor_invoice_line where expense_budget_id = ${id}) where id = ${id}`)
  },
}
