// `npm start`: everything a fresh clone needs, then the server. The second start skips what is done.
import path from 'node:path'
import { build, install, requireNode, root, run } from './lib/steps.mjs'

requireNode()
await install()
await build()
// Memory of many threads is kept together, and short-lived objects are cleared away before they spread: the whole server stays small.
process.exit(await run(process.execPath, ['--enable-source-maps', '--max-semi-space-size=4', path.join(root, 'dist/server/main.js')], { env: { MALLOC_ARENA_MAX: '2', ...process.env } }))
