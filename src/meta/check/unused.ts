import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'

/** Fragments and datasets that nothing uses: work for whoever reads the folder, and never run. */
export function* unused({ sources, uses }: World): Iterable<Report> {
  const fragments = new Set([...uses.fragments.map(({ name }) => name), ...conditionNames(sources, uses)])
  for (const { path, value } of sources.fragment) {
    if (!fragments.has(value.id)) yield { path, at: ['id'], severity: 'warning', code: 'unused-fragment', message: `nothing uses the fragment "${value.id}"` }
  }
  const datasets = new Set(sources.report.map(({ value }) => value.dataset))
  for (const { path, value } of sources.dataset) {
    if (!datasets.has(value.id)) yield { path, at: ['id'], severity: 'warning', code: 'unused-dataset', message: `no report shows the dataset "${value.id}"` }
  }
}

/** Names written where a condition stands, those inside named conditions too. */
function conditionNames(sources: World['sources'], uses: World['uses']): readonly string[] {
  const shared = sources.fragment.flatMap(({ value }) => (value.type === 'condition' ? [value.where] : []))
  return [...uses.conditions.map(({ condition }) => condition), ...shared].flatMap(names)
}

function names(condition: unknown): readonly string[] {
  if (typeof condition === 'string') return [condition]
  if (typeof condition !== 'object' || condition === null) return []
  if ('all' in condition && Array.isArray(condition.all)) return condition.all.flatMap(names)
  if ('any' in condition && Array.isArray(condition.any)) return condition.any.flatMap(names)
  return 'not' in condition ? names(condition.not) : []
}
