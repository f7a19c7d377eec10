import type { DetailSource, DetailTabSource } from '#generated/language.ts'
import { besideRecord } from '#meta/besideRecord.ts'
import { resolveColumns, shown } from '#meta/resolveColumn.ts'
import type { Choice, DetailScreen, DetailTab, FormScreen, ListScreen, ResolvedEntity, Route, Screen, ScreenAction } from '#meta/resolved.ts'
import { conditionIn, entityOf, fieldIn, linesOf, type Scope } from '#meta/scope.ts'
import type { Source } from '#meta/sources.ts'

export function resolveDetail(scope: Scope, { path, value: detail }: Source<DetailSource>): DetailScreen {
  const entity = entityOf(scope, detail.entity)
  return {
    kind: 'detail',
    id: detail.id,
    title: scope.labels.pick(detail.title ?? `screen.${detail.id}`),
    guard: detail.guard ?? `${entity.resource}-view`,
    entity: entity.id,
    resource: entity.resource,
    facts: (detail.facts ?? []).map((name) => shown(fieldIn(scope, entity.id, name))),
    tabs: withNotes(entity, detail.tabs).map((tab) => resolveTab(scope, entity, detail.id, tab, path)),
    states: statesOf(entity, detail.states),
    actions: [],
    ...(scope.workflows[entity.id]?.editing === undefined ? {} : { editing: (scope.workflows[entity.id]?.editing ?? []).map(({ fields: _fields, ...when }) => when) }),
    ...(detail.edit === undefined ? {} : { edit: detail.edit }),
    ...(detail.edits === undefined ? {} : { edits: detail.edits.map(({ when, path: to }) => ({ when: conditionIn(scope, entity.id, when), path: to })) }),
    ...(detail.print === undefined ? {} : { print: detail.print }),
    ...(detail.prints === undefined ? {} : { prints: detail.prints.map(({ id, path: to, when }) => ({ label: scope.labels.pick(`print.${id}`), path: to, ...(when === undefined ? {} : { when: conditionIn(scope, entity.id, when) }) })) }),
    ...(detail.printWhen === undefined ? {} : { printWhen: conditionIn(scope, entity.id, detail.printWhen) }),
  }
}

/** Each related list with the permission its screen asks for, the form that starts another record with what is here, and on a page what lists offer for one row. */
export function besideOthers(detail: DetailScreen, screens: readonly Screen[], routes: readonly Route[]): DetailScreen {
  const copying = screens.find((screen): screen is FormScreen => screen.kind === 'form' && screen.entity === detail.entity && screen.copy !== undefined)
  const closing = new Set(screens.flatMap((screen) => (screen.kind === 'form' && screen.closed === detail.id ? [screen.id] : [])))
  const guardOf = (id: string): string => screens.find((screen) => screen.id === id)?.guard ?? ''
  return {
    ...detail,
    tabs: detail.tabs.map((tab) => (tab.kind === 'list' ? { ...tab, guard: guardOf(tab.screen) } : tab)),
    actions: routes.some(({ screen }) => screen === detail.id || closing.has(screen ?? '')) ? actionsOfLists(detail, screens) : [],
    ...(copying?.copy === undefined ? {} : { copy: `${copying.copy.path}?copy={ID}` }),
  }
}

/** A page offers what the lists of its records offer for one row; what two of them mean differently by one name is left to them. In a panel stands what its own list offers. */
function actionsOfLists(detail: DetailScreen, screens: readonly Screen[]): readonly ScreenAction[] {
  const lists = screens.filter((screen): screen is ListScreen => screen.kind === 'list' && screen.entity === detail.entity)
  const offered = besideRecord(lists.flatMap(({ actions }) => actions), detail)
  const isSaidAlike = (action: ScreenAction): boolean => offered.every((other) => other.id !== action.id || JSON.stringify(other) === JSON.stringify(action))
  return offered.filter((action, at) => isSaidAlike(action) && offered.findIndex(({ id }) => id === action.id) === at)
}

/** Every document and master record can be commented on and have files attached: before its history, unless the screen says where. */
function withNotes(entity: ResolvedEntity, tabs: readonly DetailTabSource[]): readonly DetailTabSource[] {
  if (entity.base !== 'document' && entity.base !== 'master') return tabs
  const notes = (['comments', 'attachments'] as const).filter((kind) => !tabs.some((tab) => tab.kind === kind)).map((kind): DetailTabSource => ({ id: kind, kind }))
  const at = tabs.at(-1)?.kind === 'history' ? -1 : tabs.length
  return [...tabs.slice(0, at), ...notes, ...tabs.slice(at)]
}

function resolveTab(scope: Scope, entity: ResolvedEntity, screen: string, tab: DetailTabSource, path: string): DetailTab {
  const head = { id: tab.id, title: scope.labels.pick(`tab.${screen}.${tab.id}`, `tab.${tab.id}`) }
  switch (tab.kind) {
    case 'fields':
      return {
        kind: 'fields',
        ...head,
        sections: tab.sections.map((section) => ({
          title: scope.labels.pick(`section.${screen}.${section.id}`, `section.${section.id}`),
          fields: section.fields.map((name) => shown(fieldIn(scope, entity.id, name))),
        })),
      }
    case 'lines': {
      const lines = linesOf(entity, tab.lines)
      return { kind: 'lines', ...head, wire: lines.wire, entity: lines.entity, columns: resolveColumns(scope, lines.entity, tab.columns, path) }
    }
    case 'list':
      // The guard of the list is known once every screen is.
      return { kind: 'list', ...head, screen: tab.screen, params: tab.params ?? {}, guard: '' }
    case 'flow':
    case 'journal':
    case 'history':
    case 'attachments':
    case 'comments':
      return { kind: tab.kind, ...head }
  }
}

function statesOf(entity: ResolvedEntity, codes: readonly number[] | undefined): readonly Choice[] {
  const choices = entity.fields.find((field) => field.name === 'status' && field.type === 'status')?.choices ?? []
  return codes === undefined ? [] : codes.flatMap((code) => choices.find(({ value }) => value === code) ?? [])
}
