import { addDays, type DateText } from '#base/date.ts'
import { exact, money, sum, type Exact } from '#base/decimal.ts'
import { receiptAmounts, receiptEvents, splitUnapplied, type PaymentMethod } from '#domain/ledger/receiptAmounts.ts'
import { receiptTotals, type DeductionKind, type ReceiptDeduction } from '#domain/receivables/receipt.ts'
import type { Row } from '#server/context.ts'
import type { OpenInvoice, Standing } from './accountsOfBuyers.ts'
import { Banking } from './banking.ts'
import { decide, requestApproval } from './approvals.ts'
import { restate } from './billing.ts'
import type { Buyer } from './customers.ts'
import { claim, claimTemporarily, useCredit, type Credit } from './credits.ts'
import { advance, dated, header, least, log, moment, nothing, type Header, type Trade } from './trade.ts'

interface Part {
  readonly invoice: OpenInvoice
  readonly paid: Exact
  readonly credits: { readonly credit: Credit; readonly amount: Exact }[]
  readonly deductions: ReceiptDeduction[]
  /** What the customer keeps back, and why. */
  readonly kept: { readonly reason: string; readonly amount: Exact } | undefined
}

interface Returned {
  readonly standing: Standing
  readonly parts: readonly Part[]
  readonly row: Header & { id: number }
}

/** Of the tolerances as they are shipped. */
const overLimit = '5000.00'
const unlimited = { tolerance: null, line_limit: null, invoice_limit: null, receipt_limit: null }
const limits: Readonly<Partial<Record<DeductionKind, object>>> = {
  DIFF: { tolerance: 'AR_SHORT', line_limit: '5000.00', invoice_limit: '5000.00', receipt_limit: '5000.00' },
  BANK: { ...unlimited, tolerance: 'BANK_CHARGE', receipt_limit: '25000.00' },
}

/** Money of the customers, day by day: payments with what is deducted, set off and kept back; statements; claims. */
export class Receipts {
  readonly #trade: Trade
  readonly #standings: ReadonlyMap<number, Standing>
  readonly #banking: Banking
  readonly #credits = new Map<number, Credit[]>()
  readonly #allocations = new Map<number, Row[]>()
  #returned: Returned[] = []

  constructor(trade: Trade, standings: ReadonlyMap<number, Standing>) {
    this.#trade = trade
    this.#standings = standings
    this.#banking = new Banking(trade)
  }

  openBanks(day: DateText): void {
    this.#banking.open(day)
  }

