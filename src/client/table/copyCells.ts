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
  /** Rows selected, on this page or others. */
  readonly chosen: readonly AnyRecord[]
}

/** Copies the cells marked; without any the rows selected; without those the row that has the focus. */
export async function copyFrom({ columns, rows, toolCells, area, index, chosen }: CopyFrom): Promise<void> {
  if (area !== undefined) {
    const meant = area.left < 0 ? columns : columns.slice(Math.max(0, area.left - toolCells), area.right - toolCells + 1)
    const inside = present(rows.slice(area.top, area.bottom + 1))
    return copyText(tableText(meant, inside, area.left < 0 && inside.length > 1), t('ui.copied-cells', { rows: inside.length, columns: meant.length }))
  }
  return copyRows(columns, chosen.length > 0 ? chosen : present(rows.slice(index, index + 1)))
}

/** Whole rows with their headings. */
export function copyRows(columns: readonly Column[], rows: readonly AnyRecord[]): Promise<void> {
  return copyText(tableText(columns, rows, true), t('ui.copied', { n: rows.length }))
}

async function copyText(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  await notify({ tone: 'success', text: done })
}

function present(rows: readonly (AnyRecord | undefined)[]): readonly AnyRecord[] {
  return rows.filter((row) => row !== undefined)
}
