import { hasEntityGuard, requireEntityGuard, requireLookup } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Row, User } from '#server/context.ts'
import { join, sql, type Sql } from '#server/db/sql.ts'
import { likeText } from '#server/documents/conditionSql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { heldOf } from '#server/receivables/heldCredits.ts'
import type { Services } from '#server/services.ts'
import type { Api, Call } from './api.ts'
import { bodyOf, closedBodyOf, idOf, numberIn } from './read.ts'

const mostOptions = 5_000

/** The calls the specification names one by one, in its own spelling. */
export function specifiedEndpoints(api: Api): void {
  const tag = 'Specification'
  api.get(
    '/api/v1/master/operating-unit-with-territory/personal',
    { summary: 'Operating units of the user with his territories', tag, query: { is_head_office: 'true or 1: only the head office', is_include_ho: 'true or 1: the head office as well' } },
    async (call) => ({ records: await personalUnits(call) }),
  )
  api.get('/api/v1/master/customer/options', { summary: 'Customers in scope: ID, code, name', tag, query: { territory_id: 'Only of this territory; 0: all', search: 'In code or name' } }, async (call) => {
    const records = await customers(call)
    return { records, rows: records, customer: records }
  })
  api.get('/api/v1/payment/customer', { summary: 'Customers in scope: ID, code, name', tag, query: { search: 'In code or name' } }, async (call) => {
    const records = await customers(call)
    return { customer: records, records }
  })
  api.get('/api/v1/master/customer-address/ship-to', { summary: 'Ship-to addresses of a customer: ID, address', tag, query: { customer_id: 'Customer', search: 'In the address' } }, async (call) => {
    choosing(call, 'customer')
    const pattern = `%${likeText((call.query['search'] ?? '').slice(0, 200))}%`
    const customerId = numberIn(call.query, 'customer_id') ?? 0
    const records = await call.services.database.rows(sql`
      select a.id as "ID", a.code as "Code", a.address as "address", a.city as "City" from customer_address a join customer t on t.id = a.customer_id
      where a.customer_id = ${customerId} and a.kind = 'SHIP_TO' and a.is_active and a.address ilike ${pattern} ${within(call, 'customer')} order by a.is_default desc, a.code limit 500`)
    return { records }
  })
  api.get('/api/v1/customer-accounts', { summary: 'Payment accounts of a customer', tag, query: { customer_id: 'Customer' } }, async (call) => {
    choosing(call, 'customer')
    const records = await call.services.database.rows(sql`
      select a.id as "ID", a.bank_name, a.bank_id, a.account_name, a.account_number from customer_payment_account a join customer t on t.id = a.customer_id
      where a.customer_id = ${numberIn(call.query, 'customer_id') ?? 0} and a.is_active ${within(call, 'customer')} order by a.is_default desc, a.id limit 500`)
    return { records, rows: records }
  })
  const invoiceQuery = { customer_id: 'Customer', codes: 'Comma list of invoice numbers' }
  api.get('/api/v1/invoice/for-options', { summary: 'Open invoices to pay', tag, query: invoiceQuery }, async (call) => invoiceOptions(call, codesIn(call.query['codes'])))
  api.post('/api/v1/invoice/for-options', { summary: 'Open invoices by number', tag }, async (call) => invoiceOptions(call, codesIn(closedBodyOf(call, ['codes', 'customer_id']).codes)))
  api.get('/api/v1/payment/validate/code-invoice', { summary: 'Open invoice of a number', tag, query: { invoice_code: 'Number', customer_id: 'Customer' } }, async (call) =>
    invoiceOptions(call, codesIn(call.query['invoice_code'], 'invoice_code') ?? []))
  api.post('/api/v1/payment/validate/code-invoice', { summary: 'Open invoice of a number', tag }, async (call) => invoiceOptions(call, codesIn(closedBodyOf(call, ['invoice_code', 'customer_id']).invoice_code, 'invoice_code') ?? []))
  api.get('/api/v1/payment/reason-outstanding', { summary: 'Reasons why an invoice is not paid in full', tag }, async (call) => {
    choosing(call, 'reason')
    const records = await call.services.database.rows(sql`
      select id as "ID", code as "Code", name as "Name", action as "Action", needs_note as "NeedsNote" from reason
      where usage in ('OUTSTANDING', 'SHORT_PAYMENT') and is_active order by code collate "C"`)
    return { reason_outstanding: records, records }
  })
  api.get('/api/v1/cash-bank/form-bank/:id', { summary: 'House banks of an operating unit', tag }, async (call) => {
    choosing(call, 'house_bank')
    const records = await call.services.database.rows(sql`
      select t.id as "ID", t.code as "Code", t.name as "Name", b.name as "BankName", t.bank_id as "BankID", t.account_no as "AccountNumber", t.account_name as "AccountName"
      from house_bank t join bank b on b.id = t.bank_id where t.operating_unit_id = ${idOf(call)} and t.is_active ${within(call, 'house_bank')} order by t.code collate "C"`)
    return { operatingUnitBank: records, records }
  })
  api.get('/api/v1/payment/credit-note/list', { summary: 'Credit notes with something left', tag, query: { customer_id: 'Customer' } }, async (call) => {
    const records = await credits(call, 'credit_note')
    return { creditNote: records, records }
  })
  api.get('/api/v1/payment/cust-deposit/list', { summary: 'Customer deposits with something left', tag, query: { customer_id: 'Customer' } }, async (call) => {
    const records = await credits(call, 'customer_deposit')
    return { customerDeposit: records, records }
  })
}

