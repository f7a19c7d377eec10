import type { ReportSource } from '#generated/language.ts'
import { catalogueText, catalogueWith, menuWith, routesWith, waitingEntry } from '#meta/authoring/fileEdits.ts'
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

/** The schema files as they are with a published report changed, its file and its texts: those that are new or change, complete. Path, menu entry and permission stay. */
export function changed(files: readonly SchemaFile[], change: Pick<Publication, 'report' | 'title' | 'sentence' | 'tile'>, file: string): readonly SchemaFile[] {
  const { report, title, sentence, tile } = change
  const textIn = (name: string): string => files.find(({ path }) => path === name)?.text ?? ''
  const { $schema: _link, ...rest } = report
  const placed = placedTile(files, report, tile)
  const wanted = inOrder({ $schema: schemaLink, ...rest })
  // A report that says the same keeps its file as somebody has formatted it.
  const isSame = JSON.stringify(inOrder(JSON.parse(textIn(file)))) === JSON.stringify(wanted)
  return [
    ...(isSame ? [] : [{ path: file, text: `${formatJson(wanted)}\n` }]),
    ...placed.files,
    ...(['en', 'cn', 'id'] as const).map((language) => {
      const path = `schemas/messages/${language}.json`
      const texts = { [`screen.${report.id}`]: title[language], [`sentence.${report.id}`]: sentence[language], ...placed.texts(language) }
      return { path, text: catalogueText({ ...JSON.parse(textIn(path)), ...texts }) }
    }),
  ].filter(({ path, text }) => textIn(path) !== text)
}

/** The dashboard with the tile on it, and the tile's title. */
function placedTile(files: readonly SchemaFile[], report: ReportSource, tile: Publication['tile']): { readonly files: readonly SchemaFile[]; readonly texts: (language: keyof Texts) => Readonly<Record<string, string>> } {
  const board = tile === undefined ? undefined : files.find((file) => file.path.endsWith('.dashboard.json') && JSON.parse(file.text).id === tile.dashboard)
  const id = board === undefined ? '' : freeTileId(JSON.parse(board.text), nounOf(report.id) ?? '')
  return {
    files: tile === undefined || board === undefined ? [] : [{ path: board.path, text: dashboardWith(board.text, tileOf(tile, id, report)) }],
    texts: (language) => (tile === undefined ? {} : { [`tile.${tile.dashboard}.${id}`]: tile.title[language] }),
  }
}

/** What a report and its texts say, as text to be compared: equal however the files are formatted. */
export function contentOf(files: readonly SchemaFile[], file: string, id: string): string | undefined {
  const text = files.find(({ path }) => path === file)?.text
  if (text === undefined) return undefined
  const said = (['en', 'cn', 'id'] as const).map((language): readonly unknown[] => {
    const catalogue: Readonly<Record<string, unknown>> = JSON.parse(files.find(({ path }) => path === `schemas/messages/${language}.json`)?.text ?? '{}')
    return [catalogue[`screen.${id}`], catalogue[`sentence.${id}`]]
  })
  return JSON.stringify([inOrder(JSON.parse(text)), said])
}

/** The schema files as they are with the report published: each file that is new or changes, complete. */
export function published(files: readonly SchemaFile[], publication: Publication): readonly SchemaFile[] {
  const { report, path, guard, title, sentence, tile } = publication
  const textIn = (name: string): string => files.find((file) => file.path === name)?.text ?? ''
  const { group, name } = waitingEntry(textIn('schemas/menu.json'), path) ?? { group: publication.group, name: title.en }
  const { $schema: _link, ...rest } = report
  const placed = placedTile(files, report, tile)
  const texts = (language: keyof Texts): Record<string, string> => ({
    [`screen.${report.id}`]: title[language], [`sentence.${report.id}`]: sentence[language], [`menu.${name}`]: title[language], ...placed.texts(language),
  })
  return [
    { path: reportFile(publication), text: `${formatJson(inOrder({ $schema: schemaLink, ...rest }))}\n` },
    { path: 'schemas/routes.json', text: routesWith(textIn('schemas/routes.json'), path, report.id, group) },
    { path: 'schemas/menu.json', text: menuWith(textIn('schemas/menu.json'), group, name, guard, path) },
    ...placed.files,
    ...(['en', 'cn', 'id'] as const).map((language) => {
      const file = `schemas/messages/${language}.json`
      return { path: file, text: catalogueWith(textIn(file), texts(language)) }
    }),
  ]
}
