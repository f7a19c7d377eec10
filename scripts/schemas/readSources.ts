import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import type { SchemaFile } from '../../src/meta/schemaFiles.ts'
import { readSchemaFolder } from '../../src/server/studio/readSchemaFolder.ts'

export { kindOfFile, type SchemaFile, sourcesOf } from '../../src/meta/schemaFiles.ts'

/** Repository root. */
export const root = path.resolve(import.meta.dirname, '../..')

/** Every file below `schemas/`, sorted by path. */
export function readSchemaFiles(folder = path.join(root, 'schemas'), base = root): readonly SchemaFile[] {
  return readSchemaFolder(folder, base)
}

/** `{ "version": 2 }` for a kind whose format has changed since its first version, else nothing: what a new file of it says. */
export function versionIn(base: string, kind: string): { readonly version?: number } {
  const file = path.join(base, `schemas/meta/${kind}.schema.json`)
  const { version = 1 }: { readonly version?: number } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return version === 1 ? {} : { version }
}
