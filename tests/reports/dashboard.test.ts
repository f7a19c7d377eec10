import { beforeAll, describe, expect, it } from 'vitest'
import { exact, money } from '#base/decimal.ts'
import { metadata } from '#generated/metadata.ts'
import type { Amount, FigureAnswer, TileAnswer, TileView } from '#api/dashboard.ts'
import { isAllowed } from '#api/menuAccess.ts'
import type { ReportAnswer, SummaryAnswer } from '#api/report.ts'
import type { MenuAnswer } from '#api/session.ts'
import { readLayout, readParameters, questionOf } from '#client/pages/reportState.ts'
import { conditionOf } from '#api/listQuery.ts'
import { readState } from '#api/listState.ts'
import { permitted, type Holds } from '#meta/permitted.ts'
import type { DashboardScreen, ListScreen, ReportScreen, Tile } from '#meta/resolved.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'

const demo = await testApp({ template: demoTemplate })
const today = demo.clock.today()
const dashboards = Object.values(metadata.screens).flatMap((screen) => (screen.kind === 'dashboard' ? [screen] : []))
const everybody = ['admin', 'director', 'sales', 'sales.bdg', 'warehouse', 'billing', 'cashier', 'finance', 'credit', 'analyst'] as const
let sessions: ReadonlyMap<string, Session>

beforeAll(async () => {
  const people = await Promise.all(everybody.map(async (name): Promise<readonly [string, Session] | undefined> => demo.signIn(name).then((session) => [name, session] as const).catch(() => undefined)))
  sessions = new Map(people.filter((person) => person !== undefined))
})

function as(name: string): Session {
  const session = sessions.get(name)
  if (session === undefined) throw new Error(`${name} is not signed in`)
  return session
}

async function ask<T>(session: Session, path: string, query: Readonly<Record<string, string | number>> = {}): Promise<T> {
  const answer = await session.get(path, query)
  expect([path, answer.status, answer.message]).toEqual([path, 200, answer.message])
  return answer.data
}

const tilesOf = async (session: Session, screen: DashboardScreen): Promise<readonly TileView[]> => (await ask<{ tiles: readonly TileView[] }>(session, `/api/v1/dashboard/${screen.id}`)).tiles

/** What somebody sees who follows a link: the screen behind it and what that asks the server, by the client's own reading of the address. */
interface Followed {
  readonly screen: ReportScreen | ListScreen
  readonly path: string
  readonly query: Readonly<Record<string, string | number>>
  readonly isSummary: boolean
}

/** The permissions of whoever is signed in. */
const permissions = new WeakMap<Session, Promise<ReadonlySet<string>>>()
function guardsOf(session: Session): Promise<ReadonlySet<string>> {
  const known = permissions.get(session) ?? ask<{ records: readonly { GuardName: string }[] }>(session, '/api/v1/permission', { source: 'OMS' }).then(({ records }) => new Set(records.map(({ GuardName }) => GuardName)))
  permissions.set(session, known)
  return known
}

function follow(link: string, holds: Holds): Followed {
  const [path = '', text = ''] = link.split('?')
  const query = new URLSearchParams(text)
  const route = metadata.routes.find((candidate) => candidate.path === path)
  const opened = metadata.screens[route?.screen ?? '']
  const tab = opened?.kind === 'workbench' ? (opened.tabs.find(({ id }) => id === query.get('tab')) ?? opened.tabs[0]) : undefined
  const screen = permitted(tab === undefined ? opened : metadata.screens[tab.screen], holds)
  if (screen?.kind === 'report') {
    const parameters = { ...readParameters(screen, query), ...todaysOwn(screen, query) }
    const { query: asked, isSummary } = questionOf(screen, parameters, readState(query), readLayout(screen, query), 5000)
    return { screen, path: `/api/v1/report/${screen.id}${isSummary ? '/summary' : ''}`, query: asked, isSummary }
  }
  if (screen?.kind !== 'list') throw new Error(`${link} leads to no report and no list`)
  const where = conditionOf(screen, readState(query), {})
  const totals = screen.columns.filter((column) => column.total === 'sum').map(({ name }) => name)
  return { screen, path: `/api/v1/data/${screen.resource}`, query: { length: 1, totals: totals.join(','), ...(where === undefined ? {} : { filter: JSON.stringify(where) }) }, isSummary: false }
}

