import fs from 'node:fs'
import path from 'node:path'
import type { SchemaFile } from '#meta/schemaFiles.ts'

/** Every schema file below a folder, sorted by path; the paths are relative to `base`, with `/`. */
export function readSchemaFolder(folder: string, base: string): readonly SchemaFile[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|sql)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: path.relative(base, file).split(path.sep).join('/'), text: fs.readFileSync(file, 'utf8') }))
}
