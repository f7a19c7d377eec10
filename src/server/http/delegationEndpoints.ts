import { delegatesFor, delegationsOf, endDelegation, handOver } from '#server/approval/delegations.ts'
import type { Api } from './api.ts'
import { command } from './command.ts'
import { bodyOf, idOf } from './read.ts'

/** Approvals handed over for some days: everybody's own. */
export function delegationEndpoints(api: Api): void {
  const tag = 'Approval'
  api.get('/api/v1/delegation', { summary: 'Approvals the user has handed over and those handed to him', tag }, async ({ services, user }) =>
    ({ ...(await delegationsOf(services.database, services.metadata, user, services.clock.today())) }))
  api.get('/api/v1/delegation/people', { summary: 'People the user may hand his approvals over to', tag, query: { search: 'Text in name, address or role' } }, async ({ services, user, query }) => ({
    records: await delegatesFor(services.database, services.metadata, user, query['search'] ?? ''),
  }))
  api.post('/api/v1/delegation', { summary: 'Hand approvals over for some days', tag, headers: ['Idempotency-Key'] }, (call) =>
    command(call, async (run) => ({ record: await handOver(run, bodyOf(call)) })),
  )
  api.post('/api/v1/delegation/:id/end', { summary: 'End it before its last day', tag, headers: ['Idempotency-Key'] }, (call) => {
    const id = idOf(call)
    return command(call, async (run) => ({ record: await endDelegation(run, id) }))
  })
}
