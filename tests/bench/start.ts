import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { quantile, type Run } from './bench.ts'
import { largeCompany } from './databases.ts'

const root = path.resolve(import.meta.dirname, '../..')
const built = path.join(root, 'dist/server/main.js')

/** From the command to the first healthy answer, with all those invoices on disk; the built server if there is one. */
export const run: Run = async ({ engines, invoices, log }) => {
  if (!engines.includes('embedded')) return []
  const { place, close } = await largeCompany('embedded', invoices, log)
  await close()
  if (place.kind !== 'embedded') return []
  const samples: number[] = []
  for (let round = 0; round < 3; round++) samples.push(await startOnce(path.dirname(place.directory)))
  return [{ what: `start with ${invoices} invoices on disk, ready`, value: quantile(samples, 0.5) / 1000, unit: 's', limit: 5, bound: 'most' }]
}

async function startOnce(dataFolder: string): Promise<number> {
  const { DATABASE_URL: _url, ...env } = process.env
  const program = fs.existsSync(built) ? [built] : ['--import', 'tsx', path.join(root, 'src/server/main.ts')]
  const started = performance.now()
  const server = spawn(process.execPath, program, { cwd: root, env: { ...env, PORT: '0', ARUS_DATA: dataFolder }, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await new Promise<void>((resolve, reject) => {
      let printed = ''
      server.stdout.on('data', (chunk: unknown) => {
        printed += String(chunk)
        if (/ready: http/.test(printed)) resolve()
      })
      server.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${printed}`)))
    })
    return performance.now() - started
  } finally {
    if (server.exitCode === null) {
      await new Promise((resolve) => {
        server.once('exit', resolve)
        server.kill('SIGTERM')
      })
    }
  }
}
