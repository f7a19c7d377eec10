import { compare, exact, isZero, money, type Decimal } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import { withoutVat, type TaxRate } from '#domain/tax/vat.ts'
import type { CommandContext, Precondition, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { post, reverse } from '#server/ledger/post.ts'
import { financeSettings } from '#server/settings.ts'
import { assertUntaxed } from '#server/tax/taxInvoices.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'
import type { AllocatingDocument } from './allocations.ts'

export const noVat = { dpp: '0.00', dpp_other: '0.00', vat: '0.00', ppn_rate: '0' }

/** VAT in an advance in whole rupiah, what it is reckoned from and at which rate, where the company issues a tax invoice for it. */
export async function vatOfAdvance(tx: Queries, unit: number, date: DateText, amount: Decimal): Promise<typeof noVat> {
  if (!(await financeSettings(tx, unit)).deposit_vat) return noVat
  const tax = await tx.first<TaxRate & Row>(sql`
    select code, rate, base_numerator as numerator, base_denominator as denominator from tax_code
    where kind = 'PPN_OUT' and is_default and is_active and valid_from <= ${date}::date and (valid_to is null or valid_to >= ${date}::date) order by valid_from desc limit 1`)
  if (tax === undefined) return noVat
  const vat = exact(amount).minus(withoutVat(exact(amount), tax)).round(0)
  const dpp = exact(amount).minus(vat)
  return { dpp: money(dpp), dpp_other: money(dpp.times(tax.numerator).div(tax.denominator)), vat: money(vat), ppn_rate: tax.rate }
}

/** What is used of an advance takes its share of the VAT with it; what empties it takes the rest. */
export async function releaseDepositVat(context: CommandContext, document: AllocatingDocument, used: readonly { readonly id: number; readonly amount: Decimal }[]): Promise<void> {
  if (used.length === 0) return
  const deposits = await context.tx.rows<Row & { id: number; amount: Decimal; remaining: Decimal; vat: Decimal; vat_open: Decimal; customer_id: number; territory_id: number | null }>(sql`
    select id, amount, remaining, vat, vat_open, customer_id, territory_id from customer_deposit where id = any(${used.map(({ id }) => id)}::bigint[]) and vat_open > 0 order by id`)
  const parts = deposits.map((deposit) => {
    const taken = used.filter(({ id }) => id === deposit.id).reduce((all, { amount }) => all.plus(amount), exact(0))
    const share = money(exact(deposit.vat).times(taken).div(deposit.amount).round(0))
    return { deposit, vat: isZero(deposit.remaining) || compare(share, deposit.vat_open) > 0 ? deposit.vat_open : share }
  })
  if (parts.length === 0) return
  const journal = await context.tx.first<{ code: string; unit: number }>(sql`select source_doc_code as code, operating_unit_id as unit from journal where id = ${document.journalId}::bigint`)
  if (journal === undefined) throw new Error(`${document.type} ${document.id} uses an advance without booking it`)
  for (const { deposit, vat } of parts) await context.tx.run(sql`update customer_deposit set vat_open = vat_open - ${vat}::numeric where id = ${deposit.id}`)
  await post(context, {
    event: 'DEP_VAT_USED', source: { type: document.type, id: document.id, code: journal.code }, operatingUnitId: journal.unit, date: document.date, description: `VAT of advances used by ${journal.code}`,
    amounts: parts.map(({ deposit, vat }) => ({ key: 'vat', amount: vat, partnerKind: 'CUSTOMER', partnerId: deposit.customer_id, territoryId: deposit.territory_id, openItemType: 'customer_deposit', openItemId: deposit.id })),
  })
}

/** The VAT a document took with it stands with the advances again. */
export async function restoreDepositVat(context: CommandContext, document: Pick<AllocatingDocument, 'type' | 'id'>, date: DateText): Promise<void> {
  const lines = await context.tx.rows<{ id: number; vat: Decimal; code: string }>(sql`
    select l.open_item_id as id, l.credit as vat, j.source_doc_code as code from journal j join journal_line l on l.journal_id = j.id
    where j.source_doc_type = ${document.type} and j.source_doc_id = ${document.id} and j.source_event = 'DEP_VAT_USED' and j.reversed_by_id is null and l.credit > 0`)
  const [first] = lines
  if (first === undefined) return
  for (const { id, vat } of lines) await context.tx.run(sql`update customer_deposit set vat_open = vat_open + ${vat}::numeric where id = ${id}`)
  const source = { type: document.type, id: document.id, code: first.code }
  await reverse(context, { source, event: 'DEP_VAT_USED' }, { source, date, description: `VAT of advances given back by ${first.code}` })
}

/** An advance that goes back whole leaves nothing to tax: a tax invoice of it that has left the house is cancelled first; one of which a part goes back is replaced. */
export const advanceStaysTaxed: Precondition = async ({ tx, current }) => {
  const [id, leaves] = [numberOf(current, 'customer_deposit_id'), textOf(current, current['total'] === undefined ? 'amount' : 'total')]
  if (current['kind'] === 'APPLY') return
  const kept = await tx.first(sql`
    select 1 from customer_deposit d where d.id = ${id} and (d.vat = 0 or d.amount > ${leaves}::numeric + (
      select coalesce(sum(a.amount), 0) from ar_allocation a where a.source_type = 'DEPOSIT' and a.source_id = d.id and a.invoice_id is null and a.reversed_at is null))`)
  if (kept === undefined) await assertUntaxed(tx, id, 'customer_deposit')
}
