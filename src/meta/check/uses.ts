import type { ActionSource, ColumnSource, ConditionSource, FormFieldSource, UseSource } from '#generated/language.ts'
import type { Keys } from '#meta/check/finding.ts'
import type { Sources } from '#meta/sources.ts'

interface Place {
  readonly path: string
  readonly at: Keys
}

/** A field named by a schema file, and the entity it must belong to. */
export interface FieldUse extends Place {
  readonly entity: string
  readonly name: string
  readonly what: 'column' | 'filter' | 'sort' | 'form field' | 'total' | 'field'
  readonly onKey?: boolean
  readonly total?: boolean
}

/** A condition and the entity its names belong to. Names on the right (`{ "field": … }`) belong to `record`. */
export interface ConditionUse extends Place {
  readonly entity: string
  readonly record: string
  readonly condition: ConditionSource
}

export interface ActionUse extends Place {
  readonly entity: string
  readonly action: ActionSource
}

/** Something named elsewhere: a screen, a fragment, an entity. */
export interface NameUse extends Place {
  readonly name: string
  readonly onKey?: boolean
}

/** A path template, with the entity or dataset whose wire keys fill it. */
export interface PathUse extends Place {
  readonly template: string
  readonly entity?: string
  readonly dataset?: string
}

export interface Uses {
  readonly fields: readonly FieldUse[]
  readonly conditions: readonly ConditionUse[]
  readonly actions: readonly ActionUse[]
  readonly entities: readonly NameUse[]
  readonly screens: readonly (NameUse & { readonly kinds?: readonly string[] })[]
  readonly fragments: readonly (NameUse & { readonly type: 'columns' | 'fields' })[]
  readonly paths: readonly PathUse[]
  readonly guards: readonly NameUse[]
  readonly slots: readonly NameUse[]
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }

