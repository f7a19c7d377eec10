import { exact, fixed } from '#base/decimal.ts'
import type { WireRecord } from '#api/envelope.ts'
import { formatDate, formatNumber } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { documentSheet, roundingRow, type DocumentWords } from '../documentSheet.tsx'
import css from '../print.module.css'
import type { PrintLayout } from '../sheet.ts'
import { decimal, standingOf, text, together } from '../wire.ts'

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
        ...withoutCancelled(record),
      ],
      below: cancelledOf,
      beside: text(record, 'Note') !== '' && <p className={css['small']}>{text(record, 'Note')}</p>,
    }),
}

function withoutCancelled(record: WireRecord): DocumentWords['sums'] {
  const standing = record['Status'] === 6 ? undefined : standingOf(record)
  return standing === undefined ? [] : [[t('ui.print.cancelled'), standing.cancelled], [t('ui.print.stands'), standing.stands]]
}

/** What was cancelled of a line, in the unit it was ordered in. */
function cancelledOf(line: Readonly<Record<string, unknown>>): string {
  const cancelled = exact(decimal(line, 'CancelledQty'))
  if (cancelled.eq(0)) return ''
  const factor = exact(decimal(line, 'Factor'))
  return t('ui.print.cancelled-of', { qty: formatNumber(fixed(factor.eq(0) ? cancelled : cancelled.div(factor), 3)), uom: text(line, 'Uom') })
}
