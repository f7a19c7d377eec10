import type { DateText } from '#base/date.ts'
import { compare, type Decimal } from '#base/decimal.ts'
import { isValidOn, type ContractPrice } from '#domain/pricing/masters.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'

/** A line of a contract with what of its header decides whether an order may call on it. */
export interface ContractLine extends Row {
  readonly id: number
  readonly line_no: number
  readonly contract_id: number
  readonly code: string
  readonly status: number
  readonly kind: 'QTY' | 'VALUE' | 'PRICE'
  readonly customer_id: number
  readonly valid_from: DateText
  readonly valid_to: DateText
  readonly item_id: number
  readonly item_code: string
  readonly item_name: string
  readonly uom: string
  /** Null where the contract sets no quantity. */
  readonly left_qty: Decimal | null
  /** Of the whole contract; null where it sets no value. */
  readonly left_value: Decimal | null
  readonly min_call: Decimal
  readonly price: Decimal | null
  readonly list_minus: Decimal | null
  readonly price_policy: 'FIXED' | 'LIST_MINUS'
  readonly price_set_id: number | null
}

/** Lines of contracts that somebody has approved, whatever has become of them since. */
function contractLines(tx: Queries, which: Sql): Promise<ContractLine[]> {
  return tx.rows<ContractLine>(sql`
    select l.id, l.line_no, c.id as contract_id, c.code, c.status, c.kind, c.customer_id, c.valid_from, c.valid_to, l.item_id, i.code as item_code, i.name as item_name, l.uom, l.min_call,
      case when c.kind = 'QTY' then l.target_qty - l.called_qty end as left_qty, case when c.kind = 'VALUE' then c.target_value - c.called_value end as left_value,
      l.price, l.list_minus, c.price_policy, c.price_set_id
    from sales_contract_line l join sales_contract c on c.id = l.sales_contract_id join item i on i.id = l.item_id where ${which} and c.status in (1, 2, 3, 6, 9) order by l.line_no, l.id`)
}

export function linesNamed(tx: Queries, ids: readonly number[]): Promise<ContractLine[]> {
  return contractLines(tx, sql`l.id = any(${[...new Set(ids)]}::bigint[])`)
}

export function linesOfContract(tx: Queries, contractId: number): Promise<ContractLine[]> {
  return contractLines(tx, sql`c.id = ${contractId}`)
}

/** Prices of the lines named that are the customer's on a day. Whether anything is left to be called is asked elsewhere: what is ordered already keeps its price. */
export async function contractPrices(tx: Queries, ids: readonly number[], customerId: number, date: DateText): Promise<ReadonlyMap<number, ContractPrice>> {
  if (ids.length === 0) return new Map()
  const own = (await linesNamed(tx, ids)).filter((line) => line.customer_id === customerId && isValidOn({ validFrom: line.valid_from, validTo: line.valid_to }, date))
  return new Map(own.map((line): [number, ContractPrice] => [line.id, {
    lineId: line.id, code: line.code, itemId: line.item_id, uom: line.uom, price: line.price_policy === 'FIXED' ? (line.price ?? '0') : null, minus: line.list_minus ?? '0', priceSetId: line.price_set_id,
  }]))
}

/** Is nothing left to be called of it? */
export function isUsedUp(line: ContractLine): boolean {
  return (line.status !== 1 && line.status !== 2) || [line.left_qty, line.left_value].some((left) => left !== null && compare(left, '0') <= 0)
}
