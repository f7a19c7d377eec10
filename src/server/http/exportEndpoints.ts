import type { ExportJobs } from '#server/export/exportJobs.ts'
import { LocalTime } from '#server/export/localTime.ts'
import { planExport } from '#server/export/planExport.ts'
import { readExportBody } from '#server/export/readExportBody.ts'
import { streamExport } from '#server/export/streamExport.ts'
import { FileAnswer, type Api } from './api.ts'
import { bodyOf, idOf } from './read.ts'

/** Lists and reports as files: at once, or in the background. */
export function exportEndpoints(api: Api, jobs: ExportJobs): void {
  const tag = 'Exports'
  api.post('/api/v1/export', { summary: 'A list or report as it is seen, as a file; X-Total-Count says how many rows it will have', tag }, async (call) => {
    const { services, user } = call
    const planned = await planExport(services, user, readExportBody(bodyOf(call)), new LocalTime())
    const { body, type, total } = await streamExport(services, planned)
    return new FileAnswer(body, { 'content-type': type, 'x-total-count': String(total), 'content-disposition': attachment(planned.fileName) })
  })
  api.post('/api/v1/export/job', { summary: 'The same, made in the background', tag }, async (call) => ({ record: await jobs.start(call.user, readExportBody(bodyOf(call))) }))
  api.get('/api/v1/export/job', { summary: 'The user’s own exports, newest first', tag }, async (call) => ({ records: await jobs.list(call.user) }))
  api.get('/api/v1/export/job/:id', { summary: 'How far an export is', tag }, async (call) => ({ record: await jobs.read(call.user, idOf(call)) }))
  api.post('/api/v1/export/job/:id/cancel', { summary: 'Stop an export; nothing of it stays', tag }, async (call) => ({ record: await jobs.cancel(call.user, idOf(call)) }))
}

/** Saved under this name, also by what knows ASCII alone. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
