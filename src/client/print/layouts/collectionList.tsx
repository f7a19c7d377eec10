import { formatDate, formatMoney } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import css from '../print.module.css'
import { SheetHead } from '../SheetHead.tsx'
import type { PrintLayout } from '../sheet.ts'
import { decimal, lines, text } from '../wire.ts'

const results = { PAID: 'enum.PAID', PARTIAL: 'enum.PARTIAL', PROMISE: 'enum.PROMISE', NOT_MET: 'enum.NOT_MET', TTF: 'enum.TTF', PAID_OTHER: 'enum.PAID_OTHER' } as const

function resultOf(value: unknown): string {
  const known = (Object.keys(results) as (keyof typeof results)[]).find((name) => name === value)
  return known === undefined ? '' : t(results[known])
}

/** What a collector goes out with: which invoices of whom, and room for what he brings back. */
export const collectionList: PrintLayout = {
  resource: 'payment-collection',
  hasBanks: false,
  hasMarks: false,
  lay: (record, { company, logo }) => {
    const title = t('ui.print.collectionList')
    const code = text(record, 'Code')
    const status = record['Status']
    return {
      title,
      code,
      issuer: company === undefined ? '' : text(company, 'LegalName') || text(company, 'Name'),
      ...(status === 0 || status === 6 ? { stamp: t(`status.${status}`) } : {}),
      head: (
        <>
          <SheetHead company={company} logo={logo} title={title} code={code} />
          <div className={css['parties']}>
            <dl className={css['facts']}>
              <div>
                <dt>{t('field.list_date')}</dt>
                <dd>{formatDate(record['ListDate'])}</dd>
              </div>
              <div>
                <dt>{t('field.collector_id')}</dt>
                <dd>{text(record, 'CollectorName')}</dd>
              </div>
            </dl>
          </div>
        </>
      ),
      columns: [
        { title: t('field.invoice_id'), width: 24 },
        { title: t('field.customer_id'), width: 30 },
        { title: t('field.due_date'), width: 14 },
        { title: t('field.amount_due'), width: 18, isNumber: true },
        { title: t('field.result'), width: 14 },
      ],
      rows: lines(record).map((line, i) => ({
        key: text(line, 'ID') || String(i),
        cells: [text(line, 'InvoiceCode'), text(line, 'CustomerName'), formatDate(line['DueDate']), formatMoney(decimal(line, 'AmountDue')), resultOf(line['Result'])],
      })),
      tail: [
        <div key="sums" className={css['bottom']}>
          <div>{text(record, 'Note')}</div>
          <dl className={css['sums']}>
            <div className={css['grand']}>
              <dt>{t('field.total')}</dt>
              <dd>{formatMoney(decimal(record, 'Total'))}</dd>
            </div>
          </dl>
        </div>,
        <div key="sign" className={css['sign']}>
          <div>
            {t('ui.print.handedBy')}
            <span />
          </div>
          <div>
            {t('ui.print.receivedBy')}
            <span />
            {text(record, 'CollectorName')}
          </div>
        </div>,
      ],
    }
  },
}
