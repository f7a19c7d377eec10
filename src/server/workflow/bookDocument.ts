import { periodOf } from '#base/date.ts'
import { compare, isZero } from '#base/decimal.ts'
import type { EventAmount } from '#domain/ledger/entries.ts'
import { metadata } from '#generated/metadata.ts'
import { amountKeys, type AmountKey, type PostingEvent, postingEvents } from '#generated/names.ts'
import type { Condition } from '#meta/condition.ts'
import { holds } from '#meta/evaluate.ts'
import type { BookedEvent, PostingAmount, ResolvedEntity } from '#meta/resolved.ts'
import type { Effect, Row, TransitionContext } from '#server/context.ts'
import { fieldMap, knownEntity } from '#server/documents/entities.ts'
import { readersOf, type Reached, type Reader } from '#server/documents/reach.ts'
import { accountCode, post as book, reverse as bookReversal, stockAccount } from '#server/ledger/post.ts'
import { basesOf } from '#server/receivables/basesOf.ts'
import { foreignOf, mustRate } from '#server/setup/exchangeRates.ts'
import { moveGoods, moveGoodsBack } from '#server/inventory/moveGoods.ts'
import { adjustItem, adjustItemBack } from './adjustItem.ts'
import { bookedIn } from './bookedIn.ts'
import { consume, releaseConsumed } from './consume.ts'
import { linesOf } from './documentLines.ts'
import { bookingDate, bookingField } from './bookingDate.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from './newDocument.ts'
import { closedColumns, openingColumns } from './openItems.ts'
import { dayIsFixed } from './periods.ts'
import { releaseSettled, settleItems, settledItems } from './settle.ts'

/**
 * Posts a document as its workflow says: the event that fits, with the amounts the posting file takes from it; settles what its lines settle, consumes and moves what they
 * say; an open item begins with its whole amount.
 */
export const post: Effect = async (context) => {
  const { current, entity } = context
  const later = laterEvents(context)
  if (later.length > 0) return bookLater(context, later)
  const date = bookingDate(current)
  const unit = numberOf(current, 'operating_unit_id')
  await context.assertPeriodOpen(bookedIn(metadata, entity.id), unit, date)
  if (entity.otherCurrencies !== undefined && entity.rateOf === undefined) await atDaysRate(context)
  const items = await settledItems(context)
  await adjustItem(context)
  await consume(context)
  await moveGoods(context)
  context.set({ posting_date: date, period: periodOf(date), ...openingColumns(entity, current) })
  // Nothing is left of an open item that is worth nothing.
  if (entity.openItem !== undefined && isZero(textOf(current, entity.openItem.whole))) context.endIn(3)
  const event = eventOf(context)
  const code = textOf(current, 'code')
  const request = { source: { type: entity.id, id: current.id, code }, operatingUnitId: unit, date, description: `${entity.id.replaceAll('_', ' ')} ${code}` }
  const booked = await basesOf(context.tx, await foreignOf(context.tx, context.current), items)
  const moneyOf = (name: string) => (metadata.postings[name]?.inBooks === true ? undefined : booked.money)
  const journalId = await book(context, { ...request, event, money: moneyOf(event), amounts: await amountsOf(context, event) })
  for (const beside of eventsOf(context).filter((one) => one.beside === true)) {
    const name = knownEvent(beside.event)
    await book(context, { ...request, event: name, money: moneyOf(name), amounts: await amountsOf(context, name) })
  }
  await settleItems(context, booked.allocations, { date, journalId })
}

/** A document in another currency than the books enters them at the rate of its day. */
async function atDaysRate(context: TransitionContext): Promise<void> {
  const { tx, current } = context
  const rate = await mustRate(tx, numberOf(current, 'operating_unit_id'), textOf(current, 'currency'), bookingDate(current), bookingField(current))
  if (compare(rate, textOf(current, 'rate')) !== 0) context.set({ rate })
}

