import type { Client, Context, Payload } from 'oidc-provider'
import { dayMs, hourMs, minuteMs, secondMs } from '#values/instant.ts'
import { maxSessionDays } from '#values/session-lifetime.ts'
import { accountOf } from './account.ts'
import { cookieNames } from './browser/cookies.ts'
import { logoutPages } from './browser/logout.ts'
import { clientsIn } from './clients.ts'
import { responseTypesForLibrary } from './implicit.ts'
import type { SigningKey } from './keys/key-ring.ts'
import type { Library } from './library.ts'
import { type AdapterOptions, payloadsOf } from './payloads/adapter.ts'
import { browserSessionMs, browserSessionsOf } from './payloads/browser-sessions.ts'
import { grantsOf } from './payloads/grants.ts'
import { everyScope } from './scopes.ts'

/** What the library is set up with. */
export interface Setup extends AdapterOptions {
  readonly issuer: string
  /** The first signs, all of them verify. */
  readonly cookieKeys: readonly Buffer[]
  readonly keys: readonly SigningKey[]
  /** Shows an error to somebody in a browser. */
  readonly showError: (ctx: Context, told: Readonly<Record<string, string>>) => Promise<void>
}

const inSeconds = (milliseconds: number): number => milliseconds / secondMs
/** How long a page of signing in or consenting can be used. */
export const pageMs = hourMs
/** How long an access token is good for. */
export const accessMinutes = 15
const accessSeconds = inSeconds(accessMinutes * minuteMs)

/** Where the endpoints are. */
export const places = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  jwks: '/oauth/jwks',
  introspection: '/oauth/introspect',
  revocation: '/oauth/revoke',
  end_session: '/oauth/logout',
} as const

/** Where users sign in and consent. */
export const interactionPlace = '/oauth/interaction'

/** The configuration of the library; what is left out stays as it comes. */
export const configurationOf = (library: Library, setup: Setup): object => ({
  adapter: adapterOf(library, setup),
  jwks: {
    keys: setup.keys.map(({ jwk, kid }) => ({ ...jwk, kid, alg: 'RS256', use: 'sig' })),
  },
  routes: places,
  scopes: everyScope,
  claims: {
    openid: ['sub'],
    profile: ['name', 'preferred_username', 'updated_at'],
    email: ['email', 'email_verified'],
  },
  responseTypes: responseTypesForLibrary(['code', 'id_token', 'id_token token', 'token']),
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  extraClientMetadata: { properties: ['native', 'previous_secret'] },
  // Every code is bound to whoever asked for it (RFC 9700 2.1.1).
  pkce: { required: () => true },
  cookies: cookiesOf(setup),
  findAccount: async (_: unknown, sub: string) => accountOf(setup.db, sub),
  ...lifetimes,
  ...refreshing,
  features: featuresOf(library, setup),
  formats: { customizers: { jwt: keepToken(setup) } },
  interactions: {
    url: async (_: unknown, { uid }: { readonly uid: string }) => `${interactionPlace}/${uid}`,
    policy: policyOf(library),
  },
  renderError: setup.showError,
  clientBasedCORS: () => true,
})

const adapterOf = (library: Library, setup: Setup) => (kind: string) => {
  if (kind === 'Client') return clientsIn(setup)
  if (kind === 'Grant') return grantsOf(setup)
  if (kind === 'Session') return browserSessionsOf(library, setup)
  const payloads = payloadsOf(kind, setup)
  if (kind !== 'AccessToken') return payloads
  return {
    ...payloads,
    find: async (id: string) => {
      const found = await payloads.find(id)
      // Who the token is for is this server, the library's own endpoint being a part of it; of a
      // token that names whom it is for, it takes that to be somebody else.
      if (!found || library.Provider.ctx?.oidc.route !== 'userinfo') return found
      const { aud: _, ...rest } = found
      return rest
    },
  }
}

const cookiesOf = ({ cookieKeys, issuer }: Setup) => ({
  keys: cookieKeys.map((key) => key.toString('base64url')),
  names: cookieNames(issuer),
  long: { path: '/', httpOnly: true, sameSite: 'lax', signed: true },
  short: { httpOnly: true, sameSite: 'lax', signed: true },
})

const lifetimes = {
  ttl: {
    AccessToken: accessSeconds,
    ClientCredentials: accessSeconds,
    AuthorizationCode: inSeconds(minuteMs),
    IdToken: inSeconds(hourMs),
    Interaction: inSeconds(pageMs),
    RefreshToken: inSeconds(30 * dayMs),
    // That of nobody holds a request to sign out, and nothing else.
    Session: (_: unknown, { accountId }: Partial<Payload>) =>
      inSeconds(accountId === undefined ? pageMs : browserSessionMs),
    // Refresh tokens rest on it, so that this is how long one can follow another.
    Grant: inSeconds(maxSessionDays * dayMs),
  },
}

const refreshing = {
  issueRefreshToken: async (_: unknown, client: Client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  expiresWithSession: async () => false,
}

/** Tokens are for this API, of which the issuer is the name; none is for anything else. */
function featuresOf({ errors }: Library, { issuer, db }: Setup) {
  const off = { enabled: false }
  return {
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    rpInitiatedLogout: { enabled: true, ...logoutPages(errors, db) },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: isOwnToken },
    revocation: { enabled: true, allowedPolicy: revocable(errors) },
    userinfo: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => issuer,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_: unknown, resource: string) => {
        if (resource !== issuer) throw new errors.InvalidTarget()
        return {
          scope: everyScope.join(' '),
          audience: issuer,
          accessTokenFormat: 'jwt',
          accessTokenTTL: accessSeconds,
          jwt: { sign: { alg: 'RS256' } },
        }
      },
    },
  }
}

/** True for a token that was issued to the client that asks. */
const isOwnToken = async (_: unknown, client: Client, token: Payload): Promise<boolean> =>
  token.clientId === client.clientId

const revocable =
  ({ InvalidRequest }: Library['errors']) =>
  async (_: unknown, client: Client, token: Payload): Promise<boolean> => {
    if (token.clientId === client.clientId) return true
    if (client.clientAuthMethod === 'none') return false
    throw new InvalidRequest('client is not authorized to revoke the presented token')
  }

/** What a token is good for is kept, so that it can be withdrawn before it expires. */
const keepToken =
  (setup: Setup) =>
  async (_: unknown, token: Payload, { payload }: { readonly payload: Payload }): Promise<void> => {
    const { kind, clientId, accountId, grantId, gty, claims, sid } = token as Payload & {
      readonly gty?: string
    }
    const { jti, iat = 0, exp = 0, scope, aud } = payload
    const kept = { kind, jti, iat, exp, scope, aud, clientId, accountId, grantId, gty, claims, sid }
    await payloadsOf(kind, setup).upsert(jti, kept as Payload, exp - iat)
  }

function policyOf({ interactionPolicy }: Library) {
  const policy = interactionPolicy.base()
  const { checks } = policy.get('consent')
  checks.remove('native_client_prompt')
  checks.add(
    new interactionPolicy.Check(
      'native_client',
      'anybody could pass for a native client',
      'interaction_required',
      ({ oidc }) => oidc.client?.native === true && oidc.result?.consent === undefined,
    ),
  )
  return policy
}
