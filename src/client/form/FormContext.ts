import { createContext, use, useSyncExternalStore } from 'react'
import { say, type Message } from './message.ts'
import { t } from '../app/messages.ts'
import type { FormField } from '#meta/resolved.ts'
import type { FormSession } from './formSession.ts'

/** What the inputs of one form share. */
export interface FormShared {
  readonly session: FormSession
  readonly userId: number
  /** Makes the ids of inputs unique on the page. */
  readonly prefix: string
  readonly readOnly: boolean
  /** Wire keys that may be changed as the record stands; undefined: all. */
  readonly open: readonly string[] | undefined
  readonly tab: string | undefined
}

export const FormContext = createContext<FormShared | undefined>(undefined)

export function useFormShared(): FormShared {
  const shared = use(FormContext)
  if (shared === undefined) throw new Error('An input of a form is shown outside of a form')
  return shared
}

/** Sentence about what is wrong with a field, or undefined. Only the field itself is drawn again when it changes. */
export function useFieldProblem(wire: string): string | undefined {
  const { session } = useFormShared()
  const problem: Message | undefined = useSyncExternalStore(session.store.onProblems, () => session.store.problems[wire])
  return problem === undefined ? undefined : say(problem, t)
}

/** A change of it waits for somebody else's approval: said under the field. */
export function asksFirst(field: FormField, session: FormSession, readOnly: boolean): boolean {
  return field.approval === true && !readOnly && !session.isNew
}

export function fieldId(prefix: string, wire: string): string {
  return `${prefix}-${wire}`
}
