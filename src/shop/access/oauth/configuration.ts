import type { Client, Payload } from 'oidc-provider'
import { dayMs, hourMs, minuteMs, secondMs } from '#values/instant.ts'
import { maxSessionDays } from '#values/session-lifetime.ts'
import { findAccount } from './account.ts'
import { cookieNames } from './browser/cookies.ts'
import { logoutPages } from './browser/logout.ts'
import { clientAdapter } from './clients.ts'
import { consoleClientId, loadGrant } from './console-client.ts'
import { errorPage } from './endpoints/response-hooks.ts'
import { providerResponseTypes } from './implicit.ts'
import type { SigningKey } from './keys/key-ring.ts'
import type { Library } from './library.ts'
import { allScopes } from './scopes.ts'
import { type AdapterOptions, payloadAdapter } from './storage/adapter.ts'
import { browserSessionAdapter, browserSessionMs } from './storage/browser-sessions.ts'
import { codeAdapter, omittedRedirectUri } from './storage/codes.ts'
import { grantAdapter } from './storage/grants.ts'
import { refreshTokenAdapter } from './storage/refresh-tokens.ts'

/** What the configuration of oidc-provider depends on. */
export interface ProviderOptions extends AdapterOptions {
  readonly issuer: string
  /** The name of the shop, on every page. */
  readonly shopName: string
  /** Whether the console is a client. */
  readonly hasConsole: boolean
  /** The first key signs, all keys verify. */
  readonly cookieKeys: readonly Buffer[]
  /** The first key signs, all keys are published. */
  readonly keys: readonly SigningKey[]
}

const toSeconds = (milliseconds: number): number => milliseconds / secondMs
/** How long a sign-in or consent page can be submitted. */
export const interactionMs = hourMs
/** How long an access token is valid. */
export const accessTokenMinutes = 15
const accessTokenSeconds = toSeconds(accessTokenMinutes * minuteMs)

/** The paths of the endpoints, by their names in oidc-provider. */
export const endpointPaths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  jwks: '/oauth/jwks',
  introspection: '/oauth/introspect',
  revocation: '/oauth/revoke',
  end_session: '/oauth/logout',
} as const

/** The path below which users sign in and consent. */
export const interactionPath = '/oauth/interaction'

/** The configuration of oidc-provider; a setting that is not listed keeps its default. */
export const providerConfiguration = (library: Library, options: ProviderOptions): object => ({
  adapter: selectAdapter(library, options),
  jwks: {
    keys: options.keys.map(({ jwk, kid }) => ({ ...jwk, kid, alg: 'RS256', use: 'sig' })),
  },
  routes: endpointPaths,
  scopes: allScopes,
  claims: {
    openid: ['sub'],
    profile: ['name', 'preferred_username', 'updated_at'],
    email: ['email', 'email_verified'],
  },
  responseTypes: providerResponseTypes(['code', 'id_token', 'id_token token', 'token']),
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  extraClientMetadata: { properties: ['native', 'previous_secret'] },
  extraParams: [omittedRedirectUri],
  // RFC 9700 2.1.1
  pkce: { required: () => true },
  cookies: cookieOptions(options),
  findAccount: async (_: unknown, sub: string) => findAccount(options.db, sub),
  loadExistingGrant: loadGrant(options.db, options.issuer),
  ...lifetimes,
  ...refreshTokens,
  features: providerFeatures(library, options),
  formats: { customizers: { jwt: storeAccessToken(options) } },
  interactions: {
    url: async (_: unknown, { uid }: { readonly uid: string }) => `${interactionPath}/${uid}`,
    policy: interactionPolicy(library),
  },
  renderError: errorPage(options.shopName),
  clientBasedCORS: () => true,
})

const selectAdapter = (library: Library, options: ProviderOptions) => (kind: string) => {
  if (kind === 'Client') return clientAdapter(options)
  if (kind === 'Grant') return grantAdapter(options)
  if (kind === 'Session') return browserSessionAdapter(library, options)
  if (kind === 'RefreshToken') return refreshTokenAdapter(library, options)
  if (kind === 'AuthorizationCode') return codeAdapter(library, options)
  const payloads = payloadAdapter(kind, options)
  if (kind !== 'AccessToken') return payloads
  return {
    ...payloads,
    find: async (id: string) => {
      const found = await payloads.find(id)
      // The userinfo endpoint rejects a token with an audience as meant for another server, but the
      // audience of these tokens is this server.
      if (!found || library.Provider.ctx?.oidc.route !== 'userinfo') return found
      const { aud: _, ...rest } = found
      return rest
    },
  }
}

