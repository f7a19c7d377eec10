import { settingHooks } from './behaviour.ts'
import { comboHooks } from './comboHooks.ts'
import { companyHooks, financeHooks } from './finance.ts'
import { masterChangeHooks } from './masterChanges.ts'
import { keepPostingRule, keepSeries } from './waitingDocuments.ts'
import { sql } from '#server/db/sql.ts'
import type { Row } from '#server/context.ts'
import type { DocumentHookTable, Saving } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'

/** Entries without which nobody could bring back what was taken off the menu. */
const needed = ['/setting/menu', '/setting/user', '/setting/role', '/setting/role-menu']

/** What saving settings adds to the generic saving. Series and posting rules are of the program: changed, never added or removed. */
export const setupHooks: DocumentHookTable = {
  number_series: { creatable: false, computed: ['code', 'kind', 'doc_type', 'gapless', 'operating_unit_id'], beforeSave: keepSeries },
  posting_rule: { creatable: false, computed: ['event', 'line_no', 'amount_key', 'side', 'account_selector', 'selector'], beforeSave: keepPostingRule },
  combo: comboHooks,
  approval_matrix: { beforeSave: knownApprover },
  setting_oms: settingHooks,
  setting_finance: financeHooks,
  company: companyHooks,
  operating_unit: { beforeSave: ownPlaces },
  work_team_member: { beforeSave: ofOneUnit },
  master_change: masterChangeHooks,
  menu: { creatable: false, belongings: { role_menu: 'menu_id' }, computed: ['name', 'url', 'parent_id', 'module', 'label'], beforeSave: keepWayBack },
}

/** A level that names nobody would hold its documents for ever. */
async function knownApprover({ context, header, before, problem }: Saving): Promise<void> {
  const kind = String(header['approver_kind'] ?? before?.['approver_kind'])
  const name = String(header['approver_ref'] ?? before?.['approver_ref'] ?? '')
  const found = await context.tx.first(
    kind === 'ROLE' ? sql`select 1 from role where code = ${name} and is_active`
    : kind === 'USER' ? sql`select 1 from app_user where email = ${name.trim().toLowerCase()} and is_active`
    : sql`select 1 from employee where position = ${name} and is_active`,
  )
  if (!found) problem(wrong('ApproverRef', 'NOT_A_CHOICE.approver', { kind: { key: `enum.${kind}` }, name }))
}

/** What a unit uses unless said otherwise is its own. */
async function ownPlaces({ context, header, before, problem }: Saving): Promise<void> {
  const unit = before?.id ?? null
  const [warehouse, desk] = [header['default_warehouse_id'], header['default_cash_account_id']]
  if (typeof warehouse === 'number' && !(await context.tx.first(sql`select 1 from warehouse where id = ${warehouse} and operating_unit_id = ${unit}::bigint and kind = 'MAIN' and is_active`)))
    problem(wrong('DefaultWarehouseID', 'NOT_IN_SCOPE.own-warehouse'))
  if (typeof desk === 'number' && !(await context.tx.first(sql`select 1 from cash_account where id = ${desk} and operating_unit_id = ${unit}::bigint and is_active`)))
    problem(wrong('DefaultCashAccountID', 'NOT_IN_SCOPE.own-cash'))
}

/** Who joins a team is of its unit; who was in it before he or it moved may stay. */
async function ofOneUnit({ context, header, before, problem }: Saving): Promise<void> {
  const { work_team_id: team, employee_id: employee }: Row = { ...before, ...header }
  if (before !== undefined && before['employee_id'] === employee && before['work_team_id'] === team) return
  if (!(await context.tx.first(sql`select 1 from employee e join work_team t on t.operating_unit_id = e.operating_unit_id where e.id = ${employee}::bigint and t.id = ${team}::bigint`)))
    problem(wrong('EmployeeID', 'NOT_IN_SCOPE.team-unit'))
}

async function keepWayBack({ context, header, before, problem }: Saving): Promise<void> {
  if (header['is_active'] !== false || !before) return
  const held = await context.tx.first(sql`select 1 from menu where url = any(${needed}::text[]) and (id = ${before.id} or parent_id = ${before.id})`)
  if (held) problem(wrong('IsActive', 'READ_ONLY.menu-needed'))
}
