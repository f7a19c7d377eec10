import { recordPages } from '#generated/routes.ts'
import type { Tone } from '#meta/resolved.ts'

/** Where a record of an entity is looked at; entities without a page have none. */
export function documentPath(docType: string, id: number): string | undefined {
  return recordPages[docType]?.replace('{ID}', String(id))
}

/** The one status vocabulary: 0 draft to 9 expired. */
const tones: Readonly<Record<number, Tone>> = { 0: 'neutral', 1: 'info', 2: 'info', 3: 'positive', 4: 'warning', 5: 'negative', 6: 'neutral', 7: 'negative', 8: 'info', 9: 'neutral' }

export function statusTone(status: number): Tone {
  return tones[status] ?? 'neutral'
}
