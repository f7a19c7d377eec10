import type { ApprovalFact } from '#api/approval.ts'
import { compare, isDecimal } from '#base/decimal.ts'

/** One number as it stood when asked and as it stands. Undefined: it was not there on that side. */
export interface FactRow {
  readonly name: string
  readonly asked: ApprovalFact | undefined
  readonly now: ApprovalFact | undefined
  readonly change: 'none' | 'up' | 'down' | 'other'
}

export interface FactBlock {
  readonly group: ApprovalFact['group']
  readonly subject: string | undefined
  readonly rows: readonly FactRow[]
}

/** Both sides beside each other, a block for each group and subject, in the order they came; a subject without anything past its bounds is left out. */
export function factTable(asked: readonly ApprovalFact[], now: readonly ApprovalFact[]): readonly FactBlock[] {
  const blocks = new Map<string, { group: ApprovalFact['group']; subject: string | undefined; rows: Map<string, { asked?: ApprovalFact; now?: ApprovalFact }> }>()
  const put = (fact: ApprovalFact, side: 'asked' | 'now'): void => {
    const key = `${fact.group} ${fact.subject ?? ''}`
    const block = blocks.get(key) ?? { group: fact.group, subject: fact.subject, rows: new Map() }
    blocks.set(key, block)
    block.rows.set(fact.name, { ...block.rows.get(fact.name), [side]: fact })
  }
  for (const fact of asked) put(fact, 'asked')
  for (const fact of now) put(fact, 'now')
  // Of lines those matter that fall below their floor.
  const isTold = ({ subject, rows }: { readonly subject: string | undefined; readonly rows: ReadonlyMap<string, { asked?: ApprovalFact; now?: ApprovalFact }> }) =>
    subject === undefined || [...rows.values()].some(({ asked: before, now: after }) => before?.isOver === true || after?.isOver === true)
  return [...blocks.values()].filter(isTold).map(({ group, subject, rows }) => ({
    group,
    subject,
    rows: [...rows].map(([name, both]) => ({ name, asked: both.asked, now: both.now, change: changeOf(both.asked, both.now) })),
  }))
}

function changeOf(asked: ApprovalFact | undefined, now: ApprovalFact | undefined): FactRow['change'] {
  if (asked === undefined || now === undefined || asked.value === now.value) return 'none'
  if (!isDecimal(asked.value, 6) || !isDecimal(now.value, 6)) return 'other'
  const difference = compare(now.value, asked.value)
  return difference === 0 ? 'none' : difference > 0 ? 'up' : 'down'
}
