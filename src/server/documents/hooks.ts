import type { FieldProblem, Said } from '#api/problems.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { EntityId } from '#generated/names.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { ApprovalReason } from '#api/approval.ts'
import { cmiConsumptionHooks } from '#server/billing/cmiConsumption.ts'
import { consignmentSalesHooks } from '#server/billing/consignmentSales.ts'
import { cancelRequestHooks } from '#server/billing/cancelRequestHooks.ts'
import type { CommandContext, Queries, Row, User } from '#server/context.ts'
import { customerHooks } from './customerHooks.ts'
import { limitRequestHooks } from '#server/credit/limitRequests.ts'
import { creditLimitHooks } from '#server/credit/limitHooks.ts'
import { canvasHooks } from '#server/inventory/canvas.ts'
import { deliveryPlanHooks, madeByOthers } from '#server/inventory/deliveryHooks.ts'
import { freeGoodsHooks } from '#server/inventory/freeGoodsHooks.ts'
import { itemHooks, itemUnitHooks } from '#server/inventory/itemHooks.ts'
import { kittingHooks } from '#server/inventory/kitting.ts'
import { openingBalanceHooks } from '#server/ledger/openingBalances.ts'
import { revaluationHooks } from '#server/ledger/revaluation.ts'
import { accountingPeriodHooks } from '#server/ledger/periodStates.ts'
import { priceChangeHooks } from '#server/pricing/priceChangeHooks.ts'
import { promotionHooks } from '#server/pricing/promotionHooks.ts'
import { cashBankHooks } from '#server/receivables/cashBank.ts'
import { cashDepositHooks } from '#server/receivables/cashDeposit.ts'
import { creditNoteHooks, depositHooks, temporaryCreditHooks } from '#server/receivables/creditHooks.ts'
import { codReconciliationHooks } from '#server/receivables/handover.ts'
import { paymentHooks } from '#server/receivables/paymentHooks.ts'
import { scanHooks } from '#server/ocr/scanEffects.ts'
import { ocrTemplateHooks } from '#server/ocr/templates.ts'
import { expenseBudgetHooks } from '#server/payables/expenseBudget.ts'
import { shipmentCostHooks } from '#server/payables/shipmentCost.ts'
import { paymentProposalHooks } from '#server/payables/proposalOffsets.ts'
import { supplierCreditNoteHooks } from '#server/payables/supplierCreditNote.ts'
import { vendorInvoiceHooks } from '#server/payables/vendorInvoice.ts'
import { podHooks } from '#server/receivables/pod.ts'
import { salesReturnHooks } from '#server/receivables/salesReturn.ts'
import { statementHooks } from '#server/receivables/statementHooks.ts'
import type { Services } from '#server/services.ts'
import { setupHooks } from '#server/setup/setupHooks.ts'
import { contractHooks } from '#server/sales/contractHooks.ts'
import { salesOrderHooks } from '#server/sales/orderHooks.ts'
import { festiveHooks } from '#server/setup/festiveHooks.ts'
import { visitPlanHooks } from '#server/sales/visitPlans.ts'
import { taxCodeHooks } from '#server/tax/taxCodeHooks.ts'
import { taxInvoiceHooks, taxPeriodHooks } from '#server/tax/taxInvoices.ts'

/** A record about to be saved. Columns in `header` may be changed by the hook; they are what is written. */
export interface Saving {
  readonly context: CommandContext
  /** The row under lock; undefined when it is created. */
  readonly before: (Row & { readonly id: number }) | undefined
  /** Columns to write, by column name; for a new record with defaults filled in. */
  readonly header: Row
  /** Lines by wire name (`Lines`), as they will stand; undefined when the request leaves them alone. Each hook may change, add and remove rows. */
  readonly lines: Readonly<Record<string, SavingLine[]>> | undefined
  /** Values of the keys named in `extraKeys`, as sent and not yet checked. */
  readonly extra: Row
  /** Collects what is wrong; everything is reported together. */
  problem(problem: FieldProblem): void
  /** A change beyond the fields, for the history of the record: what was taken away, what was given. */
  changed(field: string, taken: readonly string[], given: readonly string[]): void
}

export interface SavingLine {
  /** Line row this one changes; undefined: a new one. */
  readonly id: number | undefined
  readonly columns: Row
  /** Values of `extraLineKeys`. */
  readonly extra: Row
}

/** A record whose values have been read, about to be checked against what they name. */
export interface Written {
  readonly services: Services
  readonly tx: Queries
  readonly user: User
  readonly entity: ResolvedEntity
  /** Undefined when it is created. */
  readonly before: Row | undefined
  readonly header: Row
  readonly lines: Readonly<Record<string, readonly SavingLine[]>>
}

