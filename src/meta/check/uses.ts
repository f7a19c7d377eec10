import type {
  ApprovalSource, DashboardSource, DetailSource, DetailTabSource, EntitySource, FigureSource, FormSource, ImportSource, ListSource, ReportSource, SectionTicksSource, SideEffectSource, WorkbenchSource,
  WorkflowSource,
} from '#generated/language.ts'
import { Collector, type FileCollector, type Uses } from '#meta/check/collector.ts'
import { columnsIn } from '#meta/compute.ts'
import type { Sources } from '#meta/sources.ts'

/** Walks all sources once and lists what they name, each with its place. */
export function usesOf(sources: Sources): Uses {
  const collector = new Collector(sources)
  for (const { path, value } of sources.entity) entityUses(collector.of(path), value)
  for (const { path, value } of sources.workflow) workflowUses(collector.of(path), value)
  for (const { path, value } of sources.list) listUses(collector.of(path), value)
  for (const { path, value } of sources.form) formUses(collector.of(path), value)
  for (const { path, value } of sources.detail) detailUses(collector.of(path), value)
  for (const { path, value } of sources.approval) approvalUses(collector.of(path), value)
  for (const { path, value } of sources.workbench) workbenchUses(collector.of(path), value)
  for (const { path, value } of sources.report) reportUses(collector.of(path), value)
  for (const { path, value } of sources.dashboard) dashboardUses(collector.of(path), value)
  for (const { path, value } of sources.import) importUses(collector.of(path), value)
  return collector.uses
}

function importUses(file: FileCollector, { guard, sheets }: ImportSource): void {
  file.guard(['guard'], guard)
  for (const [i, sheet] of sheets.entries()) {
    const [main] = sheet.records
    for (const [j, record] of sheet.records.entries()) {
      file.entity(['sheets', i, 'records', j, 'entity'], record.entity)
      for (const name of Object.keys(record.set ?? {})) file.field(['sheets', i, 'records', j, 'set', name], record.entity, name, 'form field', { onKey: true })
    }
    for (const [j, name] of (sheet.update ?? []).entries()) file.field(['sheets', i, 'update', j], main?.entity ?? '', name, 'form field')
    for (const [j, column] of sheet.columns.entries()) {
      const at = ['sheets', i, 'columns', j]
      const named = [...(column.field === undefined ? [] : [{ place: [...at, 'field'], name: column.field }]), ...(column.also ?? []).map((name, k) => ({ place: [...at, 'also', k], name }))]
      for (const { place, name } of named) {
        const [first = '', second] = name.split('.')
        const record = second === undefined ? main : sheet.records.find(({ id }) => id === first)
        if (record !== undefined) file.field(place, record.entity, second ?? first, 'form field')
      }
      const owner = column.field?.includes('.') === true ? sheet.records.find(({ id }) => id === column.field?.split('.')[0]) : main
      if (owner !== undefined) file.condition([...at, 'requiredWhen'], owner.entity, column.requiredWhen)
    }
  }
}

