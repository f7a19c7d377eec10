import { plainHead } from '#base/plainHead.ts'
import type { ImportSheetSource } from '#generated/language.ts'
import { didYouMean, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'

/** Heads are told apart, names lead somewhere, and every record gets what it cannot be without. */
export function* imports({ sources, resolved }: World): Iterable<Report> {
  const { entities, workflows } = resolved.metadata
  for (const { path, value } of sources.import) {
    for (const [i, sheet] of value.sheets.entries()) {
      const at = ['sheets', i]
      const heads = sheet.columns.map(({ header }) => header)
      const known = sheet.records.map(({ id }) => id)
      const fieldOf = new Map(resolvedColumns(resolved, value.id, sheet.id))
      const seen = new Map<string, string>()
      for (const [j, column] of sheet.columns.entries()) {
        const choices = fieldOf.get(column.header)
        for (const [word, choice] of Object.entries(column.words ?? {})) {
          if (choices !== undefined && !choices.includes(choice)) yield { path, at: [...at, 'columns', j, 'words', word], code: 'unknown-value', message: `the field is never "${choice}"${didYouMean(choice, choices)}` }
        }
        for (const name of [column.header, ...(column.aliases ?? [])]) {
          const plain = plainHead(name)
          const other = seen.get(plain)
          if (other !== undefined && other !== column.header) yield { path, at: [...at, 'columns', j], code: 'duplicate-id', message: `"${name}" is already a head of "${other}"` }
          seen.set(plain, column.header)
        }
        for (const name of [column.field ?? '', ...(column.also ?? [])].filter((field) => field.includes('.'))) {
          const [record = ''] = name.split('.')
          if (!known.includes(record)) yield { path, at: [...at, 'columns', j], code: 'unknown-record', message: `"${record}" is no record of this sheet${didYouMean(record, known)}` }
        }
      }
      for (const [place, name] of columnsNamed(sheet)) {
        if (!heads.includes(name)) yield { path, at: [...at, ...place], code: 'unknown-column', message: `"${name}" is no column of this sheet${didYouMean(name, heads)}` }
      }
      const main = sheet.records[0]?.entity ?? ''
      const actions = (workflows[main]?.transitions ?? []).map(({ action }) => action)
      for (const key of ['action', 'back'] as const) {
        const action = sheet.afterwards?.[key]
        if (action !== undefined && !actions.includes(action)) yield { path, at: [...at, 'afterwards', key], code: 'unknown-transition', message: `"${action}" is no transition${didYouMean(action, actions)}` }
      }
      for (const [j, record] of sheet.records.entries()) {
        const entity = entities[record.entity]
        if (entity === undefined) continue
        const names = entity.fields.map(({ name }) => name)
        for (const [k, name] of (record.today ?? []).entries()) {
          if (!names.includes(name)) yield { path, at: [...at, 'records', j, 'today', k], code: 'unknown-field', message: `${entity.id} has no field "${name}"${didYouMean(name, names)}` }
        }
        const filled = new Set([
          ...Object.keys(record.set ?? {}),
          ...(record.today ?? []),
          ...sheet.columns.flatMap(({ field, also = [] }) => [field ?? '', ...also]).flatMap((name) => (j === 0 && !name.includes('.') ? [name] : name.startsWith(`${record.id}.`) ? [name.slice(record.id.length + 1)] : [])),
        ])
        for (const field of entity.fields) {
          const isGiven = filled.has(field.name) || field.readOnly || !field.required || field.default !== undefined || field.entity === main
          if (!isGiven && entity.base === 'master') yield { path, at: [...at, 'records', j], code: 'missing-column', message: `no column fills "${field.name}", without which there is no ${entity.id}` }
        }
      }
    }
  }
}

/** Where a sheet names columns of its own, and which. */
function columnsNamed({ group = [], together = [], updateColumn, afterwards, existing, given }: ImportSheetSource): readonly (readonly [at: readonly (string | number)[], name: string])[] {
  const one = (at: readonly string[], name: string | undefined): readonly (readonly [readonly string[], string])[] => (name === undefined ? [] : [[at, name]])
  return [
    ...group.map((name, i) => [['group', i], name] as const),
    ...together.map((name, i) => [['together', i], name] as const),
    ...one(['updateColumn'], updateColumn), ...one(['afterwards', 'column'], afterwards?.column), ...one(['given'], given), ...one(['existing', 'column'], existing?.column),
    ...(existing?.spares ?? []).map((name, i) => [['existing', 'spares', i], name] as const),
  ]
}

/** Choices of the fields behind the columns, by head. */
function resolvedColumns(resolved: World['resolved'], screenId: string, sheetId: string): readonly (readonly [string, readonly string[]])[] {
  const screen = resolved.metadata.screens[screenId]
  const sheet = screen?.kind === 'import' ? screen.sheets.find(({ id }) => id === sheetId) : undefined
  return (sheet?.columns ?? []).map(({ name, choices = [] }) => [name, choices.map(({ value }) => String(value))])
}
