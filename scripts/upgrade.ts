import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { upgraded } from './codemods/codemods.ts'
import { commandLine } from './lib/commandLine.ts'
import { kindOfFile, readSchemaFiles, root } from './schemas/readSources.ts'

/** `npm run upgrade`: brings schema files of older versions up to date, all of them or those whose path contains a word given. `-- --dry` only names them. */
const { values, positionals: wanted } = commandLine({ allowPositionals: true, options: { dry: { type: 'boolean' } } }, 'npm run upgrade -- [part of a path …] [--dry]')
let count = 0
for (const { path: file, text } of readSchemaFiles()) {
  const kind = file.startsWith('schemas/meta/') ? undefined : kindOfFile(file)
  if (kind === undefined || (wanted.length > 0 && !wanted.some((part) => file.includes(part)))) continue
  const meta: { readonly version?: number } = JSON.parse(readFileSync(path.join(root, `schemas/meta/${kind}.schema.json`), 'utf8'))
  const result = upgraded(kind, text, meta.version ?? 1)
  if (result.versions.length === 0) continue
  count++
  if (values.dry !== true) writeFileSync(path.join(root, file), result.text)
  console.log(`${file}  ${kind} version ${result.versions.join(', ')}`)
}
console.log(count === 0 ? 'Every file is up to date.' : values.dry === true ? `${count} files would change.` : `${count} files changed. Now npm run check.`)
