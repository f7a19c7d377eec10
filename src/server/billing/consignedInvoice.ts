import { compare, exact, fixed, type Decimal } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { FieldProblem } from '#api/problems.ts'
import { orderTotals, priceOrder, type OrderTotals, type PricedLine } from '#domain/pricing/priceOrder.ts'
import { dueDate } from '#domain/receivables/dueDate.ts'
import { taxTreatment } from '#domain/tax/vat.ts'
import type { CommandContext, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { loadPricing } from '#server/pricing/loadPricing.ts'
import { unpriced } from '#server/sales/repriceOrder.ts'
import { financeSettings } from '#server/settings.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { insertDocument, numberOf } from '#server/workflow/newDocument.ts'
import { termsOf } from './billDeliveries.ts'

interface ConsignedLine {
  /** Key of the line, as it comes back. */
  readonly key: number
  readonly itemId: number
  /** In base units. */
  readonly qty: Decimal
}

export interface ConsignedPrices {
  readonly lines: readonly PricedLine[]
  readonly totals: OrderTotals
  /** Lines without a price on that day, by place. */
  readonly problems: readonly FieldProblem[]
  readonly ppnRates: ReadonlyMap<number, Decimal>
}

const nothing: OrderTotals = { gross: '0', discount: '0', promo: '0', dpp: '0', dppOther: '0', ppn: '0', rounding: '0', total: '0' }

/**
 * Goods sold at a customer's, at the prices and discounts of a day. No promotion speaks of them: those are of orders. In sales units where the quantity
 * is whole in them.
 */
export async function consignedPrices(tx: Queries, customer: { readonly id: number; readonly unit: number }, date: DateText, sold: readonly ConsignedLine[]): Promise<ConsignedPrices> {
  const loaded = await loadPricing(tx, { customerId: customer.id, priceDate: date, salesChannelId: null, operatingUnitId: customer.unit, itemIds: sold.map(({ itemId }) => itemId) })
  if (loaded === null || sold.length === 0) return { lines: [], totals: nothing, problems: [], ppnRates: new Map() }
  const masters = { ...loaded.masters, promotions: [] }
  const units = new Map((await tx.rows<{ id: number; base_uom: string; sales_uom: string }>(sql`select id, base_uom, sales_uom from item where id = any(${sold.map(({ itemId }) => itemId)}::bigint[])`)).map((row) => [row.id, row]))
  const lines = sold.map(({ key, itemId, qty }) => {
    const own = units.get(itemId)
    const factor = masters.items.get(itemId)?.factors.get(own?.sales_uom ?? '') ?? '1'
    const inSales = fixed(exact(qty).div(factor), 3)
    const isWhole = compare(exact(inSales).times(factor), qty) === 0
    return { key, itemId, uom: (isWhole ? own?.sales_uom : own?.base_uom) ?? '', qty: isWhole ? inSales : qty, manualDiscount: '0' }
  })
  const { lines: priced, ...totals } = priceOrder(loaded.context, masters, lines)
  const problems = priced.flatMap((line, i) => unpriced(line, i, masters, date))
  return { lines: priced, totals, problems, ppnRates: new Map([...masters.items].map(([id, { tax }]) => [id, tax?.rate ?? '0'])) }
}

interface ConsignedInvoice {
  readonly type: 'CONSIGNMENT' | 'CMI'
  readonly customerId: number
  readonly operatingUnitId: number
  readonly territoryId: number | null
  readonly date: DateText
  readonly poNumber: string | null
  readonly prices: ConsignedPrices
  /** Cost by key of the line. */
  readonly costs: ReadonlyMap<number, Decimal>
}

/** Makes and posts the invoice of goods sold at a customer's; answers id, due date and address. */
export async function invoiceConsigned(context: CommandContext, wanted: ConsignedInvoice): Promise<{ readonly id: number; readonly due: DateText; readonly billTo: unknown }> {
  const { tx } = context
  const { customerId, operatingUnitId, date, prices } = wanted
  const customer = await tx.first<Row>(sql`
    select c.payment_term_id, c.salesman_id, (select id from customer_address a where a.customer_id = c.id order by a.kind = 'BILL_TO' desc, a.is_default desc, a.id limit 1) as bill_to_id,
      (select id from customer_address a where a.customer_id = c.id order by a.kind = 'SHIP_TO' desc, a.is_default desc, a.id limit 1) as ship_to_id
    from customer c where c.id = ${customerId}`)
  if (customer === undefined) throw new Error(`There is no customer ${customerId}`)
  const currency = await homeCurrency(tx, operatingUnitId)
  const paymentTermId = numberOf(customer, 'payment_term_id')
  const [terms, finance] = [await termsOf(tx, { operatingUnitId, customerId, paymentTermId, currency }), await financeSettings(tx, operatingUnitId)]
  const totals = orderTotals(prices.lines, terms.rounding)
  const ofGoods = await tx.first<{ trx_code: string | null }>(sql`
    select t.trx_code from item i join tax_code t on t.id = i.tax_code_id where i.id = ${prices.lines[0]?.itemId ?? 0}`)
  const treatment = taxTreatment({ trxCode: terms.trx_code, collector: terms.wapu_kind }, exact(totals.total), { ofGoods: ofGoods?.trx_code ?? null, ofCompany: terms.company_trx_code }, {
    government: finance.collected_above_government, stateEnterprise: finance.collected_above_other,
  })
  const { baseline, due } = dueDate(terms.term, date, { podDate: date })
  const { id } = await insertDocument(
    context,
    'invoice',
    {
      operating_unit_id: operatingUnitId, territory_id: wanted.territoryId, doc_date: date, posting_date: date, currency, invoice_type: wanted.type, customer_id: customerId, bill_to_id: customer['bill_to_id'], ship_to_id: customer['ship_to_id'],
      sales_order_id: null, payment_term_id: paymentTermId, net_days: terms.net_days, baseline: terms.baseline, cash_discount_pct: terms.cash_discount_pct, cash_discount_days: terms.cash_discount_days, po_number: wanted.poNumber,
      baseline_date: baseline, due_date: due, pod_date: date, gross: totals.gross, discount: totals.discount, promo: totals.promo, dpp: totals.dpp, dpp_other: totals.dppOther, ppn: totals.ppn, rounding: totals.rounding, total: totals.total,
      remaining: totals.total, ppn_collector: treatment.collector, trx_code: treatment.trxCode, ar_account_id: terms.is_collector ? finance.collector_account_id : finance.receivable_account_id, salesman_id: customer['salesman_id'], collector_id: terms.collector_id,
    },
    {
      table: 'invoice_line',
      rows: prices.lines.map((line) => ({
        order_line_id: null, gi_line_id: null, item_id: line.itemId, uom: line.uom, qty: line.qty, qty_base: line.qtyBase, price: line.price, gross: line.gross, discount: line.discount, promo: line.promo, dpp: line.dpp, dpp_other: line.dppOther,
        ppn: line.ppn, total: line.total, ppn_rate: prices.ppnRates.get(line.itemId) ?? '0', cogs: wanted.costs.get(line.key) ?? '0', is_free: false,
      })),
    },
  )
  await context.transition('invoice', id, 'post')
  return { id, due, billTo: customer['bill_to_id'] }
}
