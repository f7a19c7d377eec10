import type { Preferences } from '#api/account.ts'

/**
 * The session calls of the specification. Keys are spelt as the specification spells them, not PascalCase.
 * POST /api/v1/login                  form data email, password, user_agent
 * POST /api/v1/logout                 revokes the session of the bearer token
 * GET  /api/v1/setting/user-personal  CurrentUser
 * GET  /api/v1/menu                   MenuAnswer
 * GET  /api/v1/permission             PermissionAnswer; query module (empty: all), source=OMS
 * PUT  /api/v1/setting/tos            { agree: true, version }
 */
export interface LoginAnswer {
  readonly token: string
  readonly log_login_id: string
}

export interface CurrentUser extends Preferences {
  readonly user_id: number
  readonly name: string
  readonly email: string
  readonly role: string
  readonly user_session_token: string
  readonly apps: readonly string[]
  /** 0: all territories. */
  readonly territory_id: number
  readonly territories: readonly number[]
  readonly operating_unit_id: number | null
  readonly is_show_tos: boolean
  /** Version of the terms in force; null: there are none. */
  readonly tos_version: string | null
  /** `0001-01-01T00:00:00Z`: never changed. */
  readonly password_change_date: string
  /** Key of the user's picture; null: none. */
  readonly picture_key: string | null
  /** Missing, invalid or at least 182 days old: nothing but changing it is allowed. */
  readonly is_password_expired: boolean
  readonly session_expires_at: string
}

export interface MenuEntry {
  readonly name: string
  readonly url: string
  readonly icon: string
  readonly order: number
  readonly submenu: readonly MenuEntry[]
  /** Url of the entry it is reached by, when the user sees that one: a variant of its screen, or a queue its page leads to. */
  readonly under?: string
  readonly isQueue?: boolean
  /** What the switch between variants calls it, and its scope. */
  readonly kind?: string
  readonly scope?: string
}

export interface MenuAnswer {
  readonly records: readonly MenuEntry[]
}

export interface PermissionAnswer {
  readonly records: readonly { readonly GuardName: string }[]
}
