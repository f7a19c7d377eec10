import type { ReportGroup } from '#api/report.ts'
import type { Column } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { cellOf, valueText, type AnyRecord } from '../table/cells.tsx'
import table from '../table/DataTable.module.css'
import { cellClass } from '../table/rowLook.ts'

interface GroupTotalsProps {
  readonly columns: readonly Column[]
  readonly field: Column
  /** A row of the group, for its name. */
  readonly row: AnyRecord
  readonly group: ReportGroup
  /** No other currency has sums of its own beside it. */
  readonly isOne: boolean
}

/** A code alone says little: the name column beside it joins the label. */
export function nameBeside(field: Column, columns: readonly Column[]): Column | undefined {
  return columns.find((column) => column.name !== field.name && column.name === field.name.replace(/_code$/, '_name'))
}

/** The sums of one group over the whole filter, whatever part of it stands on this page. */
export function GroupTotals({ columns, field, row, group, isOne }: GroupTotalsProps) {
  const firstSum = columns.findIndex((column) => group.totals[column.name] !== undefined)
  const named = nameBeside(field, columns)
  const label = [field, ...(named === undefined ? [] : [named])].map((column) => valueText(column, row)).filter(Boolean).join(' ')
  const sumOf = (column: Column | undefined) => {
    const total = column === undefined ? undefined : group.totals[column.name]
    return column === undefined || total === undefined ? '' : cellOf(column.type).text(total, column, {})
  }
  const labelSpan = Math.max(1, firstSum < 0 ? columns.length : firstSum)
  return (
    <tr className={table['subtotal']}>
      <th scope="row" colSpan={labelSpan}>
        {[t('ui.subtotal', { group: label || t('ui.nothing'), n: formatNumber(group.count) }), isOne ? null : group.currency, firstSum === 0 ? sumOf(columns[0]) : null].filter(Boolean).join(' · ')}
      </th>
      {columns.slice(labelSpan).map((column) => {
        return (
          <td key={column.name} className={cellClass(column)}>
            {sumOf(column)}
          </td>
        )
      })}
    </tr>
  )
}
