import { unmarkedCurrency } from '#base/currency.ts'
import { sql, type Sql } from '#server/db/sql.ts'

/** The currency that goes without saying comes first, the others by their codes. */
export function currencyOrder(currency: Sql): Sql {
  return sql`${currency} is distinct from ${unmarkedCurrency}, ${currency}`
}
