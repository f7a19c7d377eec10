/**
 * Calls about one's own account and the pages anybody may read. Keys are spelt as those of the session calls.
 * POST   /api/account/v1/auth/reset-password        { email, host } → ResetAnswer: mails a one-time link or code
 * GET    /api/account/v1/auth/reset-password/{token} can the link or code still be used?
 * POST   /api/account/v1/auth/reset-password/{token} { password }
 * GET    /api/v1/auth/providers                      SignInProvider[]
 * GET    /api/v1/auth/start                          redirects to the single sign-on provider
 * POST   /api/v1/callback                            { code, source_app_id } → LoginAnswer
 * GET    /api/v1/legal/{kind}                        LegalText
 * GET    /api/v1/change-log                          ChangeLogEntry[]
 * GET    /api/v1/version                             VersionAnswer
 * GET    /api/v1/profile                             ProfileAnswer
 * PUT    /api/v1/profile                             ProfileBody
 * GET    /api/v1/profile/sessions                    SessionEntry[]
 */
/** What the mail of a reset holds: a link, or a code to type where the server has not been told its address. */
export type ResetWay = 'link' | 'code'

export interface ResetAnswer {
  readonly way: ResetWay
}

export const profileLanguages = ['en', 'cn', 'id'] as const
export const profileThemes = ['default', 'semi-dark', 'dark'] as const
export const profileDensities = ['comfortable', 'compact'] as const
export const dateFormats = ['DD/MM/YYYY', 'YYYY-MM-DD'] as const

export type LegalLanguage = (typeof profileLanguages)[number]
export type LegalKind = 'TERMS' | 'PRIVACY'

export interface LegalText {
  readonly kind: LegalKind
  readonly version: string
  readonly language: LegalLanguage
  readonly title: string
  /** Paragraphs between empty lines; `## ` begins a heading, `- ` an item of a list. */
  readonly body: string
  readonly effective_from: string
}

export interface ChangeLogEntry {
  readonly version: string
  readonly released_at: string
  readonly kind: 'NEW' | 'IMPROVED' | 'FIXED'
  readonly title: string
  readonly body: string | null
}

export interface VersionAnswer {
  readonly version: string
  readonly commit: string
  readonly migration: number
  readonly database: 'embedded' | 'postgres'
}

export interface SignInProvider {
  readonly name: string
  /** Path that leads to the provider. */
  readonly url: string
}

/** What belongs to the user and follows him from browser to browser. Null: never chosen. */
export interface Preferences {
  readonly language: LegalLanguage | null
  readonly theme: (typeof profileThemes)[number] | null
  readonly density: (typeof profileDensities)[number] | null
  readonly date_format: (typeof dateFormats)[number] | null
}

export interface ProfileAnswer extends Preferences {
  readonly user_id: number
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly work_number: string | null
  readonly role: string
  readonly role_name: string
  readonly operating_unit: string | null
  /** Empty: all territories. */
  readonly territories: readonly string[]
  readonly password_change_date: string
  readonly password_expires_at: string | null
  readonly tos_agreed_at: string | null
  readonly tos_version: string | null
  readonly version: number
}

/** Keys left out stay as they are. */
export type ProfileBody = Partial<Pick<ProfileAnswer, 'name' | 'phone' | keyof Preferences>>

export interface SessionEntry {
  readonly id: number
  readonly browser: string
  readonly system: string
  readonly ip: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly expires_at: string
  readonly is_current: boolean
}