/** The browser's today is not the test's: presets that move with the day are left to the server. */
function todaysOwn(screen: ReportScreen, query: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries(screen.parameters.filter((parameter) => !query.has(parameter.name) && typeof parameter.defaultValue === 'object').map(({ name }) => [name, '']))
}

/** The totals of a measure or column where a link leads, of each currency there; undefined: how many rows. */
async function totalsBehind(session: Session, link: string, name: string | undefined): Promise<readonly (string | null)[]> {
  const guards = await guardsOf(session)
  const { path, query, isSummary } = follow(link, (guard) => guards.has(guard))
  if (isSummary) {
    const answer = await ask<SummaryAnswer>(session, path, query)
    return answer.totals.map(({ cells }) => cells[0]?.values[answer.measures.indexOf(name ?? '')] ?? null)
  }
  const { recordsTotal, totals, currencies } = await ask<ReportAnswer>(session, path, { ...query, length: 1 })
  return (currencies ?? [{ count: recordsTotal, totals }]).map((one) => (name === undefined ? String(one.count) : (one.totals[name] ?? null)))
}

async function totalBehind(session: Session, link: string, name: string | undefined): Promise<string | null> {
  return (await totalsBehind(session, link, name))[0] ?? null
}

function nameIn(figure: Extract<Tile, { readonly kind: 'kpi' }>['figure']): string | undefined {
  return figure.kind === 'report' ? figure.measure.name : figure.total?.name
}

async function checkFigure(session: Session, where: string, figure: Extract<Tile, { readonly kind: 'kpi' }>['figure'], answer: FigureAnswer): Promise<Amount> {
  const [amount] = answer.amounts
  const behind = await totalsBehind(session, answer.link, nameIn(figure))
  // Rows alone are counted in one, with an amount beside them by its currency.
  const expected = nameIn(figure) === undefined && answer.amounts.length === 1 ? [String(behind.reduce((whole, count) => whole + Number(count), 0))] : behind
  expect({ where, values: answer.amounts.map(({ value }) => value) }).toEqual({ where, values: expected })
  // Of documents in other currencies a report says what they are worth in that of the books.
  if (figure.kind === 'report' && figure.measure.type === 'money') expect({ where, currencies: answer.amounts.map(({ currency }) => currency).filter((currency) => currency !== 'IDR') }).toEqual({ where, currencies: [] })
  if (amount === undefined) throw new Error(`${where} says nothing`)
  return amount
}

