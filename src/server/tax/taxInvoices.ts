import type { RowResult } from '#api/data.ts'
import type { Obstacle } from '#api/problems.ts'
import { grouped } from '#base/decimal.ts'
import { isDate } from '#base/date.ts'
import { faultOf, mostInFile } from '#domain/tax/coretax.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Effect, Precondition, Queries, Row, User } from '#server/context.ts'
import { insertRows, reserveIds } from '#server/db/insertRows.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { listPlace } from '#server/documents/places.ts'
import { fail, invalid, problem, refusedRow, wrong } from '#server/problemError.ts'
import { said, tell } from '#server/sentences.ts'
import { eachRow } from '#server/workflow/eachRow.ts'
import { insertDocument, numberOf, numberOrNull } from '#server/workflow/newDocument.ts'
import { linkDeposit, newDrafts, owedNow, owing, referenceTo, refreshedDrafts, taxed, type Taxed } from './owedTax.ts'
import { contents, slice } from './taxContents.ts'

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
  await insertRows(tx, 'tax_invoice', [{ ...kept, ...(await owedNow(tx, old)), id: next, code, status: 'APPROVED', status_code: statusCode, faktur_number: number, approved_on: params['ApprovedOn'], replaces_id: id, tax_invoice_batch_id: null, reason_text: null, created_by: own.user.id, created_at: own.now.toISOString() }])
  await linkDeposit(tx, next)
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

/** The tax invoice of an invoice, or of what else has one, that has left the house and still counts. */
export function sentTaxInvoice(tx: Queries, id: number, of: Taxed = 'invoice'): Promise<{ readonly code: string; readonly status: State } | undefined> {
  return tx.first(sql`select code, status from tax_invoice where ${referenceTo(of)} = ${id} and status in ('EXPORTED', 'APPROVED', 'WAITING_CANCEL') order by id desc limit 1 for update`)
}

/** What is undone owes no tax invoice any more: one that has left the house is cancelled with its buyer first. */
export async function assertUntaxed(tx: Queries, id: number, of: Taxed): Promise<void> {
  const faktur = await sentTaxInvoice(tx, id, of)
  if (faktur !== undefined) fail('ILLEGAL_TRANSITION.document-taxed', { faktur: faktur.code, state: { key: `enum.${faktur.status}` } })
}

/** Of any document that is undone whole. */
export const taxInvoiceUnsent: Precondition = ({ tx, entity, current }) => assertUntaxed(tx, current.id, taxedEntity(entity.id))
export const dropTaxInvoice: Effect = async (context) => {
  await taxInvoiceUnsent(context)
  await dropTaxDrafts(context, context.current.id, taxedEntity(context.entity.id))
}

function taxedEntity(name: string): Taxed {
  const of = taxed.find((known) => known === name)
  if (of === undefined) throw new Error(`${name} has no tax invoices`)
  return of
}

/** What is undone owes no tax invoice any more: drafts go. */
export async function dropTaxDrafts(context: CommandContext, id: number, of: Taxed = 'invoice'): Promise<void> {
  const rows = await context.tx.rows<{ id: number }>(sql`update tax_invoice set status = 'CANCELLED', version = version + 1 where ${referenceTo(of)} = ${id} and status = 'DRAFT' returning id`)
  for (const row of rows) await log(context, row.id, 'cancelled', 'DRAFT', 'CANCELLED')
}

async function draft(context: CommandContext, period: string): Promise<number> {
  const { tx, user, now } = context
  for (const of of taxed) {
    const dropped = await tx.rows<{ id: number; status: State }>(refreshedDrafts(of, sql`t.period = ${period} and ${scoped(user)}`))
    for (const { id, status } of dropped) if (status === 'CANCELLED') await log(context, id, 'cancelled', 'DRAFT', 'CANCELLED')
  }
  const scope = columnScope(user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'i') ?? sql`true`
  const rows = await tx.rows<{ id: number }>(newDrafts(period, scope, user.id, now.toISOString()))
  const at = now.toISOString()
  for (const { id } of rows) await writeLog(tx, { docType: 'tax_invoice', docId: id, at, actorId: user.id, action: 'create' })
  return rows.length
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
    'code', 'status', 'direction', 'operating_unit_id', 'territory_id', 'invoice_id', 'container_move_id', 'customer_deposit_id', 'customer_id', 'doc_date', 'period', 'trx_code', 'status_code', 'dpp', 'dpp_other', 'ppn', 'advance_dpp', 'advance_ppn', 'buyer_document', 'buyer_number',
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
