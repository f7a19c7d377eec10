import type { ExportBody } from '#api/export.ts'
import { headed } from '#api/heads.ts'
import type { Field, ReportScreen, ResolvedDataset } from '#meta/resolved.ts'
import { requireGuard, requireReport } from '#server/access/guards.ts'
import type { User } from '#server/context.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { datasetOf, fieldsOf, parametersOf, type DatasetRequest } from '#server/reports/datasetQuery.ts'
import { headsOf } from '#server/reports/heads.ts'
import type { Services } from '#server/services.ts'
import { textsOf, type Translate } from '#server/texts.ts'
import { describeFilter, sayValue, type Describing } from './describeFilter.ts'

/** What an export of a report stands on, whether its rows or its groups are wanted. */
export interface ReportExport {
  readonly request: DatasetRequest
  readonly dataset: ResolvedDataset
  readonly fields: ReadonlyMap<string, Field>
  readonly translate: Translate
  readonly describing: Describing
  /** The field with the label it has on the screen; refused when there is none. */
  readonly shown: (name: string) => Field
  /** Parameters in words, label and text. */
  readonly settings: readonly (readonly [label: string, text: string])[]
  /** The filter in words, a line for each test. */
  readonly filter: readonly string[]
}

/** Checks that the user may see and export the report, and binds its parameters. */
export async function reportExport(services: Services, user: User, screen: ReportScreen, body: ExportBody): Promise<ReportExport> {
  const { metadata, database: queries } = services
  requireReport(metadata, user, screen)
  requireGuard(user, (metadata.datasets[screen.dataset]?.guard ?? screen.guard).replace(/-view$/, '-export'))
  const translate = textsOf(body.language)
  const query = {
    ...body.parameters,
    ...(body.search === undefined ? {} : { search: body.search }),
    ...(body.filter === undefined ? {} : { filter: JSON.stringify(body.filter) }),
  }
  const dataset = datasetOf(services, screen)
  const parameters = parametersOf(services, user, screen, dataset, query)
  const fields = fieldsOf(dataset)
  const { heads } = await headsOf(services, dataset)
  const shown = (name: string): Field => {
    const field = fields.get(name) ?? invalid([wrong('columns', 'UNKNOWN_FIELD.column', { column: name.slice(0, 80) })])
    return headed({ ...field, label: screen.columns.find((column) => column.name === name)?.label ?? field.label }, heads, translate)
  }
  const describing = { metadata, queries, translate, field: (name: string) => (fields.has(name) ? shown(name) : undefined) }
  const said = [...parameters.values()].flatMap(({ field, value }) => (value === null ? [] : [sayValue(describing, field, value).then((text) => [translate(field.label), text] as const)]))
  return {
    request: { services, user, dataset, parameters, query },
    dataset, fields, translate, describing, shown,
    settings: await Promise.all(said),
    filter: await describeFilter(describing, body.filter),
  }
}
