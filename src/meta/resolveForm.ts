import type { CopySource, FormFieldSource, FormLinesSource, FormSource, LineColumnSource, SectionSource, SectionTicksSource, SideEffectSource } from '#generated/language.ts'
import { referenceNames, wireName } from '#base/wireName.ts'
import { derivingName } from '#meta/derivingName.ts'
import { expandFields, type Placed } from '#meta/fragments.ts'
import { originOf, withOrigin } from '#meta/origins.ts'
import { shown } from '#meta/resolveColumn.ts'
import type { Choice, EntityLines, Field, FieldType, FormCopy, FormField, FormLines, FormScreen, FormSection, FormTicks, LineAdjustment, LineColumn, LineOrigin, ResolvedEntity, SideEffect } from '#meta/resolved.ts'
import type { Condition } from '#meta/condition.ts'
import { conditionIn, entityOf, fieldIn, linesOf, type Scope } from '#meta/scope.ts'
import { SourceError, type Source } from '#meta/sources.ts'

export function resolveForm(scope: Scope, { path, value: form }: Source<FormSource>): FormScreen {
  const entity = entityOf(scope, form.entity)
  return {
    kind: 'form',
    id: form.id,
    title: scope.labels.pick(form.title ?? `screen.${form.id}`),
    guard: form.guard ?? `${entity.resource}-edit`,
    entity: entity.id,
    resource: entity.resource,
    sections: form.sections.map((section) => resolveSection(scope, entity, form.id, section, path)),
    ...(form.lines === undefined ? {} : { lines: resolveLines(scope, entity, form.lines, path) }),
    totals: (form.totals ?? []).map((name) => shown(fieldIn(scope, entity.id, name))),
    ...(form.steps === undefined ? {} : { steps: form.steps }),
    ...(form.trial === undefined ? {} : { trial: scope.labels.pick(form.trial) }),
    transitions: form.transitions ?? [],
    ...(entity.base === 'document' || entity.base === 'master' ? { notes: 'all' as const } : entity.base === 'plain' ? { notes: 'history' as const } : {}),
    defaults: form.defaults ?? {},
    ...(form.sideEffects === undefined ? {} : { sideEffects: form.sideEffects.map((effect) => resolveSideEffect(scope, entity.id, effect)) }),
    ...(form.copy === undefined ? {} : { copy: resolveCopy(scope, entity, form.copy) }),
    ...editingOf(scope, entity),
    ...(form.closed === undefined ? {} : { closed: form.closed }),
    ...(form.after === undefined ? {} : { after: form.after }),
  }
}

function editingOf({ workflows }: Scope, { id }: ResolvedEntity): Pick<FormScreen, 'editing'> {
  const editing = workflows[id]?.editing
  return editing === undefined ? {} : { editing: editing.map(({ fields, ...when }) => ({ ...when, ...(fields === undefined ? {} : { fields: fields.map(wireName) }) })) }
}

function resolveSection(scope: Scope, entity: ResolvedEntity, form: string, section: SectionSource, path: string): FormSection {
  return {
    id: section.id,
    title: scope.labels.pick(`section.${form}.${section.id}`, `section.${section.id}`),
    ...(section.tab === undefined ? {} : { tab: section.tab, tabTitle: scope.labels.pick(`tab.${form}.${section.tab}`, `tab.${section.tab}`) }),
    ...(section.when === undefined ? {} : { when: conditionIn(scope, entity.id, section.when) }),
    fields: expandFields(scope, section.fields ?? [], path).map((placed) => resolveFormField(scope, entity, placed)),
    ...(section.lines === undefined ? {} : { lines: resolveLines(scope, entity, section.lines, path) }),
    ...(section.ticks === undefined ? {} : { ticks: resolveTicks(scope, section.ticks) }),
    ...(section.files === undefined ? {} : { files: true as const }),
    ...(section.slot === undefined ? {} : { slot: section.slot }),
    ...(section.beside === undefined ? {} : { beside: section.beside }),
  }
}

