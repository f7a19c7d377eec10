import type { Promotion, PromotionBenefit, PromotionCondition } from '#domain/pricing/masters.ts'
import type { Row } from '#server/context.ts'
import type { Book } from './book.ts'

/** The promotions in the book, as pricing knows them. */
export function promotionsOf(book: Book): readonly Promotion[] {
  const of = <T>(table: string, id: unknown, read: (row: Row) => T): readonly T[] => book.rows(table).filter((row) => row['promotion_id'] === id).map(read)
  return book.rows('promotion').map((row): Promotion => ({
    id: Number(row['id']), code: String(row['code']), name: String(row['name']), mechanism: 'ON_INVOICE', priority: Number(row['priority']), stacking: 'STACK', stackGroup: null, originId: Number(row['id']),
    budgetId: null, maxPerCustomer: null, maxTotal: null, validFrom: String(row['valid_from']), validTo: String(row['valid_to']),
    scopes: of('promotion_scope', row['id'], (scope) => ({ kind: 'CHANNEL' as const, refId: Number(scope['sales_channel_id']), include: true })),
    conditions: of('promotion_condition', row['id'], (condition): PromotionCondition => ({
      tierNo: Number(condition['tier_no']), kind: condition['kind'] as PromotionCondition['kind'], itemId: idOf(condition, 'item_id'), brandId: idOf(condition, 'brand_id'), categoryId: null,
      uom: textOf(condition, 'uom'), min: String(condition['min']), max: null, isMultiple: condition['is_multiple'] === true,
    })),
    benefits: of('promotion_benefit', row['id'], (benefit): PromotionBenefit => ({
      tierNo: Number(benefit['tier_no']), kind: benefit['kind'] as PromotionBenefit['kind'], value: String(benefit['value']), freeItemId: idOf(benefit, 'free_item_id'), freeQty: String(benefit['free_qty']),
      freeUom: textOf(benefit, 'free_uom'), maxMultiple: idOf(benefit, 'max_multiple'),
    })),
  }))
}

function idOf(row: Row, column: string): number | null {
  const value = row[column]
  return typeof value === 'number' ? value : null
}

function textOf(row: Row, column: string): string | null {
  const value = row[column]
  return typeof value === 'string' ? value : null
}
