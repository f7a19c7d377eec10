// Starts the built server on a fresh embedded database with the demo company, for the browser tests. Ends and cleans up with its parent.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const folder = process.env.E2E_DATA ?? fs.mkdtempSync(path.join(os.tmpdir(), 'arus-e2e-'))
process.env.ARUS_DATA = folder
process.env.ARUS_CLIENT = path.resolve(import.meta.dirname, '../../dist/client')
delete process.env.DATABASE_URL
// What a page brings along is looked at, not how fast the machine is.
process.env.ARUS_FIRST_ROWS_MS = '10000'
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
await import('../../dist/server/main.js')
