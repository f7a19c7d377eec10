import { money, sum, type Decimal } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import { addDays } from '#base/date.ts'
import type { CreditLimit, CreditStanding } from '#domain/credit/creditCheck.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql, unplanned } from '#server/db/sql.ts'
import { setting } from '#server/settings.ts'
import { once, onlyOnce } from '#server/workflow/once.ts'

interface StandingRow extends Row {
  readonly status: number
  readonly operating_unit_id: number
  readonly block_reason: string | null
  readonly exposure: Decimal
  readonly limits: readonly CreditLimit[]
  readonly limit_expired: boolean
  readonly open_invoices: number
  readonly max_days_overdue: number
  readonly overdue_amount: Decimal
  readonly undisputed_days_overdue: number
  readonly undisputed_amount: Decimal
  readonly bounced: number
  readonly group_id: number | null
  readonly group_limit: Decimal | null
}

/** Asks early for what `standingAsked` will answer. */
export function standingAhead(tx: Queries, customerId: number, today: DateText): void {
  void once(tx, `credit standing ${customerId} ${today}`, () => standingInTurn(tx, customerId, today))
}

/** The standing asked for early, or now; the next caller gets a fresh one. Nobody else is told of the customer's, or his group's, until this transaction ends. */
export function standingAsked(tx: Queries, customerId: number, today: DateText): Promise<CreditStanding> {
  return onlyOnce(tx, `credit standing ${customerId} ${today}`, () => standingInTurn(tx, customerId, today))
}

/**
 * Orders of one customer, or of one group with a limit, are checked one after another: of two at the same moment the later one finds the first in the
 * exposure.
 */
async function standingInTurn({ ahead }: Queries, customerId: number, today: DateText): Promise<CreditStanding> {
  const standing = await ahead.exclusive(`credit of customer ${customerId}`, () => creditStanding(ahead, customerId, today))
  const { group } = standing
  return group === null ? standing : ahead.exclusive(`credit of group ${group.id}`, () => creditStanding(ahead, customerId, today))
}

/** A customer's credit as it stands on a day; orders not approved yet are not in it. */
export async function creditStanding(tx: Queries, customerId: number, today: DateText): Promise<CreditStanding> {
  // Asked together with what the setting may leave out: waiting for it would be a trip of its own.
  const [row, ignoresDispute] = await Promise.all([tx.first<StandingRow>(sql`
    select c.status, c.operating_unit_id, r.name as block_reason, e.exposure,
      (select coalesce(jsonb_agg(jsonb_build_object('amount', l.amount::text, 'overdueGraceDays', l.overdue_grace_days, 'maxOverdueAmount', l.max_overdue_amount::text,
        'maxOpenInvoices', l.max_open_invoices, 'reviewDate', l.review_date)), '[]'::jsonb)
        from credit_limit l where l.customer_id = c.id and l.is_active and l.valid_from <= ${today}::date and (l.valid_to is null or l.valid_to >= ${today}::date)) as limits,
      exists (select 1 from credit_limit l where l.customer_id = c.id and l.valid_to < ${today}::date) as limit_expired,
      due.open_invoices, due.max_days_overdue, due.overdue_amount, due.undisputed_days_overdue, due.undisputed_amount,
      (select count(*)::int from ar_payment p join reason b on b.id = p.reversal_reason_id and b.code = 'V04'
        where p.customer_id = c.id and p.status = 7 and p.method in ('GIRO', 'CHEQUE') and p.cancelled_at >= ${addDays(today, -90)}::date) as bounced,
      g.id as group_id, of_group.amount as group_limit
    from customer c
    join v_customer_exposure e on e.customer_id = c.id
    left join reason r on r.id = c.block_reason_id
    left join customer_group g on g.id = c.customer_group_id
    -- A regular row in force counts in place of the master's amount, which names no day; a temporary one is on top of either. Without amount it is unlimited.
    left join lateral (
      select case when count(*) = 0 then g.group_credit_limit when bool_or(l.amount is null) then null
        else coalesce(sum(l.amount) filter (where l.kind = 'REGULER'), g.group_credit_limit, 0) + coalesce(sum(l.amount) filter (where l.kind = 'TEMPORARY'), 0) end as amount
      from credit_limit l where l.customer_group_id = g.id and l.customer_id is null and l.is_active and l.valid_from <= ${today}::date and (l.valid_to is null or l.valid_to >= ${today}::date)
    ) of_group on true
    cross join lateral (
      select count(*)::int as open_invoices,
        coalesce(max(${today}::date - i.due_date), 0)::int as max_days_overdue, coalesce(max(${today}::date - i.due_date) filter (where not i.dispute), 0)::int as undisputed_days_overdue,
        coalesce(sum(i.base_remaining) filter (where i.due_date < ${today}::date), 0) as overdue_amount,
        coalesce(sum(i.base_remaining) filter (where i.due_date < ${today}::date and not i.dispute), 0) as undisputed_amount
      from invoice i where i.customer_id = c.id and i.status in (1, 2)
    ) due
    where c.id = ${customerId}`), setting(tx, 'overdue_ignore_dispute', null, true)])
  if (row === undefined) throw new Error(`No customer ${customerId}`)
  return {
    customerStatus: row.status,
    blockReason: row.block_reason,
    exposure: row.exposure,
    limits: row.limits,
    limitExpired: row.limit_expired,
    openInvoices: row.open_invoices,
    maxDaysOverdue: Math.max(0, ignoresDispute ? row.undisputed_days_overdue : row.max_days_overdue),
    overdueAmount: money(sum([ignoresDispute ? row.undisputed_amount : row.overdue_amount])),
    bouncedGiros: row.bounced,
    group: row.group_limit === null || row.group_id === null ? null : { id: row.group_id, limit: row.group_limit, exposure: await groupExposure(tx.ahead, row.group_id) },
  }
}

/** Asked apart, because few groups have a limit and preparing the question costs as much as all of the others together. */
async function groupExposure(tx: Queries, groupId: number): Promise<Decimal> {
  const row = await tx.first<{ exposure: Decimal | null }>(sql`select sum(exposure) as exposure from v_customer_exposure where customer_group_id = ${unplanned(groupId, 'bigint')}`)
  return row?.exposure ?? '0'
}
