import { formatDate } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import type { PrintLayout } from '../sheet.ts'
import { addressIn, taxReturnSheet } from '../taxReturnSheet.tsx'
import { text } from '../wire.ts'

/** The nota retur of a customer: what we print is the draft he is given to sign. */
export const taxReturn: PrintLayout = {
  resource: 'credit-note',
  hasBanks: false,
  hasMarks: true,
  lay: (record, { company, customer, billTo }) => {
    const status = record['Status']
    return taxReturnSheet(record, {
      buyer: { name: text(record, 'CustomerName'), address: billTo ?? addressIn(customer), npwp: customer === undefined ? '' : text(customer, 'Npwp') },
      seller: { name: company === undefined ? '' : text(company, 'LegalName') || text(company, 'Name'), address: addressIn(company), npwp: company === undefined ? '' : text(company, 'Npwp') },
      faktur: [text(record, 'FakturNumber'), text(record, 'FakturDate') === '' ? '' : formatDate(record['FakturDate'])],
      facts: [
        [t('entity.credit_note'), text(record, 'Code')],
        [t('ui.print.date'), formatDate(record['NotaReturDate'] ?? record['DocDate'])],
        [t('field.invoice_id'), text(record, 'InvoiceCode')],
      ],
      stamp: status === 0 || status === 4 || status === 5 || status === 7 ? t(`status.${status}`) : undefined,
    })
  },
}
