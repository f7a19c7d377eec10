import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { languageAtom, languages, speak, t } from '../app/messages.ts'
import { densityAtom, isMenuCollapsedAtom, themeAtom } from '../app/preferences.ts'
import { themes } from '../app/theme.ts'
import { askSignOut } from '../data/session.ts'
import type { IconName } from '../ui/Icon.tsx'
import type { Choice } from './sources.ts'

const languageNames = { en: 'English', cn: '中文', id: 'Bahasa Indonesia' } as const
const themeIcons = { default: 'sun', 'semi-dark': 'half', dark: 'moon' } as const satisfies Record<string, IconName>

/** What can be done from anywhere: theme, language, menu, sign out. */
export function useActionChoices(): readonly Choice[] {
  const [theme, setTheme] = useAtom(themeAtom)
  const [density, setDensity] = useAtom(densityAtom)
  const [isCollapsed, setCollapsed] = useAtom(isMenuCollapsedAtom)
  const language = useAtomValue(languageAtom)
  const setSpoken = useSetAtom(languageAtom)
  const action = (id: string, label: string, hint: string, icon: IconName, run: () => void): Choice => ({ id: `action ${id}`, group: 'ui.palette.actions', label, hint, icon, does: { kind: 'run', run } })
  return [
    ...themes.filter((one) => one !== theme).map((one) => action(`theme ${one}`, t('ui.palette.theme', { theme: t(`ui.theme.${one}`) }), '', themeIcons[one], () => setTheme(one))),
    ...languages.filter((one) => one !== language).map((one) => action(`language ${one}`, languageNames[one], t('ui.language'), 'globe', () => void speak(one).catch(() => setSpoken(language)))),
    action('density', t('ui.compact'), '', 'density', () => setDensity(density === 'compact' ? 'comfortable' : 'compact')),
    action('menu', t(isCollapsed ? 'ui.expand-menu' : 'ui.collapse-menu'), '', isCollapsed ? 'expand' : 'collapse', () => setCollapsed(!isCollapsed)),
    action('sign-out', t('ui.sign-out'), '', 'logout', askSignOut),
  ]
}
