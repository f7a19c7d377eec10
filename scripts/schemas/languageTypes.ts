import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { header } from './names.ts'
import { hashOf, writeIfChanged } from './output.ts'
import { root, type SchemaFile } from './readSources.ts'

/** Writes `language.ts`: the types of the source files, from the meta-schemas. Skipped while those have not changed. */
export async function writeLanguage(target: string, files: readonly SchemaFile[]): Promise<void> {
  const meta = files.filter((file) => file.path.startsWith('schemas/meta/') && file.path.endsWith('.schema.json'))
  const stamp = `// ${hashOf('2', ...meta.flatMap((file) => [file.path, file.text]))}\n`
  if (existsSync(target) && readFileSync(target, 'utf8').includes(stamp)) return
  const { compile } = await import('json-schema-to-typescript')
  const kinds = meta.filter((file) => !file.path.endsWith('/common.schema.json'))
  // One root that names them all, so that what they share is written once.
  const all = {
    title: 'AnySource',
    anyOf: kinds.map((file) => ({ $ref: `./${path.basename(file.path)}` })),
  }
  const text = await compile(all, 'AnySource', {
    cwd: path.join(root, 'schemas/meta'), bannerComment: '', format: false, additionalProperties: false, declareExternallyReferenced: true, unreachableDefinitions: false,
  })
  writeIfChanged(target, `${header}${stamp}\n${text}`)
}