async function checkTile(session: Session, screen: DashboardScreen, view: TileView): Promise<TileAnswer> {
  const guards = await guardsOf(session)
  const tile = permitted(screen, (guard) => guards.has(guard)).tiles.find(({ id }) => id === view.id)
  const answer = await ask<TileAnswer>(session, `/api/v1/dashboard/${screen.id}/${view.id}`)
  if (tile?.kind === 'kpi' && answer.kind === 'kpi') {
    const amount = await checkFigure(session, tile.id, tile.figure, answer)
    if (tile.second !== undefined) expect([tile.id, amount.second]).toEqual([tile.id, await totalBehind(session, answer.link, tile.second.name)])
  } else if (tile?.kind === 'counts' && answer.kind === 'counts') {
    for (const item of answer.items) {
      const source = tile.items.find(({ id }) => id === item.id)
      if (source !== undefined) await checkFigure(session, `${tile.id} ${item.id}`, source.figure, item)
    }
  } else if (tile?.kind === 'chart' && answer.kind === 'chart') {
    for (const [i, measure] of tile.chart.measures.entries()) {
      expect([tile.id, measure.name, answer.summary.totals[0]?.cells[0]?.values[i]]).toEqual([tile.id, measure.name, await totalBehind(session, answer.link, measure.name)])
    }
    // Measures along the axis lead each to the rows that have some of it, which are all it is the sum of.
    if (tile.chart.by === undefined) {
      for (const [i, { name }] of tile.chart.measures.entries()) {
        const place = answer.leads?.[0]?.[i]?.now
        expect([tile.id, name, answer.summary.totals[0]?.cells[0]?.values[i] ?? '0']).toEqual([tile.id, name, (place === undefined ? undefined : await totalBehind(session, place, name)) ?? '0'])
      }
    }
    const [measure] = tile.chart.measures
    for (const [i, row] of answer.summary.rows.entries()) {
      if (i % 7 !== 0 || answer.leads === undefined) continue
      expect([tile.id, row.keys, row.cells[0]?.values[0]]).toEqual([tile.id, row.keys, await totalBehind(session, answer.leads[i]?.[0]?.now ?? '', measure?.name)])
    }
  } else if (tile?.kind === 'list' && answer.kind === 'list') {
    const linked = follow(answer.link, (guard) => guards.has(guard))
    const behind = await ask<SummaryAnswer>(session, linked.path, linked.query)
    const at = tile.measures.map(({ name }) => behind.measures.indexOf(name))
    expect(answer.summary.rows.map(({ keys, cells }) => [keys[0], cells[0]?.values])).toEqual(behind.rows.slice(0, tile.top).map(({ keys, cells }) => [keys[0], at.map((place) => cells[0]?.values[place])]))
    const [first] = tile.measures
    for (const [i, row] of answer.summary.rows.slice(0, 3).entries()) {
      expect([row.keys[0], row.cells[0]?.values[0]]).toEqual([row.keys[0], await totalBehind(session, answer.rowLinks[i] ?? '', first?.name)])
    }
  } else if (answer.kind === 'approvals') {
    for (const item of answer.items) {
      const route = metadata.routes.find(({ path }) => path === item.link)
      const queue = metadata.screens[route?.screen ?? '']
      if (queue?.kind !== 'approval') throw new Error(`${item.link} is no queue`)
      const { counts, recordsTotal } = await ask<{ counts: { waiting: number }; recordsTotal: number }>(session, `/api/v1/approval/${queue.docType}/${queue.transition}`)
      expect([item.link, item.count, recordsTotal]).toEqual([item.link, counts.waiting, counts.waiting])
    }
  } else throw new Error(`The tile ${view.id} answers as a ${answer.kind}`)
  return answer
}