/** Units with a territory of the user; territory ids as the specification gives them: of the user's own row, of the territory for those who see all. */
async function personalUnits(call: Call): Promise<Row[]> {
  const { services, user, query } = call
  const onlyHead = isYes(query['is_head_office'])
  const withHead = isYes(query['is_include_ho'])
  const units = knownEntity(services.metadata, 'operating_unit')
  const scope = scopeCondition(services.metadata, user, units, 't')
  const rows = await services.database.rows(sql`
    select t.id as "ID", t.code as "Code", t.name as "Name", t.is_head_office as "IsHeadOffice" from operating_unit t
    where t.is_active ${onlyHead ? sql`and t.is_head_office` : sql``} and (${scope ?? sql`true`} ${withHead ? sql`or t.is_head_office` : sql``}) order by t.code collate "C"`)
  const territories = await services.database.rows(
    user.territories === 'all'
      ? sql`select id as "ID", id as "TerritoryID", code as "TerritoryCode", name as "TerritoryName", operating_unit_id from territory where is_active order by code collate "C"`
      : sql`select ut.id as "ID", te.id as "TerritoryID", te.code as "TerritoryCode", te.name as "TerritoryName", ut.operating_unit_id
          from user_territory ut join territory te on te.id = ut.territory_id where ut.user_id = ${user.id} and te.is_active order by te.code collate "C"`,
  )
  return rows.map((row) => ({
    ...row,
    Territories: territories.filter((territory) => territory['operating_unit_id'] === row['ID']).map(({ operating_unit_id: _unit, ...territory }) => territory),
  }))
}

async function customers(call: Call): Promise<Row[]> {
  choosing(call, 'customer')
  const { query } = call
  const territory = numberIn(query, 'territory_id')
  const words = (query['search'] ?? '').trim().slice(0, 200)
  const pattern = `%${likeText(words)}%`
  return call.services.database.rows(sql`
    select t.id as "ID", t.code, t.name from customer t
    where t.is_active ${within(call, 'customer')} ${territory === undefined || territory === 0 ? sql`` : sql`and t.territory_id = ${territory}`}
      ${words === '' ? sql`` : sql`and (t.code ilike ${pattern} or t.name ilike ${pattern})`}
    order by t.code collate "C" limit ${numberIn(query, 'length') ?? mostOptions}`)
}

