import { wireName } from '#base/wireName.ts'
import type { Keys } from '#meta/check/finding.ts'
import { usesOf } from '#meta/check/uses.ts'
import type { Change } from '#meta/impact/changes.ts'
import type { FileKind, Source, Sources } from '#meta/sources.ts'

/** A place in a schema file that names what changes. */
export interface Touched {
  /** Kind of the file: `list`, `report`, `dashboard`, `routes`, `menu` … */
  readonly kind: FileKind | 'routes' | 'menu' | 'sql'
  /** Id of the screen, entity or dataset; the path for the rest. */
  readonly id: string
  readonly path: string
  /** Empty: the whole file. */
  readonly at: Keys
}

/** Everything in the schema files that relies on what changes, each place once. Pure: works on the files as they were. */
export function touchedBy(change: Change, sources: Sources): readonly Touched[] {
  const places = [...direct(change, sources)].filter(({ path, at }) => path !== change.path || at.join('.') !== change.at.join('.'))
  // A dashboard shows what its reports show, and a report what its dataset reads.
  const datasets = places.filter(({ kind }) => kind === 'sql').map(({ id }) => id)
  const reports = sources.report.filter(({ value }) => datasets.includes(value.dataset)).map(({ path, value }): Touched => ({ kind: 'report', id: value.id, path, at: ['dataset'] }))
  const shown = new Set([...places, ...reports].filter(({ kind }) => kind === 'report' || kind === 'list').map(({ id }) => id))
  const dashboards = sources.dashboard.flatMap((file) => mentions(file, 'dashboard', (text) => shown.has(text)))
  return distinct([...places, ...reports, ...dashboards])
}

function* direct(change: Change, sources: Sources): Iterable<Touched> {
  switch (change.named) {
    case 'field':
      return yield* field(change.owner, change.name, sources)
    case 'dimension':
    case 'measure':
    case 'parameter':
      return yield* column(change.owner, change.name, sources)
    case 'dataset':
      for (const { path, value } of sources.report) if (value.dataset === change.name) yield { kind: 'report', id: value.id, path, at: ['dataset'] }
      return
    case 'fragment':
      for (const [kind, file] of everyFile(sources)) yield* mentions(file, kind, (text, key) => text === change.name && (key === 'use' || typeof key === 'number' || key === 'when' || key === 'where'))
      return
    case 'screen':
      for (const [kind, file] of everyFile(sources)) yield* mentions(file, kind, (text, key) => text === change.name && key !== 'id')
      yield* inRoutes(sources, (route) => route.screen === change.name)
      return
    case 'entity':
      for (const [kind, file] of everyFile(sources)) yield* mentions(file, kind, (text, key) => text === change.name && (key === 'entity' || key === 'parent' || key === 'docType'))
      return yield* inSql(sources, new RegExp(`\\b${change.name}\\b`))
    case 'condition':
      for (const { path, at, entity, condition } of usesOf(sources).conditions) {
        if (entity === change.owner) for (const inside of textsIn(condition, at)) if (inside.text === change.name) yield placed(sources, path, inside.at)
      }
      return
    case 'transition':
    case 'command':
      for (const [kind, file] of everyFile(sources)) {
        if (change.named === 'command' || Reflect.get(file.value, 'entity') === change.owner || Reflect.get(file.value, 'docType') === change.owner) {
          yield* mentions(file, kind, (text, key, at) => text === change.name && (key === change.named || at.includes('transitions')) && kind !== 'workflow')
        }
      }
  }
}

function* field(entity: string, name: string, sources: Sources): Iterable<Touched> {
  const uses = usesOf(sources)
  const table = sources.entity.find(({ value }) => value.id === entity)?.value.table ?? entity
  const isIt = (owner: string, used: string): boolean => {
    const [column = '', hop] = used.split('.')
    if (owner === entity && column === name) return true
    return hop === name && targetOf(sources, owner, column) === entity
  }
  for (const use of uses.fields) if (isIt(use.entity, use.name)) yield placed(sources, use.path, use.at)
  for (const { path, at, entity: owner, condition } of uses.conditions) {
    for (const inside of keysIn(condition, at)) if (isIt(owner, inside.text)) yield placed(sources, path, inside.at)
  }
  for (const use of uses.paths) if (use.entity === entity && use.template.includes(`{${wireName(name)}}`)) yield placed(sources, use.path, use.at)
  // SQL is read by its words: the table and the column in one statement.
  yield* inSql(sources, new RegExp(`\\b${table}\\b[\\s\\S]*\\b${name}\\b|\\b${name}\\b[\\s\\S]*\\b${table}\\b`))
}

