import { addDays, type DateText } from '#base/date.ts'
import { exact, money, type Decimal, type Exact } from '#base/decimal.ts'
import { dueAfter } from '#server/approval/matrix.ts'
import type { Row } from '#server/context.ts'
import type { HouseBank, Unit } from './company.ts'
import { advance, dated, header, moment, type Header, type Trade } from './trade.ts'

/** A receipt the bank has not shown yet. */
export interface Awaited {
  readonly payment: Header & { id: number }
  readonly amount: Decimal
  readonly day: DateText
}

interface BankBook {
  readonly unit: Unit
  readonly bank: HouseBank
  balance: Exact
  awaited: Awaited[]
  statementNo: number
}

type BankLine = Row & { id: number; line_no: number; value_date: DateText }

/** Statements of the house banks: a week's receipts matched, charges and interest at the month's end. */
export class Banking {
  readonly #trade: Trade
  readonly #books: readonly BankBook[]

  constructor(trade: Trade) {
    this.#trade = trade
    this.#books = trade.units.flatMap((unit) => unit.banks.map((bank) => ({ unit, bank, balance: exact(0), awaited: [], statementNo: 0 })))
  }

  /** Opening balances, behind them the owners' capital. */
  open(day: DateText): void {
    const trade = this.#trade
    for (const book of this.#books) {
      const amount = money(exact(trade.chance.between(300, 900)).times(1_000_000))
      book.balance = exact(amount)
      const source = { type: 'house_bank', id: book.bank.id, code: `OB-${book.bank.name}` }
      const booking = { source, unit: book.unit, date: day, by: book.unit.users.admin, at: moment(trade, day, 7) }
      trade.ledger.post({ ...booking, event: 'OB_BANK', description: `Opening balance ${book.bank.name}` }, [{ key: 'bank', amount, account: this.#account(book) }])
      trade.ledger.enter({ ...booking, event: 'OB_GL', description: 'Capital behind the opening balance' }, 'OB', [
        { account: '331101', debit: amount, credit: '0.00' }, { account: '311101', debit: '0.00', credit: amount },
      ])
    }
  }

  expect(bankId: number, awaited: Awaited): void {
    this.#books.find((book) => book.bank.id === bankId)?.awaited.push(awaited)
  }

  /** A receipt that was reversed will never be on a statement. */
  forget(paymentId: number): void {
    for (const book of this.#books) book.awaited = book.awaited.filter((each) => each.payment.id !== paymentId)
  }

  /** Enters the week's statement of every bank; the last one may still wait for approval. */
  state(day: DateText, isLast: boolean): void {
    for (const book of this.#books) this.#statement(book, day, isLast)
  }

  #statement(book: BankBook, day: DateText, isLast: boolean): void {
    const trade = this.#trade
    const { unit, bank } = book
    const shown = book.awaited.filter((awaited) => awaited.day < day)
    const isMonthEnd = addDays(day, 7).slice(0, 7) !== day.slice(0, 7)
    if (shown.length === 0 && !isMonthEnd) return
    const at = moment(trade, day, 16, 40)
    const by = unit.users.cashier
    const row = trade.book.add('bank_statement', {
      ...header({ unit, territoryId: null, day, by, at }), house_bank_id: bank.id, statement_no: `${day.slice(2, 4)}${day.slice(5, 7)}-${String(++book.statementNo).padStart(3, '0')}`,
      opening_balance: money(book.balance), closing_balance: '0', money_in: '0.00', money_out: '0.00', diff_amount: '0.00',
    })
    dated(row, day)
    let balance = book.balance
    const lines = shown.map((awaited, i) => {
      balance = balance.plus(awaited.amount)
      return { awaited, row: this.#line(row.id, i + 1, awaited.day, `TRSF E-BANKING CR ${String(awaited.payment['issuer'] ?? '')}`, awaited.amount, 'PAYMENT', awaited.payment) }
    })
    const extras: { kind: 'CHARGE' | 'INTEREST'; amount: Decimal; row: BankLine }[] = []
    if (isMonthEnd) {
      const charge = money(exact(trade.chance.between(6, 30)).times(5000))
      const interest = money(balance.times('0.0009').round(0))
      balance = balance.minus(charge).plus(interest)
      extras.push({ kind: 'CHARGE', amount: charge, row: this.#line(row.id, lines.length + 1, day, 'BIAYA ADM', money(exact(charge).times(-1)), 'CHARGE', null) })
      extras.push({ kind: 'INTEREST', amount: interest, row: this.#line(row.id, lines.length + 2, day, 'BUNGA', interest, 'INTEREST', null) })
    }
    row['closing_balance'] = money(balance)
    row['money_out'] = extras.find(({ kind }) => kind === 'CHARGE')?.amount ?? '0.00'
    row['money_in'] = money(balance.minus(book.balance).plus(row['money_out']))
    row.code = trade.numbers.next('BS', unit, day)
    advance(trade, 'bank_statement', row, 'submit', 4, by, at)
    if (isLast) {
      this.#ask(row, unit, at, money(balance))
      return
    }
    book.balance = balance
    book.awaited = book.awaited.filter((awaited) => !shown.includes(awaited))
    const approvedAt = moment(trade, day, 17, 30)
    advance(trade, 'bank_statement', row, 'approve', 3, unit.users.finance, approvedAt)
    const booking = (line: BankLine) => ({
      source: { type: 'bank_statement_line', id: line.id, code: row.code ?? '' }, unit, date: line.value_date, by: unit.users.finance, at: approvedAt,
      description: `Bank statement ${row.statement_no}, line ${line.line_no}`,
    })
    for (const { awaited, row: line } of lines) {
      trade.ledger.post({ ...booking(line), event: 'BS_PAYMENT' }, [
        { key: 'bank', amount: awaited.amount, account: this.#account(book) },
        { key: 'payment', amount: awaited.amount, partnerKind: 'CUSTOMER', partnerId: Number(awaited.payment['customer_id']), territoryId: Number(awaited.payment['territory_id']) },
      ])
      awaited.payment['bank_statement_line_id'] = line.id
      advance(trade, 'ar_payment', awaited.payment, 'reconcile', 3, unit.users.finance, approvedAt)
    }
    for (const { kind, amount, row: line } of extras) {
      if (exact(amount).eq(0)) continue
      trade.ledger.post({ ...booking(line), event: kind === 'CHARGE' ? 'BS_CHARGE' : 'BS_INTEREST' }, [{ key: kind === 'CHARGE' ? 'charge' : 'interest', amount, account: this.#account(book) }])
    }
  }

  #line(statementId: number, lineNo: number, day: DateText, description: string, amount: Decimal, kind: string, payment: Awaited['payment'] | null): BankLine {
    const isCredit = exact(amount).gte(0)
    return this.#trade.book.add('bank_statement_line', {
      bank_statement_id: statementId, line_no: lineNo, value_date: day, description, debit: isCredit ? '0.00' : money(exact(amount).times(-1)), credit: isCredit ? amount : '0.00',
      match_type: kind, ar_payment_id: payment?.id ?? null, diff_amount: '0.00', note: null, reference: payment?.['reference_no'] ?? null,
    })
  }

  #ask(row: Header & { id: number }, unit: Unit, at: string, amount: Decimal): void {
    const levels = [{ level: 1, steps: [{ kind: 'ROLE', ref: 'FIN_MGR', mode: 'ANY', hours: 24, condition: null, approvedBy: [] }] }] as const
    this.#trade.book.add('approval_request', {
      doc_type: 'bank_statement', doc_id: row.id, doc_code: row.code ?? '', transition: 'approve', amount, operating_unit_id: unit.id, territory_id: null, party_kind: null, party_id: null,
      requested_by: unit.users.cashier, requested_at: at, current_level: 1, max_level: 1,
      levels, status: 4, reasons: [], payload: null,
      due_at: dueAfter(new Date(at), levels[0]), decided_at: null, version: 1,
    })
  }

  #account(book: BankBook): string {
    for (const [code, id] of this.#trade.accounts) if (id === book.bank.accountId) return code
    throw new Error(`House bank ${book.bank.name} has no account`)
  }
}
