import { findingMeanings } from './findingMeanings.ts'
import type { SchemaFile } from './readSources.ts'

/** Between these lines of schemas/README.md everything is written by `npm run gen`. */
export const guideMarks = ['<!-- written by npm run gen: from here -->', '<!-- written by npm run gen: to here -->'] as const

interface Shape {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly title?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly additionalProperties?: Shape | boolean
  readonly definitions?: Readonly<Record<string, Shape>>
  readonly $ref?: string
}

/** The guide with its generated part made anew: every key of the language, every finding. Throws when the marks are missing. */
export function freshGuide(guide: string, metaSchemas: readonly SchemaFile[]): string {
  const [from, to] = guideMarks
  const [before, rest] = guide.split(from)
  const after = rest?.split(to)[1]
  if (before === undefined || after === undefined) throw new Error(`schemas/README.md lacks "${from}" or "${to}"`)
  return `${before}${from}\n\n${reference(metaSchemas)}\n${findings()}\n${to}${after}`
}

function reference(metaSchemas: readonly SchemaFile[]): string {
  const kinds = metaSchemas.filter(({ path }) => !path.endsWith('/common.schema.json'))
  const common = metaSchemas.find(({ path }) => path.endsWith('/common.schema.json'))
  const parts = kinds.map(({ path, text }) => {
    const kind = path.replace(/^.*\//, '').replace('.schema.json', '')
    const shape: Shape = JSON.parse(text)
    return `### ${kind}\n\n${shape.description ?? ''}\n\n${rowsOf(shape, '')}`
  })
  const shared: Shape = JSON.parse(common?.text ?? '{}')
  const definitions = Object.entries(shared.definitions ?? {}).filter(([, shape]) => shape.properties !== undefined || shape.enum !== undefined)
  const sharedParts = definitions.map(([name, shape]) => `#### ${name}\n\n${shape.description ?? ''}${shape.enum === undefined ? '' : ` ${shape.enum.map((value) => `\`${String(value)}\``).join(', ')}`}\n\n${rowsOf(shape, '')}`)
  return `## Every key\n\n${parts.join('\n')}\n### Shared parts\n\n${sharedParts.join('\n')}`.replaceAll(/\n{3,}/g, '\n\n')
}

/** A table of the keys of an object, keys inside written after their owner. */
function rowsOf(shape: Shape, prefix: string): string {
  const rows = [...keysOf(shape, prefix)]
  return rows.length === 0 ? '' : `| key | what stands there | |\n|---|---|---|\n${rows.join('\n')}\n`
}

function* keysOf(shape: Shape, prefix: string): Iterable<string> {
  for (const part of [shape, ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]) {
    for (const [key, value] of Object.entries(part.properties ?? {})) {
      if (key === '$schema') continue
      const isRequired = part.required?.includes(key) === true
      yield `| \`${prefix}${key}\` | ${typeOf(value)}${isRequired ? ', required' : ''} | ${cell(value.description ?? '')} |`
      yield* keysOf(value.items ?? value, `${prefix}${key}${value.items === undefined ? '.' : '[].'}`)
      // Names the author makes up, each with the same keys.
      if (typeof value.additionalProperties === 'object') yield* keysOf(value.additionalProperties, `${prefix}${key}.*.`)
    }
  }
}

function typeOf(shape: Shape): string {
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``
  if (shape.enum !== undefined) return shape.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (shape.$ref !== undefined) return `[${shape.$ref.split('/').at(-1) ?? ''}](#${shape.$ref.split('/').at(-1)?.toLowerCase() ?? ''})`
  const choices = shape.anyOf ?? shape.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ')
  if (shape.type === 'array') return `list of ${shape.items === undefined ? 'anything' : typeOf(shape.items)}`
  return Array.isArray(shape.type) ? shape.type.join(' or ') : String(shape.type ?? 'object')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function findings(): string {
  const rows = Object.entries(findingMeanings).sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, meaning]) => `| \`${code}\` | ${cell(meaning)} |`)
  return `## What each finding means\n\n| code | what to do |\n|---|---|\n${rows.join('\n')}\n`
}
