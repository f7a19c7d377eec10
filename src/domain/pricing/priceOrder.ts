import { exact, fixed, money, sum, zero, type Decimal, type Exact } from '#base/decimal.ts'
import { documentVat, lineVat } from '#domain/tax/vat.ts'
import { PriceBook, type BasePrice } from './basePrice.ts'
import { comboFault, partPrices, type ComboOf, type PartPrice } from './combos.ts'
import { applyDiscounts, discountsFor, discountSetFor, type DiscountStep } from './discounts.ts'
import type { ContractPrice, PricedItem, PricingContext, PricingMasters, Promotion, RoundingRule } from './masters.ts'
import { candidates, freeBenefits, valueBenefits, type FreeBenefit, type PromotedLine, type ValueBenefit } from './promotions.ts'
import { isOfOrder, touching } from './promotionTiers.ts'
import { specialPrices } from './specialPrices.ts'

/** A line as entered. Lines without a known item, unit or positive quantity must not be handed in. */
export interface OrderLine {
  /** The caller's own key, carried through. */
  readonly key: number
  readonly itemId: number
  readonly uom: string
  /** In `uom`. */
  readonly qty: Decimal
  /** Taken off by hand, for the whole line. */
  readonly manualDiscount: Decimal
  /** Price of one `uom` agreed beforehand: it counts instead of the price list, and no discount set or promotion changes it. */
  readonly agreedPrice?: Decimal | null
  /** Line of a contract it calls on: its price comes before every other. */
  readonly contractLineId?: number | null
  /** The combo the line came out of; combos themselves are exploded before they are handed in. */
  readonly combo?: ComboOf | null
  /** Code of the promotion chosen for the line where several compete. */
  readonly choice?: string | null
}

/** One step from gross to net, as kept in sales_order_discount. */
export interface PricingStep {
  readonly seq: number
  readonly source: 'DISCOUNT' | 'PROMOTION' | 'MANUAL'
  readonly name: string
  readonly rate: Decimal | null
  readonly amount: Decimal
}

/** Where a price came from, step by step: what the user sees as price detail. */
export interface TraceStep {
  readonly step: string
  readonly source: string
  /** Row the step took its value from. */
  readonly rowId: number | null
  readonly before: Decimal
  readonly after: Decimal
}

export interface LineBlock {
  readonly code: 'PR00' | 'PR01' | 'PR02'
  /** PR01: percent below the floor price. PR02: percent given by hand. */
  readonly percent: Decimal
  /** The same in money, over the whole line. */
  readonly amount: Decimal
}

export interface PricedLine {
  readonly key: number
  /** Null for an entered line; the key of the line that earned it for a free one. */
  readonly parentKey: number | null
  readonly itemId: number
  readonly uom: string
  readonly qty: Decimal
  readonly factor: Decimal
  readonly qtyBase: Decimal
  readonly price: Decimal
  /** What the price list says where another price was agreed. */
  readonly listPrice: Decimal | null
  readonly priceSource: string
  readonly gross: Decimal
  /** Discount set and manual discount together. */
  readonly discount: Decimal
  readonly manualDiscount: Decimal
  readonly promo: Decimal
  readonly dpp: Decimal
  readonly dppOther: Decimal
  readonly ppn: Decimal
  /** Base and VAT; where the price list includes VAT, what is left of the prices listed. */
  readonly total: Decimal
  /** Priced by a list that includes VAT. */
  readonly taxIncluded: boolean
  readonly isFree: boolean
  readonly promotionId: number | null
  /** The combo the line still stands for, together with the other parts. */
  readonly combo: ComboOf | null
  readonly steps: readonly PricingStep[]
  readonly trace: readonly TraceStep[]
  readonly blocks: readonly LineBlock[]
}

export interface OrderTotals {
  readonly gross: Decimal
  readonly discount: Decimal
  readonly promo: Decimal
  readonly dpp: Decimal
  readonly dppOther: Decimal
  readonly ppn: Decimal
  /** total − ppn − (gross − discount − promo): whole-rupiah bases, prices listed with VAT and the rounding of the total. */
  readonly rounding: Decimal
  readonly total: Decimal
}

