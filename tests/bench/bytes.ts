import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { shippedSizes } from '../support/shippedSize.ts'
import type { Measure, Run } from './bench.ts'

const client = path.resolve(import.meta.dirname, '../../dist/client')
const generated = path.resolve(import.meta.dirname, '../../src/generated')

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** What a first visit loads: the page's chunks with all they import, and its screen. */
const routes = [
  { route: 'sign-in', budget: 90, chunks: ['index.html', 'app/signIn.tsx'] },
  { route: 'list', budget: 150, chunks: ['index.html', 'app/start.tsx', 'pages/ListPage.tsx', '../generated/screens/sales-order.list.json'] },
  { route: 'form', budget: 190, chunks: ['index.html', 'app/start.tsx', 'pages/FormPage.tsx', '../generated/screens/sales-order.form.json'] },
] as const

/** Bytes of JavaScript and CSS over the wire, of the built client; `npm start` or a build makes it. */
export const run: Run = async () => {
  const file = path.join(client, '.vite/manifest.json')
  if (!fs.existsSync(file)) throw new Error('The client is not built: run `npx vite build` first.')
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Readonly<Record<string, Chunk>>
  const measures: Measure[] = routes.map(({ route, budget, chunks }) => ({
    what: `JavaScript and CSS of the ${route} route, brotli`, value: sizeOf(manifest, chunks) / 1024, unit: 'KiB', limit: budget, bound: 'most',
  }))
  const largest = (folder: string, extension: '.json' | '.js'): number => Math.max(...shippedSizes(path.join(generated, folder), extension).map(([, size]) => size)) / 1024
  measures.push({ what: 'largest resolved screen, brotli', value: largest('screens', '.json'), unit: 'KiB', limit: 2, bound: 'most' })
  measures.push({ what: 'largest form validator, brotli', value: largest('validators', '.js'), unit: 'KiB', limit: 4, bound: 'most' })
  return measures
}

function sizeOf(manifest: Readonly<Record<string, Chunk>>, names: readonly string[]): number {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`The build has no ${name}`)
    if (/\.(js|css)$/.test(chunk.file)) files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const name of names) visit(name)
  return [...files].reduce((total, file) => total + packed(path.join(client, file)), 0)
}

function packed(file: string): number {
  return zlib.brotliCompressSync(fs.readFileSync(file), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } }).length
}
