import type { BySource, DashboardSource, ReportSource, TileSource } from '#generated/language.ts'
import { formatJson } from '#meta/authoring/formatJson.ts'
import { locate } from '#meta/check/locate.ts'
import { grains } from '#meta/day.ts'
import type { GroupDimension, ReportMeasure, ReportScreen } from '#meta/resolved.ts'

/** What of a report stands on a dashboard. */
export interface ReportTile {
  readonly dashboard: string
  readonly type: 'chart' | 'list' | 'kpi'
  readonly measure: string
  /** Key of a group: `brand_name`, `bill_date:month`; not for a single figure. */
  readonly by: string
}

const mostDrawn = 10

/** Measures a tile can show: whatever has a value over all rows. */
export function tileMeasures({ measures }: ReportScreen): readonly ReportMeasure[] {
  return measures.filter(({ agg }) => agg.kind !== 'none' && agg.kind !== 'within')
}

/** Groups a tile can be drawn by. */
export function tileGroups({ groups, across }: ReportScreen): readonly GroupDimension[] {
  return [...groups, ...across.filter(({ key }) => !groups.some((group) => group.key === key))]
}

/** The tile as a dashboard file says it; compared as the report opens. */
export function tileOf({ type, measure, by }: ReportTile, id: string, { id: report, opens, chart }: ReportSource): TileSource {
  const compare = opens?.compare
  const part = { report, ...(compare === undefined ? {} : { compare }) }
  switch (type) {
    case 'kpi':
      return { id, type, from: { report, measure, ...(by === '' ? {} : { rows: [bySource(by)] }) }, ...(compare === undefined ? {} : { compare }) }
    case 'list':
      return { id, type, from: part, by: bySource(by), measures: [measure], top: mostDrawn }
    case 'chart': {
      const isDated = by.includes(':')
      const drawn = chart?.type === 'line' && isDated ? 'line' : 'bar'
      return { id, type, size: 'wide', from: part, chart: { type: drawn, by: bySource(by), measures: [measure], ...(isDated ? {} : { top: mostDrawn }) } }
    }
  }
}

/** `brand-sales`, or with a number behind it where a tile is called so already. */
export function freeTileId({ tiles }: DashboardSource, noun: string): string {
  const taken = new Set(tiles.map(({ id }) => id))
  for (let n = 1; ; n++) {
    const id = n === 1 ? noun : `${noun}-${n}`
    if (!taken.has(id)) return id
  }
}

/** The file of a dashboard with one tile more, at its end; everything else stays as it is written. */
export function dashboardWith(text: string, tile: TileSource): string {
  const { tiles }: DashboardSource = JSON.parse(text)
  const file = locate('dashboard', text)
  const { line, column } = file.position(['tiles', tiles.length - 1])
  const from = text.split('\n').slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
  const end = endOf(text, from)
  return `${text.slice(0, end)},\n    ${formatJson(tile, '    ')}${text.slice(end)}`
}

/** Where the object that begins at a place ends. */
function endOf(text: string, from: number): number {
  let depth = 0
  let isText = false
  for (let i = from; i < text.length; i++) {
    const sign = text[i]
    if (isText) {
      if (sign === '\\') i++
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{') depth++
    else if (sign === '}' && --depth === 0) return i + 1
  }
  return text.length
}

function bySource(key: string): BySource {
  const [field = key, grain] = key.split(':')
  const found = grains.find((one) => one === grain)
  return found === undefined ? field : { field, grain: found }
}
