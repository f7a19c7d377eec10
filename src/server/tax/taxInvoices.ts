import type { RowResult } from '#api/data.ts'
import type { Obstacle } from '#api/problems.ts'
import { grouped, isZero } from '#base/decimal.ts'
import { isDate } from '#base/date.ts'
import { withoutAdvances } from '#domain/tax/advances.ts'
import { faultOf, mostInFile, type BuyerDocument, type PostedLine, type TaxInvoice } from '#domain/tax/coretax.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Effect, Precondition, Queries, Row, User } from '#server/context.ts'
import { insertRows, reserveIds } from '#server/db/insertRows.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { listPlace } from '#server/documents/places.ts'
import { fail, invalid, problem, refusedRow, wrong } from '#server/problemError.ts'
import { said, tell } from '#server/sentences.ts'
import { eachRow } from '#server/workflow/eachRow.ts'
import { insertDocument, numberOf, numberOrNull } from '#server/workflow/newDocument.ts'

type State = 'DRAFT' | 'EXPORTED' | 'APPROVED' | 'WAITING_CANCEL' | 'REPLACED' | 'CANCELLED'

interface Stored extends Row {
  readonly id: number
  readonly code: string
  readonly status: State
  readonly version: number
}

/** Drafts a tax invoice for every posted invoice of the month that has none, and drops the drafts of invoices undone since. */
export const draftTaxInvoices: Command = async (context, { params }) => {
  const period = periodIn(params)
  await assertTaxPeriodOpen(context.tx, period)
  const n = await draft(context, period)
  return { results: [{ ID: 0, ok: true, ...tell('done.tax-drafted', { n, period: monthOf(period) }) }] }
}

/** Drafts what is missing and puts the drafts of the month into files of at most a thousand, one seller a file. What Coretax would refuse stays a draft, with its reason. */
export const exportTaxInvoices: Command = async (context, { params }) => {
  const { tx, user } = context
  const period = periodIn(params)
  await assertTaxPeriodOpen(tx, period)
  await draft(context, period)
  const drafts = await tx.rows<{ id: number; code: string; company_id: number; company: string; npwp: string | null }>(sql`
    select t.id, t.code, m.id as company_id, m.name as company, m.npwp from tax_invoice t join operating_unit o on o.id = t.operating_unit_id join company m on m.id = o.company_id
    where t.period = ${period} and t.status = 'DRAFT' and t.direction = 'OUT' and ${scoped(user)} order by m.id, t.doc_date, t.id for update of t`)
  if (drafts.length === 0) fail('ILLEGAL_TRANSITION.tax-nothing', { period: monthOf(period) })
  const results: RowResult[] = []
  for (const company of new Map(drafts.map((row) => [row.company_id, row])).values()) {
    if (!/^\d{16}$/.test(company.npwp ?? '')) {
      results.push(refusedRow(0, problem('VALIDATION_FAILED.tax-seller', { company: company.company })))
      continue
    }
    const own = drafts.filter((row) => row.company_id === company.company_id)
    const fit: number[] = []
    for (let at = 0; at < own.length; at += slice) {
      for (const { id, code, invoice } of await contents(tx, own.slice(at, at + slice).map((row) => row.id))) {
        const fault = faultOf(invoice)
        if (fault === undefined) fit.push(id)
        else results.push(refusedRow(id, problem('VALIDATION_FAILED.tax-lines', { code, problem: fault.params === undefined ? { key: fault.key } : { key: fault.key, params: fault.params } })))
      }
    }
    for (let at = 0; at < fit.length; at += mostInFile) results.push(await fileOf(context, period, company.company_id, fit.slice(at, at + mostInFile)))
  }
  return { results }
}

