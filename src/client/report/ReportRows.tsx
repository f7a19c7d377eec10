import { Suspense, useMemo, useRef } from 'react'
import type { ReportAnswer } from '#api/report.ts'
import type { Column, ReportScreen, Sort } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { fillPath } from '../data/around.ts'
import { GroupTotals } from '../pages/GroupTotals.tsx'
import type { AnyRecord } from '../table/cells.tsx'
import { DataTable, type DataTableProps } from '../table/DataTable.tsx'
import { useScrollMemory } from '../table/useScrollMemory.ts'
import { Skeleton } from '../ui/States.tsx'

const ReportCards = lazy(() => import('./ReportCards.tsx').then((module) => ({ default: module.ReportCards })))

interface ReportRowsProps {
  readonly screen: ReportScreen
  readonly answer: ReportAnswer
  readonly columns: readonly Column[]
  readonly sized: ReadonlySet<string>
  readonly deeds: NonNullable<DataTableProps<AnyRecord>['deeds']>
  readonly sort: readonly Sort[]
  readonly onSort: (sort: readonly Sort[]) => void
  readonly isLoading: boolean
  /** All rows are drawn, not only those in view. */
  readonly isWhole: boolean
  /** On a phone: cards. */
  readonly isNarrow: boolean
}

/** Single rows with their sub-totals and the totals of the whole filter, each currency by itself. */
export function ReportRows({ screen, answer, columns, sized, deeds, sort, onSort, isLoading, isWhole, isNarrow }: ReportRowsProps) {
  const { rows, totals, currencies } = answer
  const frame = useRef<HTMLDivElement>(null)
  useScrollMemory(frame, screen.id, !isLoading && !isNarrow)
  const pathOf = useMemo(() => {
    const { drill, parameters } = screen
    const asked = Object.fromEntries(parameters.map(({ name, wire }) => [wire, answer.parameters[name]]))
    return drill === undefined ? undefined : (row: AnyRecord) => fillPath(drill, { ...asked, ...row })
  }, [screen, answer])
  const group = groupOf(screen, sort)
  const groups = group === undefined ? undefined : answer.groups
  const after =
    group === undefined || groups === undefined
      ? undefined
      : (row: AnyRecord, index: number) => {
          const value = row[group.wire]
          if (rows[index + 1]?.[group.wire] === value) return null
          const found = groups.filter((one) => one.value === value)
          return found.map((one) => <GroupTotals key={`group ${String(value)} ${one.currency ?? ''}`} columns={columns} field={group} row={row} group={one} isOne={found.length === 1} />)
        }
  const shared = {
    label: t(screen.title),
    columns,
    rows,
    sort,
    onSort,
    totals,
    currencies: currencies?.map((one) => ({ ...one, currency: one.currency ?? '' })),
    totalsLabel: t('ui.totals', { n: formatNumber(answer.recordsTotal) }),
    ...(pathOf === undefined ? {} : { pathOf }),
  }
  if (isNarrow) {
    return (
      <Suspense fallback={<Skeleton lines={12} />}>
        <ReportCards {...shared} group={group} groups={groups} />
      </Suspense>
    )
  }
  return <DataTable {...shared} frame={frame} deeds={deeds} sized={sized} rowId={rowIdOf(rows)} isLoading={isLoading} isWhole={isWhole} {...(after === undefined ? {} : { after })} />
}

/** Sub-totals belong to runs of equal values: only while the rows are ordered by the group first. */
export function groupOf(screen: ReportScreen, sort: readonly Sort[]): Column | undefined {
  return screen.columns.find((column) => column.name === screen.groupBy && sort[0]?.field === column.name)
}

/** Report rows have no id: their place on the page is all they are known by. */
function rowIdOf(rows: readonly AnyRecord[]): (row: AnyRecord) => string {
  const places = new Map(rows.map((row, i) => [row, String(i)]))
  return (row) => places.get(row) ?? ''
}