function entityUses(file: FileCollector, entity: EntitySource): void {
  for (const [name, field] of Object.entries(entity.fields)) {
    file.entity(['fields', name, 'entity'], field.entity)
    if (field.valuesBy !== undefined) file.field(['fields', name, 'valuesBy', 'by'], entity.id, field.valuesBy.by, 'field')
  }
  file.entity(['parent'], entity.parent)
  for (const [name, child] of Object.entries(entity.children ?? {})) file.entity(['children', name], child)
  for (const [i, name] of (entity.lookup?.columns ?? []).entries()) file.field(['lookup', 'columns', i], entity.id, name, 'field')
  if (entity.lookup?.tree !== undefined) file.field(['lookup', 'tree'], entity.id, entity.lookup.tree, 'field')
  for (const [i, name] of (entity.display ?? []).entries()) file.field(['display', i], entity.id, name, 'field')
  for (const [i, key] of (entity.key ?? []).entries()) for (const [j, name] of key.entries()) file.field(['key', i, j], entity.id, name, 'field')
  for (const [key, name] of Object.entries(entity.scope ?? {})) file.field(['scope', key], entity.id, name, 'field')
  for (const [i, name] of (entity.bounds?.references ?? []).entries()) file.field(['bounds', 'references', i], entity.id, name, 'field')
  file.entity(['bounds', 'view'], entity.bounds?.view)
  file.template(['page'], entity.page, { entity: entity.id })
  if (entity.owner !== undefined) file.field(['owner'], entity.id, entity.owner, 'field')
  for (const [old, name] of Object.entries(entity.renamed ?? {})) file.field(['renamed', old], entity.id, name, 'field')
  for (const [name, condition] of Object.entries(entity.conditions ?? {})) file.condition(['conditions', name], entity.id, condition)
  relianceUses(file, entity)
  documentUses(file, entity)
  for (const [own, others] of Object.entries(entity.usedAs ?? {})) {
    file.field(['usedAs', own], entity.id, own, 'field', { onKey: true })
    for (const [other, name] of Object.entries(others)) {
      file.entity(['usedAs', own, other], other)
      file.field(['usedAs', own, other], other, name, 'field')
    }
  }
  for (const [own, others] of Object.entries(entity.keptOnce ?? {})) {
    file.field(['keptOnce', own], entity.id, own, 'field', { onKey: true })
    for (const [i, other] of others.entries()) file.entity(['keptOnce', own, i], other)
  }
  for (const [name, { against }] of Object.entries(entity.fields)) {
    if (against === undefined) continue
    const at = ['fields', name, 'against']
    file.field([...at, 'field'], entity.id, against.field, 'field')
    for (const [i, one] of (against.named ?? []).entries()) file.field([...at, 'named', i], entity.id, one, 'field')
    file.condition([...at, 'when'], entity.id, against.when)
  }
  for (const [i, rule] of (entity.rules ?? []).entries()) {
    if ('must' in rule) {
      file.field(['rules', i, 'field'], entity.id, rule.field, 'field')
      file.condition(['rules', i, 'must'], entity.id, rule.must)
      file.condition(['rules', i, 'when'], entity.id, rule.when)
    } else {
      file.condition(['rules', i, 'when'], entity.id, rule.when)
      if (!/^-?[0-9.]+$/.test(rule.equals)) file.field(['rules', i, 'equals'], entity.id, rule.equals, 'field')
    }
  }
}

/** What a document works out, where its lines come from, and what of it is open. */
function documentUses(file: FileCollector, entity: EntitySource): void {
  for (const [name, source] of Object.entries(entity.derive ?? {})) {
    const at = ['derive', name]
    file.field(at, entity.id, name, 'field', { onKey: true })
    if (typeof source === 'string') file.field(at, entity.id, source, 'field')
    else if ('sum' in source) {
      const [lines, column = ''] = source.sum.split('.')
      file.field([...at, 'sum'], file.lineEntity(entity.id, lines), column, 'total', { total: true })
    } else if ('compute' in source) {
      for (const column of columnsIn(source.compute)) file.field([...at, 'compute'], entity.id, column, 'field')
    } else if ('daysFrom' in source) {
      for (const end of ['daysFrom', 'to'] as const) file.field([...at, end], entity.id, source[end], 'field')
    } else {
      file.field([...at, 'daysBefore'], entity.id, source.daysBefore, 'field')
      if (typeof source.days === 'string') file.field([...at, 'days'], entity.id, source.days, 'field')
    }
  }
  if (entity.candidates !== undefined) {
    const { entity: from, where, narrows = {}, takes, sort, header = {} } = entity.candidates
    file.entity(['candidates', 'entity'], from)
    file.condition(['candidates', 'where'], from, where, entity.parent)
    for (const [own, taken] of Object.entries(takes)) {
      file.field(['candidates', 'takes', own], entity.id, own, 'field', { onKey: true })
      file.field(['candidates', 'takes', own], from, taken, 'field')
    }
    for (const [own, same] of Object.entries(narrows)) {
      file.field(['candidates', 'narrows', own], entity.parent ?? entity.id, own, 'field', { onKey: true })
      file.field(['candidates', 'narrows', own], from, same, 'field')
    }
    for (const [own, taken] of Object.entries(header)) {
      file.field(['candidates', 'header', own], entity.parent ?? entity.id, own, 'field', { onKey: true })
      file.field(['candidates', 'header', own], from, taken, 'field')
    }
    if (sort !== undefined) file.field(['candidates', 'sort'], from, sort, 'field')
  }
  const { paid, ...item } = entity.openItem ?? {}
  for (const [key, name] of Object.entries(item)) if (key !== 'side') file.field(['openItem', key], entity.id, name, 'field')
  for (const [key, name] of Object.entries(paid ?? {})) file.field(['openItem', 'paid', key], entity.id, name, 'field')
}