async function fileOf(context: CommandContext, period: string, companyId: number, ids: readonly number[]): Promise<RowResult> {
  const { tx, now, user } = context
  const [id = 0] = await reserveIds(tx, 'tax_invoice_batch', 1)
  const code = `XML-${String(id).padStart(6, '0')}`
  const sums = await tx.first<{ dpp: string; ppn: string }>(sql`select sum(dpp) as dpp, sum(ppn) as ppn from tax_invoice where id = any(${[...ids]}::bigint[])`)
  await insertRows(tx, 'tax_invoice_batch', [{ id, code, status: 'EXPORTED', company_id: companyId, period, invoices: ids.length, dpp: sums?.dpp ?? '0', ppn: sums?.ppn ?? '0', created_by: user.id, created_at: now.toISOString() }])
  await tx.run(sql`update tax_invoice set status = 'EXPORTED', tax_invoice_batch_id = ${id}, version = version + 1 where id = any(${[...ids]}::bigint[])`)
  await writeLog(tx, { docType: 'tax_invoice_batch', docId: id, at: now.toISOString(), actorId: user.id, action: 'create' })
  for (const one of ids) await log(context, one, 'export', 'DRAFT', 'EXPORTED', code)
  return { ID: id, ok: true, ...tell('done.tax-file', { file: code, n: ids.length, ppn: grouped(sums?.ppn ?? '0') }) }
}

/** Coretax has refused a file: what is in it may be mended and go into another. */
export const releaseTaxInvoices: Command = (context, { ids, params }) => eachRow(context, ids, async (own, id) => {
  const { tx } = own
  const file = await tx.first<{ code: string; status: string }>(sql`select code, status from tax_invoice_batch where id = ${id} for update`)
  if (file === undefined || !(await isWhole(tx, own.user, id))) return fail('NOT_IN_SCOPE')
  const rows = await tx.rows<Stored>(sql`select t.* from tax_invoice t where t.tax_invoice_batch_id = ${id} order by t.id for update`)
  if (file.status !== 'EXPORTED' || rows.some((row) => row.status !== 'EXPORTED')) fail('ILLEGAL_TRANSITION.tax-answered', { file: file.code })
  await tx.run(sql`update tax_invoice_batch set status = 'RELEASED', version = version + 1 where id = ${id}`)
  await tx.run(sql`update tax_invoice set status = 'DRAFT', tax_invoice_batch_id = null, version = version + 1 where tax_invoice_batch_id = ${id}`)
  await writeLog(tx, { docType: 'tax_invoice_batch', docId: id, at: own.now.toISOString(), actorId: own.user.id, action: 'release', note: String(params['ReasonText']), diff: [{ field: 'status', from: 'EXPORTED', to: 'RELEASED' }] })
  for (const row of rows) await log(own, row.id, 'release', 'EXPORTED', 'DRAFT', String(params['ReasonText']))
  return tell('done.tax-released', { file: file.code, n: rows.length })
})

export const askTaxCancellation: Command = (context, { ids, params }) => eachRow(context, ids, async (own, id) => {
  const { tx } = own
  const faktur = await locked(own, id)
  if (faktur.status !== 'APPROVED') refuse(faktur)
  const reason = String(params['ReasonText'])
  // One that was given back or refused is asked for again.
  const before = await tx.first<{ id: number; status: number }>(sql`select id, status from tax_invoice_cancel_request where tax_invoice_id = ${id} and status in (0, 4, 5) order by id desc limit 1 for update`)
  if (before?.status === 4) fail('ILLEGAL_TRANSITION.tax-asked', { code: faktur.code })
  if (before !== undefined) await tx.run(sql`update tax_invoice_cancel_request set reason_text = ${reason} where id = ${before.id}`)
  const request = before ?? (await insertDocument(own, 'tax_invoice_cancel_request', {
    operating_unit_id: numberOf(faktur, 'operating_unit_id'), territory_id: numberOrNull(faktur, 'territory_id'), doc_date: own.today, tax_invoice_id: id, customer_id: faktur['customer_id'], amount: faktur['ppn'], reason_text: reason, source: 'WEB',
  }))
  const { code } = await own.transition('tax_invoice_cancel_request', request.id, 'submit')
  return tell('done.tax-asked', { code: faktur.code, request: String(code) })
})

/** Only what Coretax has approved can be cancelled there. */
export const taxInvoiceMayBeCancelled: Precondition = async ({ tx, current }) => {
  const row = await tx.first<Stored>(sql`select * from tax_invoice where id = ${numberOf(current, 'tax_invoice_id')} for update`)
  if (row === undefined) return fail('NOT_FOUND')
  if (row.status !== 'APPROVED') refuse(row)
}

