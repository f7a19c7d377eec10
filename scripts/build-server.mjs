// Bundles the server into dist/server: one file for the process, one for the database worker, the migrations and the API page beside them.
import { build } from 'esbuild'
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { commitOf } from './lib/commit.mjs'

const root = path.resolve(import.meta.dirname, '..')
const out = path.join(root, 'dist', 'server')
const version = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version

fs.rmSync(out, { recursive: true, force: true })
await build({
  entryPoints: {
    main: path.join(root, 'src/server/main.ts'),
    worker: path.join(root, 'src/server/db/worker.ts'),
    reader: path.join(root, 'src/server/ocr/reader.ts'),
    seed: path.join(root, 'scripts/seed.ts'),
  },
  outdir: out,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'linked',
  // PGlite and what reads scans have data files beside its own module; everything else starts faster from one file.
  external: ['@electric-sql/pglite', 'pg-native', 'sharp', '@napi-rs/canvas', 'tesseract.js', 'pdfjs-dist'],
  // Its other form asks for its parts in a way that cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  define: { 'process.env.ARUS_VERSION': JSON.stringify(version), 'process.env.ARUS_COMMIT': JSON.stringify(commitOf(root)) },
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  logLevel: 'warning',
})
fs.cpSync(path.join(root, 'src/server/db/migrations'), path.join(out, 'migrations'), { recursive: true })
fs.cpSync(path.join(root, 'src/server/openapi/docs'), path.join(out, 'docs'), { recursive: true })
compress(path.join(root, 'dist', 'client'))

/** A brotli copy beside each text file, so that serving costs no processor time. */
function compress(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) compress(file)
    else if (/\.(js|css|html|svg|json)$/.test(entry.name)) {
      const text = fs.readFileSync(file)
      fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(text, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } }))
    }
  }
}
