import type { ApprovalSource, ListSource, WorkbenchSource } from '#generated/language.ts'
import { resolveAction } from '#meta/resolveAction.ts'
import { resolveColumns, shown } from '#meta/resolveColumn.ts'
import type { ApprovalScreen, ListScreen, WorkbenchScreen } from '#meta/resolved.ts'
import { conditionIn, entityOf, fieldIn, type Scope } from '#meta/scope.ts'
import type { Source } from '#meta/sources.ts'

export function resolveList(scope: Scope, { path, value: list }: Source<ListSource>): ListScreen {
  const entity = entityOf(scope, list.entity)
  return {
    kind: 'list',
    id: list.id,
    title: scope.labels.pick(`screen.${list.id}`),
    guard: list.guard ?? `${entity.resource}-view`,
    entity: entity.id,
    resource: entity.resource,
    columns: resolveColumns(scope, entity.id, list.columns, path),
    filters: (list.filters ?? []).map((name) => shown(fieldIn(scope, entity.id, name))),
    sort: list.sort ?? [{ field: 'id', dir: 'desc' }],
    presets: (list.presets ?? []).map((preset) => ({
      id: preset.id,
      label: scope.labels.pick(`preset.${list.id}.${preset.id}`, `preset.${preset.id}`),
      where: conditionIn(scope, entity.id, preset.where),
      default: preset.default ?? false,
    })),
    emphasis: (list.emphasis ?? []).map(({ when, tone }) => ({ when: conditionIn(scope, entity.id, when), tone })),
    ...(list.where === undefined ? {} : { where: conditionIn(scope, entity.id, list.where) }),
    actions: (list.actions ?? []).map((action) => resolveAction(scope, entity, action)),
    ...(list.open === undefined ? {} : { open: list.open }),
    ...(list.panel === undefined ? {} : { panel: list.panel }),
    empty: scope.labels.pick(`empty.${list.id}`, 'empty.list'),
  }
}

export function resolveApproval(scope: Scope, { path, value: approval }: Source<ApprovalSource>): ApprovalScreen {
  const entity = entityOf(scope, approval.docType)
  return {
    kind: 'approval',
    id: approval.id,
    title: scope.labels.pick(`screen.${approval.id}`),
    guard: approval.guard ?? `${entity.resource}-approve`,
    docType: entity.id,
    transition: approval.transition,
    columns: resolveColumns(scope, entity.id, approval.columns, path),
    peek: approval.peek,
  }
}

export function resolveWorkbench(scope: Scope, { value: workbench }: Source<WorkbenchSource>, guardOf: (screen: string) => string): WorkbenchScreen {
  return {
    kind: 'workbench',
    id: workbench.id,
    title: scope.labels.pick(`screen.${workbench.id}`),
    guard: workbench.guard ?? guardOf(workbench.tabs[0]?.screen ?? ''),
    tabs: workbench.tabs.map(({ id, screen }) => ({ id, title: scope.labels.pick(`tab.${workbench.id}.${id}`, `tab.${id}`), screen })),
  }
}
