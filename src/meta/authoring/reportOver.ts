import type { DatasetSource } from '#generated/language.ts'

/** How well rows are grouped by a dimension: masters first, then what has few values; nothing for documents, remarks and names of what a code stands for. */
function groupRank({ dimensions }: DatasetSource, masters: ReadonlySet<string>, name: string): number | undefined {
  const own = dimensions[name]
  if (own === undefined || own.describes !== undefined) return undefined
  const stem = name.replace(/_(code|name)$/, '')
  const about = Object.values(dimensions).filter(({ describes }) => describes === name).map(({ type }) => type)
  // A number that goes with a code is that of a document.
  if (about.includes('integer')) return undefined
  const isDescribed = about.includes('text') || about.includes('ref')
  switch (own.type) {
    case 'code':
      return isDescribed || masters.has(stem) || dimensions[`${stem}_id`]?.type === 'ref' ? 0 : undefined
    case 'text':
      return name.endsWith('_name') ? 0 : undefined
    case 'enum':
    case 'status':
      return 1
    case 'boolean':
    case 'period':
      return 2
    default:
      return undefined
  }
}

/** All a dataset can show in an order that reads well: what it is about, then its amounts; grouped by masters and what has few values, drawn by the first of them. `masters`: entities that are master data. */
export function reportOver(dataset: DatasetSource, masters: ReadonlySet<string> = new Set()): object {
  const dimensions = Object.entries(dataset.dimensions).map(([name, dimension]) => ({ name, ...dimension }))
  const parameters = parametersOver(dataset)
  const measures = Object.entries(dataset.measures ?? {}).map(([name, measure]) => ({ name, ...measure }))
  // What people read: no ids, no references by number.
  const readable = dimensions.filter(({ type, name }) => type !== 'ref' && type !== 'id' && !name.endsWith('_id'))
  const onRows = measures.filter(({ agg }) => agg !== 'count' && agg !== 'countDistinct')
  const drawn = measures.find(({ adds }) => adds === 'always')
  const day = readable.find(({ type }) => type === 'date')
  const groups = readable.flatMap(({ name }) => {
    const rank = groupRank(dataset, masters, name)
    return rank === undefined || name === dataset.currency ? [] : [{ name, rank }]
  }).toSorted((a, b) => a.rank - b.rank).map(({ name }) => name)
  const rest = readable.filter(({ name }) => name !== day?.name)
  return {
    dataset: dataset.id,
    ...(parameters.length === 0 ? {} : { parameters }),
    filters: dimensions.filter(({ type }) => ['ref', 'enum', 'status', 'date'].includes(type)).map(({ name }) => name).slice(0, 8),
    columns: [
      ...(day === undefined ? [] : [{ field: day.name, width: 110 }]),
      ...rest.map(({ name }, i) => (i === 0 ? { field: name, importance: 'high' } : i < 4 ? name : { field: name, importance: 'low' })),
      ...onRows.map(({ name }) => name),
    ],
    sort: [{ field: day?.name ?? rest[0]?.name ?? onRows[0]?.name ?? '', dir: day === undefined ? 'asc' : 'desc' }],
    ...(groups.length === 0 || measures.length === 0 ? {} : { groups: [...groups.slice(0, 8), ...(day === undefined ? [] : [{ field: day.name, grain: 'month' }])] }),
    ...(onRows.length > 0 || measures.length === 0 ? {} : { measures: measures.map(({ name }) => name) }),
    ...(drawn === undefined || groups[0] === undefined ? {} : { chart: { type: 'bar', by: groups[0], measures: [drawn.name], top: 10 } }),
  }
}

/** Every parameter, with a day to begin with where it is one: this month, and today. */
export function parametersOver({ parameters = {}, time = {} }: Pick<DatasetSource, 'parameters' | 'time'> = {}): readonly object[] {
  const defaults: Readonly<Record<string, string>> = { ...(time.from === undefined ? {} : { [time.from]: 'month-start' }), ...(time.to === undefined ? {} : { [time.to]: 'date' }), ...(time.as_of === undefined ? {} : { [time.as_of]: 'date' }) }
  return Object.entries(parameters).map(([field, { type, default: preset, required }]): object => {
    const now = defaults[field] ?? (type === 'date' && required === true ? 'date' : undefined)
    if (now !== undefined) return { field, default: { now } }
    return preset === undefined ? { field } : { field, default: preset }
  })
}
