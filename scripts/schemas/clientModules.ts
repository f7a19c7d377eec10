import { isServed } from '../../src/meta/routePath.ts'
import type { Metadata } from '../../src/meta/metadata.ts'
import type { Route, Screen } from '../../src/meta/resolved.ts'
import type { ScreenModule } from '../../src/meta/screenModule.ts'
import { briefPages, briefRoute, type ClientRoute } from '../../src/meta/clientRoute.ts'
import { header } from './names.ts'

/** Content of `src/generated/screens/<id>.json`. */
export function screenModule(metadata: Metadata, screen: Screen): ScreenModule {
  const entity = metadata.entities['entity' in screen ? screen.entity : 'docType' in screen ? screen.docType : '']
  const transitions = entity === undefined ? [] : (metadata.workflows[entity.id]?.transitions ?? [])
  const status = entity?.fields.find(({ name, type }) => name === 'status' && type === 'status')
  // Only pages that show one record ask for these; a screen is loaded on the way to its first paint.
  const isOfRecord = screen.kind === 'detail' || screen.kind === 'form'
  return {
    // Which tiles there are for whom, and where their numbers come from, is the server's to tell.
    screen: screen.kind === 'dashboard' ? { ...screen, tiles: [] } : screen,
    transitions: isOfRecord ? transitions.filter(({ system }) => !system).map(({ preconditions: _preconditions, effects: _effects, ...transition }) => transition) : [],
    isDocument: entity?.base === 'document',
    states: isOfRecord ? (status?.choices ?? []) : [],
  }
}

/** Source of `src/generated/routes.ts`: what the client's router needs, in the specification's order. */
export function routesModule(metadata: Metadata): string {
  // Of a line only the picture of the flow knows a place, and the server tells it.
  const recordPages = Object.fromEntries(Object.values(metadata.entities).flatMap(({ id, base, page }) => (page === undefined || base === 'line' ? [] : [[id, page]])))
  const routes = metadata.routes.filter(isServed).map((route) => clientRoute(metadata, route))
  const rows = routes.map((route) => JSON.stringify(briefRoute(route)))
  return `${header}import { type BriefRoute, type ClientRoute, fullPages, fullRoute } from '#meta/clientRoute.ts'

const brief: readonly BriefRoute[] = [
${rows.map((row) => `  ${row},\n`).join('')}]

/** Every path that something serves, in the specification's order. */
export const routes: readonly ClientRoute[] = brief.map(fullRoute)

/** Where one record is looked at, by entity; \`{ID}\` stands for its id. */
export const recordPages: Readonly<Record<string, string>> = fullPages(${JSON.stringify(briefPages(recordPages, routes), null, 2)}, routes)
`
}

/** Source of `src/generated/lookups.ts`: what search windows show, by entity. */
export function lookupsModule({ entities }: Metadata): string {
  const lookups = Object.fromEntries(Object.values(entities).flatMap(({ id, lookup }) => (lookup === undefined ? [] : [[id, lookup]])))
  return `${header}/** Columns beside code and name, and the reference to the parent record. */
export const lookups: Readonly<Record<string, { readonly columns: readonly string[]; readonly tree?: string }>> = ${JSON.stringify(lookups, null, 2)}
`
}

/** What the server alone asks for stays there. */
function clientRoute(metadata: Metadata, { reads: _reads, runs: _runs, ...route }: Route): ClientRoute {
  const screen = metadata.screens[route.screen ?? '']
  return { ...route, ...(screen === undefined ? {} : { kind: screen.kind, title: screen.title, permission: screen.guard }) }
}

/**
 * Sources of `src/generated/loaders.js` and its types: one file a screen and a form validator, loaded when first opened. A build replaces the
 * module (`generatedFiles` in vite.config.ts): its files are found by their ids, without a list of all of them.
 */
export function loadersModule(metadata: Metadata): { readonly js: string; readonly types: string } {
  const ids = Object.keys(metadata.screens)
  const forms = Object.values(metadata.screens).filter(({ kind }) => kind === 'form').map(({ id }) => id)
  const entry = (id: string, file: string): string => `  ${JSON.stringify(id)}: () => import(${JSON.stringify(file)}),\n`
  const loader = (name: string, files: string): string => `export const ${name} = (id) => (Object.hasOwn(${files}, id) ? ${files}[id]() : Promise.reject(new Error(\`There is no "\${id}"\`)))\n`
  return {
    js: `${header}const screens = {\n${ids.map((id) => entry(id, `./screens/${id}.json`)).join('')}}\n
const validators = {\n${forms.map((id) => entry(id, `./validators/${id}.js`)).join('')}}\n
${loader('importScreen', 'screens')}${loader('importValidation', 'validators')}`,
    types: `${header}import type { FormValidation } from '#meta/formValidation.ts'
import type { ScreenModule } from '#meta/screenModule.ts'

/** The flat screen with what its page needs. Rejects when there is none of this id. */
export declare function importScreen(id: string): Promise<{ readonly default: ScreenModule }>
/** Schema and precompiled validators of a form. Rejects when there is none of this id. */
export declare function importValidation(id: string): Promise<FormValidation>
`,
  }
}
