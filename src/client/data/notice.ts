/** Why the sign-in page is shown: told from one page to the next, in this window alone. */
const notices = ['SESSION_EXPIRED', 'SESSION_ENDED', 'PASSWORD_CHANGED', 'SSO_FAILED', 'SSO_UNKNOWN_USER'] as const
export type Notice = (typeof notices)[number]

const key = 'sign-in-notice'

export function leaveNotice(notice: string): void {
  try {
    if (isNotice(notice)) sessionStorage.setItem(key, notice)
  } catch {
    // Without a store the page goes without the reason.
  }
}

/** The reason left by the page before; told once. */
export function takeNotice(): Notice | undefined {
  try {
    const left = sessionStorage.getItem(key) ?? ''
    sessionStorage.removeItem(key)
    return isNotice(left) ? left : undefined
  } catch {
    return undefined
  }
}

function isNotice(text: string): text is Notice {
  return notices.some((notice) => notice === text)
}
