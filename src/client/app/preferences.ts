import { atom } from 'jotai'
import type { ViewColumn } from '#api/view.ts'
import { defaultPageSize } from './constants.ts'
import type { Preferences } from '#api/account.ts'
import { keep, readKept } from '../data/kept.ts'
import { store } from '../data/session.ts'
import { setDateFormat } from './format.ts'
import { keptAtom } from './keptAtom.ts'
import { speak, storedLanguage } from './messages.ts'
import { applyTheme, onSystemTheme, storedDensity, storedTheme, type Density, type Theme } from './theme.ts'

const theme = atom(storedTheme())
theme.onMount = (set) => onSystemTheme(() => set(storedTheme()))
/** Theme of this browser; setting it repaints at once. `null`: as the system has it. */
export const themeAtom = atom(
  (get) => get(theme),
  (get, set, next: Theme | null) => {
    keep('theme', next)
    set(theme, next ?? storedTheme())
    applyTheme(get(theme), get(density))
  },
)

const density = atom(storedDensity())
export const densityAtom = atom(
  (get) => get(density),
  (get, set, next: Density) => {
    keep('density', next)
    set(density, next)
    applyTheme(get(theme), next)
  },
)

/** The side menu as a rail of icons. */
export const isMenuCollapsedAtom = keptAtom('menu-collapsed', false)

/** The keys that work here, told in a dialog. */
export const isKeyHelpOpenAtom = atom(false)

/** The side menu over the page on narrow screens. */
export const isMenuOpenAtom = atom(false)

/** Menu groups the user has opened or closed, by name. */
export const openGroupsAtom = keptAtom<Readonly<Record<string, boolean>>>('menu-groups', {})

/** Rows a page, for every list; 5 until the user chooses. */
export const pageSizeAtom = keptAtom<number>('page-size', defaultPageSize)

/** Columns of lists as the user has laid them out, by screen and view; what is kept in a saved view is not here. */
export const layoutsAtom = keptAtom<Readonly<Record<string, readonly ViewColumn[]>>>('layouts', {})

const adoptedKey = 'preferences-of'

/** What the user has chosen in his profile becomes what this browser shows; what he has not chosen stays the browser's own. */
export async function adoptPreferences({ language, theme, density, date_format: dates }: Preferences): Promise<void> {
  if (theme !== null) store.set(themeAtom, theme)
  if (density !== null) store.set(densityAtom, density)
  setDateFormat(dates ?? 'DD/MM/YYYY')
  if (language !== null && language !== storedLanguage()) await speak(language)
}

/**
 * With each session once: between signing in and out the menus of the top bar change this browser alone. Dates are always as the profile
 * says.
 */
export async function adoptOnce(user: Preferences & { readonly user_session_token: string }): Promise<void> {
  if (readKept(adoptedKey) === user.user_session_token) {
    setDateFormat(user.date_format ?? 'DD/MM/YYYY')
    return
  }
  keep(adoptedKey, user.user_session_token)
  await adoptPreferences(user)
}
