import { addDays, addMonths, type DateText } from '#base/date.ts'
import { exact, fixed, money, type Decimal } from '#base/decimal.ts'
import type { Row } from '#server/context.ts'
import { must } from '../insertMissing.ts'
import type { Book } from './book.ts'
import { brands, itemCategories, principals } from './catalogue.ts'
import { masterColumns } from './company.ts'
import type { Dice } from './dice.ts'

/** What the simulation knows of an item. Costs and weights are of one base unit. */
export interface Goods {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly brandId: number
  readonly categoryId: number
  readonly principalId: number
  readonly carton: number
  readonly cost: number
  readonly weight: number
  /** How often it is bought. */
  readonly demand: number
}

export interface PriceSets {
  readonly base: number
  readonly modern: number
  readonly silver: number
  readonly gold: number
  readonly community: number
}

export interface Assortment {
  readonly goods: readonly Goods[]
  readonly principalIds: readonly number[]
  readonly brandIds: ReadonlyMap<string, number>
  readonly categoryIds: ReadonlyMap<string, number>
}

/** Principals, brands and items with their units. */
export function buildGoods(book: Book, chance: Dice, stamp: Row, taxCodeId: number): Assortment {
  const common = masterColumns(stamp)
  const principalIds = new Map(principals.map(([code, name]) => [code, book.add('business_partner', {
    code, name, kinds: ['VENDOR', 'PRINCIPAL'], npwp: `00${chance.digits(13)}0`, is_pkp: true, nitku: null, payment_term_id: null, ap_account_group: 'TRADE',
    email: null, block_payment: false, ...common,
  }).id]))
  const categoryIds = new Map(itemCategories.map(([code, name]) => [code, book.add('item_category', { code, name, parent_id: null, ...common }).id]))
  const brandIds = new Map(brands.map((brand) => [brand.code, book.add('brand', { code: brand.code, name: brand.name, principal_id: must(principalIds, brand.principal), ...common }).id]))
  const goods: Goods[] = []
  for (const brand of brands)
    for (const [product, [name, variants, carton, price, grams, abc]] of brand.products.entries())
      for (const [variant, label] of variants.entries()) {
        const code = `${brand.code.slice(0, 3)}-${product + 1}${String(variant + 1).padStart(2, '0')}`
        // A bigger pack of the same product costs more in proportion to its place in the list.
        const size = /\d/.test(label) ? 0.7 + 0.3 * (variant + 1) : 1
        const cost = Math.round((price * size * 0.86) / 10) * 10
        const item = book.add('item', {
          code, name: `${brand.name} ${name} ${label}`, short_name: `${name} ${label}`, principal_id: must(principalIds, brand.principal), brand_id: must(brandIds, brand.code),
          category_id: must(categoryIds, brand.category), base_uom: 'PCS', sales_uom: 'CTN', pack_qty: String(carton), barcode: `899${chance.digits(10)}`,
          weight_kg: fixed(exact(grams * size).div(1000), 3), volume_m3: fixed(exact(grams * size).div(600000), 6), is_taxable: true, coretax_goods_code: '000000',
          tax_code_id: taxCodeId, is_batch: false, shelf_life_days: 360, standard_cost: money(exact(cost)), is_combo: false, is_container: false, is_festive: false,
          abc_class: abc, status: 1, ...common,
        })
        for (const [uom, factor, unit] of [['PCS', 1, 'UM.0021'], ['BOX', carton % 2 === 0 ? carton / 2 : carton, 'UM.0022'], ['CTN', carton, 'UM.0037']] as const)
          if (uom !== 'BOX' || carton >= 24)
            book.add('item_uom', { item_id: item.id, uom, factor: String(factor), barcode: `899${chance.digits(10)}`, coretax_unit: unit, ...common })
        goods.push({
          id: item.id, code, name: item.name, brandId: must(brandIds, brand.code), categoryId: must(categoryIds, brand.category), principalId: must(principalIds, brand.principal),
          carton, cost, weight: (grams * size) / 1000, demand: abc === 'A' ? 9 : abc === 'B' ? 4 : 1,
        })
      }
  return { goods, principalIds: [...principalIds.values()], brandIds, categoryIds }
}

