import { cellOf } from './cells.tsx'
import { cellClass, type RowLook } from './TableRow.tsx'

/** Sums under the columns that have one; the label stands in the first column. */
export function TotalsRow({ look, totals, label }: { readonly look: RowLook; readonly totals: Readonly<Record<string, string>>; readonly label: string }) {
  return (
    <tfoot>
      <tr>
        {(look.canSelect || look.hasMenu) && <td />}
        {look.columns.map((column, i) => {
          const total = totals[column.name]
          if (i === 0) {
            return (
              <th key={column.name} scope="row" className={cellClass(column)}>
                {label}
              </th>
            )
          }
          return (
            <td key={column.name} className={cellClass(column)}>
              {total === undefined ? '' : cellOf(column.type).text(total, column, {})}
            </td>
          )
        })}
      </tr>
    </tfoot>
  )
}
