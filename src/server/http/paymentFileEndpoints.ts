import { delimitedFile, painFile, type Transfer, type Transfers } from '#domain/banking/paymentFile.ts'
import { requireEntityGuard } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { fail } from '#server/problemError.ts'
import { Readable } from 'node:stream'
import { FileAnswer, type Api } from './api.ts'
import { idOf } from './read.ts'

interface Head extends Row {
  readonly id: number
  readonly code: string
  readonly format: string
  readonly execution_date: string
  readonly approved_at: string
  readonly name: string
  readonly account_no: string
  readonly currency: string
  readonly swift: string | null
  readonly bi_code: string | null
}

/** Transfers of vendor payments as a bank takes them. */
export function paymentFileEndpoints(api: Api): void {
  api.get('/api/v1/payment-file/:id', { summary: 'The file of transfers for the bank: ISO 20022 pain.001.001.09, or delimited in the columns of a layout', tag: 'Payables' }, async (call) => {
    const { services, user } = call
    const { metadata, database, clock } = services
    const entity = knownEntity(metadata, 'payment_file')
    requireEntityGuard(metadata, user, entity, 'view')
    const head = await database.first<Head>(sql`
      select t.id, t.code, t.format, t.execution_date, b.account_name as name, b.account_no, b.currency, k.swift, k.bi_code from payment_file t
      join house_bank b on b.id = t.house_bank_id join bank k on k.id = b.bank_id where t.id = ${idOf(call)} and t.status = 1 and ${scopeCondition(metadata, user, entity, 't') ?? sql`true`}`)
    if (head === undefined) return fail('NOT_FOUND')
    const transfers = await database.rows<{ readonly [key in keyof Transfer]: Transfer[key] }>(sql`
      select p.code as reference, l.amount, coalesce(nullif(v.bank_account_name, ''), v.name, u.name) as payee, coalesce(nullif(p.payee_account, ''), v.bank_account_no) as account, k.name as bank, k.swift, k.bi_code as "bankCode", v.email,
        concat_ws(' ', p.code, (select string_agg(i.vendor_invoice_no, ' ' order by pl.line_no) from ap_payment_line pl join vendor_invoice i on i.id = pl.vendor_invoice_id where pl.ap_payment_id = p.id)) as text
      from payment_file_line l join ap_payment p on p.id = l.ap_payment_id left join business_partner v on v.id = p.vendor_id left join customer u on u.id = p.customer_id left join bank k on k.id = v.bank_id where l.payment_file_id = ${head.id} order by l.line_no`)
    const file: Transfers = {
      id: head.code, at: clock.now().toISOString().slice(0, 19), date: head.execution_date, currency: head.currency,
      payer: { name: head.name, account: head.account_no, swift: head.swift, bankCode: head.bi_code }, transfers,
    }
    const name = head.code.replaceAll('/', '-')
    if (head.format === 'PAIN001') return answer(painFile(file), 'application/xml', `${name}.xml`)
    const layout = metadata.payFiles.find(({ id }) => id === head.format.toLowerCase())
    return layout === undefined ? fail('NOT_FOUND') : answer(delimitedFile(file, layout), 'text/csv', `${name}.${layout.ending ?? 'csv'}`)
  })
}

function answer(text: string, type: string, name: string): FileAnswer {
  return new FileAnswer(Readable.from([text]), { 'content-type': `${type}; charset=utf-8`, 'content-disposition': `attachment; filename="${name}"` })
}
