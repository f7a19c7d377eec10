import type { ReadAnswer } from '#api/data.ts'
import type { Warning, WireRecord } from '#api/envelope.ts'
import type { PriceOrderAnswer } from '#api/order.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Answer, Refusal } from '../data/http.ts'
import type { Draft } from './drafts.ts'
import type { Values } from './formModel.ts'
import type { Option } from './lookupClient.ts'
import type { Message } from './message.ts'

/** The calls a form makes; tests give their own. */
export interface FormCalls {
  /** The record, if it was asked for early and has come: a form is then drawn with it at once. `read` still takes it. */
  foreseen?(resource: string, id: number): WireRecord | undefined
  read(resource: string, id: number): Promise<Answer<ReadAnswer>>
  create(resource: string, body: unknown, sending: Sending): Promise<Answer<ReadAnswer>>
  save(resource: string, id: number, version: number, body: unknown, sending: Sending): Promise<Answer<ReadAnswer>>
  transition(resource: string, id: number, action: string, version: number | undefined, input: Values, sending: Sending): Promise<Answer<ReadAnswer>>
  compute(command: string, body: Values, signal: AbortSignal): Promise<Answer<PriceOrderAnswer>>
  options(entity: string, ids: readonly number[], columns: readonly string[]): Promise<Answer<readonly Option[]>>
}

export interface Sending {
  readonly key?: string | undefined
  readonly acknowledge?: readonly string[] | undefined
  /** Action taken right after saving, in the same command: both or neither. */
  readonly next?: string | undefined
}

/** What a hand-written part of a form answers for. It registers itself while it is mounted. */
export interface SlotPart {
  /** Values it adds to what is sent. */
  payload(): Values
  /** What is wrong with it, in words; the form does not save while there is anything. */
  problems(): readonly Message[]
  isDirty(): boolean
  /** Kept in the draft, and given back by `restore`. */
  draft(): unknown
  restore(draft: unknown): void
  /** The record was read or saved. */
  load(record: WireRecord | undefined): void
  /** Does the record, as somebody else saved it meanwhile, hold something else here than the one it was read from? Left out: it holds nothing that stays. */
  changedIn?(current: WireRecord): boolean
  /** Takes over what they changed, beside what was entered. Left out: it is either theirs or what was entered, and whoever saves is asked. */
  merge?(current: WireRecord): void
  /** Brings its first problem into view. */
  focus(): void
  /** Takes problems of the server; answers those it has no place for. */
  refuse?(problems: readonly FieldProblem[]): readonly FieldProblem[]
}

/** One problem in the summary: a jump to its field, line or part. */
export interface Problem {
  readonly label: string
  readonly message: Message
  /** Number of the line it is in, from 1. */
  readonly line?: number
  readonly to:
    | { readonly kind: 'field'; readonly wire: string }
    | { readonly kind: 'line'; readonly grid: string; readonly rowKey: string; readonly wire: string }
    | { readonly kind: 'slot'; readonly name: string }
    | { readonly kind: 'whole' }
}

/** Somebody saved the record after what is typed was begun. */
export interface Clash {
  /** As it stands now. */
  readonly current: WireRecord
  /** It is about taking up this draft, which waits until it is settled. Left out: about saving. */
  readonly draft?: Draft
}

export type Computing = 'done' | 'asked' | 'refused'

export interface FormState {
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly busy: false | 'saving' | string
  readonly record: WireRecord | undefined
  readonly refusal: Refusal | undefined
  readonly problems: readonly Problem[]
  readonly warnings: readonly Warning[]
  readonly clash: Clash | undefined
  /** A draft of this user that can be taken up again. */
  readonly draft: Draft | undefined
  readonly isDirty: boolean
  readonly totals: Values
  /** What would make the document wait for a person. */
  readonly hints: NonNullable<PriceOrderAnswer['Hints']>
  /** Have prices and totals been computed from what is on the screen? `asked`: under way; `refused`: they are those of before. */
  readonly computing: Computing
  /** Lines of the last computation, where the form shows how they came about. */
  readonly traced: readonly WireRecord[]
  /** Moment of the draft that holds what is on the screen. */
  readonly keptAt: string | undefined
}
