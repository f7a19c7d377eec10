import { Suspense, useEffect, useState } from 'react'
import { lazy } from './lazy.tsx'

const SessionEndBar = lazy(() => import('./SessionEndBar.tsx').then((module) => ({ default: module.SessionEndBar })))

/** So long before the seven days are over one is told. */
const warnMs = 15 * 60_000

/** Waits for the end of the session. */
export function SessionEnd({ email, expiresAt }: { readonly email: string; readonly expiresAt: string }) {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setNear(true), Math.max(0, Date.parse(expiresAt) - Date.now() - warnMs))
    return () => clearTimeout(timer)
  }, [expiresAt])
  return <Suspense>{isNear && <SessionEndBar email={email} expiresAt={expiresAt} />}</Suspense>
}
