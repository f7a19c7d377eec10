import { balances } from '#meta/check/balances.ts'
import { codeNames } from '#meta/check/codeNames.ts'
import { conditions } from '#meta/check/conditions.ts'
import { currencies } from '#meta/check/currencies.ts'
import { dashboards } from '#meta/check/dashboards.ts'
import { datasets } from '#meta/check/datasets.ts'
import { documents } from '#meta/check/documents.ts'
import { fieldPermissions } from '#meta/check/fieldPermissions.ts'
import { fields } from '#meta/check/fields.ts'
import { didYouMean, type Finding, type Report } from '#meta/check/finding.ts'
import { files } from '#meta/check/files.ts'
import { guards } from '#meta/check/guards.ts'
import { imports } from '#meta/check/imports.ts'
import { identity } from '#meta/check/identity.ts'
import type { LocatedFile } from '#meta/check/locate.ts'
import { messages } from '#meta/check/messages.ts'
import { never } from '#meta/check/never.ts'
import { preferences } from '#meta/check/preferences.ts'
import { permissions } from '#meta/check/permissions.ts'
import { references } from '#meta/check/references.ts'
import { reports } from '#meta/check/reports.ts'
import { routes } from '#meta/check/routes.ts'
import { type MetaSchema, shapeProblems } from '#meta/check/shape.ts'
import { required } from '#meta/check/required.ts'
import { sense } from '#meta/check/sense.ts'
import { slots } from '#meta/check/slots.ts'
import { unused } from '#meta/check/unused.ts'
import { widgets } from '#meta/check/widgets.ts'
import { filePath, variantsOf, writtenAt } from '#meta/variants.ts'
import type { Inspection, World } from '#meta/check/world.ts'

/** What JSON Schema cannot say, one inspection a file. */
export const inspections: readonly Inspection[] = [
  identity, fields, conditions, never, references, datasets, reports, dashboards, imports, guards, permissions, routes, messages, slots, codeNames, sense, required, unused,
  widgets, files, preferences, documents, balances, fieldPermissions, currencies,
]

/** What a file's meta-schema finds, with places. */
export function shapeFindings(file: LocatedFile, schema: MetaSchema, common: MetaSchema): readonly Finding[] {
  if (file.value === undefined) return []
  return unique(
    variantsOf(file.value).flatMap(({ name, value }) => {
      const shown = name === undefined ? file : variantFile(file, name)
      return shapeProblems(value, schema, common).map(({ at, onKey, code, message }) => ({ path: file.path, ...shown.position(at, onKey), severity: 'error' as const, code, message }))
    }),
  )
}

/** A file in an older or newer format than its kind has now is not held against the shape: it has another one. */
export function versionFindings(file: LocatedFile, { version: now = 1 }: MetaSchema): readonly Finding[] {
  if (typeof file.value !== 'object' || file.value === null || Array.isArray(file.value)) return []
  const written: unknown = Reflect.get(file.value, 'version') ?? 1
  // Misspelt, it says nothing of the version: that is what the author should hear.
  if (!Object.hasOwn(file.value, 'version') && Object.keys(file.value).some((key) => didYouMean(key, ['version']) !== '')) return []
  if (typeof written !== 'number' || written === now) return []
  const place = file.position(['version'], true)
  return [
    written < now
      ? { path: file.path, ...place, severity: 'error', code: 'old-version', message: `this file is in version ${written} of its format, the present one is ${now}: npm run upgrade brings it up to date` }
      : { path: file.path, ...place, severity: 'error', code: 'new-version', message: `this file is in version ${written} of its format, which is not known here; the present one is ${now}` },
  ]
}

/** The file as one of its variants has it. */
export function variantFile(file: LocatedFile, name: string): LocatedFile {
  return { ...file, position: (at, onKey) => file.position(writtenAt(file.value, name, at), onKey) }
}

function unique(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()]
}

/** A file with one of these is left out of the inspections: they may rely on the shape. */
export const disturbing: ReadonlySet<string> = new Set(['json-syntax', 'wrong-type', 'wrong-value', 'missing-key', 'too-few', 'too-many', 'old-version', 'new-version'])

/** Findings of all inspections, in the order of the files. What resolving stumbled over and nobody explained comes as it is. */
export function inspectWorld(world: World): readonly Finding[] {
  const findings = inspections.flatMap((inspection) => [...inspection(world)].map((report) => placed(world, report)))
  const explained = new Set(findings.filter(({ severity }) => severity === 'error').map(({ path }) => path))
  const rest = world.resolved.problems
    .filter(({ path }) => !explained.has(filePath(path)))
    .map(({ path, at, message }) => placed(world, { path, at, code: 'unresolved', message }))
  return unique([...findings, ...rest])
}

function placed(world: World, { path, at, onKey, severity, code, message }: Report): Finding {
  const { line, column } = world.files.get(path)?.position(at, onKey) ?? { line: 1, column: 1 }
  return { path: filePath(path), line, column, severity: severity ?? 'error', code, message }
}
