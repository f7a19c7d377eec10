import { formatDate, formatMoney, formatNumber, formatPrice } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { Skeleton } from '../ui/States.tsx'
import css from './print.module.css'
import { PrintFrame } from './PrintFrame.tsx'
import { Party, SheetHead } from './SheetHead.tsx'
import { useFacts } from './useFacts.ts'
import { decimal, lines, text, together } from './wire.ts'
import type { WireRecord } from '#api/envelope.ts'

/** Confirmation of a stored order for the customer. */
export function SalesOrderPrint({ params }: { readonly params: Readonly<Record<string, string>> }) {
  return (
    <PrintFrame resource="sales-order" id={Number(params['id'])}>
      {(record) => <Sheet record={record} />}
    </PrintFrame>
  )
}

function Sheet({ record }: { readonly record: WireRecord }) {
  const facts = useFacts(record, false)
  if (facts === undefined) return <Skeleton lines={12} />
  const { company, customer, billTo, shipTo } = facts
  const status = record['Status']
  return (
    <>
      <SheetHead company={company} title={t('ui.print.order')} code={text(record, 'Code')} />
      {(status === 0 || status === 5 || status === 6) && <p className={css['void']}>{t(`status.${status}`)}</p>}
      <div className={css['parties']}>
        <Party heading={t('ui.print.billTo')} name={text(record, 'CustomerName')} address={billTo} npwp={customer === undefined ? '' : text(customer, 'Npwp')} />
        <Party heading={t('ui.print.shipTo')} name={text(record, 'CustomerName')} address={shipTo} />
        <dl className={css['facts']}>
          <dt>{t('ui.print.date')}</dt>
          <dd>{formatDate(record['DocDate'])}</dd>
          <dt>{t('field.requested_date')}</dt>
          <dd>{formatDate(record['RequestedDate'])}</dd>
          <dt>{t('field.po_number')}</dt>
          <dd>{text(record, 'PoNumber')}</dd>
          <dt>{t('field.payment_term_id')}</dt>
          <dd>{text(record, 'PaymentTermName')}</dd>
        </dl>
      </div>
      <table className={css['lines']}>
        <thead>
          <tr>
            <th scope="col" className={css['number']}>
              {t('ui.print.no')}
            </th>
            <th scope="col">{t('field.item_id')}</th>
            <th scope="col" className={css['number']}>
              {t('field.qty')}
            </th>
            <th scope="col">{t('field.uom')}</th>
            <th scope="col" className={css['number']}>
              {t('field.price')}
            </th>
            <th scope="col" className={css['number']}>
              {t('field.discount')}
            </th>
            <th scope="col" className={css['number']}>
              {t('field.dpp')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines(record).map((line, i) => (
            <tr key={text(line, 'ID') || i}>
              <td className={css['number']}>{i + 1}</td>
              <td>
                {text(line, 'ItemCode')} {text(line, 'ItemName')}
                {line['IsFree'] === true && <span className={css['free']}> {t('ui.grid.free')}</span>}
              </td>
              <td className={css['number']}>{formatNumber(line['Qty'])}</td>
              <td>{text(line, 'Uom')}</td>
              <td className={css['number']}>{formatPrice(line['Price'])}</td>
              <td className={css['number']}>{formatMoney(together(decimal(line, 'DiscountAmount'), decimal(line, 'PromoAmount')))}</td>
              <td className={css['number']}>{formatMoney(line['Dpp'])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={css['bottom']}>
        <div>{text(record, 'Note') !== '' && <p className={css['small']}>{text(record, 'Note')}</p>}</div>
        <dl className={css['sums']}>
          <dt>{t('field.gross')}</dt>
          <dd>{formatMoney(record['Gross'])}</dd>
          <dt>{t('field.discount')}</dt>
          <dd>{formatMoney(together(decimal(record, 'Discount'), decimal(record, 'Promo')))}</dd>
          <dt>{t('field.dpp')}</dt>
          <dd>{formatMoney(record['Dpp'])}</dd>
          <dt>{t('field.ppn')}</dt>
          <dd>{formatMoney(record['Ppn'])}</dd>
          <dt className={css['grand']}>{t('field.total')}</dt>
          <dd className={css['grand']}>{formatMoney(record['Total'])}</dd>
        </dl>
      </div>
    </>
  )
}
