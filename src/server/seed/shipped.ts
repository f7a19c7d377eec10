import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Row } from '#server/context.ts'
import { accountGroups, accounts } from './accounts.ts'
import { approvalMatrix } from './approvals.ts'
import { genericTemplateCode } from './ocrTemplate.ts'
import { numberSeries } from './numberSeries.ts'
import { reasons } from './reasons.ts'
import { roles } from './roles.ts'
import { allocationRules, claimTypes, expenseTypes, promotionTypes, roundedCurrency, roundedDocuments, taxCodes, tolerances, writeOffParameters } from './settings.ts'

/** Masters that come with the product, by entity; each start adds those that are missing (`installReference`). */
const shipped: Readonly<Record<string, (record: Row) => boolean>> = {
  account: coded([...accountGroups, ...accounts]),
  allocation_rule: named(allocationRules),
  approval_matrix: coded(approvalMatrix),
  credit_note_promo_type: named(claimTypes),
  expense_type: named(expenseTypes),
  ocr_template: coded([{ code: genericTemplateCode }]),
  number_series: coded(numberSeries),
  promotion_type: named(promotionTypes),
  reason: coded(reasons),
  role: coded(roles),
  rounding_rule: (record) => record['currency'] === roundedCurrency && roundedDocuments.some((docType) => docType === record['doc_type']),
  tax_code: named(taxCodes),
  tolerance: (record) => record['operating_unit_id'] === null && tolerances.some(([usage]) => usage === record['usage']),
  write_off_parameter: named(writeOffParameters),
}

/** Does the record come with the product? Deleted, or under another code, it would be there once more after the next start. */
export function isShipped({ id }: ResolvedEntity, record: Row): boolean {
  return shipped[id]?.(record) === true
}

function coded(records: readonly { readonly code: string }[]): (record: Row) => boolean {
  const codes = new Set<unknown>(records.map(({ code }) => code))
  return (record) => codes.has(record['code'])
}

function named(rows: readonly (readonly [code: string, ...unknown[]])[]): (record: Row) => boolean {
  return coded(rows.map(([code]) => ({ code })))
}
