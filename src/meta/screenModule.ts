import type { Choice, Field, Screen, Transition } from '#meta/resolved.ts'

/** What the client loads for one screen: the flat screen and what its page needs to know of workflow and commands. */
export interface ScreenModule {
  readonly screen: Screen
  /** Transitions of the screen's entity, without what only the server runs. */
  readonly transitions: readonly ClientTransition[]
  /** Every status the screen's entity can have, for the status bar and history. */
  readonly states: readonly Choice[]
  /** Commands declared for the screen's entity, by name. */
  readonly commands: Readonly<Record<string, { readonly label: string; readonly guard: string; readonly params: readonly Field[] }>>
  /** Labels of the entity's columns by column name, for history and conflicts. */
  readonly fieldLabels: Readonly<Record<string, string>>
}

export type ClientTransition = Omit<Transition, 'preconditions' | 'effects'>
