import { readKept } from '../data/kept.ts'

/** The specification's themes: dark, semi-dark (dark side menu, light page) and default. */
export const themes = ['default', 'semi-dark', 'dark'] as const
export type Theme = (typeof themes)[number]

export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]

/** The theme chosen in this browser; without a choice what the system shows: dark where that is dark, else the default. */
export function storedTheme(): Theme {
  const stored = readKept('theme')
  return themes.find((theme) => theme === stored) ?? (globalThis.matchMedia?.(darkSystem).matches ? 'dark' : 'default')
}

const darkSystem = '(prefers-color-scheme: dark)'

/** Told when the system turns dark or light. */
export function onSystemTheme(listener: () => void): () => void {
  const system = matchMedia(darkSystem)
  system.addEventListener('change', listener)
  return () => system.removeEventListener('change', listener)
}

export function storedDensity(): Density {
  return readKept('density') === 'compact' ? 'compact' : 'comfortable'
}

/** Puts the theme and density of this browser (or these) on the page. */
export function applyTheme(theme: Theme = storedTheme(), density: Density = storedDensity()): void {
  document.documentElement.dataset['theme'] = theme === 'default' ? 'light' : theme
  document.documentElement.dataset['density'] = density
}