/** What a booked document books once more, at this transition: on a day of its own. Goods move then only where it says so of this transition. */
export async function bookLater(context: TransitionContext, events: readonly BookedEvent[]): Promise<void> {
  const { current, entity } = context
  if (metadata.workflows[entity.id]?.moves?.some(({ at }) => at?.includes(context.action.action) === true) === true) await moveGoods(context)
  const unit = numberOf(current, 'operating_unit_id')
  const code = textOf(current, 'code')
  for (const { event, day, modules } of events) {
    const date = day === undefined ? context.today : textOf(current, day)
    await context.assertPeriodOpen(modules ?? bookedIn(metadata, entity.id), unit, date)
    const name = knownEvent(event)
    const money = metadata.postings[name]?.inBooks === true ? undefined : await foreignOf(context.tx, current)
    await book(context, { money, source: { type: entity.id, id: current.id, code }, operatingUnitId: unit, date, description: `${entity.id.replaceAll('_', ' ')} ${code}`, event: name, amounts: await amountsOf(context, name) })
  }
}

/** Nothing is open of the document any more. */
export const closeItem: Effect = (context) => {
  const { entity } = context
  if (entity.openItem === undefined) throw new Error(`${entity.id} is no open item`)
  context.set(closedColumns(entity))
  return Promise.resolve()
}

/** Takes back what a document has booked and settled, today. */
export const reverse: Effect = async (context) => {
  const { current, entity, today } = context
  await dayIsFixed(context.assertPeriodOpen(bookedIn(metadata, entity.id), numberOf(current, 'operating_unit_id'), today))
  await releaseSettled(context, today)
  await adjustItemBack(context)
  await releaseConsumed(context)
  const rests = await moveGoodsBack(context, today)
  if (entity.openItem !== undefined) context.set(closedColumns(entity))
  const source = { type: entity.id, id: current.id, code: textOf(current, 'code') }
  for (const { event } of metadata.workflows[entity.id]?.books?.events ?? []) {
    await bookReversal(context, { source, event: knownEvent(event) }, { source, date: today, description: `Reversal of ${entity.id.replaceAll('_', ' ')} ${source.code}` })
  }
  if (rests.length > 0) await book(context, {
    event: 'STOCK_REST', source, operatingUnitId: numberOf(current, 'operating_unit_id'), date: today, description: `Reversal of ${entity.id.replaceAll('_', ' ')} ${source.code}`,
    amounts: await Promise.all(rests.map(async ({ itemId, stockClass, amount }): Promise<EventAmount> => ({ key: 'rest', amount, itemId, account: await stockAccount(context.tx, stockClass) }))),
  })
}

/** The events of the workflow that fit the document. */
function eventsOf(context: TransitionContext): readonly BookedEvent[] {
  return (metadata.workflows[context.entity.id]?.books?.events ?? []).filter(({ when, at }) => at === undefined && isFor(context, when))
}

function laterEvents(context: TransitionContext): readonly BookedEvent[] {
  return (metadata.workflows[context.entity.id]?.books?.events ?? []).filter(({ when, at }) => at?.includes(context.action.action) === true && isFor(context, when))
}

function eventOf(context: TransitionContext): PostingEvent {
  const { entity, current } = context
  const found = eventsOf(context).find(({ beside }) => beside !== true)
  if (found === undefined) throw new Error(`No event of ${entity.id} fits the document ${current.id}`)
  return knownEvent(found.event)
}

/** What belongs to an open item is not taken from lines that name none. */
function hasItem(row: Row, item: string | undefined): boolean {
  return item === undefined || row[item] != null
}

function isFor({ current, user, today }: TransitionContext, when: Condition | undefined, row: Row = current): boolean {
  return when === undefined || holds(when, row, { user: { id: user.id }, today, params: {} })
}

function knownEvent(name: string): PostingEvent {
  const event = postingEvents.find((known) => known === name)
  if (event === undefined) throw new Error(`No posting rule for ${name}`)
  return event
}

