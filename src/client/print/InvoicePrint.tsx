import { formatDate, formatMoney, formatNumber, formatPrice } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { Skeleton } from '../ui/States.tsx'
import css from './print.module.css'
import { PrintFrame } from './PrintFrame.tsx'
import { Party, SheetHead } from './SheetHead.tsx'
import { terbilang } from './terbilang.ts'
import { useFacts } from './useFacts.ts'
import { decimal, lines, text, together } from './wire.ts'
import type { WireRecord } from '#api/envelope.ts'

/** A stored invoice on paper: DPP, PPN, amount in words, due date and where to pay. */
export function InvoicePrint({ params }: { readonly params: Readonly<Record<string, string>> }) {
  return (
    <PrintFrame resource="invoice" id={Number(params['id'])}>
      {(record) => <Sheet record={record} />}
    </PrintFrame>
  )
}

const undone: readonly number[] = [6, 7]

function Sheet({ record }: { readonly record: WireRecord }) {
  const facts = useFacts(record, true)
  if (facts === undefined) return <Skeleton lines={12} />
  const { company, customer, billTo, shipTo, banks } = facts
  const status = record['Status']
  const total = decimal(record, 'Total')
  return (
    <>
      <SheetHead company={company} title={t('ui.print.invoice')} code={text(record, 'Code')} />
      {typeof status === 'number' && undone.includes(status) && <p className={css['void']}>{t(`status.${status}`)}</p>}
      <div className={css['parties']}>
        <Party heading={t('ui.print.billTo')} name={text(record, 'CustomerName')} address={billTo} npwp={customer === undefined ? '' : text(customer, 'Npwp')} />
        <Party heading={t('ui.print.shipTo')} name={text(record, 'CustomerName')} address={shipTo} />
        <dl className={css['facts']}>
          <dt>{t('ui.print.date')}</dt>
          <dd>{formatDate(record['DocDate'])}</dd>
          <dt>{t('field.due_date')}</dt>
          <dd>{formatDate(record['DueDate'])}</dd>
          <dt>{t('ui.print.customerNo')}</dt>
          <dd>{text(record, 'CustomerCode')}</dd>
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
                {text(line, 'ItemCode')} {text(line, 'ItemName') || text(line, 'Description')}
                {line['IsFree'] === true && <span className={css['free']}> {t('ui.grid.free')}</span>}
              </td>
              <td className={css['number']}>{formatNumber(line['Qty'])}</td>
              <td>{text(line, 'Uom')}</td>
              <td className={css['number']}>{formatPrice(line['Price'])}</td>
              <td className={css['number']}>{formatMoney(together(decimal(line, 'Discount'), decimal(line, 'Promo')))}</td>
              <td className={css['number']}>{formatMoney(line['Dpp'])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={css['bottom']}>
        <div>
          <p className={css['words']}>
            {t('ui.print.words')} <strong>{terbilang(total)}</strong>
          </p>
          {banks.length > 0 && (
            <div className={css['small']}>
              <p>{t('ui.print.payTo')}</p>
              {banks.map((bank) => (
                <p key={bank.ID}>
                  {text(bank, 'BankName') || text(bank, 'Name')} {text(bank, 'AccountNo')} ({text(bank, 'AccountName')})
                </p>
              ))}
            </div>
          )}
          {text(record, 'Note') !== '' && <p className={css['small']}>{text(record, 'Note')}</p>}
        </div>
        <dl className={css['sums']}>
          <dt>{t('field.gross')}</dt>
          <dd>{formatMoney(record['Gross'])}</dd>
          <dt>{t('field.discount')}</dt>
          <dd>{formatMoney(together(decimal(record, 'Discount'), decimal(record, 'Promo')))}</dd>
          <dt>{t('field.dpp')}</dt>
          <dd>{formatMoney(record['Dpp'])}</dd>
          <dt>{t('field.dpp_other')}</dt>
          <dd>{formatMoney(record['DppOther'])}</dd>
          <dt>{t('field.ppn')}</dt>
          <dd>{formatMoney(record['Ppn'])}</dd>
          <dt className={css['grand']}>{t('field.total')}</dt>
          <dd className={css['grand']}>{formatMoney(total)}</dd>
        </dl>
      </div>
      <div className={css['sign']}>
        <div>
          {[company === undefined ? '' : text(company, 'City'), formatDate(record['DocDate'])].filter((part) => part !== '').join(', ')}
          <span />
          {company === undefined ? '' : text(company, 'TaxSignName')}
          <p className={css['small']}>{company === undefined ? '' : text(company, 'TaxSignTitle')}</p>
        </div>
      </div>
    </>
  )
}
