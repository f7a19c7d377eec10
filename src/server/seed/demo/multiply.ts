import { metadata } from '#generated/metadata.ts'
import type { Database, Queries } from '#server/context.ts'
import { ident, join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { must } from '../insertMissing.ts'
import { withoutIndexes } from './indexes.ts'
import { skipChecks } from './skipChecks.ts'

/** What a customer and his trade consist of, each table after those it points to. */
const cloned = [
  'customer', 'customer_address', 'customer_payment_account', 'credit_limit', 'sales_order', 'sales_order_line', 'sales_order_discount', 'stock_reservation', 'delivery_plan',
  'delivery_plan_line', 'delivery_order', 'delivery_order_line', 'stock_movement', 'goods_issue', 'goods_issue_line', 'invoice', 'invoice_line', 'invoice_cancel_request', 'credit_note',
  'customer_deposit', 'ar_payment', 'ar_payment_line', 'ar_payment_credit', 'ar_payment_deduction', 'cn_temporary', 'bank_statement_line', 'journal', 'journal_line', 'ar_allocation',
  'approval_request', 'approval_action', 'document_log',
] as const

/** What lists and reports of receivables read; a company multiplied in these alone is fit for measuring, not for trading. */
export const readingTables = ['customer', 'customer_address', 'credit_limit', 'invoice', 'credit_note', 'customer_deposit', 'ar_payment', 'ar_payment_line', 'cn_temporary', 'ar_allocation'] as const

/** Copies written by one transaction: some 150,000 rows each. */
const copiesAtOnce = 4

/**
 * Makes the seeded company `times` as large: each customer with everything that happened to him is there that many times over, as customers
 * of their own, with numbers that follow on. Goods bought and stock held grow alike, so that moving averages, balances and control accounts
 * keep agreeing. Works inside the database, a few copies a transaction; every transaction leaves a company that is complete in itself.
 */
export async function multiply(database: Database, times: number, log: (line: string) => void, tables: readonly string[] = cloned): Promise<void> {
  const spans = await spansOf(database, tables)
  for (let done = 1; done < times; done += copiesAtOnce) {
    const more = Math.min(copiesAtOnce, times - done)
    const started = Date.now()
    await database.transaction(async (tx) => {
      await skipChecks(tx)
      await tx.run(sql`
        create temporary table number_run on commit drop as
        select s.prefix || '/' || regexp_replace(c.bucket, '/20', '/') as stem, c.last_value / ${trusted(String(done))} as used
        from number_counter c join number_series s on s.id = c.series_id`)
      await tx.run(trusted('create unique index number_run_stem on number_run (stem)'))
      await tx.run(trusted('analyze number_run'))
      for (const table of tables) await copyTable(tx, table, spans, done, more)
      await grow(tx, done, done + more)
    })
    log(`${done + more} times the company, ${((Date.now() - started) / 1000).toFixed(1)} s`)
    if (database.engine === 'embedded') await database.run(trusted('checkpoint'))
  }
  for (const table of tables) await database.run(sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${ident(table)}))`)
}

/** As `multiply`, with the secondary indexes built once at the end: for a company of a size nobody would wait for otherwise. */
export async function multiplyFast(database: Database, times: number, log: (line: string) => void, tables: readonly string[] = cloned): Promise<void> {
  await withoutIndexes(database, tables, () => multiply(database, times, log, tables))
}

type Spans = ReadonlyMap<string, number>

/** How far the ids of each table reach: copy k of a row has its id plus k times that. */
async function spansOf(queries: Queries, tables: readonly string[]): Promise<Spans> {
  const spans = new Map<string, number>()
  for (const table of tables) {
    const row = await queries.first<{ id: number }>(sql`select coalesce(max(id), 0)::bigint as id from ${ident(table)}`)
    spans.set(table, row?.id ?? 0)
  }
  return spans
}

async function copyTable(tx: Queries, table: string, spans: Spans, done: number, more: number): Promise<void> {
  const columns = (await tx.rows<{ name: string }>(sql`
    select attname as name from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`)).map((row) => row.name)
  const references = new Map(Object.values(metadata.entities).find((entity) => entity.table === table)?.fields.flatMap((field) => (field.type === 'ref' && field.entity !== undefined ? [[field.name, field.entity] as const] : [])))
  const values = columns.map((column) => {
    const special = rules[`${table}.${column}`] ?? rules[column === 'code' && documentTables.has(table) ? '*.code' : '']
    if (special !== undefined) return sql`${special(spans)}`
    if (column === 'id') return shifted('id', spans, table)
    const target = references.get(column)
    const targetTable = target === undefined ? undefined : metadata.entities[target]?.table
    return targetTable !== undefined && spans.has(targetTable) ? shifted(column, spans, targetTable) : sql`b.${ident(column)}`
  })
  const filter = table === 'document_log' || table === 'approval_request' ? sql`and b.doc_type <> 'bank_statement'` : table === 'approval_action' ? sql`and exists (select 1 from approval_request r where r.id = b.request_id and r.doc_type <> 'bank_statement')` : sql``
  await tx.run(sql`
    insert into ${ident(table)} (${join(columns.map(ident))})
    select ${join(values)} from ${ident(table)} b cross join generate_series(${done}::bigint, ${done + more - 1}::bigint) as k
    where b.id <= ${must(spans, table)} ${filter}`)
}

function shifted(column: string, spans: Spans, table: string): Sql {
  return sql`b.${ident(column)} + k * ${span(spans, table)}::bigint`
}

/** A table that is not copied has one set of rows for all copies. */
function span(spans: Spans, table: string): number {
  return spans.get(table) ?? 0
}

/** `INV/JKT/2511/00042` of copy k: its number after all those of the copies before. */
function renumbered(column: string): Sql {
  const code = sql`b.${ident(column)}`
  return sql`coalesce((select r.stem || '/' || case when length(x.n::text) < 5 then lpad(x.n::text, 5, '0') else x.n::text end
    from number_run r cross join lateral (select split_part(${code}, '/', 4)::bigint + k * r.used as n) x
    where r.stem = left(${code}, -(strpos(reverse(${code}), '/'))::int)), ${code})`
}

/** An id of whatever the type column names; documents without a table of their own (goods receipts, openings) move by a round number. */
function typed(typeColumn: string, idColumn: string, spans: Spans): Sql {
  const cases = cloned.filter((table) => spans.has(table)).map((table) => sql`when ${table} then b.${ident(idColumn)} + k * ${must(spans, table)}::bigint`)
  return sql`case b.${ident(typeColumn)} ${join(cases, ' ')} when 'bank_statement' then b.${ident(idColumn)} else b.${ident(idColumn)} + k * 1000000 end`
}

const documentTables: ReadonlySet<string> = new Set([
  'sales_order', 'delivery_plan', 'delivery_order', 'goods_issue', 'invoice', 'invoice_cancel_request', 'credit_note', 'customer_deposit', 'ar_payment', 'cn_temporary', 'journal',
])

/** Columns that are neither the row's id nor a plain reference. */
const rules: Readonly<Record<string, (spans: Spans) => Sql>> = {
  '*.code': () => renumbered('code'),
  'customer.code': (spans) => sql`'C' || lpad((substr(b.code, 2)::bigint + k * ${span(spans, 'customer')}::bigint)::text, 7, '0')`,
  'customer.name': () => sql`b.name || ' ' || (k + 1)`,
  'bank_statement_line.line_no': () => sql`b.line_no + k * 1000`,
  'stock_movement.doc_id': (spans) => typed('doc_type', 'doc_id', spans),
  'stock_movement.doc_line_id': (spans) => sql`case when b.doc_type = 'goods_issue' then b.doc_line_id + k * ${span(spans, 'goods_issue_line')}::bigint else b.doc_line_id end`,
  'journal.source_doc_id': (spans) => typed('source_doc_type', 'source_doc_id', spans),
  'journal.source_doc_code': () => sql`case when b.source_doc_type = 'bank_statement_line' then b.source_doc_code else ${renumbered('source_doc_code')} end`,
  'journal.description': () => sql`case when b.source_doc_type = 'bank_statement_line' then b.description else replace(b.description, b.source_doc_code, ${renumbered('source_doc_code')}) end`,
  'journal_line.partner_id': (spans) => sql`case when b.partner_kind = 'CUSTOMER' then b.partner_id + k * ${span(spans, 'customer')}::bigint else b.partner_id end`,
  'journal_line.open_item_id': (spans) => typed('open_item_type', 'open_item_id', spans),
  'ar_allocation.source_id': (spans) => sql`b.source_id + k * (case b.source_type when 'CREDIT_NOTE' then ${span(spans, 'credit_note')}::bigint when 'DEPOSIT' then ${span(spans, 'customer_deposit')}::bigint
    when 'TEMP_CN' then ${span(spans, 'cn_temporary')}::bigint when 'REVERSAL' then ${span(spans, 'invoice')}::bigint else ${span(spans, 'ar_payment')}::bigint end)`,
  'ar_allocation.source_line_id': (spans) => shifted('source_line_id', spans, 'ar_payment_line'),
  'ar_allocation.document_id': (spans) => typed('document_type', 'document_id', spans),
  'ar_payment_credit.source_id': (spans) => sql`b.source_id + k * (case b.source when 'CREDIT_NOTE' then ${span(spans, 'credit_note')}::bigint else ${span(spans, 'customer_deposit')}::bigint end)`,
  'ar_payment.bank_statement_line_id': (spans) => shifted('bank_statement_line_id', spans, 'bank_statement_line'),
  'bank_statement_line.bank_statement_id': () => sql`b.bank_statement_id`,
  'customer_deposit.deposit_source_id': (spans) => shifted('deposit_source_id', spans, 'ar_payment'),
  'approval_request.doc_id': (spans) => typed('doc_type', 'doc_id', spans),
  'approval_request.doc_code': () => renumbered('doc_code'),
  'approval_request.party_id': (spans) => shifted('party_id', spans, 'customer'),
  'document_log.doc_id': (spans) => typed('doc_type', 'doc_id', spans),
}

/** What all copies share: stock, statements of the bank, group limits and number counters grow with their number. */
async function grow(tx: Queries, from: number, to: number): Promise<void> {
  const scaled = (column: string, places: number): Sql => sql`${ident(column)} = round(${ident(column)} / ${from}::numeric * ${to}::numeric, ${places}::int)`
  await tx.run(sql`update stock_balance set ${scaled('on_hand', 3)}, ${scaled('reserved', 3)}`)
  await tx.run(sql`update stock_cost set ${scaled('qty', 3)}, ${scaled('value', 2)}`)
  await tx.run(sql`update bank_statement set ${scaled('opening_balance', 2)}, ${scaled('closing_balance', 2)}, ${scaled('money_in', 2)}, ${scaled('money_out', 2)}`)
  await tx.run(sql`update customer_group set ${scaled('group_credit_limit', 2)} where group_credit_limit is not null`)
  await tx.run(sql`update number_counter c set last_value = c.last_value / ${from}::bigint * ${to}::bigint from number_series s where s.id = c.series_id and s.code not in ('BS', 'PARTNER')`)
}
