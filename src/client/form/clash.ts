import { enteredText, linesOf, stripVersion } from './formLines.ts'
import { allFields, keysOf, type Values } from './formModel.ts'
import { merge, type Conflict } from './merge.ts'
import { same } from './same.ts'
import type { Draft } from './drafts.ts'
import type { FormSession } from './formSession.ts'
import type { Clash } from './formState.ts'

/** What both sides of a clash say. */
export interface Sides {
  /** Fields taken over from them without asking. */
  readonly taken: readonly string[]
  readonly conflicts: readonly Conflict[]
  /** Grids whose lines they changed, by wire key, and hand-written parts by name; 'both': so did I. */
  readonly parts: Readonly<Record<string, 'theirs' | 'both'>>
  /** Records the two sides of a conflict stand in, with the names of what they refer to. */
  readonly base: Values
  readonly mine: Values
}

export function sidesOf(session: FormSession, { current, draft }: Clash): Sides {
  return draft === undefined ? sidesOfSave(session, current) : sidesOfDraft(session, current, draft)
}

/** Is there anything to choose, or to tell of? */
export const isSettled = ({ taken, conflicts, parts }: Sides): boolean => taken.length + conflicts.length + Object.keys(parts).length === 0

/** Goes on with their changes, mine where I typed, `theirs` for the fields and parts given up. */
export function settle(session: FormSession, { current, draft }: Clash, sides: Sides, theirs: ReadonlySet<string>): void {
  const { screen, store } = session
  const fields = allFields(screen)
  const mine = draft === undefined ? merge(fields.flatMap(keysOf), store.base, store.values, current).values : sides.mine
  const given = new Set(fields.flatMap((field) => (theirs.has(field.wire) ? keysOf(field) : [])))
  const kept = Object.fromEntries(Object.entries(mine).filter(([key]) => !given.has(key)))
  const parts = Object.entries(sides.parts).flatMap(([name, side]) => (side === 'theirs' || theirs.has(name) ? [name] : []))
  session.settleClash({ ...current, ...kept }, new Set(parts))
}

function sidesOfSave(session: FormSession, current: Clash['current']): Sides {
  const { screen, store } = session
  const now = linesOf(current, screen)
  const parts: Record<string, 'theirs' | 'both'> = {}
  for (const [wire, grid] of session.grids) {
    if (!same((now[wire] ?? []).map(stripVersion), session.linesRead(wire).map(stripVersion))) parts[wire] = session.isGridDirty(wire, grid) ? 'both' : 'theirs'
  }
  for (const [name, part] of session.parts) if (part.changedIn?.(current) === true) parts[name] = part.merge === undefined && part.isDirty() ? 'both' : 'theirs'
  const wires = allFields(screen).map((field) => field.wire)
  return { ...merge(wires, store.base, store.values, current), parts, base: store.base, mine: store.values }
}

/** What others changed since the draft was typed, in the very places where it says something else. */
function sidesOfDraft(session: FormSession, current: Clash['current'], { values: { '#slots': kept, ...values }, lines, from }: Draft): Sides {
  const conflicts = allFields(session.screen).flatMap(({ wire: key }): readonly Conflict[] => {
    const theirs = current[key]
    if (!(key in values) || same(values[key], theirs) || (from !== undefined && same(from.values[key], theirs))) return []
    return [{ key, base: from?.values[key], mine: values[key], theirs }]
  })
  const parts: Record<string, 'both'> = {}
  for (const [wire, grid] of session.grids) {
    const [mine, now] = [lines[wire], enteredText(grid, session.linesRead(wire))]
    if (mine !== undefined && enteredText(grid, mine) !== now && from?.lines[wire] !== now) parts[wire] = 'both'
  }
  const held = typeof kept === 'object' && kept !== null ? kept : {}
  for (const [name, part] of session.parts) if (name in held && part.changedIn !== undefined && part.merge === undefined) parts[name] = 'both'
  return { taken: [], conflicts, parts, base: from?.values ?? {}, mine: values }
}
