import type { DateText } from '#base/date.ts'
import { grouped, quantityText } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { OrderLine, PricedLine } from '#domain/pricing/priceOrder.ts'
import type { Queries, Row } from '#server/context.ts'
import { isUsedUp, linesOfContract, type ContractLine } from '#server/pricing/contractPrices.ts'
import { callProblems, callsOf, contractProblems } from './contractCalls.ts'

/** What is left of a contract, as it stands beside a line that calls on it. */
function leftOf(line: ContractLine): string | null {
  if (line.left_qty !== null) return `${quantityText(line.left_qty)} ${line.uom}`
  return line.left_value === null ? null : grouped(line.left_value)
}

/** Of an order as typed: what its contract does not allow, what is left beside lines that call, and the contract line of those whose item has one, by the place of the line. */
export async function calledAsTyped(
  tx: Queries,
  contractId: number | null,
  customerId: number,
  date: DateText,
  typed: readonly { readonly line: OrderLine | null }[],
  priced: readonly PricedLine[],
): Promise<{ readonly problems: readonly FieldProblem[]; readonly offers: ReadonlyMap<number, Row> }> {
  const lines = typed.flatMap(({ line }, at) => (line === null ? [] : [{ at, line, contractLineId: line.contractLineId ?? null, itemId: line.itemId, uom: line.uom }]))
  if (contractId === null && lines.every(({ contractLineId }) => contractLineId === null)) return { problems: [], offers: new Map() }
  const problems = await contractProblems(tx, contractId, customerId, date, lines)
  if (contractId === null || problems.some(({ field }) => field === 'ContractID')) return { problems, offers: new Map() }
  const known = await linesOfContract(tx, contractId)
  const dpp = new Map(priced.map((line) => [line.key, line.dpp]))
  const calls = callsOf(known, lines.map(({ at, line, contractLineId }) => ({ at, contractLineId, qty: line.qty, value: dpp.get(line.key) ?? '0' })))
  const offers = new Map(lines.flatMap(({ at, contractLineId, itemId, uom }): [number, Row][] => {
    const own = known.find((line) => (contractLineId === null ? line.item_id === itemId && line.uom === uom && !isUsedUp(line) : line.id === contractLineId))
    if (own === undefined) return []
    const left = leftOf(own)
    const name = { ContractLineID: own.id, ContractLineCode: `${own.code}-${own.line_no}`, ContractLineName: `${own.item_code} ${own.item_name}` }
    return [[at, { ...(contractLineId === null ? name : {}), ...(left === null || contractLineId === null ? {} : { Beside: { ContractLineID: left } }) }]]
  }))
  return { problems: problems.length > 0 ? problems : callProblems(calls), offers }
}
