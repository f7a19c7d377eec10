import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { tablesSql } from '../src/meta/ddl.ts'
import type { FormScreen } from '../src/meta/resolved.ts'
import { resolve } from '../src/meta/resolve.ts'
import { filePath } from '../src/meta/variants.ts'
import { languages } from './schemas/catalogue.ts'
import { shapesOf, type Shapes } from './schemas/checkSchemas.ts'
import { editorSchemas } from './schemas/editorSchemas.ts'
import { freshGuide } from './schemas/guide.ts'
import { loadersModule, lookupsModule, routesModule, screenModule } from './schemas/clientModules.ts'
import { writeLanguage } from './schemas/languageTypes.ts'
import { header, namesModule } from './schemas/names.ts'
import { sentencesModule } from './schemas/sentences.ts'
import { hashOf, removeOthers, writeIfChanged } from './schemas/output.ts'
import { readSchemaFiles, root, type SchemaFile, sourcesOf } from './schemas/readSources.ts'
import { writeValidators } from './schemas/validators.ts'

/** Without these a matching stamp proves nothing. */
const essentials = ['language.ts', 'names.ts', 'sentences.ts', 'metadata.ts', 'routes.ts', 'lookups.ts', 'loaders.js', 'loaders.d.ts', 'screens', 'validators', 'messages', 'editor']

/** Writes `src/generated` from `schemas/`. Returns what could not be resolved; everything else is written. */
export async function generate(options: { readonly force?: boolean; readonly target?: string; readonly files?: readonly SchemaFile[] } = {}): Promise<readonly string[]> {
  const target = options.target ?? path.join(root, 'src/generated')
  const files = options.files ?? readSchemaFiles()
  const version = generatorVersion()
  const stamp = hashOf(version, ...files.flatMap((file) => [file.path, file.text]))
  const stampFile = path.join(target, '.stamp')
  const isThere = essentials.every((name) => existsSync(path.join(target, name)))
  if (options.force !== true && isThere && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return []

  mkdirSync(target, { recursive: true })
  await writeLanguage(path.join(target, 'language.ts'), files)
  // A broken file is named and left out; the others are generated all the same.
  const shapes = shapesOf(files)
  const { sources } = sourcesOf(files.filter((file) => !shapes.broken.has(file.path)))
  const { metadata, problems } = resolve(sources)
  writeIfChanged(path.join(target, 'names.ts'), namesModule(metadata, sources))
  writeIfChanged(path.join(target, 'sentences.ts'), sentencesModule(sources.messages))
  writeIfChanged(path.join(target, 'metadata.ts'), metadataModule(metadata))
  writeIfChanged(path.join(target, 'routes.ts'), routesModule(metadata))
  writeIfChanged(path.join(target, 'lookups.ts'), lookupsModule(metadata))
  const screens = writeScreens(path.join(target, 'screens'), metadata)
  writeMessages(path.join(target, 'messages'), shapes)
  if (options.target === undefined) writeGuide(files)
  writeEditorSchemas(path.join(target, 'editor'), editorSchemas(shapes.metaSchemas, metadata, sources))
  const forms = Object.values(metadata.screens).filter((screen): screen is FormScreen => screen.kind === 'form')
  const validators = path.join(target, 'validators')
  const written = await writeValidators(validators, forms, readFileSync(path.join(root, 'scripts/schemas/validators.ts'), 'utf8'))
  // What names the others comes when they are there, and goes before they do: a development server remembers what it did not find.
  const loaders = loadersModule(metadata)
  writeIfChanged(path.join(target, 'loaders.js'), loaders.js)
  writeIfChanged(path.join(target, 'loaders.d.ts'), loaders.types)
  removeOthers(path.join(target, 'screens'), screens)
  removeOthers(validators, written)
  const complaints = [
    ...shapes.findings.map(({ path: file, line, column, code, message }) => `${file}:${line}:${column}  ${code}  ${message}`),
    ...problems.map(({ path: file, at, message }) => {
      const { line, column } = shapes.located.get(filePath(file))?.position(at) ?? { line: 1, column: 1 }
      return `${file}:${line}:${column}  unresolved  ${message}`
    }),
  ]
  // An incomplete run must not pass for a finished one.
  writeFileSync(stampFile, complaints.length === 0 ? stamp : '')
  return complaints
}

function metadataModule(metadata: object): string {
  return `${header}import { deepFreeze } from '#base/freeze.ts'
import type { Metadata } from '#meta/metadata.ts'

/** The product as the schema files describe it. For the server; the client loads single screens. */
export const metadata: Metadata = deepFreeze(JSON.parse(${JSON.stringify(JSON.stringify(metadata))}))
`
}

function writeScreens(folder: string, metadata: ReturnType<typeof resolve>['metadata']): ReadonlySet<string> {
  const names = new Set<string>()
  for (const screen of Object.values(metadata.screens)) {
    names.add(`${screen.id}.json`)
    writeIfChanged(path.join(folder, `${screen.id}.json`), `${JSON.stringify(screenModule(metadata, screen), null, 1)}\n`)
  }
  return names
}

/** The catalogues, each whole: what is not translated says it in English, so that a page needs but the one of its language. */
function writeMessages(folder: string, { located }: Shapes): void {
  const catalogue = (language: string): object => (located.get(`schemas/messages/${language}.json`)?.value as object | undefined) ?? {}
  for (const language of languages) {
    writeIfChanged(path.join(folder, `${language}.json`), `${JSON.stringify({ ...catalogue('en'), ...catalogue(language) }, null, 1)}\n`)
  }
}

/** The part of the guide that lists keys and findings follows the language. */
function writeGuide(files: readonly SchemaFile[]): void {
  const guide = path.join(root, 'schemas/README.md')
  writeIfChanged(guide, freshGuide(readFileSync(guide, 'utf8'), files.filter((file) => file.path.startsWith('schemas/meta/'))))
}

function writeEditorSchemas(folder: string, schemas: Readonly<Record<string, object>>): void {
  for (const [name, schema] of Object.entries(schemas)) writeIfChanged(path.join(folder, name), `${JSON.stringify(schema)}\n`)
  removeOthers(folder, new Set(Object.keys(schemas)))
}

/** Changes when the generator does, so that its output is written again. */
function generatorVersion(): string {
  const folders = ['src/meta', 'scripts/schemas']
  const sources = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.ts')).sort().map((name) => readFileSync(path.join(root, folder, name), 'utf8')),
  )
  return hashOf(readFileSync(import.meta.filename, 'utf8'), ...sources)
}

if (process.argv[1] === import.meta.filename) {
  const started = performance.now()
  if (process.argv.includes('--tables')) {
    const { metadata } = resolve(sourcesOf(readSchemaFiles()).sources)
    const migrations = path.join(root, 'src/server/db/migrations')
    const later = readdirSync(migrations).filter((name) => name.endsWith('.sql') && name !== '0001_tables.sql').map((name) => readFileSync(path.join(migrations, name), 'utf8')).join('\n')
    // A table that a later migration brings is not brought twice.
    writeIfChanged(path.join(migrations, '0001_tables.sql'), tablesSql(metadata.entities, (id) => !later.includes(`CREATE TABLE "${metadata.entities[id]?.table}"`)))
  }
  const complaints = await generate({ force: process.argv.includes('--force') })
  for (const complaint of complaints) console.error(complaint)
  console.log(`${complaints.length === 0 ? 'Generated' : 'Generated what could be resolved'} in ${Math.round(performance.now() - started)} ms.`)
  if (complaints.length > 0) process.exitCode = 1
}
