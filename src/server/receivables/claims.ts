import { exact, isZero, money, sum, type Decimal } from '#base/decimal.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'

interface Claim extends Row {
  readonly id: number
  readonly invoice_id: number
  readonly status: number
  readonly amount: Decimal
  readonly remaining: Decimal
}

/**
 * Claims on invoices nobody has approved yet keep to what is open of them by now: the youngest shrink first, drafts before those somebody is asked about, and
 * one with nothing left is dropped. A request is withdrawn with the amount it was for. `except`: the claim that has just settled a part itself.
 */
export async function fitClaims(context: CommandContext, invoiceIds: readonly number[], except = 0): Promise<void> {
  const claims = await context.tx.rows<Claim>(sql`
    select c.id, c.invoice_id, c.status, c.amount, i.remaining from cn_temporary c join invoice i on i.id = c.invoice_id
    where c.invoice_id = any(${[...invoiceIds]}::bigint[]) and c.status in (0, 4) and c.id <> ${except} order by c.status, c.id desc for update of c`)
  for (const invoiceId of new Set(claims.map(({ invoice_id: id }) => id))) {
    const own = claims.filter(({ invoice_id: id }) => id === invoiceId)
    let excess = sum(own.map(({ amount }) => amount)).minus(own[0]?.remaining ?? '0')
    for (const claim of own) {
      if (excess.lte(0)) break
      const kept = exact(claim.amount).minus(excess)
      excess = excess.minus(claim.amount)
      await shrink(context, claim, kept.gt(0) ? money(kept) : '0.00')
    }
  }
}

async function shrink(context: CommandContext, { id, status, amount }: Claim, kept: Decimal): Promise<void> {
  const { tx, now, user } = context
  if (isZero(kept)) {
    await context.transition('cn_temporary', id, 'drop')
    return
  }
  if (status === 4) await context.transition('cn_temporary', id, 'reduce')
  await tx.run(sql`update cn_temporary set amount = ${kept}, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${id}`)
  await writeLog(tx, { docType: 'cn_temporary', docId: id, at: now.toISOString(), actorId: user.id, action: 'edit', diff: [{ field: 'amount', from: amount, to: kept }] })
}

/** What of an invoice's open amount no claim is for. */
export async function unclaimed({ tx }: CommandContext, invoiceId: number): Promise<Decimal> {
  const row = await tx.first<{ amount: Decimal }>(sql`
    select i.remaining - coalesce((select sum(c.amount) from cn_temporary c where c.invoice_id = i.id and c.status in (0, 4)), 0) as amount from invoice i where i.id = ${invoiceId}`)
  return row?.amount ?? '0.00'
}
