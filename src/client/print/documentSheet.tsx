import type { ReactNode } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import { formatMoney, formatNumber, formatPrice } from '../app/format.ts'
import { t } from '../app/messages.ts'
import type { Facts } from './facts.ts'
import type { Paper } from './papers.ts'
import css from './print.module.css'
import type { Sheet, SheetColumn, SheetRow } from './sheet.ts'
import { Party, SheetHead } from './SheetHead.tsx'
import { decimal, lines, roundingOf, text, together } from './wire.ts'

/** What is particular about a document of lines with prices: everything else on its paper is the same for all of them. */
export interface DocumentWords {
  readonly title: string
  /** Statuses in which it must not be taken for the document itself. */
  readonly stamped: readonly number[]
  /** Beside the parties: label and value. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** Columns of a line that were taken off its price. */
  readonly reductions: readonly [string, string]
  /** Under the lines; the last one is what it all comes to. */
  readonly sums: readonly (readonly [label: string, amount: string])[]
  /** What is to be said of a line below its item; empty: nothing. */
  readonly below?: (line: Line) => string
  /** Beside the sums. */
  readonly beside: ReactNode
  /** Below, each kept whole. */
  readonly after?: readonly ReactNode[]
}

type Line = Readonly<Record<string, unknown>>

/** Sheet of a stored document of lines, on A4 or on a roll. */
export function documentSheet(record: WireRecord, { company, logo, customer, billTo, shipTo }: Facts, paper: Paper, words: DocumentWords): Sheet {
  const status = record['Status']
  const code = text(record, 'Code')
  const name = text(record, 'CustomerName')
  const npwp = customer === undefined ? '' : text(customer, 'Npwp')
  const isRoll = paper === 'roll'
  const all = lines(record)
  const rows = all.flatMap((line, i) => {
    const row = rowOf(line, i, words, isRoll)
    return isNew(line, all[i - 1]) ? [comboRow(line, isRoll), row] : [row]
  })
  return {
    title: words.title,
    code,
    issuer: company === undefined ? '' : text(company, 'LegalName') || text(company, 'Name'),
    ...(typeof status === 'number' && words.stamped.includes(status) ? { stamp: t(`status.${status}`) } : {}),
    head: (
      <>
        <SheetHead company={company} logo={logo} title={words.title} code={code} />
        <div className={css['parties']}>
          <Party heading={t('ui.print.billTo')} name={name} address={billTo} npwp={npwp} />
          {!isRoll && <Party heading={t('ui.print.shipTo')} name={name} address={shipTo} />}
          <dl className={css['facts']}>
            {words.facts
              .filter(([, value]) => value !== '')
              .map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </dl>
        </div>
      </>
    ),
    columns: isRoll ? rollColumns() : sheetColumns(rows),
    rows,
    tail: [
      <div key="sums" className={css['bottom']}>
        <div>{words.beside}</div>
        <dl className={css['sums']}>
          {words.sums.map(([label, amount], i) => (
            <div key={label} className={i === words.sums.length - 1 ? css['grand'] : undefined}>
              <dt>{label}</dt>
              <dd>{formatMoney(amount)}</dd>
            </div>
          ))}
        </dl>
      </div>,
      ...(words.after ?? []),
    ],
  }
}

/** The sum of what rounding added, for those who add the paper up; none where it added nothing. */
export function roundingRow(record: WireRecord): DocumentWords['sums'] {
  const added = roundingOf(record)
  return added === undefined ? [] : [[t('field.rounding'), added]]
}

function rollColumns(): readonly SheetColumn[] {
  return [
    { title: t('field.item_id'), width: 50 },
    { title: t('field.dpp'), width: 50, isNumber: true },
  ]
}

/** Columns of numbers are as wide as their longest, so that no amount runs out of its column; the item has what is left. */
function sheetColumns(rows: readonly SheetRow[]): readonly SheetColumn[] {
  const share = (column: number, least: number) => Math.max(least, ...rows.map(({ cells }) => shareOf(cells[column])))
  const [qty, price, discount, dpp] = [share(2, 10), share(4, 12), share(5, 12), share(6, 13)]
  const [no, uom] = [6, 8]
  return [
    { title: t('ui.print.no'), width: no, isNumber: true },
    { title: t('field.item_id'), width: Math.max(20, 100 - no - qty - uom - price - discount - dpp) },
    { title: t('field.qty'), width: qty, isNumber: true },
    { title: t('field.uom'), width: uom },
    { title: t('field.price'), width: price, isNumber: true },
    { title: t('field.discount'), width: discount, isNumber: true },
    { title: t('field.dpp'), width: dpp, isNumber: true },
  ]
}

/** Percent of the width of an A4 sheet that a number takes: 1.95 mm a character in the widest of usual typefaces, 3 mm around them, 184 mm in all. */
function shareOf(cell: ReactNode): number {
  return typeof cell === 'string' ? ((cell.length * 1.95 + 3) / 184) * 100 : 0
}

/** Does a line begin the parts of another combo than the line before it? */
function isNew(line: Line, before: Line | undefined): boolean {
  return typeof line['ComboNo'] === 'number' && line['ComboNo'] !== before?.['ComboNo']
}

/** What the customer ordered, over the parts it became. */
function comboRow(line: Line, isRoll: boolean): SheetRow {
  const combo = (
    <strong>
      {text(line, 'ComboItemCode')} {text(line, 'ComboItemName')}
    </strong>
  )
  const [qty, uom] = [formatNumber(line['ComboQty']), text(line, 'ComboUom')]
  const key = `combo ${text(line, 'ComboNo')}`
  return { key, cells: isRoll ? [<>{combo} <span className={css['nowrap']}>{`${qty} ${uom}`}</span></>] : ['', combo, qty, uom, ''] }
}

function rowOf(line: Line, i: number, { reductions, below }: DocumentWords, isRoll: boolean): SheetRow {
  const said = below?.(line) ?? ''
  const item = (
    <span className={typeof line['ComboNo'] === 'number' ? css['comboPart'] : undefined}>
      {text(line, 'ItemCode')} {text(line, 'ItemName') || text(line, 'Description')}
      {line['IsFree'] === true && <span className={css['free']}> {t('ui.grid.free')}</span>}
      {said !== '' && <span className={css['below']}>{said}</span>}
    </span>
  )
  const qty = formatNumber(line['Qty'])
  const price = formatPrice(line['Price'])
  const taken = together(decimal(line, reductions[0]), decimal(line, reductions[1]))
  const dpp = formatMoney(line['Dpp'])
  const key = text(line, 'ID') || String(i)
  if (!isRoll) return { key, cells: [i + 1, item, qty, text(line, 'Uom'), price, formatMoney(taken), dpp] }
  const isReduced = /[1-9]/.test(taken)
  return {
    key,
    cells: [
      <>
        {item}
        <span className={css['reckoning']}>
          <span>
            <span>{`${qty} ${text(line, 'Uom')} × ${price}`}</span>
            {isReduced && <span>{` − ${formatMoney(taken)}`}</span>}
          </span>
          <strong>{dpp}</strong>
        </span>
      </>,
    ],
  }
}
