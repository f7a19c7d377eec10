import { useEffect } from 'react'
import { Navigate } from 'react-router-dom'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'

/** The sign-in page for somebody who is signed in: a warning, then home. */
export function AlreadySignedIn() {
  useEffect(() => {
    void notify({ tone: 'warning', text: t('ui.sign-in.already') })
  }, [])
  return <Navigate to="/home" replace />
}
