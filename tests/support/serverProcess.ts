import { spawn, type ChildProcess } from 'node:child_process'
import http from 'node:http'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** An answer, or the fact that the connection broke before it was complete. */
export type Reply =
  // oxlint-disable-next-line no-explicit-any -- tests read into answers of every shape
  | { readonly kind: 'answered'; readonly status: number; readonly body: any }
  | { readonly kind: 'broken' }

/** The real server in a process of its own, on an embedded data folder unless the environment names another database. */
export class ServerProcess {
  readonly #child: ChildProcess
  readonly #port: number
  readonly #output: { readonly text: string }
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 200 })

  private constructor(child: ChildProcess, port: number, output: { readonly text: string }) {
    this.#child = child
    this.#output = output
    this.#port = port
  }

  /** Starts it and waits until it says that it is ready; throws with what it printed when it ends before. */
  static async start(dataFolder: string, environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const { DATABASE_URL: _url, ...env } = process.env
    const child = spawn(process.execPath, ['--import', 'tsx', path.join(root, 'src/server/main.ts')], {
      cwd: root, env: { ...env, PORT: '0', ARUS_DATA: dataFolder, ARUS_SHARED_BUFFERS_MB: '64', ...environment }, stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { text: '' }
    const port = await new Promise<number>((resolve, reject) => {
      const read = (chunk: unknown): void => {
        output.text += String(chunk)
        const ready = /ready: http:\/\/localhost:(\d+)/.exec(output.text)
        if (ready) resolve(Number(ready[1]))
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${output.text}`)))
    })
    return new ServerProcess(child, port, output)
  }

  /** What it has said so far. */
  get said(): string {
    return this.#output.text
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Ends it as a power cut would. */
  kill(): Promise<number | null> {
    return this.#end('SIGKILL')
  }

  /** Lets it finish; answers its exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  send(method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    return new Promise((resolve) => {
      const request = http.request(
        { host: '127.0.0.1', port: this.#port, method, path: url, agent: this.#agent, headers: { ...headers, ...(payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }) } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', () => resolve({ kind: 'broken' }))
          response.on('close', () => {
            if (response.complete) resolve({ kind: 'answered', status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) })
            else resolve({ kind: 'broken' })
          })
        },
      )
      request.on('error', () => resolve({ kind: 'broken' }))
      request.end(payload)
    })
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    this.#agent.destroy()
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode
    return new Promise((resolve) => {
      this.#child.once('exit', (code) => resolve(code))
      this.#child.kill(signal)
    })
  }
}
