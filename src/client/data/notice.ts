import { keep, readKept } from './kept.ts'

/** Why the sign-in page is shown: told from one page to the next, in this window alone. */
const notices = ['SESSION_EXPIRED', 'SESSION_ENDED', 'SESSION_REFUSED', 'CONNECTION_LOST', 'PROFILE_FAILED', 'PASSWORD_CHANGED', 'SSO_FAILED', 'SSO_UNKNOWN_USER'] as const
export type Notice = (typeof notices)[number]

const key = 'sign-in-notice'

/** `why`: what there is no notice of is a session that was refused. */
export function leaveNotice(why: string): void {
  keep(key, isNotice(why) ? why : 'SESSION_REFUSED', 'sessionStorage')
}

/** The reason left by the page before; told once. */
export function takeNotice(): Notice | undefined {
  const left = readKept(key, 'sessionStorage') ?? ''
  keep(key, null, 'sessionStorage')
  return isNotice(left) ? left : undefined
}

function isNotice(text: string): text is Notice {
  return notices.some((notice) => notice === text)
}
