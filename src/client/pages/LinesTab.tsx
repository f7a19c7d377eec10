import { useMemo } from 'react'
import { exact, isDecimal } from '#base/decimal.ts'
import type { Exact } from '#base/decimal.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Column, DetailTab } from '#meta/resolved.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { DataTable } from '../table/DataTable.tsx'
import { EmptyState } from '../ui/States.tsx'
import { useMedia } from '../ui/useMedia.ts'
import css from './LinesTab.module.css'

const LineCards = lazy(() => import('./LineCards.tsx').then((module) => ({ default: module.LineCards })))

interface LinesTabProps {
  readonly tab: Extract<DetailTab, { kind: 'lines' }>
  readonly record: WireRecord
  readonly isCompact: boolean
}

/** The lines of a document as they stand, with sums; on a phone each line is a card. */
export function LinesTab({ tab, record, isCompact }: LinesTabProps) {
  const value = record[tab.wire]
  const isNarrow = useMedia('(width < 576px)')
  const lines = useMemo(() => (Array.isArray(value) ? (value as readonly WireRecord[]) : []), [value])
  const columns = useMemo(() => {
    const isShown = (column: Column) => !column.hidden || lines.some((line) => line[column.wire] !== null && line[column.wire] !== undefined)
    return tab.columns.filter((column) => isShown(column) && (!isCompact || column.importance !== 'low')).map((column) => ({ ...column, sortable: false }))
  }, [tab, lines, isCompact])
  const totals = useMemo(() => sums(columns, lines), [columns, lines])
  if (lines.length === 0) return <EmptyState title={t('ui.no-lines')} />
  const hasTotals = Object.keys(totals).length > 0
  if (isNarrow) return <LineCards columns={columns} lines={lines} totals={hasTotals ? totals : undefined} />
  return (
    <div className={css['lines']}>
      <DataTable
        label={t(tab.title)}
        columns={columns}
        rows={lines}
        rowId={(line) => String(line['ID'] ?? line['LineNo'])}
        sort={noSort}
        onSort={ignore}
        {...(hasTotals ? { totals, totalsLabel: t('ui.total') } : {})}
      />
    </div>
  )
}

const noSort = [] as const

function ignore(): void {}

function sums(columns: readonly Column[], lines: readonly WireRecord[]): Readonly<Record<string, string>> {
  const entries = columns
    .filter((column) => column.total === 'sum')
    .map((column): [string, string] => [column.name, lines.reduce((sum: Exact, line) => addUp(sum, line[column.wire]), exact(0)).toFixed()])
  return Object.fromEntries(entries)
}

function addUp(sum: Exact, value: unknown): Exact {
  return isDecimal(value, 6) ? sum.plus(value) : sum
}
