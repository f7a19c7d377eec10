import { isRow } from '#server/documents/bodyColumns.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'
import { installCompanySettings } from '#server/seed/reference.ts'

/** Accounts of open items, by the kind of items they keep: another kind of account would tell the books apart from the items. */
const accounts = [
  ['receivable_account_id', 'ReceivableAccountID', 'AR'], ['collector_account_id', 'CollectorAccountID', 'AR'],
  ['payable_account_id', 'PayableAccountID', 'AP'], ['other_payable_account_id', 'OtherPayableAccountID', 'AP'],
] as const

/** One row a company, kept as single values for people and together for what reads them. */
export const financeHooks: DocumentHooks = {
  writable: true,
  creatable: false,
  computed: ['company_id', 'aging_bucket', 'exposure_includes'],
  async beforeSave({ context, header, before, problem }) {
    for (const [column, wire, kind] of accounts) {
      if (!Object.hasOwn(header, column) || header[column] === before?.[column]) continue
      const found = await context.tx.first(sql`select 1 from account where id = ${header[column]}::bigint and control_kind = ${kind} and is_postable and is_active`)
      if (!found) problem(header[column] === null ? wrong(wire, 'REQUIRED') : wrong(wire, 'NOT_A_CHOICE.control-kind'))
    }
    const value = (column: string): unknown => (Object.hasOwn(header, column) ? header[column] : before?.[column])
    const includes = before?.['exposure_includes']
    header['aging_bucket'] = ['aging_1', 'aging_2', 'aging_3', 'aging_4', 'aging_5'].map((column) => Number(value(column)))
    header['exposure_includes'] = { ...(isRow(includes) ? includes : {}), credit_note: value('include_credit_note') === true, deposit: value('include_deposit') === true }
  },
}

/** A new company has finance settings from the start. */
export const companyHooks: DocumentHooks = {
  async afterSave({ before, context }) {
    if (before === undefined) await installCompanySettings(context.tx)
  },
}
