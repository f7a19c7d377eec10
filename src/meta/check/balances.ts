import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import type { Compute } from '#meta/compute.ts'
import type { Condition } from '#meta/condition.ts'
import { holds } from '#meta/evaluate.ts'
import type { PostingAmount, ResolvedEntity, ResolvedPosting, ResolvedWorkflow } from '#meta/resolved.ts'

type Entities = World['resolved']['metadata']['entities']
type Values = Readonly<Record<string, unknown>>
/** A sum of columns, each so many times: `total`, `lines.amount`. */
type Sum = Map<string, number>

/** Beyond so many combinations of values an event is called too branched to be proved. */
const mostCombinations = 20_000

/**
 * Debit and credit of every event are the same, whatever its document says: amounts are traced to the columns they are derived from, and every combination of the
 * values their conditions ask for is tried. What code works out cannot be traced: such an event says so (`balances`), and the ledger refuses it where it does not.
 */
export function* balances({ sources, resolved: { metadata } }: World): Iterable<Report> {
  const { postings, entities } = metadata
  const booked = sources.workflow.flatMap(({ value }) => {
    const workflow = metadata.workflows[value.entity]
    return (workflow?.books?.events ?? []).map(({ event }, nth) => ({ event, nth, workflow }))
  })
  for (const { path, value } of sources.posting) {
    for (const [i, { event, balances: said }] of value.events.entries()) {
      const posting = postings[event]
      if (posting?.amounts === undefined) continue
      const by = booked.filter((one) => one.event === event)
      const at = ['events', i, 'event']
      const odd = by.map(({ workflow, nth }) => (workflow === undefined ? undefined : unbalanced(posting, workflow, nth, entities))).find((text) => text !== undefined)
      if (odd !== undefined && said === undefined) yield { path, at, code: 'unbalanced', message: `${event} does not balance: ${odd}` }
      if (odd === undefined && said !== undefined && by.length > 0) yield { path, at: ['events', i, 'balances'], code: 'unneeded', message: `${event} balances by what its amounts are derived from: this need not be said` }
    }
  }
}

/** What one side has more than the other in some document that books the event, or undefined. */
function unbalanced(posting: ResolvedPosting, workflow: ResolvedWorkflow, nth: number, entities: Entities): string | undefined {
  const entity = entities[workflow.entity]
  const events = workflow.books?.events ?? []
  const amounts = Object.values(posting.amounts ?? {})
  if (entity === undefined) return undefined
  const collections = [...new Set(amounts.flatMap(({ each }) => each ?? []))]
  const lineOf = (name: string): ResolvedEntity | undefined => entities[entity.lines.find((line) => line.name === name)?.entity ?? '']
  const own = [...amounts.filter(({ each }) => each === undefined).map(({ when }) => when), ...events.map(({ when }) => when)]
  const headers = combinations(entity, [...own, ...amounts.filter(({ each }) => each === undefined).map(hasItem)]).filter((header) => isBooked(events, nth, header))
  if (headers.length === 0) return 'no document fits what its workflow asks for'
  const lines = collections.map((name) => ({ name, rows: combinations(lineOf(name), amounts.filter(({ each }) => each === name).flatMap((amount) => [amount.when, hasItem(amount)])) }))
  if (lines.reduce((product, { rows }) => product * rows.length, headers.length) > mostCombinations) return 'its conditions have too many combinations to try'
  for (const header of headers) {
    for (const rows of product(lines.map(({ name, rows: tried }) => tried.map((row) => [name, row] as const)))) {
      const left = difference(posting, entity, header, new Map(rows), entities)
      if (left !== undefined) return `${left}${saidOf([['', header], ...rows])}`
    }
  }
  return undefined
}

/** What belongs to an open item is not taken from records that name none. */
function hasItem({ item }: PostingAmount): Condition | undefined {
  return item === undefined || item === 'id' ? undefined : { [item]: { empty: false } }
}

/** The first event that fits is booked when the document is, and those beside it; later transitions book all of theirs that fit. */
function isBooked(events: NonNullable<ResolvedWorkflow['books']>['events'], nth: number, header: Values): boolean {
  const own = events[nth]
  if (own === undefined || !fits(own.when, header)) return false
  return own.beside === true || own.at !== undefined || !events.slice(0, nth).some((earlier) => earlier.beside !== true && earlier.at === undefined && fits(earlier.when, header))
}

function fits(condition: Condition | undefined, values: Values): boolean {
  return condition === undefined || holds(condition, values, { user: {}, today: '2000-01-01', params: {} })
}

/** Debits less credits, as far as anything is left of them. */
function difference({ lines, amounts = {}, zero = [] }: ResolvedPosting, entity: ResolvedEntity, header: Values, rows: ReadonlyMap<string, Values>, entities: Entities): string | undefined {
  const left: Sum = new Map()
  for (const { side, amount } of lines) {
    const taken = amounts[amount]
    const record = taken?.each === undefined ? header : (rows.get(taken.each) ?? {})
    if (taken === undefined || !fits(taken.when, record) || !fits(hasItem(taken), record)) continue
    for (const [column, times] of traced(taken, entity, entities)) left.set(column, (left.get(column) ?? 0) + (side === 'D' ? times : -times))
  }
  const odd = [...left].filter(([column, times]) => times !== 0 && !zero.includes(column))
  return odd.length === 0 ? undefined : odd.map(([column, times]) => `${times > 0 ? 'debit' : 'credit'} has ${column} more`).join(', ')
}

