import { isDate, type DateText } from '#base/date.ts'
import { compare, exact, fixed, grouped, type Decimal } from '#base/decimal.ts'
import type { RowResult } from '#api/data.ts'
import { combine, type Billable, type BillingRule } from '#domain/billing/combine.ts'
import { baseOf } from '#domain/ledger/inBooks.ts'
import { nothingBilled, plusPortion, portionOf, type AgreedLine, type BilledPortion, type BilledSoFar } from '#domain/billing/portion.ts'
import { orderTotals } from '#domain/pricing/priceOrder.ts'
import { decimalsOf, smallestOf } from '#domain/pricing/currency.ts'
import type { RoundingRule } from '#domain/pricing/masters.ts'
import { dueDate, type PaymentTerm } from '#domain/receivables/dueDate.ts'
import { taxTreatment, type CollectorKind, type TaxRate } from '#domain/tax/vat.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, CommandInput, Queries, Row } from '#server/context.ts'
import { taxOf, untaxedProblem } from '#server/pricing/pricingMasters.ts'
import { keepPlans } from '#server/db/keepPlans.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { invalid, problem, ProblemError, refusedRow, summaryOf, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { financeSettings, setting } from '#server/settings.ts'
import { mustRate } from '#server/setup/exchangeRates.ts'
import { insertDocument, newDocumentIds } from '#server/workflow/newDocument.ts'
import { counterOf, keepNumber } from '#server/workflow/numbering.ts'
import { once, onlyOnce } from '#server/workflow/once.ts'
import { askForRun, causeOfRun } from './askForRun.ts'

/** Invoices the goods issues named, one invoice for each combination its customer wants; what cannot be billed is told and skipped. */
export const billDeliveries: Command = Object.assign(bill, {
  ahead: (context: CommandContext, { ids, params }: CommandInput) => {
    const date = params['InvoiceDate']
    if (!isDate(date)) return
    void once(context.tx, billableKey(ids, date), () => billableLines(context, ids, date))
    void once(context.tx, runsKey(ids), () => waitingRuns(context, ids))
  },
})

function runsKey(ids: readonly number[]): string {
  return `billing runs ${ids.join()}`
}

/** Deliveries in a run that waits for a decision. */
function waitingRuns(context: CommandContext, ids: readonly number[]): Promise<{ id: number; code: string }[]> {
  return context.tx.ahead.rows<{ id: number; code: string }>(sql`
    select l.goods_issue_id as id, r.code from billing_run_line l join billing_run r on r.id = l.billing_run_id where l.goods_issue_id = any(${[...ids]}::bigint[]) and r.status = 4`)
}

async function bill(context: CommandContext, input: CommandInput): Promise<Row> {
  const date = input.params['InvoiceDate']
  if (!isDate(date)) return invalid([wrong('InvoiceDate', 'REQUIRED')])
  const lines = await onlyOnce(context.tx, billableKey(input.ids, date), () => billableLines(context, input.ids, date))
  const waiting = await onlyOnce(context.tx, runsKey(input.ids), () => waitingRuns(context, input.ids))
  const held = waiting.map(({ id, code }) => refusedRow(id, problem('PENDING_TRANSITION.billing-run', { run: code })))
  const ids = input.ids.filter((id) => waiting.every((one) => one.id !== id))
  const free = lines.filter((line) => ids.includes(line.goodsIssueId))
  const cause = await causeOfRun(context, date, free.filter((line) => line.is_ready).length)
  if (cause === undefined) {
    const { results, invoices } = await billLines(context, ids, free, date)
    return { results: [...held, ...results], Invoices: invoices }
  }
  const ready = ids.filter((id) => free.some((line) => line.is_ready && line.goodsIssueId === id))
  const early = ready.filter((id) => free.some((line) => line.goodsIssueId === id && line.postingDate > date))
  const due = ready.filter((id) => !early.includes(id))
  const asked = due.length === 0 ? [] : await askForRun(context, due, date, cause)
  return { results: [...held, ...unready(ids, free), ...early.map((id) => refusedRow(id, beforeGoods().problem)), ...asked], Invoices: [] }
}

/** Bills goods issues without asking whether somebody else must agree first. */
export async function billNow(context: CommandContext, ids: readonly number[], date: DateText): Promise<Billed> {
  return billLines(context, ids, await billableLines(context, ids, date), date)
}

