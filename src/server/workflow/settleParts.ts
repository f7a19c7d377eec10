import type { Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Settlement } from '#meta/resolved.ts'
import type { Row, TransitionContext } from '#server/context.ts'
import { raise, summaryOf } from '#server/problemError.ts'
import { linesOf } from './documentLines.ts'
import { numberOf } from './newDocument.ts'

/** What a document takes of an open item. */
export interface Taken {
  readonly itemId: number
  readonly amount: Decimal
  /** Undefined: the document itself takes it. */
  readonly lineId: number | undefined
  /** Wire paths of reference and amount. */
  readonly at: { readonly item: string; readonly amount: string }
}

/** A record of the document that settles or is used, and how the wire calls it. */
export interface Part {
  readonly row: Row
  readonly lineId: number | undefined
  readonly prefix: string
}

/** Taking more than is open has its own code: two people met at one item. */
export function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return
  raise({ code: problems.some(({ code }) => code === 'EXCEEDS_REMAINING') ? 'EXCEEDS_REMAINING' : 'VALIDATION_FAILED', ...summaryOf([...problems]), errors: [...problems] })
}

/** The lines named, or the document itself. */
export async function partsOf(context: TransitionContext, lines: Settlement['lines']): Promise<readonly Part[]> {
  if (lines === undefined) return [{ row: context.current, lineId: undefined, prefix: '' }]
  return (await linesOf(context, lines.name)).map(({ row }, i) => ({ row, lineId: numberOf(row, 'id'), prefix: `${lines.wire}[${i}].` }))
}