/** What the posting file takes from the document and its lines: all of it, whatever of it the user may read. */
async function amountsOf(context: TransitionContext, event: PostingEvent): Promise<readonly EventAmount[]> {
  const { entity, current } = context
  const sources = metadata.postings[event]?.amounts
  if (sources === undefined) throw new Error(`${event} does not say where its amounts come from`)
  for (const column of metadata.postings[event]?.zero ?? []) await mustBeZero(context, event, column)
  const amounts = Object.entries(sources)
  const found: EventAmount[] = []
  for (const [key, amount] of amounts) {
    const records = (amount.each === undefined ? [{ entity, row: current }] : await linesOf(context, amount.each)).filter(({ row }) => isFor(context, amount.when, row) && hasItem(row, amount.item))
    const of = records[0]?.entity
    const readers = await readersOf(context, records, [amount.of, amount.account ?? amount.of, amount.stock ?? amount.of, ...(amount.partner === undefined || of === undefined || !hasTerritory(of, amount.partner) ? [] : [`${amount.partner}.territory_id`])])
    for (const [i, record] of records.entries()) {
      const read = readers[i]
      if (read !== undefined) found.push(...(await entryOf(context, knownKey(key), amount, record, read)))
    }
  }
  return found
}

/** What an event leaves out is nothing: otherwise debit and credit would differ by it. */
async function mustBeZero(context: TransitionContext, event: PostingEvent, column: string): Promise<void> {
  const [lines, name = column] = column.includes('.') ? column.split('.') : [undefined, column]
  const rows = lines === undefined ? [context.current] : (await linesOf(context, lines)).map(({ row }) => row)
  if (rows.some((row) => !isZero(textOrNull(row, name) ?? '0'))) throw new Error(`${event} leaves out ${column}, which is not zero in ${context.entity.id} ${context.current.id}`)
}

async function entryOf(context: TransitionContext, key: AmountKey, { of, account, stock, item, partner }: PostingAmount, { entity, row }: Reached, read: Reader): Promise<readonly EventAmount[]> {
  const value = String(read(of) ?? '0')
  if (isZero(value)) return []
  const accountId = account === undefined ? null : read(account)
  const named = stock === undefined ? undefined : await stockAccount(context.tx, String(read(stock)))
  const target = item === 'id' ? entity.id : item === undefined ? undefined : fieldMap(entity).get(item)?.entity
  return [{
    key, amount: value, ...(partner === undefined ? partnerOf({ ...context.current, ...row }) : otherPartner(entity, partner, read)),
    ...(typeof row['item_id'] === 'number' ? { itemId: row['item_id'] } : {}),
    ...(named === undefined ? {} : { account: named }),
    ...(typeof accountId === 'number' ? { account: await accountCode(context.tx, accountId) } : {}),
    ...(item === undefined || target === undefined ? {} : { openItemType: target, openItemId: numberOf(row, item) }),
  }]
}

const partnerKinds: Readonly<Record<string, 'CUSTOMER' | 'EMPLOYEE'>> = { customer: 'CUSTOMER', employee: 'EMPLOYEE' }

function hasTerritory(entity: ResolvedEntity, reference: string): boolean {
  const target = fieldMap(entity).get(reference)?.entity
  return target !== undefined && fieldMap(knownEntity(metadata, target)).has('territory_id')
}

/** Somebody else than the document is with. */
function otherPartner(entity: ResolvedEntity, reference: string, read: Reader): ReturnType<typeof partnerOf> {
  const territoryId = hasTerritory(entity, reference) ? read(`${reference}.territory_id`) : null
  return { partnerKind: partnerKinds[fieldMap(entity).get(reference)?.entity ?? ''] ?? 'VENDOR', partnerId: Number(read(reference)), territoryId: typeof territoryId === 'number' ? territoryId : null }
}

function knownKey(name: string): AmountKey {
  const key = amountKeys.find((known) => known === name)
  if (key === undefined) throw new Error(`No posting line takes the amount ${name}`)
  return key
}

function partnerOf(document: Row): Pick<EventAmount, 'partnerKind' | 'partnerId' | 'territoryId'> {
  const territoryId = numberOrNull(document, 'territory_id')
  const customer = numberOrNull(document, 'customer_id')
  const vendor = numberOrNull(document, 'vendor_id') ?? numberOrNull(document, 'bp_id')
  if (customer !== null) return { partnerKind: 'CUSTOMER', partnerId: customer, territoryId }
  return vendor === null ? { territoryId } : { partnerKind: 'VENDOR', partnerId: vendor, territoryId }
}
