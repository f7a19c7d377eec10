import { dayText, isDate, periodOf, type DateText } from '#base/date.ts'
import { compare, exact, fixed, grouped, isZero, money, type Decimal } from '#base/decimal.ts'
import { wireName } from '#base/wireName.ts'
import type { Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { scopeCondition } from '#server/access/scope.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'
import { changeBalances, lockBalances, moveStock } from '#server/inventory/stock.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import { payableAccount } from '#server/payables/vendorInvoice.ts'
import { looseNumber, numberKey } from '#server/payables/vendorNumber.ts'
import { fail, wrong } from '#server/problemError.ts'
import { allocate, deallocate } from '#server/receivables/allocations.ts'
import { arAccountOf } from '#server/receivables/creditEffects.ts'
import { setting } from '#server/settings.ts'
import { tell } from '#server/sentences.ts'
import { insertDocument, logStatusChanges, numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { dayIsFixed } from '#server/workflow/periods.ts'
import { accountCode, post, reverse, type PostingSource } from './post.ts'

/** Where what is taken over stands against until everything is: zero when the set is complete. */
export const suspenseAccount = '331101'

type Section = 'AR' | 'CN' | 'DEPOSIT' | 'AP' | 'DN' | 'ADVANCE' | 'STOCK' | 'BANK' | 'CASH' | 'GL'

interface Rules {
  /** Columns without which there is no such balance. */
  readonly needs: readonly string[]
  /** Column and table that tell the operating unit. */
  readonly home: readonly [column: string, table: string]
}

const partnerItem = { needs: ['vendor_id', 'doc_no', 'due_date', 'remaining', 'unit_id'], home: ['unit_id', 'operating_unit'] } as const
const customerItem = { needs: ['customer_id', 'doc_no', 'remaining'], home: ['customer_id', 'customer'] } as const

const sections: Readonly<Record<Section, Rules>> = {
  AR: { needs: [...customerItem.needs, 'total', 'due_date'], home: customerItem.home },
  CN: customerItem,
  DEPOSIT: customerItem,
  AP: partnerItem,
  DN: partnerItem,
  ADVANCE: partnerItem,
  STOCK: { needs: ['item_id', 'warehouse_id', 'qty', 'unit_cost'], home: ['warehouse_id', 'warehouse'] },
  BANK: { needs: ['house_bank_id', 'amount'], home: ['house_bank_id', 'house_bank'] },
  CASH: { needs: ['cash_account_id', 'amount'], home: ['cash_account_id', 'cash_account'] },
  GL: { needs: ['account_id', 'unit_id'], home: ['unit_id', 'operating_unit'] },
}

function sectionOf(row: Row): Section {
  const found = Object.keys(sections).find((known): known is Section => known === row['section'])
  if (found === undefined) throw new Error(`Unknown section ${String(row['section'])}`)
  return found
}

/** Our own numbers go on without gaps; a document taken over never takes one of them. */
const ownNumber = /^[A-Z]+\/[^/]+\/\d{4}\/\d+$/

export const openingBalanceHooks: DocumentHooks = {
  computed: ['operating_unit_id', 'territory_id', 'posting_date', 'made_id'],
  async beforeSave(saving) {
    const row: Row = { ...saving.before, ...saving.header }
    const section = sectionOf(row)
    for (const column of sections[section].needs) {
      const value = row[column]
      if (value === null || value === undefined || (typeof value === 'string' && /^[0.]*$/.test(value))) saving.problem(wrong(wireName(column), 'REQUIRED'))
    }
    const home = await homeOf(saving.context.tx, section, row)
    if (home === undefined) return
    Object.assign(saving.header, { operating_unit_id: home.unit, territory_id: home.territory })
    const day = await cutOver(saving.context.tx, home.unit)
    // A line of the balance sheet is as of the day itself.
    if (!['AR', 'CN', 'DEPOSIT', 'AP', 'DN', 'ADVANCE'].includes(section)) saving.header['doc_date'] = day
    else if (textOf(row, 'doc_date') > day) saving.problem(wrong('DocDate', 'TOO_LATE.cut-over', { day: dayText(day) }))
    saving.header['posting_date'] = day
    for (const column of ['remaining', 'qty', 'unit_cost', 'total'] as const) {
      if (compare(String(row[column] ?? '0'), '0') < 0) saving.problem(wrong(wireName(column), 'TOO_SMALL', { limit: '0' }))
    }
    // What is there already is asked while nobody else takes over the same.
    await saving.context.tx.exclusive(`opening balances ${section}`, async () => check[section]?.(saving, row, day))
  },
  async standsFor(queries, ids) {
    const rows = await queries.rows<{ id: number; section: string; made_id: number }>(sql`select id, section, made_id from opening_balance where id = any(${[...ids]}::bigint[]) and made_id is not null`)
    const kinds = { AR: 'invoice', AP: 'vendor_invoice', ADVANCE: 'vendor_advance', CN: 'credit_note', DEPOSIT: 'customer_deposit', DN: 'debit_note' } as const
    return new Map(rows.flatMap((row) => {
      const entity = Object.entries(kinds).find(([section]) => section === row.section)?.[1]
      return entity === undefined ? [] : [[row.id, { entity, id: row.made_id }] as const]
    }))
  },
  async afterImport(queries) {
    const open = await suspense(queries, null)
    return open.length === 0 ? undefined : tell('warning.suspense', { account: suspenseAccount, amount: open })
  },
}

async function homeOf(tx: Queries, section: Section, row: Row): Promise<{ readonly unit: number; readonly territory: number | null } | undefined> {
  const [column, table] = sections[section].home
  const id = row[column]
  if (typeof id !== 'number') return undefined
  const [unit, territory] = [table === 'operating_unit' ? 'id' : 'operating_unit_id', table === 'customer' ? sql`territory_id` : sql`null::bigint`]
  return tx.first<{ unit: number; territory: number | null }>(sql`select ${ident(unit)} as unit, ${territory} as territory from ${ident(table)} where id = ${id}`)
}

/** The day everything is taken over on; refused while opening balances are not open or no day is set. */
async function cutOver(tx: Queries, unit: number): Promise<DateText> {
  if (!(await setting(tx, 'begbal_open', unit, false))) fail('ILLEGAL_TRANSITION.opening-closed')
  const day = await setting(tx, 'cut_over_date', unit, '')
  return isDate(day) ? day : fail('VALIDATION_FAILED.cut-over')
}

/** What is still against the suspense account, of one unit or of all, by company and currency: debits less credits. What one company is short of, another cannot have too much. */
export async function suspense(queries: Queries, unit: number | null): Promise<readonly string[]> {
  const rows = await queries.rows<{ company: string; currency: string; open: Decimal; is_only: boolean }>(sql`
    select c.code as company, j.currency, sum(l.debit - l.credit)::numeric(18,2) as open, not exists (select 1 from company o where o.id <> c.id) and j.currency = c.base_currency as is_only
    from journal_line l join journal j on j.id = l.journal_id join account a on a.id = l.account_id join operating_unit u on u.id = j.operating_unit_id join company c on c.id = u.company_id
    where a.code = ${suspenseAccount} and (${unit}::bigint is null or j.operating_unit_id = ${unit}::bigint)
    group by c.id, c.code, c.base_currency, j.currency having sum(l.debit - l.credit) <> 0 order by c.code, j.currency`)
  return rows.map(({ company, currency, open, is_only: isOnly }) => (isOnly ? grouped(open) : `${company} ${currency} ${grouped(open)}`))
}

/** What the sections ask beyond what all do. */
const check: { readonly [section in Section]?: (saving: Saving, row: Row, day: DateText) => Promise<void> } = {
  async AR(saving, row) {
    if (compare(String(row['remaining']), String(row['total'])) > 0) saving.problem(wrong('Remaining', 'TOO_LARGE.total', { limit: grouped(money(String(row['total']))) }))
    await checkNumber(saving, row, sql`select code from invoice where code = ${row['doc_no']}`)
  },
  CN: (saving, row) => checkNumber(saving, row, sql`select code from credit_note where code = ${row['doc_no']}`),
  DEPOSIT: (saving, row) => checkNumber(saving, row, sql`select code from customer_deposit where code = ${row['doc_no']}`),
  async AP(saving, row) {
    await checkPartnerItem(saving, row)
    await checkFree(saving, 'DocNo', 'vendor_invoice', sql`coalesce(t.code, 'DRAFT-' || t.id)`, sql`t.vendor_id = ${row['vendor_id']}::bigint and t.number_key = ${numberKey(String(row['doc_no'] ?? ''))} and t.status not in (6, 7)`)
  },
  DN: checkPartnerItem,
  async ADVANCE(saving, row) {
    await checkPartnerItem(saving, row)
    await checkFree(saving, 'DocNo', 'vendor_advance', sql`coalesce(t.code, 'DRAFT-' || t.id)`, sql`t.vendor_id = ${row['vendor_id']}::bigint and t.vendor_doc_no = ${row['doc_no']} and t.status <> 7`)
  },
  async STOCK(saving, row) {
    const found = await saving.context.tx.first(sql`
      select w.stock_class, i.is_batch from warehouse w, item i where w.id = ${row['warehouse_id']}::bigint and i.id = ${row['item_id']}::bigint`)
    if (found !== undefined && found['stock_class'] !== 'UNRESTRICTED') saving.problem(wrong('WarehouseID', 'NOT_A_CHOICE.own-stock'))
    if (found?.['is_batch'] === true && (row['batch'] ?? '') === '') saving.problem(wrong('Batch', 'REQUIRED'))
  },
  async BANK(saving, row) {
    await checkFree(saving, 'HouseBankID', 'bank_statement', sql`coalesce(t.code, t.statement_no)`, sql`t.house_bank_id = ${row['house_bank_id']}::bigint and t.status <> 7`)
  },
  CASH: (saving, row) => checkOnce(saving, 'CashAccountID', sql`section = 'CASH' and cash_account_id = ${row['cash_account_id']}::bigint`),
  async GL(saving, row) {
    const sides = ['debit', 'credit'].filter((side) => !isZero(String(row[side] ?? '0')))
    if (sides.length !== 1) saving.problem(wrong('Debit', 'INVALID.one-side'))
    for (const side of sides) if (compare(String(row[side]), '0') < 0) saving.problem(wrong(wireName(side), 'TOO_SMALL', { limit: '0' }))
    const account = await saving.context.tx.first<{ code: string; is_postable: boolean; control_kind: string | null }>(sql`select code, is_postable, control_kind from account where id = ${row['account_id']}::bigint`)
    if (account === undefined) return
    // Tax accounts have no open items behind them: their balance can be taken over nowhere else.
    if (!account.is_postable || account.code === suspenseAccount || (account.control_kind !== null && account.control_kind !== 'TAX')) {
      saving.problem(wrong('AccountID', 'NOT_A_CHOICE.control', { account: account.code }))
    }
    await checkOnce(saving, 'AccountID', sql`section = 'GL' and account_id = ${row['account_id']}::bigint and unit_id = ${row['unit_id']}::bigint`)
  },
}

async function checkNumber(saving: Saving, row: Row, taken: Sql): Promise<void> {
  if (ownNumber.test(String(row['doc_no']))) saving.problem(wrong('DocNo', 'INVALID.own-number'))
  if ((await saving.context.tx.first(taken)) !== undefined) saving.problem(wrong('DocNo', 'DUPLICATE.opening', { document: String(row['doc_no']) }))
}

async function checkPartnerItem(saving: Saving, row: Row): Promise<void> {
  await checkOnce(saving, 'DocNo', sql`section = ${row['section']} and vendor_id = ${row['vendor_id']}::bigint and doc_no = ${row['doc_no']}`)
}

async function checkOnce(saving: Saving, field: string, same: Sql): Promise<void> {
  await checkFree(saving, field, 'opening_balance', sql`coalesce(t.code, '#' || t.id)`, sql`${same} and t.status <> 7 and t.id <> ${saving.before?.id ?? 0}`)
}

/** That something is there must be said; which it is is told to whoever sees it alone. */
async function checkFree({ context, problem }: Saving, field: string, entityId: string, name: Sql, same: Sql): Promise<void> {
  const entity = knownEntity(context.metadata, entityId)
  const scope = scopeCondition(context.metadata, context.user, entity, 't') ?? sql`true`
  const other = await context.tx.first<{ name: string | null }>(sql`select case when ${scope} then ${name} end as name from ${ident(entity.table)} t where ${same} limit 1`)
  if (other !== undefined) problem(other.name === null ? wrong(field, 'DUPLICATE') : wrong(field, 'DUPLICATE.opening', { document: other.name }))
}

interface Taking {
  readonly context: TransitionContext
  readonly row: Row & { readonly id: number }
  readonly unit: number
  readonly day: DateText
  /** The balance itself as source of its journal. */
  readonly source: PostingSource
  readonly common: { readonly operatingUnitId: number; readonly date: DateText; readonly description: string }
}

/** Writes the open item, the stock or the balance, and books it against the suspense account. */
export const postOpeningBalance: Effect = async (context) => {
  const row = context.current
  const unit = numberOf(row, 'operating_unit_id')
  const day = await cutOver(context.tx, unit)
  const section = sectionOf(row)
  await context.assertPeriodOpen([modules[section]], unit, day)
  const source = { type: 'opening_balance', id: row.id, code: textOf(row, 'code') }
  context.set({ posting_date: day, period: periodOf(day) })
  const made = await take[section]({ context, row, unit, day, source, common: { operatingUnitId: unit, date: day, description: `Opening balance ${source.code}` } })
  if (made !== undefined) context.set({ made_id: made })
}

const modules = { AR: 'AR', CN: 'AR', DEPOSIT: 'AR', AP: 'AP', DN: 'AP', ADVANCE: 'AP', STOCK: 'ST', BANK: 'CB', CASH: 'CB', GL: 'GL' } as const satisfies Record<Section, string>

/** What each section becomes; answers the id of the document made. */
const take: Readonly<Record<Section, (taking: Taking) => Promise<number | undefined>>> = {
  AR: takeInvoice,
  CN: takeCreditNote,
  DEPOSIT: takeDeposit,
  AP: takePayable,
  DN: takeDebitNote,
  ADVANCE: takeAdvance,
  STOCK: takeStock,
  BANK: takeBank,
  CASH: takeCash,
  GL: takeLedger,
}

/** An invoice as it stood: its whole amount, and what of it was settled before. Only what is open is in the books. */
async function takeInvoice({ context, row, unit, day, common }: Taking): Promise<number> {
  const { tx } = context
  const customerId = numberOf(row, 'customer_id')
  const account = await arAccountOf(tx, customerId)
  const customer = await tx.first(sql`
    select c.payment_term_id, c.salesman_id, p.net_days, p.baseline, p.cash_discount_pct, p.cash_discount_days from customer c join payment_term p on p.id = c.payment_term_id where c.id = ${customerId}`)
  const [total, remaining] = [textOf(row, 'total'), textOf(row, 'remaining')]
  const code = textOf(row, 'doc_no')
  const { id } = await insertDocument(context, 'invoice', {
    operating_unit_id: unit, territory_id: numberOrNull(row, 'territory_id'), code, status: 1, invoice_type: 'BEGBAL', doc_date: textOf(row, 'doc_date'), posting_date: day,
    baseline_date: textOf(row, 'doc_date'), due_date: textOf(row, 'due_date'), customer_id: customerId, payment_term_id: customer?.['payment_term_id'] ?? null,
    net_days: customer?.['net_days'] ?? 0, baseline: customer?.['baseline'] ?? 'INVOICE', cash_discount_pct: customer?.['cash_discount_pct'] ?? '0', cash_discount_days: customer?.['cash_discount_days'] ?? null,
    salesman_id: row['salesman_id'] ?? customer?.['salesman_id'] ?? null, ar_account_id: account.id, gross: total, dpp: total, total, remaining: total,
  })
  const journalId = await post(context, {
    ...common, event: 'OB_AR', source: { type: 'invoice', id, code },
    amounts: [{
      key: 'total', amount: remaining, account: account.code, partnerKind: 'CUSTOMER', partnerId: customerId, territoryId: numberOrNull(row, 'territory_id'),
      openItemType: 'invoice', openItemId: id, dueDate: textOf(row, 'due_date'),
    }],
  })
  const settled = money(exact(total).minus(remaining))
  if (!isZero(settled)) await allocate(context, { type: 'opening_balance', id: row.id, date: day, journalId }, [{ invoiceId: id, sourceType: 'OPENING', sourceId: row.id, amount: settled }])
  return id
}

async function takeCreditNote({ context, row, unit, day, common }: Taking): Promise<number> {
  const customerId = numberOf(row, 'customer_id')
  const account = await arAccountOf(context.tx, customerId)
  const [total, code] = [textOf(row, 'remaining'), textOf(row, 'doc_no')]
  const { id } = await insertDocument(context, 'credit_note', {
    operating_unit_id: unit, territory_id: numberOrNull(row, 'territory_id'), code, status: 1, kind: 'BEGBAL', doc_date: textOf(row, 'doc_date'), posting_date: day, customer_id: customerId,
    dpp: total, ppn: '0.00', pph: '0.00', total, remaining: total, ar_account_id: account.id, funding: 'COMPANY', principal_share: '0.00',
  })
  await post(context, {
    ...common, event: 'OB_CN', source: { type: 'credit_note', id, code },
    amounts: [{ key: 'total', amount: total, account: account.code, partnerKind: 'CUSTOMER', partnerId: customerId, territoryId: numberOrNull(row, 'territory_id'), openItemType: 'credit_note', openItemId: id }],
  })
  return id
}

async function takeDeposit({ context, row, unit, day, common }: Taking): Promise<number> {
  const customerId = numberOf(row, 'customer_id')
  const [amount, code] = [textOf(row, 'remaining'), textOf(row, 'doc_no')]
  const { id } = await insertDocument(context, 'customer_deposit', {
    operating_unit_id: unit, territory_id: numberOrNull(row, 'territory_id'), code, status: 1, origin: 'BEGBAL', doc_date: textOf(row, 'doc_date'), posting_date: day, customer_id: customerId,
    method: 'TRANSFER', amount, remaining: amount,
  })
  await post(context, {
    ...common, event: 'OB_DEP', source: { type: 'customer_deposit', id, code },
    amounts: [{ key: 'amount', amount, partnerKind: 'CUSTOMER', partnerId: customerId, territoryId: numberOrNull(row, 'territory_id'), openItemType: 'customer_deposit', openItemId: id }],
  })
  return id
}

/** A vendor's invoice as far as it is open; its number is ours for him, since several may use the same. */
async function takePayable({ context, row, unit, day, common }: Taking): Promise<number> {
  const vendorId = numberOf(row, 'vendor_id')
  const vendor = await context.tx.first<{ code: string; ap_account_group: string; payment_term_id: number | null }>(sql`select code, ap_account_group, payment_term_id from business_partner where id = ${vendorId}`)
  const account = await payableAccount(context.tx, unit, vendor?.ap_account_group === 'NON_TRADE' ? 'NON_TRADE' : 'TRADE')
  const [total, number, dueDate] = [textOf(row, 'remaining'), textOf(row, 'doc_no'), textOf(row, 'due_date')]
  const code = `${vendor?.code ?? ''}-${number}`
  const { id } = await insertDocument(context, 'vendor_invoice', {
    operating_unit_id: unit, territory_id: null, code, status: 1, kind: 'BEGBAL', doc_date: textOf(row, 'doc_date'), posting_date: day, due_date: dueDate, vendor_id: vendorId, vendor_invoice_no: number,
    number_key: numberKey(number), number_loose: looseNumber(number), payment_term_id: vendor?.payment_term_id ?? null, dpp: total, ppn: '0.00', pph: '0.00', total, remaining: total, account_id: account,
    validation_status: 'VALID', cash_discount_pct: '0', discount: '0.00', faktur_later: false,
  })
  await post(context, {
    ...common, event: 'OB_AP', source: { type: 'vendor_invoice', id, code },
    amounts: [{ key: 'total', amount: total, account: await accountCode(context.tx, account), partnerKind: 'VENDOR', partnerId: vendorId, openItemType: 'vendor_invoice', openItemId: id, dueDate, memo: number }],
  })
  return id
}

/** An advance as far as it is paid and not used: nothing of it is to be paid any more. */
async function takeAdvance({ context, row, unit, day, common }: Taking): Promise<number> {
  const vendorId = numberOf(row, 'vendor_id')
  const vendor = await context.tx.first<{ code: string }>(sql`select code from business_partner where id = ${vendorId}`)
  const [amount, number, dueDate] = [textOf(row, 'remaining'), textOf(row, 'doc_no'), textOf(row, 'due_date')]
  const code = `${vendor?.code ?? ''}-${number}`
  const { id } = await insertDocument(context, 'vendor_advance', {
    operating_unit_id: unit, territory_id: null, code, status: 1, origin: 'BEGBAL', doc_date: textOf(row, 'doc_date'), posting_date: day, due_date: dueDate, vendor_id: vendorId, vendor_doc_no: number,
    amount, ppn: '0.00', total: amount, unpaid: amount, paid: '0.00', applied: '0.00', remaining: '0.00',
  })
  const journalId = await post(context, {
    ...common, event: 'OB_DN', source: { type: 'vendor_advance', id, code },
    amounts: [{ key: 'advance', amount, partnerKind: 'VENDOR', partnerId: vendorId, openItemType: 'vendor_advance', openItemId: id, dueDate, memo: number }],
  })
  await allocate(context, { type: 'opening_balance', id: row.id, date: day, journalId }, [{ invoiceId: null, item: { type: 'vendor_advance', id }, sourceType: 'OPENING', sourceId: row.id, amount }])
  return id
}

/** What a vendor owes, as a debit note of ours; its number is ours for him. */
async function takeDebitNote({ context, row, unit, day, common }: Taking): Promise<number> {
  const vendorId = numberOf(row, 'vendor_id')
  const vendor = await context.tx.first<{ code: string }>(sql`select code from business_partner where id = ${vendorId}`)
  const [total, number, dueDate] = [textOf(row, 'remaining'), textOf(row, 'doc_no'), textOf(row, 'due_date')]
  const code = `${vendor?.code ?? ''}-${number}`
  const { id } = await insertDocument(context, 'debit_note', {
    operating_unit_id: unit, territory_id: null, code, status: 1, kind: 'BEGBAL', doc_date: textOf(row, 'doc_date'), posting_date: day, due_date: dueDate, vendor_id: vendorId, reference_no: number,
    dpp: total, ppn: '0.00', adjusted: '0.00', total, remaining: total,
  })
  await post(context, {
    ...common, event: 'OB_DN', source: { type: 'debit_note', id, code },
    amounts: [{ key: 'claim', amount: total, partnerKind: 'VENDOR', partnerId: vendorId, openItemType: 'debit_note', openItemId: id, dueDate, memo: number }],
  })
  return id
}

async function takeStock({ context, row, unit, day, source }: Taking): Promise<undefined> {
  const cost = money(exact(textOf(row, 'qty')).times(textOf(row, 'unit_cost')))
  await receiveStock(context, {
    kind: 'OB_STOCK', date: day, operatingUnitId: unit, warehouseId: numberOf(row, 'warehouse_id'), source,
    lines: [{ itemId: numberOf(row, 'item_id'), batch: textOrNull(row, 'batch') ?? '', qty: textOf(row, 'qty'), cost }],
  })
}

/** The first statement of the account, without lines: the next one begins where it ends. */
async function takeBank({ context, row, unit, day, source, common }: Taking): Promise<number> {
  const bankId = numberOf(row, 'house_bank_id')
  const bank = await context.tx.first<{ code: string; gl_account_id: number }>(sql`select code, gl_account_id from house_bank where id = ${bankId}`)
  const { id } = await insertDocument(context, 'bank_statement', {
    operating_unit_id: unit, territory_id: null, code: await context.nextNumber('BS', unit, day), status: 3, doc_date: day, posting_date: day, house_bank_id: bankId,
    statement_no: source.code, opening_balance: '0.00', closing_balance: textOf(row, 'amount'),
  })
  await post(context, { ...common, event: 'OB_BANK', source, amounts: [{ key: 'bank', amount: textOf(row, 'amount'), account: await accountCode(context.tx, bank?.gl_account_id ?? 0), memo: bank?.code ?? '' }] })
  return id
}

async function takeCash({ context, row, source, common }: Taking): Promise<undefined> {
  const cash = await context.tx.first<{ code: string; gl_account_id: number }>(sql`select code, gl_account_id from cash_account where id = ${numberOf(row, 'cash_account_id')}`)
  await post(context, { ...common, event: 'OB_BANK', source, amounts: [{ key: 'bank', amount: textOf(row, 'amount'), account: await accountCode(context.tx, cash?.gl_account_id ?? 0), memo: cash?.code ?? '' }] })
}

async function takeLedger({ context, row, source, common }: Taking): Promise<undefined> {
  const amount = money(exact(textOf(row, 'debit')).minus(textOf(row, 'credit')))
  await post(context, { ...common, event: 'OB_GL', source, amounts: [{ key: 'amount', amount, account: await accountCode(context.tx, numberOf(row, 'account_id')) }] })
}

/** Only what nothing has come of yet may be taken back, and only while opening balances are open. */
export const openingBalanceIsUntouched: Precondition = async ({ tx, record }) => {
  await cutOver(tx, numberOf(record, 'operating_unit_id'))
  const used = await touched(tx, sectionOf(record), record)
  if (used) fail('ILLEGAL_TRANSITION.opening-used', { document: textOrNull(record, 'doc_no') ?? textOf(record, 'code') })
}

async function touched(tx: Queries, section: Section, record: Row & { readonly id: number }): Promise<boolean> {
  const made = numberOrNull(record, 'made_id')
  const asked: { readonly [section in Section]?: Sql } = {
    AR: sql`
      select 1 from invoice i where i.id = ${made} and (i.status not in (1, 2) or i.pending_transition is not null
        or exists (select 1 from ar_allocation a where a.invoice_id = i.id and a.reversed_at is null and a.source_type <> 'OPENING'))`,
    CN: sql`select 1 from credit_note where id = ${made} and (status <> 1 or remaining <> total or pending_transition is not null)`,
    DEPOSIT: sql`select 1 from customer_deposit where id = ${made} and (status <> 1 or remaining <> amount or pending_transition is not null)`,
    AP: sql`select 1 from vendor_invoice where id = ${made} and (status <> 1 or remaining <> total or pending_transition is not null)`,
    ADVANCE: sql`select 1 from vendor_advance where id = ${made} and (remaining <> amount or pending_transition is not null)`,
    DN: sql`select 1 from debit_note where id = ${made} and (status <> 1 or remaining <> total or adjusted <> 0 or pending_transition is not null)`,
    BANK: sql`select 1 from bank_statement b where b.house_bank_id = (select house_bank_id from bank_statement where id = ${made}) and b.id <> ${made} and b.status <> 7`,
  }
  const statement = asked[section]
  return statement !== undefined && (await tx.first(statement)) !== undefined
}

export const reverseOpeningBalance: Effect = async (context) => {
  const { tx, record } = context
  const section = sectionOf(record)
  const day = textOf(record, 'posting_date')
  const made = numberOrNull(record, 'made_id')
  const own = { type: 'opening_balance', id: record.id, code: textOf(record, 'code') }
  await dayIsFixed(context.assertPeriodOpen([modules[section]], numberOf(record, 'operating_unit_id'), day))
  const back = (event: Parameters<typeof reverse>[1]['event'], source: PostingSource = own): Promise<number | null> =>
    reverse(context, { source, event }, { source, date: day, description: `Opening balance ${own.code} taken back` })
  const code = textOrNull(record, 'doc_no') ?? own.code
  switch (section) {
    case 'AR':
      return dropInvoice(context, made ?? 0, await back('OB_AR', { type: 'invoice', id: made ?? 0, code }), day)
    case 'CN':
      await tx.run(sql`update credit_note set status = 7, remaining = 0, code = code || ${`~${record.id}`}, version = version + 1, updated_at = ${context.now.toISOString()} where id = ${made}`)
      await logStatusChanges(context, 'credit_note', 'reverse', [{ id: made ?? 0, from: 1, to: 7 }])
      return void (await back('OB_CN', { type: 'credit_note', id: made ?? 0, code }))
    case 'DEPOSIT':
      await tx.run(sql`update customer_deposit set status = 7, remaining = 0, code = code || ${`~${record.id}`}, version = version + 1, updated_at = ${context.now.toISOString()} where id = ${made}`)
      await logStatusChanges(context, 'customer_deposit', 'reverse', [{ id: made ?? 0, from: 1, to: 7 }])
      return void (await back('OB_DEP', { type: 'customer_deposit', id: made ?? 0, code }))
    case 'AP':
      // Those taken over before invoices of vendors existed stand in the ledger alone.
      if (made === null) return void (await back('OB_AP'))
      await tx.run(sql`update vendor_invoice set status = 7, remaining = 0, code = code || ${`~${record.id}`}, version = version + 1, updated_at = ${context.now.toISOString()} where id = ${made}`)
      await logStatusChanges(context, 'vendor_invoice', 'reverse', [{ id: made, from: 1, to: 7 }])
      return void (await back('OB_AP', { type: 'vendor_invoice', id: made, code }))
    case 'DN':
      if (made === null) return void (await back('OB_DN'))
      await tx.run(sql`update debit_note set status = 7, remaining = 0, code = code || ${`~${record.id}`}, version = version + 1, updated_at = ${context.now.toISOString()} where id = ${made}`)
      await logStatusChanges(context, 'debit_note', 'reverse', [{ id: made, from: 1, to: 7 }])
      return void (await back('OB_DN', { type: 'debit_note', id: made, code }))
    case 'ADVANCE':
      // As those of invoices.
      if (made === null) return void (await back('OB_DN'))
      await deallocate(context, { type: 'opening_balance', id: record.id }, day)
      await tx.run(sql`update vendor_advance set status = 7, unpaid = 0, remaining = 0, code = code || ${`~${record.id}`}, version = version + 1, updated_at = ${context.now.toISOString()} where id = ${made}`)
      await logStatusChanges(context, 'vendor_advance', 'reverse', [{ id: made, from: 2, to: 7 }])
      return void (await back('OB_DN', { type: 'vendor_advance', id: made, code }))
    case 'STOCK':
      await dropStock(context, day)
      return void (await back('OB_STOCK'))
    case 'BANK':
      await tx.run(sql`update bank_statement set status = 7, version = version + 1, updated_at = ${context.now.toISOString()} where id = ${made}`)
      return void (await back('OB_BANK'))
    case 'CASH':
      return void (await back('OB_BANK'))
    case 'GL':
      return void (await back('OB_GL'))
  }
}

/** Its number is free again: the mended sheet brings the same document once more. */
async function dropInvoice(context: TransitionContext, id: number, journalId: number | null, day: DateText): Promise<void> {
  const { tx, record } = context
  const invoice = await tx.first<{ status: number; remaining: Decimal }>(sql`select status, remaining from invoice where id = ${id} for update`)
  await insertRows(tx, 'ar_allocation', [{
    invoice_id: id, source_type: 'REVERSAL', source_id: id, amount: fixed(invoice?.remaining ?? '0', 2), posting_date: day, journal_id: journalId, document_type: 'invoice', document_id: id,
    created_at: context.now.toISOString(),
  }])
  await tx.run(sql`
    update invoice set status = 6, remaining = 0, closed_on = ${day}::date, code = code || ${`~${record.id}`}, version = version + 1, updated_at = ${context.now.toISOString()} where id = ${id}`)
  await logStatusChanges(context, 'invoice', 'cancel', [{ id, from: invoice?.status ?? 1, to: 6 }])
}

/** Out again as it came in, as long as neither quantity nor value of it has moved on. */
async function dropStock(context: TransitionContext, day: DateText): Promise<void> {
  const { tx, record } = context
  const itemId = numberOf(record, 'item_id')
  const warehouseId = numberOf(record, 'warehouse_id')
  const unit = numberOf(record, 'operating_unit_id')
  const batch = textOrNull(record, 'batch') ?? ''
  const movement = await tx.first<{ id: number; qty: Decimal; cost_amount: Decimal }>(sql`
    select id, qty, cost_amount from stock_movement where doc_type = 'opening_balance' and doc_id = ${record.id} and movement_type = '561'`)
  if (movement === undefined) throw new Error(`Opening balance ${record.id} moved no stock`)
  const balance = (await lockBalances(tx, warehouseId, [itemId])).find((row) => row.batch === batch)
  const stock = await tx.first<{ qty: Decimal; value: Decimal }>(sql`
    select qty, value from stock_cost where item_id = ${itemId} and operating_unit_id = ${unit} and stock_class = 'UNRESTRICTED' for update`)
  const left = { qty: exact(stock?.qty ?? '0').minus(movement.qty), value: exact(stock?.value ?? '0').minus(movement.cost_amount) }
  const isGone = balance === undefined || exact(balance.on_hand).minus(balance.reserved).lt(movement.qty)
  if (isGone || left.qty.lt(0) || left.value.lt(0) || (left.qty.eq(0) && !left.value.eq(0))) fail('ILLEGAL_TRANSITION.opening-used', { document: textOf(record, 'code') })
  await changeBalances(tx, [{ id: balance.id, on_hand: fixed(exact(movement.qty).times(-1), 3), reserved: '0.000' }])
  await moveStock(context, {
    type: '562', date: day, operatingUnitId: unit, warehouseId, stockClass: 'UNRESTRICTED', docType: 'opening_balance', docId: record.id,
    moves: [{ itemId, batch, qty: fixed(exact(movement.qty).times(-1), 3), cost: money(exact(movement.cost_amount).times(-1)), lineId: null, reversalOf: movement.id }],
  })
}