interface Billed {
  readonly results: readonly RowResult[]
  readonly invoices: readonly Row[]
}

async function billLines(context: CommandContext, ids: readonly number[], lines: readonly BillableLine[], date: DateText): Promise<Billed> {
  const results: RowResult[] = [...unready(ids, lines)]
  const ready = lines.filter((line) => line.is_ready)
  const invoices: Row[] = []
  for (const group of combine(ready)) {
    const issues = [...new Set(group.map((line) => line.goodsIssueId))]
    try {
      const invoice = await context.apart((own) => billGroup(own, group, date))
      invoices.push(invoice)
      results.push(...issues.map((id) => ({ ID: id, ok: true, ...tell('done.invoiced', { invoice: String(invoice['Code']), total: grouped(String(invoice['Total'])) }) })))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const refusal = error.problem
      results.push(...issues.map((id) => refusedRow(id, refusal)))
    }
  }
  return { results, invoices }
}

/** No invoice is older than the goods on it. */
function beforeGoods(): ProblemError {
  const wrongs = [wrong('InvoiceDate', 'TOO_EARLY.goods-issue')]
  return new ProblemError({ code: 'VALIDATION_FAILED', ...summaryOf(wrongs), errors: wrongs })
}

/** What cannot be billed, or not yet. */
function unready(ids: readonly number[], lines: readonly BillableLine[]): readonly RowResult[] {
  return ids.flatMap((id) => {
    const own = lines.filter((line) => line.goodsIssueId === id)
    return own.some((line) => line.is_ready) ? [] : [refusedRow(id, problem(own.length > 0 ? 'ILLEGAL_TRANSITION.bill-after-delivery' : 'ILLEGAL_TRANSITION.nothing-to-bill'))]
  })
}

function billableKey(ids: readonly number[], date: DateText): string {
  return `billable ${date} ${ids.join()}`
}

/** Invoices goods issues of this very command, all of them or none; answers id and number of each invoice. */
export async function billIssues(context: CommandContext, ids: readonly number[], date: DateText): Promise<readonly { readonly id: number; readonly code: string }[]> {
  const invoices: { id: number; code: string }[] = []
  for (const group of combine(await billableLines(context, ids, date))) {
    const { ID: id, Code: code } = await billGroup(context, group, date)
    invoices.push({ id: Number(id), code: String(code) })
  }
  return invoices
}

/** A delivered line that no live invoice has, with what the order agreed for it. */
export interface BillableLine extends Billable {
  readonly giLineId: number
  readonly orderLineId: number
  readonly orderId: number
  readonly shipToId: number | null
  readonly itemId: number
  readonly itemCode: string
  readonly isTaxable: boolean
  /** Tax code the item names. */
  readonly ownTax: string | null
  readonly baseUom: string
  readonly orderUom: string
  readonly factor: Decimal
  readonly price: Decimal
  readonly qty: Decimal
  readonly cost: Decimal
  readonly is_ready: boolean
  /** Sold from a van. */
  readonly isFromVan: boolean
  readonly deliveredDate: DateText | null
  readonly agreed: Omit<AgreedLine, 'tax'>
  readonly tax: TaxRate | null
  /** Transaction code of its tax. */
  readonly taxTrxCode: string | null
}

interface LineRow extends Row {
  readonly gi_line_id: number
  readonly goods_issue_id: number
  readonly posting_date: DateText
  readonly operating_unit_id: number
  readonly territory_id: number | null
  readonly customer_id: number
  readonly order_id: number
  readonly order_line_id: number
  readonly bill_to_id: number | null
  readonly ship_to_id: number | null
  readonly payment_term_id: number
  readonly currency: string
  readonly salesman_id: number | null
  readonly po_number: string | null
  readonly billing_rule: BillingRule
  readonly is_ready: boolean
  readonly is_from_van: boolean
  readonly delivered_date: DateText | null
  readonly item_id: number
  readonly item_code: string
  readonly is_taxable: boolean
  readonly own_tax: string | null
  readonly base_uom: string
  readonly uom: string
  readonly factor: Decimal
  readonly price: Decimal
  readonly qty: Decimal
  readonly cost: Decimal
  readonly qty_base: Decimal
  readonly gross: Decimal
  readonly discount_amount: Decimal
  readonly promo_amount: Decimal
  readonly dpp: Decimal
  readonly ppn: Decimal
  readonly total: Decimal
  readonly tax_included: boolean
  readonly is_free: boolean
  readonly tax_code: string | null
  readonly tax_rate: Decimal | null
  readonly tax_trx_code: string | null
  readonly tax_numerator: number | null
  readonly tax_denominator: number | null
}