export interface PricedOrder extends OrderTotals {
  /** Entered lines in their order, then free lines. */
  readonly lines: readonly PricedLine[]
}

/** A line on its way through the steps. */
interface Draft {
  readonly line: OrderLine
  readonly item: PricedItem
  readonly base: BasePrice | null
  /** The promotion that set its price. */
  readonly special: Promotion | undefined
  readonly part: PartPrice | undefined
  readonly qtyBase: Exact
  readonly gross: Exact
  readonly discounts: readonly DiscountStep[]
}

/**
 * Prices an order: base price, discount set, line promotions, order promotions, free goods, manual discount, whole-rupiah base, VAT, rounding.
 * Same context, masters and lines give the same answer, digit for digit. A line without any price comes back at zero with block PR00.
 */
export function priceOrder(context: PricingContext, masters: PricingMasters, lines: readonly OrderLine[]): PricedOrder {
  const book = new PriceBook(context, masters)
  const discountSet = discountSetFor(context, masters.discountSets)
  const parts = partPrices(book, context, masters, lines, agreedSource)
  const promotions = touching(candidates(context, masters.promotions), lines.flatMap(({ itemId }) => masters.items.get(itemId) ?? []))
  const bases = basesOf(book, masters, lines, parts)
  const special = specialOf(promotions, masters, lines, bases)
  const sequences = new Map<number, ReturnType<typeof discountsFor>>()
  const drafts = lines.flatMap((line): Draft[] => {
    const item = masters.items.get(line.itemId)
    if (!item) return []
    const known = sequences.get(item.id) ?? discountsFor(discountSet, masters, item)
    sequences.set(item.id, known)
    const qty = exact(line.qty)
    const part = parts.get(line)
    const base = special.get(line)?.base ?? bases.get(line) ?? null
    const qtyBase = qty.times(item.factors.get(line.uom) ?? '1').round(3)
    const gross = part?.price?.gross ?? (base ? qty.times(base.price).round(2) : zero)
    return [{ line, item, base, special: special.get(line)?.promotion, part, qtyBase, gross, discounts: isAgreed(base) ? [] : applyDiscounts(known, gross, qty, qtyBase) }]
  })
  const open = drafts.filter(({ base }) => !isAgreed(base))
  const afterDiscount = open.map((draft): PromotedLine => ({ item: draft.item, qtyBase: draft.qtyBase, value: draft.gross.minus(sum(draft.discounts.map((d) => d.amount))) }))
  const onItems = valueBenefits(promotions.filter((promotion) => !isOfOrder(promotion)), afterDiscount)
  const afterItems = lessBenefits(afterDiscount, onItems)
  const onOrder = valueBenefits(promotions.filter(isOfOrder), afterItems)
  const placeOf = new Map(open.map((draft, i) => [draft, i]))
  const paid = drafts.map((draft) => pricedLine(draft, [...onItems, ...onOrder].map((benefit) => ({ benefit, part: benefit.parts[placeOf.get(draft) ?? -1] ?? zero })), masters))
  const given = freeBenefits(promotions, afterItems, (benefit) => giftWorth(benefit, book, masters)).flatMap((benefit) => unpacked(benefit, context, masters))
  const free = given.flatMap((benefit, n) => {
    const parent = open[benefit.parent]
    const line = parent && freeLine(benefit, parent.line.key, -1 - n, book, masters)
    return line ?? []
  })
  return { lines: [...paid, ...free], ...orderTotals(masters.freeLineGrossUp ? [...paid, ...free] : paid, masters.rounding) }
}

