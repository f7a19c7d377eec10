import type { EntityId } from '#generated/names.ts'

/** How one document type leads to the next, by tables and columns; read in both directions. */
export interface FlowLink {
  /** Earlier document: order before delivery, delivery before invoice. */
  readonly from: EntityId
  readonly to: EntityId
  /**
   * How the later document names the earlier one: a column of its header, or of its lines (`via`: the line table and its header column).
   * `lineColumn` may point at a line of the earlier document; `fromLine` then names that line table and its header column.
   */
  readonly by:
    | { readonly kind: 'header'; readonly column: string }
    | { readonly kind: 'lines'; readonly table: string; readonly header: string; readonly column: string }
    | {
        readonly kind: 'lineToLine'
        readonly table: string
        readonly header: string
        readonly column: string
        readonly fromTable: string
        readonly fromHeader: string
      }
}

export type FlowTable = readonly FlowLink[]

/** Documents that bring together what belongs to different orders. */
export const gathering: ReadonlySet<string> = new Set<EntityId>(['delivery_plan', 'ar_payment', 'bank_statement'])

/** From the order to the money. */
export const flowLinks: FlowTable = [
  {
    from: 'sales_order', to: 'delivery_plan',
    by: { kind: 'lineToLine', table: 'delivery_plan_line', header: 'delivery_plan_id', column: 'order_line_id', fromTable: 'sales_order_line', fromHeader: 'sales_order_id' },
  },
  {
    from: 'sales_order', to: 'delivery_order',
    by: { kind: 'lineToLine', table: 'delivery_order_line', header: 'delivery_order_id', column: 'order_line_id', fromTable: 'sales_order_line', fromHeader: 'sales_order_id' },
  },
  { from: 'delivery_plan', to: 'delivery_order', by: { kind: 'header', column: 'delivery_plan_id' } },
  { from: 'delivery_order', to: 'goods_issue', by: { kind: 'header', column: 'delivery_order_id' } },
  {
    from: 'goods_issue', to: 'invoice',
    by: { kind: 'lineToLine', table: 'invoice_line', header: 'invoice_id', column: 'gi_line_id', fromTable: 'goods_issue_line', fromHeader: 'goods_issue_id' },
  },
  { from: 'invoice', to: 'invoice', by: { kind: 'header', column: 'reversal_of_id' } },
  { from: 'invoice', to: 'invoice_cancel_request', by: { kind: 'header', column: 'invoice_id' } },
  { from: 'invoice', to: 'ar_payment', by: { kind: 'lines', table: 'ar_payment_line', header: 'ar_payment_id', column: 'invoice_id' } },
  { from: 'invoice', to: 'cn_temporary', by: { kind: 'header', column: 'invoice_id' } },
  { from: 'ar_payment', to: 'customer_deposit', by: { kind: 'header', column: 'deposit_source_id' } },
  { from: 'goods_issue', to: 'goods_issue', by: { kind: 'header', column: 'reversal_of_id' } },
]