describe.each(dashboards.map((screen) => [screen.id, screen] as const))('%s', (_, screen) => {
  it.each(everybody)('shows %s numbers that are the totals of the places they lead to', async (name) => {
    const session = sessions.get(name)
    if (session === undefined) return
    for (const view of await tilesOf(session, screen)) await checkTile(session, screen, view)
  })

  it('has something to say to somebody for every tile', async () => {
    // What says the same less well stands in the place of a tile some do not see.
    expect((await tilesOf(as('admin'), screen)).map(({ id }) => id)).toEqual(screen.tiles.filter(({ unless }) => unless.length === 0).map(({ id }) => id))
    const seers = await Promise.all([...sessions.values()].map(async (session) => ({ session, ids: (await tilesOf(session, screen)).map(({ id }) => id) })))
    for (const { id } of screen.tiles) {
      const session = seers.find(({ ids }) => ids.includes(id))?.session
      if (session === undefined) throw new Error(`Nobody sees ${id}`)
      const answer = await ask<TileAnswer>(session, `/api/v1/dashboard/${screen.id}/${id}`)
      const values = answer.kind === 'kpi' ? answer.amounts.map(({ value }) => value) : answer.kind === 'chart' || answer.kind === 'list' ? answer.summary.totals.flatMap(({ cells }) => cells[0]?.values ?? []) : ['1']
      expect([id, values.some((value) => value !== null)]).toEqual([id, true])
    }
  })

  it('does not send a tile whose report or list the user may not open, nor its numbers', async () => {
    for (const name of sessions.keys()) {
      const session = as(name)
      const guards = await guardsOf(session)
      const { records: menu } = await ask<MenuAnswer>(session, '/api/v1/menu')
      // A permission alone opens nothing: the menu leads to the screen, or to a desk it is a tab of.
      const isReached = (id: string): boolean =>
        metadata.routes.some((route) => {
          const held = metadata.screens[route.screen ?? '']
          return isAllowed(route, menu) && (held?.id === id || (held?.kind === 'workbench' && held.tabs.some(({ screen: tab }) => tab === id)))
        })
      const opens = (id: string): boolean => guards.has(metadata.screens[id]?.guard ?? '') && isReached(id)
      const may = (tile: Tile): boolean => {
        switch (tile.kind) {
          case 'kpi':
            return opens(tile.figure.screen)
          case 'counts':
            return tile.items.some(({ figure }) => opens(figure.screen))
          case 'chart':
          case 'list':
            return opens(tile.part.screen)
          case 'approvals':
            return Object.values(metadata.screens).some((candidate) => candidate.kind === 'approval' && guards.has(candidate.guard))
        }
      }
      const shown = (await tilesOf(session, screen)).map(({ id }) => id)
      expect([name, shown]).toEqual([name, permitted(screen, (guard) => guards.has(guard)).tiles.filter((tile) => may(tile) && !screen.tiles.some((other) => tile.unless.includes(other.id) && may(other))).map(({ id }) => id)])
      for (const tile of screen.tiles) {
        if (!shown.includes(tile.id)) expect([name, tile.id, (await session.get(`/api/v1/dashboard/${screen.id}/${tile.id}`)).code]).toEqual([name, tile.id, 'NOT_FOUND'])
      }
    }
  })

  it('tells each of the people of the demo company what his own work is', async () => {
    const idsOf = async (name: string): Promise<readonly string[]> => {
      const counted = await Promise.all((await tilesOf(as(name), screen)).map(async ({ id, kind }) => {
        const answer = kind === 'counts' ? await ask<TileAnswer>(as(name), `/api/v1/dashboard/${screen.id}/${id}`) : undefined
        return [id, ...(answer?.kind === 'counts' ? answer.items.map((item) => item.id) : [])]
      }))
      return counted.flat()
    }
    const expected: Readonly<Record<string, readonly string[]>> = {
      sales: ['orders-month', 'credit-used', 'orders-held', 'orders-to-deliver', 'orders-late', 'over-limit', 'customers-overdue'],
      warehouse: ['lines-to-plan', 'lines-short', 'deliveries-to-issue', 'plans-today', 'service-by-day'],
      billing: ['unbilled', 'invoices-month', 'tax-invoices-to-export', 'tax-periods-overdue'],
      cashier: ['collections-today', 'in-transit', 'receipts-unapplied', 'giros-due', 'statements-drafts'],
      credit: ['credit-used', 'over-limit', 'orders-held', 'approvals', 'top-overdue'],
      finance: ['receivables', 'cash', 'approvals', 'closing', 'statements-waiting'],
    }
    for (const [name, ids] of Object.entries(expected)) expect(await idsOf(name), name).toEqual(expect.arrayContaining([...ids]))
    expect(await idsOf('finance')).not.toContain('customers-overdue')
  })

  it('is there for whoever is signed in, and for nobody else', async () => {
    for (const name of sessions.keys()) expect([name, (await as(name).get(`/api/v1/dashboard/${screen.id}`)).status]).toEqual([name, 200])
    expect((await demo.anonymous.get(`/api/v1/dashboard/${screen.id}`)).code).toBe('UNAUTHENTICATED')
    expect((await as('admin').get('/api/v1/dashboard/constructor')).code).toBe('NOT_FOUND')
    expect((await as('admin').get(`/api/v1/dashboard/${screen.id}/constructor`)).code).toBe('NOT_FOUND')
  })
})