/** Special prices of promotions, for lines whose price is neither agreed, in a contract or by hand, nor a share of a combo's. */
function specialOf(promotions: readonly Promotion[], { items, contracts }: PricingMasters, lines: readonly OrderLine[], bases: ReadonlyMap<OrderLine, BasePrice>) {
  const open = lines.flatMap((line) => {
    const item = items.get(line.itemId)
    const base = bases.get(line)
    if (item === undefined || line.combo != null || isAgreed(base ?? null) || contractOf(line, contracts) !== undefined) return []
    const qtyBase = exact(line.qty).times(item.factors.get(line.uom) ?? '1').round(3)
    return [{ key: line, line: { item, qtyBase }, uom: line.uom, listed: base?.price ?? null }]
  })
  const found = specialPrices(promotions, open)
  return new Map(open.flatMap(({ key }, i) => (found[i] == null ? [] : [[key, found[i]] as const])))
}

/** What a gift would cost by the list. */
function giftWorth({ itemId, qtyBase }: FreeBenefit, book: PriceBook, { items }: PricingMasters): Exact {
  const item = items.get(itemId)
  const base = item && book.find(item, item.baseUom, qtyBase)
  return base ? base.price.times(qtyBase) : qtyBase
}

type BasedLine = Pick<OrderLine, 'itemId' | 'uom' | 'qty' | 'agreedPrice' | 'contractLineId' | 'combo'>

/** What one unit of each line costs before any discount, and the floor that goes with it: as agreed, its share of a combo, or by the list. Lines without a price are not in it. */
export function basePrices<L extends BasedLine>(context: PricingContext, masters: PricingMasters, lines: readonly L[]): ReadonlyMap<L, BasePrice> {
  const book = new PriceBook(context, masters)
  return basesOf(book, masters, lines, partPrices(book, context, masters, lines, agreedSource))
}

function basesOf<L extends BasedLine>(book: PriceBook, { items, contracts }: PricingMasters, lines: readonly L[], parts: ReadonlyMap<L, PartPrice>): ReadonlyMap<L, BasePrice> {
  const found = new Map<L, BasePrice>()
  for (const line of lines) {
    const item = items.get(line.itemId)
    const listed = () => (item === undefined ? null : book.find(item, line.uom, exact(line.qty)))
    const contract = contractOf(line, contracts)
    const base = item && (contract ? book.ofContract(contract, item, exact(line.qty)) : (parts.get(line)?.price?.base ?? agreedBase(line, listed) ?? listed()))
    if (base) found.set(line, base)
  }
  return found
}

/** What a line calls on: a contract for its item in its unit. */
function contractOf({ contractLineId, itemId, uom }: BasedLine, contracts: PricingMasters['contracts']): ContractPrice | undefined {
  const contract = contracts?.get(contractLineId ?? 0)
  return contract?.itemId === itemId && contract.uom === uom ? contract : undefined
}

/** Where the price of a line comes from that was agreed beforehand. */
export const agreedSource = 'AGREED'

function isAgreed(base: BasePrice | null): boolean {
  return base?.source === agreedSource
}

/** A combo given away is given as its parts; one that cannot be ordered cannot be given either. */
function unpacked(benefit: FreeBenefit, { priceDate }: PricingContext, { combos }: PricingMasters): FreeBenefit[] {
  const combo = combos?.get(benefit.itemId)
  if (combo === undefined || combos === undefined) return [benefit]
  return comboFault(combo, priceDate, combos) === null ? combo.parts.map((part) => ({ ...benefit, itemId: part.itemId, uom: null, qtyBase: benefit.qtyBase.times(part.qty).round(3) })) : []
}

function agreedBase({ agreedPrice }: BasedLine, listed: () => BasePrice | null): BasePrice | null {
  return agreedPrice === null || agreedPrice === undefined ? null : { listPriceId: null, price: exact(agreedPrice).round(4), withTax: null, floor: null, source: agreedSource, listed: listed()?.price ?? null }
}

