import type { Choice, Screen, Transition } from '#meta/resolved.ts'

/** What the client loads for one screen: the flat screen and what its page needs to know of workflow and commands. */
export interface ScreenModule {
  readonly screen: Screen
  /** Detail and form: transitions a user may take, without what only the server runs. Empty elsewhere. */
  readonly transitions: readonly ClientTransition[]
  /** Detail and form: every status the entity can have, for the status bar and history. Empty elsewhere. */
  readonly states: readonly Choice[]
  /** Does it show a document, with flow and journal? */
  readonly isDocument: boolean
}

export type ClientTransition = Omit<Transition, 'preconditions' | 'effects'>
