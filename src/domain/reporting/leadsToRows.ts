import type { Chart, ReportScreen } from '#meta/resolved.ts'

/** Do filters of the report leave exactly what a mark of the chart stands for? */
export function leadsToRows({ filters }: Pick<ReportScreen, 'filters'>, { by, series }: Pick<Chart, 'by' | 'series'>): boolean {
  return by !== undefined && [by, ...(series === undefined ? [] : [series])].every(({ name }) => filters.some((filter) => filter.name === name))
}
