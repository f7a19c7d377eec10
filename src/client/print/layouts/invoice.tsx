import type { WireRecord } from '#api/envelope.ts'
import { formatDate } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { documentSheet, roundingRow } from '../documentSheet.tsx'
import type { Facts } from '../facts.ts'
import css from '../print.module.css'
import type { PrintLayout } from '../sheet.ts'
import { terbilang } from '../terbilang.ts'
import { decimal, text, together } from '../wire.ts'

/** A stored invoice: DPP, PPN, amount in words, due date, where to pay, who signs. */
export const invoice: PrintLayout = {
  resource: 'invoice',
  hasBanks: true,
  hasMarks: true,
  lay: (record, facts, paper) =>
    documentSheet(record, facts, paper, {
      title: t('ui.print.invoice'),
      stamped: [6, 7],
      facts: [
        [t('ui.print.date'), formatDate(record['DocDate'])],
        [t('field.due_date'), formatDate(record['DueDate'])],
        [t('ui.print.customerNo'), text(record, 'CustomerCode')],
      ],
      reductions: ['Discount', 'Promo'],
      sums: [
        [t('field.gross'), decimal(record, 'Gross')],
        [t('field.discount'), together(decimal(record, 'Discount'), decimal(record, 'Promo'))],
        ...roundingRow(record),
        [t('field.dpp'), decimal(record, 'Dpp')],
        [t('field.dpp_other'), decimal(record, 'DppOther')],
        [t('field.ppn'), decimal(record, 'Ppn')],
        [t('field.total'), decimal(record, 'Total')],
      ],
      beside: <Payment record={record} banks={facts.banks} />,
      after: [<Signature key="sign" record={record} company={facts.company} />],
    }),
}

/** What it comes to in words, and where to pay. */
export function Payment({ record, banks }: { readonly record: WireRecord; readonly banks: Facts['banks'] }) {
  return (
    <>
      <p className={css['words']}>
        {t('ui.print.words')} <strong>{terbilang(decimal(record, 'Total'))}</strong>
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
    </>
  )
}

/** Where and when, and who signs. */
export function Signature({ record, company }: { readonly record: WireRecord; readonly company: WireRecord | undefined }) {
  return (
    <div className={css['sign']}>
      <div>
        {[company === undefined ? '' : text(company, 'City'), formatDate(record['DocDate'])].filter((part) => part !== '').join(', ')}
        <span />
        {company === undefined ? '' : text(company, 'TaxSignName')}
        <p className={css['small']}>{company === undefined ? '' : text(company, 'TaxSignTitle')}</p>
      </div>
    </div>
  )
}
