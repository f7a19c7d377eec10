import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import type { CheckContext } from '../../src/meta/check/checkFiles.ts'
import { root, type SchemaFile } from './readSources.ts'

export { type CheckContext, checkSchemas, shapesOf, type Shapes } from '../../src/meta/check/checkFiles.ts'

/** The migrations of the database, in their order. */
export function readMigrationFiles(base = root): readonly SchemaFile[] {
  const folder = 'src/server/db/migrations'
  if (!existsSync(path.join(base, folder))) return []
  const names = readdirSync(path.join(base, folder)).filter((name) => name.endsWith('.sql')).sort()
  return names.map((name) => ({ path: `${folder}/${name}`, text: readFileSync(path.join(base, folder, name), 'utf8') }))
}

/** The repository as it is: specification paths, message keys in the code, slot budget. */
export function contextOfRepository(): CheckContext {
  const manifest: { arus?: { slotBudget?: number } } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  return {
    specificationPaths: JSON.parse(readFileSync(path.join(root, 'tests/specification-routes.json'), 'utf8')),
    keysInCode: keysInCode(),
    implemented: implementedNames(),
    slotBudget: manifest.arus?.slotBudget ?? 0,
  }
}

const registries = ['src/server/workflow/effects.ts', 'src/server/workflow/preconditions.ts', 'src/server/workflow/reasons.ts', 'src/server/commands/commands.ts', 'src/client/slots/slots.ts', 'src/client/app/pages.ts', 'src/client/print/layouts.ts']

/** Keys of the registries, read from their text: `{ … } satisfies Record<EffectName, Effect>`. */
function implementedNames(): Readonly<Record<string, ReadonlySet<string>>> {
  const names: Record<string, ReadonlySet<string>> = {}
  for (const file of registries) {
    if (!existsSync(path.join(root, file))) continue
    for (const match of readFileSync(path.join(root, file), 'utf8').matchAll(/= \{\n((?:  .*\n|\n)*)\} satisfies Record<(\w+Name),/g)) {
      names[match[2] ?? ''] = new Set([...(match[1] ?? '').matchAll(/^ {2}(?:'([^']+)'|(\w+))\s*[:,(]/gm)].map((key) => key[1] ?? key[2] ?? ''))
    }
  }
  return names
}

/** Texts in our own code that look like message keys; `action.${name}` gives the prefix `action.`. */
function keysInCode(): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const folder of ['src/client', 'src/server', 'src/api', 'src/domain']) {
    if (!existsSync(path.join(root, folder))) continue
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue
      for (const key of keysOfFile(path.join(entry.parentPath, entry.name))) keys.add(key)
    }
  }
  return keys
}

/** Keys of code files as they were read last. */
const read = new Map<string, { readonly stamp: string; readonly keys: readonly string[] }>()

function keysOfFile(file: string): readonly string[] {
  // One that went between being listed and being read (an editor's own) holds nothing.
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return []
  const { mtimeMs, size } = stat
  const stamp = `${mtimeMs} ${size}`
  const known = read.get(file)
  if (known?.stamp === stamp) return known.keys
  const text = readFileSync(file, 'utf8')
  const found = [...text.matchAll(/['"`]([a-z]+(?:\.[A-Za-z0-9_-]+)+)['"`]/g), ...text.matchAll(/`((?:[a-z]+\.)+)\$\{/g)]
  const keys = [...new Set(found.map((match) => match[1] ?? ''))]
  read.set(file, { stamp, keys })
  return keys
}
