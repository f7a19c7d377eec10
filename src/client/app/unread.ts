import { atom } from 'jotai'

/** Unread notifications of the user, as far as the server has told. */
export const unreadAtom = atom(0)