/** We may cancel it; now its buyer has to consent in Coretax. */
export const awaitBuyerConsent: Effect = async (context) => {
  await move(context, numberOf(context.current, 'tax_invoice_id'), ['APPROVED'], 'WAITING_CANCEL', String(context.current['reason_text']))
}

export const confirmTaxCancellation: Command = (context, { ids }) => eachRow(context, ids, (own, id) => move(own, id, ['WAITING_CANCEL'], 'CANCELLED'))
export const keepTaxInvoice: Command = (context, { ids }) => eachRow(context, ids, (own, id) => move(own, id, ['WAITING_CANCEL'], 'APPROVED'))

/** A replacement made in Coretax: the old one no longer counts, the new one has its number and stays in the month of the first. */
export const replaceTaxInvoice: Command = (context, { ids, params }) => eachRow(context, ids, async (own, id) => {
  const { tx } = own
  const old = await locked(own, id)
  if (old.status !== 'APPROVED') refuse(old)
  const number = String(params['FakturNumber'])
  const statusCode = String(Number(old['status_code']) + 1).padStart(2, '0')
  await checkNumber(own, { trx_code: old['trx_code'], status_code: statusCode, doc_date: old['doc_date'] }, number, 0, (error) => invalid([error]))
  await tx.run(sql`update tax_invoice set status = 'REPLACED', version = version + 1 where id = ${id}`)
  const [next = 0] = await reserveIds(tx, 'tax_invoice', 1)
  const code = `${old.code.replace(/-R\d+$/, '')}-R${Number(statusCode)}`
  const { id: _id, version: _version, ...kept } = old
  await insertRows(tx, 'tax_invoice', [{ ...kept, id: next, code, status: 'APPROVED', status_code: statusCode, faktur_number: number, approved_on: params['ApprovedOn'], replaces_id: id, tax_invoice_batch_id: null, reason_text: null, created_by: own.user.id, created_at: own.now.toISOString() }])
  await log(own, id, 'replace', 'APPROVED', 'REPLACED', code)
  await writeLog(tx, { docType: 'tax_invoice', docId: next, at: own.now.toISOString(), actorId: own.user.id, action: 'create' })
  return tell('done.tax-replaced', { code: old.code, by: code })
})

/** Everything in a file must be the user's to see: who sees a part of it neither takes it nor undoes it. */
export async function isWhole(queries: Queries, user: User, batchId: number): Promise<boolean> {
  return (await queries.first(sql`select 1 from tax_invoice t where t.tax_invoice_batch_id = ${batchId} and not (${scoped(user)}) limit 1`)) === undefined
}

async function move(context: CommandContext, id: number, from: readonly State[], to: State, reason?: string): Promise<ReturnType<typeof tell>> {
  const row = await locked(context, id)
  if (!from.includes(row.status)) refuse(row)
  await context.tx.run(sql`update tax_invoice set status = ${to}, version = version + 1 ${reason === undefined ? sql`` : sql`, reason_text = ${reason}`} where id = ${id}`)
  await log(context, id, to.toLowerCase(), row.status, to, reason)
  return tell('done.tax-moved', { code: row.code, state: { key: `enum.${to}` } })
}

async function locked({ tx, user }: CommandContext, id: number): Promise<Stored> {
  return (await tx.first<Stored>(sql`select t.* from tax_invoice t where t.id = ${id} and ${scoped(user)} for update`)) ?? fail('NOT_FOUND')
}

function refuse(row: Stored): never {
  return fail('ILLEGAL_TRANSITION.tax-state', { code: row.code, state: { key: `enum.${row.status}` } })
}

async function log({ tx, now, user }: CommandContext, id: number, action: string, from: State, to: State, note?: string): Promise<void> {
  await writeLog(tx, { docType: 'tax_invoice', docId: id, at: now.toISOString(), actorId: user.id, action, note: note ?? null, diff: [{ field: 'status', from, to }] })
}

function scoped(user: User): Sql {
  return columnScope(user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 't') ?? sql`true`
}

function periodIn(params: Row): string {
  return String(params['Period'])
}

