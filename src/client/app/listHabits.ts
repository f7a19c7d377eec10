import { listHabitsCookie, writeHabits } from '#api/firstAnswers.ts'
import { afterPaint } from '../data/afterPaint.ts'
import { readCookie, writeCookie } from '../data/cookies.ts'
import { store } from '../data/session.ts'
import { layoutsAtom, pageSizeAtom } from './preferences.ts'

/** Tells the server what this browser's lists differ in, now and whenever that changes: the first rows of a list come with its page. */
export function keepListHabits(): void {
  const tell = (): void => {
    const habits = writeHabits({ length: store.get(pageSizeAtom), laidOut: Object.keys(store.get(layoutsAtom)) })
    if (readCookie(listHabitsCookie) !== habits) writeCookie(listHabitsCookie, habits)
  }
  afterPaint(tell)
  store.sub(pageSizeAtom, tell)
  store.sub(layoutsAtom, tell)
}
