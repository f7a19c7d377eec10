import type { ImportColumnSource, ImportRecordSource, ImportSheetSource, ImportSource } from '#generated/language.ts'
import { wireName } from '#base/wireName.ts'
import type { ImportColumn, ImportRecord, ImportScreen, ImportSheet, ResolvedEntity } from '#meta/resolved.ts'
import { conditionIn, entityOf, fieldIn, type Scope } from '#meta/scope.ts'
import { type Source, SourceError } from '#meta/sources.ts'

/** Rows of one file unless an import says otherwise. */
export const mostImportRows = 1_000_000
/** Files of so many rows are rehearsed unless their import says otherwise: whoever sent one still waits for it. */
export const mostRehearsed = 1_000

type Keys = readonly (string | number)[]

export function resolveImport(scope: Scope, { value: source }: Source<ImportSource>): ImportScreen {
  const [first] = source.sheets
  const main = entityOf(scope, first?.records[0]?.entity ?? '')
  const sheets = source.sheets.map((sheet, i) => resolveSheet(scope, sheet, ['sheets', i]))
  const files = sheets.flatMap(({ records, columns }) => columns.flatMap(({ name, file, targets: [target] }) => (file === undefined || target === undefined || target.record !== records[0]?.id ? [] : [{ resource: main.resource, field: target.field, column: name, types: file.types }])))[0]
  return {
    kind: 'import',
    id: source.id,
    title: scope.labels.pick(`screen.${source.id}`),
    guard: source.guard ?? `${main.resource}-import`,
    mode: source.mode,
    rehearse: source.rehearse === true ? mostImportRows : source.rehearse === false ? 0 : (source.rehearse ?? mostRehearsed),
    ...(source.log === undefined ? {} : { log: source.log }),
    undo: source.undo ?? true,
    most: source.most ?? mostImportRows,
    sheets,
    ...(files === undefined ? {} : { files }),
  }
}

function resolveSheet(scope: Scope, sheet: ImportSheetSource, at: Keys): ImportSheet {
  const records = sheet.records.map((record, i) => resolveRecord(scope, sheet, record, [...at, 'records', i]))
  const columns = sheet.columns.map((column, i) => resolveColumn(scope, sheet, records, column, [...at, 'columns', i]))
  return {
    id: sheet.id,
    title: scope.labels.pick(`import.sheet.${sheet.id}`, `entity.${records[0]?.entity ?? ''}`),
    records,
    columns,
    group: sheet.group ?? [],
    together: sheet.together ?? columns.filter(({ entity }) => entity !== undefined && scope.entities[entity]?.base === 'document').map(({ name }) => name),
    ...(sheet.chain === undefined ? {} : { chain: sheet.chain }),
    ...(sheet.existing === undefined ? {} : { existing: sheet.existing }),
    ...(sheet.given === undefined ? {} : { given: sheet.given }),
    ...(sheet.update === undefined ? {} : { update: updateIn(main(scope, records), sheet.update, [...at, 'update']) }),
    ...(sheet.updateColumn === undefined ? {} : { updateColumn: sheet.updateColumn }),
    ...(sheet.afterwards === undefined ? {} : { afterwards: sheet.afterwards }),
  }
}

function main(scope: Scope, records: readonly ImportRecord[]): ResolvedEntity {
  return entityOf(scope, records[0]?.entity ?? '')
}

function updateIn(entity: ResolvedEntity, names: readonly string[], at: Keys): readonly string[] {
  for (const [i, name] of names.entries()) if (!entity.fields.some((field) => field.name === name)) throw new SourceError(`${entity.id} has no field "${name}"`, [...at, i])
  return names
}

function resolveRecord(scope: Scope, sheet: ImportSheetSource, record: ImportRecordSource, at: Keys): ImportRecord {
  const entity = scope.entities[record.entity]
  if (entity === undefined) throw new SourceError(`Unknown entity "${record.entity}"`, [...at, 'entity'])
  const main = scope.entities[sheet.records[0]?.entity ?? '']
  const base = { id: record.id, entity: record.entity, set: record.set ?? {}, ...(record.today === undefined ? {} : { today: record.today }) }
  if (sheet.records[0] === record || main === undefined) return base
  if (record.lines === true) {
    const lines = main.lines.find((candidate) => candidate.entity === record.entity)
    if (lines === undefined) throw new SourceError(`${main.id} has no lines "${record.entity}"`, [...at, 'entity'])
    return { ...base, lines: lines.wire }
  }
  const named = entity.fields.filter((field) => field.entity === main.id).map(({ name }) => name)
  const owner = named.find((name) => name === entity.owner) ?? named[0]
  if (owner === undefined) throw new SourceError(`${record.entity} has no reference to ${main.id}`, [...at, 'entity'])
  return { ...base, owner }
}

function resolveColumn(scope: Scope, sheet: ImportSheetSource, records: readonly ImportRecord[], column: ImportColumnSource, at: Keys): ImportColumn {
  const targets = [...(column.field === undefined ? [] : [column.field]), ...(column.also ?? [])].map((name) => targetOf(records, name, [...at, 'field']))
  const [target] = targets
  const entity = records.find(({ id }) => id === target?.record)?.entity
  const shared = {
    targets,
    aliases: column.aliases ?? [],
    ...(column.example === undefined ? {} : { example: column.example }),
    ...(column.words === undefined ? {} : { words: Object.fromEntries(Object.entries(column.words).map(([word, choice]) => [word.toUpperCase(), choice])) }),
    ...(column.distinct === undefined ? {} : { distinct: column.distinct }),
  }
  if (target === undefined || entity === undefined) {
    const label = scope.labels.pick(`import.column.${column.header}`)
    // The number of a document is looked up like any reference.
    const kind = sheet.existing?.column === column.header ? ({ type: 'ref', entity: records[0]?.entity ?? '' } as const) : { type: column.type ?? 'code' }
    return { ...shared, ...kind, name: column.header, wire: column.header, label, required: column.required ?? false, readOnly: false }
  }
  const { nullable: _nullable, hidden: _hidden, against: _against, ...field } = fieldIn(scope, entity, target.field)
  const isKey = scope.entities[entity]?.key.some((key) => key.length === 1 && key[0] === target.field) === true
  return {
    ...field,
    ...shared,
    ...(isKey ? { distinct: 'refuse' as const } : {}),
    // A head may say more than the field: `Limit` of an amount.
    label: scope.labels.pick(`import.column.${column.header}`, field.label),
    name: column.header,
    wire: wireName(target.field),
    required: column.required ?? (field.required && field.default === undefined),
    readOnly: false,
    ...(column.requiredWhen === undefined ? {} : { requiredWhen: conditionIn(scope, entity, column.requiredWhen) }),
  }
}

function targetOf(records: readonly ImportRecord[], name: string, at: Keys): { readonly record: string; readonly field: string } {
  const [first = '', second] = name.split('.')
  const record = second === undefined ? records[0] : records.find(({ id }) => id === first)
  if (record === undefined) throw new SourceError(`There is no record "${first}"`, at)
  return { record: record.id, field: second ?? first }
}