function traced({ of, each }: PostingAmount, entity: ResolvedEntity, entities: Entities): Sum {
  return each === undefined ? columnOf(of, entity, entities, new Set()) : lineColumn(each, of, entity, entities, new Set())
}

/** What a column is the sum of: columns nothing is known of, and columns of lines. */
function columnOf(name: string, entity: ResolvedEntity, entities: Entities, seen: ReadonlySet<string>): Sum {
  const derivation = entity.derive?.[name]
  if (seen.has(name) || derivation === undefined || typeof derivation === 'string') return new Map([[name, 1]])
  const beyond = new Set([...seen, name])
  if ('sum' in derivation) {
    const [lines = '', column = ''] = derivation.sum.split('.')
    return lineColumn(lines, column, entity, entities, beyond)
  }
  return ('compute' in derivation ? linear(derivation.compute, (column) => columnOf(column, entity, entities, beyond)) : undefined) ?? new Map([[name, 1]])
}

function lineColumn(lines: string, name: string, entity: ResolvedEntity, entities: Entities, seen: ReadonlySet<string>): Sum {
  const line = entities[entity.lines.find((one) => one.name === lines)?.entity ?? '']
  const derivation = line?.derive?.[name]
  const key = `${lines}.${name}`
  if (derivation === undefined || typeof derivation === 'string' || !('compute' in derivation) || seen.has(key)) return new Map([[key, 1]])
  return linear(derivation.compute, (column) => lineColumn(lines, column, entity, entities, new Set([...seen, key]))) ?? new Map([[key, 1]])
}

/** Sums and differences of columns; undefined where more is done with them. */
function linear(compute: Compute, sumOf: (name: string) => Sum): Sum | undefined {
  if (typeof compute === 'number') return compute === 0 ? new Map() : undefined
  if (typeof compute === 'string') return sumOf(compute)
  if (compute.coalesce !== undefined) return compute.coalesce.length === 2 && compute.coalesce[1] === 0 && compute.coalesce[0] !== undefined ? linear(compute.coalesce[0], sumOf) : undefined
  const parts = (compute.add ?? compute.sub)?.map((part) => linear(part, sumOf))
  if (parts === undefined) return undefined
  const total: Sum = new Map()
  for (const [i, part] of parts.entries()) {
    if (part === undefined) return undefined
    for (const [column, times] of part) total.set(column, (total.get(column) ?? 0) + (compute.sub !== undefined && i > 0 ? -times : times))
  }
  return total
}

/** Every combination of the values a record may have in the columns that conditions ask for. */
function combinations(entity: ResolvedEntity | undefined, conditions: readonly (Condition | undefined)[]): readonly Values[] {
  const asked = new Map<string, unknown[]>()
  for (const condition of conditions) if (condition !== undefined) collect(condition, asked)
  const tried = [...asked].map(([name, literals]) => valuesOf(entity?.fields.find((field) => field.name === name), literals).map((value) => [name, value] as const))
  return product(tried).map((pairs): Values => Object.fromEntries(pairs))
}

function valuesOf(field: ResolvedEntity['fields'][number] | undefined, literals: readonly unknown[]): readonly unknown[] {
  const none = field?.required === true && field.type !== 'boolean' ? [] : [null]
  if (field?.choices !== undefined) return [...field.choices.map(({ value }) => value), ...none]
  if (field?.type === 'boolean') return [true, false]
  return [...new Set([...literals, field?.type === 'ref' || field?.type === 'integer' ? 987_654 : '987654.32'])].concat(none)
}

/** Columns a condition asks for, each with the values it names. */
function collect(condition: Condition, asked: Map<string, unknown[]>): void {
  for (const [name, test] of Object.entries(condition)) {
    if (['all', 'any'].includes(name) && Array.isArray(test)) for (const part of test) collect(part, asked)
    else if (name === 'not') collect(test, asked)
    else asked.set(name, [...(asked.get(name) ?? []), ...literalsIn(test)])
  }
}

function literalsIn(test: unknown): readonly unknown[] {
  if (Array.isArray(test)) return test.flatMap(literalsIn)
  if (typeof test === 'object' && test !== null) return 'empty' in test ? [] : Object.values(test).flatMap(literalsIn)
  return [test]
}

function product<T>(parts: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return parts.reduce<readonly (readonly T[])[]>((rows, part) => rows.flatMap((row) => part.map((one) => [...row, one])), [[]])
}

function saidOf(records: readonly (readonly [string, Values])[]): string {
  const facts = records.flatMap(([name, values]) => Object.entries(values).map(([column, value]) => `${name === '' ? '' : `${name}.`}${column} ${value === null ? 'empty' : value === 987_654 || value === '987654.32' ? 'filled in' : JSON.stringify(value)}`))
  return facts.length === 0 ? '' : ` where ${facts.join(', ')}`
}
