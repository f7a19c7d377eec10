// `npm run dev`: API server and client, both reloading on change, schema edits included.
import { spawn } from 'node:child_process'
import { bin, install, must, requireNode, root } from './lib/steps.mjs'

requireNode()
// Packages of a copy that a test runs in are those of the repository.
if (process.env.ARUS_NO_INSTALL === undefined) await install()
await must('Generating from the schemas', bin('tsx'), ['scripts/generate.ts'])
const env = { ...process.env, PORT: process.env.PORT ?? '4000' }
const children = [
  spawn(bin('tsx'), ['watch', '--clear-screen=false', '--include', 'src/generated/metadata.ts', 'src/server/main.ts'], { cwd: root, stdio: 'inherit', env }),
  spawn(bin('vite'), ['--port', process.env.CLIENT_PORT ?? '5173', '--strictPort'], { cwd: root, stdio: 'inherit', env }),
]
console.log(`\nOpen http://localhost:${process.env.CLIENT_PORT ?? '5173'} (client with hot reload; the API answers on port ${env.PORT}).\n`)
const stop = () => children.forEach((child) => child.kill('SIGTERM'))
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
for (const child of children) child.on('exit', stop)
