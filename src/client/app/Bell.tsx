import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { Icon } from '../ui/Icon.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Skeleton } from '../ui/States.tsx'
import css from './Bell.module.css'
import { lazy } from './lazy.tsx'
import { t } from './messages.ts'
import { unreadAtom } from './unread.ts'

const NotificationPanel = lazy(() => import('../notifications/NotificationPanel.tsx').then((module) => ({ default: module.NotificationPanel })))

/** How many notifications are unread; opens them. */
export function Bell({ triggerClass }: { readonly triggerClass: string | undefined }) {
  const unread = useAtomValue(unreadAtom)
  const trigger = (
    <span className={css['bell']}>
      <Icon name="bell" />
      {unread > 0 && <span className={css['count']}>{unread > 99 ? '99+' : unread}</span>}
    </span>
  )
  return (
    <Popover trigger={trigger} triggerClass={triggerClass} label={unread === 0 ? t('ui.notifications') : t('ui.notifications.unread', { n: unread })} align="end" className={css['panel']}>
      {(close) => (
        <Suspense fallback={<Skeleton lines={4} />}>
          <NotificationPanel onClose={close} />
        </Suspense>
      )}
    </Popover>
  )
}
