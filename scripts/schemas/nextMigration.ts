import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { tablesMadeBy } from '../../src/meta/check/madeTables.ts'
import { statementsFor } from '../../src/meta/check/migrations.ts'
import { tablesSql } from '../../src/meta/ddl.ts'
import type { Entities } from '../../src/meta/fieldOf.ts'
import { resolve } from '../../src/meta/resolve.ts'
import { readMigrationFiles } from './checkSchemas.ts'
import { readSchemaFiles, sourcesOf } from './readSources.ts'

const folder = 'src/server/db/migrations'

/** What the migrations do not make yet of these entities and their lines, as the next migration; undefined where nothing is missing. */
export function nextMigration(root: string, ids: readonly string[], title: string): { readonly name: string; readonly sql: string } | undefined {
  if (!existsSync(path.join(root, folder))) return undefined
  const { metadata } = resolve(sourcesOf(readSchemaFiles(path.join(root, 'schemas'), root)).sources)
  const migrations = readMigrationFiles(root)
  const made = tablesMadeBy(migrations)
  const wanted = withLines(ids, metadata.entities)
  const absent = wanted.filter((id) => !made.has(metadata.entities[id]?.table ?? ''))
  const statements = wanted.flatMap((id) => statementsFor(metadata.entities[id], metadata.entities, made))
  const tables = metadata.entities
  const isMade = absent.some((id) => tables[id]?.base !== 'view')
  if (!isMade && statements.length === 0) return undefined
  const sql = [...(isMade ? [tablesSql(tables, (id) => absent.includes(id))] : []), ...(statements.length === 0 ? [] : [`-- What has changed in the entity files, by \`npm run new\`.\n${statements.join('\n')}\n`])]
  return { name: path.join(folder, `${nextNumber(root)}_${title}.sql`), sql: sql.join('\n') }
}

/** Writes what has changed in a noun that is there already. Undefined where there is no such noun. */
export function migrateNoun(root: string, area: string, noun: string): { readonly files: readonly string[] } | { readonly refused: string } | undefined {
  const place = path.posix.join('schemas', area, noun)
  if (!existsSync(path.join(root, place))) return undefined
  const { sources } = sourcesOf(readSchemaFiles(path.join(root, 'schemas'), root))
  const ids = sources.entity.filter((source) => source.path.startsWith(`${place}/`)).map(({ value }) => value.id)
  const migration = nextMigration(root, ids, `${noun.replaceAll('-', '_')}_changed`)
  if (migration === undefined) return { refused: `${place} is already there, and the migrations make its tables as its entities say.` }
  const lines = migration.sql.split('\n').filter((line) => line !== '')
  if (lines.every((line) => line.startsWith('--'))) return { refused: [`${place} has lost fields, nothing else. A migration that takes off their columns is written by hand.`, ...lines.slice(1)].join('\n') }
  writeFileSync(path.join(root, migration.name), migration.sql)
  return { files: [migration.name] }
}

/** With the entities of their lines, and of theirs. */
function withLines(ids: readonly string[], entities: Entities): readonly string[] {
  const found = new Set<string>()
  const add = (id: string): void => {
    if (found.has(id) || entities[id] === undefined) return
    found.add(id)
    for (const { entity } of entities[id]?.lines ?? []) add(entity)
  }
  ids.forEach(add)
  return [...found]
}

function nextNumber(root: string): string {
  const numbers = readdirSync(path.join(root, folder)).map((name) => Number.parseInt(name, 10)).filter((number) => !Number.isNaN(number))
  return String(Math.max(0, ...numbers) + 1).padStart(4, '0')
}
