import { keep, readKept } from '../data/kept.ts'

/** The specification's themes: dark, semi-dark (dark side menu, light page) and default. */
export const themes = ['default', 'semi-dark', 'dark'] as const
export type Theme = (typeof themes)[number]

export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]

export function storedTheme(): Theme {
  const stored = readKept('theme')
  return themes.find((theme) => theme === stored) ?? 'default'
}

export function storedDensity(): Density {
  return readKept('density') === 'compact' ? 'compact' : 'comfortable'
}

/** Puts the stored (or this) theme and density on the page. */
export function applyTheme(theme: Theme = storedTheme(), density: Density = storedDensity()): void {
  keep('theme', theme)
  keep('density', density)
  document.documentElement.dataset['theme'] = theme === 'default' ? 'light' : theme
  document.documentElement.dataset['density'] = density
}