function monthOf(period: string): string {
  return `${period.slice(4)}/${period.slice(0, 4)}`
}

async function assertTaxPeriodOpen(tx: Queries, period: string): Promise<void> {
  const row = await tx.first<{ status: string }>(sql`select status from tax_invoice_period where period = ${period}`)
  if (row?.status === 'CLOSED') fail('ILLEGAL_TRANSITION.tax-period', { period: monthOf(period) })
}

/** What the buyer of invoice `i` has used for it of advances that have tax invoices of their own. */
const advances = sql`
  select coalesce(sum(a.amount) - sum(round(a.amount * d.vat / d.amount)), 0) as dpp, coalesce(sum(round(a.amount * d.vat / d.amount)), 0) as ppn
  from ar_allocation a join customer_deposit d on d.id = a.source_id and d.vat > 0 where a.invoice_id = i.id and a.source_type = 'DEPOSIT' and a.reversed_at is null`

/** Base and VAT of the tax invoice of `i`, less the advances `v`. */
const amountsLeft = sql`
  select round(i.dpp * i.rate, 2) - v.dpp as dpp, case when i.dpp = 0 then 0 else round(round(i.dpp_other * i.rate, 2) * (round(i.dpp * i.rate, 2) - v.dpp) / round(i.dpp * i.rate, 2), 2) end as dpp_other, round(i.ppn * i.rate, 2) - v.ppn as ppn, v.dpp as advance_dpp, v.ppn as advance_ppn
  from (${advances}) v`

/** What owes a tax invoice where its company `m` is PKP: invoices posted with VAT and not undone, and containers lost, whose deposit or value bears VAT from then on. */
const owing = sql`(
  select i.id as invoice_id, null::bigint as container_move_id, i.code, i.operating_unit_id, i.territory_id, i.customer_id, i.bill_to_id, coalesce(i.posting_date, i.doc_date) as day, i.period, i.trx_code,
    x.dpp, x.dpp_other, x.ppn, x.advance_dpp, x.advance_ppn
  from invoice i cross join lateral (${amountsLeft}) x
  where i.status in (1, 2, 3) and i.invoice_type in ('SALES', 'CONSIGNMENT', 'CMI', 'CANVAS') and i.dpp_other > 0 and i.dpp > x.advance_dpp
    and not exists (select 1 from tax_invoice f where f.invoice_id = i.id and f.status not in ('REPLACED', 'CANCELLED'))
  union all
  select null, i.id, i.code, i.operating_unit_id, i.territory_id, i.customer_id, null, i.posting_date, i.period, null, i.dpp, i.dpp_other, i.ppn, 0, 0 from container_move i
  where i.status = 1 and i.kind = 'LOST' and i.dpp_other > 0
    and not exists (select 1 from tax_invoice f where f.container_move_id = i.id and f.status not in ('REPLACED', 'CANCELLED')))`

/** A container lost as an invoice is looked at: it names no address of its own. */
const lostContainers = sql`(select c.*, null::bigint as bill_to_id from container_move c)`

/** The buyer of invoice `i` as the tax office is told of him. */
const buyerOfInvoice = sql`
  select k.document, case k.document when 'TIN' then c.npwp when 'NIK' then c.nik else c.tax_id_number end as number,
    coalesce(nullif(c.tax_name, ''), nullif(c.legal_name, ''), c.name) as name, coalesce(nullif(c.tax_address, ''), (select a.address from customer_address a where a.id = i.bill_to_id)) as address,
    coalesce(c.tax_email, c.email) as email, c.nitku
  from customer c cross join lateral (select coalesce(c.tax_id_type, case when c.npwp ~ '^[0-9]{16}$' then 'TIN' when c.nik ~ '^[0-9]{16}$' then 'NIK' else 'OTHER' end) as document) k
  where c.id = i.customer_id`

