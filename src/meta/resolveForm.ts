import type { FormFieldSource, FormLinesSource, FormSource, SectionSource } from '#generated/language.ts'
import { expandFields, type Placed } from '#meta/fragments.ts'
import { originOf, withOrigin } from '#meta/origins.ts'
import { shown } from '#meta/resolveColumn.ts'
import type { FieldType, FormField, FormLines, FormScreen, FormSection, LineColumn, ResolvedEntity } from '#meta/resolved.ts'
import { conditionIn, entityOf, fieldIn, linesOf, type Scope } from '#meta/scope.ts'
import type { Source } from '#meta/sources.ts'

export function resolveForm(scope: Scope, { path, value: form }: Source<FormSource>): FormScreen {
  const entity = entityOf(scope, form.entity)
  return {
    kind: 'form',
    id: form.id,
    title: scope.labels.pick(`screen.${form.id}`),
    guard: form.guard ?? `${entity.resource}-edit`,
    entity: entity.id,
    resource: entity.resource,
    sections: form.sections.map((section) => resolveSection(scope, entity, form.id, section, path)),
    ...(form.lines === undefined ? {} : { lines: resolveLines(scope, entity, form.lines, path) }),
    totals: (form.totals ?? []).map((name) => shown(fieldIn(scope, entity.id, name))),
    transitions: form.transitions ?? [],
    ...((entity.base === 'document' || entity.base === 'master') && entity.page !== undefined ? { notes: true as const } : {}),
    defaults: form.defaults ?? {},
    ...(form.after === undefined ? {} : { after: form.after }),
  }
}

function resolveSection(scope: Scope, entity: ResolvedEntity, form: string, section: SectionSource, path: string): FormSection {
  return {
    id: section.id,
    title: scope.labels.pick(`section.${form}.${section.id}`, `section.${section.id}`),
    ...(section.tab === undefined ? {} : { tab: section.tab, tabTitle: scope.labels.pick(`tab.${form}.${section.tab}`, `tab.${section.tab}`) }),
    ...(section.when === undefined ? {} : { when: conditionIn(scope, entity.id, section.when) }),
    fields: expandFields(scope, section.fields ?? [], path).map((placed) => resolveFormField(scope, entity, placed)),
    ...(section.slot === undefined ? {} : { slot: section.slot }),
  }
}

const wide: readonly FieldType[] = ['longtext', 'json']

function resolveFormField(scope: Scope, entity: ResolvedEntity, { value, origin }: Placed<FormFieldSource>): FormField {
  const base = shown(fieldIn(scope, entity.id, value.field))
  const readOnly = value.readOnly ?? base.readOnly
  const field: FormField = {
    ...base,
    readOnly,
    required: !readOnly && (value.required ?? base.required),
    ...(value.label === undefined ? {} : { label: value.label }),
    ...(value.when === undefined ? {} : { when: conditionIn(scope, entity.id, value.when) }),
    ...(value.requiredWhen === undefined ? {} : { requiredWhen: conditionIn(scope, entity.id, value.requiredWhen) }),
    onHide: value.onHide ?? 'clear',
    span: value.span ?? (wide.includes(base.type) ? 2 : 1),
    // Restricts another entity: its conditions are not those of the form.
    ...(value.lookupWhere === undefined ? {} : { lookupWhere: conditionIn(scope, base.entity ?? entity.id, value.lookupWhere) }),
    ...(value.fills === undefined ? {} : { fills: value.fills }),
  }
  return withOrigin(field, {
    ...originOf(base),
    onHide: 'default', span: 'default',
    ...Object.fromEntries(Object.keys(value).map((key) => [key === 'field' ? 'name' : key, origin])),
  })
}

const widths: Partial<Readonly<Record<FieldType, number>>> = {
  ref: 260, quantity: 90, money: 130, price: 120, percent: 80, rate: 100, cost: 120, integer: 80, date: 110, boolean: 60, code: 120, enum: 120, longtext: 240,
}

function resolveLines(scope: Scope, header: ResolvedEntity, source: FormLinesSource, path: string): FormLines {
  const lines = linesOf(header, source.name)
  return {
    name: lines.name,
    wire: lines.wire,
    entity: lines.entity,
    columns: source.columns.map((column): LineColumn => {
      const value = typeof column === 'string' ? { field: column } : column
      const base = shown(fieldIn(scope, lines.entity, value.field))
      const entry = value.entry ?? !(value.readOnly ?? base.readOnly)
      const result: LineColumn = {
        ...base,
        readOnly: !entry,
        required: entry && (value.required ?? base.required),
        ...(value.label === undefined ? {} : { label: value.label }),
        width: value.width ?? widths[base.type] ?? 140,
        ...(value.total === undefined ? {} : { total: value.total }),
        entry,
        ...(value.lookupWhere === undefined ? {} : { lookupWhere: conditionIn(scope, base.entity ?? lines.entity, value.lookupWhere) }),
        ...(value.fills === undefined ? {} : { fills: value.fills }),
      }
      return withOrigin(result, {
        ...originOf(base), width: 'default', entry: 'default', required: 'default', readOnly: 'default',
        ...Object.fromEntries(Object.keys(value).map((key) => [key === 'field' ? 'name' : key, path])),
      })
    }),
    paste: source.paste ?? true,
    max: source.max ?? 500,
    ...(source.compute === undefined ? {} : { compute: source.compute }),
    ...(source.slot === undefined ? {} : { slot: source.slot }),
  }
}
