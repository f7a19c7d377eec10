import type { ImportBatch, ImportRowState } from '#api/import.ts'
import type { Tone } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'

const tones: Readonly<Record<ImportBatch['Status'], Tone>> = { 8: 'info', 1: 'warning', 2: 'warning', 3: 'positive', 5: 'negative', 6: 'neutral', 7: 'neutral' }

export const rowTones: Readonly<Record<ImportRowState, Tone>> = { NEW: 'neutral', VALID: 'positive', WARNING: 'warning', ERROR: 'negative', SKIPPED: 'neutral', COMMITTED: 'positive' }

export function toneOf({ Status, Work }: ImportBatch): Tone {
  return Work === null ? tones[Status] : 'info'
}

export function batchWords({ Status, Work }: ImportBatch): string {
  return t(Work === null ? `import.status.${Status}` : `import.work.${Work}`)
}

/** What is still to be known of a batch that did what it was asked to is no failure. */
export function isWarning({ Problem }: ImportBatch): boolean {
  return Problem?.key?.startsWith('warning.') === true
}
