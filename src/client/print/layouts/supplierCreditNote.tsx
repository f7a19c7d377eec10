import { formatDate, formatMoney } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import css from '../print.module.css'
import { Party, SheetHead } from '../SheetHead.tsx'
import type { PrintLayout } from '../sheet.ts'
import { decimal, text } from '../wire.ts'

/** What a vendor has credited us: his number and ours, price, VAT, and what of it is open. */
export const supplierCreditNote: PrintLayout = {
  resource: 'credit-note-supplier',
  hasBanks: false,
  hasMarks: false,
  lay: (record, { company, logo }) => {
    const title = t('entity.supplier_credit_note')
    const code = text(record, 'Code')
    const status = record['Status']
    const amounts = [['field.dpp', 'Dpp'], ['field.ppn', 'Ppn']] as const
    return {
      title,
      code,
      issuer: company === undefined ? '' : text(company, 'LegalName') || text(company, 'Name'),
      ...(status === 0 || status === 7 ? { stamp: t(`status.${status}`) } : {}),
      head: (
        <>
          <SheetHead company={company} logo={logo} title={title} code={code} />
          <div className={css['parties']}>
            <Party heading={t('field.vendor_id')} name={text(record, 'VendorName')} address={undefined} npwp="" />
            <dl className={css['facts']}>
              <div>
                <dt>{t('field.scn_number')}</dt>
                <dd>{text(record, 'ScnNumber')}</dd>
              </div>
              <div>
                <dt>{t('field.scn_date')}</dt>
                <dd>{formatDate(record['ScnDate'])}</dd>
              </div>
              <div>
                <dt>{t('field.vendor_invoice_id')}</dt>
                <dd>{text(record, 'VendorInvoiceCode')}</dd>
              </div>
            </dl>
          </div>
        </>
      ),
      columns: [
        { title: t('field.note'), width: 70 },
        { title: t('field.amount'), width: 30, isNumber: true },
      ],
      rows: amounts.map(([name, field]) => ({ key: field, cells: [t(name), formatMoney(decimal(record, field))] })),
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
      ],
    }
  },
}
