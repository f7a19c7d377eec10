import { originOf, traced } from '../src/meta/origins.ts'
import type { Metadata } from '../src/meta/metadata.ts'
import { resolve } from '../src/meta/resolve.ts'
import { routeFinder } from '../src/meta/routePath.ts'
import { readSchemaFiles, sourcesOf } from './schemas/readSources.ts'
import { didYouMean } from '../src/meta/check/finding.ts'

/**
 * The flat screen, one value a line, with the place it comes from: the screen's file, a fragment, the entity (or its base),
 * or a default of the kind.
 */
export function explain(screen: object, file: string, written: unknown, texts: Readonly<Record<string, string>>): readonly string[] {
  const lines: (readonly [text: string, origin: string])[] = []
  const walk = (value: unknown, indent: string, key: string, source: unknown, origin: string): void => {
    const label = key === '' ? '' : `${key}: `
    if (typeof value !== 'object' || value === null) {
      const text = typeof value === 'string' && Object.hasOwn(texts, value) ? `  ${JSON.stringify(texts[value])}` : ''
      return void lines.push([`${indent}${label}${JSON.stringify(value)}`, origin + text])
    }
    const entries = Array.isArray(value) ? value.map((part, i): [string, unknown] => [String(i), part]) : Object.entries(value)
    if (entries.length === 0) return void lines.push([`${indent}${label}${Array.isArray(value) ? '[]' : '{}'}`, origin])
    lines.push([`${indent}${label}`.trimEnd(), ''])
    const own = originOf(value)
    for (const [name, part] of entries) {
      const inSource = partOf(source, name)
      const from = own[name] ?? (Object.keys(own).length > 0 ? origin : inSource === undefined ? inherited(part, origin, source) : file)
      walk(part, `${indent}  `, Array.isArray(value) ? '-' : name, inSource, from)
    }
  }
  walk(screen, '', '', written, 'default')
  const width = Math.min(90, Math.max(...lines.map(([text]) => text.length)))
  return lines.map(([text, origin]) => (origin === '' ? text : `${text.padEnd(width)}  ${origin}`))
}

/** A part the file does not have under this name comes from what stands around it. */
function inherited(part: unknown, around: string, source: unknown): string {
  return source === undefined || typeof part === 'object' ? around : 'default'
}

function partOf(source: unknown, name: string): unknown {
  if (typeof source !== 'object' || source === null) return undefined
  return Object.hasOwn(source, name) ? (source as Record<string, unknown>)[name] : undefined
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
  const { sources } = sourcesOf(readSchemaFiles())
  const { metadata } = traced(() => resolve(sources))
  const id = said === undefined ? undefined : screenNamed(said, metadata)
  const screen = metadata.screens[id ?? '']
  const groups = [sources.list, sources.form, sources.detail, sources.approval, sources.report, sources.workbench, sources.dashboard]
  const file = groups.flatMap((group) => group.filter(({ value }) => value.id === id).map(({ path, value }) => ({ path, value })))[0]
  if (id === undefined || screen === undefined || file === undefined) {
    console.error(`npm run explain <screen or address>${id === undefined ? '' : `: "${id}" is no screen${suggestion(id, metadata)}`}`)
    process.exitCode = 1
  } else {
    for (const line of explain(screen, file.path, file.value, sources.messages)) console.log(line)
  }
}
