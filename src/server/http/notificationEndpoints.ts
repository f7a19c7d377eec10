import type { FastifyReply } from 'fastify'
import { listNotifications, markRead, stateOf } from '#server/notifications/notifications.ts'
import type { Stream, Streams } from '#server/notifications/streams.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import type { Api } from './api.ts'
import { closedBodyOf, idOf, numberIn } from './read.ts'

const most = 100
/** A stream ends by itself now and then: its window comes back and proves its session anew. */
const streamMs = 10 * 60_000
/** Windows of one person on one server process; more are a fault of theirs. */
const mostStreams = 12

/** What the user is told about: the list, marking as read, and the live stream. */
export function notificationEndpoints(api: Api, streams: Streams): void {
  const tag = 'Notifications'
  api.get(
    '/api/v1/notifications',
    { summary: 'Notifications of the user, newest first, and how many are unread', tag, query: { before: 'Only older ones than this id', length: '1 to 100, 20 when absent', unread: 'true: only unread ones' } },
    async (call) => {
      const length = numberIn(call.query, 'length') ?? 20
      if (length < 1 || length > most) return invalid([wrong('length', 'TOO_LARGE.between', { min: 1, max: most })])
      return { ...(await listNotifications(call.services.database, call.user.id, { before: numberIn(call.query, 'before'), length, isUnreadOnly: call.query['unread'] === 'true' })) }
    },
  )
  api.put('/api/v1/notifications/read', { summary: 'Mark every notification of the user as read', tag }, async (call) => {
    closedBodyOf(call, [])
    const { services, user } = call
    await markRead(services.database, user.id, services.clock.now())
    return { ...(await stateOf(services.database, user.id)) }
  })
  api.put('/api/v1/notifications/:id/read', { summary: 'Mark one notification as read', tag }, async (call) => {
    closedBodyOf(call, [])
    const { services, user } = call
    if (!(await markRead(services.database, user.id, services.clock.now(), idOf(call)))) fail('NOT_FOUND.gone')
    return { ...(await stateOf(services.database, user.id)) }
  })
  api.get(
    '/api/v1/notifications/stream',
    { summary: 'The same live, as server-sent events: `state` with unread and latest, `notification` with a record. Send the token in the header; ends after ten minutes', tag },
    async ({ user, sessionId, reply }) => {
      const { stream, start } = streamOver(reply, user.id, sessionId, () => streams.remove(stream))
      if (streams.countOf(user.id) >= mostStreams) fail('TOO_MANY_REQUESTS.windows')
      start()
      await streams.add(stream)
      return {}
    },
  )
}

/** Server-sent events over the raw answer. */
function streamOver(reply: FastifyReply, userId: number, sessionId: number, onEnd: () => void): { readonly stream: Stream; readonly start: () => void } {
  const { raw } = reply
  const write = (text: string): void => {
    if (!raw.writableEnded) raw.write(text)
  }
  const stream: Stream = {
    userId,
    sessionId,
    send: (event: string, data: object) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => write(': beat\n\n'),
    end: () => raw.end(),
  }
  const start = (): void => {
    reply.hijack()
    // A hijacked answer takes nothing from the framework by itself, the security headers neither.
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
    raw.setHeader('content-type', 'text/event-stream; charset=utf-8')
    raw.setHeader('cache-control', 'no-store')
    // Proxies that gather answers would hold the events back.
    raw.setHeader('x-accel-buffering', 'no')
    raw.flushHeaders()
    const limit = setTimeout(() => raw.end(), streamMs).unref()
    raw.on('close', () => {
      clearTimeout(limit)
      onEnd()
    })
  }
  return { stream, start }
}
