/**
 * The parts of oidc-provider that are used here. `@types/oidc-provider` declares the parameters of
 * requests, the metadata of clients and stored payloads as `unknown`, and lacks `Session.oldId` and
 * `IdToken.scope`: each use would need a cast.
 */
declare module 'oidc-provider' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Client {
    readonly clientId: string
    readonly clientName?: string
    readonly clientUri?: string
    readonly policyUri?: string
    readonly tosUri?: string
    readonly clientSecret?: string
    /** The hash of the previous secret during its grace period. */
    readonly previous_secret?: string
    readonly redirectUris: readonly string[]
    readonly postLogoutRedirectUris?: readonly string[]
    readonly scope?: string
    readonly clientAuthMethod: string
    readonly native?: boolean
    grantTypeAllowed(type: string): boolean
  }

  interface Payload {
    readonly kind: string
    readonly jti: string
    readonly exp?: number
    readonly iat?: number
    readonly clientId?: string
    readonly accountId?: string
    readonly grantId?: string
    readonly uid?: string
    readonly scope?: string
    readonly consumed?: number
    readonly gty?: string
    /** Of a Grant. */
    readonly openid?: { readonly scope?: string }
    readonly resources?: Readonly<Record<string, string>>
    readonly rejected?: { readonly openid?: { readonly scope?: string } }
    /** Of an Interaction. */
    readonly session?: { readonly accountId?: string }
    readonly result?: { readonly login?: { readonly accountId?: string } }
    readonly params?: { readonly client_id?: string }
    readonly [name: string]: unknown
  }

  interface Grant {
    addOIDCScope(scope: string): void
    rejectOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    rejectResourceScope(resource: string, scope: string): void
    getResourceScopeFiltered(resource: string, scopes: Iterable<string>): string
    save(): Promise<string>
  }

  interface Interaction {
    readonly uid: string
    /** The same for all interactions of one authorization request. */
    readonly cid: string
    readonly returnTo: string
    readonly prompt: { readonly name: string; readonly details: Readonly<Record<string, unknown>> }
    readonly params: Readonly<Record<string, string | undefined>>
    session?: { readonly accountId?: string; readonly uid?: string }
    readonly grantId?: string
    persist(): Promise<unknown>
  }

  interface Context {
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly path: string
    readonly ip: string
    status: number
    body: unknown
    /** True if the ETag of the response is one that the client has (RFC 9110 13.1.2). */
    readonly fresh: boolean
    readonly response: {
      readonly headers: Readonly<Record<string, unknown>>
      remove(name: string): void
    }
    readonly oidc: {
      readonly route: string
      readonly client?: Client
      readonly params?: Record<string, string | undefined>
      /** The parameters of a POST as they were sent. */
      readonly body?: Readonly<Record<string, string | undefined>>
      readonly provider: Provider
      readonly result?: { readonly consent?: { readonly grantId?: string } }
      readonly session?: {
        readonly accountId?: string
        grantIdFor(clientId: string): string | undefined
        /** The ID that the session had before this request changed it. */
        readonly oldId?: string
        readonly state?: {
          readonly secret: string
          readonly state?: string
          readonly postLogoutRedirectUri?: string
        }
      }
      readonly entities: {
        readonly Interaction?: Pick<Interaction, 'cid'>
        readonly IdTokenHint?: { readonly payload: { readonly sub?: string } }
      }
    }
    set(fields: Readonly<Record<string, string | readonly string[]>>): void
    redirect(address: string): void
  }

  interface Token {
    resourceServer: unknown
    scope: string
    readonly expiration: number
    save(): Promise<string>
  }

  interface Checks {
    remove(reason: string): void
    add(check: unknown): void
  }

  export class Provider extends EventEmitter {
    constructor(issuer: string, configuration: object)
    proxy: boolean
    readonly Client: { readonly prototype: object; find(id: string): Promise<Client | undefined> }
    readonly Grant: {
      new (fields: { readonly accountId: string; readonly clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    readonly Session: { findByUid(uid: string): Promise<{ destroy(): Promise<void> } | undefined> }
    readonly AccessToken: new (
      fields: object,
    ) => Token
    readonly RefreshToken: new (
      fields: object,
    ) => Token
    readonly IdToken: new (
      claims: object,
      parts: object,
    ) => {
      scope: string
      issue(use: { readonly use: string }): Promise<string>
    }
    readonly ResourceServer: new (
      identifier: string,
      info: object,
    ) => unknown
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): this
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { readonly mergeWithLastSubmission: boolean },
    ): Promise<string>
    registerGrantType(
      name: string,
      handler: (ctx: Context) => Promise<void>,
      params: readonly string[],
    ): void
    static readonly ctx: Context | undefined
  }

  type ErrorClass = new (description?: string) => Error

  export const errors: {
    readonly CustomOIDCProviderError: new (error: string, description: string) => Error
    readonly InvalidGrant: ErrorClass
    readonly InvalidScope: ErrorClass
    readonly InvalidRequest: ErrorClass
    readonly InvalidTarget: ErrorClass
    readonly SessionNotFound: ErrorClass
  }

  export const interactionPolicy: {
    base(): { get(name: string): { readonly checks: Checks } }
    readonly Check: new (
      reason: string,
      description: string,
      error: string,
      check: (ctx: Context) => boolean,
    ) => unknown
  }
}
