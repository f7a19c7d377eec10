import { addDays, addMonths, type DateText } from '#base/date.ts'
import type { Row } from '#server/context.ts'
import { must } from '../insertMissing.ts'
import type { Book } from './book.ts'
import type { Assortment, Goods } from './goods.ts'

interface Gift {
  readonly item: Goods
  readonly cartons: number
  readonly free: number
}

interface Seeded {
  readonly code: string
  readonly name: string
  readonly type: string
  readonly span: readonly [DateText, DateText]
  readonly channel?: string
  /** Goods of a brand, or the whole order unless said; percent from each value on. */
  readonly percents?: { readonly brand?: string; readonly tiers: readonly (readonly [value: string, percent: string])[] }
  readonly gift?: Gift
}

/** Promotions of the 18 months: some long over, some running today. */
export function buildPromotions(
  book: Book, { stamp, start, today, unitId }: { readonly stamp: Row; readonly start: DateText; readonly today: DateText; readonly unitId: number }, assortment: Assortment,
  channelId: (code: string) => number, typeIds: ReadonlyMap<string, number>,
): void {
  const item = (index: number): Goods => {
    const found = assortment.goods[index]
    if (found === undefined) throw new Error(`The assortment has no item ${index}`)
    return found
  }
  const period = (fromMonth: number, months: number): readonly [DateText, DateText] => [addMonths(start, fromMonth), addDays(addMonths(start, fromMonth + months), -1)]
  const promotions: readonly Seeded[] = [
    { code: 'P-MIE10', name: 'Beli 10 karton Mi Goreng Original gratis 1', type: 'BELI-GRATIS-P', span: period(1, 4), gift: { item: item(0), cartons: 10, free: 1 } },
    { code: 'P-KOPI', name: 'Kopi Susu Sachet diskon 3 %', type: 'POTONGAN-P', span: period(3, 3), percents: { brand: 'WANGI', tiers: [['500000', '3']] } },
    { code: 'P-LEBARAN', name: 'Nilai belanja Lebaran', type: 'NILAI', span: period(8, 2), percents: { tiers: [['5000000', '1'], ['15000000', '1.75']] } },
    { code: 'P-SUSU', name: 'Susu UHT beli 20 gratis 1', type: 'BELI-GRATIS-P', span: period(10, 5), gift: { item: item(58), cartons: 20, free: 1 } },
    { code: 'P-BERSIH', name: 'Bulan bersih Kinclong', type: 'POTONGAN-P', span: period(15, 6), percents: { brand: 'KINCLONG', tiers: [['500000', '2'], ['3000000', '3.5']] } },
    { code: 'P-AKHIR', name: 'Belanja akhir tahun', type: 'NILAI', channel: 'GT', span: period(16, 5), percents: { tiers: [['10000000', '1'], ['25000000', '1.5']] } },
    { code: 'P-MIE24', name: 'Mi Kuah beli 24 gratis 2', type: 'BELI-GRATIS-P', span: period(16, 4), gift: { item: item(5), cartons: 24, free: 2 } },
  ]
  for (const { code, name, type, span, channel, percents, gift } of promotions) {
    const [validFrom, validTo] = span
    const brandId = percents?.brand === undefined ? null : must(assortment.brandIds, percents.brand)
    const principalId = gift?.item.principalId ?? assortment.goods.find((one) => one.brandId === brandId)?.principalId ?? null
    const { id } = book.add('promotion', {
      code, name, promotion_type_id: must(typeIds, type), principal_id: principalId, funding: principalId === null ? 'COMPANY' : 'PRINCIPAL', principal_share: '0', mechanism: 'ON_INVOICE', priority: 100,
      stacking: 'STACK', stack_group: null, valid_from: validFrom, valid_to: validTo, estimated_cost: '0', current_version: 1, status: validTo < today ? 9 : 1, operating_unit_id: unitId,
      doc_date: validFrom, approved_at: `${addDays(validFrom, -7)}T03:00:00.000Z`, version: 1, source: 'WEB', currency: 'IDR', rate: '1', ...stamp,
    })
    if (channel !== undefined) book.add('promotion_scope', { promotion_id: id, line_no: 1, kind: 'CHANNEL', sales_channel_id: channelId(channel), include: true })
    for (const [i, [value, percent]] of (percents?.tiers ?? []).entries()) {
      const tier = { promotion_id: id, line_no: i + 1, tier_no: i + 1 }
      book.add('promotion_condition', { ...tier, kind: brandId === null ? 'ORDER_VALUE' : 'MIX_VALUE', item_id: null, brand_id: brandId, uom: null, min: value, is_multiple: false })
      book.add('promotion_benefit', { ...tier, kind: 'PCT', value: percent, free_item_id: null, free_qty: '0', free_uom: null, max_multiple: null })
    }
    if (gift === undefined) continue
    const only = { promotion_id: id, line_no: 1, tier_no: 1 }
    book.add('promotion_condition', { ...only, kind: 'ITEM_QTY', item_id: gift.item.id, brand_id: null, uom: 'CTN', min: String(gift.cartons), is_multiple: true })
    book.add('promotion_benefit', { ...only, kind: 'FREE_ITEM', value: '0', free_item_id: gift.item.id, free_qty: String(gift.free), free_uom: 'CTN', max_multiple: 5 })
  }
}
