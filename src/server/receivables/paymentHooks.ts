import { compare, exact, isDecimal, money, sum, type Decimal } from '#base/decimal.ts'
import { isDate } from '#base/date.ts'
import type { WireRecord } from '#api/envelope.ts'
import { creditSources, deductionKinds, longestProofNo } from '#api/payment.ts'
import { sourceKey } from '#domain/receivables/receipt.ts'
import type { Queries, Row } from '#server/context.ts'
import { isRow } from '#server/documents/bodyColumns.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks, Saving, SavingLine } from '#server/documents/hooks.ts'
import { fail, wrong } from '#server/problemError.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { rateOn } from '#server/setup/exchangeRates.ts'
import { lockInvoices } from './allocations.ts'
import { checkReceipt, paidOn, reasonsOf, type Receipt } from './checkReceipt.ts'
import { fromTheField } from './fieldCash.ts'
import { readPaymentLines, type PaymentCredit, type PaymentDeduction } from './readPayment.ts'
import { readRecoveries, type Recovery } from './recoveries.ts'
import { checkUnitAccounts } from './unitAccounts.ts'

/** Saving a receipt draft: lines carry the credits and deductions that pay them. */
export const paymentHooks: DocumentHooks = {
  computed: [
    'territory_id', 'allocated', 'credit_used', 'deposit_used', 'deducted', 'unapplied', 'bank_charge', 'bank_statement_line_id', 'bank_confirmed', 'reversal_reason_id', 'clearing_date', 'posting_date', 'delivery_plan_id', 'collection_list_id', 'canvas_request_id', 'handed_over_on',
    'lines.money_amount', 'lines.remaining_before', 'lines.diff_amount', 'lines.diff_action',
  ],
  extraLineKeys: ['Credits', 'Deductions', 'InvoiceCode', 'InvoiceTotal', 'InvoiceDueDate', 'InvoiceStatus', 'InvoiceRemaining', 'InvoiceDocDate'],

  async beforeSave(saving) {
    const { context, header, before } = saving
    header['payment_date'] ??= before?.['payment_date'] ?? header['doc_date'] ?? context.today
    header['doc_date'] = header['payment_date']
    header['posting_date'] = header['payment_date']
    await fromAccount(context.tx, saving)
    await toCashDesk(saving)
    await fromTheField(saving)
    checkMoney(saving)
    await toBankCurrency(saving)
    await checkUnitAccounts(saving)
    if (before !== undefined && saving.lines !== undefined) await forgetParts(context.tx, before.id)
    const recoveries = await recoveriesOf(saving)
    const lines = saving.lines?.['Lines'] ?? (before === undefined && recoveries.length > 0 ? [] : undefined)
    if (lines === undefined) return
    const parts = lines.map((line, at) => partsOf(saving, line, at))
    const receipt = await withDifferences(saving, lines, parts, recoveries)
    if (receipt === null) return
    const check = await checkReceipt(context, receipt)
    check.problems.forEach((problem) => saving.problem(problem))
    lines.forEach((line, at) => {
      line.columns['paid'] = receipt.lines[at]?.paid
      line.columns['money_amount'] = check.totals.money[at] ?? '0'
      line.columns['remaining_before'] = check.invoices.get(Number(line.columns['invoice_id']))?.remaining ?? '0'
    })
    Object.assign(header, {
      allocated: check.totals.allocated, credit_used: check.totals.creditUsed, deposit_used: check.totals.depositUsed, deducted: check.totals.deducted, unapplied: check.totals.unapplied,
      bank_charge: money(sum(receipt.lines.flatMap((line) => line.deductions).filter((deduction) => deduction.kind === 'BANK').map((deduction) => deduction.amount))),
    })
    prepared.set(saving, receipt)
  },

  async afterSave(saving, { lineIds }) {
    const receipt = prepared.get(saving)
    const ids = lineIds['Lines']
    if (receipt === undefined || ids === undefined) return
    const { tx } = saving.context
    await insertRows(tx, 'ar_payment_credit', receipt.lines.flatMap((line, at) => line.credits.map((credit) => ({ ar_payment_line_id: ids[at] ?? 0, source: credit.source, source_id: credit.sourceId, amount: credit.amount }))))
    await insertRows(tx, 'ar_payment_deduction', receipt.lines.flatMap((line, at) => line.deductions.map((deduction) => ({
      ar_payment_line_id: ids[at] ?? 0, kind: deduction.kind, amount: deduction.amount, document_no: deduction.documentNo, document_date: deduction.documentDate,
      pending_doc: deduction.documentNo === null && ['PPH22', 'PPH23', 'PPN_WAPU'].includes(deduction.kind),
    }))))
  },

  async beforeDelete({ tx }, record) {
    if (record['code'] !== null) fail('ILLEGAL_TRANSITION.payment-numbered')
    await forgetParts(tx, record.id)
  },

  async afterRead(queries, _user, record) {
    const lines = record['Lines']
    if (!Array.isArray(lines)) return record
    const parts = await readPaymentLines(queries, record.ID)
    const invoices = await invoiceFacts(queries, parts.map((part) => part.invoiceId))
    const codes = await creditCodes(queries, parts.flatMap((part) => part.credits))
    return {
      ...record,
      Lines: lines.map((line: WireRecord) => {
        const part = parts.find((candidate) => candidate.id === line.ID)
        return {
          ...line,
          ...invoices.get(part?.invoiceId ?? 0),
          Credits: part?.credits.map((credit) => ({ Source: credit.source, SourceID: credit.sourceId, SourceCode: codes.get(sourceKey(credit.source, credit.sourceId)), Amount: credit.amount })) ?? [],
          Deductions: part?.deductions.map((deduction) => ({ Kind: deduction.kind, Amount: deduction.amount, DocumentNo: deduction.documentNo, DocumentDate: deduction.documentDate })) ?? [],
        }
      }),
    }
  },
}

