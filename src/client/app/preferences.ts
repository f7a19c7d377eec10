import { atom } from 'jotai'
import { atomWithStorage } from 'jotai/utils'
import { applyTheme, storedDensity, storedTheme, type Density, type Theme } from './theme.ts'

const theme = atom(storedTheme())
/** Theme of this browser; setting it repaints at once. */
export const themeAtom = atom(
  (get) => get(theme),
  (get, set, next: Theme) => {
    set(theme, next)
    applyTheme(next, get(density))
  },
)

const density = atom(storedDensity())
export const densityAtom = atom(
  (get) => get(density),
  (get, set, next: Density) => {
    set(density, next)
    applyTheme(get(theme), next)
  },
)

/** The side menu as a rail of icons. */
export const isMenuCollapsedAtom = atomWithStorage('menu-collapsed', false, undefined, { getOnInit: true })

/** The side menu over the page on narrow screens. */
export const isMenuOpenAtom = atom(false)

/** Menu groups folded by the user, by name. */
export const foldedGroupsAtom = atomWithStorage<readonly string[]>('menu-folded', [], undefined, { getOnInit: true })

/** Rows a page, for every list; 5 until the user chooses. */
export const pageSizeAtom = atomWithStorage('page-size', 5, undefined, { getOnInit: true })

/** Columns shown or hidden by the user, by screen: only what differs from the screen file. */
export const columnChoiceAtom = atomWithStorage<Readonly<Record<string, Readonly<Record<string, boolean>>>>>('columns', {}, undefined, { getOnInit: true })
