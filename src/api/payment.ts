import type { WireRecord } from '#api/envelope.ts'

/**
 * Receipt of customer money. Open items come from the specification's calls:
 * GET /api/v1/invoice/for-options?customer_id=              invoiceOptions: InvoiceOption[]
 * POST /api/v1/payment/validate/code-invoice {invoice_code, customer_id}  invoices: InvoiceOption[]; empty: "Invoice not found"
 * GET /api/v1/payment/credit-note/list?customer_id=          creditNote: CreditOption[]
 * GET /api/v1/payment/cust-deposit/list?customer_id=         customerDeposit: CreditOption[]
 * GET /api/v1/payment/reason-outstanding                     reason_outstanding: ReasonOption[]
 * GET /api/v1/master/customer-address/ship-to?customer_id=   records: ShipTo[]
 * GET /api/v1/customer-accounts?customer_id=                 records: PaymentAccount[]
 * GET /api/v1/cash-bank/form-bank/{operating unit}           operatingUnitBank: HouseBankOption[]
 * POST /api/v1/command/propose-payment                       ProposeBody → ProposeAnswer
 * Saving is the generic POST/PUT /api/v1/data/payment-received with `Lines: PaymentLine[]`; reading one returns the same lines.
 */
export interface InvoiceOption extends WireRecord {
  readonly Code: string
  readonly DocDate: string
  readonly DueDate: string
  /** 1: nothing allocated yet, Total is what is open; otherwise Remaining is. */
  readonly Status: number
  readonly Total: string
  readonly Remaining: string
  readonly Currency?: string
  readonly ShipToID: number | null
}

/** An address goods were sent to, spelt as the specification spells it. */
export interface ShipTo {
  readonly ID: number
  readonly address: string
}

/** An account a customer pays from, spelt as the specification spells it. */
export interface PaymentAccount {
  readonly ID: number
  readonly bank_name: string
  readonly bank_id: number
  readonly account_name: string
  readonly account_number: string
}

/** An account of ours that money comes in on. */
export interface HouseBankOption {
  readonly ID: number
  readonly Code: string
  readonly Name: string
}

/** A credit note or deposit with something left. */
export interface CreditOption extends WireRecord {
  readonly Code: string
  readonly DocDate: string
  readonly Remaining: string
  readonly Currency?: string
}

export interface ReasonOption extends WireRecord {
  readonly Code: string
  readonly Name: string
  readonly Action: 'KEEP_OPEN' | 'TEMP_CN' | 'PAYMENT_DIFF' | 'WITHHOLDING' | 'WRITE_OFF' | null
  readonly NeedsNote: boolean
}

export const creditSources = ['CREDIT_NOTE', 'DEPOSIT'] as const
export type CreditSource = (typeof creditSources)[number]

/** So many characters has the number of the slip that proves a deduction. */
export const longestProofNo = 100

export const deductionKinds = ['PPH22', 'PPH23', 'PPN_WAPU', 'BANK', 'DIFF', 'CASH_DISCOUNT'] as const
export type DeductionKind = (typeof deductionKinds)[number]

/** Decimal text everywhere. `Paid` = money + credits + deductions of this invoice, at most its Remaining. */
export interface PaymentLine {
  readonly ID?: number
  readonly InvoiceID: number
  /** What is known of the invoice; in answers only. */
  readonly InvoiceCode?: string
  readonly InvoiceDocDate?: string
  readonly InvoiceDueDate?: string
  readonly InvoiceTotal?: string
  readonly Paid: string
  /** What was open when the receipt was entered; in answers only. */
  readonly RemainingBefore?: string
  readonly ReasonID?: number | null
  /** In answers only. */
  readonly ReasonCode?: string | null
  readonly ReasonName?: string | null
  readonly ReasonText?: string | null
  /** `SourceCode`: the number of the credit note or deposit; in answers only. */
  readonly Credits: readonly { readonly Source: CreditSource; readonly SourceID: number; readonly SourceCode?: string; readonly Amount: string }[]
  readonly Deductions: readonly {
    readonly Kind: DeductionKind
    readonly Amount: string
    readonly DocumentNo?: string | null
    readonly DocumentDate?: string | null
  }[]
}

export interface ProposeBody {
  readonly CustomerID: number
  readonly Amount: string
  /** Account the money comes into: it pays what is in the currency of the account. */
  readonly HouseBankID?: number
  /** Only these invoices; absent: all open ones. */
  readonly InvoiceIDs?: readonly number[]
  readonly UseCreditNotes?: boolean
  readonly UseDeposits?: boolean
  /** Default OLDEST_DUE. */
  readonly Rule?: 'OLDEST_DUE' | 'INVOICE_DATE' | 'SMALLEST' | 'EXACT_MATCH' | 'PROPORTIONAL'
}

export interface ProposeAnswer {
  readonly Lines: readonly PaymentLine[]
  /** Money no invoice took. */
  readonly Unapplied: string
}