/** Locks the goods issues, in id order, so that nobody else bills them meanwhile. */
async function billableLines(context: CommandContext, ids: readonly number[], date: DateText): Promise<BillableLine[]> {
  keepPlans(context.tx)
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'g')
  // Each statement sees what was committed before it: the lines are read when the goods issues are locked.
  const locked = context.tx.run(sql`select g.id from goods_issue g where g.id = any(${[...ids]}::bigint[]) and g.status = 1 and ${scope ?? sql`true`} order by g.id for update`)
  const found = context.tx.rows<LineRow>(sql`
    select gl.id as gi_line_id, g.id as goods_issue_id, g.posting_date, g.operating_unit_id, g.territory_id, g.customer_id, o.id as order_id, l.id as order_line_id, o.bill_to_id, o.ship_to_id,
      coalesce(o.payment_term_id, c.payment_term_id) as payment_term_id, o.currency, o.salesman_id, o.po_number, c.billing_rule, (c.billing_trigger = 'GI' or d.status = 3) as is_ready, g.canvas_request_id is not null as is_from_van, d.delivered_date,
      l.item_id, i.code as item_code, i.is_taxable, (select code from tax_code where id = i.tax_code_id) as own_tax, i.base_uom, l.uom, l.factor, l.price, gl.qty - gl.billed_qty - gl.returned_qty as qty, gl.cost - gl.returned_cost as cost, l.qty_base, l.gross, l.discount_amount, l.promo_amount, l.dpp, l.ppn, l.total, l.tax_included, l.is_free,
      t.code as tax_code, t.rate as tax_rate, t.base_numerator as tax_numerator, t.base_denominator as tax_denominator, t.trx_code as tax_trx_code
    from goods_issue g
    join goods_issue_line gl on gl.goods_issue_id = g.id and gl.qty - gl.billed_qty - gl.returned_qty > 0
    join sales_order_line l on l.id = gl.order_line_id
    join sales_order o on o.id = l.sales_order_id
    join customer c on c.id = g.customer_id
    join delivery_order d on d.id = g.delivery_order_id
    join item i on i.id = l.item_id
    left join tax_code t on i.is_taxable and ${taxOf} and ${date}::date between t.valid_from and coalesce(t.valid_to, 'infinity')
    where g.id = any(${[...ids]}::bigint[]) and g.status = 1 and ${scope ?? sql`true`}
    order by g.posting_date, g.id, gl.line_no, gl.id`)
  const [rows] = await Promise.all([found, locked])
  return rows.map(billableLine)
}

function billableLine(row: LineRow): BillableLine {
  const tax = row.tax_code === null || row.tax_rate === null ? null : { code: row.tax_code, rate: row.tax_rate, numerator: row.tax_numerator ?? 1, denominator: row.tax_denominator ?? 1 }
  return {
    giLineId: row.gi_line_id, goodsIssueId: row.goods_issue_id, postingDate: row.posting_date, operatingUnitId: row.operating_unit_id, territoryId: row.territory_id, customerId: row.customer_id,
    orderId: row.order_id, orderLineId: row.order_line_id, billToId: row.bill_to_id, shipToId: row.ship_to_id, paymentTermId: row.payment_term_id, currency: row.currency, salesmanId: row.salesman_id,
    poNumber: row.po_number, billingRule: row.billing_rule, is_ready: row.is_ready, isFromVan: row.is_from_van, deliveredDate: row.delivered_date, itemId: row.item_id, itemCode: row.item_code, isTaxable: row.is_taxable, ownTax: row.own_tax, baseUom: row.base_uom, orderUom: row.uom, factor: row.factor, price: row.price, qty: row.qty,
    cost: row.cost, taxCode: tax?.code ?? '', tax, taxTrxCode: row.tax_trx_code,
    agreed: { qtyBase: row.qty_base, gross: row.gross, discount: row.discount_amount, promo: row.promo_amount, dpp: row.dpp, ppn: row.ppn, total: row.total, taxIncluded: row.tax_included, isFree: row.is_free },
  }
}

