import { addDays, type DateText } from '#base/date.ts'
import { exact, money, type Exact } from '#base/decimal.ts'
import { must } from '../insertMissing.ts'
import type { OpenInvoice } from './accountsOfBuyers.ts'
import { decide, requestApproval } from './approvals.ts'
import { restate } from './billing.ts'
import type { Buyer } from './customers.ts'
import { advance, dated, header, log, moment, nextWorkday, type Header, type Trade } from './trade.ts'

/** Money of the customer with us: a credit note or a deposit with something left. */
export interface Credit {
  readonly kind: 'CREDIT_NOTE' | 'DEPOSIT'
  readonly row: Header & { id: number }
  readonly buyer: Buyer
  readonly total: Exact
  readonly account: string
  remaining: Exact
}

const claims = ['Sewa display gondola', 'Klaim promo bulanan', 'Rabat target kuartal', 'Listing fee produk baru', 'Potongan harga susulan'] as const

/** A promotion claim of the customer, granted the next day or still on a desk. Undefined while undecided. */
export function claim(trade: Trade, buyer: Buyer, day: DateText): Credit | undefined {
  const { chance } = trade
  const { unit } = buyer
  const at = moment(trade, day, 11, chance.between(0, 59))
  const by = unit.users.receivables
  const total = exact(chance.between(3, 60)).times(25_000)
  const principal = chance.chance(0.5) ? total.times('0.6').round(0) : exact(0)
  const arAccount = buyer.isGovernment ? '112102' : '112101'
  const description = chance.pick(claims)
  const row = trade.book.add('credit_note', {
    ...header({ unit, territoryId: buyer.territory.id, day, by, at }), kind: 'CLAIM', customer_id: buyer.id, claim_no: `KLM-${chance.digits(6)}`, claim_date: addDays(day, -chance.between(3, 20)),
    dpp: money(total), ppn: '0.00', pph: '0.00', total: money(total), remaining: '0.00', funding: principal.gt(0) ? 'SHARED' : 'COMPANY', principal_share: money(principal), company_share: money(total.minus(principal)),
    principal_pct: principal.gt(0) ? '60' : '0', claimed: money(total), promo_type_id: trade.claimType, treatment: 'PRICE_CUT', debit_account_id: must(trade.accounts, '611102'), principal_account_id: must(trade.accounts, '112202'),
    cn_temporary_id: null, description, account_id: null, ar_account_id: must(trade.accounts, arAccount),
  })
  dated(row, day)
  row.code = trade.numbers.next('CN', unit, day)
  advance(trade, 'credit_note', row, 'submit', 4, by, at)
  const request = requestApproval(trade, {
    docType: 'credit_note', document: row, transition: 'approve', amount: money(total), buyer, by, at, reasons: [{ code: 'CLAIM', text: description, value: money(total) }],
  })
  const decidedOn = nextWorkday(day)
  if (decidedOn > trade.today) return undefined
  // Nobody approves what he has entered himself; the finance manager stands in.
  const approvedAt = moment(trade, decidedOn, 16)
  decide(trade, request, 'APPROVE', { ...unit.users, receivables: unit.users.finance }, approvedAt)
  advance(trade, 'credit_note', row, 'approve', 1, unit.users.finance, approvedAt)
  row['remaining'] = money(total)
  trade.ledger.post(
    { event: 'CN_CLAIM', source: { type: 'credit_note', id: row.id, code: row.code }, unit, date: day, description: `Credit note ${row.code}`, by: unit.users.finance, at: approvedAt },
    [
      { key: 'company', amount: money(total.minus(principal)), account: '611102', territoryId: buyer.territory.id },
      { key: 'principal', amount: money(principal), account: '112202', partnerKind: 'CUSTOMER', partnerId: buyer.id, territoryId: buyer.territory.id },
      {
        key: 'total', amount: money(total), account: arAccount, partnerKind: 'CUSTOMER', partnerId: buyer.id, openItemType: 'credit_note', openItemId: row.id, territoryId: buyer.territory.id,
      },
    ],
  )
  return { kind: 'CREDIT_NOTE', row, buyer, total, account: arAccount, remaining: total }
}

/** A claim deducted from a payment before its credit note exists: it clears the invoice when approved. */
export function claimTemporarily(trade: Trade, invoice: OpenInvoice, paymentId: number, amount: Exact, day: DateText, at: string): void {
  const { buyer } = invoice
  const { unit } = buyer
  const by = unit.users.cashier
  const row = trade.book.add('cn_temporary', {
    ...header({ unit, territoryId: buyer.territory.id, day, by, at, source: 'SYSTEM' }), customer_id: buyer.id, invoice_id: invoice.row.id, ar_payment_id: paymentId, amount: money(amount),
    remaining: '0.00', expected_doc: 'Klaim display', deadline: addDays(day, 30),
  })
  Object.assign(row, { reason_id: trade.reasons.get('R03') ?? null, reason_text: 'Klaim display' })
  dated(row, day)
  invoice.claim = { row, request: undefined }
  if (trade.chance.chance(0.3)) return
  const submittedAt = moment(trade, day, 16, 10)
  row.code = trade.numbers.next('CNT', unit, day)
  advance(trade, 'cn_temporary', row, 'submit', 4, by, submittedAt)
  const request = requestApproval(trade, {
    docType: 'cn_temporary', document: row, transition: 'approve', amount: money(amount), buyer, by, at: submittedAt, reasons: [{ code: 'CLAIM', text: 'Klaim display', value: money(amount) }],
  })
  invoice.claim = { row, request }
  const decidedOn = nextWorkday(day)
  if (decidedOn > trade.today || trade.chance.chance(0.1)) return
  invoice.claim = undefined
  const approvedAt = moment(trade, decidedOn, 15)
  decide(trade, request, 'APPROVE', unit.users, approvedAt)
  advance(trade, 'cn_temporary', row, 'approve', 1, unit.users.receivables, approvedAt)
  row['remaining'] = money(amount)
  const journalId = trade.ledger.post(
    { event: 'TCN', source: { type: 'cn_temporary', id: row.id, code: row.code }, unit, date: day, description: `Temporary credit note ${row.code}`, by: unit.users.receivables, at: approvedAt },
    [{
      key: 'amount', amount: money(amount), account: invoice.arAccount, partnerKind: 'CUSTOMER', partnerId: buyer.id, openItemType: 'invoice', openItemId: invoice.row.id, territoryId: buyer.territory.id,
    }],
  )
  trade.book.add('ar_allocation', {
    invoice_id: invoice.row.id, source_type: 'TEMP_CN', source_id: row.id, source_line_id: null, amount: money(amount), posting_date: day, reversed_at: null, reversal_of_id: null,
    journal_id: journalId, document_type: 'cn_temporary', document_id: row.id, created_at: approvedAt,
  })
  invoice.remaining = invoice.remaining.minus(amount)
  restate(trade, invoice, day, unit.users.receivables, approvedAt)
}

/** Takes from a credit; its status follows. */
export function useCredit(trade: Trade, credit: Credit, amount: Exact, by: number, at: string): void {
  credit.remaining = credit.remaining.minus(amount)
  const from = credit.row.status
  const to = credit.remaining.eq(0) ? 3 : credit.remaining.eq(credit.total) ? 1 : 2
  Object.assign(credit.row, { remaining: money(credit.remaining), updated_at: at, updated_by: by })
  credit.row.status = to
  credit.row.version++
  if (from !== to) log(trade, credit.kind === 'CREDIT_NOTE' ? 'credit_note' : 'customer_deposit', credit.row.id, 'apply', from, to, by, at)
}
