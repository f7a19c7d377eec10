import type { TransitionContext } from '#server/context.ts'

const followUps = new WeakMap<object, string>()

/** Has the engine run another action of the same document when this transition is written: an approval nobody has to give. */
export function followWith(context: TransitionContext, action: string): void {
  followUps.set(context, action)
}

export function followUpOf(context: TransitionContext): string | undefined {
  return followUps.get(context)
}
