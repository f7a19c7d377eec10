import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import type { Answer } from './app.ts'

export interface ServerEvent {
  readonly event: string
  readonly data: Answer['data']
}

/** A stream of server-sent events as a browser reads it. */
export interface OpenStream {
  readonly status: number
  readonly headers: Headers
  readonly events: readonly ServerEvent[]
  /** The first event of this name that has come or comes. */
  next(event: string, test?: (data: ServerEvent['data']) => boolean): Promise<ServerEvent>
  /** Resolves once the server has ended it. */
  readonly ended: Promise<void>
  close(): void
}

/** Opens a stream over a real connection; `base` is where the server listens. */
export async function openStream(base: string, token: string): Promise<OpenStream> {
  const stop = new AbortController()
  const answer = await fetch(`${base}/api/v1/notifications/stream`, { headers: { authorization: `Bearer ${token}` }, signal: stop.signal })
  const events: ServerEvent[] = []
  const ended = read(answer, events).catch(() => undefined)
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    ended,
    close: () => stop.abort(),
    next: async (event, test = () => true) => {
      const find = () => events.find((one) => one.event === event && test(one.data))
      await expect.poll(find, { timeout: 10_000, interval: 20 }).toBeDefined()
      return find() ?? { event, data: undefined }
    },
  }
}

/** Where a test's server listens; closed with the app. */
export async function listening(app: FastifyInstance): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' })
}

async function read(answer: Response, events: ServerEvent[]): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of answer.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (event !== undefined && data !== undefined) events.push({ event, data: JSON.parse(data) })
    }
  }
}
