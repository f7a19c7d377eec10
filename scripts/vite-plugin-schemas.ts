import path from 'node:path'

import type { Plugin, ViteDevServer } from 'vite'

import type { PlacedFinding, Round } from './schemas/keeper.ts'
import { KeeperProcess } from './schemas/keeperProcess.ts'

const root = path.resolve(import.meta.dirname, '..')
const below = (folder: string): string => path.join(root, folder) + path.sep
const schemas = below('schemas')
const screens = below('src/generated/screens')
const validators = below('src/generated/validators')
/** What the keeper runs: when it changes, another one is started. */
const machinery = [below('scripts'), below('src/meta')]

/** Events to `src/client/app/screens.ts` and `src/client/app/development`. */
const screenEvent = 'arus:screen'
const validationEvent = 'arus:validation'
const findingsEvent = 'arus:findings'
/** A page that has just come asks for the findings. */
const askEvent = 'arus:ask'

/**
 * Development: a saved schema file is checked and generated at once, in one process that lives as long as the server. A changed screen is sent to the
 * page, which keeps its state; a new or deleted file reloads. Findings show on the screens they concern with file, line and column; a screen with
 * errors stays as it last was without them, and the rest goes on working.
 */
export function schemaReload(): Plugin {
  let findings: readonly PlacedFinding[] = []
  return {
    name: 'arus-schemas',
    apply: (_, { command }) => command === 'serve' && process.env['VITEST'] === undefined,
    configureServer(server) {
      server.watcher.add(schemas)
      const keeper = new KeeperProcess()
      const round = async (reload: boolean): Promise<void> => {
        const outcome = await keeper.round()
        if ('failed' in outcome) return server.config.logger.error(outcome.failed)
        findings = outcome.findings
        server.ws.send(findingsEvent, findings)
        if (reload) server.ws.send({ type: 'full-reload' })
        report(server, outcome)
      }
      server.ws.on(askEvent, (_, client) => client.send(findingsEvent, findings))
      const save = gathered((events) => round(events.has('add') || events.has('unlink')))
      for (const event of ['add', 'change', 'unlink'] as const) {
        server.watcher.on(event, (file) => {
          if (file.startsWith(schemas) && /\.(json|sql)$/.test(file)) save(event)
          else if (machinery.some((folder) => file.startsWith(folder))) keeper.end()
        })
      }
      server.httpServer?.on('close', () => keeper.end())
      // What stands there now is what a mistake made later is measured by.
      save('change')
    },
    async hotUpdate({ file, modules, read, server, timestamp }) {
      if (this.environment.name !== 'client') return undefined
      if (file.startsWith(screens) && file.endsWith('.json')) {
        server.ws.send(screenEvent, JSON.parse(await read()))
        return []
      }
      if (file.startsWith(validators) && file.endsWith('.js')) {
        for (const module of modules) this.environment.moduleGraph.invalidateModule(module)
        for (const { url } of modules) server.ws.send(validationEvent, { id: path.basename(file, '.js'), url: `${url}?t=${timestamp}` })
        return []
      }
      return undefined
    },
  }
}

function report(server: ViteDevServer, { findings, checked, generated }: Round): void {
  const { logger } = server.config
  for (const { path: file, line, column, severity, code, message } of findings) (severity === 'error' ? logger.error : logger.warn)(`${file}:${line}:${column} ${severity} ${code} ${message}`)
  logger.info(`schemas: ${findings.length} findings, checked in ${checked} ms, generated in ${generated} ms`)
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
