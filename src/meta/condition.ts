/**
 * The one condition grammar: visibility, required, row emphasis, presets, eligibility of actions, filters.
 * Field names are column names (`status`, `customer_id`, one hop `customer_id.name`).
 * An absent or null value makes a test false (except `empty`), never coerced.
 */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | FieldTest

/** `{ status: 1 }` or `{ total: { gt: "100.00" } }`; several fields in one object all must hold. */
export interface FieldTest {
  readonly [field: string]: Operand | OperatorTest
}

export const operators = ['eq', 'ne', 'in', 'nin', 'empty', 'lt', 'le', 'gt', 'ge', 'between', 'contains', 'startsWith', 'within'] as const
export type Operator = (typeof operators)[number]

export type OperatorTest = { readonly [op in Operator]?: Operand | readonly Operand[] }

/** Literal, another field of the record, something about the user, the clock, or a path parameter. */
export type Operand =
  | string
  | number
  | boolean
  | { readonly field: string }
  | { readonly user: string }
  | { readonly now: 'date' }
  | { readonly param: string }

/** Relative dates of `within`; besides these `last:7d` and `next:30d`. `past` ends yesterday, `future` begins tomorrow. */
export const periods = [
  'today', 'yesterday', 'tomorrow', 'thisWeek', 'lastWeek', 'nextWeek', 'thisMonth', 'lastMonth', 'nextMonth', 'thisQuarter', 'lastQuarter', 'thisYear', 'lastYear', 'past', 'future',
] as const
