import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { quantile, type Run } from './bench.ts'
import { largeCompany } from './databases.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A second `npm start`: from the command to the server's word that it is ready, with all those invoices on disk. */
export const run: Run = async ({ engines, invoices, log }) => {
  if (!engines.includes('embedded')) return []
  const { place, close } = await largeCompany('embedded', invoices, log)
  await close()
  if (place.kind !== 'embedded') return []
  // The first start builds what has changed.
  await startOnce(path.dirname(place.directory))
  const samples: number[] = []
  for (let round = 0; round < 3; round++) samples.push(await startOnce(path.dirname(place.directory)))
  return [{ what: `start with ${invoices} invoices on disk`, value: quantile(samples, 0.5) / 1000, unit: 's', limit: 5, bound: 'most' }]
}

async function startOnce(dataFolder: string): Promise<number> {
  const { DATABASE_URL: _url, ...env } = process.env
  const started = performance.now()
  const server = spawn(process.execPath, [path.join(root, 'scripts/start.mjs')], {
    // A group of its own: the server is a child of the starter, and both are to end.
    detached: true, cwd: root, env: { ...env, PORT: '0', ARUS_DATA: dataFolder }, stdio: ['ignore', 'pipe', 'inherit'],
  })
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
        if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
      })
      await unlocked(path.join(dataFolder, 'pgdata/arus_lock'))
    }
  }
}

/** The starter ends before the server has put its data away. */
async function unlocked(lock: string): Promise<void> {
  for (let tries = 0; tries < 200 && fs.existsSync(lock) && fs.readdirSync(lock).length > 0; tries++) await new Promise((resolve) => setTimeout(resolve, 100))
}
