import { formatDate, formatMoney } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import css from '../print.module.css'
import { Party, SheetHead } from '../SheetHead.tsx'
import type { PrintLayout } from '../sheet.ts'
import { decimal, lines, text } from '../wire.ts'

const papers = ['DocInvoice', 'DocFaktur', 'DocPo', 'DocPod', 'DocGr'] as const
const paperNames = { DocInvoice: 'field.doc_invoice', DocFaktur: 'field.doc_faktur', DocPo: 'field.doc_po', DocPod: 'field.doc_pod', DocGr: 'field.doc_gr' } as const

/** What goes with whoever hands invoices over: which, with what papers, and who takes them. */
export const invoiceExchange: PrintLayout = {
  resource: 'invoice-exchange',
  hasBanks: false,
  hasMarks: false,
  lay: (record, { company, logo, customer, billTo }) => {
    const title = t('ui.print.invoiceExchange')
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
            <Party heading={t('ui.print.billTo')} name={text(record, 'CustomerName')} address={billTo} npwp={customer === undefined ? '' : text(customer, 'Npwp')} />
            <dl className={css['facts']}>
              <div>
                <dt>{t('field.exchange_date')}</dt>
                <dd>{formatDate(record['ExchangeDate'])}</dd>
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
        { title: t('field.invoice_id'), width: 30 },
        { title: t('field.due_date'), width: 16 },
        { title: t('ui.print.papers'), width: 34 },
        { title: t('field.amount'), width: 20, isNumber: true },
      ],
      rows: lines(record).map((line, i) => ({
        key: text(line, 'ID') || String(i),
        cells: [text(line, 'InvoiceCode'), formatDate(line['DueDate']), papers.filter((paper) => line[paper] === true).map((paper) => t(paperNames[paper])).join(', '), formatMoney(decimal(line, 'Amount'))],
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
            {text(record, 'CollectorName')}
          </div>
          <div>
            {t('ui.print.receivedBy')}
            <span />
            {text(record, 'CustomerName')}
          </div>
        </div>,
      ],
    }
  },
}
