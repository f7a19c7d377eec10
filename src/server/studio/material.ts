import type { StudioDataset, StudioMaterial } from '#api/studio.ts'
import { formatJson } from '#meta/authoring/formatJson.ts'
import { parametersOver } from '#meta/authoring/reportOver.ts'
import type { ResolvedDataset } from '#meta/resolved.ts'
import { hasReport } from '#server/access/guards.ts'
import type { User } from '#server/context.ts'
import { fail } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import type { SchemaShelf } from './schemaShelf.ts'

/** Datasets whose permission the user holds, and the reports he may open: what he may compose of and start from. */
export function materialFor({ metadata, schemas }: Services, user: User): StudioMaterial {
  const sources = new Map(shelfOf(schemas).world().sources.dataset.map(({ value }) => [value.id, value]))
  return {
    datasets: Object.values(metadata.datasets)
      .filter(({ guard }) => user.guards.has(guard))
      .map((dataset) => described(dataset, parametersOver(sources.get(dataset.id)))),
    reports: Object.values(metadata.screens).flatMap((screen) => (screen.kind === 'report' && hasReport(metadata, user, screen) ? [{ Screen: screen.id, Title: screen.title, Dataset: screen.dataset }] : [])),
  }
}

/** The file of a report the user may open, as it is written. */
export function sourceOfReport({ metadata, schemas }: Services, user: User, id: string): string {
  const screen = Object.hasOwn(metadata.screens, id) ? metadata.screens[id] : undefined
  const source = shelfOf(schemas).world().sources.report.find(({ value }) => value.id === id)
  if (screen?.kind !== 'report' || source === undefined || !hasReport(metadata, user, screen)) return fail('NOT_FOUND.report')
  return `${formatJson(source.value)}\n`
}

export function shelfOf(schemas: SchemaShelf | undefined): SchemaShelf {
  if (schemas === undefined) throw new Error('The schema files are not at hand, so nothing can be composed')
  return schemas
}

function described({ id, label, grainLabel, time, parameters, dimensions, measures, renamed = {} }: ResolvedDataset, presets: readonly unknown[]): StudioDataset {
  return {
    ID: id,
    Label: label,
    Grain: grainLabel,
    HasPeriod: Object.keys(time).length > 0,
    Time: time,
    Parameters: parameters.map((field) => ({ name: field.name, label: field.label, type: field.type, required: field.required })),
    Dimensions: dimensions.map((field) => ({ name: field.name, label: field.label, type: field.type, ...(field.describes === undefined ? {} : { describes: field.describes }) })),
    Measures: measures.map((field) => ({ name: field.name, label: field.label, type: field.type, additive: field.additive, isColumn: field.isColumn, agg: field.agg })),
    Renamed: renamed,
    Presets: presets,
  }
}
