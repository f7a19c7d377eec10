import type { ApprovalRow } from '#api/approval.ts'
import type { Tone } from '#meta/resolved.ts'

/** How a waiting request stands against the hours its level has: a tone, and how long it still has or is late. */
export interface SlaState {
  readonly tone: Tone
  readonly isLate: boolean
  /** Whole hours, or days from two of them on. */
  readonly amount: number
  readonly unit: 'hours' | 'days'
}

const hourMs = 3_600_000
/** A level asked just now has its hours, not one more because the clock of this computer is a little behind that of the server. */
const clocksApart = 30_000
/** From this share of its time on a request is warned of. */
const warningFrom = 0.75

/** Undefined: nothing is owed any more, or no time was set. */
export function slaOf(row: Pick<ApprovalRow, 'DueAt' | 'DecidedAt' | 'SlaHours'>, now: number): SlaState | undefined {
  if (row.DueAt === null || row.DecidedAt !== null) return undefined
  const due = Date.parse(row.DueAt)
  if (Number.isNaN(due)) return undefined
  const left = due - now
  const isLate = left < 0
  const hours = Math.max(1, isLate ? Math.floor(-left / hourMs) : Math.ceil((left - clocksApart) / hourMs))
  const used = 1 - left / (row.SlaHours * hourMs)
  return {
    tone: isLate ? 'negative' : used >= warningFrom ? 'warning' : 'neutral',
    isLate,
    amount: hours < 48 ? hours : Math.floor(hours / 24),
    unit: hours < 48 ? 'hours' : 'days',
  }
}
