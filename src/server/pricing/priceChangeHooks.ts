import { dayText, isDate } from '#base/date.ts'
import { wireName } from '#base/wireName.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Command, CommandContext, Queries, Row } from '#server/context.ts'
import { columnsOf, isRow, wired } from '#server/documents/bodyColumns.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'
import { ident, sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { comparedColumns, comparePrices, factsOf, isPriceKind, lineOf, liveRows, setColumn, tally, type ChangeFacts } from './comparePrices.ts'

const scopeColumns = {
  OU: 'scope_unit_id', TERRITORY: 'scope_territory_id', CHANNEL: 'scope_channel_id', GROUP: 'scope_group_id', CUSTOMER: 'scope_customer_id',
} as const satisfies Record<string, string>

/** Column of the header that says whose the set is; null for everybody. */
export function scopeColumn(kind: unknown): string | null {
  return Object.entries(scopeColumns).find(([scope]) => scope === kind)?.[1] ?? null
}

/** Scopes each front offers; the others take any. */
const frontScopes: Readonly<Record<string, readonly string[]>> = { V1: ['BASE', 'OU', 'TERRITORY'], SRC: ['CHANNEL'], V2: ['CUSTOMER', 'GROUP', 'CHANNEL'] }

/** Kind, front and completeness of a change are settled when it is begun; old values and counts are the server's. */
export const priceChangeHooks: DocumentHooks = {
  computed: [
    'operating_unit_id', 'territory_id', 'posting_date', 'currency', 'rate', 'added_count', 'changed_count', 'ended_count', 'largest_pct', 'old_set_name', 'old_set_valid_to', 'lines.effect',
    'lines.old_value', 'lines.change_pct', 'lines.old_floor', 'lines.old_valid_from', 'lines.live_id',
  ],

  async beforeSave(saving) {
    const { header, before, context } = saving
    for (const column of ['kind', 'scheme', 'is_partial']) if (before !== undefined) header[column] = before[column]
    const stand: Row = { ...before, ...header }
    const facts = factsOf(stand)
    if (facts === null) {
      header['operating_unit_id'] = before?.['operating_unit_id'] ?? (await homeUnit(context))
      return
    }
    if (facts.from < context.today) saving.problem(wrong('EffectiveFrom', 'TOO_EARLY.today', { day: dayText(context.today) }))
    await aboutSet(saving, facts, stand)
    await atHome(saving)
    await compareLines(saving, facts)
  },
}

/** Compares as typed; a change of the whole set without lines is answered with the rows there are. Nothing is saved. */
export const comparePricesCommand: Command = async (context, { body }) => {
  const header = columnsOf(context, 'price_change', body)
  const facts = factsOf(header)
  const typed = body['Lines'] ?? []
  if (!Array.isArray(typed)) return invalid([wrong('Lines', 'WRONG_TYPE.lines')])
  await assertInSight(context, header)
  const sent = typed.filter(isRow)
  if (facts === null) return { record: { Lines: sent }, errors: [] }
  if (sent.length === 0 && !facts.isPartial) {
    const rows = (await liveRows(context.tx, facts, [])).filter((row) => row.valid_from <= facts.from)
    const compared = await comparePrices(context.tx, facts, rows.map((row) => lineOf(row, 'SET')))
    return { record: { ...wired(tally(compared.lines)), Lines: await named(context.tx, compared.lines.map((line) => ({ ...line.line, ...comparedColumns(line) }))) }, errors: [] }
  }
  const lines = sent.map((line) => ({ action: 'SET', ...columnsOf(context, 'price_change_line', line) }))
  const { lines: compared, untouched, problems } = await comparePrices(context.tx, facts, lines)
  const counts = tally(compared)
  const record = { ...counts, ended_count: counts.ended_count + (facts.isPartial ? 0 : untouched.length) }
  return { record: { ...wired(record), Lines: compared.map((line, i) => ({ ...sent[i], ...wired(comparedColumns(line)) })) }, errors: problems.filter(({ code }) => code !== 'REQUIRED') }
}

/** Prices of a set are told to whoever sees the set. */
async function assertInSight({ tx, metadata, user }: CommandContext, header: Row): Promise<void> {
  for (const [name, field] of [['price_set', 'PriceSetID'], ['discount_set', 'DiscountSetID']] as const) {
    const id = header[`${name}_id`]
    const scope = scopeCondition(metadata, user, knownEntity(metadata, name), 't')
    if (typeof id !== 'number' || scope === undefined) continue
    if ((await tx.first(sql`select 1 from ${ident(name)} t where t.id = ${id} and ${scope}`)) === undefined) invalid([wrong(field, 'NOT_IN_SCOPE')])
  }
}

/** Lines by wire name, with code and name of what they refer to. */
async function named(tx: Queries, lines: readonly Row[]): Promise<readonly Row[]> {
  const known = async (table: 'item' | 'brand' | 'item_category' | 'business_partner', column: string): Promise<ReadonlyMap<number, { readonly code: string; readonly name: string }>> => {
    const ids = [...new Set(lines.flatMap((line) => (typeof line[column] === 'number' ? [line[column]] : [])))]
    if (ids.length === 0) return new Map()
    const from = { item: sql`item`, brand: sql`brand`, item_category: sql`item_category`, business_partner: sql`business_partner` }[table]
    const rows = await tx.rows<{ id: number; code: string; name: string }>(sql`select id, code, name from ${from} where id = any(${ids}::bigint[])`)
    return new Map(rows.map((row) => [row.id, row]))
  }
  const references = [
    ['item_id', 'Item', await known('item', 'item_id')], ['brand_id', 'Brand', await known('brand', 'brand_id')], ['category_id', 'Category', await known('item_category', 'category_id')],
    ['principal_id', 'Principal', await known('business_partner', 'principal_id')],
  ] as const
  return lines.map((line) => {
    const row = wired(line)
    for (const [column, prefix, rows] of references) {
      const found = typeof line[column] === 'number' ? rows.get(line[column]) : undefined
      if (found !== undefined) Object.assign(row, { [`${prefix}Code`]: found.code, [`${prefix}Name`]: found.name })
    }
    return row
  })
}

/** Unit and territory are those of whom the change is about, so that it is decided there; of everybody's prices it is numbered under the user's unit. A number drawn stays with its unit. */
async function atHome({ context, header, before }: Saving): Promise<void> {
  const stand: Row = { ...before, ...header }
  const about = await context.tx.first<{ unit: number | null; territory: number | null }>(sql`
    select coalesce(c.operating_unit_id, t.operating_unit_id, u.id) as unit, coalesce(c.territory_id, t.id) as territory
    from (select ${stand['scope_customer_id'] ?? null}::bigint as customer, ${stand['scope_territory_id'] ?? null}::bigint as territory, ${stand['scope_unit_id'] ?? null}::bigint as unit) s
    left join customer c on c.id = s.customer left join territory t on t.id = s.territory left join operating_unit u on u.id = s.unit`)
  header['territory_id'] = about?.territory ?? null
  header['operating_unit_id'] = before !== undefined && before['code'] !== null ? before['operating_unit_id'] : (about?.unit ?? before?.['operating_unit_id'] ?? (await homeUnit(context)))
}

/** The unit of the user, else the first one. */
export async function homeUnit({ tx, user }: CommandContext): Promise<number> {
  const unit = await tx.first<{ id: number }>(sql`
    select coalesce((select operating_unit_id from app_user where id = ${user.id}), (select id from operating_unit where is_active order by id limit 1)) as id`)
  if (unit === undefined) throw new Error('There is no operating unit')
  return unit.id
}

interface SetRow extends Row {
  readonly code: string
  readonly name: string
  readonly scope_kind: string
  readonly ref_id: number | null
  readonly tax_included: boolean
  readonly valid_to: string | null
}

/** The set a change is about: an existing one keeps whose it is, a new one must not stand beside another of the same. */
async function aboutSet({ context, header, problem }: Saving, facts: ChangeFacts, stand: Row): Promise<void> {
  const column = setColumn(facts.kind)
  const isHeader = facts.kind === 'PRICE_SET' || facts.kind === 'DISCOUNT_SET'
  if (facts.setId !== null) {
    const set = await context.tx.first<SetRow>(
      column === 'price_set_id'
        ? sql`select code, name, scope_kind, ref_id, tax_included, valid_to from price_set where id = ${facts.setId}`
        : sql`select code, name, scope_kind, ref_id, false as tax_included, valid_to from discount_set where id = ${facts.setId}`,
    )
    if (set === undefined) return
    const named = scopeColumn(set.scope_kind)
    Object.assign(header, { set_code: set.code, scope_kind: set.scope_kind, tax_included: set.tax_included, old_set_name: set.name, old_set_valid_to: set.valid_to })
    for (const scope of Object.values(scopeColumns)) header[scope] = scope === named ? set.ref_id : null
    if (!isHeader) Object.assign(header, { set_name: set.name, set_valid_to: set.valid_to })
    else header['set_name'] = stand['set_name'] ?? set.name
    const end = header['set_valid_to'] ?? stand['set_valid_to']
    if (isHeader && isDate(end) && end < facts.from && end !== set.valid_to) problem(wrong('SetValidTo', 'TOO_EARLY.effective', { day: dayText(facts.from) }))
    return
  }
  if (!isHeader) return problem(wrong(wireName(column), 'REQUIRED'))
  for (const required of ['set_code', 'set_name', 'scope_kind']) if (stand[required] == null || stand[required] === '') problem(wrong(wireName(required), 'REQUIRED'))
  const named = scopeColumn(stand['scope_kind'])
  for (const scope of Object.values(scopeColumns)) if (scope !== named) header[scope] = null
  if (named !== null && stand[named] == null) problem(wrong(wireName(named), 'REQUIRED'))
  const offered = frontScopes[String(stand['scheme'])]
  if (offered !== undefined && stand['scope_kind'] != null && !offered.includes(String(stand['scope_kind']))) problem(wrong('ScopeKind', 'NOT_A_CHOICE', { choices: [...offered] }))
  await besideOthers(context.tx, stand, facts, problem)
}

/** Another set of the same code, or of the same scope at the same time. */
export async function besideOthers(tx: Queries, stand: Row, facts: ChangeFacts, problem: Saving['problem']): Promise<void> {
  const named = scopeColumn(stand['scope_kind'])
  const refId = named === null ? null : (stand[named] ?? null)
  const end = stand['set_valid_to'] ?? null
  const isPrice = isPriceKind(facts.kind)
  const table = isPrice ? sql`price_set` : sql`discount_set`
  const isLive = isPrice ? sql`status = 1 and is_active` : sql`is_active`
  const other = await tx.first<{ code: string; valid_from: string; valid_to: string | null; is_same: boolean }>(sql`
    select code, valid_from, valid_to, code = ${stand['set_code'] ?? ''} as is_same from ${table}
    where id is distinct from ${facts.setId}::bigint and (code = ${stand['set_code'] ?? ''}
      or (${isLive} and scope_kind = ${stand['scope_kind'] ?? ''} and (ref_id = ${refId}::bigint or (${refId}::bigint is null and scope_kind = 'BASE'))
        and daterange(valid_from, valid_to, '[]') && daterange(${facts.from}::date, greatest(${end}::date, ${facts.from}::date), '[]')))
    order by 4 desc, id limit 1`)
  if (other === undefined) return
  if (other.is_same) problem(wrong('SetCode', 'DUPLICATE'))
  else problem(wrong('ScopeKind', 'OVERLAPS.set', { set: other.code, from: dayText(other.valid_from), to: other.valid_to === null ? '…' : dayText(other.valid_to) }))
}

/** Fills in what each line replaces, and for the whole set the rows the lines leave out: they end. */
async function compareLines({ context, before, header, lines, problem }: Saving, facts: ChangeFacts): Promise<void> {
  const typed = lines?.['Lines']
  if (typed === undefined) return
  const stored = before === undefined ? new Map<number, Row>() : new Map((await context.tx.rows(sql`select * from price_change_line where price_change_id = ${before.id}`)).map((row) => [Number(row['id']), row]))
  const whole = typed.map((line) => ({ ...(line.id === undefined ? { action: 'SET' } : stored.get(line.id)), ...line.columns }))
  if (whole.length === 0 && !facts.isPartial) {
    const rows = (await liveRows(context.tx, facts, [])).filter((row) => row.valid_from <= facts.from)
    for (const row of rows) {
      typed.push({ id: undefined, columns: lineOf(row, 'SET'), extra: {} })
      whole.push(lineOf(row, 'SET'))
    }
  }
  const { lines: compared, untouched, problems } = await comparePrices(context.tx, facts, whole)
  for (const one of problems) problem(one)
  compared.forEach((line, i) => Object.assign(typed[i]?.columns ?? {}, comparedColumns(line)))
  const left = facts.isPartial ? [] : untouched.map((row) => ({ line: lineOf(row, 'END'), live: row, effect: 'ENDED' as const, changePct: null }))
  for (const line of left) typed.push({ id: undefined, columns: { ...line.line, ...comparedColumns(line) }, extra: {} })
  Object.assign(header, tally([...compared, ...left]))
}
