/** Wire key of a column: `customer_id` → `CustomerID`, `po_number` → `PoNumber`, `id` → `ID`. */
export function wireName(column: string): string {
  return column
    .split('_')
    .map((part) => (part === 'id' ? 'ID' : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('')
}

/** Wire keys of the code and the name shown for a reference: `customer_id` → `CustomerCode`, `CustomerName`. */
export function referenceNames(column: string): { readonly code: string; readonly name: string } {
  const stem = wireName(column.replace(/_id$/, ''))
  return { code: `${stem}Code`, name: `${stem}Name` }
}
