import type { ReactNode } from 'react'
import type { ReportGroup } from '#api/report.ts'
import type { Column } from '#meta/resolved.ts'
import { Link } from '../app/Link.tsx'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { fillPath } from '../data/around.ts'
import { nameBeside } from '../pages/GroupTotals.tsx'
import cards from '../table/CardList.module.css'
import { CardSort, isEmpty } from '../table/CardList.tsx'
import { CardTotals } from '../table/CardTotals.tsx'
import { cellOf, isNothing, showValue, valueText, type AnyRecord } from '../table/cells.tsx'
import type { DataTableProps } from '../table/DataTable.tsx'
import { classes } from '../ui/classes.ts'
import { Figures, type CardFigure } from './Figures.tsx'
import css from './ReportCards.module.css'

interface ReportCardsProps extends Pick<DataTableProps<AnyRecord>, 'columns' | 'sort' | 'onSort' | 'totals' | 'currencies' | 'totalsLabel' | 'pathOf'> {
  readonly rows: readonly AnyRecord[]
  /** The column whose equal values stand together, and the sums of each. */
  readonly group: Column | undefined
  readonly groups: readonly ReportGroup[] | undefined
}

/** Rows of a report on a phone: a card each with all that it says and that is not nothing, under the name and the sums of its group. */
export function ReportCards({ columns, rows, group, groups, sort, onSort, totals, currencies, totalsLabel, pathOf }: ReportCardsProps) {
  return (
    <div className={css['report']}>
      <CardSort columns={columns} sort={sort} onSort={onSort} />
      {runsOf(rows, group).map((run, i) => {
        const sums = group === undefined ? [] : (groups ?? []).filter(({ value }) => value === run[0]?.[group.wire])
        // What the heading of the group says its cards do not say again.
        const own = group === undefined || sums.length === 0 ? columns : columns.filter((column) => column.name !== group.name && column !== nameBeside(group, columns))
        return (
          <section key={i} className={css['group']}>
            {group !== undefined && run[0] !== undefined && sums.map((one) => <GroupHead key={one.currency ?? ''} group={group} columns={columns} row={run[0] ?? {}} sums={one} isOne={sums.length === 1} />)}
            <ul className={cards['cards']}>
              {run.map((row, at) => (
                <RowCard key={at} row={row} columns={own} path={pathOf?.(row)} />
              ))}
            </ul>
          </section>
        )
      })}
      {totals !== undefined && <CardTotals columns={columns} label={totalsLabel ?? ''} totals={totals} currencies={currencies} />}
    </div>
  )
}

interface GroupHeadProps {
  readonly group: Column
  readonly columns: readonly Column[]
  /** One of its rows, for its name. */
  readonly row: AnyRecord
  readonly sums: ReportGroup
  readonly isOne: boolean
}

/** What the rows below have in common, how many there are in the whole filter, and their sums. */
function GroupHead({ group, columns, row, sums, isOne }: GroupHeadProps) {
  const name = nameBeside(group, columns)
  const label = [name, group].flatMap((column) => (column === undefined ? [] : valueText(column, row))).filter(Boolean)
  return (
    <div className={classes(cards['card'], css['head'])}>
      <h2 className={css['named']}>
        {label[0] ?? t('ui.nothing')} {label.length > 1 && <span className={css['code']}>{label[1]}</span>} {isOne ? null : sums.currency} <span className={css['code']}>({formatNumber(sums.count)})</span>
      </h2>
      {/* One row says the same below. */}
      <Figures
        figures={(sums.count === 1 ? [] : columns).flatMap((column): readonly CardFigure[] => {
          const total = sums.totals[column.name]
          const record = { [column.wire]: total }
          return total === undefined || isNothing(column, record) ? [] : [{ id: column.name, label: t(column.label), value: cellOf(column.type).text(total, column, {}) }]
        })}
      />
    </div>
  )
}

/** The first column that holds something names the card; a document number that leads on leads there. */
function RowCard({ row, columns, path }: { readonly row: AnyRecord; readonly columns: readonly Column[]; readonly path: string | undefined }) {
  const shown = columns.filter((column) => !isEmpty(row[column.wire]) && row[column.wire] !== false && !isNothing(column, row))
  const linked = shown.find(({ link }) => link !== undefined && fillPath(link, row) !== undefined)
  const title = linked ?? shown[0]
  const to = linked?.link === undefined ? path : fillPath(linked.link, row)
  const name: ReactNode = title === undefined ? '–' : showValue(title, row)
  const rest = [...shown.filter(({ importance }) => importance === 'high'), ...shown.filter(({ importance }) => importance !== 'high')].filter((column) => column !== title)
  return (
    <li className={classes(cards['card'], css['card'])}>
      {to === undefined ? <span className={css['title']}>{name}</span> : <Link to={to} className={css['title']}>{name}</Link>}
      <Figures figures={rest.map((column) => ({ id: column.name, label: t(column.label), value: column.link === undefined ? showValue(column, row) : linkedValue(column, row) }))} />
    </li>
  )
}

function linkedValue(column: Column, row: AnyRecord): ReactNode {
  const path = column.link === undefined ? undefined : fillPath(column.link, row)
  return path === undefined ? showValue(column, row) : <Link to={path}>{showValue(column, row)}</Link>
}

/** Rows that stand together because they have the same value; without a group all of them. */
function runsOf(rows: readonly AnyRecord[], group: Column | undefined): readonly (readonly AnyRecord[])[] {
  if (group === undefined) return [rows]
  const runs: AnyRecord[][] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last?.[0]?.[group.wire] === row[group.wire] && last !== undefined) last.push(row)
    else runs.push([row])
  }
  return runs
}
