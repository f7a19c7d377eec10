import { metadata } from '#generated/metadata.ts'
import type { EntityId } from '#generated/names.ts'
import type { Metadata } from '#meta/metadata.ts'

/** How one document type leads to the next, by tables and columns; read in both directions. */
export interface FlowLink {
  /** Earlier document: order before delivery, delivery before invoice. */
  readonly from: string
  readonly to: string
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
    /** A table that says which two documents met: `from` and `to` are its columns, `where` a column and the value it must have. */
    | { readonly kind: 'between'; readonly table: string; readonly from: string; readonly to: string; readonly where: readonly [column: string, value: string]; readonly unless: string }
  /** What it leads to belongs to the earlier document alone, though that gathers others: a receipt and its line at the bank. */
  readonly isOwn?: boolean
}

export type FlowTable = readonly FlowLink[]

/** Documents that bring together what belongs to different orders. */
const gathering: ReadonlySet<string> = new Set<EntityId>(['delivery_plan', 'ar_payment', 'credit_note', 'customer_deposit'])

/** What no workflow says. */
const ownLinks: readonly (FlowLink & { readonly from: EntityId; readonly to: EntityId })[] = [
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
  { from: 'invoice', to: 'credit_note', by: { kind: 'between', table: 'ar_allocation', from: 'invoice_id', to: 'source_id', where: ['source_type', 'CREDIT_NOTE'], unless: 'reversed_at' } },
  { from: 'invoice', to: 'customer_deposit', by: { kind: 'between', table: 'ar_allocation', from: 'invoice_id', to: 'source_id', where: ['source_type', 'DEPOSIT'], unless: 'reversed_at' } },
  { from: 'invoice', to: 'tax_invoice', by: { kind: 'header', column: 'invoice_id' } },
  { from: 'container_move', to: 'tax_invoice', by: { kind: 'header', column: 'container_move_id' } },
  { from: 'customer_deposit', to: 'tax_invoice', by: { kind: 'header', column: 'customer_deposit_id' }, isOwn: true },
  { from: 'sales_return', to: 'credit_note', by: { kind: 'header', column: 'sales_return_id' } },
  { from: 'cn_temporary', to: 'credit_note', by: { kind: 'header', column: 'cn_temporary_id' } },
  { from: 'delivery_order', to: 'container_move', by: { kind: 'header', column: 'delivery_order_id' } },
  { from: 'ar_payment', to: 'cn_temporary', by: { kind: 'header', column: 'ar_payment_id' }, isOwn: true },
  { from: 'ar_payment', to: 'customer_deposit', by: { kind: 'header', column: 'deposit_source_id' }, isOwn: true },
  { from: 'ar_payment', to: 'bank_statement_line', by: { kind: 'header', column: 'ar_payment_id' }, isOwn: true },
  { from: 'customer_deposit', to: 'bank_statement_line', by: { kind: 'header', column: 'customer_deposit_id' }, isOwn: true },
  { from: 'goods_issue', to: 'goods_issue', by: { kind: 'header', column: 'reversal_of_id' } },
]

/** What documents settle, what they settle it with, consume and make leads to the next by what their workflows say. */
function flowLinksOf({ workflows, entities }: Metadata): FlowTable {
  const said = Object.values(workflows).flatMap(({ entity, settles = [], consumes = [], makes = [] }): FlowLink[] => {
    const used = settles.flatMap(({ lines, item, with: sources = [] }) => [{ lines, item }, ...sources])
    const links = used.flatMap(({ lines, item }): FlowLink[] => {
      const line = lines === undefined ? undefined : entities[entity]?.lines.find(({ name }) => name === lines.name)
      const from = entities[line?.entity ?? entity]?.fields.find(({ name }) => name === item)?.entity
      if (item === undefined || from === undefined) return []
      const table = line === undefined ? undefined : entities[line.entity]?.table
      return [{ from, to: entity, by: line === undefined || table === undefined ? { kind: 'header', column: item } : { kind: 'lines', table, header: line.column, column: item } }]
    })
    const consumed = consumes.flatMap(({ lines, of }): FlowLink[] => {
      const line = entities[entity]?.lines.find(({ name }) => name === lines.name)
      const from = entities[entities[line?.entity ?? '']?.fields.find(({ name }) => name === of)?.entity ?? '']
      if (line === undefined || from === undefined) return []
      if (from.base === 'document') return [{ from: from.id, to: entity, by: { kind: 'lines', table: entities[line.entity]?.table ?? line.entity, header: line.column, column: of } }]
      if (from.parent === undefined) return []
      return [{ from: from.parent, to: entity, by: { kind: 'lineToLine', table: entities[line.entity]?.table ?? line.entity, header: line.column, column: of, fromTable: from.table, fromHeader: `${from.parent}_id` } }]
    })
    return [...links, ...consumed, ...makes.map(({ entity: made, by }): FlowLink => ({ from: entity, to: made, by: { kind: 'header', column: by }, isOwn: true }))]
  })
  const all = new Map([...ownLinks, ...said].map((link) => [JSON.stringify([link.from, link.to, link.by]), link]))
  return [...all.values()]
}

/** Documents that bring together what belongs to different orders: those named above, and those whose lines settle. */
export function isGathering({ workflows }: Metadata, entity: string): boolean {
  return gathering.has(entity) || workflows[entity]?.settles !== undefined
}

/** From the order to the money. */
export const flowLinks: FlowTable = flowLinksOf(metadata)