/** One invoice of lines that belong together, made and posted. */
async function billGroup(context: CommandContext, group: readonly BillableLine[], date: DateText): Promise<Row> {
  const [first] = group
  if (first === undefined) throw new Error('An invoice needs lines')
  const draw = await counterOf(context.tx, invoiceSeries(context), first.operatingUnitId, date)
  // Locked before they are read: two invoices of one order line must not both take its last rupiah.
  const locked = context.tx.run(sql`select id from sales_order_line where id = any(${group.map((line) => line.orderLineId)}::bigint[]) order by id for update`)
  // What posting will ask travels along; it is posting that is told of a closed period.
  context.assertPeriodOpen(['SD', 'AR', 'GL'], first.operatingUnitId, date).catch(() => undefined)
  const [finance, billed, terms, ids, number] = await Promise.all([
    financeSettings(context.tx, first.operatingUnitId), billedSoFar(context.tx, group.map((line) => line.orderLineId)), termsOf(context.tx, first), newDocumentIds(context, 'invoice', { table: 'invoice_line', count: group.length }), draw(context.tx), locked,
  ])
  const rate = await mustRate(context.tx, first.operatingUnitId, first.currency, date, 'InvoiceDate')
  if (date < group.reduce((latest, line) => (line.postingDate > latest ? line.postingDate : latest), '')) {
    throw beforeGoods()
  }
  const untaxed = group.find((line) => line.isTaxable && line.tax === null)
  if (untaxed !== undefined) invalid([untaxedProblem('InvoiceDate', untaxed.itemCode, { code: untaxed.ownTax }, date)])
  const lines = invoiceLines(group, billed)
  const grossUp = await setting(context.tx, 'free_line_gross_up', first.operatingUnitId, false)
  const totals = orderTotals(lines.filter((line) => grossUp || !line.isFree).map((line) => line.portion), terms.rounding)
  const treatment = taxTreatment({ trxCode: terms.trx_code, collector: terms.wapu_kind }, exact(baseOf(totals.total, rate)), { ofGoods: first.taxTrxCode, ofCompany: terms.company_trx_code }, {
    government: finance.collected_above_government, stateEnterprise: finance.collected_above_other,
  })
  const podDate = group.reduce<DateText | null>((latest, line) => (line.deliveredDate !== null && line.deliveredDate > (latest ?? '') ? line.deliveredDate : latest), null)
  const { baseline, due } = dueDate(terms.term, date, { podDate })
  const orders = new Set(group.map((line) => line.orderId))
  const { id } = await insertDocument(
    context,
    'invoice',
    {
      operating_unit_id: first.operatingUnitId, territory_id: first.territoryId, doc_date: date, posting_date: date, currency: first.currency, rate, invoice_type: first.isFromVan ? 'CANVAS' : 'SALES', customer_id: first.customerId, bill_to_id: first.billToId,
      ship_to_id: first.shipToId, sales_order_id: orders.size === 1 ? first.orderId : null, payment_term_id: first.paymentTermId, net_days: terms.net_days, baseline: terms.baseline, cash_discount_pct: terms.cash_discount_pct,
      cash_discount_days: terms.cash_discount_days, po_number: first.poNumber, baseline_date: baseline, due_date: due, pod_date: podDate,
      gross: totals.gross, discount: totals.discount, promo: totals.promo, dpp: totals.dpp, dpp_other: totals.dppOther, ppn: totals.ppn, rounding: totals.rounding, total: totals.total,
      remaining: totals.total, ppn_collector: treatment.collector, trx_code: treatment.trxCode, ar_account_id: terms.is_collector ? finance.collector_account_id : finance.receivable_account_id, salesman_id: first.salesmanId, collector_id: terms.collector_id,
    },
    { table: 'invoice_line', rows: lines.map(lineRow) },
    ids,
  )
  keepNumber(context.tx, 'invoice', id, number)
  const posted = await context.transition('invoice', id, 'post')
  return { ID: id, Code: posted['code'], Total: totals.total }
}

function invoiceSeries({ metadata }: CommandContext): string {
  const { series } = knownEntity(metadata, 'invoice')
  if (series === undefined) throw new Error('Invoices have no series')
  return series
}

