import { formatDate, formatNumber } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { documentSheet, roundingRow } from '../documentSheet.tsx'
import type { PrintLayout } from '../sheet.ts'
import { decimal, lines, text } from '../wire.ts'
import { Payment, Signature } from './invoice.tsx'

/** The invoice of goods sold at a customer's, each line with what was brought, taken back and counted. */
export const consignmentInvoice: PrintLayout = {
  resource: 'consignment-sales',
  hasBanks: true,
  hasMarks: true,
  lay: (record, facts, paper) => {
    const shown = {
      ...record, Code: text(record, 'InvoiceCode') || text(record, 'Code'),
      Lines: lines(record).map((line) => ({ ...line, Uom: text(line, 'PriceUom') || text(line, 'Uom') })),
    }
    return documentSheet(shown, facts, paper, {
      title: t('ui.print.consignmentInvoice'),
      stamped: [0, 4, 5, 7],
      facts: [
        [t('ui.print.date'), formatDate(record['DocDate'])],
        [t('field.due_date'), formatDate(record['DueDate'])],
        [t('field.count_date'), formatDate(record['CountDate'])],
        [t('entity.consignment_sales'), text(record, 'Code')],
        [t('ui.print.customerNo'), text(record, 'CustomerCode')],
      ],
      reductions: ['Discount', 'Promo'],
      below: (line) => t('ui.print.counted', {
        opening: formatNumber(line['Opening']), filled: formatNumber(line['Filled']), pickedUp: formatNumber(line['PickedUp']), counted: formatNumber(line['Counted']), sold: formatNumber(line['Sold']),
      }),
      sums: [
        [t('field.gross'), decimal(record, 'Gross')],
        [t('field.discount'), decimal(record, 'Discount')],
        ...roundingRow(record),
        [t('field.dpp'), decimal(record, 'Dpp')],
        [t('field.dpp_other'), decimal(record, 'DppOther')],
        [t('field.ppn'), decimal(record, 'Ppn')],
        [t('field.total'), decimal(record, 'Total')],
      ],
      beside: <Payment record={shown} banks={facts.banks} />,
      after: [<Signature key="sign" record={shown} company={facts.company} />],
    })
  },
}
