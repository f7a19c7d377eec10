/** Wire key of a column: `customer_id` → `CustomerID`, `po_number` → `PoNumber`, `id` → `ID`. */
export function wireName(column: string): string {
  const known = wireNames.get(column)
  if (known !== undefined) return known
  const name = column
    .split('_')
    .map((part) => (part === 'id' ? 'ID' : part === 'ids' ? 'IDs' : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('')
  if (wireNames.size < mostNames) wireNames.set(column, name)
  return name
}

/** Asked for each column of each row: worked out once. */
const wireNames = new Map<string, string>()
const mostNames = 5_000

/** Wire keys of the code and the name shown for a reference: `customer_id` → `CustomerCode`, `CustomerName`. */
export function referenceNames(column: string): { readonly code: string; readonly name: string } {
  const stem = wireName(column.replace(/_id$/, ''))
  return { code: `${stem}Code`, name: `${stem}Name` }
}

/** Column a wire key stands for: `SalesOrderID` → `sales_order_id`. */
export function columnOf(wire: string): string {
  return (wire.match(/ID(?![a-z])|[A-Z][a-z0-9]*/g) ?? [wire]).join('_').toLowerCase()
}
