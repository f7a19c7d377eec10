import type { ReactNode } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import { formatDate, formatNumber } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import type { Facts } from '../facts.ts'
import css from '../print.module.css'
import { SheetHead } from '../SheetHead.tsx'
import type { PrintLayout, Sheet } from '../sheet.ts'
import { decimal, lines, text } from '../wire.ts'

/** What is to go onto a van, with what really went. */
export const canvasLoading: PrintLayout = {
  resource: 'canvas',
  hasBanks: false,
  hasMarks: false,
  lay: (record, facts) => sheetOf(record, facts, t('ui.print.loadingList'), [[t('field.qty_approved'), 'QtyApproved'], [t('field.qty_picked'), 'QtyPicked'], [t('field.qty_loaded'), 'QtyLoaded']]),
}

/** What a van brought back: loaded, sold, returned, and what differs. */
export const canvasUnloading: PrintLayout = {
  resource: 'canvas',
  hasBanks: false,
  hasMarks: false,
  lay: (record, facts) => sheetOf(record, facts, t('ui.print.unloadingSheet'), [[t('field.qty_loaded'), 'QtyLoaded'], [t('field.qty_sold'), 'QtySold'], [t('ui.print.returned'), 'QtyReturned'], [t('field.qty_diff'), 'QtyDiff']]),
}

function sheetOf(record: WireRecord, { company, logo }: Facts, title: string, quantities: readonly (readonly [title: string, field: string])[]): Sheet {
  const code = text(record, 'Code')
  const status = record['Status']
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('field.doc_date'), formatDate(record['DocDate'])], [t('field.source_warehouse_id'), text(record, 'SourceWarehouseName')], [t('field.van_warehouse_id'), text(record, 'VanWarehouseName')],
    [t('field.canvasser_id'), text(record, 'CanvasserName')], [t('field.trip_no'), text(record, 'TripNo')],
  ]
  const each = 48 / quantities.length
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
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      </>
    ),
    columns: [{ title: t('field.item_id'), width: 38 }, { title: t('field.batch'), width: 14 }, ...quantities.map(([name]) => ({ title: name, width: each, isNumber: true }))],
    rows: lines(record).map((line, i) => ({
      key: text(line, 'ID') || String(i),
      cells: [[text(line, 'ItemCode'), text(line, 'ItemName')].filter((part) => part !== '').join(' '), text(line, 'Batch'), ...quantities.map(([, field]) => formatNumber(decimal(line, field)))],
    })),
    tail: [
      <div key="note" className={css['bottom']}>
        <div>{text(record, 'Note')}</div>
      </div>,
      <div key="sign" className={css['sign']}>
        <div>
          {t('ui.print.handedBy')}
          <span />
        </div>
        <div>
          {t('ui.print.receivedBy')}
          <span />
        </div>
      </div>,
    ],
  }
}