/** Header totals of the lines that count: free lines, where they do, add as much to gross as to promotion. */
export function orderTotals(lines: readonly Omit<PricedLine, 'key'>[] | readonly TotalledLine[], rule: RoundingRule): OrderTotals {
  const of = (pick: (line: TotalledLine) => Decimal): Exact => sum(lines.map(pick))
  const gross = of((line) => line.gross)
  const discount = of((line) => line.discount)
  const promo = of((line) => line.promo)
  const dpp = of((line) => line.dpp)
  const ppn = documentVat(lines.map((line) => line.ppn), rule.places)
  const total = roundTo(lines.some((line) => line.taxIncluded) ? of((line) => line.total) : dpp.plus(ppn), rule)
  return {
    gross: money(gross),
    discount: money(discount),
    promo: money(promo),
    dpp: money(dpp),
    dppOther: money(of((line) => line.dppOther)),
    ppn: money(ppn),
    rounding: money(total.minus(ppn).minus(gross.minus(discount).minus(promo))),
    total: money(total),
  }
}

/** What totals are made of. */
export interface TotalledLine {
  readonly gross: Decimal
  readonly discount: Decimal
  readonly promo: Decimal
  readonly dpp: Decimal
  readonly dppOther: Decimal
  readonly ppn: Decimal
  readonly total: Decimal
  readonly taxIncluded: boolean
}

export function roundTo(value: Exact, rule: RoundingRule): Exact {
  return value.div(rule.unit).round(0, rule.mode).times(rule.unit)
}

function lessBenefits(lines: readonly PromotedLine[], benefits: readonly ValueBenefit[]): PromotedLine[] {
  return lines.map((line, i) => ({ ...line, value: line.value.minus(sum(benefits.map((benefit) => benefit.parts[i] ?? zero))) }))
}

function pricedLine(draft: Draft, benefits: readonly { benefit: ValueBenefit; part: Exact }[], masters: PricingMasters): PricedLine {
  const { line, item, base, special, part, gross } = draft
  const steps: PricingStep[] = []
  const trace: TraceStep[] = part?.price
    ? [
        { step: 'COMBO', source: part.price.from, rowId: base?.listPriceId ?? null, before: '0.00', after: money(part.price.whole) },
        { step: 'SHARE', source: `${fixed(part.price.share, 2)} %`, rowId: null, before: money(part.price.whole), after: money(gross) },
      ]
    : priceSteps(base, exact(line.qty), gross)
  let running = gross
  const take = (source: PricingStep['source'], name: string, rowId: number | null, rate: Decimal | null, amount: Exact): void => {
    const after = running.minus(amount)
    steps.push({ seq: steps.length + 1, source, name, rate, amount: money(amount) })
    trace.push({ step: source, source: name, rowId, before: money(running), after: money(after) })
    running = after
  }
  for (const step of draft.discounts) take('DISCOUNT', step.name, step.discountId, step.rate, step.amount)
  const given = benefits.filter(({ part }) => part.gt(0))
  for (const { benefit, part } of given) take('PROMOTION', benefit.promotion.code, benefit.promotion.id, benefit.rate, part)
  const asked = exact(line.manualDiscount).round(2)
  const manual = asked.gt(running) ? running : asked
  if (manual.gt(0)) take('MANUAL', 'Manual discount', null, null, manual)
  const dpp = running.round(masters.rounding.places ?? 0)
  const vat = lineVat(dpp, item.tax)
  const listed = part?.price ? part.price.listed : base?.withTax ? exact(line.qty).times(base.withTax).round(2) : null
  const payable = listed === null ? dpp.plus(vat.ppn) : gross.eq(0) ? zero : listed.times(running).div(gross)
  return {
    key: line.key,
    parentKey: null,
    itemId: item.id,
    uom: line.uom,
    qty: fixed(line.qty, 3),
    factor: fixed(item.factors.get(line.uom) ?? '1', 6),
    qtyBase: fixed(draft.qtyBase, 3),
    price: fixed(base?.price ?? zero, 4),
    listPrice: base?.listed == null ? null : fixed(base.listed, 4),
    priceSource: base?.source ?? '',
    gross: money(gross),
    discount: money(sum(draft.discounts.map((step) => step.amount)).plus(manual)),
    manualDiscount: money(manual),
    promo: money(sum(given.map(({ part }) => part))),
    dpp: money(dpp),
    dppOther: money(vat.dppOther),
    ppn: money(vat.ppn),
    total: money(payable),
    taxIncluded: listed !== null,
    isFree: false,
    promotionId: given[0]?.benefit.promotion.id ?? special?.id ?? null,
    combo: part?.combo ?? null,
    steps,
    trace,
    blocks: lineBlocks(base, running, exact(line.qty), gross, manual, masters),
  }
}

