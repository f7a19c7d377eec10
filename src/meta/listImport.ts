import { referenceNames } from '#base/wireName.ts'
import type { FieldType, FormScreen, ImportColumn, ImportScreen, ListScreen, ResolvedEntity, Route, Screen, ScreenAction, WorkbenchScreen } from '#meta/resolved.ts'
import { mostImportRows, mostRehearsed } from '#meta/resolveImport.ts'
import { entityOf, fieldIn, type Scope } from '#meta/scope.ts'

/** What no cell of a sheet can say, or what the server alone writes. */
const unsaid: ReadonlySet<FieldType> = new Set(['json', 'secret', 'datetime', 'id'])

/**
 * Every list of masters and settings that a form keeps takes in what it shows: its columns and those of its forms, a row found by the key of its
 * record. Screens are made from the lists, so that a new list has its import by itself; the list gets the button that leads to it.
 */
export function withImports(scope: Scope, screens: readonly Screen[], workbenches: readonly WorkbenchScreen[], routes: readonly Route[]): readonly Screen[] {
  const isMaster = new Set(screens.flatMap((screen) => (screen.kind === 'list' && scope.entities[screen.entity]?.base === 'master' ? [screen.id] : [])))
  const served = new Set(routes.flatMap(({ path, screen }) => (screen !== undefined && (isMaster.has(screen) || /^\/(master|setting)\//.test(path)) ? [screen] : [])))
  for (const { id, tabs } of workbenches) if (served.has(id)) for (const tab of tabs) served.add(tab.screen)
  const forms = screens.filter((screen) => screen.kind === 'form')
  return screens.flatMap((screen): readonly Screen[] => {
    if (screen.kind !== 'list') return [screen]
    // It may name one of its own, wherever it is.
    const own = screen.importer === undefined ? undefined : screens.find(({ id }) => id === screen.importer)
    if (own !== undefined) return [{ ...screen, actions: [...screen.actions, buttonOf(own.guard)] }]
    if (!served.has(screen.id)) return [screen]
    const importer = importOf(scope, screen, forms.filter((form) => form.entity === screen.entity))
    return importer === undefined ? [screen] : [{ ...screen, importer: importer.id, actions: [...screen.actions, buttonOf(importer.guard)] }, importer]
  })
}

function buttonOf(guard: string): ScreenAction {
  return { id: 'import', label: 'action.import', tone: 'neutral', scope: 'page', guard, does: { kind: 'goto', path: '?import=1' }, params: [], reason: 'none', confirm: false }
}

function importOf(scope: Scope, list: ListScreen, forms: readonly FormScreen[]): ImportScreen | undefined {
  const entity = entityOf(scope, list.entity)
  const kept = forms.flatMap((form) => form.sections.flatMap((section) => section.fields)).filter(({ readOnly }) => !readOnly)
  const editable = new Set([...kept.map(({ name }) => name), 'is_active'])
  const key = keyOf(entity, list)
  // What is moved on by commands is not kept by sheets.
  if (key === undefined || kept.length === 0 || (entity.base === 'plain' && Object.values(scope.commands).some((command) => command.entity === entity.id))) return undefined
  const shown = list.columns.map(({ name }) => name).filter((name) => editable.has(name))
  const names = [...new Set([...key, ...shown, ...editable])].filter((name) => {
    const field = entity.fields.find((one) => one.name === name)
    return field !== undefined && !unsaid.has(field.type) && !field.hidden
  })
  const untouched = list.columns.map(({ name }) => name).filter((name) => {
    const field = entity.fields.find((one) => one.name === name)
    // A reference is shown by its name, which many may have.
    return field !== undefined && !names.includes(name) && !unsaid.has(field.type) && field.entity === undefined
  })
  return {
    kind: 'import',
    id: `${list.id}-import`,
    title: list.title,
    guard: `${entity.resource}-edit`,
    mode: 'partial',
    undo: false,
    rehearse: mostRehearsed,
    most: mostImportRows,
    sheets: [{
      id: entity.id.replaceAll('_', '-'),
      title: entity.title,
      records: [{ id: 'record', entity: entity.id, set: {} }],
      columns: names.map((name) => columnOf(scope, entity, list, name, key)),
      group: [],
      together: [],
      update: key,
      ...(untouched.length === 0 ? {} : { kept: untouched.map((name) => columnOf(scope, entity, list, name, key)) }),
    }],
  }
}

/** The fields by which a row of the list is known: the first key that the list shows whole, else the first. */
function keyOf(entity: ResolvedEntity, list: ListScreen): readonly string[] | undefined {
  const seen = new Set(list.columns.map(({ name }) => name))
  return entity.key.find((key) => key.every((name) => seen.has(name))) ?? entity.key[0]
}

function columnOf(scope: Scope, entity: ResolvedEntity, list: ListScreen, name: string, key: readonly string[]): ImportColumn {
  const { nullable: _nullable, hidden: _hidden, against: _against, ...field } = fieldIn(scope, entity.id, name)
  const label = list.columns.find((column) => column.name === name)?.label ?? field.label
  return {
    ...field,
    label,
    name: field.entity === undefined ? field.wire : referenceNames(name).code,
    required: field.required && field.default === undefined,
    readOnly: false,
    aliases: [],
    targets: [{ record: 'record', field: name }],
    ...(name === key[0] ? { distinct: 'refuse' as const } : {}),
  }
}
