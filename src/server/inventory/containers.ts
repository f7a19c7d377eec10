import { addDays } from '#base/date.ts'
import { exact, isZero, money, sum, type Decimal } from '#base/decimal.ts'
import { withoutVat } from '#domain/tax/vat.ts'
import type { CommandContext, Effect, Precondition, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { arAccountOf } from '#server/receivables/creditEffects.ts'
import { assertUntaxed, dropTaxDrafts } from '#server/tax/taxInvoices.ts'
import { insertDocument, numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'

/** Back in a warehouse it is no longer at a customer, and nobody waits for it. */
export const containerBack: Effect = (context) => {
  context.set({ customer_id: null, eta: null, delivery_order_id: null })
  return Promise.resolve()
}

/** Nothing is left in it. */
export const containerEmptied: Effect = async (context) => {
  context.set({ delivery_order_id: null })
  await context.tx.run(sql`delete from inventory_container_line where inventory_container_id = ${context.current.id}`)
}

/** Something is in it, or it goes along with a delivery whose goods are not named one by one. */
export const containerIsFilled: Precondition = async ({ tx, current, input }) => {
  if (input['delivery_order_id'] != null) return
  const line = await tx.first(sql`select 1 from inventory_container_line where inventory_container_id = ${current.id} limit 1`)
  if (line === undefined) invalid([wrong('Lines', 'REQUIRED.lines')])
}

interface Charged {
  readonly id: number
  readonly deposit: Decimal
}

interface Move {
  readonly kind: 'CHARGE' | 'BACK' | 'LOST'
  readonly customerId: number
  readonly operatingUnitId: number
  readonly deliveryId: number | null
  readonly containers: readonly Charged[]
  /** What is asked of the customer; 0: what he has deposited is moved, nothing else. */
  readonly total: Decimal
  readonly dpp?: Decimal
  readonly ppn?: Decimal
  /** What VAT is reckoned from, and at which rate. */
  readonly dppOther?: Decimal
  readonly ppnRate?: Decimal
}

/** What containers cost or give back: a deposit charged, credited, or kept because they are lost. One document for all of them. */
async function book(context: CommandContext, { kind, customerId, operatingUnitId, deliveryId, containers, total, dpp = total, ppn = '0.00', dppOther = '0.00', ppnRate = '0' }: Move): Promise<void> {
  const customer = await context.tx.first<Row>(sql`
    select c.territory_id, c.payment_term_id, c.salesman_id, c.collector_id, coalesce(p.net_days, 0) as net_days from customer c left join payment_term p on p.id = c.payment_term_id where c.id = ${customerId}`)
  if (customer === undefined) throw new Error(`There is no customer ${customerId}`)
  const { id: account } = await arAccountOf(context.tx, customerId)
  const { id } = await insertDocument(
    context,
    'container_move',
    {
      operating_unit_id: operatingUnitId, territory_id: numberOrNull(customer, 'territory_id'), doc_date: context.today, posting_date: context.today, kind, customer_id: customerId, delivery_order_id: deliveryId, deposit: money(sum(containers.map(({ deposit }) => deposit))),
      dpp, dpp_other: dppOther, ppn, ppn_rate: ppnRate, total, due_date: addDays(context.today, numberOf(customer, 'net_days')), payment_term_id: customer['payment_term_id'], ar_account_id: account, salesman_id: customer['salesman_id'], collector_id: customer['collector_id'],
    },
    { table: 'container_move_line', rows: containers.map((one) => ({ inventory_container_id: one.id, deposit: one.deposit })) },
  )
  await context.transition('container_move', id, 'post')
}

/** Handed over: its deposit is charged. */
export const chargeContainer: Effect = async (context) => {
  const { current } = context
  const deposit = textOf(current, 'deposit_value')
  if (isZero(deposit)) return
  context.set({ deposit_held: deposit })
  await book(context, { kind: 'CHARGE', customerId: numberOf(current, 'customer_id'), operatingUnitId: numberOf(current, 'operating_unit_id'), deliveryId: null, containers: [{ id: current.id, deposit }], total: deposit })
}

/** Back again: whoever paid its deposit, or owes it, is credited. */
export const creditContainer: Effect = async (context) => {
  const { current, record } = context
  const deposit = textOf(current, 'deposit_held')
  if (isZero(deposit)) return
  context.set({ deposit_held: '0.00' })
  await book(context, { kind: 'BACK', customerId: numberOf(record, 'customer_id'), operatingUnitId: numberOf(current, 'operating_unit_id'), deliveryId: null, containers: [{ id: current.id, deposit }], total: '0.00' })
}

/** It will not come back: the deposit is kept, VAT included; where none was charged its value is claimed by a debit memo. */
export const loseContainer: Effect = async (context) => {
  const { current } = context
  const [held, value, customerId] = [textOf(current, 'deposit_held'), textOf(current, 'deposit_value'), numberOrNull(current, 'customer_id')]
  const isHeld = !isZero(held)
  const amount = isHeld ? held : value
  if (customerId === null || isZero(amount)) return
  const tax = await defaultTax(context)
  const dpp = money(withoutVat(exact(amount), tax ?? null).round(0))
  context.set({ deposit_held: '0.00' })
  await book(context, {
    kind: 'LOST', customerId, operatingUnitId: numberOf(current, 'operating_unit_id'), deliveryId: null, containers: [{ id: current.id, deposit: isHeld ? held : '0.00' }], total: isHeld ? '0.00' : amount,
    dpp, ppn: money(exact(amount).minus(dpp)), ...(tax === undefined ? {} : { dppOther: money(exact(dpp).times(tax.numerator).div(tax.denominator)), ppnRate: tax.rate }),
  })
}

function defaultTax({ tx, today }: CommandContext): Promise<{ readonly code: string; readonly rate: Decimal; readonly numerator: number; readonly denominator: number } | undefined> {
  return tx.first<{ code: string; rate: Decimal; numerator: number; denominator: number }>(sql`
    select code, rate::text as rate, base_numerator as numerator, base_denominator as denominator from tax_code where is_default and valid_from <= ${today}::date and (valid_to is null or valid_to >= ${today}::date) order by valid_from desc limit 1`)
}

/** It has come to light: the deposit that was kept is the customer's again. What was claimed by a debit memo is settled with that. */
export const findContainer: Effect = async (context) => {
  const { tx, current } = context
  const move = await tx.first<{ id: number; code: string; deposit: Decimal; invoice: string | null }>(sql`
    select m.id, m.code, l.deposit, i.code as invoice from container_move m join container_move_line l on l.container_move_id = m.id left join invoice i on i.id = m.invoice_id
    where l.inventory_container_id = ${current.id} and m.kind = 'LOST' and m.status = 1 order by m.id desc limit 1`)
  if (move === undefined) return
  if (move.invoice !== null) fail('ILLEGAL_TRANSITION.container-claimed', { invoice: move.invoice })
  await assertUntaxed(tx, move.id, 'container_move')
  await dropTaxDrafts(context, move.id, 'container_move')
  await context.transition('container_move', move.id, 'reverse')
  context.set({ deposit_held: move.deposit })
}

interface Going extends Row {
  readonly id: number
  readonly operating_unit_id: number
  readonly deposit_value: Decimal
  readonly deposit_held: Decimal
}

function going({ tx }: CommandContext, deliveryId: number, statuses: readonly number[]): Promise<Going[]> {
  return tx.rows<Going>(sql`
    select id, operating_unit_id, deposit_value, deposit_held from inventory_container where delivery_order_id = ${deliveryId} and status = any(${[...statuses]}::int[]) order by id for update`)
}

/** What goes along with a delivery leaves with its goods. */
export async function shipContainers(context: TransitionContext, deliveryId: number, customerId: number): Promise<void> {
  for (const { id } of await going(context, deliveryId, [0, 8])) await context.transition('inventory_container', id, 'ship', { customer_id: customerId })
}

/** The goods come back before they have arrived, and what they were in with them. */
export async function unshipContainers(context: TransitionContext, deliveryId: number): Promise<void> {
  for (const { id } of await going(context, deliveryId, [2])) await context.transition('inventory_container', id, 'unship', { customer_id: null })
}

/** The customer has them: their deposits are charged together. */
export async function deliverContainers(context: TransitionContext, deliveryId: number, customerId: number): Promise<void> {
  const containers = await going(context, deliveryId, [2])
  for (const { id, deposit_value: deposit } of containers) await context.transition('inventory_container', id, 'arrive', { deposit_held: deposit })
  await bookAll(context, 'CHARGE', deliveryId, customerId, containers.map((one) => ({ ...one, deposit: one.deposit_value })))
}

/** The receipt is taken back: what was charged with it is credited. */
export async function recallContainers(context: TransitionContext, deliveryId: number, customerId: number): Promise<void> {
  const containers = await going(context, deliveryId, [1])
  for (const { id } of containers) await context.transition('inventory_container', id, 'leave', { deposit_held: '0.00' })
  await bookAll(context, 'BACK', deliveryId, customerId, containers.map((one) => ({ ...one, deposit: one.deposit_held })))
}

async function bookAll(context: TransitionContext, kind: 'CHARGE' | 'BACK', deliveryId: number, customerId: number, containers: readonly (Going & Charged)[]): Promise<void> {
  const charged = containers.filter(({ deposit }) => !isZero(deposit))
  const [first] = charged
  if (first === undefined) return
  await book(context, { kind, customerId, operatingUnitId: first.operating_unit_id, deliveryId, containers: charged, total: kind === 'CHARGE' ? money(sum(charged.map(({ deposit }) => deposit))) : '0.00' })
}
