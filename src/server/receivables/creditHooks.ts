import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'
import { sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
import { checkUnitAccounts } from './unitAccounts.ts'

/** Unit and territory of a customer's document are the customer's. */
async function fromCustomer({ context, header, before }: Saving): Promise<void> {
  const id = header['customer_id'] ?? before?.['customer_id']
  const customer = await context.tx.first(sql`select operating_unit_id, territory_id from customer where id = ${id}::bigint`)
  if (customer !== undefined) Object.assign(header, { operating_unit_id: customer['operating_unit_id'], territory_id: customer['territory_id'] })
}

export const creditNoteHooks: DocumentHooks = {
  computed: ['territory_id', 'operating_unit_id', 'remaining', 'ar_account_id'],
  async beforeSave(saving) {
    const kind = saving.header['kind'] ?? saving.before?.['kind']
    if (kind === 'RETURN') saving.problem(wrong('Kind', 'NOT_A_CHOICE.return'))
    if (kind === 'BEGBAL') saving.problem(wrong('Kind', 'NOT_A_CHOICE.opening'))
    await fromCustomer(saving)
  },
}

export const depositHooks: DocumentHooks = {
  computed: ['territory_id', 'operating_unit_id', 'remaining', 'origin', 'deposit_source_id', 'bank_statement_line_id'],
  async beforeSave(saving) {
    await fromCustomer(saving)
    await checkUnitAccounts(saving)
  },
}

export const temporaryCreditHooks: DocumentHooks = {
  computed: ['territory_id', 'operating_unit_id', 'remaining', 'ar_payment_id'],
  async beforeSave(saving) {
    const { context, header, before } = saving
    const invoice = await context.tx.first(sql`select customer_id from invoice where id = ${header['invoice_id'] ?? before?.['invoice_id']}::bigint`)
    const customerId = header['customer_id'] ?? before?.['customer_id']
    if (invoice !== undefined && invoice['customer_id'] !== customerId) saving.problem(wrong('InvoiceID', 'NOT_IN_SCOPE.invoice'))
    await fromCustomer(saving)
  },
}
