import { createView, deleteView, rolesFor, saveView, viewsOf } from '#server/views/savedViews.ts'
import type { Api } from './api.ts'
import { command } from './command.ts'
import { bodyOf, idOf, requiredVersion } from './read.ts'

/** Saved views of lists and reports. */
export function viewEndpoints(api: Api): void {
  const tag = 'Views'
  api.get('/api/v1/view', { summary: 'Your own views and those shared with your role', tag, query: { screen: 'Only of this screen' } }, async (call) => ({
    records: await viewsOf(call.services.database, call.user, call.query['screen'] === '' ? undefined : call.query['screen']),
    roles: await rolesFor(call.services.database, call.user),
  }))
  api.post('/api/v1/view', { summary: 'Keep a view under a name', tag, headers: ['Idempotency-Key'] }, (call) =>
    command(call, async (run) => ({ record: await createView(run, bodyOf(call)) })),
  )
  api.put('/api/v1/view/:id', { summary: 'Save, rename or share a view, or make it the default', tag, headers: ['If-Match', 'Idempotency-Key'] }, (call) => {
    const id = idOf(call)
    const version = requiredVersion(call)
    return command(call, async (run) => ({ record: await saveView(run, id, version, bodyOf(call)) }))
  })
  api.delete('/api/v1/view/:id', { summary: 'Delete a view', tag, headers: ['If-Match', 'Idempotency-Key'] }, (call) => {
    const id = idOf(call)
    const version = requiredVersion(call)
    return command(call, async (run) => {
      await deleteView(run, id, version)
      return {}
    })
  })
}
