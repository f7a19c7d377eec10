import { daysBetween, type DateText } from '#base/date.ts'
import { exact, money, type Exact } from '#base/decimal.ts'
import { creditBlocks, type CreditBlock, type CreditStanding } from '#domain/credit/creditCheck.ts'
import type { Row } from '#server/context.ts'
import type { Buyer } from './customers.ts'
import type { TradeDelivery, TradeIssue } from './deliveries.ts'
import type { Header } from './trade.ts'

/** An invoice while money is owed on it. */
export interface OpenInvoice {
  readonly row: Header & { id: number }
  readonly buyer: Buyer
  readonly delivery: TradeDelivery
  readonly issue: TradeIssue
  readonly total: Exact
  readonly ppn: Exact
  readonly dpp: Exact
  readonly isCollected: boolean
  readonly arAccount: string
  readonly dueDate: DateText
  /** Tells the order it came from that something was paid, and whether that was all of it. */
  readonly order: { settle(isPaid: boolean, userId: number, at: string): void; reopen(userId: number, at: string): void }
  remaining: Exact
  /** A temporary claim nobody has approved yet, with what asks for it. */
  claim?: { readonly row: Header & { id: number }; readonly request: Row | undefined } | undefined
  /** The day the customer means to pay. */
  payOn: DateText
}

/** What a customer owes and is owed, as far as credit control needs it. */
export class Standing {
  readonly buyer: Buyer
  readonly limit: Row
  gini: Exact = exact(0)
  orders: Exact = exact(0)
  giro: Exact = exact(0)
  readonly invoices = new Set<OpenInvoice>()

  constructor(buyer: Buyer, limit: Row) {
    this.buyer = buyer
    this.limit = limit
  }

  get receivable(): Exact {
    let total = exact(0)
    for (const invoice of this.invoices) total = total.plus(invoice.remaining)
    return total
  }

  /** Whole, as money is here: what stands in orders and deliveries is counted by line, which are not rounded. */
  get exposure(): Exact {
    return this.receivable.plus(this.gini).plus(this.orders).plus(this.giro).round(0)
  }

  /** The buyer's credit as it stands on that day. */
  standingOn(day: DateText): CreditStanding {
    const late = [...this.invoices].filter((invoice) => invoice.dueDate < day)
    const overdue = late.reduce((sum, invoice) => sum.plus(invoice.remaining), exact(0))
    const { limit } = this.buyer
    return {
      customerStatus: 1, blockReason: null, exposure: money(this.exposure),
      limits: limit === undefined ? [] : [{ amount: limit, overdueGraceDays: Number(this.limit['overdue_grace_days'] ?? 7), maxOverdueAmount: '0', maxOpenInvoices: null, reviewDate: null }],
      limitExpired: false, openInvoices: this.invoices.size, maxDaysOverdue: Math.max(0, ...late.map((invoice) => daysBetween(invoice.dueDate, day))), overdueAmount: money(overdue),
      bouncedGiros: 0, group: null,
    }
  }

  /** Reasons the order of `total` needs a person on that day. */
  blocks(total: Exact, day: DateText): CreditBlock[] {
    return creditBlocks(this.standingOn(day), { total: money(total), isCash: this.isCash, termDiffers: false }, day)
  }

  get isCash(): boolean {
    return this.buyer.term.isCash || this.buyer.term.isCod
  }
}
