import { beforeAll, describe, expect, it } from 'vitest'
import { exact, money } from '#base/decimal.ts'
import { metadata } from '#generated/metadata.ts'
import { isAmountType } from '#meta/amount.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { ident, join, sql, trusted, type Sql } from '#server/db/sql.ts'
import type { Queries } from '#server/context.ts'
import { testApp, type Session } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'

const demo = await testApp({ template: demoTemplate })
const today = demo.clock.today()
let admin: Session
beforeAll(async () => {
  admin = await demo.signIn('admin')
})

/** What is in the currency of the books whatever that of the document. */
const inBooks = (name: string): boolean => /^(base_|cost|cogs|unit_cost|worth|gain|loss|credit_limit|source_base)/.test(name)

/** From now on a dollar is two half dollars: every amount in dollars is twice as many, every rate half. Nothing is worth more or less in the books. */
async function halveTheDollar(tx: Queries): Promise<void> {
  await tx.run(trusted(`set local session_replication_role = 'replica'`))
  const foreign = Object.values(metadata.entities).filter(({ base, otherCurrencies }) => base === 'document' && otherCurrencies !== undefined)
  const kept = await tx.rows<{ place: string }>(sql`select table_name || '.' || column_name as place from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER'`)
  const amountsOf = ({ table, fields }: Pick<ResolvedEntity, 'table' | 'fields'>): readonly string[] =>
    fields.flatMap(({ name, type }) => (isAmountType(type) && !inBooks(name) && kept.some(({ place }) => place === `${table}.${name}`) ? [name] : []))
  const twice = (names: readonly string[]): Sql => join(names.map((name) => sql`${ident(name)} = ${ident(name)} * 2`))
  for (const document of foreign) {
    const lines = Object.values(metadata.entities).filter(({ parent }) => parent === document.id)
    for (const line of lines) {
      const names = amountsOf(line)
      if (names.length > 0) await tx.run(sql`update ${ident(line.table)} set ${twice(names)} where ${ident(`${document.id}_id`)} in (select id from ${ident(document.table)} where currency = 'USD')`)
    }
    await tx.run(sql`update ${ident(document.table)} set ${twice(amountsOf(document))}, rate = rate / 2 where currency = 'USD'`)
  }
  await tx.run(sql`
    update ar_allocation a set amount = amount * 2 where exists (select 1 from invoice i where i.id = a.invoice_id and i.currency = 'USD')
      or (a.source_type = 'CREDIT_NOTE' and exists (select 1 from credit_note n where n.id = a.source_id and n.currency = 'USD')) or (a.item_type = 'vendor_invoice' and exists (select 1 from vendor_invoice v where v.id = a.item_id and v.currency = 'USD'))`)
  await tx.run(sql`update sales_order_discount d set amount = d.amount * 2 from sales_order_line l join sales_order o on o.id = l.sales_order_id where l.id = d.line_id and o.currency = 'USD'`)
  await tx.run(sql`update journal_line set fx_amount = fx_amount * 2 where fx_currency = 'USD'`)
  await tx.run(sql`update exchange_rate set rate = rate / 2 where currency = 'USD'`)
}

type Figures = Record<string, string>

/** Every total of every report, told apart and in the books, and of every list: by screen, currency and name. */
async function everyTotal(): Promise<Figures> {
  const figures: Figures = {}
  const note = (place: string, data: { readonly totals?: Readonly<Record<string, string>>; readonly currencies?: readonly { readonly currency: string | null; readonly totals: Readonly<Record<string, string>> }[] }): void => {
    for (const { currency, totals } of data.currencies ?? [{ currency: 'IDR', totals: data.totals ?? {} }]) for (const [name, value] of Object.entries(totals)) figures[`${place} ${currency ?? 'IDR'} ${name}`] = value
  }
  for (const screen of Object.values(metadata.screens)) {
    if (screen.kind === 'report') {
      const days = Object.fromEntries(screen.parameters.flatMap(({ name }) => (name === 'date_from' ? [[name, '2000-01-01']] : name === 'date_to' || name === 'as_of' || name === 'key_date' ? [[name, today]] : [])))
      for (const in_books of screen.parameters.some(({ name }) => name === 'in_books') ? [false, true] : [undefined]) {
        const answer = await admin.get(`/api/v1/report/${screen.id}`, { ...days, length: 1, ...(in_books === undefined ? {} : { in_books }) })
        if (answer.status === 200) note(`${screen.id}${in_books === true ? ' in the books' : ''}`, answer.data)
      }
    } else if (screen.kind === 'list') {
      const totals = screen.columns.filter(({ total }) => total === 'sum').map(({ name }) => name)
      if (totals.length === 0) continue
      const answer = await admin.get(`/api/v1/data/${screen.resource}`, { length: 1, totals: totals.join(','), ...(screen.where === undefined ? {} : { filter: JSON.stringify(screen.where) }) })
      if (answer.status === 200) note(screen.id, answer.data)
    } else if (screen.kind === 'dashboard') {
      for (const tile of screen.tiles) {
        const { data } = await admin.get(`/api/v1/dashboard/${screen.id}/${tile.id}`)
        if (data?.kind === 'kpi') for (const { currency, value, second } of data.amounts) note(tile.id, { currencies: [{ currency, totals: { value: value ?? '0', second: second ?? '0' } }] })
      }
    }
  }
  return figures
}

describe('a dollar told in half dollars', () => {
  it('changes no figure in rupiah, anywhere: nothing adds dollars to them', async () => {
    const before = await everyTotal()
    await demo.database.transaction(halveTheDollar)
    const after = await everyTotal()
    const places = Object.keys(before)
    expect(places.length).toBeGreaterThan(200)
    expect(places.filter((place) => / USD /.test(place)).length).toBeGreaterThan(30)
    const moved = places.filter((place) => !/ USD /.test(place) && exact(after[place] ?? '0').minus(before[place] ?? '0').abs().gt('0.05'))
    expect(moved.map((place) => `${place}: ${before[place] ?? ''} → ${after[place] ?? ''}`)).toEqual([])
    // Dollars are twice as many wherever they stand.
    const same = places.filter((place) => / USD /.test(place) && isMoney(place) && !exact(before[place] ?? '0').eq(0) && exact(after[place] ?? '0').minus(exact(before[place] ?? '0').times(2)).abs().gt('0.05'))
    expect(same.map((place) => `${place}: ${money(before[place] ?? '0')} → ${money(after[place] ?? '0')}`)).toEqual([])
  })
})

/** Is a figure an amount, and no count or share? */
function isMoney(place: string): boolean {
  const name = place.split(' ').at(-1) ?? ''
  const [id = ''] = place.split(' ')
  const screen = metadata.screens[id]
  if (screen?.kind !== 'report' && screen?.kind !== 'list') return false
  const column = screen.columns.find((one) => one.name === name)
  return column !== undefined && isAmountType(column.type)
}
