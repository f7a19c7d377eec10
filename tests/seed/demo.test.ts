import { describe, expect, it } from 'vitest'
import { addDays, addMonths } from '#base/date.ts'
import { metadata } from '#generated/metadata.ts'
import { clockOf } from '#server/clock.ts'
import type { Database } from '#server/context.ts'
import { ident, sql, trusted } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { installReference } from '#server/seed/reference.ts'
import { testDay } from '../support/company.ts'
import { testDatabase } from '../support/database.ts'
import { demoTemplate, largerDemoTemplate, template } from '../support/demo.ts'

/** Every document has numbers of its own. */
const numbered = Object.values(metadata.entities).flatMap(({ base, series, table }) => (base === 'document' && series !== undefined ? [table] : []))

const clock = clockOf(() => new Date(testDay))
const today = clock.today()
const demoAgain = { ...demoTemplate, name: demoTemplate.name.replace('demo', 'again') }

/** What nobody finds anything of to do or to look at. */
async function emptyDesks(queries: Database): Promise<readonly string[]> {
  const counts = await queries.first(sql`
      select (select count(*)::int from sales_order where status = 0) as drafts, (select count(*)::int from approval_request where status = 4 and doc_type = 'sales_order') as waiting,
        (select count(*)::int from approval_request r join customer c on c.id = r.doc_id where r.status = 4 and r.doc_type = 'customer' and r.transition = 'change') as changes,
        (select count(*)::int from sales_order_line_due) as to_plan, (select count(*)::int from billing_due) as to_bill, (select count(*)::int from invoice where status in (1, 2)) as open,
        (select count(*)::int from ar_payment where status = 3) as reconciled, (select count(*)::int from stock_reservation where open_qty > 0) as reserved`)
  return Object.entries(counts ?? { nothing: 0 }).flatMap(([what, count]) => (Number(count) > 0 ? [] : [what]))
}

describe.each([['as it is', demoTemplate], ['three times over', largerDemoTemplate]] as const)('the demo company %s', async (_, template) => {
  const database = await testDatabase(template)

  it('breaks no invariant, today and on earlier days', async () => {
    for (const day of [today, addDays(today, -9), addMonths(today, -3), addMonths(today, -11)]) expect({ day, found: await violations(database, day) }).toEqual({ day, found: [] })
  })

  it('has something of each kind that somebody wants back, and a write-off that was taken back', async () => {
    const waiting = await database.rows<{ kind: string }>(sql`select distinct doc_type as kind from approval_request where status = 4 and transition = 'reverse' order by 1`)
    expect(waiting.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['cash_bank_document', 'cash_deposit', 'credit_note', 'customer_deposit', 'customer_deposit_settlement', 'customer_deposit_transfer', 'write_off']))
    expect(await database.rows(sql`select distinct status from write_off where status = 7`)).toEqual([{ status: 7 }])
  })

  it('gives each request the hours of its level, as a living one has them', async () => {
    const rows = await database.rows(sql`
      select r.doc_code, (extract(epoch from r.due_at - r.requested_at) / 3600)::int as due, (select max((s ->> 'hours')::int) from jsonb_array_elements(r.levels -> 0 -> 'steps') s) as hours
      from approval_request r where r.status = 4`)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter((row) => row['due'] !== row['hours'])).toEqual([])
  })

  it('says why an order was rejected, in words that fit the reason, on the request and on the order alike', async () => {
    const rows = await database.rows<{ code: string; reason: string | null; note: string | null; said: string | null; blocks: readonly string[] }>(sql`
      select o.code, s.code as reason, l.note, a.note as said, array(select b ->> 'code' from jsonb_array_elements(r.reasons) b) as blocks
      from sales_order o join document_log l on l.doc_type = 'sales_order' and l.doc_id = o.id and l.action = 'reject' left join reason s on s.id = o.reason_id
      join approval_request r on r.doc_type = 'sales_order' and r.doc_id = o.id and r.status = 5 join approval_action a on a.request_id = r.id where o.status = 5`)
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter(({ note, said }) => note === null || note !== said)).toEqual([])
    expect(new Set(rows.map(({ note }) => note)).size).toBeGreaterThan(4)
    const blockOf: Readonly<Record<string, string>> = { J01: 'CL01', J02: 'CL02', J03: 'PR01' }
    expect(rows.filter(({ reason, blocks }) => reason === null || (reason in blockOf && !blocks.includes(blockOf[reason] ?? '')))).toEqual([])
  })

  it('says of the exposure of each order a whole amount, nothing where nothing is owed', async () => {
    const rows = await database.rows<{ code: string; exposure: string }>(sql`select code, credit_snapshot ->> 'exposure' as exposure from sales_order where credit_snapshot ? 'exposure' and currency = 'IDR'`)
    expect(rows.length).toBeGreaterThan(500)
    expect(rows.filter(({ exposure }) => !/^\d+\.00$/.test(exposure))).toEqual([])
    expect(rows.filter(({ exposure }) => exposure === '0.00').length, 'the first order of a customer').toBeGreaterThan(10)
  })

  it('has no codes of masters that differ in capitals alone', async () => {
    const tables = await database.rows<{ name: string }>(sql`select tablename::text as name from pg_indexes where schemaname = 'public' and indexname like '%_code_lower_idx'`)
    expect(tables.length).toBeGreaterThan(35)
    for (const { name } of tables) {
      const owner = name.endsWith('_address') ? sql`${ident(name === 'customer_address' ? 'customer_id' : 'business_partner_id')}, ` : sql``
      expect({ name, alike: await database.rows(sql`select lower(code) as code from ${ident(name)} group by ${owner}lower(code) having count(*) > 1`) }).toEqual({ name, alike: [] })
    }
  })

  it('has orders of combos that explode, one with a price of its own and one without', async () => {
    const rows = await database.rows(sql`
      select i.code, count(distinct l.sales_order_id)::int > 0 as ordered, bool_and(l.price_source like 'COMBO:%') as priced from sales_order_line l join item i on i.id = l.combo_item_id join combo c on c.item_id = i.id
      where c.kind = 'VIRTUAL' and c.is_active group by i.code order by i.code`)
    expect(rows).toEqual([{ code: 'PK-002', ordered: true, priced: true }, { code: 'PK-004', ordered: true, priced: false }])
  })

  it('has a number for every invoice of a tax month that is closed', async () => {
    const owed = await database.first(sql`
      select count(*)::int as invoices, count(*) filter (where t.faktur_number ~ ('^' || t.trx_code || '00' || substr(i.period, 3, 2) || '\\d{11}$') and t.approved_on between i.doc_date and p.deadline)::int as answered
      from invoice i join tax_invoice_period p on p.period = i.period and p.status = 'CLOSED' left join tax_invoice t on t.invoice_id = i.id and t.status = 'APPROVED'
      where i.status in (1, 2, 3) and i.dpp_other > 0`)
    expect(owed).toEqual({ invoices: owed?.['invoices'], answered: owed?.['invoices'] })
    expect(owed?.['invoices']).toBeGreaterThan(1_000)
  })

  it('leaves no claim to be decided on an invoice that is paid, which would keep its month open for good', async () => {
    expect(await database.rows(sql`select c.id from cn_temporary c join invoice i on i.id = c.invoice_id where c.status in (0, 4) and c.amount > i.remaining`)).toEqual([])
    expect(await database.rows(sql`select r.id from approval_request r join cn_temporary c on c.id = r.doc_id where r.doc_type = 'cn_temporary' and r.status = 4 and c.status <> 4`)).toEqual([])
    expect((await database.rows(sql`select id from cn_temporary where status = 6`)).length).toBeGreaterThan(0)
  })

  it('points only to rows that are there', async () => {
    const keys = await database.rows<{ from_table: string; from_column: string; to_table: string }>(sql`
      select c.conrelid::regclass::text as from_table, a.attname as from_column, c.confrelid::regclass::text as to_table
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1] where c.contype = 'f'`)
    expect(keys.length).toBeGreaterThan(200)
    for (const key of keys) {
      const row = await database.first<{ lost: number }>(sql`
        select count(*)::int as lost from ${ident(key.from_table)} f where f.${ident(key.from_column)} is not null
          and not exists (select 1 from ${ident(key.to_table)} t where t.id = f.${ident(key.from_column)})`)
      expect({ ...key, lost: row?.lost }).toEqual({ ...key, lost: 0 })
    }
  })

  it('has numbers without gaps that go on where they end', async () => {
    const wrong = await database.rows(sql`
      with used as (
        select regexp_replace(code, '/[^/]*$', '') as stem, count(*) as used, max(split_part(code, '/', 4)::int) as highest from (
          ${trusted([...numbered, 'journal']
            .map((table) => `select code from ${table} where code is not null`).join(' union all '))}
        ) codes group by 1
      ), counter as (
        select s.prefix || '/' || regexp_replace(c.bucket, '/20', '/') as stem, c.last_value from number_counter c join number_series s on s.id = c.series_id where c.bucket <> ''
      )
      select * from used full join counter using (stem) where used is distinct from highest or highest is distinct from last_value`)
    expect(wrong).toEqual([])
  })
})