/** Price sets with a rise each January, discounts by channel and group. */
export function buildPrices(book: Book, stamp: Row, start: DateText, today: DateText, goods: readonly Goods[], brandIds: ReadonlyMap<string, number>): {
  readonly sets: PriceSets
  readonly discounts: { readonly base: number; readonly gold: number; readonly silver: number }
} {
  const common = masterColumns(stamp)
  const from = addMonths(start, -1)
  const set = (code: string, name: string, scheme: string, scopeKind: string, factor: number): number => {
    const { id } = book.add('price_set', {
      code, name, scheme, scope_kind: scopeKind, ref_id: null, currency: 'IDR', tax_included: false, valid_from: from, valid_to: null, status: 1, ...common,
    })
    const rise = `${today.slice(0, 4)}-01-01`
    for (const item of goods)
      for (const [validFrom, validTo, level] of [[from, addDays(rise, -1), 1], [rise, null, 1.025]] as const)
        for (const [uom, qty] of [['PCS', 1], ['CTN', item.carton]] as const) {
          const price = listPrice(item, qty, factor * level)
          book.add('list_price', {
            price_set_id: id, item_id: item.id, uom, min_qty: '0', price, floor_price: fixed(exact(price).times('0.92'), 0), valid_from: validFrom, valid_to: validTo,
          })
        }
    return id
  }
  const sets = {
    base: set('BASE', 'Harga dasar', 'V1', 'BASE', 1), modern: set('MT', 'Modern trade', 'V2', 'CHANNEL', 1.03), silver: set('SILVER', 'Grup Silver', 'V2', 'GROUP', 0.985),
    gold: set('GOLD', 'Grup Gold', 'V3', 'GROUP', 0.97), community: set('SRC', 'Komunitas ritel', 'SRC', 'CHANNEL', 0.99),
  }
  const discountSet = (code: string, name: string, scopeKind: string, steps: readonly (readonly [name: string, value: string, brand?: string])[]): number => {
    const { id } = book.add('discount_set', { code, name, scheme: scopeKind === 'BASE' ? 'V1' : 'V2', scope_kind: scopeKind, ref_id: null, valid_from: from, valid_to: null, ...common })
    for (const [i, [stepName, value, brand]] of steps.entries())
      book.add('discount', {
        discount_set_id: id, seq: i + 1, name: stepName, item_id: null, brand_id: brand === undefined ? null : must(brandIds, brand), category_id: null, principal_id: null,
        min_qty: '0', min_value: '0', kind: 'PCT', value, base: 'RUNNING', funding: brand === undefined ? 'COMPANY' : 'PRINCIPAL', valid_from: from, valid_to: null,
      })
    return id
  }
  return {
    sets,
    discounts: {
      base: discountSet('D-BASE', 'Diskon reguler', 'BASE', [['Diskon toko', '1'], ['Dukungan Kinclong', '2', 'KINCLONG']]),
      silver: discountSet('D-SILVER', 'Diskon Silver', 'GROUP', [['Diskon Silver', '2'], ['Dukungan Ayuna', '1.5', 'AYUNA']]),
      gold: discountSet('D-GOLD', 'Diskon Gold', 'GROUP', [['Diskon Gold', '3'], ['Tambahan volume', '2'], ['Dukungan Lezato', '1', 'LEZATO']]),
    },
  }
}

/** Price of `qty` base units, whole rupiah rounded to the next 25. */
function listPrice(item: Goods, qty: number, factor: number): Decimal {
  return String(Math.ceil(((item.cost / 0.86) * qty * factor) / 25) * 25)
}