/** What beforeSave worked out, for afterSave of the same saving. */
const prepared = new WeakMap<Saving, Receipt>()

async function forgetParts(tx: Queries, paymentId: number): Promise<void> {
  await tx.run(sql`delete from ar_payment_credit where ar_payment_line_id in (select id from ar_payment_line where ar_payment_id = ${paymentId})`)
  await tx.run(sql`delete from ar_payment_deduction where ar_payment_line_id in (select id from ar_payment_line where ar_payment_id = ${paymentId})`)
}

async function invoiceFacts(queries: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, Row>> {
  const rows = await queries.rows<Row & { id: number }>(sql`
    select id, code as "InvoiceCode", doc_date as "InvoiceDocDate", due_date as "InvoiceDueDate", status as "InvoiceStatus", total as "InvoiceTotal", remaining as "InvoiceRemaining"
    from invoice where id = any(${[...ids]}::bigint[])`)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** Numbers of credit notes and deposits, used up or not, by their key of source. */
async function creditCodes(queries: Queries, credits: readonly PaymentCredit[]): Promise<ReadonlyMap<string, string>> {
  if (credits.length === 0) return new Map()
  const idsOf = (source: PaymentCredit['source']): number[] => credits.filter((credit) => credit.source === source).map((credit) => credit.sourceId)
  const rows = await queries.rows<Row & { source: PaymentCredit['source']; id: number; code: string }>(sql`
    select 'CREDIT_NOTE' as source, id, code from credit_note where id = any(${idsOf('CREDIT_NOTE')}::bigint[])
    union all select 'DEPOSIT', id, code from customer_deposit where id = any(${idsOf('DEPOSIT')}::bigint[])`)
  return new Map(rows.map(({ source, id, code }) => [sourceKey(source, id), code]))
}

function checkMoney(saving: Saving): void {
  const value = (column: string): unknown => (Object.hasOwn(saving.header, column) ? saving.header[column] : saving.before?.[column])
  const method = value('method')
  if (compare(String(value('amount') ?? '0'), '0') < 0) saving.problem(wrong('Amount', 'TOO_SMALL.amount'))
  if ((method === 'TRANSFER' || method === 'VA') && value('house_bank_id') == null) saving.problem(wrong('HouseBankID', 'REQUIRED.bank'))
  if (method === 'CASH' && value('cash_account_id') == null) saving.problem(wrong('CashAccountID', 'REQUIRED.cash-desk'))
  if ((method === 'GIRO' || method === 'CHEQUE') && value('giro_no') == null) saving.problem(wrong('GiroNo', 'REQUIRED.giro'))
}

/** Money is in the currency of the account it comes into, at the rate of its day; what comes otherwise is in that of the books. */
async function toBankCurrency({ context: { tx }, header, before, problem }: Saving): Promise<void> {
  const value = (column: string): unknown => (Object.hasOwn(header, column) ? header[column] : before?.[column])
  const unit = value('operating_unit_id')
  if (typeof unit !== 'number') return
  const comesToBank = value('method') === 'TRANSFER' || value('method') === 'VA'
  const bank = comesToBank && typeof value('house_bank_id') === 'number' ? await tx.first<{ currency: string }>(sql`select currency from house_bank where id = ${Number(value('house_bank_id'))}`) : undefined
  const currency = bank?.currency ?? (await homeCurrency(tx.ahead, unit))
  const rate = await rateOn(tx, unit, currency, String(value('payment_date')), 'PaymentDate')
  Object.assign(header, { currency, ...(typeof rate === 'string' ? { rate } : {}) })
  if (typeof rate !== 'string') problem(rate)
}

/** Cash goes to the desk the unit names, unless another is entered. */
async function toCashDesk({ context, header, before }: Saving): Promise<void> {
  const value = (column: string): unknown => (Object.hasOwn(header, column) ? header[column] : before?.[column])
  if (value('method') !== 'CASH' || value('cash_account_id') != null) return
  const desk = await context.tx.first<{ id: number }>(sql`
    select a.id from operating_unit o join cash_account a on a.id = o.default_cash_account_id where o.id = ${value('operating_unit_id')}::bigint and a.is_active`)
  if (desk !== undefined) header['cash_account_id'] = desk.id
}

/** The payer's account as it was when he paid; unit and territory are the customer's. */
async function fromAccount(tx: Queries, saving: Saving): Promise<void> {
  const { header, before } = saving
  const customerId = header['customer_id'] ?? before?.['customer_id']
  const customer = await tx.first<Row>(sql`select operating_unit_id, territory_id from customer where id = ${customerId}::bigint`)
  if (customer !== undefined) Object.assign(header, { operating_unit_id: customer['operating_unit_id'], territory_id: customer['territory_id'] })
  if (header['payment_account_id'] == null) return
  const account = await tx.first<Row>(sql`select bank_id, bank_name, account_name, account_number, customer_id from customer_payment_account where id = ${header['payment_account_id']}::bigint`)
  if (account === undefined || account['customer_id'] !== customerId) return saving.problem(wrong('PaymentAccountID', 'NOT_IN_SCOPE.account'))
  Object.assign(header, { bank_id: account['bank_id'], bank_name: account['bank_name'], account_name: account['account_name'], account_number: account['account_number'], issuer: account['account_name'] })
}

interface Parts {
  readonly credits: readonly PaymentCredit[]
  readonly deductions: readonly PaymentDeduction[]
}

/** Credits and deductions of a line, checked value by value: they come as sent. */
function partsOf(saving: Saving, line: SavingLine, at: number): Parts {
  const list = (key: 'Credits' | 'Deductions'): Row[] => {
    const value = line.extra[key] ?? []
    if (Array.isArray(value) && value.length <= 50 && value.every(isRow)) return value
    saving.problem(wrong(`Lines[${at}].${key}`, 'WRONG_TYPE.list', { limit: 50 }))
    return []
  }
  const place = (field: string): string => `Lines[${at}].${field}`
  const amountOf = (row: Row, field: string): Decimal => {
    const amount = row['Amount']
    if (isDecimal(amount, 2) && exact(amount).gte(0)) return money(amount)
    saving.problem(wrong(place(`${field}.Amount`), 'INVALID.amount'))
    return '0.00'
  }
  const credits = list('Credits').flatMap((row, i): PaymentCredit[] => {
    const source = creditSources.find((known) => known === row['Source'])
    const id = row['SourceID']
    if (source !== undefined && typeof id === 'number' && Number.isSafeInteger(id)) return [{ source, sourceId: id, amount: amountOf(row, `Credits[${i}]`) }]
    saving.problem(wrong(place(`Credits[${i}].Source`), 'INVALID.credit'))
    return []
  })
  const deductions = list('Deductions').flatMap((row, i): PaymentDeduction[] => {
    const kind = deductionKinds.find((known) => known === row['Kind'])
    if (kind === undefined) {
      saving.problem(wrong(place(`Deductions[${i}].Kind`), 'INVALID.deduction'))
      return []
    }
    const documentNo = slipNo(row['DocumentNo'])
    const date = row['DocumentDate'] ?? null
    if (documentNo !== null && documentNo.length > longestProofNo) saving.problem(wrong(place(`Deductions[${i}].DocumentNo`), 'TOO_LONG', { limit: longestProofNo }))
    if (date !== null && !isDate(date)) saving.problem(wrong(place(`Deductions[${i}].DocumentDate`), 'WRONG_TYPE.date'))
    return [{ kind, amount: amountOf(row, `Deductions[${i}]`), documentNo, documentDate: isDate(date) ? date : null }]
  })
  return { credits: credits.filter((credit) => exact(credit.amount).gt(0)), deductions: deductions.filter((deduction) => exact(deduction.amount).gt(0)) }
}

/** Number of a slip: control characters, as scanners send them, are no part of it. */
function slipNo(value: unknown): string | null {
  const text = typeof value === 'string' ? value.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim() : ''
  return text === '' ? null : text
}

/** A reason that books the difference away does so: what is short becomes a deduction, and the invoice is paid whole. */
async function withDifferences(saving: Saving, lines: readonly SavingLine[], parts: readonly Parts[], recoveries: readonly Recovery[]): Promise<Receipt | null> {
  const { context, header, before } = saving
  const value = (column: string): unknown => (Object.hasOwn(header, column) ? header[column] : before?.[column])
  const customerId = value('customer_id')
  const unit = value('operating_unit_id')
  if (typeof customerId !== 'number' || typeof unit !== 'number') return null
  const invoiceIds = lines.map((line) => Number(line.columns['invoice_id']))
  const invoices = new Map((await lockInvoices(context.tx, invoiceIds)).map((invoice) => [invoice.id, invoice]))
  const reasons = new Map((await reasonsOf(context.tx, lines.flatMap((line) => (typeof line.columns['reason_id'] === 'number' ? [line.columns['reason_id']] : [])))).map((reason) => [reason.id, reason]))
  return {
    customerId, operatingUnitId: unit, date: String(value('payment_date')), paidOn: paidOn({ ...before, ...header }), amount: money(String(value('amount') ?? '0')), currency: String(value('currency')), rate: String(value('rate') ?? '1'), recoveries,
    lines: lines.map((line, at) => {
      const { credits, deductions } = parts[at] ?? { credits: [], deductions: [] }
      const reasonId = typeof line.columns['reason_id'] === 'number' ? line.columns['reason_id'] : null
      const reasonText = typeof line.columns['reason_text'] === 'string' ? line.columns['reason_text'] : null
      const paid = money(String(line.columns['paid'] ?? '0'))
      const open = invoices.get(Number(line.columns['invoice_id']))?.remaining ?? '0'
      const reason = reasonId === null ? undefined : reasons.get(reasonId)
      const short = exact(open).minus(paid)
      const common = { invoiceId: Number(line.columns['invoice_id']), reasonId, reasonText, credits }
      if (reason?.action !== 'PAYMENT_DIFF' || short.lte(0)) return { ...common, paid, deductions }
      const kind = reason.tolerance_usage === 'BANK_CHARGE' ? 'BANK' : 'DIFF'
      return { ...common, paid: money(open), deductions: [...deductions, { kind, amount: money(short), documentNo: null, documentDate: null }] }
    }),
  }
}

/** As sent, else as stored. */
async function recoveriesOf({ context, before, lines }: Saving): Promise<readonly Recovery[]> {
  const sent = lines?.['ArPaymentRecovery']
  if (sent === undefined) return before === undefined ? [] : readRecoveries(context.tx, before.id)
  return sent.flatMap(({ columns }) => (typeof columns['invoice_id'] === 'number' && typeof columns['amount'] === 'string' ? [{ invoiceId: columns['invoice_id'], amount: columns['amount'] }] : []))
}
