import { beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '#base/date.ts'
import { exact } from '#base/decimal.ts'
import { metadata } from '#generated/metadata.ts'
import type { DatasetSource } from '#generated/language.ts'
import { labelsOf } from '#meta/labels.ts'
import { resolveBy, resolveDataset } from '#meta/resolveDataset.ts'
import type { ResolvedDataset } from '#meta/resolved.ts'
import type { User } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { flowLinks } from '#server/documents/flowLinks.ts'
import { noFileStore } from '#server/files/fileStore.ts'
import { MailRoom } from '#server/mail/mailRoom.ts'
import { limited, parametersOf, sourceOf, type Query } from '#server/reports/datasetQuery.ts'
import { summarise, type SummaryShape } from '#server/reports/runSummary.ts'
import type { Services } from '#server/services.ts'
import { testApp, type Session } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'
import { idByCode } from '../support/company.ts'

const demo = await testApp({ template: demoTemplate })
const today = demo.clock.today()
const services: Services = {
  database: demo.database, clock: demo.clock, metadata, hooks: {}, flow: flowLinks, preconditions: {}, effects: {}, commands: {}, files: noFileStore, log: () => undefined,
  mail: new MailRoom({ database: demo.database, clock: demo.clock, log: () => undefined }), later: () => undefined,
}
const everybody: User = { id: 1, name: 'All', email: 'all@arus.example', roleId: 1, roleCode: 'ADMIN', guards: new Set(), menu: new Set(), territories: 'all', operatingUnits: 'all' }
const datasets = Object.values(metadata.datasets)
const byName = (id: string): ResolvedDataset => metadata.datasets[id] ?? expect.fail(`no dataset ${id}`)
let clerk: User
let admin: Session
beforeAll(async () => {
  admin = await demo.signIn('admin')
  const unit = await idByCode(demo.database, 'operating_unit', 'JKT')
  const [territory] = await demo.database.rows<{ id: number }>(sql`select territory_id as id from customer where operating_unit_id = ${unit} group by 1 order by count(*) desc limit 1`)
  clerk = { ...everybody, territories: [territory?.id ?? 0], operatingUnits: [unit] }
})

/** Every way to ask: each choice of each parameter, over all days there are. */
function questions({ parameters, time }: ResolvedDataset): readonly Query[] {
  return parameters.reduce<readonly Query[]>((before, { name, type, choices, default: preset, required }) => {
    const first = name === time.from || /_?from$/.test(name)
    if (type === 'date') return before.map((query) => ({ ...query, [name]: first ? '2000-01-01' : today }))
    if (choices !== undefined) return before.flatMap((query) => choices.map(({ value }) => ({ ...query, [name]: String(value) })))
    if (type === 'boolean') return before.flatMap((query) => ['true', 'false'].map((value) => ({ ...query, [name]: value })))
    return required && preset === undefined ? expect.fail(`how is ${name} asked for?`) : before
  }, [{}])
}

const boundTo = (dataset: ResolvedDataset, query: Query) => parametersOf(services, everybody, { parameters: [] }, dataset, query)

interface Grain {
  readonly rows: number
  readonly keys: number
}

async function grainOf(dataset: ResolvedDataset, query: Query): Promise<Grain> {
  const source = sourceOf({ services, dataset, user: everybody }, boundTo(dataset, query))
  const found = await limited(services, dataset, (queries) =>
    queries.first<{ rows: number; keys: number }>(sql`select count(*)::int as rows, count(distinct jsonb_build_array(${join(dataset.key.map(ident))}))::int as keys from (${source}) d`))
  return found ?? { rows: 0, keys: 0 }
}

describe('the grain a dataset declares', () => {
  it.each(datasets.map((dataset) => [dataset.id, dataset] as const))('%s has one row for each value of its key, however it is asked', async (id, dataset) => {
    let rows = 0
    for (const query of questions(dataset)) {
      const grain = await grainOf(dataset, query)
      expect({ id, query, ...grain }).toEqual({ id, query, rows: grain.keys, keys: grain.keys })
      rows += grain.rows
    }
    expect(rows, 'an empty dataset proves nothing').toBeGreaterThan(0)
  }, 60_000)

  it.each([
    ['a join that repeats a row for each line', (dataset: ResolvedDataset): ResolvedDataset => ({ ...dataset, sql: `select d.* from (${dataset.sql}) d join invoice_line more on more.invoice_id = d.invoice_id` })],
    ['a key that is too short', (dataset: ResolvedDataset): ResolvedDataset => ({ ...dataset, key: ['invoice_id'] })],
    ['a key of another thing', (dataset: ResolvedDataset): ResolvedDataset => ({ ...dataset, key: ['customer_code'] })],
  ])('is refuted by %s', async (_, planted) => {
    const dataset = planted(byName('zdr_bill'))
    const { rows, keys } = await grainOf(dataset, questions(dataset)[0] ?? {})
    expect(rows).toBeGreaterThan(keys)
  })
})

describe('the scope of a dataset', () => {
  it.each(datasets.map((dataset) => [dataset.id, dataset] as const))('%s shows a user of one unit and territory nothing of another', async (id, dataset) => {
    const asked = questions(dataset)
    const answered = await Promise.all(asked.map(async (one) => (await grainOf(dataset, one)).rows > 0))
    const query = asked[answered.indexOf(true)] ?? {}
    const columns = dataset.dimensions.filter(({ entity }) => entity === 'operating_unit' || entity === 'territory')
    expect(columns.length, `${id} says of no row whose it is`).toBeGreaterThan(0)
    for (const { name, entity } of columns) {
      const values = async (user: User): Promise<readonly unknown[]> =>
        (await demo.database.rows<{ v: unknown }>(sql`select distinct ${ident(name)} as v from (${sourceOf({ services, dataset, user }, boundTo(dataset, query))}) d where ${ident(name)} is not null`)).map(({ v }) => v)
      const allowed = entity === 'territory' ? clerk.territories : clerk.operatingUnits
      const seen = await values(clerk)
      expect({ id, name, strangers: seen.filter((value) => !allowed.includes(value as never)) }).toEqual({ id, name, strangers: [] })
      expect((await values(everybody)).length, `${id} has one ${name} only, so nothing is proved`).toBeGreaterThan(seen.length)
    }
  }, 60_000)
})

describe('a dataset only reads', () => {
  it('and is refused by the database when its SQL writes', async () => {
    const writing = { ...byName('stock_territory'), parameters: [], sql: "select nextval(pg_get_serial_sequence('item', 'id')) as item_id, 1 as on_hand, 1 as issued_per_day, 1 as operating_unit_id from warehouse w where :scope" }
    const source = sourceOf({ services, dataset: writing, user: everybody }, new Map())
    await expect(limited(services, writing, (queries) => queries.rows(source))).rejects.toThrow(/read-only/)
  })
})

/** Every measure of a dataset over all its rows, as decimal text. */
async function totalsOf(dataset: ResolvedDataset, query: Query, measures = dataset.measures): Promise<ReadonlyMap<string, string>> {
  const answer = await summarise({ services, user: everybody, dataset, parameters: boundTo(dataset, query), query: {} }, { rows: [], measures, order: [], length: 1, offset: 0 })
  // Each currency is a whole of its own.
  return new Map(answer.totals.flatMap(({ currency, cells }) => measures.map(({ name }, i): [string, string] => [`${name} ${currency ?? ''}`, cells[0]?.values[i] ?? '0'])))
}

/** Measures said to add up over days that do not: the whole is not the sum of two halves. */
async function liesOver(dataset: ResolvedDataset, measures = dataset.measures.filter(({ agg }) => agg.kind === 'sum')): Promise<readonly string[]> {
  const { from = '', to = '' } = dataset.time
  const [first, middle] = [addDays(today, -240), addDays(today, -90)]
  const lies = new Set<string>()
  for (const query of questions(dataset)) {
    // Open items are those of a day, whatever the period.
    if (dataset.id === 'fbl5n' && query['item_status'] === 'OPEN') continue
    const over = (start: string, end: string): Promise<ReadonlyMap<string, string>> => totalsOf(dataset, { ...query, [from]: start, [to]: end }, measures)
    const [whole, early, late] = [await over(first, today), await over(first, middle), await over(addDays(middle, 1), today)]
    for (const [key, value] of whole) {
      if (!exact(early.get(key) ?? '0').plus(late.get(key) ?? '0').eq(value)) lies.add(key.split(' ')[0] ?? '')
    }
  }
  return [...lies]
}

describe('what may be added up', () => {
  const periods = datasets.filter(({ time }) => time.from !== undefined && time.to !== undefined)
  const declared = (id: string, measure: string) => sourcesById.get(id)?.measures?.[measure]?.adds
  const sourcesById = new Map<string, DatasetSource>()
  beforeAll(async () => {
    const { readSchemaFiles, sourcesOf } = await import('../../scripts/schemas/readSources.ts')
    for (const { value } of sourcesOf(readSchemaFiles()).sources.dataset) sourcesById.set(value.id, value)
  })

  it.each(periods.map((dataset) => [dataset.id, dataset] as const))('%s: two halves of a period come to the whole, for what "always" adds up', async (id, dataset) => {
    const always = dataset.measures.filter(({ name }) => declared(id, name) === 'always')
    expect(always.length === 0 ? [] : await liesOver(dataset, always)).toEqual([])
  }, 60_000)

  it('would find a balance that is said to add up always', async () => {
    expect(await liesOver(byName('monitoring_coa'))).toContain('subledger')
  }, 60_000)
})

describe('documents beside the ledger', () => {
  const kinds = ['BANK_CLEARING', 'GIRO', 'UNIDENTIFIED', 'CIT_FIELD']
  const accounts = async (user: User, day = today) => {
    const dataset = byName('monitoring_coa')
    const source = sourceOf({ services, dataset, user }, boundTo(dataset, { date_from: '2000-01-01', date_to: day }))
    return limited(services, dataset, (queries) =>
      queries.rows<{ code: string; kind: string | null; unit: string; closing: string; subledger: string | null; difference: string | null }>(
        sql`select account_code as code, control_kind as kind, operating_unit_code as unit, closing, subledger, difference from (${source}) d order by 1, 3`))
  }

  it('stand beside every account of money on its way', async () => {
    const rows = await accounts(everybody)
    for (const kind of kinds) expect(rows.filter((row) => row.kind === kind && Number(row.closing) !== 0 && row.subledger === null), kind).toEqual([])
    expect(rows.filter((row) => kinds.includes(row.kind ?? '') && row.subledger !== null && Number(row.closing) !== 0).length).toBeGreaterThan(0)
    expect(rows.filter(({ difference }) => Number(difference ?? '0') !== 0)).toEqual([])
  })

  it('agree with it for whoever sees some territories only, also where a customer has moved', async () => {
    const territories = await demo.database.rows<{ id: number; unit: number }>(sql`select id, operating_unit_id as unit from territory order by id`)
    // Paid in cash after the customer had gone over to the next territory.
    const moved = await demo.database.first<{ id: number; to: number }>(sql`
      select p.id, (select min(t.id) from territory t where t.operating_unit_id = p.operating_unit_id and t.id <> p.territory_id) as to
      from ar_payment p where p.method = 'CASH' and p.status = 1 and p.allocated > 0 and p.credit_used = 0 and p.posting_date < ${addDays(today, -50)}::date order by p.id limit 1`)
    await demo.database.run(sql`update ar_payment set territory_id = ${moved?.to} where id = ${moved?.id}`)
    await demo.database.run(sql`alter table journal_line disable trigger user`)
    await demo.database.run(sql`update journal_line l set territory_id = ${moved?.to} from journal j where j.id = l.journal_id and j.source_doc_type = 'ar_payment' and j.source_doc_id = ${moved?.id}`)
    await demo.database.run(sql`alter table journal_line enable trigger user`)
    for (const { id, unit } of territories) {
      const one: User = { ...everybody, territories: [id], operatingUnits: [unit] }
      for (const day of [today, addDays(today, -45)]) {
        const rows = await accounts(one, day)
        expect([id, day, rows.filter(({ difference }) => Number(difference ?? '0') !== 0)]).toEqual([id, day, []])
        expect(rows.filter(({ subledger }) => subledger !== null && Number(subledger) !== 0).length).toBeGreaterThan(3)
      }
    }
  }, 120_000)
})

describe('a balance', () => {
  const balances: DatasetSource = {
    kind: 'dataset', id: 'balances', grain: 'One account and day', key: ['account', 'day'], guard: 'none', scope: { operating_unit: 'unit' },
    dimensions: { account: { type: 'code' }, day: { type: 'date' } },
    measures: { held: { type: 'money', adds: { within: 'day' } }, moved: { type: 'money', adds: 'always' }, rate: { type: 'rate', adds: 'never' } },
  }
  const rows = "select * from (values ('A', date '2026-01-30', 100, 5, 2), ('B', date '2026-01-30', 50, 1, 2), ('A', date '2026-01-31', 70, -30, 3), ('B', date '2026-01-31', 60, 10, 3)) v (account, day, held, moved, rate) where :scope"
  const dataset = resolveDataset({ path: 'balances.dataset.json', value: balances }, { 'balances.dataset.json': rows }, labelsOf({}))
  const [held, moved] = dataset.measures
  const ask = (shape: Partial<SummaryShape>, query: Query = {}) =>
    summarise({ services, user: everybody, dataset, parameters: new Map(), query }, { rows: [], measures: [held, moved].flatMap((measure) => measure ?? []), order: [], length: 10, offset: 0, ...shape })
  const shown = (rows_: readonly { readonly keys: readonly unknown[]; readonly cells: readonly { readonly values: readonly (string | null)[] }[] }[]) => rows_.map(({ keys, cells }) => [...keys, ...cells.map(({ values }) => values[0])])

  it('is added up over accounts on each day, and over days not at all', async () => {
    const byDay = await ask({ rows: [resolveBy(dataset, 'day')] })
    expect(shown(byDay.rows)).toEqual([['2026-01-30', '150.00'], ['2026-01-31', '130.00']])
    expect(byDay.totals[0]?.cells[0]?.values).toEqual([null, '-14.00'])
  })

  it('has no sub-total where days are mixed, and one where they are not', async () => {
    const byAccount = await ask({ rows: [resolveBy(dataset, 'account'), resolveBy(dataset, 'day')] })
    expect(shown(byAccount.subtotals)).toEqual([['A', null], ['B', null]])
    const byMonth = await ask({ rows: [resolveBy(dataset, { field: 'day', grain: 'month' }), resolveBy(dataset, 'account')] })
    expect(shown(byMonth.subtotals)).toEqual([['2026-01', null]])
  })

  it('stands under each day across, and not in the column over all of them', async () => {
    const pivot = await ask({ rows: [resolveBy(dataset, 'account')], across: resolveBy(dataset, 'day') })
    expect(shown(pivot.rows)).toEqual([['A', null, '100.00', '70.00'], ['B', null, '50.00', '60.00']])
    expect(shown(pivot.totals)).toEqual([[null, '150.00', '130.00']])
  })

  it('has a total once a filter leaves one day', async () => {
    const one = await ask({ rows: [resolveBy(dataset, 'account')] }, { filter: JSON.stringify({ day: '2026-01-31' }) })
    expect(one.totals[0]?.cells[0]?.values[0]).toBe('130.00')
  })
})

describe('what may never be added up', () => {
  it('is refused for groups, and has no total among the rows', async () => {
    const span = { date_from: addDays(today, -30), date_to: today }
    const refused = await admin.get('/api/v1/report/zdr-bill.report/summary', { ...span, group: 'brand_name', measures: 'qty' })
    expect([refused.status, refused.code]).toEqual([422, 'VALIDATION_FAILED'])
    const rows = await admin.get('/api/v1/report/zdr-bill.report', { ...span, in_books: true, length: 1 })
    expect(rows.status).toBe(200)
    expect(Object.keys(rows.data.totals)).not.toContain('qty')
    expect(Object.keys(rows.data.totals)).toContain('dpp')
  })
})
