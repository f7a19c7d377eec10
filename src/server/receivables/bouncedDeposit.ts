import { exact, isZero, money, type Decimal } from '#base/decimal.ts'
import type { Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import { insertDocument, numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { allocate } from './allocations.ts'
import { arAccountOf } from './creditEffects.ts'

/**
 * What a returned giro had paid too much became a deposit. What of it is left leaves with the giro; what has paid other invoices since is owed by a debit
 * memo that is due at once, and the deposit stands as used.
 */
export async function claimUsed(context: TransitionContext): Promise<void> {
  const { tx, record, today } = context
  const deposits = await tx.rows<Row & { id: number; amount: Decimal; remaining: Decimal; currency: string; rate: Decimal }>(sql`
    select id, amount, remaining, currency, rate from customer_deposit where origin = 'OVERPAYMENT' and deposit_source_id = ${record.id} and status in (2, 3) order by id for update`)
  for (const deposit of deposits) {
    const used = money(exact(deposit.amount).minus(deposit.remaining))
    const document = { type: 'ar_payment', id: record.id, date: today, journalId: null }
    if (!isZero(deposit.remaining)) await allocate(context, document, [{ invoiceId: null, sourceType: 'DEPOSIT', sourceId: deposit.id, amount: deposit.remaining }])
    await owe(context, deposit.id, used)
  }
}

async function owe(context: TransitionContext, depositId: number, amount: Decimal): Promise<void> {
  const { tx, record, today } = context
  const unit = numberOf(record, 'operating_unit_id')
  const customerId = numberOf(record, 'customer_id')
  const territoryId = numberOrNull(record, 'territory_id')
  const [account, customer] = [await arAccountOf(tx, customerId), await tx.first<Row>(sql`select payment_term_id, salesman_id, collector_id from customer where id = ${customerId}`)]
  const code = await context.nextNumber('DM', unit, today)
  const { id } = await insertDocument(context, 'invoice', {
    code, status: 1, operating_unit_id: unit, territory_id: territoryId, doc_date: today, posting_date: today, baseline_date: today, due_date: today, invoice_type: 'DEBIT_MEMO', customer_id: customerId,
    payment_term_id: customer?.['payment_term_id'] ?? null, salesman_id: customer?.['salesman_id'] ?? null, collector_id: customer?.['collector_id'] ?? null,
    gross: amount, dpp: amount, total: amount, remaining: amount, ar_account_id: account.id, note: `Giro of receipt ${textOf(record, 'code')} returned`,
  })
  const partner = { partnerKind: 'CUSTOMER', partnerId: customerId, territoryId } as const
  await post(context, {
    event: 'DEBIT_MEMO', source: { type: 'invoice', id, code }, operatingUnitId: unit, date: today, description: `Deposit of returned giro, receipt ${textOf(record, 'code')}, used before`,
    amounts: [
      { key: 'total', amount, account: account.code, ...partner, openItemType: 'invoice', openItemId: id, dueDate: today },
      { key: 'deposit', amount, ...partner, openItemType: 'customer_deposit', openItemId: depositId },
    ],
  })
}
