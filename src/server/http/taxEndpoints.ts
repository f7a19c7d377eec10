import { Readable } from 'node:stream'
import { fileEnd, fileStart, taxInvoiceXml } from '#domain/tax/coretax.ts'
import { withholdingFile, type WithholdingSlip } from '#domain/tax/withholdingSlips.ts'
import { requireEntityGuard } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { fail } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { contentsOf } from '#server/tax/taxContents.ts'
import { isWhole } from '#server/tax/taxInvoices.ts'
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

  api.get('/api/v1/withholding-slips/:id', { summary: 'The XML file (BpuBulk) of the income tax a unit withheld from vendors in a month, for the upload to Coretax', tag: 'Tax' }, async (call) => {
    const { services, user } = call
    const entity = knownEntity(services.metadata, 'withholding_month')
    requireEntityGuard(services.metadata, user, entity, 'list')
    const scope = scopeCondition(services.metadata, user, entity, 'm') ?? sql`true`
    const month = await services.database.first<{ unit: number; period: string; code: string; tin: string; place: string; incomplete: number }>(sql`
      select m.operating_unit_id as unit, m.period, o.code, c.npwp as tin, c.npwp || o.nitku_suffix as place, m.incomplete from withholding_month m
      join operating_unit o on o.id = m.operating_unit_id join company c on c.id = o.company_id where m.id = ${idOf(call)} and ${scope}`)
    if (month === undefined || month.incomplete > 0) return fail('NOT_FOUND')
    const slips = await services.database.rows<WithholdingSlip & Row>(sql`
      select period, npwp as tin, nitku as place, tax_object_code as "taxObject", dpp::text as base, rate::text, vendor_invoice_no as "documentNo", doc_date as "documentDate", posting_date as "withheldOn"
      from withholding_slip where operating_unit_id = ${month.unit} and period = ${month.period} order by posting_date, vendor_invoice_id, tax_object_code`)
    const body = Readable.from([withholdingFile(month.tin, month.place, slips)])
    return new FileAnswer(body, { 'content-type': 'application/xml; charset=utf-8', 'content-disposition': `attachment; filename="BPU-${month.code}-${month.period}.xml"` })
  })
}

async function* parts(services: Services, id: number, npwp: string): AsyncGenerator<string> {
  yield fileStart(npwp)
  for await (const some of contentsOf(services.database, id)) yield some.map(({ invoice }) => taxInvoiceXml(invoice)).join('')
  yield fileEnd
}
