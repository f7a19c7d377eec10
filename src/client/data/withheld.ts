import type { Refusal } from './http.ts'

/** Refused for good: not there, or not this user's to see. Whoever needs it does without; anything else may be answered the next time. */
export function isWithheld({ code }: Pick<Refusal, 'code'>): boolean {
  return code === 'NOT_FOUND' || code === 'NOT_IN_SCOPE' || code === 'FORBIDDEN_GUARD'
}
