import type { RowResult } from '#api/data.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, Effect } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { problem, refusedRow } from '#server/problemError.ts'
import { billDeliveries, billNow } from './billDeliveries.ts'

/** Goods issues of a group, by id. */
function issuesOf({ goods_issue_ids: ids }: { readonly goods_issue_ids: string }): readonly number[] {
  return ids.split(',').map(Number)
}

/** Groups of deliveries that go together, each called by its first: all of theirs are billed. */
export const billCustomers: Command = async (context, input) => {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'b')
  const groups = await context.tx.rows<{ id: number; goods_issue_ids: string }>(sql`
    select b.id, b.goods_issue_ids from billing_customer b where b.id = any(${[...input.ids]}::bigint[]) and ${scope ?? sql`true`} order by b.id`)
  const gone = input.ids.filter((id) => groups.every((group) => group.id !== id))
  const { results = [], ...answer } = await billDeliveries(context, { ...input, ids: groups.flatMap((group) => issuesOf(group)) })
  const all = results as readonly RowResult[]
  return {
    ...answer,
    results: [
      ...groups.map((group) => ({ ...(all.find(({ ID, ok }) => !ok && issuesOf(group).includes(ID)) ?? all.find(({ ID }) => issuesOf(group).includes(ID))), ID: group.id })),
      ...gone.map((id) => refusedRow(id, problem('ILLEGAL_TRANSITION.nothing-to-bill'))),
    ],
  }
}

/** The run is agreed to: each invoice by itself; what cannot be billed any more is said in its line and left out. */
export const runBilling: Effect = async (context) => {
  const { current, tx } = context
  const lines = (await linesOf(context)).map(({ row }) => ({ id: numberOf(row, 'id'), issue: numberOf(row, 'goods_issue_id') }))
  const { results, invoices } = await billNow(context, lines.map(({ issue }) => issue), textOf(current, 'invoice_date'))
  const made = await tx.rows<{ goods_issue_id: number; invoice_id: number }>(sql`
    select gl.goods_issue_id, min(l.invoice_id) as invoice_id from invoice_line l join goods_issue_line gl on gl.id = l.gi_line_id where l.invoice_id = any(${invoices.map((invoice) => Number(invoice['ID']))}::bigint[]) group by 1`)
  const failures = new Map(results.flatMap((result) => (result.ok ? [] : [[result.ID, result.text ?? ''] as const])))
  for (const { id, issue } of lines) {
    const failure = failures.get(issue) ?? null
    const invoice = made.find((one) => one.goods_issue_id === issue)?.invoice_id ?? null
    await tx.run(sql`update billing_run_line set result = ${failure === null ? 'BILLED' : 'FAILED'}, failure = ${failure}, invoice_id = ${invoice} where id = ${id}`)
  }
  context.set({ invoices: invoices.length, failed: failures.size })
}