function relianceUses(file: FileCollector, entity: EntitySource): void {
  for (const [i, { on, by, when, where, after }] of (entity.reliances ?? []).entries()) {
    const at = ['reliances', i]
    file.entity([...at, 'on'], on)
    for (const [own, other] of Object.entries(by)) {
      file.field([...at, 'by', own], entity.id, own, 'field', { onKey: true })
      file.field([...at, 'by', own], on, other, 'field')
    }
    file.condition([...at, 'when'], entity.id, when)
    file.condition([...at, 'where'], on, where)
    for (const [changed, fields] of Object.entries(after)) {
      file.entity([...at, 'after', changed], changed)
      for (const [j, name] of fields.entries()) file.field([...at, 'after', changed, j], changed, name, 'field')
    }
  }
}

/** Fields here are those of the document, of its lines with `each`, or one hop from there. */
function makesUses(file: FileCollector, { entity, makes = [] }: WorkflowSource): void {
  for (const [i, { entity: made, each, when, group = [], set, lines, by, as }] of makes.entries()) {
    const at = ['makes', i]
    const from = each === undefined ? entity : file.lineEntity(entity, each)
    file.entity([...at, 'entity'], made)
    file.field([...at, 'by'], made, by, 'field')
    if (as !== undefined) file.field([...at, 'as'], entity, as, 'field')
    if (from === undefined) continue
    file.ownCondition([...at, 'when'], from, when)
    for (const [j, name] of group.entries()) file.field([...at, 'group', j], from, name, 'field')
    for (const [key, values, target] of [['set', set, made], ['lines', lines ?? {}, file.lineEntity(made, 'lines')]] as const) {
      for (const [own, value] of Object.entries(values)) {
        file.field([...at, key, own], target, own, 'field', { onKey: true })
        if (typeof value === 'string') file.field([...at, key, own], from, value, 'field')
        else if ('sum' in value) file.field([...at, key, own, 'sum'], from, value.sum, 'total', { total: true })
        else if ('first' in value) {
          file.entity([...at, key, own, 'first'], value.first)
          file.condition([...at, key, own, 'where'], value.first, value.where, entity)
          for (const [j, name] of value.order.entries()) file.field([...at, key, own, 'order', j], value.first, name, 'field')
        }
      }
    }
  }
}

/** Warehouses may stand in the line or in the document. */
function goodsUses(file: FileCollector, { entity, consumes = [], moves = [], stages = [], adjusts }: WorkflowSource): void {
  if (adjusts !== undefined) {
    file.field(['adjusts', 'item'], entity, adjusts.item, 'field')
    file.field(['adjusts', 'amount'], entity, adjusts.amount, 'total', { total: true })
    file.field(['adjusts', 'into'], file.target(entity, adjusts.item), adjusts.into, 'total', { total: true })
  }
  for (const [i, { lines, of, qty, into, upTo, when, status }] of consumes.entries()) {
    const from = file.lineEntity(entity, lines)
    const consumed = file.target(from, of)
    file.field(['consumes', i, 'of'], from, of, 'field')
    file.field(['consumes', i, 'qty'], from, qty, 'total', { total: true })
    file.ownCondition(['consumes', i, 'when'], from, when)
    for (const [key, name] of [['into', into], ['upTo', upTo]] as const) file.field(['consumes', i, key], consumed, name, 'total', { total: true })
    if (status?.of !== undefined) file.field(['consumes', i, 'status', 'of'], consumed, status.of, 'total', { total: true })
  }
  if (stages.length > 0) file.field(['stages'], entity, 'stage', 'field')
  for (const [i, { edits }] of stages.entries()) {
    for (const [j, path] of edits.entries()) {
      const [lines = '', name] = path.split('.')
      if (name === undefined) file.field(['stages', i, 'edits', j], entity, path, 'field')
      else file.field(['stages', i, 'edits', j], file.lineEntity(entity, lines), name, 'total', { total: true })
    }
  }
  for (const [i, { lines, when, item = 'item_id', batch, qty, cost, share, into, against = [], gap }] of moves.entries()) {
    const from = file.lineEntity(entity, lines)
    file.ownCondition(['moves', i, 'when'], from, when)
    for (const [key, name] of [['item', item], ['batch', batch], ['share', share]] as const) if (name !== undefined) file.field(['moves', i, key], from, name, 'field')
    for (const [key, name] of [['qty', qty], ['cost', cost], ['into', into], ['gap', gap]] as const) if (name !== undefined) file.field(['moves', i, key], from, name, 'total', { total: true })
    for (const [j, name] of against.entries()) file.field(['moves', i, 'against', j], from, name, 'total', { total: true })
  }
}

