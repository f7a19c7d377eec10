/** As much of the provider as the tests use; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface InteractionDetails {
    readonly prompt: { readonly name: string }
    readonly session?: { readonly accountId: string }
  }

  interface Configuration {
    readonly clients: readonly object[]
    readonly claims: Readonly<Record<string, readonly string[]>>
    readonly conformIdTokenClaims: boolean
    readonly pkce: { required(): boolean }
    readonly cookies: { readonly keys: readonly string[] }
    readonly ttl: Readonly<Record<string, number>>
    readonly features: { readonly devInteractions: { readonly enabled: boolean } }
    readonly interactions: { url(context: object, interaction: { readonly uid: string }): string }
    findAccount(context: object, sub: string): { readonly accountId: string; claims(): Promise<Record<string, unknown>> }
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    readonly Grant: new (options: { readonly accountId: string; readonly clientId: string }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object, options: object): Promise<void>
  }
}
