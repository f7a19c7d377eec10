import type { ApprovalRow } from '#api/approval.ts'

type Waiting = Pick<ApprovalRow, 'ID' | 'CanDecide'>

/** The request that opens by itself: the first one this user decides, else the first. */
export function firstOf<T extends Waiting>(rows: readonly T[]): T | undefined {
  return rows.find(({ CanDecide }) => CanDecide) ?? rows[0]
}

/** The request that opens once others are decided: the next one this user decides, down the queue and then from its top; else the next of all. */
export function nextAfter<T extends Waiting>(rows: readonly T[], shown: T, decided: readonly number[]): T | undefined {
  const at = rows.indexOf(shown)
  return firstOf([...rows.slice(at + 1), ...rows.slice(0, at)].filter(({ ID }) => !decided.includes(ID)))
}

/** What a key decides: what is picked, wherever the cursor stands; else the request shown, where it is this user's. */
export function decidedByKey<T extends Waiting>(picked: readonly T[], shown: T | undefined): readonly T[] {
  return picked.length > 0 || shown?.CanDecide !== true ? picked : [shown]
}
