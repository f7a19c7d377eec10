// `npm start`: everything a fresh clone needs, then the server. The second start skips what is done.
import path from 'node:path'
import { serverEnvironment, serverFlags } from './lib/serverFlags.mjs'
import { build, install, requireNode, root, run } from './lib/steps.mjs'

requireNode()
await install()
await build()
process.exit(await run(process.execPath, [...serverFlags(process.env.DATABASE_URL), path.join(root, 'dist/server/main.js')], { env: { ...serverEnvironment, ...process.env } }))
