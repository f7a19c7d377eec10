import type { ScheduleRounds } from '#server/schedules/scheduleRounds.ts'
import { createSchedule, deleteSchedule, recipientsFor, saveSchedule, schedulesOf, sendNow } from '#server/schedules/schedules.ts'
import type { Api } from './api.ts'
import { command } from './command.ts'
import { bodyOf, idOf, requiredVersion } from './read.ts'

/** Reports sent by mail at certain times. */
export function scheduleEndpoints(api: Api, rounds: ScheduleRounds): void {
  const tag = 'Report schedules'
  api.get('/api/v1/report-schedule', { summary: 'Your own scheduled reports, soonest first', tag, query: { screen: 'Only of this report' } }, async (call) => ({
    records: await schedulesOf(call.services.database, call.user, call.query['screen'] === '' ? undefined : call.query['screen']),
  }))
  api.get('/api/v1/report-schedule/people', { summary: 'Who may be sent a report', tag, query: { screen: 'The report; absent: nobody', search: 'Part of a name, role or address' } }, async (call) => ({
    records: (call.query['screen'] ?? '') === '' ? [] : await recipientsFor(call.services, call.user, call.query['screen'] ?? '', call.query['search'] ?? ''),
  }))
  api.post('/api/v1/report-schedule', { summary: 'Send a report at certain times', tag, headers: ['Idempotency-Key'] }, (call) =>
    command(call, async (run) => ({ record: await createSchedule(run, bodyOf(call)) })),
  )
  api.put('/api/v1/report-schedule/:id', { summary: 'Change a scheduled report, stop or resume it', tag, headers: ['If-Match', 'Idempotency-Key'] }, (call) => {
    const id = idOf(call)
    const version = requiredVersion(call)
    return command(call, async (run) => ({ record: await saveSchedule(run, id, version, bodyOf(call)) }))
  })
  api.delete('/api/v1/report-schedule/:id', { summary: 'Send it no more', tag, headers: ['If-Match', 'Idempotency-Key'] }, (call) => {
    const id = idOf(call)
    const version = requiredVersion(call)
    return command(call, async (run) => {
      await deleteSchedule(run, id, version)
      return {}
    })
  })
  api.post('/api/v1/report-schedule/:id/send', { summary: 'Send it at once', tag, headers: ['Idempotency-Key'] }, async (call) => {
    const id = idOf(call)
    const answer = await command(call, async (run) => ({ record: await sendNow(run, id) }))
    rounds.wake()
    return answer
  })
}