/** `operating_unit_id.default_warehouse_id`: the field that is asked, what it points to, and the column there. */
function preferredIn(scope: Scope, entity: ResolvedEntity, path: string | undefined): Pick<FormField, 'prefers'> {
  const [from, column] = path?.split('.') ?? []
  if (from === undefined || column === undefined) return {}
  const { wire, entity: of } = fieldIn(scope, entity.id, from)
  return of === undefined ? {} : { prefers: { wire, entity: of, column } }
}

const wide: readonly FieldType[] = ['longtext', 'json']

function resolveFormField(scope: Scope, entity: ResolvedEntity, { value, origin }: Placed<FormFieldSource>): FormField {
  const base = shown(fieldIn(scope, entity.id, value.field))
  const readOnly = value.readOnly ?? (base.readOnly || value.compute !== undefined)
  const field: FormField = {
    ...base,
    readOnly,
    required: !readOnly && (value.required ?? base.required),
    ...(value.label === undefined ? {} : { label: value.label }),
    ...(value.when === undefined ? {} : { when: conditionIn(scope, entity.id, value.when) }),
    ...(value.requiredWhen === undefined ? {} : { requiredWhen: conditionIn(scope, entity.id, value.requiredWhen) }),
    onHide: value.onHide ?? 'clear',
    span: value.span ?? (value.widget === 'cards' ? 4 : wide.includes(base.type) || value.widget === 'textarea' ? 2 : 1),
    // Restricts another entity: its conditions are not those of the form.
    ...(value.lookupWhere === undefined ? {} : { lookupWhere: conditionIn(scope, base.entity ?? entity.id, value.lookupWhere) }),
    ...(value.fills === undefined ? {} : { fills: value.fills }),
    ...preferredIn(scope, entity, value.prefers),
    ...createIn(scope, base, value.create),
    ...(value.widget === undefined ? {} : { widget: value.widget }),
    ...(value.records === undefined ? {} : { widget: 'record' as const, records: { by: fieldIn(scope, entity.id, value.records.by).wire, of: value.records.of } }),
    ...(value.choices === undefined ? {} : { choices: chosen(base, value.choices) }),
    ...(value.widget === 'cards' && base.choices !== undefined ? { choices: base.choices.map((choice): Choice => ({ ...choice, hint: scope.labels.pick(`hint.${choice.label}`) })) } : {}),
    ...(value.unit === undefined ? {} : { unit: fieldIn(scope, entity.id, value.unit).wire }),
    ...(value.compute === undefined ? {} : { compute: value.compute }),
    ...(readOnly ? {} : allowedDays(entity, base)),
    ...(entity.base === 'master' && !readOnly && entity.fields.some(({ name, approval }) => name === base.name && approval === true) ? { approval: true as const } : {}),
  }
  return withOrigin(field, () => ({
    ...originOf(base),
    onHide: 'default', span: 'default',
    ...Object.fromEntries(Object.keys(value).map((key) => [key === 'field' ? 'name' : key, origin])),
  }))
}

/** What the rules of an entity ask of one of its days: not before another one, not after today. */
function allowedDays({ rules = [] }: ResolvedEntity, { name, type }: Field, header?: string): Pick<FormField, 'allows'> {
  const allows = rules.flatMap((rule) => ('must' in rule && rule.field === name ? [{ must: header === undefined ? rule.must : besideHeader(rule.must, header), label: rule.label }] : []))
  return type !== 'date' || allows.length === 0 ? {} : { allows }
}

/** What a line is held against in its header (`price_change_id.effective_from`) is a field of the form it stands in. */
function besideHeader(must: Condition, header: string): Condition {
  return JSON.parse(JSON.stringify(must), (key, value: unknown) => (key === 'field' && typeof value === 'string' && value.startsWith(`${header}.`) ? value.slice(header.length + 1) : value)) as Condition
}

/** The choices of a field that a form offers, in the form's order. */
function chosen(field: Field, wanted: readonly string[]): readonly Choice[] {
  return wanted.map((name) => {
    const found = field.choices?.find(({ value }) => value === name)
    if (found === undefined) throw new SourceError(`"${name}" is no choice of ${field.name}`)
    return found
  })
}

