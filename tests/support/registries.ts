import type { Registries } from '#server/app.ts'
import { requestApproval, withdrawApproval } from '#server/approval/requestApproval.ts'
import type { Effect } from '#server/context.ts'
import { metadata } from '#generated/metadata.ts'
import { fail } from '#server/problemError.ts'

/** No business at all: for tests of the platform that touch masters only. */
export const noRegistries: Registries = { preconditions: {}, effects: {}, commands: {}, hooks: {} }

const nothing: Effect = async () => undefined

/**
 * Every name of the workflows with the least behaviour that lets the engine be tested: an order needs approval above 1,000,000 by credit
 * control, and above the matrix's 50,000,000 by finance as well; other effects do nothing unless a test replaces them.
 */
export function plainRegistries(replaced: Partial<Registries> = {}): Registries {
  const transitions = Object.values(metadata.workflows).flatMap((workflow) => workflow.transitions)
  const effects: Record<string, Effect> = Object.fromEntries(transitions.flatMap((transition) => transition.effects).map((name) => [name, nothing]))
  effects['requestApproval'] = async (context) => {
    const amount = String(context.current['total'] ?? context.current['amount'] ?? '0')
    await requestApproval(context, { amount, reasons: Number(amount) > 1_000_000 ? [{ code: 'CL01', text: 'Over the limit', value: amount }] : [] })
  }
  effects['withdrawApproval'] = withdrawApproval
  effects['requestReversal'] = async (context) => void (await requestApproval(context, { amount: String(context.current['amount']), reasons: [], action: 'reverse' }))
  return {
    preconditions: {
      ...Object.fromEntries(transitions.flatMap((transition) => transition.preconditions).map((name) => [name, () => undefined])),
      hasLines: async (context) => {
        const { sql } = await import('#server/db/sql.ts')
        if (!(await context.tx.first(sql`select 1 from sales_order_line where sales_order_id = ${context.record.id}`))) fail('VALIDATION_FAILED')
      },
      ...replaced.preconditions,
    },
    effects: { ...effects, ...replaced.effects },
    commands: { ...replaced.commands },
    // Orders keep the totals they are sent, so that tests can choose them.
    hooks: { sales_order: { computed: ['lines.qty_base'], async beforeSave(saving) {
      for (const line of saving.lines?.['Lines'] ?? []) line.columns['qty_base'] = line.columns['qty']
    } }, ...replaced.hooks },
  }
}
