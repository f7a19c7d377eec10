import type { Said } from '#api/problems.ts'
import { periodOf } from '#base/date.ts'
import { requireGuard } from '#server/access/guards.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { writeLog } from '#server/documents/audit.ts'
import { sql } from '#server/db/sql.ts'
import type { SentenceValue } from '#meta/sentence.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { eachInTurn, eachRow } from '#server/workflow/eachRow.ts'
import { closingObstacles } from './closingChecks.ts'

export const periodStates = ['FUTURE', 'OPEN', 'CLOSING', 'CLOSED'] as const
export type PeriodState = (typeof periodStates)[number]

interface PeriodRow extends Row {
  readonly id: number
  readonly period: string
  readonly module: string
  readonly operating_unit_id: number | null
  readonly status: PeriodState
  readonly version: number
}

/** Where a period may go: closing lets only finance post, closed nobody; reopening needs a special permission and a reason. */
const ways: Readonly<Record<PeriodState, readonly PeriodState[]>> = {
  FUTURE: ['OPEN'],
  OPEN: ['CLOSING', 'CLOSED'],
  CLOSING: ['OPEN', 'CLOSED'],
  CLOSED: ['OPEN', 'CLOSING'],
}

export const openPeriod: Command = (context, input) => eachRow(context, input.ids, (own, id) => move(own, id, 'OPEN', ['FUTURE', 'CLOSING'], null))
/** From now on only who closes the books posts into it. */
export const beginClosing: Command = (context, input) => eachRow(context, input.ids, (own, id) => move(own, id, 'CLOSING', ['OPEN'], null))
export const closePeriod: Command = async (context, { ids }) => {
  const { ledgers, others } = await apart(context, ids)
  return eachInTurn(context, [...others, ...ledgers], (own, id) => move(own, id, 'CLOSED', ['OPEN', 'CLOSING'], null))
}
export const reopenPeriod: Command = async (context, { ids, params }) => {
  const { ledgers, others } = await apart(context, ids)
  return eachInTurn(context, [...ledgers, ...others], (own, id) => move(own, id, 'OPEN', ['CLOSED'], String(params['ReasonText'])))
}

/** A month chosen as a whole goes in the order the ledger asks for; all of it is locked first, so that closing and opening never wait for each other. */
async function apart({ tx }: CommandContext, ids: readonly number[]): Promise<{ readonly ledgers: readonly number[]; readonly others: readonly number[] }> {
  const known = await tx.rows<{ id: number; module: string }>(sql`select id, module from accounting_period where id = any(${[...ids]}::bigint[]) order by id for update`)
  const ledgers = known.filter(({ module }) => module === 'GL').map(({ id }) => id)
  return { ledgers, others: ids.filter((id) => !ledgers.includes(id)).toSorted((a, b) => a - b) }
}

async function move(context: CommandContext, id: number, to: PeriodState, from: readonly PeriodState[], reason: string | null): Promise<Said> {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id' }, 'p')
  const period = await context.tx.first<PeriodRow>(sql`select p.* from accounting_period p where p.id = ${id} and ${scope ?? sql`true`} for update`)
  if (period === undefined) return fail('NOT_IN_SCOPE.period')
  if (!from.includes(period.status)) fail('ILLEGAL_TRANSITION.period', { period: nameOf(period), state: stateWord(period.status) })
  await assertMayMove(context, period, to, reason)
  const isClosed = to === 'CLOSED'
  await context.tx.run(sql`
    update accounting_period set status = ${to}, closed_by = ${isClosed ? context.user.id : null}, closed_at = ${isClosed ? context.now.toISOString() : null}, reason_text = ${reason}, version = version + 1
    where id = ${id}`)
  await writeLog(context.tx, { docType: 'accounting_period', docId: id, at: context.now.toISOString(), actorId: context.user.id, action: to.toLowerCase(), note: reason, diff: [{ field: 'status', from: period.status, to }] })
  return tell('done.period', { period: nameOf(period), state: stateWord(to) })
}

function stateWord(state: PeriodState): SentenceValue {
  return { key: `enum.${state}` }
}

function nameOf({ module, period }: PeriodRow): SentenceValue {
  return { key: 'period.name', params: { module: { key: `enum.${module}` }, month: `${period.slice(4)}/${period.slice(0, 4)}` } }
}

async function assertMayMove(context: CommandContext, period: PeriodRow, to: PeriodState, reason: string | null): Promise<void> {
  if ((to === 'CLOSING' || to === 'CLOSED') && period.period > periodOf(context.today)) fail('ILLEGAL_TRANSITION.period-to-come', { period: nameOf(period) })
  if (!ways[period.status].includes(to)) fail('ILLEGAL_TRANSITION.period-way', { period: nameOf(period), state: stateWord(period.status), to: stateWord(to) })
  if (period.status === 'CLOSED') {
    requireGuard(context.user, 'accounting-period-override')
    if ((reason ?? '').trim() === '') invalid([wrong('ReasonText', 'REQUIRED.reopen')])
    if (period.module !== 'GL') await assertLedgerOpen(context, period)
  }
  if (to === 'CLOSED') await assertNothingLeft(context, period)
}

/** The ledger closes last and opens first. */
async function assertLedgerOpen(context: CommandContext, period: PeriodRow): Promise<void> {
  const closed = await context.tx.first(sql`
    select 1 from accounting_period where period = ${period.period} and module = 'GL' and status = 'CLOSED' and operating_unit_id is not distinct from ${period.operating_unit_id}::bigint`)
  if (closed !== undefined) fail('ILLEGAL_TRANSITION.ledger-closed')
}

/** Whatever keeps the month from being closed, all of it at once. */
async function assertNothingLeft(context: CommandContext, period: PeriodRow): Promise<void> {
  const obstacles = await closingObstacles(context, period)
  if (obstacles.length === 0) return
  fail('ILLEGAL_TRANSITION.period-blocked', { period: nameOf(period) }, { obstacles })
}

/** Periods are made by the calendar; people only move them on. */
export const accountingPeriodHooks: DocumentHooks = {
  writable: true,
  creatable: false,
  computed: ['period', 'year', 'month', 'module', 'operating_unit_id', 'closed_by', 'closed_at'],
  async beforeSave({ context, before, header }) {
    if (before === undefined) return
    const period: PeriodRow = { ...before, id: before.id, period: String(before['period']), module: String(before['module']), operating_unit_id: unitOf(before), status: stateOf(before['status']), version: Number(before['version']) }
    const to = header['status'] === undefined ? period.status : stateOf(header['status'])
    if (to === period.status) return
    // What was said when it was closed is no reason to open it again.
    const reason = typeof header['reason_text'] === 'string' && header['reason_text'] !== before['reason_text'] ? header['reason_text'] : null
    await assertMayMove(context, period, to, reason)
    header['reason_text'] = reason
    Object.assign(header, to === 'CLOSED' ? { closed_by: context.user.id, closed_at: context.now.toISOString() } : { closed_by: null, closed_at: null })
  },
}

function unitOf(row: Row): number | null {
  return typeof row['operating_unit_id'] === 'number' ? row['operating_unit_id'] : null
}

function stateOf(value: unknown): PeriodState {
  const state = periodStates.find((known) => known === value)
  if (state === undefined) throw new Error(`Unknown period state ${String(value)}`)
  return state
}
