import {
  allowInsecureRequests, authorizationCodeGrant, buildAuthorizationUrl, calculatePKCECodeChallenge, discovery, fetchUserInfo, randomNonce, randomPKCECodeVerifier, randomState,
  type Configuration,
} from 'openid-client'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { randomToken } from '#server/random.ts'
import { openSession, tokenHash, type OpenedSession, type Visitor } from './sessions.ts'
import { maySignIn } from './users.ts'

/** An OpenID Connect provider whose people may sign in here. */
export interface SsoSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** Name on the button: `Sign in with <name>`. */
  readonly name: string
  readonly scope?: string | undefined
}

/** What the provider sent back with the browser. */
export interface CallbackAnswer {
  readonly code: string
  readonly state: string | undefined
  readonly iss: string | undefined
}

const validMs = 10 * 60_000
const timeoutSeconds = 15

/** Sign-in with an account of another house (OpenID Connect, authorization code with PKCE). */
export class SingleSignOn {
  readonly name: string
  readonly #settings: SsoSettings
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: (line: string) => void
  #configuration: Promise<Configuration> | undefined

  constructor(settings: SsoSettings, services: { readonly database: Database; readonly clock: Clock; readonly log: (line: string) => void }) {
    this.name = settings.name
    this.#settings = settings
    this.#database = services.database
    this.#clock = services.clock
    this.#log = services.log
  }

  /** Where to send the browser, and the secret it has to bring back (in a cookie that scripts cannot read). */
  async start(redirectUri: string): Promise<{ readonly url: string; readonly secret: string }> {
    const configuration = await this.#discover()
    const secret = randomToken(32)
    const state = randomState()
    const nonce = randomNonce()
    const codeVerifier = randomPKCECodeVerifier()
    await this.#database.run(sql`
      insert into sso_login (token_hash, state, nonce, code_verifier, redirect_uri, expires_at)
      values (${tokenHash(secret)}, ${state}, ${nonce}, ${codeVerifier}, ${redirectUri}, ${new Date(this.#clock.now().getTime() + validMs).toISOString()})`)
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri, scope: this.#settings.scope ?? 'openid email profile', state, nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier), code_challenge_method: 'S256',
    })
    return { url: url.href, secret }
  }

  /** Exchanges the code for a session of the user whose verified e-mail address the provider vouches for. Nobody is created. */
  async finish(secret: string, answer: CallbackAnswer, visitor: Visitor): Promise<OpenedSession> {
    const now = this.#clock.now()
    const begun = await this.#database.first<{ state: string; nonce: string; code_verifier: string; redirect_uri: string; expires_at: string }>(
      sql`delete from sso_login where token_hash = ${tokenHash(secret)} returning state, nonce, code_verifier, redirect_uri, expires_at`,
    )
    if (!begun || Date.parse(begun.expires_at) <= now.getTime()) return fail('SSO_FAILED.late')
    const email = await this.#vouchedEmail(begun, answer)
    const user = await this.#database.first<{ id: number }>(sql`select u.id from app_user u where lower(u.email) = ${email.toLowerCase()} and ${maySignIn('u')}`)
    if (!user) return fail('SSO_UNKNOWN_USER.address', { email }, { data: { email } })
    return this.#database.transaction((tx) => openSession(tx, user.id, visitor, now))
  }

  async #vouchedEmail(begun: { readonly state: string; readonly nonce: string; readonly code_verifier: string; readonly redirect_uri: string }, answer: CallbackAnswer): Promise<string> {
    const url = new URL(begun.redirect_uri)
    url.searchParams.set('code', answer.code)
    // The secret cookie has bound the browser already; the state is compared wherever the caller has it.
    url.searchParams.set('state', answer.state ?? begun.state)
    if (answer.iss !== undefined) url.searchParams.set('iss', answer.iss)
    const { email, isVerified } = await this.#claims(url, begun)
    if (email === undefined || !isVerified) return fail('SSO_FAILED.email', { provider: this.name })
    return email
  }

  async #claims(url: URL, begun: { readonly state: string; readonly nonce: string; readonly code_verifier: string }): Promise<{ readonly email: string | undefined; readonly isVerified: boolean }> {
    try {
      const configuration = await this.#discover()
      const tokens = await authorizationCodeGrant(configuration, url, { pkceCodeVerifier: begun.code_verifier, expectedState: begun.state, expectedNonce: begun.nonce, idTokenExpected: true })
      const claims = tokens.claims()
      if (!claims) throw new Error('no ID token')
      if (typeof claims['email'] === 'string') return { email: claims['email'], isVerified: claims['email_verified'] === true }
      // Many providers put only the subject into the token.
      const info = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return { email: info.email, isVerified: info.email_verified === true }
    } catch (error) {
      this.#log(`Single sign-on: ${error instanceof Error ? error.message : String(error)}`)
      return fail('SSO_FAILED.unconfirmed', { provider: this.name })
    }
  }

  #discover(): Promise<Configuration> {
    this.#configuration ??= this.#configure()
    // A provider that was away is asked again.
    this.#configuration.catch(() => (this.#configuration = undefined))
    return this.#configuration
  }

  async #configure(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    const url = new URL(issuer)
    // Without TLS only on this computer: a provider on trial.
    const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
    return discovery(url, clientId, clientSecret, undefined, { timeout: timeoutSeconds, ...(isLocal ? { execute: [allowInsecureRequests] } : {}) })
  }
}

/** Forgets sign-ins that were begun and not finished. */
export async function purgeSignIns(database: Database, clock: Clock): Promise<void> {
  await database.run(sql`delete from sso_login where expires_at < ${clock.now().toISOString()}`)
}
