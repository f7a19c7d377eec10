import type { SummaryAnswer } from '#api/report.ts'
import type { Comparison } from '#meta/day.ts'
import type { Chart, Field, GroupDimension, Measure, Tile, Tone } from '#meta/resolved.ts'
import type { Heads } from './heads.ts'

/**
 * GET /api/v1/dashboard/{screen}          the tiles this user may see, without their numbers
 * GET /api/v1/dashboard/{screen}/{tile}   the numbers of one
 */
export interface DashboardAnswer {
  readonly tiles: readonly TileView[]
}

export interface TileView {
  readonly id: string
  readonly title: string
  readonly kind: Tile['kind']
  readonly size: Tile['size']
}

/** A figure in one currency; `currency` is null where there is none to tell apart. */
export interface Amount {
  readonly currency: string | null
  readonly value: string | null
  readonly before?: string | null
  readonly target?: string | null
  readonly second?: string | null
}

export interface FigureAnswer {
  readonly type: Field['type']
  readonly amounts: readonly Amount[]
  readonly tone: Tone
  /** Path with query of the report or list whose total is the figure. */
  readonly link: string
}

export interface KpiAnswer extends FigureAnswer {
  readonly kind: 'kpi'
  readonly second?: Pick<Field, 'name' | 'label' | 'type'>
  readonly heads?: Heads
  readonly compare?: Comparison
  /** Which way is the better one. */
  readonly good?: 'up' | 'down'
  readonly parameters: Readonly<Record<string, string>>
  /** Parameters of the period compared with. */
  readonly before?: Readonly<Record<string, string>>
}

export interface CountsAnswer {
  readonly kind: 'counts'
  readonly items: readonly (FigureAnswer & { readonly id: string; readonly title: string })[]
}

/** Where a figure of a chart leads. */
export interface ChartLead {
  readonly now: string
  /** That of the period compared with. */
  readonly before?: string
}

export interface ChartAnswer {
  readonly kind: 'chart'
  readonly chart: Chart
  readonly summary: SummaryAnswer
  /** For each row of the summary: where its figure leads, or that at each value across; where measures stand along the axis, of the one row of all: where each leads. Absent: the report cannot be narrowed to what a mark stands for. */
  readonly leads?: readonly (readonly ChartLead[])[]
  readonly link: string
}

export interface ListTileAnswer {
  readonly kind: 'list'
  readonly by: GroupDimension
  /** What describes the group, in order. */
  readonly about: readonly Field[]
  readonly measures: readonly Measure[]
  readonly summary: SummaryAnswer
  /** Where each row leads. */
  readonly rowLinks: readonly string[]
  readonly link: string
}

export interface ApprovalsAnswer {
  readonly kind: 'approvals'
  readonly items: readonly { readonly docType: string; readonly title: string; readonly count: number; readonly link: string }[]
}

export type TileAnswer = KpiAnswer | CountsAnswer | ChartAnswer | ListTileAnswer | ApprovalsAnswer
