import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { locate } from '../src/meta/check/locate.ts'
import { type Change, changesBetween } from '../src/meta/impact/changes.ts'
import { type Touched, touchedBy } from '../src/meta/impact/touched.ts'
import { commandLine } from './lib/commandLine.ts'
import { kindOfFile, readSchemaFiles, root, type SchemaFile, sourcesOf } from './schemas/readSources.ts'
import { type StoredView, storedViews } from './schemas/storedViews.ts'
import { wireName } from '../src/base/wireName.ts'

/** What one change touches: places in schema files, exports, print layouts, saved views. */
export interface Impact {
  readonly change: Change
  readonly touched: readonly Touched[]
  /** Lists and reports whose xlsx and csv lose or change a column. */
  readonly exports: readonly string[]
  /** `file:line` of hand-written layouts that read the value. */
  readonly prints: readonly string[]
  readonly views: readonly StoredView[]
}

/** The impact of every change between two sets of files. `layouts` are the hand-written print layouts, `views` the saved views of a database. */
export function impactOf(before: readonly SchemaFile[], after: readonly SchemaFile[], layouts: readonly SchemaFile[], views: readonly StoredView[]): readonly Impact[] {
  const [was, is] = [sourcesOf(before).sources, sourcesOf(after).sources]
  return changesBetween(was, is).map((change) => {
    const touched = touchedBy(change, was)
    const tables = touched.filter(({ kind, at }) => (kind === 'list' && at[0] === 'columns') || kind === 'report')
    const screens = new Set([change.name, ...touched.map(({ id }) => id), ...(change.named === 'field' ? was.list.filter(({ value }) => value.entity === change.owner).map(({ value }) => value.id) : []), ...(['dimension', 'measure', 'parameter'].includes(change.named) ? [change.owner] : [])])
    return {
      change,
      touched,
      exports: [...new Set(tables.map(({ id }) => id))],
      prints: change.named === 'field' ? layouts.flatMap((file) => linesWith(file, change.name)) : [],
      views: views.filter((view) => screens.has(view.screen) && (change.named === 'screen' || names(view.definition, change.name))),
    }
  })
}

/** Does what is kept name it? Inside texts too: a view keeps the groups of a report as it stands in an address, a draft is a text as a whole. */
function names(kept: unknown, name: string): boolean {
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(JSON.stringify(kept))
}

function linesWith({ path: file, text }: SchemaFile, field: string): readonly string[] {
  const wanted = new RegExp(`['"\`](${wireName(field)}|field\\.${field})['"\`]|\\.${wireName(field)}\\b`)
  return text.split('\n').flatMap((line, i) => (wanted.test(line) ? [`${file}:${i + 1}`] : []))
}

/** The schema files as they were at a commit. Throws with git's own words when there is no such commit. */
function filesAt(base: string): readonly SchemaFile[] {
  const git = (...options: string[]): string => execFileSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] })
  const names = git('ls-tree', '-r', '--name-only', '-z', base, '--', 'schemas').split('\0').filter((name) => /\.(json|sql)$/.test(name))
  const changed = new Set(git('diff', '--name-only', '-z', base, '--', 'schemas').split('\0'))
  return names.map((name) => {
    const file = path.join(root, name)
    return { path: name, text: changed.has(name) || !existsSync(file) ? git('show', `${base}:${name}`) : readFileSync(file, 'utf8') }
  })
}

function printLayouts(): readonly SchemaFile[] {
  return readdirSync(path.join(root, 'src/client/print'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => `src/client/print/${name.split(path.sep).join('/')}`)
    .sort()
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }))
}

function sentence({ named, owner, name, what, detail, isCarriedOver }: Change): string {
  const whole = owner === name ? `${named} ${name}` : `${named} ${owner}.${name}`
  if (what === 'removed') return `${whole} removed`
  return what === 'renamed' ? `${whole} renamed to ${detail}${isCarriedOver ? '; saved views and bookmarks follow' : ''}` : `${whole}: ${detail}`
}

/** `path:line:column` in the file as it is now, or as it was where the place is gone. */
function placeOf({ path: file, at }: { readonly path: string; readonly at: Touched['at'] }, before: ReadonlyMap<string, SchemaFile>, now: ReadonlyMap<string, SchemaFile>): string {
  if (kindOfFile(file) === undefined && at.length === 0) return file
  const source = now.get(file) ?? before.get(file)
  if (source === undefined || !file.endsWith('.json')) return file
  const { line, column } = locate(file, source.text).position(at)
  return `${file}:${line}:${column}${now.has(file) ? '' : ' (deleted)'}`
}

if (process.argv[1] === import.meta.filename) {
  const usage = 'npm run impact -- <commit>\n  Screens, reports, dashboards, saved views, exports and print layouts touched by what the schema files changed since then.'
  const { values, positionals } = commandLine({ allowPositionals: true, options: { json: { type: 'boolean' } } }, usage)
  const [base] = positionals
  if (base === undefined) {
    console.error(usage)
    process.exit(2)
  }
  try {
    const [before, after] = [filesAt(base), readSchemaFiles()]
    const { views, note } = await storedViews()
    const impacts = impactOf(before, after, printLayouts(), views)
    if (values.json === true) console.log(JSON.stringify({ base, note, impacts }, null, 1))
    else report(impacts, note, new Map(before.map((file) => [file.path, file])), new Map(after.map((file) => [file.path, file])))
  } catch (error) {
    console.error(error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : error)
    process.exitCode = 2
  }
}

function report(impacts: readonly Impact[], note: string, before: ReadonlyMap<string, SchemaFile>, now: ReadonlyMap<string, SchemaFile>): void {
  for (const { change, touched, exports, prints, views } of impacts) {
    console.log(`${sentence(change)}  ${placeOf(change, before, now)}`)
    for (const place of touched) console.log(`  ${place.kind.padEnd(10)} ${place.id.padEnd(32)} ${placeOf(place, before, now)}`)
    for (const id of exports) console.log(`  export     ${id}`)
    for (const place of prints) console.log(`  print      ${place}`)
    for (const { kind, screen, name, owner } of views) console.log(`  ${kind.padEnd(10)} "${name}" of ${owner} on ${screen}${change.isCarriedOver ? ', follows' : ''}`)
  }
  const places = impacts.reduce((sum, { touched, exports, prints, views }) => sum + touched.length + exports.length + prints.length + views.length, 0)
  console.log(`${impacts.length} changes touch ${places} places.${note === '' ? '' : ` ${note}`}`)
}
