import type { ApprovalFact } from '#api/approval.ts'
import type { Said } from '#api/problems.ts'
import { exact, type Decimal } from '#base/decimal.ts'
import { dueAfter } from '#server/approval/matrix.ts'
import type { Row } from '#server/context.ts'
import { tell } from '#server/sentences.ts'
import { approvalMatrix, type MatrixSeed } from '../approvals.ts'
import type { UnitUsers } from './company.ts'
import { terms, type Buyer } from './customers.ts'
import { log, moment, type Header, type Trade } from './trade.ts'

export interface Ask {
  readonly docType: string
  readonly document: Pick<Header, 'code'> & { id: number }
  readonly transition: string
  readonly amount: Decimal
  readonly buyer: Buyer
  readonly by: number
  readonly at: string
  readonly reasons: readonly (Said & { readonly code: string; readonly value: Decimal | null })[]
  /** Numbers behind it as they stand; absent: none were kept. */
  readonly facts?: readonly ApprovalFact[]
  /** What is asked for, where it is no document. */
  readonly payload?: object
}

interface Level {
  readonly level: number
  readonly steps: { readonly kind: 'ROLE'; readonly ref: string; readonly mode: 'ANY'; readonly hours: number; readonly condition: string | null; readonly approvedBy: number[] }[]
}

export type Request = Row & { id: number; levels: Level[] }

/** Puts a document on the desks the matrix names. */
export function requestApproval(trade: Trade, ask: Ask): Request {
  const levels = levelsOf(ask)
  return trade.book.add('approval_request', {
    doc_type: ask.docType, doc_id: ask.document.id, doc_code: ask.document.code ?? `DRAFT-${ask.document.id}`, transition: ask.transition, amount: ask.amount,
    operating_unit_id: ask.buyer.unit.id, territory_id: ask.buyer.territory.id, party_kind: 'CUSTOMER', party_id: ask.buyer.id, requested_by: ask.by, requested_at: ask.at,
    current_level: 1, max_level: levels.length, levels, status: 4, reasons: ask.reasons, payload: ask.payload ?? null, facts: ask.facts ?? null, decided_facts: null,
    due_at: dueAfter(new Date(ask.at), levels[0]), decided_at: null as string | null, version: 1,
  })
}

/** A customer who is to pay later than now: somebody in sales has asked for it today, nobody has decided yet. */
export function askForLongerTerm(trade: Trade, termIds: ReadonlyMap<string, number>): void {
  const buyer = trade.buyers.find(({ term, isGovernment }) => term.code === 'N14' && !isGovernment)
  const longer = terms.find(({ code }) => code === 'N30')
  if (buyer === undefined || longer === undefined) return
  const [from, to] = [`${buyer.term.code} · ${buyer.term.name}`, `${longer.code} · ${longer.name}`]
  const at = moment(trade, trade.today, 9, 20)
  requestApproval(trade, {
    docType: 'customer', document: { id: buyer.id, code: String(buyer.row['code']) }, transition: 'change', amount: '0', buyer, by: buyer.unit.users.supervisor, at,
    reasons: [{ code: 'PAYMENT_TERM', ...tell('block.CHANGE', { field: { key: 'field.payment_term_id' }, from, to }), value: null }],
    payload: { is_new: false, changes: [{ field: 'payment_term_id', from: buyer.termId, to: termIds.get(longer.code), from_text: { text: from }, to_text: { text: to } }] },
  })
  log(trade, 'customer', buyer.id, 'ask-change', 1, 1, buyer.unit.users.supervisor, at, null, [{ field: 'payment_term_id', from: buyer.termId, to: termIds.get(longer.code) }])
}

/** Every level decides, or the first one refuses and says why; answers who had the last word. */
export function decide(trade: Trade, request: Request, action: 'APPROVE' | 'REJECT', users: UnitUsers, at: string, note: string | null = null): number {
  let last = users.finance
  for (const level of action === 'APPROVE' ? request.levels : request.levels.slice(0, 1)) {
    for (const step of level.steps) {
      last = deciderOf(step.ref, users)
      if (action === 'APPROVE') step.approvedBy.push(last)
      trade.book.add('approval_action', { request_id: request.id, level: level.level, actor_id: last, action, note, at })
    }
  }
  Object.assign(request, { status: action === 'APPROVE' ? 1 : 5, current_level: action === 'APPROVE' ? request.levels.length : 1, decided_at: at, decided_facts: request['facts'], version: 1 + request.levels.length })
  return last
}

/** Who decides for a role in the demo company. */
export function deciderOf(role: string, users: UnitUsers): number {
  const known: Readonly<Record<string, number>> = {
    CREDIT_CTRL: users.credit, FIN_MGR: users.finance, SALES_SPV: users.supervisor, SALES_MGR: users.manager, AR_MGR: users.receivables, DIRECTOR: users.director,
  }
  const user = known[role]
  if (user === undefined) throw new Error(`Nobody decides as ${role}`)
  return user
}

function levelsOf(ask: Ask): Level[] {
  const levels = new Map<number, Level>()
  const consider = (row: MatrixSeed, amount: Decimal): void => {
    if (exact(amount).lt(row.min) || (row.max !== undefined && exact(amount).gte(row.max))) return
    const level = levels.get(row.level) ?? { level: row.level, steps: [] }
    levels.set(row.level, level)
    if (!level.steps.some((step) => step.ref === row.role))
      level.steps.push({ kind: 'ROLE', ref: row.role, mode: 'ANY', hours: row.hours, condition: row.condition ?? null, approvedBy: [] })
  }
  for (const row of approvalMatrix) {
    if (row.docType !== ask.docType || row.transition !== ask.transition) continue
    if (row.condition === undefined) consider(row, ask.amount)
    else for (const reason of ask.reasons) if (reason.code === row.condition) consider(row, reason.value ?? '0')
  }
  return [...levels.values()].sort((a, b) => a.level - b.level)
}
