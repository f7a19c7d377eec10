import { metadata } from '#generated/metadata.ts'
import type { Clock, Database, Queries, Row } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { ident, sql } from '#server/db/sql.ts'
import { accountGroups, accounts, accountType, type AccountSeed } from './accounts.ts'
import { approvalMatrix } from './approvals.ts'
import { changeLog } from './changeLog.ts'
import { typedValue } from '#server/setup/behaviour.ts'
import { idsByCode, insertMissing, must } from './insertMissing.ts'
import { legalTexts } from './legal.ts'
import { numberSeries } from './numberSeries.ts'
import { genericTemplate, genericTemplateCode } from './ocrTemplate.ts'
import { openPeriods } from './periods.ts'
import { reasons } from './reasons.ts'
import { granted, roles } from './roles.ts'
import {
  agingBuckets, allocationRules, behaviour, behaviourWithoutEffect, claimTypes, defaultTaxCode, expenseTypes, exposureIncludes, financeAccounts, financeBehaviour, promotionTypes, roundedCurrency, roundedDocuments, taxCodes, taxValidFrom, tolerances, writeOffParameters,
} from './settings.ts'

/**
 * What every installation needs before its first document, whatever the company: chart of accounts, posting rules, series, reasons,
 * settings, permissions, roles, menu, approval matrix and open periods. Safe to run at every start: only adds what is missing and never
 * touches what somebody has changed. Several processes may start at once: one works, the others wait.
 */
export async function installReference(database: Database, clock: Clock): Promise<void> {
  const stamp: Stamp = { created_at: clock.now().toISOString(), updated_at: clock.now().toISOString() }
  await alone(database, async (tx) => {
    await installAccounts(tx, stamp)
    const accountIds = await idsByCode(tx, 'account')
    await installPostingRules(tx, accountIds, stamp)
    await installSettings(tx, accountIds, stamp)
    await installCompanySettings(tx)
    await installAccess(tx, stamp)
    await insertMissing(tx, 'legal_text', ['kind', 'version', 'language'], legalTexts.map((text) => ({ ...text })))
    await insertMissing(tx, 'change_log', ['version', 'language', 'sort_order'], changeLog())
    await insertMissing(tx, 'approval_matrix', ['code'], approvalMatrix.map((row) => ({
      code: row.code, doc_type: row.docType, transition: row.transition, condition_code: row.condition ?? null, min_amount: row.min,
      max_amount: row.max ?? null, level: row.level, approver_kind: 'ROLE', approver_ref: row.role, mode: 'ANY', sla_hours: row.hours,
      valid_from: taxValidFrom, ...master(stamp),
    })))
    await installScanTemplate(tx, stamp)
    await openPeriods(tx, clock)
  })
}

/** The template for invoices of any vendor, while there is none. */
async function installScanTemplate(tx: Queries, stamp: Stamp): Promise<void> {
  const made = await tx.first<{ id: number }>(sql`
    insert into ocr_template (code, name, is_active, created_at, updated_at, version) select ${genericTemplateCode}, 'Faktur umum', true, ${stamp.created_at}, ${stamp.updated_at}, 1
    where not exists (select 1 from ocr_template where code = ${genericTemplateCode}) returning id`)
  if (made === undefined) return
  const types = { text: 'TEXT', date: 'DAY_MONTH_YEAR', money: 'AMOUNT', digits: 'DIGITS' } as const
  for (const [i, { field, type, anchor, pattern }] of genericTemplate(made.id).fields.entries()) {
    await tx.run(sql`
      insert into ocr_template_field (ocr_template_id, line_no, field, type, anchor, pattern)
      values (${made.id}, ${i + 1}, ${field === 'invoice_date' ? 'ISSUED_ON' : field.toUpperCase()}, ${types[type]}, ${anchor}, ${pattern})`)
  }
}

