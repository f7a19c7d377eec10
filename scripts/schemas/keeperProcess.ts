import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { Round } from './keeper.ts'

/** A round that came to nothing, and why. */
export interface Failed {
  readonly failed: string
}

interface Program {
  readonly file: string
  /** Options of Node before the file. */
  readonly options: readonly string[]
  /** What runs it; Node unless said. */
  readonly program?: string
}

const root = path.resolve(import.meta.dirname, '../..')
const ended = 'The check of the schemas has ended; the next save starts it again.'

/** The check and the generator in a process of their own, started when first needed. Whatever becomes of that process, the caller goes on. */
export class KeeperProcess {
  readonly #program: Program
  #child: ChildProcess | undefined

  constructor(program: Program = { file: path.join(root, 'scripts/schemas/keeper.ts'), options: ['--import', 'tsx'] }) {
    this.#program = program
  }

  get file(): string {
    return this.#program.file
  }

  /** Checks and generates once; one round at a time. */
  round(): Promise<Round | Failed> {
    const child = (this.#child ??= this.#start())
    return new Promise((resolve) => {
      const done = (outcome: Round | Failed): void => {
        for (const event of ['exit', 'disconnect'] as const) child.off(event, gone)
        child.off('error', broken).off('message', done)
        resolve(outcome)
      }
      const gone = (): void => {
        this.#forget(child)
        done({ failed: ended })
      }
      const broken = (error: Error): void => {
        this.#forget(child)
        done({ failed: `${ended} (${error.message})` })
      }
      child.once('exit', gone).once('disconnect', gone).once('error', broken).once('message', done)
      // Without anybody to hear it, a message that cannot be sent ends the server.
      child.send('round', (error) => {
        if (error !== null) gone()
      })
    })
  }

  end(): void {
    const child = this.#child
    this.#child = undefined
    if (child?.connected === true) child.disconnect()
  }

  #start(): ChildProcess {
    const { file, options, program } = this.#program
    const child = fork(file, { cwd: root, execArgv: [...options], ...(program === undefined ? {} : { execPath: program }) })
    child.once('exit', () => this.#forget(child))
    // An error nobody listens for ends the server; a round that is under way tells it.
    child.on('error', () => this.#forget(child))
    return child
  }

  #forget(child: ChildProcess): void {
    if (this.#child !== child) return
    this.#child = undefined
    if (child.connected) child.disconnect()
  }
}
