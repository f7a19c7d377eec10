import type { ScanState } from '#api/ocr.ts'
import { requireEntityGuard } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { KeptPage, OcrJobs } from '#server/ocr/ocrJobs.ts'
import { fail } from '#server/problemError.ts'
import type { Reading } from '#domain/ocr/extract.ts'
import { FileAnswer, type Api, type Call } from './api.ts'
import { idOf } from './read.ts'

interface ScanRow extends Row {
  readonly id: number
  readonly reading: ScanState['Reading']
  readonly problem: ScanState['Problem']
  readonly page: number | null
  readonly pages_there: number | null
  readonly pages: readonly KeptPage[] | null
  readonly readings: readonly Reading[] | null
}

/** How far the reading of scanned invoices is, and what was read where. */
export function ocrEndpoints(api: Api, jobs: OcrJobs): void {
  const tag = 'Scans'
  api.get('/api/v1/ocr/:id', { summary: 'How far a scan is read, and what was read where on its pages', tag }, async (call) => answerOf(await scanIn(call, 'view')))
  api.get('/api/v1/ocr/:id/page/:page', { summary: 'The picture of a page', tag }, async (call) => {
    const { pages } = await scanIn(call, 'view')
    const page = pages?.[Number(call.params['page']) - 1]
    if (page === undefined) return fail('NOT_FOUND.file')
    return new FileAnswer(await call.services.files.read(page.key), { 'content-type': 'image/jpeg', 'content-disposition': 'inline; filename="page.jpg"', 'cache-control': 'private, max-age=86400' })
  })
  api.post('/api/v1/ocr/:id/stop', { summary: 'Stop reading a scan', tag }, async (call) => {
    await jobs.stop((await scanIn(call, 'edit')).id)
    return answerOf(await scanIn(call, 'edit'))
  })
}

async function scanIn(call: Call, guard: 'view' | 'edit'): Promise<ScanRow> {
  const { services, user } = call
  const entity = knownEntity(services.metadata, 'vendor_invoice_ocr')
  requireEntityGuard(services.metadata, user, entity, guard)
  const scope = scopeCondition(services.metadata, user, entity, 't')
  const row = await services.database.first<ScanRow>(sql`
    select t.id, t.reading, t.problem, r.page, r.pages_there, r.pages, r.readings from vendor_invoice_ocr t left join vendor_invoice_ocr_reading r on r.vendor_invoice_ocr_id = t.id
    where t.id = ${idOf(call)} and ${scope ?? sql`true`}`)
  return row ?? fail('NOT_FOUND')
}

function answerOf({ reading, problem, page, pages_there: there, pages, readings }: ScanRow): ScanState {
  return {
    Reading: reading, Problem: problem, Page: page ?? 0, PagesThere: there ?? 0,
    Pages: (pages ?? []).map(({ width, height, isDigital }) => ({ Width: width, Height: height, IsDigital: isDigital })),
    Readings: (readings ?? []).map(({ field, value, confidence, page: no, box }) => ({ Field: field, Value: value, Confidence: confidence, Page: no, X: box.x, Y: box.y, W: box.w, H: box.h })),
  }
}
