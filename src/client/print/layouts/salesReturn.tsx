import type { WireRecord } from '#api/envelope.ts'
import { formatDate, formatMoney, formatNumber, formatPrice } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import css from '../print.module.css'
import { Party, SheetHead } from '../SheetHead.tsx'
import type { PrintLayout, Sheet, SheetColumn, SheetRow } from '../sheet.ts'
import type { Facts } from '../facts.ts'
import { Fact, Sums } from '../taxReturnSheet.tsx'
import { decimal, lines, text } from '../wire.ts'

/** The return note of a customer: what he sends back and why, what came of it and what it is worth. */
export const salesReturn: PrintLayout = {
  resource: 'sales-return',
  hasBanks: false,
  hasMarks: true,
  lay: (record, facts) => noteSheet(record, facts, {
    columns: [
      { title: t('ui.print.no'), width: 5 },
      { title: t('ui.print.goods'), width: 27 },
      { title: t('field.qty_requested'), width: 11, isNumber: true },
      { title: t('field.qty_received'), width: 11, isNumber: true },
      { title: t('enum.GOOD'), width: 9, isNumber: true },
      { title: t('enum.DAMAGED'), width: 11, isNumber: true },
      { title: t('field.refused'), width: 11, isNumber: true },
      { title: t('field.dpp'), width: 15, isNumber: true },
    ],
    rows: lines(record).map((line, i) => rowOf(line, i, [quantity(line, 'QtyRequested'), quantity(line, 'QtyReceived'), quantity(line, 'QtyGood'), quantity(line, 'QtyBad'), quantity(line, 'QtyRefused'), formatMoney(decimal(line, 'Dpp'))])),
  }),
}

/** As it was printed before goods were looked at apart: quantity, price and amount. */
export const salesReturnOld: PrintLayout = {
  ...salesReturn,
  lay: (record, facts) => noteSheet(record, facts, {
    columns: [
      { title: t('ui.print.no'), width: 6 },
      { title: t('ui.print.goods'), width: 46 },
      { title: t('field.qty'), width: 14, isNumber: true },
      { title: t('field.price'), width: 16, isNumber: true },
      { title: t('field.amount'), width: 18, isNumber: true },
    ],
    rows: lines(record).map((line, i) => rowOf(line, i, [quantity(line, 'QtyRequested'), formatPrice(decimal(line, 'Price')), formatMoney(decimal(line, 'Dpp'))])),
  }),
}

/** What of a return is credited is told once it is; until then its amounts are what it was asked for. */
function noteSheet(record: WireRecord, { company, logo, customer, billTo }: Facts, { columns, rows }: { readonly columns: readonly SheetColumn[]; readonly rows: readonly SheetRow[] }): Sheet {
  const title = t('ui.print.returnNote')
  const code = text(record, 'Code')
  const status = record['Status']
  return {
    title,
    code,
    issuer: company === undefined ? '' : text(company, 'LegalName') || text(company, 'Name'),
    ...(typeof status === 'number' && ![1, 3, 8].includes(status) ? { stamp: t(`status.${status}`) } : {}),
    head: (
      <>
        <SheetHead company={company} logo={logo} title={title} code={code} />
        <div className={css['parties']}>
          <Party heading={t('field.customer_id')} name={text(record, 'CustomerName')} address={billTo} npwp={customer === undefined ? '' : text(customer, 'Npwp')} />
          <dl className={css['facts']}>
            <Fact label={t('field.return_date')} value={formatDate(record['ReturnDate'])} />
            <Fact label={t('field.invoice_id')} value={text(record, 'InvoiceCode')} />
            <Fact label={t('field.cause_id')} value={text(record, 'CauseName')} />
            <Fact label={t('field.credit_note_id')} value={text(record, 'CreditNoteCode')} />
            <Fact label={t('field.nota_retur_number')} value={text(record, 'NotaReturNumber')} />
          </dl>
        </div>
      </>
    ),
    columns,
    rows,
    tail: [
      <Sums key="sums" record={record} />,
      ...(text(record, 'Note') === '' ? [] : [<p key="note">{text(record, 'Note')}</p>]),
      <div key="sign" className={css['sign']}>
        {[t('field.customer_id'), t('field.driver_id'), t('field.warehouse_id')].map((label) => (
          <div key={label}>
            {label}
            <span />
          </div>
        ))}
      </div>,
    ],
  }
}

type Line = Readonly<Record<string, unknown>>

function quantity(line: Line, key: string): string {
  return Number(decimal(line, key)) === 0 ? '' : formatNumber(decimal(line, key))
}

function rowOf(line: Line, i: number, cells: readonly string[]): SheetRow {
  return { key: text(line, 'ID') || String(i), cells: [String(i + 1), [text(line, 'ItemCode'), text(line, 'ItemName'), text(line, 'Batch')].filter((part) => part !== '').join(' '), ...cells] }
}