const widths: Partial<Readonly<Record<FieldType, number>>> = {
  ref: 260, quantity: 90, money: 130, price: 120, percent: 80, rate: 100, cost: 120, integer: 80, date: 115, boolean: 60, code: 120, enum: 120, longtext: 240,
}

function resolveLines(scope: Scope, header: ResolvedEntity, source: FormLinesSource, path: string): FormLines {
  const lines = linesOf(header, source.name)
  const columns = source.columns.map((column) => resolveLineColumn(scope, lines, typeof column === 'string' ? { field: column } : column, path))
  return {
    name: lines.name,
    wire: lines.wire,
    entity: lines.entity,
    columns,
    ...(columns.some(({ file }) => file !== undefined) ? { files: entityOf(scope, lines.entity).resource } : {}),
    ...(source.trace === undefined ? {} : { trace: fieldIn(scope, lines.entity, source.trace).wire }),
    ...(source.adjust === undefined ? {} : { adjust: adjustmentOf(scope, lines.entity, source.adjust) }),
    ...(source.origin === undefined ? {} : { origin: originIn(scope, lines.entity, source.origin) }),
    ...addsOf(scope, header, lines.name, columns),
    ...(source.propose === true ? { propose: true as const } : {}),
    ...pickIn(scope, lines.entity, source),
    ...(source.suggests === undefined ? {} : { suggests: suggestsIn(scope, header.id, source, columns) }),
    paste: source.paste ?? true,
    ...(source.file === undefined ? {} : { file: source.file }),
    max: source.max ?? 500,
    ...computeOf(header, source),
    ...(source.slot === undefined ? {} : { slot: source.slot }),
  }
}

function pickIn(scope: Scope, lines: string, { pick, derive, compute }: FormLinesSource): Pick<FormLines, 'pick'> {
  if (pick === undefined) return {}
  if ((derive !== true && compute === undefined) || entityOf(scope, lines).candidates === undefined) throw new SourceError('`pick` goes with `derive` or `compute`, of lines whose entity has `candidates`')
  return { pick }
}

/** The command asked while one types: one's own, or the one that works out what the entity derives. */
function computeOf(header: ResolvedEntity, { compute, derive }: FormLinesSource): Pick<FormLines, 'compute' | 'derives'> {
  if (compute !== undefined && derive === true) throw new SourceError('`derive` stands in place of `compute`')
  const derives = header.fields.filter(({ name, type }) => type !== 'ref' && header.derive?.[name] !== undefined).map(({ wire }) => wire)
  return derive === true ? { compute: derivingName(header), derives } : compute === undefined ? {} : { compute }
}

/** What is filled in stands where it can be seen and changed: in a column that is typed into. */
function suggestsIn(scope: Scope, header: string, { suggests = {}, compute, derive }: FormLinesSource, columns: readonly LineColumn[]): NonNullable<FormLines['suggests']> {
  if (compute === undefined && derive !== true) throw new SourceError('Nothing answers with values to fill in: `suggests` goes with `compute`')
  return {
    fields: (suggests.fields ?? []).map((name) => fieldIn(scope, header, name).wire),
    columns: (suggests.columns ?? []).map((name) => {
      const column = columns.find((one) => one.name === name)
      if (column?.entry !== true) throw new SourceError(`"${name}" is no column that is typed into`)
      return column.wire
    }),
  }
}

/** Rules over the lines whose sum stands in a column with a total. */
function addsOf(scope: Scope, header: ResolvedEntity, name: string, columns: readonly LineColumn[]): Pick<FormLines, 'adds'> {
  const adds = (header.rules ?? []).flatMap((rule) => {
    if (!('lines' in rule) || rule.lines !== name) return []
    const column = columns.find((one) => one.name === rule.sum && one.total !== undefined)
    return column === undefined ? [] : [{ wire: column.wire, to: /^\d/.test(rule.equals) ? rule.equals : fieldIn(scope, header.id, rule.equals).wire }]
  })
  return adds.length === 0 ? {} : { adds }
}

