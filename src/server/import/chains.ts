import type { DateText } from '#base/date.ts'
import type { ImportSheet } from '#meta/resolved.ts'
import type { Row } from '#server/context.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import type { MadeRecord } from './batches.ts'
import { orderToInvoice } from './orderToInvoice.ts'

/** What a document goes through in the transaction that makes it, and how all of it is taken back. */
export interface ImportChain {
  /** Permissions beside those of the records themselves. */
  readonly guards: Readonly<Record<'COMMIT' | 'UNDO', readonly string[]>>
  /** The day all of it counts as done, by the values of the main record; refused when it has not come yet. */
  dayOf(values: Row, today: DateText): DateText
  /** Answers what else came of it, for the log. A refusal throws and leaves nothing. */
  make(run: CommandRun, id: number): Promise<readonly MadeRecord[]>
  /** The same with a document that is there already: `values` of the main record as far as given, `lines` of the rows. */
  use(run: CommandRun, id: number, values: Row, lines: readonly Row[]): Promise<readonly MadeRecord[]>
  /** Takes back what `make` or `use` did as of today, the document itself only where it was made; `reason` is kept in the history. */
  undo(run: CommandRun, records: readonly MadeRecord[], reason: string): Promise<void>
}

export const chains: Readonly<Record<NonNullable<ImportSheet['chain']>, ImportChain>> = { 'order-to-invoice': orderToInvoice }
