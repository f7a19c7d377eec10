import type { Editing } from '#meta/resolved.ts'

/** What may be changed of a document beside its draft, as its status and its stage stand. */
export function editingIn<E extends Pick<Editing, 'status' | 'stage'>>(editing: readonly E[], status: number, stage: unknown): E | undefined {
  return editing.find((one) => one.status === status && (one.stage === undefined || one.stage === stage))
}
