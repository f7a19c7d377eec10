// The modules of the server as JavaScript, one file each, so that Node loads them itself: what tests wait for before their first line runs is loading.
import { transform } from 'esbuild'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname, '..', '..')
const source = path.join(root, 'src')
/** Vitest leaves what lies in node_modules to Node. */
const target = path.join(root, 'node_modules', '.cache', 'arus-modules')
const folders = ['base', 'meta', 'domain', 'api', 'server', 'generated']
const made = ['screens', 'validators', 'editor'].map((name) => path.join(source, 'generated', name) + path.sep)

/** Where the module of this file of src lies; undefined: it is none of the server's. */
export function prebuiltModule(file) {
  const name = path.relative(source, file)
  if (name.startsWith('..') || !folders.includes(name.split(path.sep)[0] ?? '') || !file.endsWith('.ts')) return undefined
  return path.join(target, 'src', `${name.slice(0, -'.ts'.length)}.js`)
}

/** Writes anew what has changed since; what is gone from src is gone here. */
export async function prebuild() {
  fs.mkdirSync(target, { recursive: true })
  fs.writeFileSync(path.join(target, 'package.json'), JSON.stringify({ type: 'module', imports: Object.fromEntries(folders.map((name) => [`#${name}/*`, `./src/${name}/*`])) }))
  const wanted = new Map()
  for (const folder of folders) {
    for (const entry of fs.readdirSync(path.join(source, folder), { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name)
      if (!entry.isFile() || made.some((one) => file.startsWith(one)) || !/\.(ts|json)$/.test(entry.name) || entry.name.endsWith('.d.ts')) continue
      wanted.set(prebuiltModule(file) ?? path.join(target, 'src', path.relative(source, file)), file)
    }
  }
  for (const entry of fs.existsSync(path.join(target, 'src')) ? fs.readdirSync(path.join(target, 'src'), { recursive: true, withFileTypes: true }) : []) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isFile() && !wanted.has(file)) fs.rmSync(file)
  }
  await Promise.all([...wanted].map(([to, from]) => write(from, to)))
}

async function write(from, to) {
  const changed = fs.statSync(from).mtimeMs
  if (fs.existsSync(to) && Math.abs(fs.statSync(to).mtimeMs - changed) < 1) return
  fs.mkdirSync(path.dirname(to), { recursive: true })
  const text = fs.readFileSync(from, 'utf8')
  // Files are looked for beside the source, whatever place it is loaded from.
  const places = { 'import.meta.dirname': JSON.stringify(path.dirname(from)), 'import.meta.url': JSON.stringify(pathToFileURL(from).href) }
  const code = from.endsWith('.json') ? text : named((await transform(text, { loader: 'ts', format: 'esm', target: 'node20.19', sourcefile: from, sourcemap: from.includes('generated') ? false : 'inline', define: places })).code)
  // Beside, then in its place: two runs at once never load half a file.
  const beside = `${to}.${process.pid}`
  fs.writeFileSync(beside, code)
  fs.utimesSync(beside, changed / 1000, changed / 1000)
  fs.renameSync(beside, to)
}

/** Modules are asked for by the names they have here. */
function named(code) {
  return code.replaceAll(/((?:from|import)\s*\(?\s*)"([#.][^"]*)\.ts"/g, '$1"$2.js"')
}
