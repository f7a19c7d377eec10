/** What a password must be, asked while it is typed and again by the server. */
export const passwordRules = {
  length: (password: string) => password.length >= 8,
  letter: (password: string) => /\p{L}/u.test(password),
  digit: (password: string) => /\d/.test(password),
} as const satisfies Record<string, (password: string) => boolean>

export type PasswordRule = keyof typeof passwordRules

/** Days after which a password has to be changed. */
export const passwordDays = 182

const dayMs = 86_400_000

/** Is the date missing, no date, the zero date, or so many days old that the password has to be changed? */
export function isPasswordExpired(changedAt: string | null | undefined, now: Date): boolean {
  const at = changedAt == null ? Number.NaN : Date.parse(changedAt)
  return Number.isNaN(at) || new Date(at).getUTCFullYear() <= 1 || now.getTime() - at >= passwordDays * dayMs
}
