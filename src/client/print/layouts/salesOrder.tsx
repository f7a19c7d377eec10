import { formatDate } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { documentSheet, roundingRow } from '../documentSheet.tsx'
import css from '../print.module.css'
import type { PrintLayout } from '../sheet.ts'
import { decimal, text, together } from '../wire.ts'

/** Confirmation of a stored order for the customer. */
export const salesOrder: PrintLayout = {
  resource: 'sales-order',
  hasBanks: false,
  hasMarks: false,
  lay: (record, facts, paper) =>
    documentSheet(record, facts, paper, {
      title: t('ui.print.order'),
      stamped: [0, 5, 6],
      facts: [
        [t('ui.print.date'), formatDate(record['DocDate'])],
        [t('field.requested_date'), formatDate(record['RequestedDate'])],
        [t('field.po_number'), text(record, 'PoNumber')],
        [t('field.payment_term_id'), text(record, 'PaymentTermName')],
      ],
      reductions: ['DiscountAmount', 'PromoAmount'],
      sums: [
        [t('field.gross'), decimal(record, 'Gross')],
        [t('field.discount'), together(decimal(record, 'Discount'), decimal(record, 'Promo'))],
        ...roundingRow(record),
        [t('field.dpp'), decimal(record, 'Dpp')],
        [t('field.ppn'), decimal(record, 'Ppn')],
        [t('field.total'), decimal(record, 'Total')],
      ],
      beside: text(record, 'Note') !== '' && <p className={css['small']}>{text(record, 'Note')}</p>,
    }),
}
