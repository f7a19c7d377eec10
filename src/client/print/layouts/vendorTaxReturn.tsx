import type { WireRecord } from '#api/envelope.ts'
import { formatDate } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import type { Facts } from '../facts.ts'
import type { PrintLayout, Sheet } from '../sheet.ts'
import { addressIn, taxReturnSheet } from '../taxReturnSheet.tsx'
import { text } from '../wire.ts'

/** The nota retur we make out to a vendor for goods we sent back: we are the buyer and sign it. */
export const vendorTaxReturn: PrintLayout = {
  resource: 'dn',
  hasBanks: false,
  hasVendor: true,
  hasMarks: true,
  lay: (record, facts) => {
    const status = record['Status']
    return lay(record, facts, typeof status === 'number' && ![1, 2, 3].includes(status) ? t(`status.${status}`) : undefined)
  },
}

/** The same before it counts: whatever becomes of the debit note, this paper says that it is a draft. */
export const vendorTaxReturnDraft: PrintLayout = { ...vendorTaxReturn, lay: (record, facts) => lay(record, facts, t('status.0')) }

function lay(record: WireRecord, { company, vendor, vendorAddress, vendorInvoice }: Facts, stamp: string | undefined): Sheet {
  return taxReturnSheet(record, {
    buyer: { name: company === undefined ? '' : text(company, 'LegalName') || text(company, 'Name'), address: addressIn(company), npwp: company === undefined ? '' : text(company, 'Npwp') },
    seller: { name: text(record, 'VendorName'), address: vendorAddress, npwp: vendor === undefined ? '' : text(vendor, 'Npwp') },
    faktur: vendorInvoice === undefined ? ['', ''] : [text(vendorInvoice, 'FakturNumber'), text(vendorInvoice, 'FakturDate') === '' ? '' : formatDate(vendorInvoice['FakturDate'])],
    facts: [
      [t('entity.debit_note'), text(record, 'Code')],
      [t('ui.print.date'), formatDate(record['NotaReturDate'] ?? record['DocDate'])],
      [t('field.goods_receipt_id'), text(record, 'GoodsReceiptCode')],
      [t('field.vendor_invoice_id'), text(record, 'VendorInvoiceCode')],
    ],
    stamp,
  })
}