/** Where the price came from: of a contract that takes off a list, first the list and then the contract. */
function priceSteps(base: BasePrice | null, qty: Exact, gross: Exact): TraceStep[] {
  const list = base?.contract === undefined ? base : base.contract.list
  const before = list === base ? gross : list === null ? zero : qty.times(list.price).round(2)
  return [
    ...(list === null && base !== null ? [] : [{ step: 'PRICE', source: list?.source ?? '', rowId: list?.listPriceId ?? null, before: '0.00', after: money(before) }]),
    ...(base?.contract === undefined ? [] : [{ step: 'CONTRACT', source: base.source, rowId: base.contract.lineId, before: money(before), after: money(gross) }]),
  ]
}

function lineBlocks(base: BasePrice | null, net: Exact, qty: Exact, gross: Exact, manual: Exact, masters: PricingMasters): LineBlock[] {
  if (!base) return [{ code: 'PR00', percent: '0', amount: '0' }]
  const blocks: LineBlock[] = []
  if (base.floor?.gt(0) && net.lt(base.floor.times(qty))) {
    const below = base.floor.minus(net.div(qty))
    blocks.push({ code: 'PR01', percent: fixed(below.div(base.floor).times(100), 4), amount: money(below.times(qty)) })
  }
  const pct = manual.gt(0) && gross.gt(0) ? manual.div(gross).times(100) : zero
  if (pct.gt(masters.manualDiscountPct)) blocks.push({ code: 'PR02', percent: fixed(pct, 4), amount: money(manual) })
  return blocks
}

/** Given at the list price and taken off whole, so that it adds nothing to the order; the price shows what the gift is worth. */
function freeLine(benefit: FreeBenefit, parentKey: number, key: number, book: PriceBook, masters: PricingMasters): PricedLine | null {
  const item = masters.items.get(benefit.itemId)
  if (!item || benefit.qtyBase.lte(0)) return null
  const perSalesUnit = exact(item.factors.get(item.salesUom) ?? '1')
  const named = benefit.uom === null ? undefined : item.factors.get(benefit.uom)
  const isInNamed = named !== undefined && benefit.qtyBase.mod(named).eq(0)
  const inSalesUnits = benefit.qtyBase.mod(perSalesUnit).eq(0)
  const uom = isInNamed && benefit.uom !== null ? benefit.uom : inSalesUnits ? item.salesUom : item.baseUom
  const factor = isInNamed ? exact(named) : inSalesUnits ? perSalesUnit : exact(1)
  const qty = benefit.qtyBase.div(factor)
  const base = book.find(item, uom, qty)
  const gross = money(base ? qty.times(base.price) : zero)
  return {
    key,
    parentKey,
    itemId: item.id,
    uom,
    qty: fixed(qty, 3),
    factor: fixed(factor, 6),
    qtyBase: fixed(benefit.qtyBase, 3),
    price: fixed(base?.price ?? zero, 4),
    listPrice: null,
    priceSource: base?.source ?? '',
    gross,
    discount: '0.00',
    manualDiscount: '0.00',
    promo: gross,
    dpp: '0.00',
    dppOther: '0.00',
    ppn: '0.00',
    total: '0.00',
    taxIncluded: false,
    isFree: true,
    promotionId: benefit.promotion.id,
    combo: null,
    steps: [{ seq: 1, source: 'PROMOTION', name: benefit.promotion.code, rate: '100', amount: gross }],
    trace: [
      { step: 'PRICE', source: base?.source ?? '', rowId: base?.listPriceId ?? null, before: '0.00', after: gross },
      { step: 'PROMOTION', source: benefit.promotion.code, rowId: benefit.promotion.id, before: gross, after: '0.00' },
    ],
    blocks: [],
  }
}
