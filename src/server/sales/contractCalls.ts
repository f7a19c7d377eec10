import { dayText, type DateText } from '#base/date.ts'
import { compare, exact, fixed, grouped, money, quantityText, sum, zero, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { CommandContext, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { pendingRows } from '#server/db/pendingRows.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import type { Saving } from '#server/documents/hooks.ts'
import { linesNamed, linesOfContract, type ContractLine } from '#server/pricing/contractPrices.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { logStatusChanges, numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { enteredPlaces } from './orderCombos.ts'

/** A line of an order as it calls on a contract; `at` says where it was entered. */
export interface CallingLine {
  readonly at: number
  readonly contractLineId: number | null
  readonly itemId: number
  readonly uom: string
}

/** What keeps an order from naming a contract: it is another customer's, does not run on the day or has ended. */
export async function contractProblems(tx: Queries, contractId: number | null, customerId: number, date: DateText, lines: readonly CallingLine[]): Promise<FieldProblem[]> {
  const calling = lines.filter(({ contractLineId }) => contractLineId !== null)
  if (contractId === null) return calling.length === 0 ? [] : [wrong('ContractID', 'REQUIRED.contract')]
  const known = await linesOfContract(tx, contractId)
  const [contract] = known
  if (contract === undefined || contract.customer_id !== customerId) return [wrong('ContractID', 'NOT_A_CHOICE.contract')]
  if (contract.status !== 1 && contract.status !== 2) return [wrong('ContractID', 'NOT_A_CHOICE.contract-ended', { contract: contract.code })]
  if (date < contract.valid_from || date > contract.valid_to) return [wrong('ContractID', 'NOT_A_CHOICE.contract-day', { contract: contract.code, from: dayText(contract.valid_from), to: dayText(contract.valid_to) })]
  return calling.flatMap(({ at, contractLineId, itemId, uom }) => {
    const line = known.find(({ id }) => id === contractLineId)
    if (line === undefined) return [wrong(`Lines[${at}].ContractLineID`, 'NOT_A_CHOICE.contract-line')]
    if (line.item_id !== itemId) return [wrong(`Lines[${at}].ContractLineID`, 'NOT_A_CHOICE.contract-item', { item: line.item_code })]
    return line.uom.toUpperCase() === uom.trim().toUpperCase() ? [] : [wrong(`Lines[${at}].Uom`, 'NOT_A_CHOICE.contract-unit', { uom: line.uom })]
  })
}

/** An order about to be saved names a contract of its customer, its lines lines of that contract. */
export async function checkContract({ context: { tx }, header, before, lines, problem }: Saving): Promise<void> {
  const order: Row = { ...before, ...header }
  const sent = lines?.['Lines']
  const contractId = numberOrNull(order, 'contract_id')
  const namesLines = sent?.some(({ columns }) => typeof columns['contract_line_id'] === 'number') === true
  const customerId = order['customer_id']
  if ((contractId === null && !namesLines && (before === undefined || before['contract_id'] === null)) || typeof customerId !== 'number') return
  // Goods that only come to stand at the customer are priced by what is sold of them, later and without the order.
  if (contractId !== null && (order['order_type'] === 'CONSIGN' || order['order_type'] === 'CMI')) return problem(wrong('ContractID', 'NOT_A_CHOICE.contract-consigned'))
  const stored = before === undefined ? [] : await tx.rows<Row & { id: number }>(sql`select id, item_id, uom, contract_line_id from sales_order_line where sales_order_id = ${before.id} and not is_free order by line_no, id`)
  const rows: readonly Row[] = sent?.map(({ id, columns }) => ({ ...stored.find((row) => row.id === id), ...columns })) ?? stored
  const calling = rows.map((row, at) => ({ at, contractLineId: numberOrNull(row, 'contract_line_id'), itemId: Number(row['item_id']), uom: String(row['uom'] ?? '') }))
  for (const found of await contractProblems(tx, contractId, customerId, textOf(order, 'doc_date'), calling)) problem(found)
}

/** What the lines of an order call, by contract line: quantities in the unit of the contract, values without VAT. */
interface Call {
  readonly line: ContractLine
  readonly qty: Decimal
  readonly value: Decimal
  /** Places of the lines that call. */
  readonly places: readonly number[]
}

/** Calls that a contract does not allow, said where they were entered. */
export function callProblems(calls: readonly Call[]): FieldProblem[] {
  const value = sum(calls.map((call) => exact(call.value)))
  return calls.flatMap(({ line, qty, places: [at = 0] }, i) => {
    const field = `Lines[${at}].Qty`
    const left = line.left_qty
    if (left !== null && compare(qty, left) > 0) return [wrong(field, 'EXCEEDS_REMAINING.contract', { left: quantityText(left), uom: line.uom })]
    if (i === 0 && line.left_value !== null && value.gt(line.left_value)) return [wrong(field, 'EXCEEDS_REMAINING.contract-value', { left: grouped(line.left_value) })]
    // The rest may be less than what must be called at a time: it could never be called else.
    return compare(qty, line.min_call) < 0 && (left === null || compare(qty, left) < 0) ? [wrong(field, 'TOO_SMALL.contract-call', { least: quantityText(line.min_call), uom: line.uom })] : []
  })
}

/** Calls of lines, those of one contract line together. */
export function callsOf(known: readonly ContractLine[], lines: readonly { readonly at: number; readonly contractLineId: number | null; readonly qty: Decimal; readonly value: Decimal }[]): Call[] {
  return known.flatMap((line): Call[] => {
    const own = lines.filter(({ contractLineId }) => contractLineId === line.id)
    return own.length === 0 ? [] : [{ line, qty: fixed(sum(own.map(({ qty }) => exact(qty))), 3), value: money(sum(own.map(({ value }) => exact(value)))), places: own.map(({ at }) => at) }]
  })
}

/** When an order is submitted: its contract still runs, and leaves what is called of it. */
export async function checkCalls({ tx, current }: TransitionContext): Promise<void> {
  const contractId = numberOrNull(current, 'contract_id')
  if (contractId === null) return
  const made = pendingRows(tx, 'sales_order_line').filter((row) => row['sales_order_id'] === current.id)
  const rows = (made.length > 0 ? made : await tx.rows(sql`select item_id, uom, qty, dpp, is_free, contract_line_id from sales_order_line where sales_order_id = ${current.id} order by line_no, id`)).filter((row) => row['is_free'] !== true)
  // The parts of a combo just entered stand where it was typed.
  const places = made.length > 0 ? enteredPlaces(rows.map((row) => numberOrNull(row, 'combo_no'))) : [...rows.keys()]
  const lines = rows.map((row, i) => ({
    at: places[i] ?? i, contractLineId: numberOrNull(row, 'contract_line_id'), itemId: numberOf(row, 'item_id'), uom: textOf(row, 'uom'), qty: fixed(String(row['qty']), 3), value: money(String(row['dpp'] ?? '0')),
  }))
  const problems = await contractProblems(tx, contractId, numberOf(current, 'customer_id'), textOf(current, 'doc_date'), lines)
  if (problems.length === 0) problems.push(...callProblems(callsOf(await linesNamed(tx, lines.flatMap(({ contractLineId }) => contractLineId ?? [])), lines)))
  if (problems.length > 0) invalid(problems)
}

/** What of the lines of an order no longer counts, by line, in base units; less than nothing: it counts again. */
type Dropped = ReadonlyMap<number, Decimal>

/** Called lines of orders with what they count on their contracts now and after some of it is dropped. */
async function changesOf(tx: Queries, lineIds: readonly number[], dropped: Dropped): Promise<readonly { readonly contract: number; readonly line: number; readonly qty: Decimal; readonly value: Decimal }[]> {
  const rows = [...new Set(lineIds)].map((id) => ({ id, dropped: dropped.get(id) ?? '0' }))
  return tx.rows<Row & { contract: number; line: number; qty: Decimal; value: Decimal }>(sql`
    select k.sales_contract_id as contract, k.id as line, sum(round((l.qty_base - l.cancelled_qty - x.dropped) / l.factor, 3) - round((l.qty_base - l.cancelled_qty) / l.factor, 3)) as qty,
      sum(round(l.dpp * (l.qty_base - l.cancelled_qty - x.dropped) / l.qty_base, 2) - round(l.dpp * (l.qty_base - l.cancelled_qty) / l.qty_base, 2)) as value
    from ${recordset(rows, { id: 'bigint', dropped: 'numeric' }, 'x')} join sales_order_line l on l.id = x.id join sales_contract_line k on k.id = l.contract_line_id where l.qty_base > 0 group by 1, 2 order by 1, 2`)
}

/** Final approval: what the order calls counts on its contract, all of it or nothing. What was cut of its lines for want of stock is not called. */
export async function takeCalls(context: TransitionContext): Promise<void> {
  const { tx, current } = context
  const contractId = numberOrNull(current, 'contract_id')
  if (contractId === null) return
  const contract = await tx.first<{ code: string; status: number; runs: boolean }>(sql`
    select code, status, ${textOf(current, 'doc_date')}::date between valid_from and valid_to as runs from sales_contract where id = ${contractId} for update`)
  if (contract === undefined || (contract.status !== 1 && contract.status !== 2) || !contract.runs) fail('ILLEGAL_TRANSITION.contract-ended', { contract: contract?.code ?? '' })
  const rows = await tx.rows<Row & { line: number; qty: Decimal; value: Decimal }>(sql`
    select contract_line_id as line, sum(round((qty_base - cancelled_qty) / factor, 3)) as qty, sum(round(dpp * (qty_base - cancelled_qty) / qty_base, 2)) as value
    from sales_order_line where sales_order_id = ${current.id} and contract_line_id is not null and qty_base > 0 group by 1 order by 1`)
  await count(context, contractId, rows)
}

/** What of called lines will not be delivered is given back, to be asked before the lines themselves change. */
export async function dropCalls(context: CommandContext, dropped: Dropped): Promise<void> {
  const changes = await changesOf(context.tx, [...dropped.keys()], dropped)
  for (const contractId of [...new Set(changes.map(({ contract }) => contract))].sort((a, b) => a - b)) {
    await context.tx.run(sql`select 1 from sales_contract where id = ${contractId} for update`)
    await count(context, contractId, changes.filter(({ contract }) => contract === contractId))
  }
}

/** Adds to what is called of a contract that is locked, if it leaves that; its status follows as long as it runs. */
async function count(context: CommandContext, contractId: number, changes: readonly { readonly line: number; readonly qty: Decimal; readonly value: Decimal }[]): Promise<void> {
  if (changes.length === 0) return
  const { tx } = context
  const counted = await tx.rows<{ id: number }>(sql`
    update sales_contract_line l set called_qty = l.called_qty + x.qty from ${recordset(changes.map(({ line, qty }) => ({ line, qty })), { line: 'bigint', qty: 'numeric' }, 'x')}, sales_contract c
    where l.id = x.line and c.id = l.sales_contract_id and c.id = ${contractId} and (c.kind <> 'QTY' or x.qty <= 0 or l.called_qty + x.qty <= l.target_qty) returning l.id`)
  const over = changes.find(({ line }) => !counted.some(({ id }) => id === line))
  if (over !== undefined) {
    const [line] = await linesNamed(tx, [over.line])
    fail('EXCEEDS_REMAINING.contract', { contract: line?.code ?? '', item: line?.item_code ?? '', left: quantityText(line?.left_qty ?? '0'), uom: line?.uom ?? '' })
  }
  const value = money(changes.reduce((so, change) => so.plus(change.value), zero))
  const [row] = await tx.rows<{ id: number; from_status: number; status: number }>(sql`
    with old as (select id, status from sales_contract where id = ${contractId}), lines as (
      select bool_or(called_qty > 0) as some_called, bool_and(called_qty >= target_qty) as all_called from sales_contract_line where sales_contract_id = ${contractId}
    )
    update sales_contract c set called_value = c.called_value + ${value}::numeric, version = c.version + 1, updated_at = ${context.now.toISOString()}, updated_by = ${context.user.id},
      status = case when c.status not in (1, 2, 3) then c.status when c.kind = 'QTY' and lines.all_called or c.kind = 'VALUE' and c.called_value + ${value}::numeric >= c.target_value then 3 when lines.some_called then 2 else 1 end
    from old, lines where c.id = old.id and (c.kind <> 'VALUE' or ${value}::numeric <= 0 or c.called_value + ${value}::numeric <= c.target_value) returning c.id, old.status as from_status, c.status`)
  if (row === undefined) {
    const [line] = await linesOfContract(tx, contractId)
    return fail('EXCEEDS_REMAINING.contract-value', { contract: line?.code ?? '', left: grouped(line?.left_value ?? '0') })
  }
  await logStatusChanges(context, 'sales_contract', 'progress', [{ id: row.id, from: row.from_status, to: row.status }])
}

/** Nothing that was called of it is still to be delivered or decided on. */
export const contractHasNoOpenCall: Precondition = async ({ tx, record }) => {
  const open = await tx.first<{ code: string }>(sql`
    select o.code from sales_order o join sales_order_line l on l.sales_order_id = o.id and l.contract_line_id is not null
    where o.contract_id = ${record.id} and o.status in (1, 2, 4) and l.qty_base > l.delivered_qty + l.cancelled_qty order by o.id limit 1`)
  if (open !== undefined) fail('ILLEGAL_TRANSITION.contract-called', { order: open.code })
}
