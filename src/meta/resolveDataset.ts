import type { BySource, DatasetSource, FieldSource, MeasureSource } from '#generated/language.ts'
import type { Labels } from '#meta/labels.ts'
import { declaredIn, originOf, withOrigin } from '#meta/origins.ts'
import { resolveField } from '#meta/resolveField.ts'
import type { Aggregate, Field, GroupDimension, Measure, ResolvedDataset } from '#meta/resolved.ts'
import { type Source, SourceError } from '#meta/sources.ts'

export function resolveDataset({ path, value: dataset }: Source<DatasetSource>, sql: Readonly<Record<string, string>>, labels: Labels): ResolvedDataset {
  const text = sql[path]
  if (text === undefined) throw new SourceError(`The SQL file ${path.replace(/\.json$/, '.sql')} is missing`)
  const field = (name: string, source: FieldSource): Field => {
    const resolved = resolveField(dataset.id, name, source, labels)
    return withOrigin(resolved, () => declaredIn(path, source, resolved))
  }
  const fields = (group: Readonly<Record<string, FieldSource>>): Field[] => Object.entries(group).map(([name, source]) => field(name, source))
  return {
    kind: 'dataset',
    id: dataset.id,
    ...(dataset.renamed === undefined ? {} : { renamed: dataset.renamed }),
    sql: text,
    label: labels.pick(`dataset.${dataset.id}`),
    grain: dataset.grain,
    grainLabel: labels.pick(`grain.${dataset.id}`),
    key: dataset.key,
    rowsOf: dataset.rowsOf ?? {},
    guard: dataset.guard,
    scope: dataset.scope ?? {},
    ...(dataset.currency === undefined ? {} : { currency: /^[A-Z]/.test(dataset.currency) ? { code: dataset.currency } : { field: dataset.currency } }),
    ...(typeof dataset.inBooks === 'object' ? { rate: dataset.inBooks.rate } : {}),
    time: dataset.time ?? {},
    parameters: fields({ ...dataset.parameters, ...(offersBooks(dataset) ? { [inBooks]: { type: 'boolean', default: false } } : {}) }),
    dimensions: Object.entries(dataset.dimensions).map(([name, { describes, ...source }]) => {
      const resolved = field(name, source)
      return describes === undefined ? resolved : withOrigin({ ...resolved, describes }, () => originOf(resolved))
    }),
    measures: Object.entries(dataset.measures ?? {}).map(([name, source]) => measure(dataset, field(name, { ...source, ...readByOf(dataset, source) }), source)),
    limits: { rows: dataset.limits?.rows ?? 50_000, timeoutMs: dataset.limits?.timeoutMs ?? 15_000 },
  }
}

/** The parameter of every dataset that can tell its amounts in the currency of the books as well. */
export const inBooks = 'in_books'

export function offersBooks({ inBooks: said }: DatasetSource): boolean {
  return said === 'asked' || typeof said === 'object'
}

/** What is worked out of something else takes the permission for that. */
function readByOf({ dimensions, measures = {} }: DatasetSource, { readBy, ratio = [], of, adds }: MeasureSource): Pick<MeasureSource, 'readBy'> {
  const parts = [...ratio, of, typeof adds === 'object' ? adds.within : undefined].flatMap((name) => (name === undefined ? [] : [measures[name]?.readBy ?? dimensions[name]?.readBy]))
  const asked = readBy ?? parts.find((one) => one !== undefined)
  return asked === undefined ? {} : { readBy: asked }
}

function measure(dataset: DatasetSource, field: Field, source: MeasureSource): Measure {
  const agg = aggregateOf(dataset, field, source)
  return withOrigin(
    {
      ...field,
      additive: agg.kind === 'sum',
      agg,
      isColumn: agg.kind !== 'count' && agg.kind !== 'countDistinct',
      ...(source.good === undefined ? {} : { good: source.good }),
      ...(source.span === undefined ? {} : { span: source.span }),
    },
    () => originOf(field),
  )
}

function aggregateOf(dataset: DatasetSource, field: Field, { adds, agg, of, ratio }: MeasureSource): Aggregate {
  const [part, whole] = ratio ?? []
  if (part !== undefined && whole !== undefined) return { kind: 'ratio', of: part, to: whole, scale: field.type === 'percent' ? 100 : 1 }
  if (agg === 'countDistinct') {
    if (of === undefined) throw new SourceError(`"${field.name}" does not say of what it counts the values`, ['measures', field.name])
    return { kind: 'countDistinct', of }
  }
  if (agg !== undefined) return { kind: agg }
  if (typeof adds === 'object') return dataset.dimensions[adds.within] === undefined ? { kind: 'sum' } : { kind: 'within', of: adds.within }
  return { kind: adds === 'always' ? 'sum' : 'none' }
}

/** `doc_date` by `month` → a group of its own, written `doc_date:month`. */
export function resolveBy(dataset: ResolvedDataset, by: BySource, at: readonly (string | number)[] = []): GroupDimension {
  const { field: name, grain } = typeof by === 'string' ? { field: by, grain: undefined } : by
  const found = dataset.dimensions.find((dimension) => dimension.name === name)
  if (found === undefined) throw new SourceError(`Dataset ${dataset.id} has no dimension "${name}"`, at)
  const { describes: _describes, ...field } = found
  return withOrigin({ ...field, key: grain === undefined ? name : `${name}:${grain}`, ...(grain === undefined ? {} : { grain }) }, () => originOf(found))
}

export function measureOf(dataset: ResolvedDataset, name: string, at: readonly (string | number)[] = []): Measure {
  const found = dataset.measures.find((candidate) => candidate.name === name)
  if (found === undefined) throw new SourceError(`Dataset ${dataset.id} has no measure "${name}"`, at)
  return found
}

/** Wire keys of what a group carries: itself and what describes it. */
export function describing(dataset: ResolvedDataset, name: string): readonly Field[] {
  return dataset.dimensions.filter((dimension) => dimension.describes === name)
}
