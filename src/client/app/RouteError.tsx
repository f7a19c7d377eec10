import { useEffect } from 'react'
import { useRouteError } from 'react-router-dom'
import { ErrorState } from '../ui/States.tsx'
import { t } from './messages.ts'
import { hideOverlay } from './overlay.ts'

/** Something broke while a page was loaded or drawn: say so, offer another try. */
export function RouteError() {
  const error = useRouteError()
  useEffect(hideOverlay, [])
  const text = error instanceof Error ? error.message : String(error)
  return <ErrorState title={t('ui.page-failed')} text={text} onRetry={() => location.reload()} />
}
