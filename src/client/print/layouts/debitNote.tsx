import { formatDate } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import css from '../print.module.css'
import { Party, SheetHead } from '../SheetHead.tsx'
import type { PrintLayout } from '../sheet.ts'
import { Fact, rowsOf, Signed, Sums } from '../taxReturnSheet.tsx'
import { text } from '../wire.ts'

/** What we ask a vendor to pay or to let us keep: his address, why, line by line, tax base and VAT, and until when. */
export const debitNote: PrintLayout = {
  resource: 'dn',
  hasBanks: false,
  hasVendor: true,
  hasMarks: true,
  lay: (record, { company, logo, vendor, vendorAddress }) => {
    const title = t('entity.debit_note')
    const code = text(record, 'Code')
    const status = record['Status']
    const issuer = company === undefined ? '' : text(company, 'LegalName') || text(company, 'Name')
    return {
      title,
      code,
      issuer,
      ...(typeof status === 'number' && ![1, 2, 3].includes(status) ? { stamp: t(`status.${status}`) } : {}),
      head: (
        <>
          <SheetHead company={company} logo={logo} title={title} code={code} />
          <div className={css['parties']}>
            <Party heading={t('field.vendor_id')} name={text(record, 'VendorName')} address={vendorAddress} npwp={vendor === undefined ? '' : text(vendor, 'Npwp')} />
            <dl className={css['facts']}>
              <Fact label={t('ui.print.date')} value={formatDate(record['DocDate'])} />
              <Fact label={t('field.due_date')} value={text(record, 'DueDate') === '' ? '' : formatDate(record['DueDate'])} />
              <Fact label={t('field.vendor_invoice_id')} value={text(record, 'VendorInvoiceCode')} />
              <Fact label={t('field.purchase_order_id')} value={text(record, 'PurchaseOrderCode')} />
              <Fact label={t('field.goods_receipt_id')} value={text(record, 'GoodsReceiptCode')} />
              <Fact label={t('field.reference_no')} value={text(record, 'ReferenceNo')} />
              <Fact label={t('field.cause_id')} value={text(record, 'CauseName')} />
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
      tail: [<Sums key="sums" record={record} />, ...(text(record, 'Note') === '' ? [] : [<p key="note">{text(record, 'Note')}</p>]), <Signed key="sign" by={issuer} name="" />],
    }
  },
}
