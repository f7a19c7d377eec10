import http from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { atEnd } from './atEnd.ts'

export const clientId = 'arus'
export const clientSecret = 'a-secret-of-the-provider'

export interface IdentityProvider {
  readonly issuer: string
  /** Walks a browser from the provider's page through sign-in and consent as this person; the address it is sent back to. */
  walk(url: string, person: string): Promise<URL>
}

/** Claims of a person: `sari@example.com` is vouched for, `unverified:sari@example.com` is not, `nobody` has no address. */
function claimsOf(person: string): Record<string, unknown> {
  const [kind = '', address] = person.includes(':') ? person.split(':') : ['', person]
  return { sub: person, ...(address?.includes('@') === true ? { email: address, email_verified: kind !== 'unverified' } : {}) }
}

/** A real OpenID Connect provider on a port of its own, closed after the tests of the file. */
export async function identityProvider(redirectUri: string, options: { readonly isAddressInToken?: boolean } = {}): Promise<IdentityProvider> {
  const server = http.createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri], grant_types: ['authorization_code'], response_types: ['code'] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: options.isAddressInToken !== true,
    pkce: { required: () => true },
    cookies: { keys: ['key of the test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...claimsOf(sub) }) }),
  })
  const callback = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) void interact(provider, request, response)
    else callback(request, response)
  })
  atEnd(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return { issuer, walk: (url, person) => walk(issuer, url, person) }
}

/** What the provider's own pages would ask: who it is (a header of the test says so), and whether this may be told. */
async function interact(provider: Provider, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const details = await provider.interactionDetails(request, response)
  const person = String(request.headers['x-person'])
  if (details.prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: person } }, { mergeWithLastSubmission: false })
  const grant = new provider.Grant({ accountId: details.session?.accountId ?? person, clientId })
  grant.addOIDCScope('openid email profile')
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } }, { mergeWithLastSubmission: true })
}

async function walk(issuer: string, start: string, person: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(start)
  for (let i = 0; i < 12; i++) {
    if (url.origin !== issuer) return url
    // oxlint-disable-next-line no-restricted-globals -- the browser of the test
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '), 'x-person': person } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${url.pathname}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
    url = new URL(next, url)
  }
  throw new Error('The provider does not come to an end')
}
