import type { ListQuery } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Said } from '#api/problems.ts'

export const approvalStates = ['waiting', 'approved', 'rejected'] as const
export type ApprovalState = (typeof approvalStates)[number]

export const decisions = ['approve', 'reject', 'return'] as const
export type Decision = (typeof decisions)[number]

/** Query of `GET /api/v1/approval/{docType}/{transition}`; `columns` names columns of the document. Default state: waiting. */
export interface ApprovalQuery extends ListQuery {
  readonly state?: ApprovalState
}

/** Why a document needs a person: `value` is what exceeded, as text. */
export interface ApprovalReason extends Said {
  readonly code: string
  readonly value?: string | null
}

/** One approval request with the columns asked for of its document. `ID` is the request's. */
export interface ApprovalRow extends WireRecord {
  readonly DocID: number
  readonly DocCode: string
  readonly DocType: string
  readonly Amount: string
  readonly RequestedByName: string
  readonly RequestedAt: string
  /** When the present level should have decided, and the hours it has. */
  readonly DueAt: string | null
  readonly SlaHours: number
  readonly DecidedAt: string | null
  readonly CurrentLevel: number
  readonly MaxLevel: number
  readonly Reasons: readonly ApprovalReason[]
  /** May this user decide it now? */
  readonly CanDecide: boolean
  /** The document: wire keys of the columns asked for, reference code and name included. */
  readonly Document: WireRecord
}

export interface ApprovalAnswer {
  readonly recordsTotal: number
  readonly rows: readonly ApprovalRow[]
  /** How many requests each tab holds. */
  readonly counts: Readonly<Record<ApprovalState, number>>
}

/** Body of `POST /api/v1/approval/{requestId}/{decision}`. */
export interface DecisionBody {
  readonly ReasonID?: number
  readonly Note?: string
}

/** `text`: what has become of the request, in a sentence. */
export interface DecisionAnswer extends Said {
  readonly ID: number
  /** False: the next level is asked now. */
  readonly isFinal: boolean
}

/** `GET /api/v1/approval/mine`: what waits for this user, a line for each kind. */
export interface MyApprovals {
  readonly records: readonly { readonly DocType: string; readonly Transition: string; readonly Count: number; readonly Url: string }[]
}