describe('a dashboard over several currencies', () => {
  const overdue = async () => {
    const answer = await ask<TileAnswer>(as('finance'), '/api/v1/dashboard/dashboard/top-overdue')
    if (answer.kind !== 'list') throw new Error('no list')
    return { ...answer, figures: answer.summary.rows.map(({ keys, currency, cells }) => [keys[0], currency, cells[0]?.values[0]]), whole: answer.summary.totals.map(({ currency, cells }) => [currency, cells[0]?.values[0]]) }
  }

  it('says what everything is worth in the currency of the books, and leads to the rows said in it', async () => {
    const invoice = await demo.database.first<{ id: number; total: string; remaining: string }>(sql`select id, total, remaining from invoice where status = 1 and total = remaining and due_date < ${today}::date - 1 order by remaining desc limit 1`)
    const before = await overdue()
    // The same debt in dollars: a 16,000th of the number, at 16,000.
    await demo.database.run(sql`update invoice set currency = 'USD', rate = 16000, total = round(total / 16000, 2), remaining = round(remaining / 16000, 2) where id = ${invoice?.id}`)
    try {
      const worth = await demo.database.first<{ lost: string }>(sql`select ${invoice?.total}::numeric - base_remaining as lost from invoice where id = ${invoice?.id}`)
      const after = await overdue()
      expect(after.whole).toEqual([['IDR', money(exact(before.whole[0]?.[1] ?? '0').minus(worth?.lost ?? '0'))]])
      expect(after.figures.map(([customer, currency]) => [customer, currency])).toEqual(before.figures.map(([customer]) => [customer, 'IDR']))
      expect(after.rowLinks[0]).toContain('in_books=true')
    } finally {
      await demo.database.run(sql`update invoice set currency = 'IDR', rate = 1, total = ${invoice?.total}::numeric, remaining = ${invoice?.remaining}::numeric where id = ${invoice?.id}`)
    }
  })

  it('counts what waits in a list by currency, and leads to all of it', async () => {
    const answer = await ask<TileAnswer>(as('admin'), '/api/v1/dashboard/dashboard/unbilled')
    const each = await demo.database.rows<{ currency: string; n: string; amount: string }>(sql`select o.currency, count(*)::text as n, sum(d.amount)::text as amount from billing_due d join sales_order o on o.id = d.sales_order_id group by 1 order by 1`)
    expect(each.map(({ currency }) => currency)).toEqual(['IDR', 'USD'])
    expect(answer.kind === 'kpi' && answer.amounts).toEqual(each.map(({ currency, n, amount }) => ({ currency, value: n, second: amount })))
  })
})

describe('scope', () => {
  it('shows a user of one unit his own numbers only', async () => {
    const receivables = async (session: Session): Promise<string | null | undefined> => {
      const answer = await ask<TileAnswer>(session, '/api/v1/dashboard/dashboard/receivables')
      return answer.kind === 'kpi' ? answer.amounts[0]?.value : undefined
    }
    const open = (unit: string | null) => demo.database.first<{ total: string }>(sql`
      select coalesce(sum(i.base_remaining), 0)::numeric(18,2)::text as total from invoice i join operating_unit u on u.id = i.operating_unit_id
      where i.status in (1, 2) and i.posting_date <= ${today}::date and (${unit}::text is null or u.code = ${unit})`)
    expect(await receivables(as('admin'))).toBe((await open(null))?.total)
    const own = await receivables(as('billing'))
    expect(own).toBe((await open('JKT'))?.total)
    expect(own).not.toBe(await receivables(as('admin')))
  })
})