function workflowUses(file: FileCollector, workflow: WorkflowSource): void {
  file.entity(['entity'], workflow.entity)
  for (const [i, { fields = [] }] of (workflow.editing ?? []).entries()) {
    for (const [j, name] of fields.entries()) file.field(['editing', i, 'fields', j], workflow.entity, name, 'field')
  }
  if (workflow.approval?.cuts !== undefined) {
    const { lines, field, columns } = workflow.approval.cuts
    file.entity(['approval', 'cuts', 'lines'], lines)
    file.field(['approval', 'cuts', 'field'], lines, field, 'field')
    for (const [i, column] of columns.entries()) file.field(['approval', 'cuts', 'columns', i], lines, column, 'column')
  }
  if (workflow.approval?.measure !== undefined) file.field(['approval', 'measure'], workflow.entity, workflow.approval.measure, 'field')
  for (const [i, { when, day }] of (workflow.books?.events ?? []).entries()) {
    file.ownCondition(['books', 'events', i, 'when'], workflow.entity, when)
    if (day !== undefined) file.field(['books', 'events', i, 'day'], workflow.entity, day, 'field')
  }
  for (const [i, { lines, item, amount, when, with: sources = [] }] of (workflow.settles ?? []).entries()) {
    const settling = lines === undefined ? workflow.entity : file.lineEntity(workflow.entity, lines)
    if (item !== undefined) file.field(['settles', i, 'item'], settling, item, 'field')
    file.ownCondition(['settles', i, 'when'], workflow.entity, when)
    file.field(['settles', i, 'amount'], settling, amount, 'total', { total: true })
    for (const [j, source] of sources.entries()) {
      const from = source.lines === undefined ? workflow.entity : file.lineEntity(workflow.entity, source.lines)
      if (source.item !== undefined) file.field(['settles', i, 'with', j, 'item'], from, source.item, 'field')
      file.field(['settles', i, 'with', j, 'amount'], from, source.amount, 'total', { total: true })
      file.ownCondition(['settles', i, 'with', j, 'when'], from, source.when)
    }
  }
  makesUses(file, workflow)
  goodsUses(file, workflow)
  for (const name of Object.keys(workflow.underWay?.when ?? {})) file.field(['underWay', 'when', name], workflow.entity, name, 'field', { onKey: true })
  for (const [i, { when }] of (workflow.transitions ?? []).entries()) file.ownCondition(['transitions', i, 'when'], workflow.entity, when)
  for (const group of ['transitions', 'commands'] as const) {
    for (const [i, { params }] of (workflow[group] ?? []).entries()) {
      for (const [name, param] of Object.entries(params ?? {})) {
        file.entity([group, i, 'params', name, 'entity'], param.entity)
        if (param.type === undefined) file.field([group, i, 'params', name], workflow.entity, name, 'field', { onKey: true })
        file.condition([group, i, 'params', name, 'lookupWhere'], param.entity ?? file.target(workflow.entity, name), param.lookupWhere, workflow.entity)
        if (param.each === undefined) continue
        const at = [group, i, 'params', name, 'each']
        file.entity([...at, 'lines'], param.each.lines)
        file.field([...at, 'field'], param.each.lines, param.each.field, 'field')
        if (param.each.begins !== undefined) file.field([...at, 'begins'], param.each.lines, param.each.begins, 'field')
        for (const [j, column] of param.each.columns.entries()) file.field([...at, 'columns', j], param.each.lines, column, 'column')
      }
    }
  }
}

