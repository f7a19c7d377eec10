import { useAtom, useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { sessionAtom, signingOutAtom, signOut } from '../data/session.ts'
import { lazy } from './lazy.tsx'
import { t } from './messages.ts'
import { SessionEnd } from './SessionEnd.tsx'

const TermsDialog = lazy(() => import('./TermsDialog.tsx').then((module) => ({ default: module.TermsDialog })))
const PasswordAlert = lazy(() => import('./PasswordAlert.tsx').then((module) => ({ default: module.PasswordAlert })))

const ConfirmDialog = lazy(() => import('../ui/ConfirmDialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

const changePasswordPath = '/profile/change-password'

/** What the signed-in user owes before work goes on, on whatever page: agreement to the terms, then a fresh password; when the session ends, and what signing out would cost. */
export function Duties({ pathname }: { readonly pathname: string }) {
  const user = useAtomValue(sessionAtom)?.user
  const [unfinished, setUnfinished] = useAtom(signingOutAtom)
  if (user === undefined) return null
  const isAsked = user.is_show_tos && pathname !== changePasswordPath
  return (
    <>
      <Suspense>
        {isAsked && <TermsDialog />}
        {!isAsked && user.is_password_expired && pathname === '/home' && <PasswordAlert />}
        {unfinished.length > 0 && (
          <ConfirmDialog
            title={t(unfinished.includes('drafts') ? 'ui.sign-out-title' : 'ui.sign-out-unsent')}
            text={unfinished.map((one) => t(`ui.sign-out-${one}`)).join(' ')}
            confirm={t('ui.sign-out')}
            look="negative"
            onConfirm={() => void signOut()}
            onClose={() => setUnfinished([])}
          />
        )}
      </Suspense>
      <SessionEnd key={user.session_expires_at} email={user.email} expiresAt={user.session_expires_at} />
    </>
  )
}
