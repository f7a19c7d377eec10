import { spawn } from 'node:child_process'
import path from 'node:path'

import type { Plugin, ViteDevServer } from 'vite'

const root = path.resolve(import.meta.dirname, '..')
const schemas = path.join(root, 'schemas') + path.sep
const screens = path.join(root, 'src/generated/screens') + path.sep
/** Event that carries a fresh screen module to `src/client/app/screens.ts`. */
const screenEvent = 'arus:screen'

/**
 * Development: a saved schema file is generated and checked at once. A changed screen is sent to the page, which keeps its state;
 * a new or deleted file reloads. Findings show over the page with file, line and column, and the rest goes on working.
 */
export function schemaReload(): Plugin {
  return {
    name: 'arus-schemas',
    apply: (_, { command }) => command === 'serve' && process.env['VITEST'] === undefined,
    configureServer(server) {
      server.watcher.add(schemas)
      const save = gathered((events) => regenerate(server, events.has('add') || events.has('unlink')))
      for (const event of ['add', 'change', 'unlink'] as const) {
        server.watcher.on(event, (file) => {
          if (file.startsWith(schemas)) save(event)
        })
      }
    },
    async hotUpdate({ file, read, server }) {
      if (!file.startsWith(screens) || this.environment.name !== 'client') return undefined
      server.ws.send(screenEvent, JSON.parse(await read()))
      return []
    },
  }
}

/** Several saves in a row are one run; a save during a run starts another after it. */
function gathered(work: (events: ReadonlySet<string>) => Promise<void>): (event: string) => void {
  let waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  return (event) => {
    waiting.add(event)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const events = waiting
      waiting = new Set()
      running = running.then(() => work(events))
    }, 60)
  }
}

async function regenerate(server: ViteDevServer, reload: boolean): Promise<void> {
  const generated = await run('scripts/generate.ts')
  const checked = await run('scripts/check.ts', '--errors')
  const findings = checked.code === 0 ? generated.errors : checked.output
  if (reload) server.ws.send({ type: 'full-reload' })
  if (findings.trim() === '') return
  server.config.logger.error(findings)
  server.ws.send({ type: 'error', err: { message: findings, stack: '', plugin: 'arus-schemas' } })
}

/** In a process of its own: the generator's modules change too while one works on them. */
function run(script: string, ...options: string[]): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', script, ...options], { cwd: root })
    let output = ''
    let errors = ''
    child.stdout.on('data', (text: Buffer) => (output += text.toString()))
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
    child.on('close', (code) => resolve({ code: code ?? 1, output, errors }))
  })
}
