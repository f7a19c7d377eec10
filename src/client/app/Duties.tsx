import { useAtom, useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { isSigningOutAtom, sessionAtom, signOut } from '../data/session.ts'
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
  const [isSigningOut, setSigningOut] = useAtom(isSigningOutAtom)
  if (user === undefined) return null
  const isAsked = user.is_show_tos && pathname !== changePasswordPath
  return (
    <>
      <Suspense>
        {isAsked && <TermsDialog />}
        {!isAsked && user.is_password_expired && pathname === '/home' && <PasswordAlert />}
        {isSigningOut && (
          <ConfirmDialog title={t('ui.sign-out-title')} text={t('ui.sign-out-drafts')} confirm={t('ui.sign-out')} look="negative" onConfirm={() => void signOut()} onClose={() => setSigningOut(false)} />
        )}
      </Suspense>
      <SessionEnd key={user.session_expires_at} email={user.email} expiresAt={user.session_expires_at} />
    </>
  )
}
