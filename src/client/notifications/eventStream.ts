import { headersFor } from '../data/http.ts'

export interface ServerEvent {
  readonly event: string
  readonly data: unknown
}

/** How a stream ended: the server closed it, refused the session, refused for now, or there was no way to it. */
export type StreamEnd = 'closed' | 'unauthorized' | 'refused' | 'broken'

/**
 * Reads server-sent events with the session's token in a header, which the browser's own EventSource cannot send (a token in an address
 * would stand in logs). `onSign` is told of every sign of life, heartbeats included.
 */
export async function readEvents(path: string, signal: AbortSignal, onSign: () => void, onEvent: (event: ServerEvent) => void): Promise<StreamEnd> {
  try {
    // oxlint-disable-next-line no-restricted-globals -- an answer that goes on for minutes cannot be read through XMLHttpRequest
    const answer = await fetch(path, { headers: headersFor({}), signal, cache: 'no-store' })
    if (answer.status === 401) return 'unauthorized'
    if (!answer.ok || answer.body === null) return 'refused'
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return 'closed'
      onSign()
      const blocks = `${rest}${value}`.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== undefined) onEvent(event)
      }
    }
  } catch {
    return 'broken'
  }
}

/** One block of a stream; undefined for a comment or anything else that is no event. */
export function parseEvent(block: string): ServerEvent | undefined {
  const lines = block.split('\n')
  const event = lines.find((line) => line.startsWith('event: '))?.slice(7)
  const text = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6)).join('\n')
  if (event === undefined || text === '') return undefined
  try {
    return { event, data: JSON.parse(text) }
  } catch {
    return undefined
  }
}
