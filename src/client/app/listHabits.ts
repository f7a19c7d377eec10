import { listHabitsCookie, writeHabits } from '#api/firstAnswers.ts'
import { afterPaint } from '../data/afterPaint.ts'
import { readCookie, writeCookie } from '../data/cookies.ts'
import { store } from '../data/session.ts'
import { languageAtom } from './messages.ts'
import { layoutsAtom, pageSizeAtom } from './preferences.ts'

/** Tells the server this browser's language and what its lists differ in, now and whenever that changes: first texts and rows of a list come with its page. */
export function keepListHabits(): void {
  const tell = (): void => {
    const habits = writeHabits({ length: store.get(pageSizeAtom), language: store.get(languageAtom), laidOut: Object.keys(store.get(layoutsAtom)) })
    if (readCookie(listHabitsCookie) !== habits) writeCookie(listHabitsCookie, habits)
  }
  afterPaint(tell)
  store.sub(pageSizeAtom, tell)
  store.sub(layoutsAtom, tell)
  store.sub(languageAtom, tell)
}
