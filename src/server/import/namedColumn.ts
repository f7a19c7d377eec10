import type { NamedColumn } from '#domain/importing/mapping.ts'
import type { ImportColumn } from '#meta/resolved.ts'
import { labelsOf, languages, textsOf } from '#server/texts.ts'

/** An exported reference has two columns, its name and its code: the code is the one meant, the label alone only where no code stands. */
export function namedColumnOf(column: ImportColumn): NamedColumn {
  const labels = labelsOf(column.label)
  if (column.entity === undefined) return { name: column.name, names: [...column.aliases, ...labels], labels }
  return { name: column.name, names: [...column.aliases, ...languages.map((language, i) => textsOf(language)('export.code', { label: labels[i] ?? '' }))], otherwise: labels }
}
