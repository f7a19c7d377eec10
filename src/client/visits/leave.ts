import { letGo } from './offline.ts'
import { forgetDay } from './store.ts'

/** Somebody signs out: his day is here no longer. What he has not sent waits for him. */
export async function leaveVisits(user: number): Promise<void> {
  await Promise.allSettled([letGo(), forgetDay(user)])
}
