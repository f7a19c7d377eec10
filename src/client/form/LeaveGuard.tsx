import { Suspense } from 'react'
import { useBlocker } from '../app/historyContext.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'

const ConfirmDialog = lazy(() => import('../ui/ConfirmDialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

interface LeaveGuardProps {
  readonly isDirty: boolean
  /** Asked once more at the moment of leaving: what was saved a moment ago is no longer at stake. */
  readonly isStillDirty?: () => boolean
  /** What would be lost. */
  readonly text: string
}

/** Whoever leaves a page with something unsaved is asked first. To sign in again is not leaving: one comes back. */
export function LeaveGuard({ isDirty, isStillDirty, text }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && isStillDirty?.() !== false && currentLocation.pathname !== nextLocation.pathname && nextLocation.pathname !== '/pages/login',
  )
  if (blocker.state !== 'blocked') return null
  return (
    <Suspense>
      <ConfirmDialog title={t('ui.form.leaveTitle')} text={text} confirm={t('ui.form.leave')} look="negative" onConfirm={() => blocker.proceed()} onClose={() => blocker.reset()} />
    </Suspense>
  )
}