/** Drafts of the tax invoices that are owed for a month, `scope` over `i`; answers their ids. */
export function newDrafts(period: string, scope: Sql, userId: number | null, at: string): Sql {
  return sql`
    insert into tax_invoice (code, status, direction, operating_unit_id, territory_id, invoice_id, container_move_id, customer_id, doc_date, period, trx_code, dpp, dpp_other, ppn, advance_dpp, advance_ppn,
      buyer_document, buyer_number, buyer_name, buyer_address, buyer_email, buyer_nitku, created_by, created_at)
    select i.code || case when n.before = 0 then '' else '-N' || n.before end, 'DRAFT', 'OUT', i.operating_unit_id, i.territory_id, i.invoice_id, i.container_move_id, i.customer_id, i.day, ${period},
      coalesce(i.trx_code, c.trx_code, m.default_trx_code), i.dpp, i.dpp_other, i.ppn, i.advance_dpp, i.advance_ppn,
      b.document, b.number, b.name, b.address, b.email, b.nitku, ${userId}::bigint, ${at}::timestamptz
    from ${owing} i join customer c on c.id = i.customer_id join operating_unit o on o.id = i.operating_unit_id join company m on m.id = o.company_id
    cross join lateral (${buyerOfInvoice}) b
    cross join lateral (select count(*) as before from tax_invoice p where (p.invoice_id = i.invoice_id or p.container_move_id = i.container_move_id) and p.replaces_id is null) n
    where i.period = ${period} and m.is_pkp and ${scope} order by i.invoice_id, i.container_move_id returning id`
}

/** The tax invoice of an invoice that has left the house and still counts. */
export function sentTaxInvoice(tx: Queries, id: number, of: 'invoice' | 'container_move' = 'invoice'): Promise<{ readonly code: string; readonly status: State } | undefined> {
  return tx.first(sql`select code, status from tax_invoice where ${ident(`${of}_id`)} = ${id} and status in ('EXPORTED', 'APPROVED', 'WAITING_CANCEL') order by id desc limit 1 for update`)
}

/** An invoice undone owes no tax invoice any more. */
export async function dropTaxDrafts(context: CommandContext, id: number, of: 'invoice' | 'container_move' = 'invoice'): Promise<void> {
  const rows = await context.tx.rows<{ id: number }>(sql`update tax_invoice set status = 'CANCELLED', version = version + 1 where ${ident(`${of}_id`)} = ${id} and status = 'DRAFT' returning id`)
  for (const row of rows) await log(context, row.id, 'cancelled', 'DRAFT', 'CANCELLED')
}

async function draft(context: CommandContext, period: string): Promise<number> {
  const { tx, user, now } = context
  const undone = await tx.rows<{ id: number }>(sql`
    update tax_invoice t set status = 'CANCELLED', version = t.version + 1 from invoice i where i.id = t.invoice_id and i.status in (6, 7) and t.status = 'DRAFT' and t.period = ${period} and ${scoped(user)} returning t.id`)
  for (const { id } of undone) await log(context, id, 'cancelled', 'DRAFT', 'CANCELLED')
  // What was wrong with a buyer is mended at the customer: a draft follows him until it leaves the house.
  for (const [table, column] of [[sql`invoice`, sql`invoice_id`], [lostContainers, sql`container_move_id`]] as const) await tx.run(sql`
    update tax_invoice t set buyer_document = b.document, buyer_number = b.number, buyer_name = b.name, buyer_address = b.address, buyer_email = b.email, buyer_nitku = b.nitku, version = t.version + 1
    from ${table} i cross join lateral (${buyerOfInvoice}) b where i.id = t.${column} and t.status = 'DRAFT' and t.period = ${period} and ${scoped(user)}
      and (t.buyer_document, t.buyer_number, t.buyer_name, t.buyer_address, t.buyer_email, t.buyer_nitku) is distinct from (b.document, b.number, b.name, b.address, b.email, b.nitku)`)
  // Advances used since, or taken back, are its buyer's to find in the right tax invoice.
  await tx.run(sql`
    update tax_invoice t set dpp = x.dpp, dpp_other = x.dpp_other, ppn = x.ppn, advance_dpp = x.advance_dpp, advance_ppn = x.advance_ppn, version = t.version + 1, status = case when x.dpp > 0 then 'DRAFT' else 'CANCELLED' end
    from invoice i cross join lateral (${amountsLeft}) x where i.id = t.invoice_id and t.status = 'DRAFT' and t.period = ${period} and ${scoped(user)} and (t.advance_dpp, t.advance_ppn) is distinct from (x.advance_dpp, x.advance_ppn)`)
  const scope = columnScope(user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'i') ?? sql`true`
  const rows = await tx.rows<{ id: number }>(newDrafts(period, scope, user.id, now.toISOString()))
  const at = now.toISOString()
  for (const { id } of rows) await writeLog(tx, { docType: 'tax_invoice', docId: id, at, actorId: user.id, action: 'create' })
  return rows.length
}

