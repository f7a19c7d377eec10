import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { memo } from 'react'
import type { CurrentUser } from '#api/session.ts'
import type { ClientRoute } from '#meta/clientRoute.ts'
import { askSignOut } from '../data/session.ts'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Bell } from './Bell.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { useHistory } from './historyContext.ts'
import { languageAtom, languages, speak, t } from './messages.ts'
import { densityAtom, isKeyHelpOpenAtom, isMenuCollapsedAtom, isMenuOpenAtom, themeAtom } from './preferences.ts'
import { isServedPath } from './routeTable.ts'
import { StarButton } from './StarButton.tsx'
import { themes } from './theme.ts'
import { notify } from './toasts.ts'
import css from './TopBar.module.css'
import { UserPicture } from './UserPicture.tsx'

interface TopBarProps {
  readonly user: CurrentUser
  readonly route: ClientRoute
  readonly title: string | undefined
  readonly pathname: string
  readonly onSearch: () => void
}

const themeIcons = { default: 'sun', 'semi-dark': 'half', dark: 'moon' } as const
const languageNames = { en: 'English', cn: '中文', id: 'Bahasa Indonesia' } as const

export const TopBar = memo(function TopBar({ user, route, title, pathname, onSearch }: TopBarProps) {
  const [isCollapsed, setCollapsed] = useAtom(isMenuCollapsedAtom)
  const setMenuOpen = useSetAtom(isMenuOpenAtom)
  return (
    <header className={css['bar']}>
      <IconButton className={css['narrow']} icon="menu" label={t('ui.open-menu')} aria-expanded={false} onClick={() => setMenuOpen(true)} />
      <IconButton
        className={css['wide']}
        icon={isCollapsed ? 'expand' : 'collapse'}
        label={t(isCollapsed ? 'ui.expand-menu' : 'ui.collapse-menu')}
        onClick={() => setCollapsed(!isCollapsed)}
      />
      <Breadcrumb route={route} title={title} pathname={pathname} />
      <StarButton title={title} pathname={pathname} />
      <Tools user={user} onSearch={onSearch} />
    </header>
  )
})

/** What stands there whatever the page. */
const Tools = memo(function Tools({ user, onSearch }: Pick<TopBarProps, 'user' | 'onSearch'>) {
  const setHelping = useSetAtom(isKeyHelpOpenAtom)
  const [theme, setTheme] = useAtom(themeAtom)
  const [density, setDensity] = useAtom(densityAtom)
  const language = useAtomValue(languageAtom)
  const history = useHistory()
  return (
    <div className={css['end']}>
      <button type="button" className={css['search']} aria-label={`${t('ui.go-to')} Ctrl K`} aria-keyshortcuts="Control+K" onClick={onSearch}>
        <Icon name="search" size={16} />
        <span>{t('ui.go-to')}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <Menu
        label={t('ui.theme')}
        trigger={<Icon name={themeIcons[theme]} />}
        triggerClass={css['icon']}
        items={[
          ...themes.map((choice) => ({
            id: choice,
            label: t(`ui.theme.${choice}`),
            icon: themeIcons[choice],
            checked: choice === theme,
            onSelect: () => setTheme(choice),
          })),
          {
            id: 'density',
            label: t('ui.compact'),
            icon: 'density' as const,
            isToggle: true,
            checked: density === 'compact',
            onSelect: () => setDensity(density === 'compact' ? 'comfortable' : 'compact'),
          },
        ]}
      />
      <Menu
        label={t('ui.language')}
        trigger={<Icon name="globe" />}
        triggerClass={css['icon']}
        items={languages.map((choice) => ({
          id: choice,
          label: languageNames[choice],
          checked: choice === language,
          onSelect: () => void speak(choice).catch(() => notify({ tone: 'error', title: t('ui.error'), text: t('ui.language.failed') })),
        }))}
      />
      <Bell triggerClass={css['icon']} />
      <Menu
        label={t('ui.account', { name: user.name })}
        trigger={<UserPicture name={user.name} pictureKey={user.picture_key} />}
        triggerClass={css['user']}
        header={
          <>
            <div className={css['name']}>{user.name}</div>
            <div className={css['mail']}>{user.email}</div>
            <div className={css['mail']}>{user.role}</div>
          </>
        }
        items={[
          ...accountPages.filter(({ path }) => isServedPath(path)).map(({ path, label, icon }) => ({ id: path, label: t(label), icon, onSelect: () => history.push(path) })),
          { id: 'keys', label: t('ui.keys.title'), icon: 'keyboard', onSelect: () => setHelping(true) },
          { id: 'sign-out', label: t('ui.sign-out'), icon: 'logout', onSelect: askSignOut },
        ]}
      />
    </div>
  )
})

const accountPages = [
  { path: '/profile', label: 'ui.profile', icon: 'user' },
  { path: '/profile/change-password', label: 'ui.change-password', icon: 'edit' },
  { path: '/change-log', label: 'page.change-log', icon: 'info' },
] as const
