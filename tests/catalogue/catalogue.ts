import path from 'node:path'
import { screenModule } from '../../scripts/schemas/clientModules.ts'
import { readSchemaFiles, root, sourcesOf, type SchemaFile } from '../../scripts/schemas/readSources.ts'
import { resolve } from '../../src/meta/resolve.ts'
import { texts } from './texts.ts'
import type { Metadata } from '../../src/meta/metadata.ts'
import type { FormScreen, Screen } from '../../src/meta/resolved.ts'
import type { ScreenModule } from '../../src/meta/screenModule.ts'

/** The pages of the catalogue: what stands after `/studio/catalogue/`, and the screen shown there. */
export const pages: Readonly<Record<string, string>> = {
  list: 'sample.list',
  form: 'sample.form',
  'line-grid': 'sample-lines.form',
  detail: 'sample.detail',
  approval: 'sample.approval',
  report: 'sample.report',
  dashboard: 'sample.dashboard',
  workbench: 'sample.workbench',
  import: 'sample.import',
}

export interface Catalogue {
  readonly metadata: Metadata
  readonly screens: Readonly<Record<string, ScreenModule>>
  readonly forms: readonly FormScreen[]
  readonly problems: readonly string[]
}

/** Schema files of the samples beside those of the product. */
export function catalogueFiles(): readonly SchemaFile[] {
  return [...readSchemaFiles(), ...readSchemaFiles(path.join(root, 'tests/catalogue/schemas'))]
}

/** The samples, resolved like the product's own screens: the product's entities are in reach, its routes are not. */
export function readCatalogue(): Catalogue {
  const { sources } = sourcesOf(catalogueFiles())
  const routes = Object.entries(pages).map(([name, screen]) => ({ path: `/studio/catalogue/${name}`, layout: 'plain' as const, screen }))
  const { metadata, problems } = resolve({ ...sources, routes, messages: { ...sources.messages, ...texts } })
  const own = Object.values(metadata.screens).filter(({ id }) => id.startsWith('sample'))
  return {
    metadata,
    screens: Object.fromEntries(own.map((screen) => [screen.id, screenModule(metadata, screen)])),
    forms: own.filter((screen: Screen): screen is FormScreen => screen.kind === 'form'),
    problems: problems.filter((problem) => problem.path.startsWith('tests/')).map(({ path: file, at, message }) => `${file} /${at.join('/')} ${message}`),
  }
}
