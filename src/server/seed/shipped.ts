import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Row } from '#server/context.ts'
import { accountGroups, accounts } from './accounts.ts'
import { approvalMatrix } from './approvals.ts'
import { numberSeries } from './numberSeries.ts'
import { reasons } from './reasons.ts'
import { roles } from './roles.ts'
import { allocationRules, claimTypes, expenseTypes, promotionTypes, taxCodes, tolerances, writeOffParameters } from './settings.ts'

/** Codes of the records that come with the product, by entity; each start adds those that are missing (`installReference`). */
const codes: Readonly<Record<string, ReadonlySet<string>>> = {
  account: setOf([...accountGroups, ...accounts]),
  allocation_rule: firstOf(allocationRules),
  approval_matrix: setOf(approvalMatrix),
  credit_note_promo_type: firstOf(claimTypes),
  expense_type: firstOf(expenseTypes),
  number_series: setOf(numberSeries),
  promotion_type: firstOf(promotionTypes),
  reason: setOf(reasons),
  role: setOf(roles),
  tax_code: firstOf(taxCodes),
  write_off_parameter: firstOf(writeOffParameters),
}

/** Does the record come with the product? Deleted, or under another code, it would be there once more after the next start. */
export function isShipped({ id, base }: ResolvedEntity, record: Row): boolean {
  if (base !== 'master') return false
  if (id === 'tolerance') return record['operating_unit_id'] === null && tolerances.some(([usage]) => usage === record['usage'])
  return typeof record['code'] === 'string' && codes[id]?.has(record['code']) === true
}

function setOf(records: readonly { readonly code: string }[]): ReadonlySet<string> {
  return new Set(records.map(({ code }) => code))
}

function firstOf(rows: readonly (readonly [string, ...unknown[]])[]): ReadonlySet<string> {
  return new Set(rows.map(([code]) => code))
}
