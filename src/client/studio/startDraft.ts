import type { StudioDataset, StudioMaterial } from '#api/studio.ts'
import { added, blank, type Composed, composedIn, textOf, withChart, withCompare, withGrain } from '#meta/authoring/compose.ts'
import { firstDayFor, type AskedDay, type AskedDays } from '#meta/authoring/askedDays.ts'
import type { Understood } from '#meta/authoring/question.ts'
import { offeredMeasure } from './vocabulary.ts'

const longestSlug = 32

/** `Net sales per brand` → `net-sales-per-brand.report`, cut between words, and a number behind it where a report is called so already. */
export function freshId(name: string, fallback: string, { reports }: StudioMaterial): string {
  const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^[^a-z]+|-+$/g, '').slice(0, longestSlug + 1).replace(/^(.{8,})-[a-z0-9]*$/, (whole, words: string) => (whole.length > longestSlug ? words : whole)).replace(/-+$/, '')
  const noun = slug(name) || slug(fallback) || 'report'
  const taken = new Set(reports.map(({ Screen }) => Screen))
  for (let n = 1; ; n++) {
    const id = `${noun}${n === 1 ? '' : `-${n}`}.report`
    if (!taken.has(id)) return id
  }
}

export function blankText(id: string, { ID, Presets }: StudioDataset): string {
  return textOf(blank(id, ID, Presets))
}

/** A report like another one, under an id of its own. */
export function similarText(source: string, id: string): string {
  return textOf({ ...composedIn(source), id })
}

/** The report that answers a question. */
export function answeringText(id: string, dataset: StudioDataset, { measures, rows, across, compare, days, hasChart }: Understood): string {
  const first = dataset.Measures.find(({ additive, isColumn }) => additive && isColumn)
  const asked = measures.length > 0 || first === undefined ? measures : [offeredMeasure(first)]
  const presets = across === undefined ? dataset.Presets : dataset.Presets.map(sinceYearStart)
  let report: Composed = blank(id, dataset.ID, days === undefined ? presets : presetsOn(presets, dataset, days, across !== undefined))
  for (const column of rows) report = added(report, 'rows', column)
  if (across !== undefined) {
    const shelf = rows.length === 0 ? 'rows' : 'across'
    report = withGrain(added(report, shelf, across.column), shelf, 0, across.grain)
  }
  for (const column of asked) report = added(report, 'measures', column)
  if (compare !== undefined) report = withCompare(report, compare)
  return textOf(hasChart ? withChart(report, true) : report)
}

/** The parameters of a new report, with the days asked about in place of those it would begin with. */
function presetsOn(presets: readonly unknown[], { Time }: StudioDataset, { from, to }: AskedDays, isCalendar: boolean): readonly unknown[] {
  const asked = new Map<string | undefined, AskedDay>([[Time.from, from ?? firstDayFor(to, isCalendar)], [Time.to, to], [Time.as_of, to]])
  const nameOf = (preset: unknown): unknown => (typeof preset === 'object' && preset !== null && 'field' in preset ? preset.field : preset)
  const kept = presets.map((preset) => {
    const name = nameOf(preset)
    const day = typeof name === 'string' ? asked.get(name) : undefined
    return day === undefined ? preset : { field: name, default: day }
  })
  const missing = [...asked].flatMap(([name, day]) => (name === undefined || presets.some((preset) => nameOf(preset) === name) ? [] : [{ field: name, default: day }]))
  return [...kept, ...missing]
}

/** Who asks for months wants more than one of them. */
function sinceYearStart(preset: unknown): unknown {
  return JSON.parse(JSON.stringify(preset), (key, value: unknown) => (key === 'now' && value === 'month-start' ? 'year-start' : value))
}