/** Tax invoices whose lines are read together. */
const slice = 100

interface Content {
  readonly id: number
  readonly code: string
  readonly invoice: TaxInvoice
}

/** Tax invoices as they go to Coretax, in the order of their ids. */
export async function contents(tx: Queries, ids: readonly number[]): Promise<readonly Content[]> {
  const heads = await tx.rows<Row & { id: number; code: string }>(sql`
    select t.*, m.npwp || coalesce(o.nitku_suffix, '000000') as seller_place from tax_invoice t join operating_unit o on o.id = t.operating_unit_id join company m on m.id = o.company_id
    where t.id = any(${[...ids]}::bigint[]) order by t.id`)
  const lines = await tx.rows<Row & { id: number }>(sql`
    select t.id, l.qty, round(l.gross * v.rate, 2) as gross, round(l.dpp * v.rate, 2) as dpp, round(l.dpp_other * v.rate, 2) as dpp_other, round(l.ppn * v.rate, 2) as ppn, l.ppn_rate, coalesce(l.description, k.name, '-') as name, coalesce(k.coretax_goods_code, '000000') as goods, coalesce(u.coretax_unit, 'UM.0033') as unit
    from tax_invoice t join invoice v on v.id = t.invoice_id join invoice_line l on l.invoice_id = t.invoice_id left join item k on k.id = l.item_id left join item_uom u on u.item_id = l.item_id and u.uom = l.uom
    where t.id = any(${[...ids]}::bigint[]) and not l.is_free order by t.id, l.line_no, l.id`)
  lines.push(...(await tx.rows<Row & { id: number }>(sql`
    select t.id, 1 as qty, t.dpp as gross, t.dpp, t.dpp_other, round(t.dpp_other * c.ppn_rate / 100, 2) as ppn, c.ppn_rate, '000000' as goods, 'UM.0033' as unit,
      'Wadah tidak kembali ' || (select string_agg(k.code, ', ' order by k.code) from container_move_line l join inventory_container k on k.id = l.inventory_container_id where l.container_move_id = c.id) as name
    from tax_invoice t join container_move c on c.id = t.container_move_id where t.id = any(${[...ids]}::bigint[])`)))
  const byInvoice = new Map<number, Row[]>()
  for (const line of lines) byInvoice.set(line.id, [...(byInvoice.get(line.id) ?? []), line])
  return heads.map((head) => ({
    id: head.id,
    code: head.code,
    invoice: {
      day: text(head, 'doc_date').slice(0, 10), trxCode: text(head, 'trx_code'), addInfo: text(head, 'add_info'), facilityStamp: text(head, 'facility_stamp'), reference: head.code,
      sellerPlace: text(head, 'seller_place'), ppn: text(head, 'ppn'),
      buyer: { document: text(head, 'buyer_document') as BuyerDocument, number: text(head, 'buyer_number'), name: text(head, 'buyer_name'), address: text(head, 'buyer_address'), email: text(head, 'buyer_email'), place: text(head, 'buyer_nitku') },
      lines: linesOf(byInvoice.get(head.id) ?? [], head),
    },
  }))
}

function text(row: Row, name: string): string {
  return row[name] === null || row[name] === undefined ? '' : String(row[name])
}

function linesOf(rows: readonly Row[], head: Row): readonly PostedLine[] {
  const lines = rows.map((line) => ({
    name: text(line, 'name'), isService: false, goodsCode: text(line, 'goods'), unit: text(line, 'unit'), qty: text(line, 'qty'), gross: text(line, 'gross'), dpp: text(line, 'dpp'), dppOther: text(line, 'dpp_other'), ppn: text(line, 'ppn'), rate: text(line, 'ppn_rate'),
  }))
  return isZero(text(head, 'advance_dpp')) ? lines : withoutAdvances(lines, text(head, 'dpp'))
}