/** Keeps the accounting calendar ahead of the day; any number of processes may, at any time. */
export function keepCalendar(database: Database, clock: Clock): Promise<void> {
  return alone(database, (tx) => openPeriods(tx, clock))
}

/** In a transaction that no other process's runs beside. */
function alone(database: Database, work: (tx: Queries) => Promise<void>): Promise<void> {
  return database.transaction(async (tx) => {
    // "arus" again, one on from that of the migrations; held to the end of this transaction.
    await tx.run(sql`select pg_advisory_xact_lock(1634891124)`)
    await work(tx)
  })
}

/** Finance settings of companies that have none yet; call after adding a company. */
export async function installCompanySettings(tx: Queries): Promise<void> {
  const companies = await tx.rows<{ id: number }>(sql`select id from company`)
  const codes = await idsByCode(tx, 'account')
  await insertMissing(tx, 'setting_finance', ['company_id'], companies.map(({ id }) => ({
    company_id: id, aging_bucket: agingBuckets, exposure_includes: exposureIncludes, deposit_vat: false,
    ...Object.fromEntries(financeBehaviour.map((key) => [key, behaviour[key]])),
    ...Object.fromEntries(Object.entries(financeAccounts).map(([column, code]) => [column, must(codes, code)])),
  })))
}

interface Stamp {
  readonly created_at: string
  readonly updated_at: string
}

function master(stamp: Stamp): Row {
  return { is_active: true, version: 1, ...stamp }
}

async function installAccounts(tx: Queries, stamp: Stamp): Promise<void> {
  const row = (account: AccountSeed, isPostable: boolean): Row => ({
    code: account.code, name: account.name, name_id: account.nameId, type: accountType(account.code), normal: account.normal,
    is_control: account.control !== undefined, control_kind: account.control ?? null, parent_code: isPostable ? account.code.slice(0, 3) : null,
    is_postable: isPostable, ...master(stamp),
  })
  await insertMissing(tx, 'account', ['code'], [...accountGroups.map((account) => row(account, false)), ...accounts.map((account) => row(account, true))])
}

/** An event whose lines are already there is the finance manager's, and stays. */
async function installPostingRules(tx: Queries, accountIds: ReadonlyMap<string, number>, stamp: Stamp): Promise<void> {
  const known = await tx.rows<{ event: string }>(sql`select distinct event from posting_rule`)
  const events = new Set(known.map((row) => row.event))
  const rows = Object.values(metadata.postings).filter((posting) => !events.has(posting.event)).flatMap((posting) =>
    posting.lines.map((line) => ({
      event: posting.event, line_no: line.line, amount_key: line.amount, side: line.side, account_selector: line.account,
      account_id: /^\d+$/.test(line.account) ? must(accountIds, line.account) : null, selector: {}, priority: 0, ...master(stamp),
    })),
  )
  await insertMissing(tx, 'posting_rule', ['event', 'line_no', 'side', 'amount_key', 'priority', 'selector'], rows)
}

