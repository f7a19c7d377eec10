import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { disturbing, inspectWorld, shapeFindings, variantFile } from '../../src/meta/check/check.ts'
import type { Finding } from '../../src/meta/check/finding.ts'
import { locate, type LocatedFile } from '../../src/meta/check/locate.ts'
import { isServed } from '../../src/meta/check/routes.ts'
import type { MetaSchema } from '../../src/meta/check/shape.ts'
import { usesOf } from '../../src/meta/check/uses.ts'
import { resolve } from '../../src/meta/resolve.ts'
import { variantPath, variantsOf } from '../../src/meta/variants.ts'
import { kindOfFile, root, type SchemaFile, sourcesOf } from './readSources.ts'

/** What the check looks at besides the schema files. */
export interface CheckContext {
  readonly specificationPaths: readonly string[]
  readonly keysInCode: ReadonlySet<string>
  readonly implemented: Readonly<Record<string, ReadonlySet<string>>>
  readonly slotBudget: number
}

export interface CheckResult {
  readonly findings: readonly Finding[]
  readonly files: number
  readonly served: number
  readonly total: number
  readonly slots: number
  readonly slotBudget: number
}

/** Every JSON file with its places, what its syntax and shape lack, and the paths of files too broken to be read on. */
export interface Shapes {
  readonly located: ReadonlyMap<string, LocatedFile>
  readonly metaSchemas: Readonly<Record<string, MetaSchema>>
  readonly findings: readonly Finding[]
  readonly broken: ReadonlySet<string>
}

/** Holds every file against the meta-schema of its kind. */
export function shapesOf(files: readonly SchemaFile[]): Shapes {
  const located = new Map(files.filter((file) => file.path.endsWith('.json')).map((file) => [file.path, locate(file.path, file.text)]))
  const metaSchemas = Object.fromEntries(
    files.filter((file) => file.path.startsWith('schemas/meta/')).map((file): [string, MetaSchema] => [path.basename(file.path, '.schema.json'), JSON.parse(file.text)]),
  )
  const common = metaSchemas['common'] ?? {}
  const findings: Finding[] = []
  const broken = new Set<string>()
  for (const file of located.values()) {
    const schema = metaSchemas[schemaNameOf(file.path) ?? '']
    const own = [...file.syntax, ...(schema === undefined ? [] : shapeFindings(file, schema, common))]
    findings.push(...own, ...(schema === undefined ? strayFile(file.path) : []))
    if (own.some(({ code }) => disturbing.has(code))) broken.add(file.path)
  }
  return { located, metaSchemas, findings, broken }
}

/** Checks a set of schema files against their meta-schemas, one another, the specification and the catalogues. */
export function checkSchemas(files: readonly SchemaFile[], context: CheckContext): CheckResult {
  const { located, metaSchemas, broken, findings: shapes } = shapesOf(files)
  const findings = [...shapes]
  const { sources } = sourcesOf(files.filter((file) => !broken.has(file.path)))
  const catalogue = (language: string): Record<string, string> => Object.fromEntries(Object.entries(located.get(`schemas/messages/${language}.json`)?.value ?? {}).map(([key, text]) => [key, String(text)]))
  const uses = usesOf(sources)
  const inspected = inspectWorld({
    files: new Map([...located.entries()].flatMap(([name, file]) => variantsOf(file.value).map((screen) => [variantPath(name, screen.name), screen.name === undefined ? file : variantFile(file, screen.name)] as const))),
    sources,
    uses,
    resolved: resolve(sources),
    metaSchemas,
    kindOf: kindOfFile,
    catalogues: { en: catalogue('en'), cn: catalogue('cn'), id: catalogue('id') },
    ...context,
  })
  // Names whose only fault is that their own file is broken would be findings without a cause of their own.
  const lost = new Set([...broken].flatMap((file) => namesIn(located.get(file)?.value)))
  findings.push(...inspected.filter(({ message, code }) => !(code.startsWith('unknown-') && [...lost].some((name) => message.startsWith(`"${name}"`)))))
  return {
    findings: findings.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column)),
    files: located.size,
    served: sources.routes.filter(isServed).length,
    total: context.specificationPaths.length,
    slots: uses.slots.length,
    slotBudget: context.slotBudget,
  }
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

function schemaNameOf(file: string): string | undefined {
  if (file === 'schemas/routes.json') return 'routes'
  if (file === 'schemas/menu.json') return 'menu'
  return kindOfFile(file)
}

function strayFile(file: string): readonly Finding[] {
  if (file.startsWith('schemas/meta/') || file.startsWith('schemas/messages/')) return []
  return [{ path: file, line: 1, column: 1, severity: 'error', code: 'unknown-kind', message: 'the file name names no kind; it should end in .<kind>.json' }]
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return 'id' in value && typeof value.id === 'string' ? [value.id] : []
}

const registries = ['src/server/workflow/effects.ts', 'src/server/workflow/preconditions.ts', 'src/server/commands/commands.ts', 'src/client/slots/slots.ts', 'src/client/app/pages.ts']

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
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue
      const text = readFileSync(path.join(root, folder, name), 'utf8')
      for (const match of text.matchAll(/['"`]([a-z]+(?:\.[A-Za-z0-9_-]+)+)['"`]/g)) keys.add(match[1] ?? '')
      for (const match of text.matchAll(/`((?:[a-z]+\.)+)\$\{/g)) keys.add(match[1] ?? '')
    }
  }
  return keys
}