  day(day: DateText): void {
    const trade = this.#trade
    if (this.#returned.length > 0) this.#return(day)
    for (const standing of this.#standings.values()) {
      const due = [...standing.invoices].filter((invoice) => invoice.payOn <= day).sort((a, b) => a.dueDate.localeCompare(b.dueDate) || a.row.id - b.row.id)
      if (due.length === 0) continue
      // Who pays anyway takes along what he means to pay within days.
      const soon = [...standing.invoices].filter((invoice) => invoice.payOn > day && invoice.payOn <= addDays(day, 5) && invoice.dueDate <= addDays(day, 7))
      this.#pay(standing, [...due, ...soon].filter((invoice) => invoice.row['pending_transition'] === null), day)
    }
    if (trade.chance.chance(0.3)) this.#claim(day)
    if (new Date(`${day}T00:00:00Z`).getUTCDay() === 5) this.#banking.state(day, addDays(day, 7) > trade.today)
  }

  /** Drafts somebody has begun today. */
  close(): void {
    const trade = this.#trade
    const open = [...this.#standings.values()].filter((standing) => standing.invoices.size > 1).slice(0, 400)
    for (let n = 0; n < 4 && open.length > 0; n++) {
      const standing = trade.chance.pick(open)
      const [invoice] = [...standing.invoices]
      if (invoice === undefined) continue
      const { buyer } = standing
      const row = this.#header(buyer, trade.today, 'TRANSFER', invoice.remaining, moment(trade, trade.today, 15))
      Object.assign(row, { allocated: money(invoice.remaining) })
      trade.book.add('ar_payment_line', {
        ar_payment_id: row.id, line_no: 1, invoice_id: invoice.row.id, paid: money(invoice.remaining), money_amount: money(invoice.remaining), remaining_before: money(invoice.remaining),
        reason_id: null, reason_text: null, diff_amount: '0.00', diff_action: null, note: null,
      })
    }
  }

  /** Transfers the bank could not carry out: the receipt is reversed the next day, and the customer pays again. */
  #return(day: DateText): void {
    const trade = this.#trade
    const due = this.#returned
    this.#returned = []
    for (const { standing, parts, row } of due) {
      const { unit } = standing.buyer
      const at = moment(trade, day, 9, 30)
      row['reversal_reason_id'] = trade.reasons.get('V03') ?? null
      advance(trade, 'ar_payment', row, 'request-reversal', row.status, unit.users.cashier, at)
      const request = requestApproval(trade, {
        docType: 'ar_payment', document: row, transition: 'reverse', amount: String(row['amount']), buyer: standing.buyer, by: unit.users.cashier, at,
        reasons: [{ code: 'REVERSAL', text: 'Transfer dikembalikan bank', value: '0' }],
      })
      this.#banking.forget(row.id)
      if (day === trade.lastDay) {
        row['pending_transition'] = 'reverse'
        continue
      }
      const decidedAt = moment(trade, day, 13)
      const by = decide(trade, request, 'APPROVE', unit.users, decidedAt)
      advance(trade, 'ar_payment', row, 'reverse', 7, by, decidedAt)
      const source = { type: 'ar_payment', id: row.id, code: row.code ?? '' }
      trade.ledger.reverse({ event: 'RCPT_TRANSFER', source, unit, date: day, description: `Reversal of receipt ${source.code}`, by, at: decidedAt }, source)
      for (const allocation of this.#allocations.get(row.id) ?? []) allocation['reversed_at'] = day
      for (const { invoice, paid } of parts) {
        invoice.remaining = invoice.remaining.plus(paid)
        invoice.row['paid'] = '0.00'
        invoice.payOn = addDays(day, 3)
        restate(trade, invoice, day, by, decidedAt)
        standing.invoices.add(invoice)
        invoice.order.reopen(by, decidedAt)
      }
    }
  }

  #claim(day: DateText): void {
    const standing = this.#trade.chance.pick([...this.#standings.values()].filter((each) => each.buyer.channel !== 'HORECA' && !each.buyer.isGovernment))
    const credit = claim(this.#trade, standing.buyer, day)
    if (credit !== undefined) this.#keep(credit)
  }

  #keep(credit: Credit): void {
    this.#credits.set(credit.buyer.id, [...(this.#credits.get(credit.buyer.id) ?? []), credit])
  }

  #pay(standing: Standing, due: readonly OpenInvoice[], day: DateText): void {
    const trade = this.#trade
    const { chance } = trade
    const { buyer } = standing
    const method: PaymentMethod = buyer.term.isCash ? 'CASH' : day > addDays(trade.today, -25) && chance.chance(0.04) ? 'GIRO' : chance.chance(0.15) ? 'VA' : 'TRANSFER'
    const parts = due.slice(0, 8).map((invoice, i) => this.#part(standing, invoice, day, i === 0))
    const amount = sum(parts.map((part) => part.paid.minus(sum(part.credits.map((each) => each.amount))).minus(sum(part.deductions.map((each) => each.amount)))))
    // Money beyond the invoices: a slip of the keyboard, or an advance.
    const extra = method !== 'TRANSFER' || buyer.isGovernment ? nothing : chance.chance(0.01) ? exact(chance.between(1, 9)).times(250_000) : chance.chance(0.012) ? exact(chance.between(1, 4000)) : nothing
    if (amount.plus(extra).lte(0)) return
    const isLateEntry = day >= addDays(trade.lastDay, -1) && chance.chance(0.1)
    const at = moment(trade, day, chance.between(9, 15), chance.between(0, 59))
    this.#post(standing, parts, amount.plus(extra), method, day, at, isLateEntry)
  }

  #part(standing: Standing, invoice: OpenInvoice, day: DateText, isFirst: boolean): Part {
    const { chance } = this.#trade
    const { buyer } = standing
    const deductions: ReceiptDeduction[] = []
    const deduct = (kind: DeductionKind, amount: Exact): void => {
      if (amount.gt(0)) deductions.push({ kind, amount: money(amount) })
    }
    if (buyer.isGovernment && invoice.isCollected && invoice.remaining.eq(invoice.total)) {
      deduct('PPN_WAPU', invoice.ppn)
      deduct('PPH22', invoice.dpp.times('0.015').round(0))
      return { invoice, paid: invoice.remaining, credits: [], deductions, kept: undefined }
    }
    const fate = chance.next()
    if (fate < 0.045 && invoice.remaining.gt(1_000_000)) {
      const paid = invoice.remaining.times(chance.between(40, 80)).div(100).div(1000).round(0).times(1000)
      invoice.payOn = addDays(day, chance.between(7, 25))
      return { invoice, paid, credits: [], deductions, kept: { reason: 'R01', amount: invoice.remaining.minus(paid) } }
    }
    if (fate < 0.058 && invoice.remaining.gt(2_000_000)) {
      const kept = invoice.remaining.times(chance.between(1, 4)).div(100).div(1000).round(0).times(1000)
      invoice.payOn = addDays(day, 45)
      return { invoice, paid: invoice.remaining.minus(kept), credits: [], deductions, kept: { reason: 'R03', amount: kept } }
    }
    if (fate < 0.09 && invoice.remaining.gt(100_000)) {
      const small = least(exact(chance.between(100, 4500)), invoice.remaining)
      // What is tolerated holds for a receipt, not for each of its lines.
      if (isFirst) deduct('DIFF', small)
    } else if (fate < 0.115 && invoice.remaining.gt(100_000)) deduct('BANK', exact(chance.pick([2500, 6500])))
    const credits: { credit: Credit; amount: Exact }[] = []
    if (isFirst) {
      let left = invoice.remaining.minus(sum(deductions.map((each) => each.amount)))
      for (const credit of this.#credits.get(buyer.id) ?? []) {
        const amount = least(credit.remaining, left)
        if (amount.lte(0) || chance.chance(0.25)) continue
        credits.push({ credit, amount })
        left = left.minus(amount)
      }
    }
    return { invoice, paid: invoice.remaining, credits, deductions, kept: undefined }
  }