/** Open invoices: each is proposed to be paid in full. */
async function invoiceOptions(call: Call, codes: readonly string[] | undefined): Promise<object> {
  paying(call, 'invoice')
  const body = call.request.method === 'POST' ? bodyOf(call) : call.query
  const customer = Number(body['customer_id'] ?? 0)
  const tests: Sql[] = [sql`t.status in (1, 2)`, sql`t.remaining > 0`, sql`t.invoice_type <> 'REVERSAL'`]
  if (Number.isSafeInteger(customer) && customer > 0) tests.push(sql`t.customer_id = ${customer}`)
  if (codes !== undefined) tests.push(sql`lower(t.code) = any(${codes.map((code) => code.toLowerCase())}::text[])`)
  // Without customer and codes this would be every open invoice of the company.
  if (tests.length === 3) return { invoiceOptions: [], invoices: [], records: [] }
  const rows = await call.services.database.rows(sql`
    select t.id as "ID", t.code as "Code", t.doc_date as "DocDate", t.due_date as "DueDate", t.status as "Status", t.total as "Total", t.remaining as "Remaining", t.currency as "Currency",
      t.customer_id as "CustomerID", t.ship_to_id as "ShipToID", t.po_number as "PoNumber", t.dispute as "Dispute", t.version as "Version"
    from invoice t where ${join(tests, ' and ')} ${within(call, 'invoice')} order by t.due_date, t.id limit 2000`)
  const records = rows.map((row) => {
    const open = row['Status'] === 1 ? row['Total'] : row['Remaining']
    return { ...row, paid: open, PaidWithoutFormat: open, reason: '', Reason: null, ReasonText: '' }
  })
  return { invoiceOptions: records, invoices: records, records }
}

/** What is left of them, less what documents waiting for a decision will take. */
function credits(call: Call, entity: 'credit_note' | 'customer_deposit'): Promise<Row[]> {
  paying(call, entity)
  const [table, source] = entity === 'credit_note' ? [sql`credit_note`, 'CREDIT_NOTE' as const] : [sql`customer_deposit`, 'DEPOSIT' as const]
  return call.services.database.rows(sql`
    select t.id as "ID", t.code as "Code", t.doc_date as "DocDate", f.free as "Remaining", t.currency as "Currency" from ${table} t cross join lateral (select t.remaining - ${heldOf(source, sql`t.id`)} as free) f
    where f.free > 0 and t.status in (1, 2) and t.customer_id = ${numberIn(call.query, 'customer_id') ?? 0} ${within(call, entity)} order by t.doc_date, t.id limit 1000`)
}

/** For those who may choose such a record on a screen of theirs. */
function choosing(call: Call, entity: string): void {
  requireLookup(call.services.metadata, call.user, knownEntity(call.services.metadata, entity))
}

/** For those who may view such records, and for those who enter payments that use them up. */
function paying(call: Call, entity: string): void {
  const { metadata } = call.services
  const payment = knownEntity(metadata, 'ar_payment')
  const mayPay = hasEntityGuard(metadata, call.user, payment, 'create') || hasEntityGuard(metadata, call.user, payment, 'edit')
  if (!mayPay) requireEntityGuard(metadata, call.user, knownEntity(metadata, entity), 'view')
}

/** `and <scope>` over alias t. */
function within(call: { readonly services: Services; readonly user: User }, entity: string): Sql {
  const scope = scopeCondition(call.services.metadata, call.user, knownEntity(call.services.metadata, entity), 't')
  return scope ? sql`and ${scope}` : sql``
}

function codesIn(value: unknown, field = 'codes'): readonly string[] | undefined {
  if (value === undefined || value === '') return undefined
  const codes = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : undefined
  if (!codes || codes.length > 1_000 || !codes.every((code) => typeof code === 'string' && code.length <= 100 && !code.includes('\u0000'))) {
    return invalid([wrong(field, 'WRONG_TYPE.list', { limit: 1_000 })])
  }
  return codes.map((code: string) => code.trim()).filter((code) => code !== '')
}

function isYes(text: string | undefined): boolean {
  return text === 'true' || text === '1'
}

