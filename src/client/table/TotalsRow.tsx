import type { CurrencyTotals } from '#api/data.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import { cellOf, isNothing } from './cells.tsx'
import type { RowLook } from './rowLook.ts'
import css from './DataTable.module.css'

/** One line of sums; `note` says of which currency, `count` of how many rows in it. */
export interface TotalsLine {
  readonly totals: Readonly<Record<string, string>>
  readonly note?: string
  readonly count?: number
}

/** The sums of one currency stand in one line, those of several each in its own. */
export function totalsLines(totals: Readonly<Record<string, string>>, currencies: readonly CurrencyTotals[] | undefined): readonly TotalsLine[] {
  if (currencies === undefined) return [{ totals }]
  const whole = Object.keys(totals).length === 0 ? [] : [{ totals }]
  return [...whole, ...currencies.map((one) => ({ totals: one.totals, note: one.currency, count: one.count }))]
}

/** Sums under the columns that have one; the label stands in the first column, above its sum if that has one too. */
export function TotalsRow({ look, lines, label }: { readonly look: RowLook; readonly lines: readonly TotalsLine[]; readonly label: string }) {
  return (
    <tfoot>
      {lines.map((line) => (
        <tr key={line.note ?? ''}>
          {look.toolWidth > 0 && <td className={look.toolClass} />}
          {look.columns.map((column, i) => {
            const total = line.totals[column.name]
            const sum = total === undefined ? '' : cellOf(column.type).text(total, column, {})
            if (i === 0) {
              return (
                <th key={column.name} scope="row" className={look.classes[i]}>
                  <span className={classes(sum !== '' && css['over'])}>{line.count === undefined ? label : `${t('ui.totals', { n: formatNumber(line.count) })} · ${line.note}`}</span> {sum}
                </th>
              )
            }
            const isZero = total !== undefined && isNothing(column, { [column.wire]: total })
            return (
              <td key={column.name} className={classes(look.classes[i], isZero && css['nothing'])}>
                {sum}
              </td>
            )
          })}
        </tr>
      ))}
    </tfoot>
  )
}