  #header(buyer: Buyer, day: DateText, method: PaymentMethod, amount: Exact, at: string): Header & { id: number } {
    const trade = this.#trade
    const { unit } = buyer
    const isCash = method === 'CASH'
    const bank = isCash || method === 'GIRO' ? undefined : trade.chance.pick(unit.banks)
    const account = buyer.account
    return trade.book.add('ar_payment', {
      ...header({ unit, territoryId: buyer.territory.id, day, by: unit.users.cashier, at }), method, customer_id: buyer.id, payment_date: day, amount: money(amount), bank_charge: '0.00',
      house_bank_id: bank?.id ?? null, cash_account_id: isCash ? unit.cashAccountId : null, payment_account_id: isCash ? null : account.id, issuer: isCash ? null : account.accountName,
      bank_name: isCash ? null : account.bankName, account_name: isCash ? null : account.accountName, account_number: isCash ? null : account.accountNumber,
      giro_no: method === 'GIRO' ? `GB ${trade.chance.digits(6)}` : null, giro_bank: method === 'GIRO' ? account.bankName : null, giro_due_date: method === 'GIRO' ? addDays(day, 21) : null,
      reference_no: isCash ? null : `${method === 'VA' ? 'VA' : 'TRF'}${trade.chance.digits(8)}`, collector_id: buyer.collectorId, allocated: '0.00', credit_used: '0.00', deposit_used: '0.00',
      deducted: '0.00', unapplied: '0.00', over_limit: null as string | null, bank_statement_line_id: null, reversal_reason_id: null,
    })
  }

  #post(standing: Standing, parts: readonly Part[], amount: Exact, method: PaymentMethod, day: DateText, at: string, staysDraft: boolean): void {
    const trade = this.#trade
    const { buyer } = standing
    const { unit } = buyer
    const by = unit.users.cashier
    const row = this.#header(buyer, day, method, amount, at)
    const lines = parts.map((part) => ({
      invoiceId: part.invoice.row.id, paid: money(part.paid), credits: part.credits.map(({ credit, amount: used }) => ({ source: credit.kind, sourceId: credit.row.id, amount: money(used) })),
      deductions: part.deductions,
    }))
    const totals = receiptTotals(money(amount), lines)
    const split = splitUnapplied(totals.unapplied, overLimit)
    Object.assign(row, {
      allocated: totals.allocated, credit_used: totals.creditUsed, deposit_used: totals.depositUsed, deducted: totals.deducted, unapplied: totals.unapplied, over_limit: overLimit,
      bank_charge: money(sum(lines.flatMap((line) => line.deductions.filter((each) => each.kind === 'BANK').map((each) => each.amount)))),
    })
    const rows = parts.map((part, i) => this.#line(row.id, i + 1, part, totals.money[i] ?? '0.00'))
    row.posting_date = day
    if (staysDraft) return
    dated(row, day)
    row.code = trade.numbers.next('PAY', unit, day)
    advance(trade, 'ar_payment', row, 'post', 1, by, at)
    const source = { type: 'ar_payment', id: row.id, code: row.code }
    const journalId = trade.ledger.post(
      { event: receiptEvents[method], source, unit, date: day, description: `Receipt ${row.code}`, by, at },
      receiptAmounts({
        customerId: buyer.id, territoryId: buyer.territory.id, amount: money(amount), lines, deposited: split.deposited, overpaid: split.overpaid,
        invoiceAccounts: new Map(parts.map((part) => [part.invoice.row.id, part.invoice.arAccount])),
        creditNoteAccounts: new Map(parts.flatMap((part) => part.credits.map(({ credit }) => [credit.row.id, credit.account] as const))),
      }),
    )
    for (const [i, part] of parts.entries()) this.#settle(standing, part, rows[i] ?? 0, totals.money[i] ?? '0.00', row, journalId, day, by, at)
    if (exact(split.deposited).gt(0)) this.#keep(this.#deposit(buyer, row, exact(split.deposited), day, at))
    if (method === 'GIRO') standing.giro = standing.giro.plus(amount)
    const bankId = row['house_bank_id']
    if (typeof bankId === 'number') this.#banking.expect(bankId, { payment: row, amount: money(amount), day })
    const isPlain = method === 'TRANSFER' && parts.every((part) => part.kept === undefined && part.credits.length === 0) && exact(totals.unapplied).eq(0)
    if (isPlain && day > addDays(trade.today, -60) && trade.chance.chance(0.012)) this.#returned.push({ standing, parts, row })
  }

  #line(paymentId: number, lineNo: number, part: Part, moneyAmount: string): number {
    const { book, reasons } = this.#trade
    const small = part.deductions.find((each) => each.kind === 'DIFF' || each.kind === 'BANK')
    const reason = part.kept?.reason ?? (small === undefined ? undefined : small.kind === 'DIFF' ? 'R06' : 'R09')
    const line = book.add('ar_payment_line', {
      ar_payment_id: paymentId, line_no: lineNo, invoice_id: part.invoice.row.id, paid: money(part.paid), money_amount: moneyAmount, remaining_before: money(part.invoice.remaining),
      reason_id: reason === undefined ? null : (reasons.get(reason) ?? null), reason_text: reason === 'R03' ? 'Klaim display' : null,
      diff_amount: money(part.kept?.amount ?? nothing), diff_action: reason === undefined ? null : reason === 'R03' ? 'TEMP_CN' : reason === 'R01' ? 'KEEP_OPEN' : 'PAYMENT_DIFF', note: null,
    })
    for (const { credit, amount } of part.credits) book.add('ar_payment_credit', { ar_payment_line_id: line.id, source: credit.kind, source_id: credit.row.id, amount: money(amount) })
    for (const { kind, amount } of part.deductions) {
      const isTax = kind === 'PPH22' || kind === 'PPN_WAPU'
      book.add('ar_payment_deduction', {
        ar_payment_line_id: line.id, kind, amount, document_no: isTax ? `BP-${this.#trade.chance.digits(9)}` : null, document_date: isTax ? this.#trade.today : null, pending_doc: false,
        ...(limits[kind] ?? unlimited),
      })
    }
    return line.id
  }

  #settle(standing: Standing, part: Part, lineId: number, moneyAmount: string, payment: Header & { id: number }, journalId: number | null, day: DateText, by: number, at: string): void {
    const trade = this.#trade
    const { invoice } = part
    const allocate = (sourceType: string, sourceId: number, amount: string): void => {
      if (exact(amount).lte(0)) return
      const row = trade.book.add('ar_allocation', {
        invoice_id: invoice.row.id, source_type: sourceType, source_id: sourceId, source_line_id: lineId, amount, posting_date: day, reversed_at: null as DateText | null, reversal_of_id: null, journal_id: journalId,
        document_type: 'ar_payment', document_id: payment.id, created_at: at,
      })
      // Only what is young may still be returned by a bank.
      if (day > addDays(trade.today, -61)) this.#allocations.set(payment.id, [...(this.#allocations.get(payment.id) ?? []), row])
    }
    allocate('PAYMENT', payment.id, moneyAmount)
    for (const { credit, amount } of part.credits) {
      allocate(credit.kind, credit.row.id, money(amount))
      useCredit(trade, credit, amount, by, at)
    }
    for (const { kind, amount } of part.deductions) allocate(kind === 'DIFF' || kind === 'BANK' || kind === 'CASH_DISCOUNT' ? 'PAYMENT_DIFF' : 'WITHHOLDING', payment.id, amount)
    invoice.remaining = invoice.remaining.minus(part.paid)
    invoice.row['paid'] = money(exact(String(invoice.row['paid'])).plus(moneyAmount))
    restate(trade, invoice, day, by, at)
    const isPaid = invoice.remaining.eq(0)
    invoice.order.settle(isPaid, by, at)
    if (part.kept?.reason === 'R03') claimTemporarily(trade, invoice, payment.id, part.kept.amount, day, at)
    if (invoice.remaining.eq(0)) {
      standing.invoices.delete(invoice)
      if (!isPaid) invoice.order.settle(true, by, at)
    }
  }

  #deposit(buyer: Buyer, payment: Header & { id: number }, amount: Exact, day: DateText, at: string): Credit {
    const trade = this.#trade
    const { unit } = buyer
    const by = unit.users.cashier
    const row = trade.book.add('customer_deposit', {
      ...header({ unit, territoryId: buyer.territory.id, day, by, at, source: 'SYSTEM' }), customer_id: buyer.id, origin: 'OVERPAYMENT', deposit_source_id: payment.id, method: 'TRANSFER',
      house_bank_id: null, cash_account_id: null, amount: money(amount), remaining: money(amount), reference_no: payment['reference_no'],
    })
    dated(row, day)
    row.code = trade.numbers.next('CD', unit, day)
    row.status = 1
    log(trade, 'customer_deposit', row.id, 'create', null, 1, by, at)
    return { kind: 'DEPOSIT', row, buyer, total: amount, account: '212101', remaining: amount }
  }
}