function originIn(scope: Scope, entity: string, { by, of }: NonNullable<FormLinesSource['origin']>): LineOrigin {
  const pairs = Object.entries(of).map(([name, keeper]) => [fieldIn(scope, entity, name), fieldIn(scope, entity, keeper)] as const)
  const mark = pairs.find(([, keeper]) => keeper.type === 'ref')?.[1]
  if (mark === undefined) throw new SourceError('Lines are marked with a reference; none of these columns is one')
  const keys = (field: Field): readonly string[] => (field.type === 'ref' ? [field.wire, ...Object.values(referenceNames(field.name))] : [field.wire])
  const from = pairs.flatMap(([field, keeper]) => keys(field).map((key, i) => [key, keys(keeper)[i] ?? keeper.wire] as const))
  return { by: fieldIn(scope, entity, by).wire, from: Object.fromEntries(from), mark: { ...referenceNames(mark.name), label: mark.label } }
}

function adjustmentOf(scope: Scope, entity: string, { field, of = field, by = 'percent', when }: NonNullable<FormLinesSource['adjust']>): LineAdjustment {
  return { field: fieldIn(scope, entity, field).wire, of: fieldIn(scope, entity, of).wire, by, ...(when === undefined ? {} : { when: conditionIn(scope, entity, when) }) }
}

function resolveLineColumn(scope: Scope, { entity, column: header }: EntityLines, value: LineColumnSource, path: string): LineColumn {
  const base = shown(fieldIn(scope, entity, value.field))
  const entry = value.entry ?? !(value.readOnly ?? (base.readOnly || value.compute !== undefined))
  const result: LineColumn = {
    ...base,
    readOnly: !entry,
    required: entry && (value.required ?? base.required),
    ...(value.label === undefined ? {} : { label: value.label }),
    width: value.width ?? widths[base.type] ?? 140,
    ...(value.total === undefined ? {} : { total: value.total }),
    entry,
    ...createIn(scope, base, value.create),
    ...(value.lookupWhere === undefined ? {} : { lookupWhere: conditionIn(scope, base.entity ?? entity, value.lookupWhere) }),
    ...(value.fills === undefined ? {} : { fills: value.fills }),
    ...(value.compute === undefined ? {} : { compute: value.compute }),
    ...(entry ? allowedDays(entityOf(scope, entity), base, header) : {}),
  }
  return withOrigin(result, () => ({
    ...originOf(base), width: 'default', entry: 'default', required: 'default', readOnly: 'default',
    ...Object.fromEntries(Object.keys(value).map((key) => [key === 'field' ? 'name' : key, path])),
  }))
}

/** The form that makes a record missing from a lookup, and what it takes to be offered it. */
function createIn(scope: Scope, { entity = '' }: Field, screen: string | undefined): Pick<FormField, 'create'> {
  return screen === undefined ? {} : { create: { screen, guard: `${entityOf(scope, entity).resource}-create` } }
}

function resolveTicks(scope: Scope, source: SectionTicksSource): FormTicks {
  const entity = entityOf(scope, source.entity)
  const field = (name: string) => shown(fieldIn(scope, entity.id, name))
  return {
    look: source.look,
    wire: source.name,
    entity: entity.id,
    resource: entity.resource,
    value: field(source.value ?? 'id'),
    code: field(entity.display[0]),
    label: field(source.text ?? entity.display[1]),
    sort: source.sort ?? entity.display[0],
    ...(source.group === undefined ? {} : { group: field(source.group) }),
    ...(source.parent === undefined ? {} : { parent: field(source.parent) }),
    ...(source.where === undefined ? {} : { where: conditionIn(scope, entity.id, source.where) }),
  }
}

function resolveSideEffect(scope: Scope, entity: string, { on, when, set, keep }: SideEffectSource): SideEffect {
  return { on, ...(when === undefined ? {} : { when: conditionIn(scope, entity, when) }), set, keep: keep ?? false }
}

function resolveCopy(scope: Scope, entity: ResolvedEntity, { fields, lines = {}, path }: CopySource): FormCopy {
  return {
    fields: fields.map((name) => fieldIn(scope, entity.id, name).name),
    lines: Object.fromEntries(
      Object.entries(lines).map(([name, columns]) => {
        const of = linesOf(entity, name)
        return [of.wire, columns.map((column) => fieldIn(scope, of.entity, column).name)]
      }),
    ),
    path,
  }
}