async function installSettings(tx: Queries, accountIds: ReadonlyMap<string, number>, stamp: Stamp): Promise<void> {
  const account = (code: string | undefined): number | null => (code === undefined ? null : must(accountIds, code))
  await insertMissing(tx, 'number_series', ['code'], numberSeries.map((series) => ({ ...series, operating_unit_id: null, ...master(stamp) })))
  await insertMissing(tx, 'reason', ['code'], reasons.map((reason) => ({
    code: reason.code, name: reason.name, usage: reason.usage, action: reason.action ?? null, posting_account_id: account(reason.account),
    needs_note: reason.needsNote ?? false, needs_attachment: false, is_dispute: reason.isDispute ?? false, redelivers: reason.redelivers ?? false, tolerance_usage: reason.tolerance ?? null, ...master(stamp),
  })))
  await insertMissing(tx, 'tolerance', ['usage', 'operating_unit_id'], tolerances.map(([usage, amount, percent, code]) => ({
    usage, amount, percent, operating_unit_id: null, account_id: account(code), ...master(stamp),
  })))
  await insertMissing(tx, 'rounding_rule', ['doc_type', 'currency'], roundedDocuments.map((docType) => ({
    doc_type: docType, currency: roundedCurrency, unit: '1', mode: 'HALF_UP', scope: 'TOTAL', gain_account_id: account('421101'), loss_account_id: account('613104'), ...master(stamp),
  })))
  await insertMissing(tx, 'tax_code', ['code'], taxCodes.map(([code, name, kind, rate, numerator, denominator, trxCode, accountCode]) => ({
    code, name, kind, rate, base_numerator: numerator, base_denominator: denominator, trx_code: trxCode, account_id: account(accountCode),
    is_default: code === defaultTaxCode, valid_from: taxValidFrom, ...master(stamp),
  })))
  await installMasters(tx, account, stamp)
  await insertMissing(tx, 'setting_oms', ['key', 'operating_unit_id'], Object.entries(behaviour).map(([key, value]) => ({
    key, value, ...typedValue(value), description: key, operating_unit_id: null, ...master(stamp), is_active: !behaviourWithoutEffect.has(key),
  })))
  // What a setting does is told by the catalogues, under its key; older installations have the text itself.
  await tx.run(sql`update setting_oms set description = key where key = any(${Object.keys(behaviour)}::text[]) and description is distinct from key`)
}

async function installMasters(tx: Queries, account: (code: string) => number | null, stamp: Stamp): Promise<void> {
  const taxes = await idsByCode(tx, 'tax_code')
  const tax = (code: string | null): number | null => (code === null ? null : must(taxes, code))
  await insertMissing(tx, 'expense_type', ['code'], expenseTypes.map(([code, name, usage, accountCode, pph, ppn]) => ({
    code, name, usage, account_id: account(accountCode), pph_code_id: tax(pph), ppn_code_id: tax(ppn), ...master(stamp),
  })))
  await insertMissing(tx, 'credit_note_promo_type', ['code'], claimTypes.map(([code, name, treatment, accountCode, principalCode, ppn, faktur, pph, documents, days]) => ({
    code, name, treatment, debit_account_id: account(accountCode), principal_account_id: principalCode === null ? null : account(principalCode), has_ppn: ppn, needs_faktur: faktur,
    pph_code_id: tax(pph), pph_rate: taxCodes.find(([taxCode]) => taxCode === pph)?.[3] ?? '0', required_docs: documents, max_claim_age_days: days, ...master(stamp),
  })))
  const claims = await idsByCode(tx, 'credit_note_promo_type')
  await insertMissing(tx, 'promotion_type', ['code'], promotionTypes.map(([code, name, mechanism, funding, claim, documents, accountCode, claimType]) => ({
    code, name, mechanism, funding, claim_required: claim, required_docs: documents, debit_account_id: account(accountCode),
    credit_note_promo_type_id: claimType === null ? null : must(claims, claimType), ...master(stamp),
  })))
  await insertMissing(tx, 'write_off_parameter', ['code'], writeOffParameters.map(([code, name, age, item, all, evidence, method, accountCode, category]) => ({
    code, name, category, min_age_days: age, max_amount_per_item: item, max_total: all, required_evidence: evidence, method, account_id: account(accountCode), valid_from: taxValidFrom, ...master(stamp),
  })))
  await insertMissing(tx, 'allocation_rule', ['code'], allocationRules.map(([code, name, domain, priority, method]) => ({ code, name, domain, priority, method, reserved_pct: '0', ...master(stamp) })))
}

/**
 * Guards, roles and menu. A role is given once what the product means it to hold: what an administrator has taken away stays taken away, and
 * what a new version gives reaches the roles it is meant for, with the menu entries that come with it.
 */
