import { readToken, type TokenGround } from '#auth/oauth/access-token.ts'
import {
  type InteractionGround,
  interactionAnswers,
  sendPage,
} from '#auth/oauth/browser/interaction.ts'
import { interactionPlace, places } from '#auth/oauth/configuration.ts'
import { languageFor } from '#auth/oauth/pages/language.ts'
import { stillSignedInPage } from '#auth/oauth/pages/sign-out.ts'
import { findClient } from '#auth/oauth/store.ts'
import { scopes } from '#http/declare/caller.ts'
import type { ForeignCall, ForeignRoute } from '#http/server/raw-routes.ts'
import { asGiven, claimedClient, formOf } from './request.ts'

type Answer = ForeignRoute['answer']

/** What the endpoints are served with. */
export interface EndpointGround extends InteractionGround, TokenGround {}

const discovery = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

/** Every endpoint of OAuth 2.0 and OpenID Connect, and the pages of signing in and consenting. */
export function oauthRoutes(ground: EndpointGround): readonly ForeignRoute[] {
  const pages = interactionAnswers(ground)
  const plain: Answer = (call) => pass(ground, call, {})
  const authorize: Answer = async (call) =>
    pass(ground, call, { url: await withScope(ground, call.url) })
  const get = (path: string, answer: Answer): ForeignRoute => ({ method: 'GET', path, answer })
  const post = (path: string, answer: Answer): ForeignRoute => ({ method: 'POST', path, answer })
  return [
    ...[...discovery, places.jwks].map((path) => ({ ...get(path, plain), isPublic: true })),
    get(places.authorization, authorize),
    post(places.authorization, async (call) => askByGet(places.authorization, call)),
    get(`${places.authorization}/:uid`, plain),
    get(`${interactionPlace}/:uid`, pages.show),
    post(`${interactionPlace}/:uid`, pages.take),
    post(places.token, (call) => answerToken(ground, call)),
    get(places.userinfo, (call) => answerUserinfo(ground, call)),
    post(places.userinfo, (call) => answerUserinfo(ground, call)),
    post(places.introspection, (call) => answerAboutToken(ground, call)),
    post(places.revocation, (call) => answerAboutToken(ground, call)),
    get(places.end_session, plain),
    post(places.end_session, async (call) => askByGet(places.end_session, call)),
    post(`${places.end_session}/confirm`, (call) => signOut(ground, call)),
    get(`${places.end_session}/success`, plain),
  ]
}

/** Lets the library answer. */
async function pass(
  { engine, issuer }: EndpointGround,
  call: ForeignCall,
  otherwise: Parameters<typeof asGiven>[2],
): Promise<void> {
  const { answer } = await engine()
  await answer(asGiven(call, issuer, otherwise), call.response)
}

/**
 * A request to sign in or out may be posted too (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 2).
 * From another site, the cookie comes only with the GET that follows.
 */
function askByGet(place: string, call: ForeignCall): void {
  call.response
    .writeHead(303, {
      location: `${place}?${formOf(call)}`,
      'cache-control': 'no-store',
    })
    .end()
}

/** Signs out whoever has confirmed it; for anybody else nothing changes. */
async function signOut(ground: EndpointGround, call: ForeignCall): Promise<void> {
  if (formOf(call).get('logout') === 'yes') return pass(ground, call, {})
  const spoken = languageFor(undefined, call.request.headers['accept-language'])
  sendPage(call, stillSignedInPage(spoken), [])
}

/** Who asks for no scope asks for what acts the client is registered for (RFC 6749 3.3). */
async function withScope(ground: EndpointGround, url: string): Promise<string> {
  const [path = '', query = ''] = url.split('?', 2)
  const asked = new URLSearchParams(query)
  if (asked.has('scope')) return url
  const scope = await usualScope(ground, asked.get('client_id') ?? '')
  if (scope === '') return url
  asked.set('scope', scope)
  return `${path}?${asked}`
}

async function usualScope({ db }: EndpointGround, clientId: string): Promise<string> {
  const registered = (await findClient(db, clientId))?.scope.split(' ') ?? []
  return scopes.filter((scope) => registered.includes(scope)).join(' ')
}

async function answerToken(ground: EndpointGround, call: ForeignCall): Promise<void> {
  const form = formOf(call)
  const client = claimedClient(call, form)
  const isBare = form.get('grant_type') === 'client_credentials' && !form.has('scope')
  const scope = isBare ? await usualScope(ground, client) : ''
  if (scope !== '') form.set('scope', scope)
  const isByPassword = form.get('grant_type') === 'password'
  const claim = { address: call.ip, name: client, now: call.now }
  const answer = async () => {
    await pass(ground, call, scope === '' ? {} : { form })
    return !isFailure(call.response.statusCode, isByPassword)
  }
  // A password reserves an attempt of its network itself.
  await ground.attempts.check(claim, answer, isByPassword ? ['pair'] : ['address', 'pair'])
}

/** True where the client has proven nothing; a wrong password is no failure of the client. */
const isFailure = (status: number, isByPassword: boolean): boolean =>
  status === 401 || (status === 400 && !isByPassword)

async function answerUserinfo(ground: EndpointGround, call: ForeignCall): Promise<void> {
  const { authorization } = call.request.headers
  const form = formOf(call)
  const sent = form.get('access_token')
  if (sent !== null) form.set('access_token', await nameOf(ground, sent, call))
  const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  await pass(ground, call, {
    ...(sent === null ? {} : { form }),
    ...(token === undefined
      ? {}
      : { authorization: `Bearer ${await nameOf(ground, token, call)}` }),
  })
}

/** The library knows an access token by its name alone, and refuses to be told the whole of it. */
async function answerAboutToken(ground: EndpointGround, call: ForeignCall): Promise<void> {
  const form = formOf(call)
  const token = form.get('token') ?? ''
  if (!token.includes('.')) return pass(ground, call, {})
  form.set('token', await nameOf(ground, token, call))
  await pass(ground, call, { form })
}

/** Names nothing that there is. */
const nothing = 'nothing'

/** The name of an access token that verifies; what does not names nothing. */
async function nameOf(
  ground: EndpointGround,
  token: string,
  { now }: ForeignCall,
): Promise<string> {
  try {
    return (await readToken(ground, token, now)).jti
  } catch {
    return nothing
  }
}