describe('seeding', async () => {
  const database = await testDatabase(demoTemplate)
  const again = await testDatabase(demoAgain)
  const inHolidays = await testDatabase(template('demo-holidays', 1, 110, '2027-03-22T03:00:00.000Z'))

  it('has something on every desk', async () => {
    expect(await emptyDesks(database)).toEqual([])
  })

  it('has something on every desk also in a week of holidays', async () => {
    expect(await emptyDesks(inHolidays)).toEqual([])
    expect(await violations(inHolidays, '2027-03-22')).toEqual([])
  })

  it('refuses a database that has documents', async () => {
    await expect(seedDemo(database, clock, { scale: 1, log: () => undefined })).rejects.toThrow('documents already')
  })

  it('installs reference data again without touching what was changed', async () => {
    await database.run(sql`update tolerance set amount = 777 where usage = 'AR_SHORT'`)
    await database.run(sql`delete from role_permission where guard_name = 'sales-order-create' and role_id = (select id from role where code = 'SALES_ADMIN')`)
    const count = async (): Promise<unknown> => database.first(sql`
      select (select count(*)::int from role_permission) as permissions, (select count(*)::int from role_menu) as menus, (select count(*)::int from posting_rule) as rules,
        (select count(*)::int from account) as accounts, (select count(*)::int from setting_oms) as settings, (select count(*)::int from accounting_period) as periods,
        (select amount from tolerance where usage = 'AR_SHORT') as tolerance`)
    const before = await count()
    await installReference(database, clock)
    expect(await count()).toEqual(before)
  })

  it('gives the same company for the same day', async () => {
    const print = (queries: typeof database): Promise<unknown> => queries.first(sql`
      select (select md5(string_agg(code || ' ' || total || ' ' || remaining, ',' order by id)) from invoice) as invoices,
        (select md5(string_agg(id || ' ' || debit || ' ' || credit, ',' order by id)) from journal_line) as journals`)
    expect(await print(again)).toEqual(await print(database))
  })
})
