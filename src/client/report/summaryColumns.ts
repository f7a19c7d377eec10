import { columnPinningFeature, columnVisibilityFeature, createExpandedRowModel, rowExpandingFeature, rowSortingFeature, tableFeatures, type ColumnDef } from '@tanstack/react-table'
import type { SummaryAnswer } from '#api/report.ts'
import { figureColumns, type FigureColumn, type TreeRow } from '#domain/reporting/summaryTable.ts'
import type { GroupDimension, ReportMeasure } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { groupLabel, groupText } from '../charts/groupText.ts'
import type { ReportLayout } from '../pages/reportState.ts'

export const features = tableFeatures({ columnPinningFeature, columnVisibilityFeature, rowExpandingFeature, rowSortingFeature, expandedRowModel: createExpandedRowModel() })
export type Features = typeof features

export interface Figure extends FigureColumn {
  readonly field: ReportMeasure
}

export interface SummaryColumns {
  readonly definitions: readonly ColumnDef<Features, TreeRow, unknown>[]
  /** What the leaves show, by id. */
  readonly figures: ReadonlyMap<string, Figure>
}

/** Id of the column the groups stand in. */
export const groupColumn = ' group'

/** Heads over heads: what stands across, over its measures, over the earlier period beside each. */
export function summaryColumns(answer: Pick<SummaryAnswer, 'across' | 'measures' | 'before'>, layout: Pick<ReportLayout, 'rows' | 'across'>, measures: readonly ReportMeasure[]): SummaryColumns {
  const isCompared = answer.before !== undefined
  const byName = new Map(measures.map((measure) => [measure.name, measure]))
  const figures = new Map<string, Figure>()
  for (const column of figureColumns(answer.across.length, answer.measures.length, isCompared)) {
    const field = byName.get(answer.measures[column.measure] ?? '')
    // How many percent a percentage has changed by misleads; its difference stands beside it.
    if (field !== undefined && !(column.part === 'percent' && field.type === 'percent')) figures.set(idOf(column, field), { ...column, field })
  }
  const leaf = (id: string, { part, field, at }: Figure, header: string): ColumnDef<Features, TreeRow, unknown> => ({
    id,
    header,
    accessorFn: nothing,
    enableSorting: part === 'value' && at === undefined && field.agg.kind !== 'none',
    sortDescFirst: true,
  })
  const measuresAt = (at: number | undefined): ColumnDef<Features, TreeRow, unknown>[] =>
    measures.flatMap((measure) => {
      const own = [...figures].filter(([, figure]) => figure.field === measure && figure.at === at)
      if (!isCompared) return own.map(([id, figure]) => leaf(id, figure, t(measure.label)))
      return [{ id: `${String(at)} ${measure.name} parts`, header: t(measure.label), columns: own.map(([id, figure]) => leaf(id, figure, t(`ui.report.part.${figure.part}`))) }]
    })
  const { across } = layout
  return {
    figures,
    definitions: [
      { id: groupColumn, header: headOf(layout.rows), accessorFn: nothing, enableSorting: layout.rows.length > 0, sortDescFirst: false },
      ...(across === undefined
        ? measuresAt(undefined)
        : [
            ...answer.across.map((key, at): ColumnDef<Features, TreeRow, unknown> => ({ id: `across ${at}`, header: groupText(across, key), columns: measuresAt(at) })),
            { id: 'across all', header: t('ui.report.across-all'), columns: measuresAt(undefined) },
          ]),
    ],
  }
}

/** Only columns with values can be sorted; the server sorts, and figures are read where they are drawn. */
function nothing(): undefined {
  return undefined
}

/** Over everything across a measure is sorted by its name. */
function idOf({ at, part }: FigureColumn, { name }: ReportMeasure): string {
  return at === undefined && part === 'value' ? name : `${String(at)} ${name} ${part}`
}

function headOf(rows: readonly GroupDimension[]): string {
  return rows.map(groupLabel).join(' › ')
}
