import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { numberOf, numberOrNull } from '#server/workflow/newDocument.ts'
import { payableAccount } from './vendorInvoice.ts'

/** What a vendor credits stands on the account of the invoice it names, or on the one his invoices stand on. */
export const supplierCreditNoteHooks: DocumentHooks = {
  async beforeSave(saving) {
    const { tx } = saving.context
    const row: Row = { ...saving.before, ...saving.header }
    const vendorId = numberOrNull(row, 'vendor_id')
    if (vendorId === null) return
    const invoice = await tx.first<{ account_id: number | null }>(sql`select account_id from vendor_invoice where id = ${numberOrNull(row, 'vendor_invoice_id')}::bigint and vendor_id = ${vendorId}`)
    const vendor = await tx.first<{ ap_account_group: string }>(sql`select ap_account_group from business_partner where id = ${vendorId}`)
    saving.header['account_id'] = invoice?.account_id ?? (await payableAccount(tx, numberOf(row, 'operating_unit_id'), vendor?.ap_account_group === 'NON_TRADE' ? 'NON_TRADE' : 'TRADE'))
  },
}
