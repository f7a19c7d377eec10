import { disturbing, inspectWorld, shapeFindings, variantFile, versionFindings } from '#meta/check/check.ts'
import type { Finding } from '#meta/check/finding.ts'
import { locate, type LocatedFile } from '#meta/check/locate.ts'
import { migrationFindings } from '#meta/check/migrations.ts'
import { isServed } from '#meta/routePath.ts'
import type { MetaSchema } from '#meta/check/shape.ts'
import { usesOf } from '#meta/check/uses.ts'
import { resolve, ResolveMemory } from '#meta/resolve.ts'
import { kindOfFile, type SchemaFile, sourcesOf } from '#meta/schemaFiles.ts'
import { variantPath, variantsOf } from '#meta/variants.ts'

/** What the check looks at besides the schema files. */
export interface CheckContext {
  readonly specificationPaths: readonly string[]
  readonly keysInCode: ReadonlySet<string>
  readonly implemented: Readonly<Record<string, ReadonlySet<string>>>
  readonly slotBudget: number
  /** The migrations of the database in their order, where they are to be held against the entities. */
  readonly migrations?: readonly SchemaFile[]
}

export interface CheckResult {
  readonly findings: readonly Finding[]
  readonly files: number
  /** Routes of the specification that something serves, and all of them. */
  readonly served: number
  readonly total: number
  /** Served routes the specification does not name. */
  readonly own: number
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
  const located = new Map(files.filter((file) => file.path.endsWith('.json')).map((file) => [file.path, locatedOnce(file)]))
  const metaSchemas = Object.fromEntries(
    files.filter((file) => file.path.startsWith('schemas/meta/')).map((file): [string, MetaSchema] => [metaSchemaName(file.path), JSON.parse(file.text)]),
  )
  const common = metaSchemas['common'] ?? {}
  const findings: Finding[] = []
  const broken = new Set<string>()
  const language = languageOf(files)
  for (const file of located.values()) {
    const known = shapes.get(file)
    const shape = known?.language === language ? known : shapeOf(file, language, metaSchemas[schemaNameOf(file.path) ?? ''], common)
    shapes.set(file, shape)
    findings.push(...shape.findings)
    if (shape.isBroken) broken.add(file.path)
  }
  return { located, metaSchemas, findings, broken }
}

interface Shape {
  /** Stands for the meta-schemas it was held against. */
  readonly language: object
  readonly findings: readonly Finding[]
  readonly isBroken: boolean
}

function shapeOf(file: LocatedFile, language: object, schema: MetaSchema | undefined, common: MetaSchema): Shape {
  const aged = schema === undefined ? [] : versionFindings(file, schema)
  const own = [...file.syntax, ...(aged.length > 0 ? aged : schema === undefined ? [] : shapeFindings(file, schema, common))]
  return { language, findings: [...own, ...(schema === undefined ? strayFile(file.path) : [])], isBroken: own.some(({ code }) => disturbing.has(code)) }
}

/** Files as they were read last, so that a process that checks again and again reads only what has changed. */
const read = new Map<string, LocatedFile>()
const shapes = new WeakMap<LocatedFile, Shape>()
let lastLanguage = { text: '' }
const resolvedLast = new ResolveMemory()
const catalogues = new WeakMap<LocatedFile, Readonly<Record<string, string>>>()

/** The texts of a catalogue file, whatever somebody wrote for one of them. */
function catalogueOnce(file: LocatedFile | undefined): Readonly<Record<string, string>> {
  if (file === undefined) return {}
  const texts = catalogues.get(file) ?? Object.fromEntries(Object.entries(file.value ?? {}).map(([key, text]) => [key, String(text)]))
  catalogues.set(file, texts)
  return texts
}

function locatedOnce(file: SchemaFile): LocatedFile {
  const known = read.get(file.path)
  if (known?.text === file.text) return known
  const located = locate(file.path, file.text)
  if (read.size > 5000) read.clear()
  read.set(file.path, located)
  return located
}

function languageOf(files: readonly SchemaFile[]): object {
  const text = files.filter((file) => file.path.startsWith('schemas/meta/')).map((file) => file.text).join('\0')
  if (lastLanguage.text !== text) lastLanguage = { text }
  return lastLanguage
}

/** What is said when no file uses something: while one is left out, or shows nothing for a mistake in it, nobody knows. */
const unusedByAll: ReadonlySet<string> = new Set(['unused-message', 'unused-fragment', 'unused-dataset'])

/** Checks a set of schema files against their meta-schemas, one another, the specification and the catalogues. */
export function checkSchemas(files: readonly SchemaFile[], context: CheckContext): CheckResult {
  const { located, metaSchemas, broken, findings: shaped } = shapesOf(files)
  const findings = [...shaped]
  const { sources } = sourcesOf(files.filter((file) => !broken.has(file.path)))
  const catalogue = (language: string) => catalogueOnce(located.get(`schemas/messages/${language}.json`))
  const uses = usesOf(sources)
  const resolved = resolve(sources, resolvedLast)
  const inspected = inspectWorld({
    files: new Map([...located.entries()].flatMap(([name, file]) => variantsOf(file.value).map((screen) => [variantPath(name, screen.name), screen.name === undefined ? file : variantFile(file, screen.name)] as const))),
    sources,
    uses,
    resolved,
    metaSchemas,
    catalogues: { en: catalogue('en'), cn: catalogue('cn'), id: catalogue('id') },
    ...context,
  })
  const isPartial = broken.size > 0 || resolved.problems.length > 0
  // An entity that cannot be read yet leaves its table to nobody.
  if (context.migrations !== undefined && !isPartial) findings.push(...migrationFindings(context.migrations, resolved.metadata.entities, sources, located))
  // Names whose only fault is that their own file is broken would be findings without a cause of their own.
  const lost = new Set([...broken].flatMap((file) => namesIn(located.get(file)?.value)))
  findings.push(...inspected.filter(({ message, code }) => !(code.startsWith('unknown-') && [...lost].some((name) => message.startsWith(`"${name}"`))) && !(isPartial && unusedByAll.has(code))))
  const asked = new Set(context.specificationPaths)
  const served = sources.routes.filter(isServed)
  return {
    findings: findings.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column)),
    files: located.size,
    served: served.filter(({ path }) => asked.has(path)).length,
    total: asked.size,
    own: served.filter(({ path }) => !asked.has(path)).length,
    slots: uses.slots.length,
    slotBudget: context.slotBudget,
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

/** `schemas/meta/report.schema.json` → `report`. */
function metaSchemaName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.schema\.json$/, '')
}
