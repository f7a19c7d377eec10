import { compare, exact, money } from '#base/decimal.ts'
import { creditBlocks } from '#domain/credit/creditCheck.ts'
import type { Effect, Queries } from '#server/context.ts'
import { standingAsked } from '#server/credit/standing.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, raise, wrong } from '#server/problemError.ts'
import { said } from '#server/sentences.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'
import { isCashTerm } from './orderCustomer.ts'
import { snapshotBlocks, standingFacts } from './orderEffects.ts'
import { checkLimits } from './orderLimits.ts'

/**
 * At the customer's door nobody can be asked: what would need somebody's word is refused. Paid at once, a sale needs no credit; what is not paid is held to the
 * customer's. `received`: money in hand.
 */
export const checkVanSale: Effect = async (context) => {
  const { tx, current, input, today } = context
  const total = textOf(current, 'total')
  const open = money(exact(total).minus(textOf(input, 'received')))
  if (compare(open, '0') < 0) invalid([wrong('Received', 'TOO_LARGE.van-sale', { total })])
  const isPaid = compare(open, '0') === 0
  const ownTerm = numberOf(current, 'payment_term_id')
  if (!isPaid && (await isCashTerm(tx, ownTerm))) invalid([wrong('Received', 'TOO_SMALL.van-cash', { total })])
  const standing = await standingAsked(tx, numberOf(current, 'customer_id'), today)
  const [credit] = creditBlocks(standing, { total: open, isCash: isPaid, termDiffers: false }, today).filter(({ isHard }) => isHard || !isPaid)
  if (credit !== undefined) raise({ code: 'CREDIT_BLOCKED', ...said(credit.sentence) })
  const blocks = [...snapshotBlocks(current), ...(await checkLimits(context))]
  if (blocks.length > 0) fail('VALIDATION_FAILED.van-approval', { reasons: blocks.map(({ text }) => text) })
  context.set({ block_codes: [], credit_snapshot: { ...standingFacts(standing), excess: '0.00', blocks: [] }, ...(isPaid ? { payment_term_id: await cashTerm(tx, ownTerm) } : {}) })
}

/** What is paid at once is sold on cash terms. */
async function cashTerm(tx: Queries, own: number): Promise<number> {
  if (await isCashTerm(tx, own)) return own
  const term = await tx.first<{ id: number }>(sql`select id from payment_term where is_cash and is_active order by net_days, code limit 1`)
  return term?.id ?? own
}

