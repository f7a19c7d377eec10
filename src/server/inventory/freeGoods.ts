import { isZero } from '#base/decimal.ts'
import { freeVatAmounts } from '#domain/ledger/invoiceAmounts.ts'
import { vatOf } from '#server/billing/invoiceEffects.ts'
import type { Effect, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { post, reverse, type PostingSource } from '#server/ledger/post.ts'
import { setting } from '#server/settings.ts'
import { bookingDate } from '#server/workflow/bookingDate.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'

function sourceOf({ entity, current }: TransitionContext): PostingSource {
  return { type: entity.id, id: current.id, code: textOf(current, 'code') }
}

/** Goods given away are a taxable delivery worth what they cost; the company pays the VAT. Runs after the goods have moved. */
export const bookFreeVat: Effect = async (context) => {
  const { tx, current } = context
  const unit = numberOf(current, 'operating_unit_id')
  if (!(await setting(tx, 'vat_on_free_goods', unit, true))) return
  const date = bookingDate(current)
  const gifts = await tx.rows<Row & { readonly item_id: number; readonly cogs: string }>(sql`select item_id, cost as cogs from free_goods_request_line where free_goods_request_id = ${current.id} and cost > 0 order by line_no, id`)
  const ppn = gifts.length === 0 ? '0.00' : await vatOf(tx, gifts, date)
  context.set({ ppn })
  if (isZero(ppn)) return
  const source = sourceOf(context)
  const customer = numberOrNull(current, 'customer_id')
  await post(context, {
    event: 'FREE_VAT', source, operatingUnitId: unit, date, description: `VAT on free goods ${source.code}`,
    amounts: customer === null ? [{ key: 'ppn', amount: ppn }] : freeVatAmounts(ppn, customer, numberOrNull(current, 'territory_id')),
  })
}

export const reverseFreeVat: Effect = async (context) => {
  const source = sourceOf(context)
  await reverse(context, { source, event: 'FREE_VAT' }, { source, date: context.today, description: `Reversal of VAT on free goods ${source.code}` })
}