function listUses(file: FileCollector, list: ListSource): void {
  const { entity } = list
  file.entity(['entity'], entity)
  file.guard(['guard'], list.guard)
  file.columns(['columns'], entity, list.columns)
  file.columns(['filters'], entity, list.filters ?? [], 'filter')
  for (const [i, sort] of (list.sort ?? []).entries()) file.field(['sort', i, 'field'], entity, sort.field, 'sort')
  for (const [i, { where }] of (list.presets ?? []).entries()) file.condition(['presets', i, 'where'], entity, where)
  for (const [i, { when }] of (list.emphasis ?? []).entries()) file.condition(['emphasis', i, 'when'], entity, when)
  file.condition(['where'], entity, list.where)
  for (const [i, action] of (list.actions ?? []).entries()) file.action(['actions', i], entity, action)
  file.template(['open'], list.open, { entity })
  file.screen(['panel'], list.panel, 'form', 'detail')
  file.screen(['import'], list.import, 'import')
  for (const part of ['field', 'within', 'name'] as const) if (list.order !== undefined) file.field(['order', part], entity, list.order[part], 'field')
  file.screen(['preview'], list.preview, 'detail')
  for (const [i, group] of (list.groupBy ?? []).entries()) file.field(['groupBy', i], entity, typeof group === 'string' ? group : group.field, 'sort')
  for (const [old, name] of Object.entries(list.renamed ?? {})) file.field(['renamed', old], entity, name, 'field')
}

function formUses(file: FileCollector, form: FormSource): void {
  const { entity, lines } = form
  file.entity(['entity'], entity)
  file.guard(['guard'], form.guard)
  for (const [i, section] of form.sections.entries()) {
    file.formFields(['sections', i, 'fields'], entity, section.fields ?? [])
    file.typedCondition(['sections', i, 'when'], entity, section.when)
    file.slot(['sections', i, 'slot'], section.slot)
    if (section.lines !== undefined) lineUses(file, ['sections', i, 'lines'], entity, section.lines)
    if (section.ticks !== undefined) ticksUses(file, ['sections', i, 'ticks'], section.ticks)
  }
  if (lines !== undefined) {
    lineUses(file, ['lines'], entity, lines)
    file.slot(['lines', 'slot'], lines.slot)
  }
  for (const [i, name] of (form.totals ?? []).entries()) file.field(['totals', i], entity, name, 'total')
  for (const name of Object.keys(form.defaults ?? {})) file.field(['defaults', name], entity, name, 'field', { onKey: true })
  for (const [i, effect] of (form.sideEffects ?? []).entries()) sideEffectUses(file, ['sideEffects', i], entity, effect)
  for (const [i, name] of (form.copy?.fields ?? []).entries()) file.field(['copy', 'fields', i], entity, name, 'form field')
  for (const [name, columns] of Object.entries(form.copy?.lines ?? {})) for (const [j, column] of columns.entries()) file.field(['copy', 'lines', name, j], file.lineEntity(entity, name), column, 'form field')
  file.screen(['closed'], form.closed, 'detail')
  file.template(['copy', 'path'], form.copy?.path, { entity })
  file.template(['after'], form.after, { entity })
}

function lineUses(file: FileCollector, at: readonly (string | number)[], header: string, { name, columns, origin, suggests }: NonNullable<FormSource['lines']>): void {
  const entity = file.lineEntity(header, name)
  file.formFields([...at, 'columns'], entity, columns.map((column) => (typeof column === 'string' ? column : formPart(column))), header)
  for (const [i, field] of (suggests?.fields ?? []).entries()) file.field([...at, 'suggests', 'fields', i], header, field, 'form field')
  for (const [i, column] of (suggests?.columns ?? []).entries()) file.field([...at, 'suggests', 'columns', i], entity, column, 'form field')
  if (origin === undefined) return
  file.field([...at, 'origin', 'by'], entity, origin.by, 'field')
  for (const [own, keeper] of Object.entries(origin.of)) {
    file.field([...at, 'origin', 'of', own], entity, own, 'field', { onKey: true })
    file.field([...at, 'origin', 'of', own], entity, keeper, 'field')
  }
}

function ticksUses(file: FileCollector, at: readonly (string | number)[], { entity, value, text, group, parent, sort, where }: SectionTicksSource): void {
  file.entity([...at, 'entity'], entity)
  for (const [key, name] of Object.entries({ value, text, group, parent, sort })) if (name !== undefined) file.field([...at, key], entity, name, 'field')
  file.condition([...at, 'where'], entity, where)
}

