import fs from 'node:fs'
import path from 'node:path'
import type { Route, Screen } from '#meta/resolved.ts'

/** One entry of the manifest the client's build writes: where a source file went and what it needs. */
interface BuiltFile {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, BuiltFile>>

/** What a page of the application will ask for once its first script runs; all '' where the build left no manifest. */
export interface PageFiles {
  /** Value of a `Link` header by which the browser fetches all of it at once instead of one after another. */
  readonly link: string
  /** Elements of the head for the styles the page does not name itself: a script that needs them finds them there and waits for none. */
  readonly styles: string
}

/** `folder` is that of the built client. */
export function pageFiles(folder: string, screens: Readonly<Record<string, Screen>>): (route: Route) => PageFiles {
  const file = path.join(folder, '.vite', 'manifest.json')
  if (!fs.existsSync(file)) return () => ({ link: '', styles: '' })
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest
  const keys = Object.keys(manifest)
  const known = new Map<string, PageFiles>()
  const first = closure(manifest, ['index.html'])
  return (route) => {
    const kind = route.screen === undefined ? undefined : screens[route.screen]?.kind
    const id = `${route.screen ?? ''} ${kind ?? ''}`
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
    // Every page needs the English texts: another language falls back on them.
    const texts = manifest['../generated/messages/en.json']
    const link = [
      ...Array.from(needed, (name) => `</${name}>; rel=${name.endsWith('.css') ? 'preload; as=style; crossorigin' : 'modulepreload'}`),
      ...(texts === undefined ? [] : [`</${texts.file}>; rel=preload; as=fetch; crossorigin`]),
    ].join(', ')
    const styles = Array.from(needed).filter((name) => name.endsWith('.css') && !first.has(name)).map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`)
    const files = { link, styles: styles.join('') }
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
