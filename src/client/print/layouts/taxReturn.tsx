import type { WireRecord } from '#api/envelope.ts'
import { formatDate, formatMoney, formatNumber, formatPrice } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import css from '../print.module.css'
import { Party } from '../SheetHead.tsx'
import type { PrintLayout, SheetRow } from '../sheet.ts'
import { terbilang } from '../terbilang.ts'
import { decimal, lines, text } from '../wire.ts'

/** Nota retur: made by the buyer for goods sent back or credited, to the seller, and signed by the buyer. What we print is the draft he is given. */
export const taxReturn: PrintLayout = {
  resource: 'credit-note',
  hasBanks: false,
  hasMarks: true,
  lay: (record, { company, customer, billTo }) => {
    const title = t('ui.print.taxReturn')
    const number = text(record, 'NotaReturNumber')
    const status = record['Status']
    const buyer = text(record, 'CustomerName')
    const seller = company === undefined ? '' : text(company, 'LegalName') || text(company, 'Name')
    return {
      title,
      code: number || text(record, 'Code'),
      issuer: buyer,
      ...(status === 0 || status === 4 || status === 5 || status === 7 ? { stamp: t(`status.${status}`) } : {}),
      head: (
        <>
          <header className={css['head']}>
            <div className={css['title']}>
              <h1>{title}</h1>
              <p>
                {t('field.nota_retur_number')}: {number || '………………………'}
              </p>
              <p>
                {t('ui.print.ofTaxInvoice')}: {text(record, 'FakturNumber') || '………………………'}
                {text(record, 'FakturDate') === '' ? '' : ` · ${formatDate(record['FakturDate'])}`}
              </p>
            </div>
          </header>
          <div className={css['parties']}>
            <Party heading={t('ui.print.buyer')} name={buyer} address={billTo ?? addressIn(customer)} npwp={customer === undefined ? '' : text(customer, 'Npwp')} />
            <Party heading={t('ui.print.seller')} name={seller} address={addressIn(company)} npwp={company === undefined ? '' : text(company, 'Npwp')} />
            <dl className={css['facts']}>
              <Fact label={t('entity.credit_note')} value={text(record, 'Code')} />
              <Fact label={t('ui.print.date')} value={formatDate(record['NotaReturDate'] ?? record['DocDate'])} />
              <Fact label={t('field.invoice_id')} value={text(record, 'InvoiceCode')} />
            </dl>
          </div>
        </>
      ),
      columns: [
        { title: t('ui.print.no'), width: 6 },
        { title: t('ui.print.goods'), width: 46 },
        { title: t('field.qty'), width: 14, isNumber: true },
        { title: t('field.price'), width: 16, isNumber: true },
        { title: t('field.amount'), width: 18, isNumber: true },
      ],
      rows: rowsOf(record),
      tail: [
        <div key="sums" className={css['bottom']}>
          <p className={css['words']}>
            {t('ui.print.words')} <strong>{terbilang(decimal(record, 'Total'))}</strong>
          </p>
          <dl className={css['sums']}>
            <Fact label={t('field.dpp')} value={formatMoney(decimal(record, 'Dpp'))} />
            <Fact label={t('field.ppn')} value={formatMoney(decimal(record, 'Ppn'))} />
            <div className={css['grand']}>
              <dt>{t('field.total')}</dt>
              <dd>{formatMoney(decimal(record, 'Total'))}</dd>
            </div>
          </dl>
        </div>,
        <div key="sign" className={css['sign']}>
          <div>
            {t('ui.print.buyer')}
            <span />
            {buyer}
          </div>
        </div>,
      ],
    }
  },
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return value === '' ? null : (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** A record that has its address itself. */
function addressIn(record: WireRecord | undefined): WireRecord | undefined {
  return record !== undefined && text(record, 'Address') !== '' ? record : undefined
}

/** The lines; without any, what the credit note is for, whole. */
function rowsOf(record: WireRecord): readonly SheetRow[] {
  const all = lines(record)
  if (all.length === 0) return [{ key: 'whole', cells: ['1', text(record, 'Description') || text(record, 'Note'), '', '', formatMoney(decimal(record, 'Dpp'))] }]
  return all.map((line, i) => ({
    key: text(line, 'ID') || String(i),
    cells: [
      String(i + 1), [text(line, 'ItemCode'), text(line, 'ItemName'), text(line, 'Description')].filter((part) => part !== '').join(' '),
      Number(decimal(line, 'Qty')) === 0 ? '' : `${formatNumber(decimal(line, 'Qty'))} ${text(line, 'Uom')}`, Number(decimal(line, 'Price')) === 0 ? '' : formatPrice(decimal(line, 'Price')), formatMoney(decimal(line, 'Amount')),
    ],
  }))
}