/** A column of a dataset: ratios worked out from it, and reports that show one of them. */
function* column(dataset: string, name: string, sources: Sources): Iterable<Touched> {
  const names = [name]
  for (const { path, value } of sources.dataset) {
    if (value.id !== dataset) continue
    for (const [other, { ratio = [] }] of Object.entries(value.measures ?? {})) {
      if (!ratio.includes(name)) continue
      names.push(other)
      yield { kind: 'dataset', id: dataset, path, at: ['measures', other, 'ratio', ratio.indexOf(name)] }
    }
  }
  for (const file of sources.report) if (file.value.dataset === dataset) yield* mentions(file, 'report', (text) => names.some((one) => isNamed(text, one)), labelKeys)
}

function targetOf(sources: Sources, entity: string, column: string): string | undefined {
  return sources.entity.find(({ value }) => value.id === entity)?.value.fields[column]?.entity ?? (column.endsWith('_by') ? 'app_user' : column.replace(/_id$/, ''))
}

function* inSql(sources: Sources, pattern: RegExp): Iterable<Touched> {
  for (const { path, value } of sources.dataset) if (pattern.test(bare(sources.sql[path] ?? ''))) yield { kind: 'sql', id: value.id, path: path.replace(/\.json$/, '.sql'), at: [] }
}

function bare(sql: string): string {
  return sql.replaceAll(/--.*$/gm, '').replaceAll(/\/\*[\s\S]*?\*\//g, '')
}

function* inRoutes(sources: Sources, isIt: (route: Sources['routes'][number]) => boolean): Iterable<Touched> {
  for (const [i, route] of sources.routes.entries()) if (isIt(route)) yield { kind: 'routes', id: route.path, path: 'schemas/routes.json', at: [i, 'screen'] }
}

type Named = Source<object>

function everyFile(sources: Sources): readonly (readonly [FileKind, Named])[] {
  const { routes: _routes, menu: _menu, sql: _sql, messages: _messages, ...kinds } = sources
  return Object.entries(kinds).flatMap(([kind, files]) => files.map((file: Named): readonly [FileKind, Named] => [kind as FileKind, file]))
}

const labelKeys = ['id', 'kind', 'title', 'label', 'type', 'tone', '$schema']

/** Places of a file whose text is what is looked for. */
function mentions(file: Named, kind: FileKind, isIt: (text: string, key: string | number | undefined, at: Keys) => boolean, not: readonly string[] = ['$schema']): readonly Touched[] {
  const id = String(Reflect.get(file.value, 'id') ?? Reflect.get(file.value, 'entity') ?? file.path)
  return [...textsIn(file.value, [])].filter(({ text, at }) => !not.includes(String(at.at(-1))) && isIt(text, at.at(-1), at)).map(({ at }) => ({ kind, id, path: file.path, at }))
}

/** `net_sales`, or `{NetSales}` inside a link. */
function isNamed(text: string, name: string): boolean {
  return text === name || text.includes(`{${wireName(name)}}`)
}

interface Text {
  readonly text: string
  readonly at: Keys
}

function* textsIn(value: unknown, at: Keys): Iterable<Text> {
  if (typeof value === 'string') yield { text: value, at }
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) yield* textsIn(part, [...at, Array.isArray(value) ? Number(key) : key])
}

/** Fields a condition tests: its keys, and `{ "field": … }` on the right. */
function* keysIn(condition: unknown, at: Keys): Iterable<Text> {
  if (typeof condition !== 'object' || condition === null) return
  for (const [key, part] of Object.entries(condition)) {
    const place = [...at, Array.isArray(condition) ? Number(key) : key]
    if (!Array.isArray(condition)) yield { text: key === 'field' && typeof part === 'string' ? part : key, at: place }
    yield* keysIn(part, place)
  }
}

function placed(sources: Sources, path: string, at: Keys): Touched {
  const [kind, file] = everyFile(sources).find(([, candidate]) => candidate.path === path) ?? []
  return { kind: kind ?? 'routes', id: file === undefined ? path : String(Reflect.get(file.value, 'id') ?? Reflect.get(file.value, 'entity') ?? path), path, at }
}

function distinct(places: readonly Touched[]): readonly Touched[] {
  return [...new Map(places.map((place) => [`${place.path} ${place.at.join('.')}`, place])).values()]
}
