import { keep, readKept } from './kept.ts'

/** Why the sign-in page is shown: told from one page to the next, in this window alone. */
const notices = ['SESSION_EXPIRED', 'SESSION_ENDED', 'PASSWORD_CHANGED', 'SSO_FAILED', 'SSO_UNKNOWN_USER'] as const
export type Notice = (typeof notices)[number]

const key = 'sign-in-notice'

export function leaveNotice(notice: string): void {
  if (isNotice(notice)) keep(key, notice, 'sessionStorage')
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
