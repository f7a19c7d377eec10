import type { LineColumn } from '#meta/resolved.ts'

function column(name: string, wire: string, more: Partial<LineColumn>): LineColumn {
  return { name, wire, type: 'text', label: `field.${name}`, required: false, readOnly: false, width: 100, entry: true, ...more }
}

/** Columns of an order as the grid tests use them. */
export const orderColumns: readonly LineColumn[] = [
  column('item_id', 'ItemID', { type: 'ref', entity: 'item', required: true, fills: { uom: 'sales_uom' } }),
  column('qty', 'Qty', { type: 'quantity', required: true, min: '0.001' }),
  column('uom', 'Uom', { required: true }),
  column('price', 'Price', { type: 'price', entry: false }),
  column('total', 'Total', { type: 'money', entry: false, total: 'sum' }),
]
