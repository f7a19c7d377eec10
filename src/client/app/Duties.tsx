import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { sessionAtom } from '../data/session.ts'
import { lazy } from './lazy.tsx'
import { SessionEnd } from './SessionEnd.tsx'

const TermsDialog = lazy(() => import('./TermsDialog.tsx').then((module) => ({ default: module.TermsDialog })))
const PasswordAlert = lazy(() => import('./PasswordAlert.tsx').then((module) => ({ default: module.PasswordAlert })))

const changePasswordPath = '/profile/change-password'

/** What the signed-in user owes before work goes on, on whatever page: agreement to the terms, then a fresh password; and when the session ends. */
export function Duties({ pathname }: { readonly pathname: string }) {
  const user = useAtomValue(sessionAtom)?.user
  if (user === undefined) return null
  const isAsked = user.is_show_tos && pathname !== changePasswordPath
  return (
    <>
      <Suspense>
        {isAsked && <TermsDialog />}
        {!isAsked && user.is_password_expired && pathname === '/home' && <PasswordAlert />}
      </Suspense>
      <SessionEnd key={user.session_expires_at} email={user.email} expiresAt={user.session_expires_at} />
    </>
  )
}