/** What a document type adds to the generic saving and reading. */
export interface DocumentHooks {
  /** false: never created, changed or deleted through the generic calls. Absent: masters and documents are, other tables are not. */
  readonly writable?: boolean
  /** false: changed but never created by hand. */
  readonly creatable?: boolean
  /** Columns only the server computes; sent by a client they are refused. Line columns: `lines.<column>`. */
  readonly computed?: readonly string[]
  /** Wire keys beyond the fields that saving accepts and hands to the hooks. */
  readonly extraKeys?: readonly string[]
  readonly extraLineKeys?: readonly string[]
  /**
   * Before a new record is made: asks early, so that its questions travel with others. `next`: the action taken right after saving.
   * The columns are as sent and neither complete nor checked.
   */
  prepare?(context: CommandContext, columns: Row, next: string | undefined): void
  /** After parsing and reference checks, before values are derived: lines that follow from what the header names. */
  beforeDerive?(saving: Saving): Promise<void>
  /**
   * Lines of a record that is being typed, by wire name, before values are derived: their columns may be changed. Nothing is checked yet, so that
   * only what the user may see is looked at. `id`: of the record where it is saved already.
   */
  workOut?(reading: { readonly tx: Queries; readonly metadata: Metadata; readonly user: User; readonly id: number | undefined }, header: Row, lines: Readonly<Record<string, readonly { readonly columns: Row }[]>>): Promise<void>
  /** After parsing and reference checks, before anything is written. */
  beforeSave?(saving: Saving): Promise<void>
  /** After header and lines are written; `id` and the line ids in order. Runs in the same transaction. */
  afterSave?(saving: Saving, saved: { readonly id: number; readonly lineIds: Readonly<Record<string, readonly number[]>> }): Promise<void>
  /** What belongs to the record alone and goes with it: entity and the column that names the record. It is no use of it. */
  readonly belongings?: { readonly [id in EntityId]?: string }
  beforeDelete?(context: CommandContext, record: Row & { readonly id: number }): Promise<void>
  /** What a file says of a new record with `lines` that it has by itself, and that it does not have; those of the file stand behind `at` others. */
  missingGiven?(context: CommandContext, id: number, lines: readonly Row[], at: number): Promise<readonly FieldProblem[]>
  /** What is to be said in the log of an import of one record that went on its way. */
  importNotes?(queries: Queries, id: number): Promise<readonly Said[]>
  /** The documents that records of this kind only brought about and that people look for in their place, by id. */
  standsFor?(queries: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, { readonly entity: EntityId; readonly id: number }>>
  /** What is still to be said once a file of such documents is imported, or taken back. */
  afterImport?(queries: Queries): Promise<Said | undefined>
  /** Further reasons of the request for approval of a new record as a whole. */
  newReasons?(queries: Queries, id: number): Promise<readonly ApprovalReason[]>
  /** Adds to a record read with its lines (nested parts, computed facts). */
  afterRead?(queries: Queries, user: User, record: WireRecord): Promise<WireRecord>
}

export type DocumentHookTable = { readonly [id in EntityId]?: DocumentHooks }

/** Hooks of the business documents; those of users, roles and settings are the platform's own. */
export const documentHooks: DocumentHookTable = {
  accounting_period: accountingPeriodHooks,
  ar_payment: paymentHooks,
  bank_statement: statementHooks,
  cash_bank_document: cashBankHooks,
  cash_deposit: cashDepositHooks,
  cod_reconciliation: codReconciliationHooks,
  cn_temporary: temporaryCreditHooks,
  cmi_consumption: cmiConsumptionHooks,
  consignment_sales: consignmentSalesHooks,
  credit_limit: creditLimitHooks,
  credit_limit_request: limitRequestHooks,
  credit_note: creditNoteHooks,
  customer: customerHooks,
  customer_deposit: depositHooks,
  delivery_order: madeByOthers,
  delivery_plan: deliveryPlanHooks,
  discount_set: madeByOthers,
  expense_budget: expenseBudgetHooks,
  free_goods_request: freeGoodsHooks,
  fx_revaluation: revaluationHooks,
  goods_issue: madeByOthers,
  invoice: madeByOthers,
  canvas_request: canvasHooks,
  invoice_cancel_request: cancelRequestHooks,
  item: itemHooks,
  item_uom: itemUnitHooks,
  kitting_order: kittingHooks,
  ocr_template: ocrTemplateHooks,
  opening_balance: openingBalanceHooks,
  payment_proposal: paymentProposalHooks,
  pod: podHooks,
  price_change: priceChangeHooks,
  promotion: promotionHooks,
  price_set: madeByOthers,
  product_festive: festiveHooks,
  sales_contract: contractHooks,
  sales_order: salesOrderHooks,
  sales_return: salesReturnHooks,
  tax_code: taxCodeHooks,
  tax_invoice: taxInvoiceHooks,
  tax_invoice_period: taxPeriodHooks,
  ...setupHooks,
  shipment_cost: shipmentCostHooks,
  supplier_credit_note: supplierCreditNoteHooks,
  customer_visit: madeByOthers,
  visit_plan: visitPlanHooks,
  vendor_invoice: vendorInvoiceHooks,
  vendor_invoice_ocr: scanHooks,
}
