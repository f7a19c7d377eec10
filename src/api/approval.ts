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
  /** Of those waiting only what this user may decide now. */
  readonly mine?: boolean
}

/** Why a document needs a person: `value` is what exceeded, as text. */
export interface ApprovalReason extends Said {
  readonly code: string
  readonly value?: string | null
  /** Of the value; an amount of money when it is not said. */
  readonly unit?: 'percent'
}

/**
 * A number behind a request. `group`: what it is about; `name`: which it is, `fact.<name>` in the catalogue; `subject`: the one thing it is about where there
 * are several (a line's item). `value`: decimal text, null: there is none (no limit). `isOver`: past what is allowed.
 */
export interface ApprovalFact {
  readonly group: 'credit' | 'price' | 'invoice' | 'change' | 'statement'
  readonly name: string
  readonly subject?: string
  readonly format: 'money' | 'percent' | 'days' | 'count'
  readonly value: string | null
  readonly isOver: boolean
}

/** A value somebody wants changed. */
export interface ProposedChange {
  /** Column; `Label`: message key of its name. */
  readonly Field: string
  readonly Label: string
  /** As people read it, `key` from the catalogue; null: nothing. */
  readonly From: ProposedValue | null
  readonly To: ProposedValue | null
}

export interface ProposedValue {
  readonly text: string
  readonly key?: string
}

/** Key `Proposed` of a record whose fields are changed through approval: what waits; null: nothing. */
export interface ProposedChanges {
  readonly RequestID: number
  readonly ByName: string
  readonly At: string
  /** Asked for by the reader, who may take it back: `POST /api/v1/approval/{RequestID}/withdraw`. */
  readonly IsMine: boolean
  /** The whole record waits. */
  readonly IsNew: boolean
  readonly Changes: readonly ProposedChange[]
}

/** One step of a request: somebody asked, decided, or took it back. */
export interface ApprovalStep {
  readonly Action: 'ASK' | 'APPROVE' | 'REJECT' | 'RETURN'
  /** 0: asked. */
  readonly Level: number
  readonly ActorName: string
  /** Whom a deputy acted for. */
  readonly OnBehalfOfName: string | null
  readonly At: string
  readonly Note: string | null
}

/** `GET /api/v1/approval/request/{requestId}`: what a decision rests on. */
export interface ApprovalRequestAnswer {
  readonly ID: number
  /** Of a request for changed values: which, old and new; else empty. */
  readonly Changes: readonly ProposedChange[]
  /** Why it needs a person as things stand while it waits; empty once decided. */
  readonly ReasonsNow: readonly ApprovalReason[]
  /** As they stood when approval was asked for; empty for requests older than this was kept. */
  readonly FactsAsked: readonly ApprovalFact[]
  /** As they stand while it waits, as they stood when it was decided. */
  readonly FactsNow: readonly ApprovalFact[]
  /** Oldest first, earlier requests of the same document included. */
  readonly Steps: readonly ApprovalStep[]
  /** Whose word the present level still needs; empty once decided. */
  readonly Approvers: readonly ApproverNeeded[]
}

/** `ROLE`: a role's name; `USER`: a person's; `POSITION`: of employees. */
export interface ApproverNeeded {
  readonly Kind: 'ROLE' | 'USER' | 'POSITION'
  readonly Name: string
  readonly Level: number
}

export type WhyNot = 'MAKER' | 'SPOKEN'

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
  /** Why he himself may not, whoever's turn it is: he has made the document, or approved this request before. Null: neither. */
  readonly WhyNot: WhyNot | null
  /** In whose name he would, as a deputy; null: in his own. */
  readonly OnBehalfOfName: string | null
  /** The document: wire keys of the columns asked for, reference code and name included. */
  readonly Document: WireRecord
}

export interface ApprovalAnswer {
  readonly recordsTotal: number
  readonly rows: readonly ApprovalRow[]
  /** How many requests each tab holds, of those the search and the filter leave. */
  readonly counts: Readonly<Record<ApprovalState, number>>
  /** How many of those waiting, of the same, this user may decide now. */
  readonly mine: number
}

/** Body of `POST /api/v1/approval/{requestId}/{decision}`. */
export interface DecisionBody {
  readonly ReasonID?: number
  readonly Note?: string
  /** Of documents whose lines may be cut while approving: what is left of a line, by its id. */
  readonly Quantities?: Readonly<Record<string, string>>
}

/** `text`: what has become of the request, in a sentence. */
export interface DecisionAnswer extends Said {
  readonly ID: number
  /** False: the next level is asked now. */
  readonly isFinal: boolean
}

/** `GET /api/v1/approval/mine`: what waits for this user, a line for each kind, and the requests themselves, the longest waiting first (at most 100). */
export interface MyApprovals {
  readonly records: readonly { readonly DocType: string; readonly Transition: string; readonly Count: number; readonly Url: string }[]
  readonly requests: readonly WaitingRequest[]
}

export interface WaitingRequest {
  readonly ID: number
  readonly DocType: string
  readonly Transition: string
  readonly DocCode: string
  readonly PartyName: string | null
  readonly Amount: string
  readonly RequestedByName: string
  readonly RequestedAt: string
  readonly DueAt: string | null
  readonly IsLate: boolean
  /** The request in its queue. */
  readonly Url: string
}

/**
 * Approvals handed over for some days.
 * GET  /api/v1/delegation              DelegationAnswer
 * GET  /api/v1/delegation/people       DelegateAnswer; query search
 * POST /api/v1/delegation              DelegationBody → { record }
 * POST /api/v1/delegation/{id}/end     { record }; by who handed over or by who took over
 */
export interface Delegation {
  readonly ID: number
  readonly FromUserID: number
  readonly FromUserName: string
  readonly ToUserID: number
  readonly ToUserName: string
  /** First and last day, both included. */
  readonly ValidFrom: string
  readonly ValidTo: string
  /** Empty: every document. */
  readonly DocTypes: readonly string[]
  readonly Note: string | null
  readonly CreatedAt: string
  readonly EndedAt: string | null
  readonly EndedByName: string | null
  readonly State: DelegationState
  /** Who of the two may not decide what of it; no documents: none at all. Empty once it is over. */
  readonly Unable: readonly { readonly UserName: string; readonly DocTypes: readonly string[] }[]
  /** The deputy sees fewer units or territories than whoever handed over. False once it is over. */
  readonly IsNarrower: boolean
}

/** COMING: begins later. RUNNING: today. OVER: its last day has passed. ENDED: ended before. */
export type DelegationState = 'COMING' | 'RUNNING' | 'OVER' | 'ENDED'

export interface DelegationAnswer {
  /** Handed over by the user, and to him; newest first. */
  readonly given: readonly Delegation[]
  readonly received: readonly Delegation[]
  /** Documents the user decides on and may hand over. */
  readonly docTypes: readonly string[]
}

export interface Delegate {
  readonly ID: number
  readonly Name: string
  readonly RoleName: string
  /** Those of the user's documents he may decide on as well. */
  readonly DocTypes: readonly string[]
  /** He sees fewer units or territories than the user. */
  readonly IsNarrower: boolean
}

export interface DelegateAnswer {
  readonly records: readonly Delegate[]
}

export interface DelegationBody {
  readonly ToUserID: number
  readonly ValidFrom: string
  readonly ValidTo: string
  readonly DocTypes?: readonly string[]
  readonly Note?: string
}
