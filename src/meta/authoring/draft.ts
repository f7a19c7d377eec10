import type { ReportSource } from '#generated/language.ts'
import { disturbing, inspectWorld, shapeFindings } from '#meta/check/check.ts'
import { type Shapes, shapesOf } from '#meta/check/checkFiles.ts'
import type { Finding } from '#meta/check/finding.ts'
import { locate } from '#meta/check/locate.ts'
import { usesOf } from '#meta/check/uses.ts'
import { labelsOf } from '#meta/labels.ts'
import { type Resolved, resolve } from '#meta/resolve.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import { resolveReport } from '#meta/resolveReport.ts'
import { type SchemaFile, sourcesOf } from '#meta/schemaFiles.ts'
import { SourceError, type Sources } from '#meta/sources.ts'

/** The schema files a draft of a report is held against, read once for many drafts. */
export interface DraftWorld {
  readonly files: readonly SchemaFile[]
  readonly sources: Sources
  readonly resolved: Resolved
  readonly metaSchemas: Shapes['metaSchemas']
}

export interface CheckedDraft {
  /** In the order of the text. */
  readonly findings: readonly Finding[]
  /** Absent while a finding is an error. */
  readonly report?: { readonly source: ReportSource; readonly screen: ReportScreen }
}

/** Where findings of a draft say they are. */
export const draftPath = 'draft.report.json'

/** Longest draft, in characters. */
export const longestDraft = 60_000

/** No schema file is nested nearly as deep; more would only serve to exhaust the readers. */
const deepest = 40

export function draftWorldOf(files: readonly SchemaFile[]): DraftWorld {
  const { metaSchemas, broken } = shapesOf(files)
  const { sources } = sourcesOf(files.filter((file) => !broken.has(file.path)))
  return { files, sources, resolved: resolve(sources), metaSchemas }
}

/** What `npm run check` would say of the report if it stood among the schema files with its route and texts, in place of a published one of its id. */
export function checkDraft(world: DraftWorld, text: string): CheckedDraft {
  const tooDeep = depthFinding(text)
  if (tooDeep !== undefined) return { findings: [tooDeep] }
  const file = locate(draftPath, text)
  // While the text is no JSON, its shape says nothing more.
  if (file.syntax.some(({ code }) => code === 'json-syntax')) return { findings: inOrder(file.syntax) }
  const shapes = [...file.syntax, ...shapeFindings(file, world.metaSchemas['report'] ?? {}, world.metaSchemas['common'] ?? {})]
  if (file.value === undefined || shapes.some(({ code }) => disturbing.has(code))) return { findings: inOrder(shapes) }
  // Its shape is what the meta-schema asks for.
  const source = file.value as ReportSource
  const { screen, problems } = resolved(world, source)
  const { metadata } = world.resolved
  const served = { path: `/report/${source.id}`, layout: 'main' as const, screen: source.id, guard: 'always' as const }
  const sources: Sources = {
    ...world.sources,
    entity: [], workflow: [], posting: [], list: [], form: [], detail: [], approval: [], workbench: [], dashboard: [], import: [], menu: [],
    report: [...world.sources.report.filter((one) => !isReplaced(world, one, source)), { path: draftPath, value: source }],
    routes: [...world.sources.routes, served],
  }
  const found = inspectWorld({
    files: new Map([[draftPath, file]]),
    sources,
    uses: usesOf(sources),
    resolved: { ...world.resolved, metadata: { ...metadata, screens: screen === undefined ? metadata.screens : { ...metadata.screens, [screen.id]: screen } }, problems },
    metaSchemas: world.metaSchemas,
    specificationPaths: [],
    catalogues: { en: world.sources.messages, cn: {}, id: {} },
    keysInCode: new Set(),
    implemented: {},
    slotBudget: 0,
  })
  const findings = inOrder([...shapes, ...found.filter(({ path }) => path === draftPath), ...taken(world, source, file.position(['id']))])
  return findings.some(({ severity }) => severity === 'error') || screen === undefined ? { findings } : { findings, report: { source, screen } }
}

/** A draft takes the place of the published report of its id, which has a file of its own: it is a change of it. */
function isReplaced({ sources }: DraftWorld, { path, value }: Sources['report'][number], { id }: ReportSource): boolean {
  return value.id === id && sources.report.filter((one) => one.path === path).length === 1
}

function resolved({ sources, resolved: { metadata } }: DraftWorld, source: ReportSource): { readonly screen?: ReportScreen; readonly problems: Resolved['problems'] } {
  const labels = labelsOf(sources.messages)
  const { entities, workflows, commands, datasets } = metadata
  try {
    return { screen: resolveReport({ entities, workflows, commands, datasets, fragments: {}, labels }, { path: draftPath, value: source }), problems: [] }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { problems: [{ path: draftPath, at: error.at, message: error.message }] }
  }
}

/** Ids of lists, forms and other screens are taken too. */
function taken({ resolved: { metadata } }: DraftWorld, { id }: ReportSource, place: { readonly line: number; readonly column: number }): readonly Finding[] {
  const other = metadata.screens[id]
  if (other === undefined || other.kind === 'report' || !Object.hasOwn(metadata.screens, id)) return []
  return [{ path: draftPath, ...place, severity: 'error', code: 'duplicate-id', message: `the screen "${id}" is there already` }]
}

function depthFinding(text: string): Finding | undefined {
  let depth = 0
  let isText = false
  let line = 1
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]
    if (sign === '\n') {
      line++
      start = i + 1
      isText = false
    } else if (isText) {
      if (sign === '\\') i++
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    if (depth > deepest) return { path: draftPath, line, column: i - start + 1, severity: 'error', code: 'too-deep', message: `a file is nested ${deepest} levels deep at most` }
  }
  return undefined
}

function inOrder(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column)
}
