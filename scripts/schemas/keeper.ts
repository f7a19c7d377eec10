import type { Finding } from '../../src/meta/check/finding.ts'
import { generate } from '../generate.ts'
import { checkSchemas, contextOfRepository } from './checkSchemas.ts'
import { readSchemaFiles, type SchemaFile, sourcesOf } from './readSources.ts'

/** A finding with the screens it concerns; undefined: it concerns no particular one. */
export interface PlacedFinding extends Finding {
  readonly screens?: readonly string[]
}

/** What one round came to. */
export interface Round {
  readonly findings: readonly PlacedFinding[]
  /** Milliseconds the check took, and the generator. */
  readonly checked: number
  readonly generated: number
}

/**
 * Development: checks all schema files and generates from them, again and again in one process, so that only what has changed is read anew. A file
 * with errors goes on as it last stood without them: its screen stays open under the finding, and every other screen goes on working.
 */
export class Keeper {
  #good: ReadonlyMap<string, string> = new Map()

  async round(files: readonly SchemaFile[] = readSchemaFiles()): Promise<Round> {
    const started = performance.now()
    const { findings } = checkSchemas(files, contextOfRepository())
    const checked = performance.now() - started
    const used = this.#usable(files, findings)
    await generate({ files: used })
    return { findings: placed(findings, files), checked: Math.round(checked), generated: Math.round(performance.now() - started - checked) }
  }

  /** The files as far as they can be worked with; remembered once nothing in them is wrong. */
  #usable(files: readonly SchemaFile[], findings: readonly Finding[]): readonly SchemaFile[] {
    const wrong = errorPaths(findings)
    if (wrong.size === 0) return this.#remember(files)
    const patched = files.map((file) => (wrong.has(file.path) ? { ...file, text: this.#good.get(file.path) ?? file.text } : file))
    if (patched.every((file, i) => file.text === files[i]?.text)) return this.#last(files)
    return errorPaths(checkSchemas(patched, contextOfRepository()).findings).size === 0 ? this.#remember(patched) : this.#last(files)
  }

  #remember(files: readonly SchemaFile[]): readonly SchemaFile[] {
    this.#good = new Map(files.map(({ path, text }) => [path, text]))
    return files
  }

  /** A change of one file can be a mistake of others: then all stay as they last stood together. */
  #last(files: readonly SchemaFile[]): readonly SchemaFile[] {
    return this.#good.size === 0 ? files : [...this.#good].map(([path, text]) => ({ path, text }))
  }
}

/** Files that cannot be worked with. A text that is missing or not translated hinders nothing: people see its key or the English one. */
function errorPaths(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.flatMap(({ severity, path, code }) => (severity === 'error' && (!path.startsWith('schemas/messages/') || code.startsWith('json-')) ? [path] : [])))
}

/** The screens a file makes: itself and its variants; for an entity, dataset or workflow those over it, and the dashboards of those. */
function placed(findings: readonly Finding[], files: readonly SchemaFile[]): readonly PlacedFinding[] {
  if (findings.length === 0) return []
  const { sources } = sourcesOf(files)
  const screens = [...sources.list, ...sources.form, ...sources.detail, ...sources.approval, ...sources.report, ...sources.workbench, ...sources.dashboard, ...sources.import]
  const file = (path: string): string => path.replace(/#.*$/, '')
  return findings.map((finding): PlacedFinding => {
    const own = screens.filter(({ path }) => file(path) === finding.path).map(({ value }) => value.id)
    if (own.length > 0) return { ...finding, screens: own }
    const text = files.find(({ path }) => path === finding.path)?.text ?? ''
    // A file that cannot be read still says whose it is: by its name, and by its id where that can be seen.
    const id = /"id":\s*"([^"]+)"/.exec(text)?.[1]
    if (id !== undefined && /\.(list|form|detail|approval|report|workbench|dashboard|import)\.json$/.test(finding.path)) return { ...finding, screens: [id] }
    if (id === undefined || !/\.(entity|dataset|workflow)\.json$/.test(finding.path)) return finding
    const over = screens.filter(({ value }) => ['entity', 'docType', 'dataset'].some((key) => Reflect.get(value, key) === id)).map(({ value }) => value.id)
    const around = screens.filter(({ value }) => over.some((name) => JSON.stringify(value).includes(`"${name}"`))).map(({ value }) => value.id)
    return over.length === 0 ? finding : { ...finding, screens: [...new Set([...over, ...around])] }
  })
}

// As a process of its own beside the development server: a message asks for a round, its outcome is the answer.
if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const keeper = new Keeper()
  let working: Promise<void> = Promise.resolve()
  process.on('message', () => {
    working = working.then(async () => {
      try {
        process.send?.(await keeper.round())
      } catch (error) {
        process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      }
    })
  })
  process.on('disconnect', () => process.exit())
}
