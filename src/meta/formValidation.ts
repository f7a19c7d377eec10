import type { JsonSchema } from '#meta/formSchema.ts'

/** One problem as the precompiled functions report it (ajv's own shape). */
export interface ValidationProblem {
  /** Kind of rule: `required`, `pattern`, `enum`. */
  readonly keyword: string
  /** `/CustomerID`; '' for the whole. */
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

export interface ValidateFunction {
  (data: unknown): boolean
  errors?: readonly ValidationProblem[] | null
}

/**
 * What `src/generated/validators/<form>.js` exports. `schema` and `validators` belong together: rjsf accepts the
 * precompiled functions only for this very schema, so it is never changed at run time.
 */
export interface FormValidation {
  readonly schema: JsonSchema
  /** For rjsf's `createPrecompiledValidator(validators, schema)`. */
  readonly validators: Readonly<Record<string, ValidateFunction>>
  /** One line of each grid, by the grid's wire key. */
  readonly validateRow: Readonly<Record<string, ValidateFunction | undefined>>
}
