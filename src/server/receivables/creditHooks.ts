import { isZero, type Decimal } from '#base/decimal.ts'
import { claimAmounts, type ClaimTreatment, type Funding } from '#domain/receivables/claimAmounts.ts'
import type { Queries, Row } from '#server/context.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { claimOfPromotion } from './promotionClaim.ts'
import { noVat, vatOfAdvance } from './depositVat.ts'
import { checkUnitAccounts } from './unitAccounts.ts'

export const creditNoteHooks: DocumentHooks = {
  async beforeSave(saving) {
    const { context: { tx }, header, before, problem } = saving
    const value = (column: string): unknown => header[column] ?? (Object.hasOwn(header, column) ? null : before?.[column])
    if (value('kind') === 'RETURN') problem(wrong('Kind', 'NOT_A_CHOICE.return'))
    if (value('kind') === 'BEGBAL') problem(wrong('Kind', 'NOT_A_CHOICE.opening'))
    if (value('kind') === 'CLAIM') await claimOfPromotion(saving)
    // What promotions owe and what was claimed for the time being are in the currency of the books.
    const home = await homeCurrency(tx.ahead, typeof value('operating_unit_id') === 'number' ? Number(value('operating_unit_id')) : null)
    if (value('currency') !== home && (value('kind') === 'CLAIM' || value('cn_temporary_id') != null)) problem(wrong('InvoiceID', 'NOT_A_CHOICE.in-books', { currency: home }))
    const type = await tx.first<{ rate: Decimal; treatment: ClaimTreatment }>(sql`select pph_rate as rate, treatment from credit_note_promo_type where id = ${value('promo_type_id')}::bigint`)
    const customer = await tx.first<{ npwp: string | null }>(sql`select npwp from customer where id = ${value('customer_id')}::bigint`)
    const amounts = claimAmounts({
      dpp: String(value('dpp') ?? '0'), ppn: String(value('ppn') ?? '0'), treatment: type?.treatment ?? null, rate: type?.rate ?? '0', hasTaxNumber: (customer?.npwp ?? '') !== '',
      funding: fundings.find((known) => known === value('funding')) ?? 'COMPANY', principalPct: String(value('principal_pct') ?? '0'),
    })
    Object.assign(header, {
      pph_rate: amounts.pphRate, pph: amounts.pph, principal_pct: amounts.principalPct, principal_share: amounts.principalShare, company_share: amounts.companyShare, total: amounts.total,
      ...(value('kind') === 'CLAIM' ? { claimed: isZero(String(value('claimed') ?? '0')) ? value('dpp') ?? '0' : value('claimed') } : { claimed: '0' }),
      ...(await fakturOf(tx, value('kind'), value('invoice_id'))),
    })
  },
}

const fundings: readonly Funding[] = ['COMPANY', 'PRINCIPAL', 'SHARED']

/** What corrects an invoice of ours refers to the tax invoice it has been given. */
async function fakturOf(tx: Queries, kind: unknown, invoice: unknown): Promise<Row> {
  if (kind === 'CLAIM' || typeof invoice !== 'number') return {}
  const faktur = await tx.first<{ number: string; date: string }>(sql`
    select f.faktur_number as number, f.doc_date as date from tax_invoice f where f.invoice_id = ${invoice} and f.direction = 'OUT' and f.faktur_number is not null and f.status = 'APPROVED' order by f.id desc limit 1`)
  return { faktur_number: faktur?.number ?? null, faktur_date: faktur?.date ?? null }
}

export const depositHooks: DocumentHooks = {
  async beforeSave(saving) {
    const { context, header, before } = saving
    const value = (column: string): unknown => (Object.hasOwn(header, column) ? header[column] : before?.[column])
    const unit = value('operating_unit_id')
    const vat = value('kind') === 'UANG_MUKA' && typeof unit === 'number' ? await vatOfAdvance(context.tx, unit, String(value('doc_date') ?? context.today), String(value('amount') ?? '0')) : noVat
    Object.assign(header, vat, { vat_open: vat.vat })
    if (value('kind') === 'UANG_MUKA' && typeof unit === 'number' && value('currency') !== (await homeCurrency(context.tx.ahead, unit))) saving.problem(wrong('Kind', 'NOT_A_CHOICE.in-books', { currency: await homeCurrency(context.tx.ahead, unit) }))
    await checkUnitAccounts(saving)
  },
}

export const temporaryCreditHooks: DocumentHooks = {
  async beforeSave({ context, header, before, problem }) {
    const invoice = await context.tx.first(sql`select customer_id from invoice where id = ${header['invoice_id'] ?? before?.['invoice_id']}::bigint`)
    const customerId = header['customer_id'] ?? before?.['customer_id']
    if (invoice !== undefined && invoice['customer_id'] !== customerId) problem(wrong('InvoiceID', 'NOT_IN_SCOPE.invoice'))
  },
}
