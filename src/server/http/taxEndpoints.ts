import { Readable } from 'node:stream'
import { fileEnd, fileStart, taxInvoiceXml } from '#domain/tax/coretax.ts'
import { requireEntityGuard } from '#server/access/guards.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { fail } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { contentsOf, isWhole } from '#server/tax/taxInvoices.ts'
import { FileAnswer, type Api } from './api.ts'
import { idOf } from './read.ts'

/** Files of tax invoices as Coretax takes them. */
export function taxEndpoints(api: Api): void {
  api.get('/api/v1/tax-invoice-xml/:id', { summary: 'The XML file (TaxInvoiceBulk) of tax invoices put together, for the upload to Coretax', tag: 'Tax' }, async (call) => {
    const { services, user } = call
    requireEntityGuard(services.metadata, user, knownEntity(services.metadata, 'tax_invoice_batch'), 'view')
    requireEntityGuard(services.metadata, user, knownEntity(services.metadata, 'tax_invoice'), 'list')
    const file = await services.database.first<{ id: number; code: string; npwp: string; status: string }>(sql`
      select b.id, b.code, b.status, m.npwp from tax_invoice_batch b join company m on m.id = b.company_id where b.id = ${idOf(call)}`)
    if (file === undefined || file.status === 'RELEASED' || !(await isWhole(services.database, user, file.id))) return fail('NOT_FOUND')
    const body = Readable.from(parts(services, file.id, file.npwp))
    return new FileAnswer(body, { 'content-type': 'application/xml; charset=utf-8', 'content-disposition': `attachment; filename="${file.code}.xml"` })
  })
}

async function* parts(services: Services, id: number, npwp: string): AsyncGenerator<string> {
  yield fileStart(npwp)
  for await (const some of contentsOf(services.database, id)) yield some.map(({ invoice }) => taxInvoiceXml(invoice)).join('')
  yield fileEnd
}
