import type { Chart, ReportScreen } from '#meta/resolved.ts'

/** Do filters of the report leave exactly what a mark of the chart stands for: its groups, or the measure where measures stand along the axis? */
export function leadsToRows({ filters }: Pick<ReportScreen, 'filters'>, { by, series, measures }: Pick<Chart, 'by' | 'series' | 'measures'>): boolean {
  const needed = by === undefined ? measures : [by, ...(series === undefined ? [] : [series])]
  return needed.every(({ name }) => filters.some((filter) => filter.name === name))
}