/** Everything of a file, some tax invoices at a time. */
export async function* contentsOf(queries: Queries, batchId: number): AsyncGenerator<readonly Content[]> {
  const rows = await queries.rows<{ id: number }>(sql`select id from tax_invoice where tax_invoice_batch_id = ${batchId} order by id`)
  for (let at = 0; at < rows.length; at += slice) yield contents(queries, rows.slice(at, at + slice).map((row) => row.id))
}

type Report = Parameters<Parameters<NonNullable<DocumentHooks['beforeSave']>>[0]['problem']>[0]

/** 17 digits that begin with transaction code and status; the old form of 16 for days before 2025. Given once. */
async function checkNumber({ tx, user }: Pick<CommandContext, 'tx' | 'user'>, faktur: Row, number: string, id: number, report: (problem: Report) => void): Promise<void> {
  const prefix = `${String(faktur['trx_code'])}${String(faktur['status_code'])}`
  const isOld = number.length === 16 && String(faktur['doc_date']).slice(0, 10) < '2025-01-01'
  if (!isOld && (number.length !== 17 || !number.startsWith(prefix))) return report(wrong('FakturNumber', 'NOT_A_CHOICE.faktur-code', { prefix }))
  const other = await tx.first<{ code: string | null }>(sql`select case when ${scoped(user)} then t.code end as code from tax_invoice t where t.faktur_number = ${number} and t.id <> ${id}`)
  if (other !== undefined) report(other.code === null ? wrong('FakturNumber', 'DUPLICATE') : wrong('FakturNumber', 'DUPLICATE.faktur', { code: other.code }))
}

/** Coretax's refusal, in its words and ours. */
const refusals = /reject|invalid|gagal|tolak|error|batal|cancel/i

/** People enter only the answer of Coretax; a number means that it is approved. */
export const taxInvoiceHooks: DocumentHooks = {
  writable: true,
  creatable: false,
  computed: [
    'code', 'status', 'direction', 'operating_unit_id', 'territory_id', 'invoice_id', 'container_move_id', 'customer_id', 'doc_date', 'period', 'trx_code', 'status_code', 'dpp', 'dpp_other', 'ppn', 'advance_dpp', 'advance_ppn', 'buyer_document', 'buyer_number',
    'buyer_name', 'buyer_address', 'buyer_email', 'buyer_nitku', 'replaces_id', 'tax_invoice_batch_id', 'reason_text', 'created_by', 'created_at',
  ],
  async beforeSave({ context, before, header, problem: report }) {
    if (before === undefined) return
    const answered = (['faktur_number', 'approved_on', 'djp_status'] as const).filter((name) => Object.hasOwn(header, name) && header[name] !== before[name])
    if (answered.length > 0 && before['status'] !== 'EXPORTED' && before['status'] !== 'APPROVED') return report(wrong('FakturNumber', 'READ_ONLY.tax-answer'))
    const number = Object.hasOwn(header, 'faktur_number') ? header['faktur_number'] : before['faktur_number']
    if (typeof number === 'string' && number !== before['faktur_number']) await checkNumber(context, before, number, before.id, report)
    if (before['status'] === 'APPROVED' && (typeof number !== 'string' || number === '')) report(wrong('FakturNumber', 'REQUIRED'))
    const word = header['djp_status'] ?? before['djp_status']
    const isRefused = typeof word === 'string' && refusals.test(word)
    if (before['status'] === 'EXPORTED' && typeof number === 'string' && number !== '' && !isRefused) {
      const day = header['approved_on'] ?? before['approved_on']
      Object.assign(header, { status: 'APPROVED', approved_on: isDate(day) ? day : context.today })
    }
  },
  async afterSave({ context, before }) {
    const batch = before?.['tax_invoice_batch_id']
    if (typeof batch !== 'number') return
    await context.tx.run(sql`
      update tax_invoice_batch b set status = 'ANSWERED', version = version + 1 where b.id = ${batch} and b.status = 'EXPORTED'
        and not exists (select 1 from tax_invoice t where t.tax_invoice_batch_id = b.id and t.status = 'EXPORTED')`)
  },
}