function sideEffectUses(file: FileCollector, at: readonly (string | number)[], entity: string, { on, when, set }: SideEffectSource): void {
  for (const [i, name] of on.entries()) file.field([...at, 'on', i], entity, name, 'form field')
  file.condition([...at, 'when'], entity, when)
  for (const [name, value] of Object.entries(set)) {
    file.field([...at, 'set', name], entity, name, 'form field', { onKey: true })
    if (typeof value !== 'object' || value === null) continue
    if ('field' in value) file.field([...at, 'set', name, 'field'], entity, value.field, 'field')
    if ('compute' in value) file.compute([...at, 'set', name, 'compute'], entity, value.compute)
  }
}

/** What a line column has in common with a header field. */
function formPart({ field, lookupWhere, fills, compute, create }: Exclude<NonNullable<FormSource['lines']>['columns'][number], string>) {
  return { field, ...(lookupWhere === undefined ? {} : { lookupWhere }), ...(fills === undefined ? {} : { fills }), ...(compute === undefined ? {} : { compute }), ...(create === undefined ? {} : { create }) }
}

function detailUses(file: FileCollector, detail: DetailSource): void {
  const { entity, edit, edits = [] } = detail
  file.entity(['entity'], entity)
  file.guard(['guard'], detail.guard)
  file.columns(['facts'], entity, detail.facts ?? [], 'field')
  for (const [i, tab] of detail.tabs.entries()) tabUses(file, i, entity, tab)
  // A path, or the form screen itself.
  if (edit?.startsWith('/') === true) file.template(['edit'], edit, { entity })
  else file.screen(['edit'], edit, 'form')
  for (const [i, { when, path }] of edits.entries()) {
    file.condition(['edits', i, 'when'], entity, when)
    file.template(['edits', i, 'path'], path, { entity })
  }
  file.template(['print'], detail.print, { entity })
  file.condition(['printWhen'], entity, detail.printWhen)
  for (const [i, { path, when }] of (detail.prints ?? []).entries()) {
    file.condition(['prints', i, 'when'], entity, when)
    file.template(['prints', i, 'path'], path, { entity })
  }
}

function tabUses(file: FileCollector, index: number, entity: string, tab: DetailTabSource): void {
  const at = ['tabs', index]
  if (tab.kind === 'fields') for (const [j, { fields }] of tab.sections.entries()) file.columns([...at, 'sections', j, 'fields'], entity, fields, 'field')
  if (tab.kind === 'lines') file.columns([...at, 'columns'], file.lineEntity(entity, tab.lines), tab.columns)
  if (tab.kind !== 'list') return
  file.screen([...at, 'screen'], tab.screen, 'list')
  for (const [name, template] of Object.entries(tab.params ?? {})) file.template([...at, 'params', name], template, { entity })
}

function approvalUses(file: FileCollector, approval: ApprovalSource): void {
  file.entity(['docType'], approval.docType)
  file.guard(['guard'], approval.guard)
  file.condition(['where'], approval.docType, approval.where)
  file.columns(['columns'], approval.docType, approval.columns)
  file.screen(['peek'], approval.peek, 'detail')
}

function workbenchUses(file: FileCollector, workbench: WorkbenchSource): void {
  file.guard(['guard'], workbench.guard)
  for (const [i, { screen }] of workbench.tabs.entries()) file.screen(['tabs', i, 'screen'], screen)
}

function reportUses(file: FileCollector, report: ReportSource): void {
  const { dataset } = report
  file.guard(['guard'], report.guard)
  file.template(['drill'], report.drill, { dataset })
  for (const [i, column] of report.columns.entries()) if (typeof column !== 'string') file.template(['columns', i, 'link'], column.link, { dataset })
}

function dashboardUses(file: FileCollector, { tiles }: DashboardSource): void {
  for (const [i, tile] of tiles.entries()) {
    if (tile.type === 'kpi') figureUses(file, ['tiles', i, 'from'], tile.from)
    if (tile.type === 'counts') for (const [j, item] of tile.items.entries()) figureUses(file, ['tiles', i, 'items', j, 'from'], item.from)
    if (tile.type === 'chart' || tile.type === 'list') file.screen(['tiles', i, 'from', 'report'], tile.from.report, 'report')
  }
}

function figureUses(file: FileCollector, at: readonly (string | number)[], figure: FigureSource): void {
  if ('list' in figure) file.screen([...at, 'list'], figure.list, 'list')
  else file.screen([...at, 'report'], figure.report, 'report')
}
