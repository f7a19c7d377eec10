import { Suspense } from 'react'
import { isGoingOn } from '../app/goesOn.ts'
import { useBlocker } from '../app/historyContext.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import type { Location } from 'react-router-dom'

const ConfirmDialog = lazy(() => import('../ui/ConfirmDialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

interface LeaveGuardProps {
  /** A function is asked at the moment of leaving: what was typed or saved a moment ago may not be drawn yet. */
  readonly isDirty: boolean | (() => boolean)
  /** Parameters of the query by which another record is opened on the same page. */
  readonly opens?: readonly string[]
  /** What would be lost. */
  readonly text: string
  /** The question, where it is not about saving. */
  readonly title?: string
  /** Told that the page is being left after all. */
  readonly onLeave?: () => void
  /** What is guarded lies over a page: Back takes it off, asked or not, and the page stays. */
  readonly takeOff?: (() => void) | undefined
}

/** Whoever leaves a page with something unsaved is asked first. To sign in again is not leaving: one comes back. */
export function LeaveGuard({ isDirty, opens = [], text, title = t('ui.form.leaveTitle'), onLeave, takeOff }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => (typeof isDirty === 'function' ? isDirty() : isDirty) && placeOf(currentLocation, opens) !== placeOf(nextLocation, opens) && !isGoingOn(nextLocation) && nextLocation.pathname !== '/pages/login',
    takeOff,
  )
  if (blocker.state !== 'blocked') return null
  const leave = () => {
    onLeave?.()
    blocker.proceed()
  }
  return (
    <Suspense>
      <ConfirmDialog title={title} text={text} confirm={t('ui.form.leave')} look="negative" onConfirm={leave} onClose={() => blocker.reset()} />
    </Suspense>
  )
}

function placeOf({ pathname, search }: Location, opens: readonly string[]): string {
  const query = new URLSearchParams(search)
  return [pathname, ...opens.map((name) => query.get(name))].join('?')
}
