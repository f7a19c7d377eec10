import type { ReactNode } from 'react'

/** Something wrong in a step. */
export interface StepProblem {
  readonly text: string
  /** Id of the input it is about; the problem leads there. */
  readonly fieldId?: string
}

export interface WizardStep {
  readonly id: string
  readonly title: string
  /** May it be shown now? A step whose input is not there yet is not. */
  readonly isOpen: boolean
  readonly count?: string | undefined
  /** It goes on by itself (a file was sent); there is no button. */
  readonly isAutomatic?: boolean
  /** What stands in the way of going on. */
  check?(): readonly StepProblem[]
  /** Keeps what was entered before the next step is shown; false stays. */
  leave?(): Promise<boolean>
  readonly content: ReactNode
}

type Openness = Pick<WizardStep, 'isOpen'>

/** Index of the step the address asks for (`step`, from 1), or the nearest one before it that may be shown. Anything else is the start. */
export function stepAt(steps: readonly Openness[], asked: string | null, start: number): number {
  const wanted = asked !== null && /^[1-9]\d{0,2}$/.test(asked) ? Number(asked) - 1 : start
  return furthest(steps, Math.min(wanted, steps.length - 1))
}

/** The last step up to `wanted` to which every step before it is open. */
export function furthest(steps: readonly Openness[], wanted: number): number {
  let at = 0
  while (at < wanted && steps[at + 1]?.isOpen === true) at += 1
  return at
}
