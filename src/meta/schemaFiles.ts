import { filePath, type Variant, variantPath, variantsOf } from '#meta/variants.ts'
import { type FileKind, fileKinds, type Source, type Sources } from '#meta/sources.ts'

/** One file below `schemas/`. */
export interface SchemaFile {
  /** Relative to the repository, with `/`. */
  readonly path: string
  readonly text: string
}

/** `schemas/sales/order/order.due.list.json` → `list`. */
export function kindOfFile(file: string): FileKind | undefined {
  const suffix = /\.([a-z]+)\.json$/.exec(filePath(file))?.[1]
  return fileKinds.find((kind) => kind === suffix)
}

/** Files as they were parsed last: nobody changes what is read here. */
const parsed = new Map<string, { readonly text: string; readonly value: unknown }>()
const screens = new WeakMap<object, readonly Variant[]>()

function screensOf(value: unknown): readonly Variant[] {
  if (typeof value !== 'object' || value === null) return variantsOf(value)
  const known = screens.get(value) ?? variantsOf(value)
  screens.set(value, known)
  return known
}

/** The files by kind; those that are not JSON are named in `broken` and left out. */
export function sourcesOf(files: readonly SchemaFile[]): { readonly sources: Sources; readonly broken: readonly { path: string; message: string }[] } {
  const broken: { path: string; message: string }[] = []
  const byKind: Record<FileKind, Source<unknown>[]> = {
    entity: [], workflow: [], posting: [], list: [], form: [], detail: [], approval: [], report: [], workbench: [], dashboard: [], import: [], dataset: [], bankfile: [], payfile: [], fragment: [],
  }
  const json = (file: SchemaFile | undefined, fallback: unknown): unknown => {
    if (file === undefined) return fallback
    try {
      const known = parsed.get(file.path)
      if (known?.text === file.text) return known.value
      const value: unknown = JSON.parse(file.text)
      if (parsed.size > 5000) parsed.clear()
      parsed.set(file.path, { text: file.text, value })
      return value
    } catch (error) {
      broken.push({ path: file.path, message: error instanceof Error ? error.message : String(error) })
      return undefined
    }
  }
  const named = (name: string): SchemaFile | undefined => files.find((file) => file.path === name)
  for (const file of files) {
    const kind = kindOfFile(file.path)
    if (kind === undefined || file.path.startsWith('schemas/meta/')) continue
    const value = json(file, undefined)
    if (value !== undefined) for (const screen of screensOf(value)) byKind[kind].push({ path: variantPath(file.path, screen.name), value: screen.value })
  }
  // What does not have the shape its meta-schema asks for is reported by the check; here the shape is taken as given.
  const sources = {
    ...byKind,
    routes: json(named('schemas/routes.json'), []) ?? [],
    menu: json(named('schemas/menu.json'), []) ?? [],
    messages: json(named('schemas/messages/en.json'), {}) ?? {},
    sql: Object.fromEntries(files.filter(({ path: file }) => file.endsWith('.dataset.sql')).map((file) => [file.path.replace(/\.sql$/, '.json'), file.text])),
  } as unknown as Sources
  return { sources, broken }
}