/** What of a tax month is not answered yet, with the lists that show it. */
export async function taxObstacles(context: Pick<CommandContext, 'tx' | 'user' | 'metadata'>, period: string, operatingUnitId: number | null): Promise<readonly Obstacle[]> {
  const { tx, user } = context
  const unit = (alias: 't' | 'i'): Sql => (operatingUnitId === null ? sql`true` : alias === 't' ? sql`t.operating_unit_id = ${operatingUnitId}` : sql`i.operating_unit_id = ${operatingUnitId}`)
  const row = await tx.first<{ drafts: number; missing: number }>(sql`
    select (select count(*)::int from tax_invoice t where t.period = ${period} and t.status in ('DRAFT', 'EXPORTED') and ${unit('t')}) as drafts,
      (select count(*)::int from ${owing} i join operating_unit o on o.id = i.operating_unit_id join company m on m.id = o.company_id where i.period = ${period} and m.is_pkp and ${unit('i')}) as missing`)
  const obstacles: Obstacle[] = []
  const add = (key: 'closing.tax-drafts' | 'closing.tax-missing', count: number, path: string | undefined): void => {
    if (count > 0) obstacles.push({ ...said({ key, params: { count } }), ...(path === undefined ? {} : { path }) })
  }
  add('closing.tax-drafts', row?.drafts ?? 0, listPlace(context, user, 'tax_invoice', [{ field: 'period', op: 'eq', value: period }, { field: 'status', op: 'in', value: ['DRAFT', 'EXPORTED'] }]))
  const ofMonth = listPlace(context, user, 'tax_invoice', [{ field: 'period', op: 'eq', value: period }])
  const missing = row?.missing ?? 0
  // So many fit into an address; beyond that nothing of the month has been drafted yet.
  const codes = missing > 100 ? [] : await tx.rows<{ code: string }>(sql`
    select i.code from ${owing} i join operating_unit o on o.id = i.operating_unit_id join company m on m.id = o.company_id where i.period = ${period} and i.invoice_id is not null and m.is_pkp and ${unit('i')} and ${columnScope(user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'i') ?? sql`true`} order by i.invoice_id`)
  const these = codes.length === 0 ? undefined : listPlace(context, user, 'invoice', [{ field: 'code', op: 'in', value: codes.map(({ code }) => code) }])
  add('closing.tax-missing', missing, these ?? ofMonth)
  if (these !== undefined && ofMonth !== undefined) obstacles.push({ ...said({ key: 'closing.tax-draft', params: {} }), path: ofMonth })
  return obstacles
}

/** A tax month closes when everything in it is answered; by whom and when is the server's to say. */
export const taxPeriodHooks: DocumentHooks = {
  computed: ['closed_by', 'closed_at'],
  async beforeSave({ context, before, header, problem }) {
    const number = (name: string): string => String((Object.hasOwn(header, name) ? header[name] : before?.[name]) ?? '')
    const [first, last, next] = [number('nsfp_from'), number('nsfp_to'), number('next')]
    if (first !== '' && last !== '' && !isWithin(last, first, last)) problem(wrong('NsfpTo', 'TOO_SMALL.nsfp'))
    if (next !== '' && !isWithin(next, first, last)) problem(wrong('Next', 'NOT_IN_SCOPE.nsfp'))
    const to = header['status']
    if (to === undefined || to === before?.['status']) return
    if (to !== 'CLOSED') return void Object.assign(header, { closed_by: null, closed_at: null })
    const period = String(header['period'] ?? before?.['period'])
    const obstacles = await taxObstacles(context, period, null)
    if (obstacles.length > 0) fail('ILLEGAL_TRANSITION.tax-period-blocked', { period: monthOf(period) }, { obstacles })
    Object.assign(header, { closed_by: context.user.id, closed_at: context.now.toISOString() })
  },
}

/** Numbers of tax invoices of one length, compared as they are read. */
function isWithin(number: string, first: string, last: string): boolean {
  return first !== '' && number.length === first.length && number >= first && (last === '' || (number.length === last.length && number <= last))
}
