import { sendPage } from '#http/html/page.ts'
import type { RawRequest, RawRoute } from '#http/server/raw-routes.ts'
import type { AccessTokenParts } from '#shop/access/oauth/access-token.ts'
import type { InteractionParts } from '#shop/access/oauth/browser/interaction.ts'
import { interactionHandlers } from '#shop/access/oauth/browser/interaction-handlers.ts'
import { endpointPaths, interactionPath } from '#shop/access/oauth/configuration.ts'
import { providerAuthorization } from '#shop/access/oauth/implicit.ts'
import { localizedMessages } from '#shop/access/oauth/pages/language.ts'
import { stillSignedInPage } from '#shop/access/oauth/pages/sign-out.ts'
import { markOmittedRedirectUri } from '#shop/access/oauth/storage/codes.ts'
import { findClient } from '#shop/access/oauth/store.ts'
import { scopes } from '#shop/scopes.ts'
import { claimedClientId, readForm, toProviderRequest } from './request.ts'
import { tokenId } from './token-id.ts'

type Handler = RawRoute['respond']

/** What the endpoints depend on. */
export interface EndpointParts extends InteractionParts, AccessTokenParts {}

const discoveryPaths = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
]

/** The routes of every OAuth 2.0 and OpenID Connect endpoint, and of the sign-in and consent pages. */
export function oauthRoutes(parts: EndpointParts): readonly RawRoute[] {
  const { authorization, end_session, ...paths } = endpointPaths
  const interaction = interactionHandlers(parts)
  const handle: Handler = (call) => forward(parts, call, {})
  const authorize: Handler = async (call) =>
    forward(parts, call, { url: await authorizationUrl(parts, call.url) })
  const get = (path: string, respond: Handler): RawRoute => ({ method: 'GET', path, respond })
  const post = (path: string, respond: Handler): RawRoute => ({ method: 'POST', path, respond })
  return [
    ...[...discoveryPaths, paths.jwks].map((path) => ({ ...get(path, handle), isPublic: true })),
    get(authorization, authorize),
    post(authorization, async (call) => redirectToGet(authorization, call)),
    get(`${authorization}/:uid`, handle),
    get(`${interactionPath}/:uid`, interaction.show),
    post(`${interactionPath}/:uid`, interaction.submit),
    post(paths.token, (call) => handleToken(parts, call)),
    get(paths.userinfo, (call) => handleUserinfo(parts, call)),
    post(paths.userinfo, (call) => handleUserinfo(parts, call)),
    post(paths.introspection, (call) => handleTokenParameter(parts, call)),
    post(paths.revocation, (call) => handleTokenParameter(parts, call)),
    get(end_session, handle),
    post(end_session, async (call) => redirectToGet(end_session, call)),
    post(`${end_session}/confirm`, (call) => confirmLogout(parts, call)),
    get(`${end_session}/success`, handle),
  ]
}

/** Lets oidc-provider handle the request. */
async function forward(
  { engine, issuer }: EndpointParts,
  call: RawRequest,
  overrides: Parameters<typeof toProviderRequest>[2],
): Promise<void> {
  const { handle } = await engine()
  await handle(toProviderRequest(call, issuer, overrides), call.response)
}

/**
 * Redirects a posted authorization or logout request (OpenID Connect Core 3.1.2.1, RP-Initiated
 * Logout 2) to GET, since browsers send no SameSite=Lax cookies with a POST from another site.
 */
function redirectToGet(path: string, call: RawRequest): void {
  call.response
    .writeHead(303, {
      location: `${path}?${readForm(call)}`,
      'cache-control': 'no-store',
    })
    .end()
}

async function confirmLogout(parts: EndpointParts, call: RawRequest): Promise<void> {
  if (readForm(call).get('logout') === 'yes') return forward(parts, call, {})
  const acceptLanguage = call.request.headers['accept-language']
  const localized = localizedMessages(parts.shopName, undefined, acceptLanguage)
  sendPage(call.response, stillSignedInPage(localized), [])
}

/** The URL of an authorization request as oidc-provider takes it. */
async function authorizationUrl(parts: EndpointParts, url: string): Promise<string> {
  const { pathname, searchParams } = new URL(url, parts.issuer)
  const parameters = providerAuthorization(searchParams)
  markOmittedRedirectUri(parameters)
  // A request without a scope asks for every API scope of the client (RFC 6749 3.3).
  if (!parameters.has('scope')) {
    const scope = await defaultScope(parts, parameters.get('client_id') ?? '')
    if (scope !== '') parameters.set('scope', scope)
  }
  return `${pathname}?${parameters}`
}

/** The scopes of a client, without those of OpenID Connect. */
async function defaultScope({ db }: EndpointParts, clientId: string): Promise<string> {
  const registered = (await findClient(db, clientId))?.scope.split(' ') ?? []
  return scopes.filter((scope) => registered.includes(scope)).join(' ')
}

async function handleToken(parts: EndpointParts, call: RawRequest): Promise<void> {
  const form = readForm(call)
  const clientId = claimedClientId(call, form)
  const needsScope = form.get('grant_type') === 'client_credentials' && !form.has('scope')
  const scope = needsScope ? await defaultScope(parts, clientId) : ''
  if (scope !== '') form.set('scope', scope)
  const isPasswordGrant = form.get('grant_type') === 'password'
  const claim = { address: call.ip, name: clientId, now: call.now }
  const authenticate = async () => {
    await forward(parts, call, scope === '' ? {} : { form })
    return !isClientFailure(call.response.statusCode, isPasswordGrant)
  }
  // The password grant itself counts its attempt for the network.
  await parts.loginThrottle.check(
    claim,
    authenticate,
    isPasswordGrant ? ['pair'] : ['network', 'pair'],
  )
}

/** True for a failed authentication of the client; a wrong password is a failure of the user. */
const isClientFailure = (status: number, isPasswordGrant: boolean): boolean =>
  status === 401 || (status === 400 && !isPasswordGrant)

// oidc-provider looks access tokens up by their ID and rejects a whole JWT.
async function handleUserinfo(parts: EndpointParts, call: RawRequest): Promise<void> {
  const form = readForm(call)
  const formToken = form.get('access_token')
  if (formToken !== null) form.set('access_token', await tokenId(parts, formToken, call.now))
  const [, token] = /^bearer +(\S+)$/i.exec(call.request.headers.authorization ?? '') ?? []
  await forward(parts, call, {
    ...(formToken === null ? {} : { form }),
    ...(token === undefined
      ? {}
      : { authorization: `Bearer ${await tokenId(parts, token, call.now)}` }),
  })
}

async function handleTokenParameter(parts: EndpointParts, call: RawRequest): Promise<void> {
  const form = readForm(call)
  const claim = { address: call.ip, name: claimedClientId(call, form), now: call.now }
  const token = form.get('token') ?? ''
  const authenticate = async () => {
    if (token.includes('.')) {
      form.set('token', await tokenId(parts, token, call.now))
      await forward(parts, call, { form })
    } else await forward(parts, call, {})
    return call.response.statusCode !== 401
  }
  await parts.loginThrottle.check(claim, authenticate, ['network', 'pair'])
}
