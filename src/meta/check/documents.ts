import { didYouMean, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import type { ResolvedPosting } from '#meta/resolved.ts'
import { transitionsOf } from '#meta/standardTransitions.ts'

/** What documents book, settle and ask exists, and the posting files take their amounts from fields there are. */
export function* documents(world: World): Iterable<Report> {
  yield* events(world)
  yield* rules(world)
  yield* settlements(world)
  yield* goods(world)
}

/** Every event a workflow books is one of a posting file, with a source for each of its amounts. */
function* events({ sources, resolved }: World): Iterable<Report> {
  const { postings } = resolved.metadata
  for (const { path, value } of sources.workflow) {
    const actions = transitionsOf(value).map(({ action }) => action)
    for (const [i, { event, at: taken = [] }] of (value.books?.events ?? []).entries()) {
      for (const [j, action] of taken.entries()) {
        if (!actions.includes(action)) yield { path, at: ['books', 'events', i, 'at', j], code: 'unknown-transition', message: `"${action}" is no transition${didYouMean(action, actions)}` }
      }
      const at = ['books', 'events', i, 'event']
      const posting = Object.hasOwn(postings, event) ? postings[event] : undefined
      if (posting === undefined) yield { path, at, code: 'unknown-event', message: `"${event}" is no event of a posting file${didYouMean(event, Object.keys(postings))}` }
      else yield* amounts(resolved.metadata.entities, value.entity, posting, (message) => ({ path, at, code: 'unknown-amount', message }))
    }
    const says = value.books?.events !== undefined
    const posts = transitionsOf(value).some(({ effects = [] }) => effects.includes('post'))
    if (posts && !says) yield { path, at: ['books'], code: 'missing-key', message: 'the effect "post" books what `books.events` says, which is not there' }
  }
}

function* amounts(entities: World['resolved']['metadata']['entities'], entity: string, { event, lines, amounts: taken = {}, zero = [] }: ResolvedPosting, report: (message: string) => Report): Iterable<Report> {
  const header = entities[entity]
  const keys = new Set(lines.map(({ amount }) => amount))
  for (const name of zero) {
    const [column = '', of] = name.split('.').toReversed()
    const from = of === undefined ? header : entities[header?.lines.find((line) => line.name === of)?.entity ?? '']
    if (from?.fields.some((field) => field.name === column) !== true) yield report(`${entity} has no "${name}" that could be zero`)
  }
  for (const key of keys) if (!Object.hasOwn(taken, key)) yield report(`${event} does not say where its amount "${key}" comes from`)
  for (const [key, { of, each, account, stock, item }] of Object.entries(taken)) {
    if (!keys.has(key)) yield report(`no line of ${event} takes the amount "${key}"${didYouMean(key, keys)}`)
    const line = each === undefined ? undefined : header?.lines.find(({ name }) => name === each)
    if (each !== undefined && line === undefined) {
      yield report(`${entity} has no lines "${each}"${didYouMean(each, header?.lines.map(({ name }) => name) ?? [])}`)
      continue
    }
    const from = line === undefined ? header : entities[line.entity]
    for (const name of [of, account, item]) {
      const [column = '', beyond] = (name ?? 'id').split('.')
      const field = from?.fields.find((candidate) => candidate.name === column)
      if (field === undefined) yield report(`${from?.id ?? entity} has no field "${column}"${didYouMean(column, from?.fields.map((candidate) => candidate.name) ?? [])}`)
      else if (beyond !== undefined && entities[field.entity ?? '']?.fields.every((candidate) => candidate.name !== beyond) !== false) yield report(`${field.entity ?? column} has no field "${beyond}"`)
    }
    if (account === undefined && stock === undefined && lines.some((rule) => rule.amount === key && !/^\d+$/.test(rule.account))) yield report(`${event} says no account for its amount "${key}"`)
  }
}

/** Rules are asked at transitions the document has: those of a line at those of its header. */
function* rules({ sources }: World): Iterable<Report> {
  const actions = new Map(sources.workflow.map(({ value }) => [value.entity, transitionsOf(value).map(({ action }) => action)]))
  for (const { path, value } of sources.entity) {
    const known = actions.get(value.parent ?? value.id) ?? []
    for (const [i, rule] of (value.rules ?? []).entries()) {
      if ('must' in rule && rule.when !== undefined && rule.at === undefined) yield { path, at: ['rules', i, 'when'], onKey: true, code: 'missing-key', message: 'a rule of every save has no `when`: say `at` which transitions it is asked' }
      for (const [j, action] of ('must' in rule ? (rule.at ?? []) : []).entries()) {
        if (!known.includes(action)) yield { path, at: ['rules', i, 'at', j], code: 'unknown-transition', message: `"${action}" is no transition${didYouMean(action, known)}` }
      }
    }
  }
}

/** What is settled is called as allocations are. */
function* settlements({ sources, resolved }: World): Iterable<Report> {
  const kinds = resolved.metadata.entities['ar_allocation']?.fields.find(({ name }) => name === 'source_type')?.choices?.map(({ value }) => String(value)) ?? []
  for (const { path, value } of sources.workflow) {
    for (const [i, { as, with: sources = [] }] of (value.settles ?? []).entries()) {
      if ((as === undefined) === (sources.length === 0)) yield { path, at: ['settles', i], code: 'shape', message: 'it says either `as`, what the document itself settles as, or `with`, what it settles with' }
      for (const [at, kind] of [[['as'], as], ...sources.map((source, j) => [['with', j, 'as'], source.as] as const)] as const) {
        if (kind !== undefined && !kinds.includes(kind)) yield { path, at: ['settles', i, ...at], code: 'unknown-value', message: `no allocation is called "${kind}"${didYouMean(kind, kinds)}` }
      }
    }
  }
}

/** What moves comes from a warehouse or goes into one, named by the line or the document; what only comes in has a cost. */
function* goods({ sources, resolved: { metadata: { entities } } }: World): Iterable<Report> {
  for (const { path, value } of sources.workflow) {
    for (const [i, { lines, from, to, cost }] of (value.moves ?? []).entries()) {
      if (from === undefined && to === undefined) yield { path, at: ['moves', i], code: 'shape', message: 'it says `from`, `to` or both' }
      if (from === undefined && cost === undefined) yield { path, at: ['moves', i], code: 'missing-key', message: 'what only comes in says its `cost`' }
      const header = entities[value.entity]
      const columns = [header, entities[header?.lines.find(({ name }) => name === lines)?.entity ?? '']].flatMap((entity) => entity?.fields ?? [])
      for (const [key, name] of Object.entries({ from, to })) {
        const warehouses = columns.filter(({ entity }) => entity === 'warehouse').map((field) => field.name)
        if (name !== undefined && !warehouses.includes(name)) yield { path, at: ['moves', i, key], code: 'unknown-field', message: `neither the lines nor the document has a warehouse "${name}"${didYouMean(name, warehouses)}` }
      }
    }
  }
}
