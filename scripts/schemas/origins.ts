import { type LocatedFile, locate } from '../../src/meta/check/locate.ts'
import type { Metadata } from '../../src/meta/metadata.ts'
import { filePath, writtenAt } from '../../src/meta/variants.ts'
import type { Sources } from '../../src/meta/sources.ts'
import type { SchemaFile } from './readSources.ts'

/** A value as it is written: the file, and the keys that lead to it there. */
export interface Written {
  readonly file: string
  readonly at: readonly (string | number)[]
  readonly value: unknown
}

/** Where things stand in the schema files. */
export interface Places {
  /** `path:line` of what is written. */
  readonly line: (written: Pick<Written, 'file' | 'at'>) => string
  /** What a file declares of a field under a key of its flat shape; undefined where it says nothing of it. */
  readonly declared: (file: string, field: string, key: string) => Written | undefined
  /** The rule or the named condition of an entity that a flat value was made of. */
  readonly madeOf: (value: object) => Written | undefined
  /** The rules of an entity, each with its place. */
  readonly rules: (entity: string) => readonly Written[]
}

/** Parts of a file that declare fields by their names. */
const parts = ['fields', 'dimensions', 'measures', 'parameters']
/** Keys that the flat shape calls otherwise. */
const writtenAs: Readonly<Record<string, string>> = { choices: 'values', choicesBy: 'valuesBy', patternText: 'pattern' }

export function placesOf(files: readonly SchemaFile[], sources: Sources, { entities }: Pick<Metadata, 'entities'>): Places {
  const texts = new Map(files.map((file) => [file.path, file.text]))
  const read = new Map<string, LocatedFile>()
  const fileAt = (path: string): LocatedFile | undefined => {
    const text = texts.get(path)
    if (text === undefined || !path.endsWith('.json')) return undefined
    const file = read.get(path) ?? locate(path, text)
    read.set(path, file)
    return file
  }
  const written = (file: string, at: readonly (string | number)[]): Written | undefined => {
    const value = at.reduce((around: unknown, key) => partOf(around, String(key)), fileAt(filePath(file))?.value)
    return value === undefined ? undefined : { file, at, value }
  }
  const made = new Map<string, Written>()
  for (const { path, value } of sources.entity) {
    const entity = entities[value.id]
    for (const [name, condition] of Object.entries(entity?.conditions ?? {})) {
      const found = written(path, ['conditions', name])
      if (found !== undefined) made.set(JSON.stringify(condition), found)
    }
    for (const [i, rule] of (entity?.rules ?? []).entries()) {
      const found = written(path, ['rules', i])
      if (found !== undefined) made.set(rule.label, found)
    }
  }
  return {
    line: ({ file, at }) => {
      const [path, variant] = [filePath(file), file.split('#')[1]]
      const found = fileAt(path)
      return `${path}:${found?.position(variant === undefined ? at : writtenAt(found.value, variant, at), true).line ?? 1}`
    },
    declared: (file, field, key) => parts.flatMap((part) => written(file, [part, field, writtenAs[key] ?? key]) ?? written(file, [part, field]) ?? [])[0],
    madeOf: (value) => made.get('label' in value && typeof value.label === 'string' && 'must' in value ? value.label : JSON.stringify(value)),
    rules: (id) => sources.entity.flatMap(({ path, value }) => (value.id === id ? (value.rules ?? []).flatMap((_, i) => written(path, ['rules', i]) ?? []) : [])),
  }
}

export function partOf(source: unknown, name: string): unknown {
  if (typeof source !== 'object' || source === null) return undefined
  return Object.hasOwn(source, name) ? (source as Record<string, unknown>)[name] : undefined
}