async function installAccess(tx: Queries, stamp: Stamp): Promise<void> {
  await insertMissing(tx, 'permission', ['guard_name'], metadata.guards.map((guard) => ({ guard_name: guard.name, module: guard.module, source: 'OMS' })))
  const guards = metadata.guards.map((guard) => guard.name)
  const knownRoles = await textSet(tx, 'role', 'code')
  await insertMissing(tx, 'role', ['code'], roles.map((role) => ({
    code: role.code, name: role.name, description: role.description, is_system: true, ...master(stamp),
  })))
  const roleIds = await idsByCode(tx, 'role')
  const pair = (role: string, guard: string): string => `${role} ${guard}`
  const given = new Set((await tx.rows<{ role_code: string; guard_name: string }>(sql`select role_code, guard_name from shipped_grant`)).map((row) => pair(row.role_code, row.guard_name)))
  const fresh = roles.flatMap((role) => granted(role, guards).filter((guard) => !knownRoles.has(role.code) || !given.has(pair(role.code, guard))).map((guard) => ({ role, guard })))
  await insertMissing(tx, 'role_permission', ['role_id', 'guard_name'], fresh.map(({ role, guard }) => ({ role_id: must(roleIds, role.code), guard_name: guard })))
  await insertMissing(tx, 'shipped_grant', ['role_code', 'guard_name'], fresh.map(({ role, guard }) => ({ role_code: role.code, guard_name: guard })))
  await installMenu(tx, fresh.map(({ role, guard }) => ({ roleId: must(roleIds, role.code), guard })))
}

/** `fresh`: permissions just given to roles; the entries they lead to come with them. */
async function installMenu(tx: Queries, fresh: readonly { readonly roleId: number; readonly guard: string }[]): Promise<void> {
  const entries: { readonly id: number; readonly guards: readonly string[]; readonly isNew: boolean }[] = []
  const groups = new Map<number | null, Placed[]>([[null, []]])
  for (const [order, node] of metadata.menu.entries()) {
    const parent = await menuEntry(tx, { name: node.name, url: null, parent_id: null, icon: node.icon, sort_order: order, module: node.name, label: node.label })
    entries.push({ ...parent, guards: node.submenu.flatMap((entry) => entry.guard ?? []) })
    groups.get(null)?.push(parent)
    const group: Placed[] = []
    groups.set(parent.id, group)
    for (const [place, entry] of node.submenu.entries()) {
      const child = await menuEntry(tx, { name: entry.name, url: entry.url, parent_id: parent.id, icon: null, sort_order: place, module: node.name, label: entry.label })
      // An entry of queues is for whoever decides in one of them.
      entries.push({ ...child, guards: entry.guard === undefined ? node.submenu.flatMap(({ under, guard }) => (under === entry.url && guard !== undefined ? [guard] : [])) : [entry.guard] })
      group.push(child)
    }
  }
  await placeEntries(tx, groups)
  // Groups whose entries have all moved elsewhere.
  await tx.run(sql`delete from role_menu where menu_id in (select g.id from menu g where g.parent_id is null and g.url is null and not exists (select 1 from menu e where e.parent_id = g.id))`)
  await tx.run(sql`delete from menu g where g.parent_id is null and g.url is null and not exists (select 1 from menu e where e.parent_id = g.id)`)
  const held = await tx.rows<{ role_id: number; guard_name: string }>(sql`select role_id, guard_name from role_permission`)
  const holders = new Map<string, Set<number>>()
  for (const row of held) holders.set(row.guard_name, (holders.get(row.guard_name) ?? new Set()).add(row.role_id))
  await insertMissing(tx, 'role_menu', ['role_id', 'menu_id'], entries.flatMap(({ id, guards, isNew }) => {
    const roleIds = new Set(isNew ? guards.flatMap((guard) => [...(holders.get(guard) ?? [])]) : fresh.filter(({ guard }) => guards.includes(guard)).map(({ roleId }) => roleId))
    return [...roleIds].map((roleId) => ({ role_id: roleId, menu_id: id, can_view: true }))
  }))
}

