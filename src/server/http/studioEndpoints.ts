import { Readable } from 'node:stream'
import { checkedFor, createDraft, deleteDraft, draftsOf, peopleFor, questionIn, readDraft, reportIn, requireStudio, saveDraft, sharedDraft, shareDraft, sharedWith, sourceIn, sourceNow } from '#server/studio/drafts.ts'
import { materialFor, sourceOfReport } from '#server/studio/material.ts'
import { preview } from '#server/studio/preview.ts'
import { drawUp, patchIn, proposals, propose, publicationOffer, requireReview, withdraw } from '#server/studio/proposals.ts'
import { FileAnswer, type Api, type Call } from './api.ts'
import { command } from './command.ts'
import { bodyOf, closedBodyOf, idOf, requiredVersion } from './read.ts'

/** Reports composed by analysts: drafts, their preview and check, trials by colleagues, proposals. */
export function studioEndpoints(api: Api): void {
  const tag = 'Report studio'
  const base = '/api/v1/studio'
  const allowed = (call: Call): Call => {
    requireStudio(call.services, call.user)
    return call
  }
  api.get(`${base}/dataset`, { summary: 'What the user may compose reports of, and the reports he may start from', tag }, async (call) => materialFor(allowed(call).services, call.user))
  api.get(`${base}/report/:screen`, { summary: 'The file of a report', tag }, async (call) => ({ Source: sourceOfReport(allowed(call).services, call.user, call.params['screen'] ?? '') }))
  api.post(`${base}/check`, { summary: 'What the check says of a report, and the screen it would be', tag }, async (call) => {
    const body = closedBodyOf(allowed(call), ['Source'])
    const { findings, report } = checkedFor(call.services, call.user, sourceIn(body))
    return { findings, ...(report === undefined ? {} : { screen: report.screen }) }
  })
  api.post(`${base}/preview`, { summary: 'At most 50 rows or groups of a report that is not published', tag }, async (call) => {
    const body = closedBodyOf(allowed(call), ['Source', 'IsSummary', 'Query'])
    const source = sourceIn(body)
    const question = questionIn(body)
    return preview(call.services, call.user, reportIn(call.services, call.user, source).screen, question)
  })
  api.get(`${base}/draft`, { summary: 'Own drafts, drafts of others to be tried, own proposals', tag }, async (call) => {
    const { services, user } = allowed(call)
    const [records, shared, own] = await Promise.all([draftsOf(services.database, user), sharedWith(services.database, user), proposals(services, user, false)])
    return { records, shared, proposals: own }
  })
  api.post(`${base}/draft`, { summary: 'Keep a draft', tag, headers: ['Idempotency-Key'] }, (call) => command(allowed(call), async (run) => ({ record: await createDraft(run, bodyOf(call)) })))
  api.get(`${base}/draft/:id`, { summary: 'An own draft', tag }, async (call) => ({ record: await readDraft(allowed(call).services.database, call.user, idOf(call)) }))
  api.put(`${base}/draft/:id`, { summary: 'Change a draft', tag, headers: ['If-Match', 'Idempotency-Key'] }, (call) => {
    const [id, version] = [idOf(allowed(call)), requiredVersion(call)]
    return command(call, async (run) => ({ record: await saveDraft(run, id, version, bodyOf(call)) }))
  })
  api.delete(`${base}/draft/:id`, { summary: 'Throw a draft away', tag, headers: ['If-Match', 'Idempotency-Key'] }, (call) => {
    const [id, version] = [idOf(allowed(call)), requiredVersion(call)]
    return command(call, async (run) => {
      await deleteDraft(run, id, version)
      return {}
    })
  })
  api.get(`${base}/draft/:id/people`, { summary: 'Whom a draft may be shared with', tag, query: { search: 'Part of a name, role or address' } }, async (call) => ({
    records: await peopleFor(allowed(call).services, call.user, idOf(call), call.query['search'] ?? ''),
  }))
  api.put(`${base}/draft/:id/readers`, { summary: 'Who may try a draft', tag, headers: ['If-Match', 'Idempotency-Key'] }, (call) => {
    const [id, version] = [idOf(allowed(call)), requiredVersion(call)]
    return command(call, async (run) => ({ record: await shareDraft(run, id, version, closedBodyOf(call, ['UserIDs'])) }))
  })
  api.get(`${base}/draft/:id/publication`, { summary: 'What publishing a draft would be called', tag }, async (call) => publicationOffer(allowed(call).services, call.user, idOf(call)))
  api.post(`${base}/draft/:id/proposal`, { summary: 'Propose a draft for publication: its files as a patch', tag, headers: ['If-Match', 'Idempotency-Key'] }, async (call) => {
    const { services, user } = allowed(call)
    const drawn = await drawUp(services, user, idOf(call), requiredVersion(call), bodyOf(call))
    return command(call, async (run) => ({ record: await propose(run, drawn) }))
  })
  api.get(`${base}/proposal`, { summary: 'All proposals, newest first', tag }, async (call) => {
    requireReview(call.services, call.user)
    return { records: await proposals(call.services, call.user, true) }
  })
  api.get(`${base}/proposal/:id/patch`, { summary: 'The patch of a proposal', tag }, async (call) => {
    const { name, text } = await patchIn(call.services, call.user, idOf(call))
    return new FileAnswer(Readable.from([text]), { 'content-type': 'text/x-patch; charset=utf-8', 'content-disposition': `attachment; filename="${name}"` })
  })
  api.post(`${base}/proposal/:id/withdraw`, { summary: 'Withdraw an own proposal', tag, headers: ['Idempotency-Key'] }, (call) => {
    const id = idOf(allowed(call))
    closedBodyOf(call, [])
    return command(call, async (run) => ({ record: await withdraw(run, id) }))
  })
  api.get(`${base}/trial/:id`, { summary: 'A draft somebody lets the user try', tag }, async (call) => {
    const { Source: source, ...about } = await sharedDraft(call.services.database, call.user, idOf(call))
    const { report } = checkedFor(call.services, call.user, sourceNow(call.services, source))
    return { record: { ...about, ...(report === undefined ? {} : { screen: report.screen }) } }
  })
  api.post(`${base}/trial/:id/answer`, { summary: 'At most 50 rows or groups of it, in the own scope', tag }, async (call) => {
    const question = questionIn(closedBodyOf(call, ['IsSummary', 'Query']))
    const source = sourceNow(call.services, (await sharedDraft(call.services.database, call.user, idOf(call))).Source)
    return preview(call.services, call.user, reportIn(call.services, call.user, source).screen, question)
  })
}
