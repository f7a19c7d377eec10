import { gridsOf } from '#meta/formGrids.ts'
import { enteredRows } from '../grid/gridModel.ts'
import { asKept, enteredOf, enteredText, linesOf, stripVersion } from './formLines.ts'
import { allFields, keysOf, type Values } from './formModel.ts'
import { merge, type Conflict } from './merge.ts'
import { mergeLines } from './mergeLines.ts'
import { isNothing, same } from './same.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { LineStore } from '../grid/lineStore.ts'
import type { Draft } from './drafts.ts'
import type { Typed } from './formStore.ts'
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
  /** What stands in fields of mine and is no value. */
  readonly typed: Typed
  /** Entered lines of the grids both changed, by wire key. */
  readonly lines: Readonly<Record<string, LineSides>>
  /** Grids in which the two changed different lines: what both together say. */
  readonly merged: ReadonlyMap<string, readonly Values[]>
}

export interface LineSides {
  readonly columns: readonly LineColumn[]
  readonly mine: readonly Values[]
  readonly theirs: readonly Values[]
}

export function sidesOf(session: FormSession, { current, draft }: Clash): Sides {
  return draft === undefined ? sidesOfSave(session, current) : sidesOfDraft(session, current, draft)
}

/** What only the first of two sides says, as often as it says it more often than the other. */
export function onlyIn(one: readonly string[], other: readonly string[]): readonly string[] {
  const left = new Map<string, number>()
  for (const text of other) left.set(text, (left.get(text) ?? 0) + 1)
  return one.filter((text) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0
  })
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
  const parts = Object.entries(sides.parts).flatMap(([name, side]) => (side === 'theirs' && !sides.merged.has(name) ? [name] : []))
  session.settleClash({ ...current, ...kept }, new Set([...theirs, ...parts]), sides.merged)
}

function sidesOfSave(session: FormSession, current: Clash['current']): Sides {
  const { screen, store } = session
  const now = linesOf(current, screen)
  const parts: Record<string, 'theirs' | 'both'> = {}
  const lines: Record<string, LineSides> = {}
  const merged = new Map<string, readonly Values[]>()
  for (const [wire, grid] of session.grids) {
    if (same((now[wire] ?? []).map(stripVersion), session.linesRead(wire).map(stripVersion))) continue
    parts[wire] = session.isGridDirty(wire, grid) ? 'both' : 'theirs'
    if (parts[wire] === 'theirs') continue
    const sides = lineSides(grid, enteredRows(grid.rows, grid.columns).map(asKept), now[wire] ?? [])
    const both = canMerge(session, wire, sides) ? mergeLines(grid.columns, enteredOf(session.linesRead(wire)), sides.mine, sides.theirs) : undefined
    if (both === undefined) lines[wire] = sides
    else {
      parts[wire] = 'theirs'
      merged.set(wire, both)
    }
  }
  for (const [name, part] of session.parts) if (part.changedIn?.(current) === true) parts[name] = part.merge === undefined && part.isDirty() ? 'both' : 'theirs'
  const wires = allFields(screen).map((field) => field.wire)
  return { ...merge(wires, store.base, store.values, current), parts, base: store.base, mine: store.values, typed: {}, lines, merged }
}

/** What others changed since the draft was typed, in the very places where it says something else. */
function sidesOfDraft(session: FormSession, current: Clash['current'], { values: { '#slots': kept, ...values }, typed = {}, lines: entered, from }: Draft): Sides {
  const conflicts = allFields(session.screen).flatMap(({ wire: key }): readonly Conflict[] => {
    const theirs = current[key]
    const mine = typed[key] ?? values[key]
    if (mine === undefined || same(mine, theirs) || (from !== undefined && same(from.values[key], theirs))) return []
    return [{ key, base: from?.values[key], mine, theirs }]
  })
  const parts: Record<string, 'both'> = {}
  const lines: Record<string, LineSides> = {}
  for (const [wire, grid] of session.grids) {
    const read = session.linesRead(wire)
    const [mine, now] = [entered[wire], enteredText(grid, read)]
    if (mine === undefined || enteredText(grid, mine) === now || from?.lines[wire] === now) continue
    parts[wire] = 'both'
    lines[wire] = lineSides(grid, mine, read)
  }
  const held = typeof kept === 'object' && kept !== null ? kept : {}
  for (const [name, part] of session.parts) if (name in held && part.changedIn !== undefined && part.merge === undefined) parts[name] = 'both'
  return { taken: [], conflicts, parts, base: from?.values ?? {}, mine: values, typed, lines, merged: new Map() }
}

/** Lines that came of one (parts of a combo) stand and fall together. */
function canMerge({ screen }: FormSession, wire: string, { mine, theirs }: LineSides): boolean {
  const by = gridsOf(screen).find((grid) => grid.wire === wire)?.origin?.by
  return by === undefined || [...mine, ...theirs].every((line) => isNothing(line[by]))
}

function lineSides({ columns }: LineStore, mine: readonly Values[], theirs: readonly Values[]): LineSides {
  return { columns: columns.filter((column) => column.entry), mine, theirs: enteredOf(theirs) }
}
