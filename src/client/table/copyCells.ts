import type { Column } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import type { Area } from './cellRange.ts'
import type { AnyRecord } from './cells.tsx'
import { tableText } from './copyText.ts'

interface CopyFrom {
  readonly columns: readonly Column[]
  readonly rows: readonly (AnyRecord | undefined)[]
  /** Cells before the first column: checkbox and menu. */
  readonly toolCells: number
  readonly area: Area | undefined
  /** The row that has the focus. */
  readonly index: number
  /** Rows selected, on this page or others; absent: none are. They and `all` are undefined where they were refused. */
  readonly chosen: Gather | undefined
  /** All rows of the page, where some are still on their way. */
  readonly all: Gather | undefined
}

type Gather = () => Promise<readonly AnyRecord[] | undefined>

/** Copies the cells marked; without any the rows selected; without those the row that has the focus. */
export async function copyFrom({ columns, rows, toolCells, area, index, chosen, all }: CopyFrom): Promise<void> {
  if (area !== undefined) {
    const meant = area.left < 0 ? columns : columns.slice(Math.max(0, area.left - toolCells), area.right - toolCells + 1)
    const there = rows.slice(area.top, area.bottom + 1)
    const inside = there.includes(undefined) && all !== undefined ? (await all())?.slice(area.top, area.bottom + 1) : present(there)
    if (inside === undefined) return undefined
    return copyText(tableText(meant, inside, area.left < 0 && inside.length > 1), t('ui.copied-cells', { rows: inside.length, columns: meant.length }))
  }
  const meant = chosen === undefined ? present(rows.slice(index, index + 1)) : await chosen()
  return meant && copyRows(columns, meant)
}

/** Whole rows with their headings. */
export function copyRows(columns: readonly Column[], rows: readonly AnyRecord[]): Promise<void> {
  return copyText(tableText(columns, rows, true), t('ui.copied', { n: rows.length }))
}

async function copyText(text: string, done: string): Promise<void> {
  // Absent on a plain http address, and a browser may refuse it: then as it was done before there was such a thing.
  const isCopied = ('clipboard' in navigator && (await navigator.clipboard.writeText(text).then(() => true, () => false))) || copyByCommand(text)
  await notify(isCopied ? { tone: 'success', text: done } : { tone: 'error', text: t('ui.not-copied'), lasts: 6000 })
}

function copyByCommand(text: string): boolean {
  const before = document.activeElement
  const box = document.createElement('textarea')
  box.className = 'visually-hidden'
  box.value = text
  document.body.append(box)
  box.select()
  // oxlint-disable-next-line typescript/no-deprecated -- the only way where there is no navigator.clipboard
  const isCopied = document.execCommand('copy')
  box.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isCopied
}

function present(rows: readonly (AnyRecord | undefined)[]): readonly AnyRecord[] {
  return rows.filter((row) => row !== undefined)
}
