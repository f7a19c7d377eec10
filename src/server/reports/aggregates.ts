import { exact, fixed, isZero } from '#base/decimal.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { Field, Measure, ResolvedDataset } from '#meta/resolved.ts'
import type { Row } from '#server/context.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { as, isDecimalType } from '#server/documents/columns.ts'
import { quotient } from './datasetQuery.ts'

/** The measures that must be gathered so that these can be shown: ratios bring both their parts. */
export function gathered(dataset: ResolvedDataset, measures: readonly Measure[]): readonly Measure[] {
  const names = new Set(measures.flatMap(({ name, agg }) => (agg.kind === 'ratio' ? [agg.of, agg.to] : agg.kind === 'none' ? [] : [name])))
  return dataset.measures.filter(({ name }) => names.has(name))
}

/** SQL of a measure over the rows at hand; `only` keeps some of them out. */
export function aggregate(measure: Measure, only?: Sql): Sql {
  const { agg } = measure
  const filter = only === undefined ? sql`` : sql` filter (where ${only})`
  switch (agg.kind) {
    case 'sum':
      // A column that is empty in every row has no sum; no rows at all come to zero.
      return sql`coalesce(sum(${ident(measure.name)})${filter}, case when count(*)${filter} = 0 then 0 end)`
    case 'max':
      return sql`max(${ident(measure.name)})${filter}`
    case 'min':
      return sql`min(${ident(measure.name)})${filter}`
    case 'count':
      return sql`count(*)${filter}`
    case 'countDistinct':
      return sql`count(distinct ${ident(agg.of)})${filter}`
    case 'within': {
      const day = ident(agg.of)
      return sql`(case when min(${day})${filter} is not distinct from max(${day})${filter} and count(${day})${filter} in (0, count(*)${filter}) then sum(${ident(measure.name)})${filter} end)`
    }
    case 'ratio':
    case 'none':
      throw new Error(`${measure.name} is not gathered from rows`)
  }
}

/** The aggregates as columns `<prefix>0`, `<prefix>1`, … of text. */
export function aggregateColumns(measures: readonly Measure[], prefix: string, only?: Sql): readonly Sql[] {
  return measures.map((measure, i) => as(sql`(${aggregate(measure, only)})::text`, `${prefix}${i}`))
}

/** What a measure comes to, given what was gathered: decimal text, null where there is nothing to say. */
export function valueIn(measure: Measure, gatheredMeasures: readonly Measure[], row: Row | undefined, prefix: string): string | null {
  const part = (name: string): string | null => {
    const value = row?.[`${prefix}${gatheredMeasures.findIndex((candidate) => candidate.name === name)}`]
    return value === null || value === undefined ? null : String(value)
  }
  const { agg } = measure
  if (agg.kind === 'none') return null
  if (agg.kind !== 'ratio') return shown(measure, part(measure.name))
  const [of, to] = [part(agg.of), part(agg.to)]
  return of === null || to === null || isZero(to) ? null : shown(measure, exact(of).times(agg.scale).div(to).toFixed(12))
}

/** SQL to sort groups by a measure, from the columns of `aggregateColumns`. */
export function sortableAggregate(measure: Measure, gatheredMeasures: readonly Measure[], prefix: string): Sql {
  const column = (name: string): Sql => sql`${ident(`${prefix}${gatheredMeasures.findIndex((candidate) => candidate.name === name)}`)}::numeric`
  return measure.agg.kind === 'ratio' ? quotient(measure, column) : column(measure.name)
}

function shown(field: Field, value: string | null): string | null {
  return value === null ? null : fixed(value, decimalPlaces[field.type] ?? 0)
}

/** A value of a row as it travels: decimals with the digits of their type. */
export function wireValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null
  return isDecimalType(field.type) ? fixed(String(value), decimalPlaces[field.type] ?? 2) : value
}
