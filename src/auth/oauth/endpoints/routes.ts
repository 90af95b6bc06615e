import { type AccessTokenDependencies, readToken } from '#auth/oauth/access-token.ts'
import {
  type InteractionDependencies,
  interactionAnswers,
  sendPage,
} from '#auth/oauth/browser/interaction.ts'
import { interactionPlace, places } from '#auth/oauth/configuration.ts'
import { authorizationForLibrary } from '#auth/oauth/implicit.ts'
import { languageFor } from '#auth/oauth/pages/language.ts'
import { stillSignedInPage } from '#auth/oauth/pages/sign-out.ts'
import { findClient } from '#auth/oauth/store.ts'
import { scopes } from '#http/declare/caller.ts'
import type { RawRequest, RawRoute } from '#http/server/raw-routes.ts'
import { asGiven, claimedClient, formOf } from './request.ts'

type Response = RawRoute['answer']

/** What the endpoints are served with. */
export interface EndpointDependencies extends InteractionDependencies, AccessTokenDependencies {}

const discovery = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

/** Every endpoint of OAuth 2.0 and OpenID Connect, and the pages of signing in and consenting. */
export function oauthRoutes(dependencies: EndpointDependencies): readonly RawRoute[] {
  const pages = interactionAnswers(dependencies)
  const plain: Response = (call) => pass(dependencies, call, {})
  const authorize: Response = async (call) =>
    pass(dependencies, call, { url: await authorizationUrl(dependencies, call.url) })
  const get = (path: string, answer: Response): RawRoute => ({ method: 'GET', path, answer })
  const post = (path: string, answer: Response): RawRoute => ({ method: 'POST', path, answer })
  return [
    ...[...discovery, places.jwks].map((path) => ({ ...get(path, plain), isPublic: true })),
    get(places.authorization, authorize),
    post(places.authorization, async (call) => askByGet(places.authorization, call)),
    get(`${places.authorization}/:uid`, plain),
    get(`${interactionPlace}/:uid`, pages.show),
    post(`${interactionPlace}/:uid`, pages.take),
    post(places.token, (call) => answerToken(dependencies, call)),
    get(places.userinfo, (call) => answerUserinfo(dependencies, call)),
    post(places.userinfo, (call) => answerUserinfo(dependencies, call)),
    post(places.introspection, (call) => answerAboutToken(dependencies, call)),
    post(places.revocation, (call) => answerAboutToken(dependencies, call)),
    get(places.end_session, plain),
    post(places.end_session, async (call) => askByGet(places.end_session, call)),
    post(`${places.end_session}/confirm`, (call) => signOut(dependencies, call)),
    get(`${places.end_session}/success`, plain),
  ]
}

/** Lets the library answer. */
async function pass(
  { engine, issuer }: EndpointDependencies,
  call: RawRequest,
  otherwise: Parameters<typeof asGiven>[2],
): Promise<void> {
  const { answer } = await engine()
  await answer(asGiven(call, issuer, otherwise), call.response)
}

/**
 * A request to sign in or out may be posted too (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 2).
 * From another site, the cookie comes only with the GET that follows.
 */
function askByGet(place: string, call: RawRequest): void {
  call.response
    .writeHead(303, {
      location: `${place}?${formOf(call)}`,
      'cache-control': 'no-store',
    })
    .end()
}

/** Signs out whoever has confirmed it; for anybody else nothing changes. */
async function signOut(dependencies: EndpointDependencies, call: RawRequest): Promise<void> {
  if (formOf(call).get('logout') === 'yes') return pass(dependencies, call, {})
  const localized = languageFor(undefined, call.request.headers['accept-language'])
  sendPage(call, stillSignedInPage(localized), [])
}

/** The address of an authorization request, as the library is given it. */
async function authorizationUrl(dependencies: EndpointDependencies, url: string): Promise<string> {
  const { pathname, searchParams } = new URL(url, dependencies.issuer)
  const parameters = authorizationForLibrary(searchParams)
  // A request without a scope is for every scope of the API that the client has (RFC 6749 3.3).
  if (!parameters.has('scope')) {
    const scope = await defaultScope(dependencies, parameters.get('client_id') ?? '')
    if (scope !== '') parameters.set('scope', scope)
  }
  return `${pathname}?${parameters}`
}

async function defaultScope({ db }: EndpointDependencies, clientId: string): Promise<string> {
  const registered = (await findClient(db, clientId))?.scope.split(' ') ?? []
  return scopes.filter((scope) => registered.includes(scope)).join(' ')
}

async function answerToken(dependencies: EndpointDependencies, call: RawRequest): Promise<void> {
  const form = formOf(call)
  const client = claimedClient(call, form)
  const isBare = form.get('grant_type') === 'client_credentials' && !form.has('scope')
  const scope = isBare ? await defaultScope(dependencies, client) : ''
  if (scope !== '') form.set('scope', scope)
  const isByPassword = form.get('grant_type') === 'password'
  const claim = { address: call.ip, name: client, now: call.now }
  const answer = async () => {
    await pass(dependencies, call, scope === '' ? {} : { form })
    return !isFailure(call.response.statusCode, isByPassword)
  }
  // A password reserves an attempt of its network itself.
  await dependencies.loginThrottle.check(
    claim,
    answer,
    isByPassword ? ['pair'] : ['address', 'pair'],
  )
}

/** True where the client has proven nothing; a wrong password is no failure of the client. */
const isFailure = (status: number, isByPassword: boolean): boolean =>
  status === 401 || (status === 400 && !isByPassword)

async function answerUserinfo(dependencies: EndpointDependencies, call: RawRequest): Promise<void> {
  const { authorization } = call.request.headers
  const form = formOf(call)
  const sent = form.get('access_token')
  if (sent !== null) form.set('access_token', await nameOf(dependencies, sent, call))
  const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  await pass(dependencies, call, {
    ...(sent === null ? {} : { form }),
    ...(token === undefined
      ? {}
      : { authorization: `Bearer ${await nameOf(dependencies, token, call)}` }),
  })
}

/** The library knows an access token by its name alone, and refuses to be told the whole of it. */
async function answerAboutToken(
  dependencies: EndpointDependencies,
  call: RawRequest,
): Promise<void> {
  const form = formOf(call)
  const token = form.get('token') ?? ''
  if (!token.includes('.')) return pass(dependencies, call, {})
  form.set('token', await nameOf(dependencies, token, call))
  await pass(dependencies, call, { form })
}

/** Names nothing that there is. */
const nothing = 'nothing'

/** The name of an access token that verifies; what does not names nothing. */
async function nameOf(
  dependencies: EndpointDependencies,
  token: string,
  { now }: RawRequest,
): Promise<string> {
  try {
    return (await readToken(dependencies, token, now)).jti
  } catch {
    return nothing
  }
}
