import type { RowResult } from '#api/data.ts'
import type { Warning, WireRecord } from '#api/envelope.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { ScreenAction } from '#meta/resolved.ts'

/** One intention of the user: what to do with which rows. Keys of rows stay the same when they are sent again after a warning. */
export interface Run {
  readonly action: ScreenAction
  readonly resource: string
  /** Where what was typed for it is kept until it is done. */
  readonly place: string
  readonly rows: readonly WireRecord[]
  readonly nameOf: (row: WireRecord) => string
  /** ReasonID, Note and params by wire name. */
  readonly input: Readonly<Record<string, unknown>>
  readonly keys: ReadonlyMap<number, string>
  /** Warnings accepted, by row; 0 for a command over all rows. */
  readonly accepted: ReadonlyMap<number, readonly string[]>
}

export interface RowOutcome {
  readonly id: number
  readonly label: string
  readonly ok: boolean
  readonly text: string
  /** What stands in the way, each with the page that shows it. */
  readonly obstacles?: RowResult['obstacles'] | undefined
  /** Documents it has brought about; of a command over several rows all of them stand with the first. */
  readonly made?: RowResult['made'] | undefined
  /** The row, where the run ended before it came to it: nothing has happened to it. */
  readonly left?: WireRecord
}

export interface RowWarnings {
  /** 0: of the whole command. */
  readonly id: number
  readonly label: string
  readonly warnings: readonly Warning[]
}

export interface Outcome {
  readonly results: readonly RowOutcome[]
  /** Rows that wait for somebody to accept their warnings; nothing has happened to them. */
  readonly warned: readonly RowWarnings[]
  /** Wrong params: shown in the dialog, nothing has happened. */
  readonly errors: readonly FieldProblem[]
  /** Records as they stand after a transition. */
  readonly changed: readonly WireRecord[]
}

/** Rows for which the server offers the action: a transition by name in `Actions`, anything else always. */
export function offers(action: ScreenAction, row: WireRecord): boolean {
  return action.does.kind !== 'transition' || (row.Actions?.includes(action.does.action) ?? false)
}
