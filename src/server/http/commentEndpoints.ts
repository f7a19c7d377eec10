import { addComment, changeComment, commentBody, commentsOf, removeComment } from '#server/comments/comments.ts'
import { countsOf } from '#server/comments/counts.ts'
import { peopleWhoSee } from '#server/comments/people.ts'
import type { Api } from './api.ts'
import { command } from './command.ts'
import { noteworthy } from './noteworthy.ts'
import { bodyOf, idOf } from './read.ts'

/** What people say about a record. */
export function commentEndpoints(api: Api): void {
  const tag = 'Comments'
  api.get('/api/v1/data/:resource/:id/comments', { summary: 'Comments on a record, oldest first', tag }, async (call) => {
    const entity = await noteworthy(call)
    const { services, user } = call
    return { records: await commentsOf(services.database, entity, idOf(call), user.id, services.clock.now()) }
  })
  api.post('/api/v1/data/:resource/:id/comments', { summary: 'Comment on a record: { Text, Mentions }', tag, headers: ['Idempotency-Key'] }, async (call) => {
    const entity = await noteworthy(call)
    const body = commentBody(bodyOf(call))
    return command(call, async (run) => ({ record: await addComment(call.services, run, entity, idOf(call), body) }))
  })
  api.put('/api/v1/data/:resource/:id/comments/:commentId', { summary: 'Change a comment of one’s own, for 15 minutes', tag, headers: ['Idempotency-Key'] }, async (call) => {
    const entity = await noteworthy(call)
    const body = commentBody(bodyOf(call))
    return command(call, async (run) => ({ record: await changeComment(call.services, run, entity, idOf(call), idOf(call, 'commentId'), body) }))
  })
  api.delete('/api/v1/data/:resource/:id/comments/:commentId', { summary: 'Take back a comment of one’s own, for 15 minutes', tag, headers: ['Idempotency-Key'] }, async (call) => {
    const entity = await noteworthy(call)
    await command(call, async (run) => {
      await removeComment(run, entity, idOf(call), idOf(call, 'commentId'))
      return {}
    })
    return {}
  })
  api.get('/api/v1/data/:resource/:id/counts', { summary: 'How many comments and attachments a record has', tag }, async (call) => {
    const entity = await noteworthy(call)
    return { ...(await countsOf(call.services.database, entity, idOf(call))) }
  })
  api.get('/api/v1/data/:resource/:id/people', { summary: 'Who may see a record, to be mentioned in a comment', tag, query: { search: 'Part of the name' } }, async (call) => {
    const entity = await noteworthy(call)
    return { records: await peopleWhoSee(call.services, call.services.database, entity, idOf(call), { search: call.query['search'] ?? '' }) }
  })
}
