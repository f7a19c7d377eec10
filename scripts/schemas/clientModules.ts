import { isServed } from '../../src/meta/check/routes.ts'
import type { Metadata } from '../../src/meta/metadata.ts'
import type { Route, Screen } from '../../src/meta/resolved.ts'
import type { ScreenModule } from '../../src/meta/screenModule.ts'
import { header } from './names.ts'

/** Content of `src/generated/screens/<id>.json`. */
export function screenModule(metadata: Metadata, screen: Screen): ScreenModule {
  const entity = metadata.entities['entity' in screen ? screen.entity : 'docType' in screen ? screen.docType : '']
  const transitions = entity === undefined ? [] : (metadata.workflows[entity.id]?.transitions ?? [])
  const status = entity?.fields.find(({ name, type }) => name === 'status' && type === 'status')
  // Only pages that show one record ask for these; a screen is loaded on the way to its first paint.
  const isOfRecord = screen.kind === 'detail' || screen.kind === 'form'
  return {
    screen,
    transitions: isOfRecord ? transitions.filter(({ system }) => !system).map(({ preconditions: _preconditions, effects: _effects, ...transition }) => transition) : [],
    isDocument: entity?.base === 'document',
    states: isOfRecord ? (status?.choices ?? []) : [],
  }
}

/** Source of `src/generated/routes.ts`: what the client's router needs, in the specification's order. */
export function routesModule(metadata: Metadata): string {
  const recordPages = Object.fromEntries(Object.values(metadata.entities).flatMap(({ id, page }) => (page === undefined ? [] : [[id, page]])))
  const rows = metadata.routes.filter(isServed).map((route) => JSON.stringify(clientRoute(metadata, route)))
  return `${header}import type { ClientRoute } from '#meta/clientRoute.ts'

/** Every path that something serves, in the specification's order. */
export const routes: readonly ClientRoute[] = [
${rows.map((row) => `  ${row},\n`).join('')}]

/** Where one record is looked at, by entity; \`{ID}\` stands for its id. */
export const recordPages: Readonly<Record<string, string>> = ${JSON.stringify(recordPages, null, 2)}
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
function clientRoute(metadata: Metadata, { reads: _reads, runs: _runs, ...route }: Route): Record<string, unknown> {
  const screen = metadata.screens[route.screen ?? '']
  return { ...route, ...(screen === undefined ? {} : { kind: screen.kind, title: screen.title, permission: screen.guard }) }
}

/** Sources of `src/generated/loaders.js` and its types: one lazy chunk a screen and a form validator. */
export function loadersModule(metadata: Metadata): { readonly js: string; readonly types: string } {
  const ids = Object.keys(metadata.screens)
  const forms = Object.values(metadata.screens).filter(({ kind }) => kind === 'form').map(({ id }) => id)
  const entry = (id: string, file: string): string => `  ${JSON.stringify(id)}: () => import(${JSON.stringify(file)}),\n`
  return {
    js: `${header}export const screenLoaders = {\n${ids.map((id) => entry(id, `./screens/${id}.json`)).join('')}}\n
export const validatorLoaders = {\n${forms.map((id) => entry(id, `./validators/${id}.js`)).join('')}}\n`,
    types: `${header}import type { FormId, ScreenId } from './names.ts'
import type { FormValidation } from '#meta/formValidation.ts'
import type { ScreenModule } from '#meta/screenModule.ts'

/** The flat screen with what its page needs, loaded when first opened. */
export declare const screenLoaders: Readonly<Record<ScreenId, () => Promise<{ readonly default: ScreenModule }>>>
/** Schema and precompiled validators of a form, loaded when first opened. */
export declare const validatorLoaders: Readonly<Record<FormId, () => Promise<FormValidation>>>
`,
  }
}