/**
 * Places of the entries of each group. A group nobody has ordered stands as it is shipped; in one that somebody has, what is new stands behind the entry it is
 * shipped behind, wherever that has been moved to, and nothing else moves.
 */
async function placeEntries(tx: Queries, groups: ReadonlyMap<number | null, readonly Placed[]>): Promise<void> {
  const stored = await tx.rows<{ id: number; parent_id: number | null; sort_order: number }>(sql`select id, parent_id, sort_order from menu order by sort_order, id`)
  const moved = await tx.rows<{ parent_id: number | null }>(sql`
    select distinct m.parent_id from document_log l join menu m on m.id = l.doc_id where l.doc_type = 'menu' and l.diff::text like '%"sort_order"%'`)
  const ordered = new Set(moved.map((row) => row.parent_id))
  const places: { id: number; place: number }[] = []
  for (const [parentId, shipped] of groups) {
    const now = stored.filter((row) => row.parent_id === parentId)
    const news = new Set(shipped.filter((entry) => !ordered.has(parentId) || entry.isNew || entry.isMoved).map(({ id }) => id))
    const order = now.map(({ id }) => id).filter((id) => !news.has(id))
    for (const [at, { id }] of shipped.entries()) {
      if (!news.has(id)) continue
      const behind = order.indexOf(shipped[at - 1]?.id ?? 0)
      const before = shipped.slice(at + 1).map((next) => order.indexOf(next.id)).find((place) => place >= 0)
      order.splice(behind >= 0 ? behind + 1 : (before ?? order.length), 0, id)
    }
    if (order.some((id, place) => now[place]?.id !== id) || now.some((row, at) => at > 0 && row.sort_order === now[at - 1]?.sort_order)) places.push(...order.map((id, place) => ({ id, place })))
  }
  if (places.length > 0) await tx.run(sql`update menu m set sort_order = x.place from ${recordset(places, { id: 'bigint', place: 'integer' }, 'x')} where m.id = x.id and m.sort_order <> x.place`)
}

interface Placed {
  readonly id: number
  readonly isNew: boolean
  readonly isMoved?: boolean
}

interface MenuEntry {
  readonly name: string
  readonly url: string | null
  readonly parent_id: number | null
  readonly icon: string | null
  readonly sort_order: number
  readonly module: string
  readonly label: string
}

/** Of a path that stands elsewhere or under another name the entry is moved, with the roles that see it; what is switched off stays so. */
async function menuEntry(tx: Queries, entry: MenuEntry): Promise<Placed> {
  if (entry.url !== null) {
    const moved = await tx.first<{ id: number }>(sql`
      update menu m set name = ${entry.name}, parent_id = ${entry.parent_id}, module = ${entry.module}, label = ${entry.label}, is_active = m.is_active and p.is_active from menu p
      where m.url = ${entry.url} and p.id = m.parent_id and (m.name <> ${entry.name} or m.parent_id <> ${entry.parent_id}) returning m.id`)
    if (moved !== undefined) return { id: moved.id, isNew: false, isMoved: true }
  }
  const find = sql`select id from menu where name = ${entry.name} and url is not distinct from ${entry.url}::text and parent_id is not distinct from ${entry.parent_id}::bigint`
  const have = await tx.first<{ id: number }>(find)
  if (have !== undefined) return { id: have.id, isNew: false }
  await insertMissing(tx, 'menu', ['name', 'url', 'parent_id'], [{ ...entry, is_active: true }])
  const made = await tx.first<{ id: number }>(find)
  if (made === undefined) throw new Error(`Menu entry ${entry.name} was not written`)
  return { id: made.id, isNew: true }
}

async function textSet(tx: Queries, table: string, column: string): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ value: string }>(sql`select ${ident(column)} as value from ${ident(table)}`)
  return new Set(rows.map((row) => row.value))
}
