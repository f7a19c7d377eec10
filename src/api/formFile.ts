import type { Worded } from '#api/problems.ts'

/** What a file read into a form holds: one document, or several of which one is taken over. */
export interface FormFileAnswer {
  readonly parts: readonly FormFilePart[]
  /** The file leaves something open: asked again with the chosen value as `answer`. */
  readonly asks?: { readonly question: Worded; readonly choices: readonly { readonly value: string; readonly says: Worded }[] }
}

export interface FormFilePart {
  readonly title: Worded
  /** What is told before it is taken over; what should make one stop first. */
  readonly told: readonly (Worded & { readonly isWarning?: true })[]
  /** Header values by wire key, names of references beside them. */
  readonly values: Readonly<Record<string, unknown>>
  /** Lines by wire key. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
}
