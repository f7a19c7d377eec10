import type { ApprovalSource, ListSource, WorkbenchSource } from '#generated/language.ts'
import { resolveAction } from '#meta/resolveAction.ts'
import { resolveColumns, shown } from '#meta/resolveColumn.ts'
import type { ApprovalScreen, ListScreen, ResolvedEntity, Screen, WorkbenchScreen } from '#meta/resolved.ts'
import { conditionIn, entityOf, fieldIn, type Scope } from '#meta/scope.ts'
import { decidedAction } from '#meta/screenUse.ts'
import type { Source } from '#meta/sources.ts'
import { upkeepIn } from '#meta/upkeep.ts'

export function resolveList(scope: Scope, { path, value: list }: Source<ListSource>): ListScreen {
  const entity = entityOf(scope, list.entity)
  const renamed = { ...renamedIn(scope, entity), ...list.renamed }
  return {
    kind: 'list',
    id: list.id,
    title: scope.labels.pick(list.title ?? `screen.${list.id}`),
    guard: list.guard ?? `${entity.resource}-view`,
    entity: entity.id,
    resource: entity.resource,
    columns: resolveColumns(scope, entity.id, list.columns, path),
    ...namedBy(entity, list),
    filters: (list.filters ?? []).map((name) => shown(fieldIn(scope, entity.id, name))),
    sort: list.sort ?? [{ field: 'id', dir: 'desc' }],
    presets: (list.presets ?? []).map((preset) => ({
      id: preset.id,
      label: scope.labels.pick(`preset.${list.id}.${preset.id}`, `preset.${preset.id}`),
      where: conditionIn(scope, entity.id, preset.where),
      default: preset.default ?? false,
      ...(preset.count === undefined ? {} : { count: preset.count }),
    })),
    ...(list.presetQuery === undefined ? {} : { presetQuery: list.presetQuery }),
    ...(list.groupBy === undefined ? {} : { groupBy: list.groupBy.map((group) => (typeof group === 'string' ? { field: group } : group)) }),
    ...(Object.keys(renamed).length === 0 ? {} : { renamed }),
    ...(entity.currency === undefined ? {} : { currency: 'currency' }),
    emphasis: (list.emphasis ?? []).map(({ when, tone }) => ({ when: conditionIn(scope, entity.id, when), tone })),
    ...(list.where === undefined ? {} : { where: conditionIn(scope, entity.id, list.where) }),
    ...scopedColumns(entity),
    actions: [...(list.actions ?? []).map((action) => resolveAction(scope, entity, action)), ...upkeepIn(list, entity, scope.labels)],
    ...(list.open === undefined ? {} : { open: list.open }),
    ...(list.panel === undefined ? {} : { panel: list.panel }),
    ...(list.preview === undefined ? {} : { preview: list.preview }),
    ...(list.order === undefined ? {} : { order: list.order }),
    ...(list.import === undefined ? {} : { importer: list.import }),
    empty: scope.labels.pick(`empty.${list.id}`, 'empty.list'),
  }
}

/** Every record with a code or a name is called by it; others by what their entity is shown by, as far as it stands in a column. */
function namedBy(entity: ResolvedEntity, list: ListSource): Pick<ListScreen, 'named'> {
  const shown = new Set(entity.display)
  if (['code', 'name', 'order_code', 'doc_code'].some((name) => entity.fields.some((field) => field.name === name))) return {}
  const named = entity.fields.filter(({ name }) => shown.has(name) && list.columns.some((column) => column === name || (typeof column === 'object' && 'field' in column && column.field === name)))
  return named.length === 0 ? {} : { named: named.map(({ wire }) => wire) }
}

/** Of what people choose once for all lists of an area: the columns this entity has. */
function scopedColumns(entity: ResolvedEntity): Pick<ListScreen, 'scoped'> {
  const scoped = ['operating_unit_id', 'territory_id', 'customer_id'].filter((name) => entity.fields.some((field) => field.name === name))
  return scoped.length === 0 ? {} : { scoped }
}

/** Renamed columns of the entity and, one hop away, of the records it refers to. */
function renamedIn(scope: Scope, entity: ResolvedEntity): Readonly<Record<string, string>> {
  const hops = entity.fields.flatMap((field) => Object.entries(scope.entities[field.entity ?? '']?.renamed ?? {}).map(([old, name]) => [`${field.name}.${old}`, `${field.name}.${name}`]))
  return { ...Object.fromEntries(hops), ...entity.renamed }
}

/** Each list with the detail screen its quick preview shows: the one it names, its panel, or any of its entity. */
export function withPreview(list: ListScreen, screens: readonly Screen[]): ListScreen {
  const details = screens.filter((screen) => screen.kind === 'detail')
  const found = details.find(({ id }) => id === (list.preview ?? list.panel)) ?? details.find(({ entity }) => entity === list.entity)
  return found === undefined ? list : { ...list, preview: found.id }
}

export function resolveApproval(scope: Scope, { path, value: approval }: Source<ApprovalSource>): ApprovalScreen {
  const entity = entityOf(scope, approval.docType)
  const columns = resolveColumns(scope, entity.id, approval.columns, path)
  const usual = ['customer_id', 'doc_date', 'operating_unit_id', 'territory_id'].filter((name) => entity.fields.some((field) => field.name === name))
  const filters = [...new Set([...usual, ...columns.filter(({ filterable, name }) => filterable && !name.includes('.')).map(({ name }) => name)])]
  const asked = scope.workflows[entity.id]?.transitions.find(({ action }) => action === decidedAction(approval.transition))?.params ?? []
  return {
    kind: 'approval',
    id: approval.id,
    title: scope.labels.pick(`screen.${approval.id}`),
    guard: approval.guard ?? `${entity.resource}-approve`,
    docType: entity.id,
    transition: approval.transition,
    ...(approval.where === undefined ? {} : { where: conditionIn(scope, entity.id, approval.where) }),
    columns,
    ...(asked.length === 0 ? {} : { params: asked }),
    filters: filters.map((name) => shown(fieldIn(scope, entity.id, name))),
    peek: approval.peek,
  }
}

export function resolveWorkbench(scope: Scope, { value: workbench }: Source<WorkbenchSource>, guardOf: (screen: string) => string): WorkbenchScreen {
  return {
    kind: 'workbench',
    id: workbench.id,
    title: scope.labels.pick(workbench.title ?? `screen.${workbench.id}`),
    guard: workbench.guard ?? guardOf(workbench.tabs[0]?.screen ?? ''),
    tabs: workbench.tabs.map(({ id, screen }) => ({ id, title: scope.labels.pick(`tab.${workbench.id}.${id}`, `tab.${id}`), screen })),
  }
}
