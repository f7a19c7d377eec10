import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { header } from './names.ts'
import { hashOf, writeIfChanged } from './output.ts'
import type { SchemaFile } from './readSources.ts'

/** Writes `language.ts`: the types of the source files, from the meta-schemas. Skipped while those have not changed. */
export async function writeLanguage(target: string, files: readonly SchemaFile[]): Promise<void> {
  const meta = files.filter((file) => file.path.startsWith('schemas/meta/') && file.path.endsWith('.schema.json'))
  const stamp = `// ${hashOf('3', ...meta.flatMap((file) => [file.path, file.text]))}\n`
  if (existsSync(target) && readFileSync(target, 'utf8').includes(stamp)) return
  const { compile } = await import('json-schema-to-typescript')
  const text = await compile(bundled(meta), 'AnySource', {
    bannerComment: '', format: false, additionalProperties: false, unreachableDefinitions: false, ignoreMinAndMaxItems: true,
  })
  writeIfChanged(target, `${header}${stamp}\n${text}`)
}

/** All meta-schemas as one, so that what they share is written once. What stands beside a `$ref` would make a type of its own: left out. */
function bundled(files: readonly SchemaFile[]): Record<string, unknown> {
  const definitions: Record<string, unknown> = {}
  const kinds: string[] = []
  for (const file of files) {
    const schema: Record<string, unknown> = JSON.parse(file.text, (_, value: unknown) =>
      isReference(value) ? { $ref: value.$ref.replace(/^common\.schema\.json/, '') } : value,
    )
    if (path.basename(file.path) === 'common.schema.json') Object.assign(definitions, schema['definitions'])
    else {
      const kind = path.basename(file.path, '.schema.json')
      definitions[kind] = { ...schema, $schema: undefined }
      kinds.push(kind)
    }
  }
  return { title: 'AnySource', anyOf: kinds.map((kind) => ({ $ref: `#/definitions/${kind}` })), definitions }
}

function isReference(value: unknown): value is { readonly $ref: string } {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string'
}
