import type { ListQuery } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import { t } from '../app/messages.ts'
import { formatNumber } from '../app/format.ts'
import { notify } from '../app/toasts.ts'
import { listRecords } from '../data/records.ts'

export { PrintNote } from './PrintNote.tsx'

/** So many rows are printed at once: some thirty pages. */
export const mostPrinted = 1_000

interface Printed {
  readonly resource: string
  /** What the list was asked for. */
  readonly query: ListQuery
  readonly rows: readonly (WireRecord | undefined)[]
  readonly total: number
}

/** The rows of the whole filter for the paper, as many as are printed at once. Undefined: those shown are all there are, or the others could not be had; the paper then says how many it holds. */
export async function paperRows({ resource, query, rows, total }: Printed): Promise<readonly WireRecord[] | undefined> {
  if (rows.length >= total && rows.every((row) => row !== undefined)) return undefined
  const { totals: _totals, ...asked } = query
  const answer = await listRecords(resource, { ...asked, page: 1, length: mostPrinted, count: false }, undefined, true)
  if (!answer.ok) return undefined
  if (total > mostPrinted) void notify({ tone: 'info', title: t('ui.print'), text: firstOnly(total), lasts: 6000 })
  return answer.value.rows
}

function firstOnly(total: number): string {
  return t('ui.print.first', { n: formatNumber(mostPrinted), total: formatNumber(total) })
}