interface InvoiceLine {
  readonly source: BillableLine
  readonly portion: BilledPortion
  readonly isFree: boolean
}

function invoiceLines(group: readonly BillableLine[], billed: Map<number, BilledSoFar>): InvoiceLine[] {
  return group.map((source) => {
    const before = billed.get(source.orderLineId) ?? nothingBilled
    const portion = portionOf({ ...source.agreed, tax: source.tax }, before, source.qty, decimalsOf(source.currency))
    billed.set(source.orderLineId, plusPortion(before, source.qty, portion))
    return { source, portion, isFree: source.agreed.isFree }
  })
}

/** In the unit ordered when the quantity comes out whole to three places, else in base units. */
function lineRow({ source, portion, isFree }: InvoiceLine): Row {
  const inOrderUnit = fixed(exact(source.qty).div(source.factor), 3)
  const isWhole = compare(exact(inOrderUnit).times(source.factor), source.qty) === 0
  return {
    order_line_id: source.orderLineId, gi_line_id: source.giLineId, item_id: source.itemId, uom: isWhole ? source.orderUom : source.baseUom, qty: isWhole ? inOrderUnit : source.qty, qty_base: source.qty,
    price: isWhole ? source.price : fixed(exact(source.price).div(source.factor), 4), gross: portion.gross, discount: portion.discount, promo: portion.promo, dpp: portion.dpp,
    dpp_other: portion.dppOther, ppn: portion.ppn, total: portion.total, ppn_rate: source.tax?.rate ?? '0', cogs: source.cost, is_free: isFree,
  }
}

async function billedSoFar(tx: Queries, orderLineIds: readonly number[]): Promise<Map<number, BilledSoFar>> {
  const rows = await tx.rows<Row & { order_line_id: number } & BilledSoFar>(sql`
    select il.order_line_id, sum(gl.qty - gl.returned_qty) as qty, sum(il.gross) as gross, sum(il.discount) as discount, sum(il.promo) as promo, sum(il.dpp) as dpp, sum(il.total) as total
    from invoice_line il join invoice i on i.id = il.invoice_id join goods_issue_line gl on gl.id = il.gi_line_id
    where il.order_line_id = any(${[...orderLineIds]}::bigint[]) and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' group by 1`)
  return new Map(rows.map(({ order_line_id, qty, gross, discount, promo, dpp, total }) => [order_line_id, { qty, gross, discount, promo, dpp, total }]))
}

interface Terms extends Row {
  readonly trx_code: string | null
  readonly wapu_kind: CollectorKind
  readonly collector_id: number | null
  readonly company_trx_code: string
  readonly is_collector: boolean
  readonly net_days: number
  readonly baseline: PaymentTerm['baseline']
  readonly cash_discount_pct: Decimal
  readonly cash_discount_days: number | null
  readonly unit: Decimal | null
  readonly mode: RoundingRule['mode'] | null
}

/** What a customer is billed on: terms, tax and rounding. */
export async function termsOf(tx: Queries, line: Pick<BillableLine, 'operatingUnitId' | 'customerId' | 'paymentTermId' | 'currency'>): Promise<Terms & { readonly term: PaymentTerm; readonly rounding: RoundingRule }> {
  const row = await tx.first<Terms>(sql`
    select c.trx_code, c.wapu_kind, c.collector_id, m.default_trx_code as company_trx_code, k.is_government or c.wapu_kind <> 'NONE' as is_collector, p.net_days, p.baseline, p.cash_discount_pct, p.cash_discount_days, r.unit, r.mode
    from customer c
    join customer_category k on k.id = c.customer_category_id
    join operating_unit u on u.id = ${line.operatingUnitId}
    join company m on m.id = u.company_id
    join payment_term p on p.id = ${line.paymentTermId}::bigint
    left join rounding_rule r on r.doc_type = 'invoice' and r.currency = ${line.currency} and r.is_active
    where c.id = ${line.customerId}`)
  if (row === undefined) throw new Error(`No billing terms for customer ${line.customerId}`)
  return { ...row, term: { netDays: row.net_days, baseline: row.baseline }, rounding: { unit: row.unit ?? smallestOf(line.currency), mode: row.mode ?? 'HALF_UP', places: decimalsOf(line.currency) } }
}
