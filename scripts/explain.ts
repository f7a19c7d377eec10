import { originOf, traced } from '../src/meta/origins.ts'
import type { Metadata } from '../src/meta/metadata.ts'
import { resolve } from '../src/meta/resolve.ts'
import { routeFinder } from '../src/meta/routePath.ts'
import { partOf, type Places, placesOf, type Written } from './schemas/origins.ts'
import { readSchemaFiles, sourcesOf } from './schemas/readSources.ts'
import { didYouMean } from '../src/meta/check/finding.ts'

/**
 * The flat screen, one value a line, with the place it comes from: the file and line of the screen, of the entity, of the rule it follows
 * from, or a fragment, the entity's base, a default of the kind. What the entities ask of their records stands below it.
 */
export function explain(screen: object, written: Written, texts: Readonly<Record<string, string>>, places: Places): readonly string[] {
  const lines: (readonly [text: string, origin: string])[] = []
  const walk = (value: unknown, indent: string, key: string, source: Written | undefined, origin: string, field: string): void => {
    const label = key === '' ? '' : `${key}: `
    if (typeof value !== 'object' || value === null) {
      const text = typeof value === 'string' && Object.hasOwn(texts, value) ? `  ${JSON.stringify(texts[value])}` : ''
      return void lines.push([`${indent}${label}${JSON.stringify(value)}`, placed(origin, key, source, field) + text])
    }
    const entries = Array.isArray(value) ? value.map((part, i): [string, unknown] => [String(i), part]) : Object.entries(value)
    if (entries.length === 0) return void lines.push([`${indent}${label}${Array.isArray(value) ? '[]' : '{}'}`, source === undefined ? 'default' : placed(origin, key, source, field)])
    lines.push([`${indent}${label}`.trimEnd(), ''])
    const own = originOf(value)
    const of = 'name' in value && typeof value.name === 'string' ? value.name : field
    for (const [name, part] of entries) {
      const inSource = inside(source, name)
      // What is not written under its name is written elsewhere: a rule of the entity, a condition it names.
      const from = typeof part === 'object' && part !== null && (inSource === undefined || typeof inSource.value === 'string') ? (places.madeOf(part) ?? inSource) : inSource
      const declared = own[name] === undefined || own[name] === written.file ? from : (from?.file === own[name] ? from : places.declared(own[name], of, name))
      const said = from !== undefined && from !== inSource ? from.file : (own[name] ?? (Object.keys(own).length > 0 ? origin : inSource === undefined ? inherited(part, origin, source) : inSource.file))
      walk(part, `${indent}  `, Array.isArray(value) ? '-' : name, declared, said, of)
    }
  }
  /** With the line, where the value is written in that file. */
  const placed = (origin: string, key: string, source: Written | undefined, field: string): string => {
    if (source?.file === origin) return places.line(source)
    const declared = places.declared(origin, field, key)
    return declared === undefined ? origin : places.line(declared)
  }
  walk(screen, '', '', written, 'default', '')
  for (const entity of entitiesIn(screen)) {
    for (const rule of places.rules(entity)) lines.push([`rule of ${entity}: ${JSON.stringify(rule.value)}`, places.line(rule)])
  }
  const width = Math.min(90, Math.max(...lines.map(([text]) => text.length)))
  return lines.map(([text, origin]) => (origin === '' ? text : `${text.padEnd(width)}  ${origin}`))
}

function inside(source: Written | undefined, name: string): Written | undefined {
  // The name of a field is written alone, or as the field it is of.
  if (name === 'name' && typeof source?.value === 'string') return source
  if (name === 'name' && partOf(source?.value, 'name') === undefined) return source === undefined || partOf(source.value, 'field') === undefined ? undefined : inside(source, 'field')
  const value = partOf(source?.value, name)
  return source === undefined || value === undefined ? undefined : { file: source.file, at: [...source.at, Array.isArray(source.value) ? Number(name) : name], value }
}

/** A part the file does not have under this name comes from what stands around it. */
function inherited(part: unknown, around: string, source: Written | undefined): string {
  return source === undefined || typeof part === 'object' ? around : 'default'
}

/** The entities whose records the screen keeps: its own and those of its lines. */
function entitiesIn(screen: object): readonly string[] {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, part] of Object.entries(value)) {
      // A field that refers to records of another entity keeps none of them.
      if (key === 'entity' && typeof part === 'string' && !('type' in value)) found.add(part)
      else walk(part)
    }
  }
  walk(screen)
  return [...found]
}

/** A screen by its id, by an address it is shown under, or by its noun where it has but one. */
export function screenNamed(said: string, { screens, routes }: Pick<Metadata, 'screens' | 'routes'>): string {
  if (Object.hasOwn(screens, said)) return said
  // As it stands in the browser: with the host, a record, what is asked of it.
  const path = said.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '')
  const served = routeFinder(routes)(path.startsWith('/') ? path : `/${path}`)?.route.screen
  const ofNoun = screensOf(said, screens)
  return served ?? (ofNoun.length === 1 ? (ofNoun[0] ?? said) : said)
}

export function suggestion(said: string, { screens }: Pick<Metadata, 'screens'>): string {
  const ofNoun = screensOf(said, screens)
  if (ofNoun.length > 1) return `; there are ${ofNoun.join(', ')}`
  const ids = Object.keys(screens)
  return didYouMean(said, said.includes('.') ? ids : [...ids, ...ids.map((id) => id.slice(0, id.indexOf('.')))])
}

function screensOf(noun: string, screens: Metadata['screens']): readonly string[] {
  return Object.keys(screens).filter((id) => id.startsWith(`${noun}.`))
}

if (process.argv[1] === import.meta.filename) {
  // Whoever reads the first lines only (`| head`) has read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const said = process.argv[2]
  const files = readSchemaFiles()
  const { sources } = sourcesOf(files)
  const { metadata } = traced(() => resolve(sources))
  const id = said === undefined ? undefined : screenNamed(said, metadata)
  const screen = metadata.screens[id ?? '']
  const groups = [sources.list, sources.form, sources.detail, sources.approval, sources.report, sources.workbench, sources.dashboard]
  const file = groups.flatMap((group) => group.filter(({ value }) => value.id === id).map(({ path, value }) => ({ path, value })))[0]
  if (id === undefined || screen === undefined || file === undefined) {
    console.error(`npm run explain <screen or address>${id === undefined ? '' : `: "${id}" is no screen${suggestion(id, metadata)}`}`)
    process.exitCode = 1
  } else {
    for (const line of explain(screen, { file: file.path, at: [], value: file.value }, sources.messages, placesOf(files, sources, metadata))) console.log(line)
  }
}