const cookieOptions = ({ cookieKeys, issuer }: ProviderOptions) => ({
  keys: cookieKeys.map((key) => key.toString('base64url')),
  names: cookieNames(issuer),
  long: { path: '/', httpOnly: true, sameSite: 'lax', signed: true },
  short: { httpOnly: true, sameSite: 'lax', signed: true },
})

const lifetimes = {
  ttl: {
    AccessToken: accessTokenSeconds,
    ClientCredentials: accessTokenSeconds,
    AuthorizationCode: toSeconds(minuteMs),
    IdToken: toSeconds(hourMs),
    Interaction: toSeconds(interactionMs),
    RefreshToken: toSeconds(30 * dayMs),
    // A session without a user only carries a logout request.
    Session: (_: unknown, { accountId }: Partial<Payload>) =>
      toSeconds(accountId === undefined ? interactionMs : browserSessionMs),
    // A refresh token is useless without its grant, so this bounds the chain of rotations.
    Grant: toSeconds(maxSessionDays * dayMs),
  },
}

const refreshTokens = {
  issueRefreshToken: async (_: unknown, client: Client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  expiresWithSession: async () => false,
}

/** The only resource server is this API, identified by the issuer (RFC 8707). */
function providerFeatures({ errors }: Library, options: ProviderOptions) {
  const { issuer } = options
  const disabled = { enabled: false }
  return {
    devInteractions: disabled,
    dPoP: disabled,
    pushedAuthorizationRequests: disabled,
    rpInitiatedLogout: { enabled: true, ...logoutPages(errors, options) },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: isOwnToken },
    revocation: { enabled: true, allowedPolicy: mayRevoke(errors) },
    userinfo: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => issuer,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_: unknown, resource: string) => {
        if (resource !== issuer) throw new errors.InvalidTarget()
        return {
          scope: allScopes.join(' '),
          audience: issuer,
          accessTokenFormat: 'jwt',
          accessTokenTTL: accessTokenSeconds,
          jwt: { sign: { alg: 'RS256' } },
        }
      },
    },
  }
}

const isOwnToken = async (_: unknown, client: Client, token: Payload): Promise<boolean> =>
  token.clientId === client.clientId

const mayRevoke =
  ({ InvalidRequest }: Library['errors']) =>
  async (_: unknown, client: Client, token: Payload): Promise<boolean> => {
    if (token.clientId === client.clientId) return true
    if (client.clientAuthMethod === 'none') return false
    throw new InvalidRequest('client is not authorized to revoke the presented token')
  }

/** oidc-provider does not store a JWT; storing it allows to revoke it before it expires. */
const storeAccessToken =
  (options: ProviderOptions) =>
  async (_: unknown, token: Payload, { payload }: { readonly payload: Payload }): Promise<void> => {
    const { kind, clientId, accountId, grantId, gty, claims, sid } = token
    const { jti, iat = 0, exp = 0, scope, aud } = payload
    // The token of the console ends with the session in which it was issued.
    const uid = clientId === consoleClientId ? token['sessionUid'] : undefined
    const given = { clientId, accountId, grantId, gty, claims, sid, uid }
    const row = { kind, jti, iat, exp, scope, aud, ...given }
    await payloadAdapter(kind, options).upsert(jti, row as Payload, exp - iat)
  }

/** A native client can be impersonated, so its user is always asked for consent (RFC 8252 8.6). */
function interactionPolicy({ interactionPolicy: { base, Check } }: Library) {
  const policy = base()
  const { checks } = policy.get('consent')
  checks.remove('native_client_prompt')
  checks.add(
    new Check(
      'native_client',
      'a native client requires consent each time',
      'interaction_required',
      ({ oidc }) => oidc.client?.native === true && oidc.result?.consent === undefined,
    ),
  )
  return policy
}
