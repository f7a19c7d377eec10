import { compare } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { ApprovalReason } from '#api/approval.ts'
import type { Queries } from '#server/context.ts'
import { Remembered } from '#server/db/remembered.ts'
import { sql } from '#server/db/sql.ts'

/** What a document asks to be approved for. */
export interface ApprovalCase {
  readonly docType: string
  /** Workflow action run at the final approval: `approve`, `reverse`, `cancel`. */
  readonly transition: string
  readonly amount: string
  readonly operatingUnitId: number
  readonly territoryId: number | null
  readonly customerCategoryId: number | null
  readonly reasons: readonly ApprovalReason[]
}

/** Somebody whose word a level needs. */
export interface Step {
  readonly kind: 'ROLE' | 'USER' | 'POSITION'
  /** Role code, e-mail or position. */
  readonly ref: string
  /** ANY: the first decides. ALL: everybody of them must. */
  readonly mode: 'ANY' | 'ALL'
  readonly hours: number
  /** Block code this step is about; null: the document as a whole. */
  readonly condition: string | null
  readonly approvedBy: readonly number[]
}

/** Steps of one level stand side by side: each must be satisfied before the next level is asked. */
export interface Level {
  readonly level: number
  readonly steps: readonly Step[]
}

/** Hours a level has: those of the step that may take longest. */
export function hoursOf(level: Pick<Level, 'steps'> | undefined): number {
  return Math.max(1, ...(level?.steps ?? []).map((step) => step.hours))
}

/** By when a level asked at this moment should have decided. */
export function dueAfter(asked: Date, level: Pick<Level, 'steps'> | undefined): string {
  return new Date(asked.getTime() + hoursOf(level) * 3_600_000).toISOString()
}

interface MatrixRow extends Record<string, unknown> {
  readonly condition_code: string | null
  readonly min_amount: string
  readonly max_amount: string | null
  readonly level: number
  readonly approver_kind: Step['kind']
  readonly approver_ref: string
  readonly mode: Step['mode']
  readonly sla_hours: number
  readonly specificity: number
  readonly transition: string
  readonly operating_unit_id: number | null
  readonly territory_id: number | null
  readonly customer_category_id: number | null
  readonly valid_from: DateText
  readonly valid_to: DateText | null
}

/** Rows in force by document type; of one level the most specific first. */
const matrix = new Remembered<string, readonly MatrixRow[]>('setup', async (tx, docTypes) => {
  const rows = await tx.rows<MatrixRow & { readonly doc_type: string }>(sql`
    select doc_type, transition, operating_unit_id, territory_id, customer_category_id, valid_from, valid_to, condition_code, min_amount, max_amount, level, approver_kind, approver_ref, mode,
      sla_hours, num_nonnulls(operating_unit_id, territory_id, customer_category_id, condition_code) as specificity
    from approval_matrix where doc_type = any(${[...docTypes]}::text[]) and is_active order by level, specificity desc, min_amount desc, id`)
  return new Map(docTypes.map((docType) => [docType, rows.filter((row) => row.doc_type === docType)]))
})

/**
 * Levels the matrix asks for, lowest first; none when no row matches. For each level and reason the most specific row wins (most selectors
 * named); a row that names a condition is measured against the value of that reason, any other against the amount of the document.
 */
export async function approvalLevels(queries: Queries, asked: ApprovalCase, today: DateText): Promise<readonly Level[]> {
  const transitions = asked.transition === 'approve' ? ['approve', 'submit'] : [asked.transition]
  const isFor = (selector: number | null, has: number | null): boolean => selector === null || selector === has
  const rows = ((await matrix.get(queries, asked.docType)) ?? []).filter(
    (row) =>
      transitions.includes(row.transition) && row.valid_from <= today && (row.valid_to === null || row.valid_to >= today) &&
      isFor(row.operating_unit_id, asked.operatingUnitId) && isFor(row.territory_id, asked.territoryId) && isFor(row.customer_category_id, asked.customerCategoryId),
  )
  const chosen = new Map<string, MatrixRow>()
  const consider = (row: MatrixRow, amount: string, condition: string | null): void => {
    if (!isWithin(amount, row)) return
    const key = `${row.level} ${condition ?? ''}`
    const known = chosen.get(key)
    if (!known || known.specificity < row.specificity) chosen.set(key, row)
  }
  for (const row of rows) {
    if (row.condition_code === null) consider(row, asked.amount, null)
    else for (const reason of asked.reasons) if (reason.code === row.condition_code) consider(row, numeric(reason.value) ?? asked.amount, row.condition_code)
  }
  const levels = new Map<number, Step[]>()
  for (const row of chosen.values()) {
    const steps = levels.get(row.level) ?? []
    levels.set(row.level, steps)
    const same = steps.some((step) => step.kind === row.approver_kind && step.ref === row.approver_ref)
    if (!same) steps.push({ kind: row.approver_kind, ref: row.approver_ref, mode: row.mode, hours: row.sla_hours, condition: row.condition_code, approvedBy: [] })
  }
  return [...levels].sort(([a], [b]) => a - b).map(([level, steps]) => ({ level, steps }))
}

/** Above its lower end, a row from 0 on with 0 as well, and up to its upper end. */
function isWithin(amount: string, { min_amount: min, max_amount: max }: MatrixRow): boolean {
  const isAbove = compare(min, '0') === 0 ? compare(amount, min) >= 0 : compare(amount, min) > 0
  return isAbove && (max === null || compare(amount, max) <= 0)
}

function numeric(text: string | null | undefined): string | undefined {
  return text != null && /^-?\d+(\.\d+)?$/.test(text) ? text : undefined
}
