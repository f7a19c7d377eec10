import type { WireRecord } from '#api/envelope.ts'

/**
 * Receipt of customer money. Open items come from the specification's calls:
 * GET /api/v1/invoice/for-options?customer_id=&payment_id=   invoiceOptions: InvoiceOption[] (payment_id: as if that draft were not there)
 * POST /api/v1/payment/validate/code-invoice {invoice_code, customer_id}  invoices: InvoiceOption[]; empty: "Invoice not found"
 * GET /api/v1/payment/credit-note/list?customer_id=          creditNote: CreditOption[]
 * GET /api/v1/payment/cust-deposit/list?customer_id=         customerDeposit: CreditOption[]
 * GET /api/v1/payment/reason-outstanding                     reason_outstanding: ReasonOption[]
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
}

/** A credit note or deposit with something left. */
export interface CreditOption extends WireRecord {
  readonly Code: string
  readonly DocDate: string
  readonly Remaining: string
}

export interface ReasonOption extends WireRecord {
  readonly Code: string
  readonly Name: string
  readonly Action: 'KEEP_OPEN' | 'TEMP_CN' | 'PAYMENT_DIFF' | 'WITHHOLDING' | 'WRITE_OFF' | null
  readonly NeedsNote: boolean
}

export const creditSources = ['CREDIT_NOTE', 'DEPOSIT'] as const
export type CreditSource = (typeof creditSources)[number]

export const deductionKinds = ['PPH22', 'PPH23', 'PPN_WAPU', 'BANK', 'DIFF', 'CASH_DISCOUNT'] as const
export type DeductionKind = (typeof deductionKinds)[number]

/** Decimal text everywhere. `Paid` = money + credits + deductions of this invoice, at most its Remaining. */
export interface PaymentLine {
  readonly ID?: number
  readonly InvoiceID: number
  readonly InvoiceCode?: string
  readonly Paid: string
  /** What was open when the receipt was entered; in answers only. */
  readonly RemainingBefore?: string
  readonly ReasonID?: number | null
  readonly ReasonText?: string | null
  readonly Credits: readonly { readonly Source: CreditSource; readonly SourceID: number; readonly Amount: string }[]
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
  readonly PaymentID?: number
  /** Only these invoices; absent: all open ones. */
  readonly InvoiceIDs?: readonly number[]
  readonly UseCreditNotes: boolean
  readonly UseDeposits: boolean
}

export interface ProposeAnswer {
  readonly Lines: readonly PaymentLine[]
  /** Money no invoice took. */
  readonly Unapplied: string
}
