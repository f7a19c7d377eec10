import type { ReportSource } from '#generated/language.ts'
import { catalogueWith, menuWith, routesWith } from '#meta/authoring/fileEdits.ts'
import { inOrder } from '#meta/authoring/compose.ts'
import { formatJson } from '#meta/authoring/formatJson.ts'
import { dashboardWith, freeTileId, type ReportTile, tileOf } from '#meta/authoring/reportTile.ts'
import type { SchemaFile } from '#meta/schemaFiles.ts'

/** A text in the three languages. */
export interface Texts {
  readonly en: string
  readonly cn: string
  readonly id: string
}

/** What a report needs to be published beside its own file. */
export interface Publication {
  readonly report: ReportSource
  /** Folder below `schemas/`: `sales`. */
  readonly area: string
  /** Path it is served at: `/report/brand-sales`. */
  readonly path: string
  /** Menu group it stands in, as `menu.json` names it. */
  readonly group: string
  /** Permission of the menu entry. */
  readonly guard: string
  readonly title: Texts
  readonly sentence: Texts
  /** A tile on a dashboard beside it. */
  readonly tile?: ReportTile & { readonly title: Texts }
}

const schemaLink = '../../../src/generated/editor/report.schema.json'

/** `brand-sales.report` → `brand-sales`; undefined: the id is not written so. */
export function nounOf(id: string): string | undefined {
  return /^([a-z][a-z0-9-]*)\.report$/.exec(id)?.[1]
}

/** The file of the report, below `schemas/`. */
export function reportFile({ report, area }: Pick<Publication, 'report' | 'area'>): string {
  const noun = nounOf(report.id) ?? ''
  return `schemas/${area}/${noun}/${noun}.report.json`
}

/** The schema files as they are with the report published: each file that is new or changes, complete. */
export function published(files: readonly SchemaFile[], publication: Publication): readonly SchemaFile[] {
  const { report, path, group, guard, title, sentence, tile } = publication
  const textIn = (name: string): string => files.find((file) => file.path === name)?.text ?? ''
  const { $schema: _link, ...rest } = report
  const board = tile === undefined ? undefined : files.find((file) => file.path.endsWith('.dashboard.json') && JSON.parse(file.text).id === tile.dashboard)
  const tileId = board === undefined ? '' : freeTileId(JSON.parse(board.text), nounOf(report.id) ?? '')
  const texts = (language: keyof Texts): Record<string, string> => ({
    [`screen.${report.id}`]: title[language], [`sentence.${report.id}`]: sentence[language], [`menu.${title.en}`]: title[language],
    ...(tile === undefined ? {} : { [`tile.${tile.dashboard}.${tileId}`]: tile.title[language] }),
  })
  return [
    { path: reportFile(publication), text: `${formatJson(inOrder({ $schema: schemaLink, ...rest }))}\n` },
    { path: 'schemas/routes.json', text: routesWith(textIn('schemas/routes.json'), path, report.id, group) },
    { path: 'schemas/menu.json', text: menuWith(textIn('schemas/menu.json'), group, title.en, guard, path) },
    ...(tile === undefined || board === undefined ? [] : [{ path: board.path, text: dashboardWith(board.text, tileOf(tile, tileId, report)) }]),
    ...(['en', 'cn', 'id'] as const).map((language) => {
      const file = `schemas/messages/${language}.json`
      return { path: file, text: catalogueWith(textIn(file), texts(language)) }
    }),
  ]
}
