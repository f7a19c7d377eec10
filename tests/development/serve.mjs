// Runs the development server over a copy of the repository, so that tests may edit its schema files. The copy goes with the process.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const copy = process.env.DEVELOPMENT_COPY
for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'schemas', 'scripts', 'src', 'tests']) {
  fs.cpSync(path.join(root, name), path.join(copy, name), { recursive: true, filter: (file) => !file.includes('node_modules') })
}
fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
const env = { ...process.env, ARUS_DATA: path.join(copy, 'data'), ARUS_NO_INSTALL: '1' }
delete env.DATABASE_URL
const child = spawn(process.execPath, ['scripts/dev.mjs'], { cwd: copy, stdio: 'inherit', env })
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', () => {
  fs.rmSync(copy, { recursive: true, force: true, maxRetries: 10 })
  process.exit()
})