/** Walks all sources once and lists what they name, each with its place. */
export function usesOf(sources: Sources): Uses {
  const uses: Mutable<Uses> = { fields: [], conditions: [], actions: [], entities: [], screens: [], fragments: [], paths: [], guards: [], slots: [] }
  const lineEntity = (header: string, name: string | undefined): string => {
    const lines = sources.entity.filter(({ value }) => value.base === 'line' && value.parent === header).map(({ value }) => value.id)
    return lines.find((id) => id === name) ?? lines[0] ?? ''
  }
  const refEntity = (entity: string, field: string): string => {
    const own = sources.entity.find(({ value }) => value.id === entity)?.value.fields[field]
    return own?.entity ?? (field.endsWith('_by') ? 'app_user' : field.replace(/_id$/, ''))
  }
  const field = (place: Place, entity: string, name: string, what: FieldUse['what'], extra: Partial<FieldUse> = {}): void => {
    uses.fields.push({ ...place, entity, name, what, ...extra })
  }
  const condition = (place: Place, entity: string, source: ConditionSource | undefined, record = entity): void => {
    if (source !== undefined) uses.conditions.push({ ...place, entity, record, condition: source })
  }
  const path = (place: Place, template: string | undefined, of: { entity?: string; dataset?: string } = {}): void => {
    if (template !== undefined) uses.paths.push({ ...place, template, ...of })
  }
  const guard = (place: Place, name: string | undefined): void => {
    if (name !== undefined) uses.guards.push({ ...place, name })
  }
  const columns = (file: string, at: Keys, entity: string, list: readonly (string | ColumnSource | UseSource)[], what: FieldUse['what'] = 'column'): void => {
    for (const [i, column] of list.entries()) {
      if (typeof column === 'string') field({ path: file, at: [...at, i] }, entity, column, what)
      else if ('use' in column) uses.fragments.push({ path: file, at: [...at, i, 'use'], name: column.use, type: 'columns' })
      else {
        field({ path: file, at: [...at, i, 'field'] }, entity, column.field, what, { total: column.total !== undefined })
        path({ path: file, at: [...at, i, 'link'] }, column.link, { entity })
      }
    }
  }
  const formField = (file: string, at: Keys, entity: string, value: Pick<FormFieldSource, 'field' | 'when' | 'requiredWhen' | 'lookupWhere' | 'fills'>): void => {
    field({ path: file, at: [...at, 'field'] }, entity, value.field, 'form field')
    condition({ path: file, at: [...at, 'when'] }, entity, value.when)
    condition({ path: file, at: [...at, 'requiredWhen'] }, entity, value.requiredWhen)
    const target = refEntity(entity, value.field)
    condition({ path: file, at: [...at, 'lookupWhere'] }, target, value.lookupWhere, entity)
    for (const [own, other] of Object.entries(value.fills ?? {})) {
      field({ path: file, at: [...at, 'fills', own] }, entity, own, 'field', { onKey: true })
      field({ path: file, at: [...at, 'fills', own] }, target, other, 'field')
    }
  }
  const formFields = (file: string, at: Keys, entity: string, list: readonly (string | FormFieldSource | UseSource)[]): void => {
    for (const [i, value] of list.entries()) {
      if (typeof value === 'string') field({ path: file, at: [...at, i] }, entity, value, 'form field')
      else if ('use' in value) uses.fragments.push({ path: file, at: [...at, i, 'use'], name: value.use, type: 'fields' })
      else formField(file, [...at, i], entity, value)
    }
  }

  for (const { path: file, value } of sources.entity) {
    for (const [name, { entity }] of Object.entries(value.fields)) {
      if (entity !== undefined) uses.entities.push({ path: file, at: ['fields', name, 'entity'], name: entity })
    }
    if (value.parent !== undefined) uses.entities.push({ path: file, at: ['parent'], name: value.parent })
    for (const [i, name] of (value.display ?? []).entries()) field({ path: file, at: ['display', i] }, value.id, name, 'field')
    for (const [i, key] of (value.key ?? []).entries()) for (const [j, name] of key.entries()) field({ path: file, at: ['key', i, j] }, value.id, name, 'field')
    for (const [key, name] of Object.entries(value.scope ?? {})) field({ path: file, at: ['scope', key] }, value.id, name, 'field')
    if (value.owner !== undefined) field({ path: file, at: ['owner'] }, value.id, value.owner, 'field')
    for (const [old, name] of Object.entries(value.renamed ?? {})) field({ path: file, at: ['renamed', old] }, value.id, name, 'field')
    for (const [name, source] of Object.entries(value.conditions ?? {})) condition({ path: file, at: ['conditions', name] }, value.id, source)
  }
  for (const { path: file, value } of sources.list) {
    uses.entities.push({ path: file, at: ['entity'], name: value.entity })
    guard({ path: file, at: ['guard'] }, value.guard)
    columns(file, ['columns'], value.entity, value.columns)
    columns(file, ['filters'], value.entity, value.filters ?? [], 'filter')
    for (const [i, sort] of (value.sort ?? []).entries()) field({ path: file, at: ['sort', i, 'field'] }, value.entity, sort.field, 'sort')
    for (const [i, preset] of (value.presets ?? []).entries()) condition({ path: file, at: ['presets', i, 'where'] }, value.entity, preset.where)
    for (const [i, { when }] of (value.emphasis ?? []).entries()) condition({ path: file, at: ['emphasis', i, 'when'] }, value.entity, when)
    condition({ path: file, at: ['where'] }, value.entity, value.where)
    path({ path: file, at: ['open'] }, value.open, { entity: value.entity })
    if (value.panel !== undefined) uses.screens.push({ path: file, at: ['panel'], name: value.panel, kinds: ['form', 'detail'] })
    for (const [i, action] of (value.actions ?? []).entries()) {
      const at = ['actions', i]
      uses.actions.push({ path: file, at, entity: value.entity, action })
      condition({ path: file, at: [...at, 'when'] }, value.entity, action.when)
      guard({ path: file, at: [...at, 'guard'] }, action.guard)
      path({ path: file, at: [...at, 'goto'] }, action.goto, { entity: value.entity })
      if (action.panel !== undefined) uses.screens.push({ path: file, at: [...at, 'panel'], name: action.panel, kinds: ['form'] })
    }
  }
  for (const { path: file, value } of sources.form) {
    uses.entities.push({ path: file, at: ['entity'], name: value.entity })
    guard({ path: file, at: ['guard'] }, value.guard)
    for (const [i, section] of value.sections.entries()) {
      formFields(file, ['sections', i, 'fields'], value.entity, section.fields ?? [])
      condition({ path: file, at: ['sections', i, 'when'] }, value.entity, section.when)
      if (section.slot !== undefined) uses.slots.push({ path: file, at: ['sections', i, 'slot'], name: section.slot })
    }
    const { lines } = value
    if (lines !== undefined) {
      const entity = lineEntity(value.entity, lines.name)
      for (const [i, column] of lines.columns.entries()) {
        if (typeof column === 'string') field({ path: file, at: ['lines', 'columns', i] }, entity, column, 'form field')
        else formField(file, ['lines', 'columns', i], entity, column)
      }
      if (lines.slot !== undefined) uses.slots.push({ path: file, at: ['lines', 'slot'], name: lines.slot })
    }
    for (const [i, name] of (value.totals ?? []).entries()) field({ path: file, at: ['totals', i] }, value.entity, name, 'total')
    for (const name of Object.keys(value.defaults ?? {})) field({ path: file, at: ['defaults', name] }, value.entity, name, 'field', { onKey: true })
    path({ path: file, at: ['after'] }, value.after, { entity: value.entity })
  }
  for (const { path: file, value } of sources.detail) {
    uses.entities.push({ path: file, at: ['entity'], name: value.entity })
    guard({ path: file, at: ['guard'] }, value.guard)
    columns(file, ['facts'], value.entity, value.facts ?? [], 'field')
    for (const [i, tab] of value.tabs.entries()) {
      const at = ['tabs', i]
      if (tab.kind === 'fields') for (const [j, section] of tab.sections.entries()) columns(file, [...at, 'sections', j, 'fields'], value.entity, section.fields, 'field')
      if (tab.kind === 'lines') columns(file, [...at, 'columns'], lineEntity(value.entity, tab.lines), tab.columns)
      if (tab.kind === 'list') {
        uses.screens.push({ path: file, at: [...at, 'screen'], name: tab.screen, kinds: ['list'] })
        for (const [name, template] of Object.entries(tab.params ?? {})) path({ path: file, at: [...at, 'params', name] }, template, { entity: value.entity })
      }
    }
    if (value.edit?.startsWith('/') === false) uses.screens.push({ path: file, at: ['edit'], name: value.edit, kinds: ['form'] })
    else path({ path: file, at: ['edit'] }, value.edit, { entity: value.entity })
    path({ path: file, at: ['print'] }, value.print, { entity: value.entity })
  }
  for (const { path: file, value } of sources.approval) {
    uses.entities.push({ path: file, at: ['docType'], name: value.docType })
    guard({ path: file, at: ['guard'] }, value.guard)
    columns(file, ['columns'], value.docType, value.columns)
    uses.screens.push({ path: file, at: ['peek'], name: value.peek, kinds: ['detail'] })
  }
  for (const { path: file, value } of sources.workbench) {
    guard({ path: file, at: ['guard'] }, value.guard)
    for (const [i, { screen }] of value.tabs.entries()) uses.screens.push({ path: file, at: ['tabs', i, 'screen'], name: screen })
  }
  for (const { path: file, value } of sources.report) {
    guard({ path: file, at: ['guard'] }, value.guard)
    path({ path: file, at: ['drill'] }, value.drill, { dataset: value.dataset })
    for (const [i, column] of value.columns.entries()) if (typeof column !== 'string') path({ path: file, at: ['columns', i, 'link'] }, column.link, { dataset: value.dataset })
  }
  for (const { path: file, value } of sources.workflow) {
    uses.entities.push({ path: file, at: ['entity'], name: value.entity })
    for (const [group, list] of [['transitions', value.transitions ?? []], ['commands', value.commands ?? []]] as const) {
      for (const [i, { params }] of list.entries()) {
        for (const [name, param] of Object.entries(params ?? {})) {
          if (param.entity !== undefined) uses.entities.push({ path: file, at: [group, i, 'params', name, 'entity'], name: param.entity })
          if (param.type === undefined) field({ path: file, at: [group, i, 'params', name] }, value.entity, name, 'field', { onKey: true })
        }
      }
    }
  }
  return uses
}
