import fs from 'node:fs'
import path from 'node:path'
import type { Route, Screen } from '#meta/resolved.ts'
import { FirstTexts } from './firstTexts.ts'

/** One entry of the manifest the client's build writes: where a source file went and what it needs. */
interface BuiltFile {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, BuiltFile>>

/** What a page of the application will ask for once its first script runs; nothing where the build left no manifest. */
export interface PageFiles {
  /** Value of a `Link` header by which the browser fetches all of it at once instead of one after another. */
  readonly link: string
  /** Elements of the head for the styles the page does not name itself: a script that needs them finds them there and waits for none. */
  readonly styles: string
  /** JSON of the texts it may draw first, by key; undefined where it waits for all of them. */
  readonly texts: string | undefined
}

/** What a list shows from its beginning where it is narrow, empty, grouped, long, in an order of its own or of another record: loaded when that is so, by `loadSpokenChunk`. */
const partsOfLists = ['table/CardList.tsx', 'table/CardTotals.tsx', 'table/GroupedTable.tsx', 'table/OrderedList.tsx', 'table/VirtualBody.tsx', 'pages/NoRows.tsx', 'pages/ListOwner.tsx']

/** `folder` is that of the built client. */
export function pageFiles(folder: string, screens: Readonly<Record<string, Screen>>): (route: Route, language?: string) => PageFiles {
  const file = path.join(folder, '.vite', 'manifest.json')
  if (!fs.existsSync(file)) return () => ({ link: '', styles: '', texts: undefined })
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest
  const keys = Object.keys(manifest)
  const known = new Map<string, PageFiles>()
  const first = closure(manifest, ['index.html'])
  const catalogues = Object.fromEntries(keys.flatMap((key) => {
    const language = /generated\/messages\/(\w+)\.json$/.exec(key)?.[1]
    return language === undefined ? [] : [[language, manifest[key]?.file ?? '']]
  }))
  const spoken = new FirstTexts(folder, catalogues)
  return (route, asked) => {
    // What a cookie says is kept only where it is one of ours.
    const language = asked !== undefined && Object.hasOwn(catalogues, asked) ? asked : ''
    const kind = route.screen === undefined ? undefined : screens[route.screen]?.kind
    const id = `${route.screen ?? ''} ${kind ?? ''} ${language}`
    const before = known.get(id)
    if (before !== undefined) return before
    const page = kind === undefined ? undefined : keys.find((key) => key.endsWith(`/${kind.charAt(0).toUpperCase()}${kind.slice(1)}Page.tsx`))
    const roots = [
      'app/start.tsx',
      ...(page === undefined ? [] : [page]),
      ...(kind === 'list' ? ['table/earlyRows.ts'] : []),
      ...(route.screen === undefined ? [] : [`../generated/screens/${route.screen}.json`, `../generated/validators/${route.screen}.js`]),
    ]
    // What the page itself names is named here too, before the rest: of a few connections the file all others wait for has one at once.
    const needed = new Set([...first, ...closure(manifest, roots)])
    // What a list draws first stands in these files. One that takes part in a common choice loads another part before it is drawn.
    const texts = kind === 'list' && route.preload === undefined ? spoken.of([...needed, ...closure(manifest, partsOfLists)], language) : undefined
    const catalogue = texts === undefined ? (catalogues[language] ?? catalogues['en']) : undefined
    const link = [
      ...Array.from(needed, (name) => `</${name}>; rel=${name.endsWith('.css') ? 'preload; as=style; crossorigin' : 'modulepreload'}`),
      ...(catalogue === undefined ? [] : [`</${catalogue}>; rel=preload; as=fetch; crossorigin`]),
    ].join(', ')
    const styles = Array.from(needed).filter((name) => name.endsWith('.css') && !first.has(name)).map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`)
    const files = { link, styles: styles.join(''), texts }
    known.set(id, files)
    return files
  }
}

/**
 * Built files of these sources and of all they import, each after what it imports: what others wait for comes first, and of two styles that both say
 * something its own counts. A source that is no part of the build has none.
 */
function closure(manifest: Manifest, roots: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const seen = new Set<string>()
  const visit = (key: string): void => {
    const entry = manifest[key]
    if (entry === undefined || seen.has(key)) return
    seen.add(key)
    for (const other of entry.imports ?? []) visit(other)
    for (const css of entry.css ?? []) found.add(css)
    found.add(entry.file)
  }
  for (const root of roots) visit(root)
  return found
}
