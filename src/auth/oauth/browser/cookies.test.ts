import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  type OauthShop,
  signInAndConsent,
  startOauthShop,
  Visitor,
} from '#test/support/callers/relying-party.ts'
import { cookieNames, cookiesForHost, cookiesForLibrary } from './cookies.ts'

const verifier = 'v'.repeat(43)

/** Where a client would send somebody; nobody listens there. */
const callback = 'https://app.example/callback'

async function authorizationOf(shop: OauthShop, place: string): Promise<string> {
  const { client_id } = await shop.register({ redirect_uris: [callback] })
  return `${place}/oauth/authorize?${new URLSearchParams({
    client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid orders:read',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })}`
}

test('over https every cookie is bound to this host', async (t) => {
  const shop = await startOauthShop('memory', {}, 'https:')
  t.after(() => shop.dispose())
  const place = shop.issuer.replace('https:', 'http:')
  const { username } = await shop.signUp()
  const visitor = new Visitor()
  const back = await signInAndConsent(visitor, await authorizationOf(shop, place), username)
  assert.ok(back.startsWith(`${callback}?code=`), back)
  assert.ok(visitor.lines.length >= 6)
  const names = new Set<string>()
  for (const line of visitor.lines) {
    assert.match(line, /^__Host-cartwright_(session|interaction|resume)/)
    assert.match(line, /; path=\/(;|$)/)
    assert.match(line, /; secure/)
    assert.match(line, /; httponly/)
    assert.doesNotMatch(line, /; domain/i)
    names.add(line.slice(0, line.indexOf('=')).replace(/-[\w-]+?(\.sig)?$/, ''))
  }
  assert.ok(names.size > 0)
})

test('over https two tabs can be at a page at once', async (t) => {
  const shop = await startOauthShop('memory', {}, 'https:')
  t.after(() => shop.dispose())
  const place = shop.issuer.replace('https:', 'http:')
  const { username } = await shop.signUp()
  const visitor = new Visitor()
  const first = await visitor.open(await authorizationOf(shop, place))
  await visitor.open(await authorizationOf(shop, place))
  const back = await signInAndConsent(visitor, first.url, username)
  assert.ok(back.startsWith(`${callback}?code=`), back)
})

test('over https a browser keeps a few pages open, the last of them', async (t) => {
  const shop = await startOauthShop('memory', {}, 'https:')
  t.after(() => shop.dispose())
  const place = shop.issuer.replace('https:', 'http:')
  const { username } = await shop.signUp()
  const visitor = new Visitor()
  const authorization = await authorizationOf(shop, place)
  for (let page = 0; page < 20; page += 1) await visitor.open(authorization)
  assert.ok(visitor.names.length <= 20, `${visitor.names.length} cookies`)
  const back = await signInAndConsent(visitor, authorization, username)
  assert.ok(back.startsWith(`${callback}?code=`), back)
})

test('the names are plain over http', () => {
  assert.equal(cookieNames('http://localhost:3000').session, 'cartwright_session')
  assert.equal(cookieNames('https://shop.example').session, '__Host-cartwright_session')
})

test('the cookie of a page is told apart by its name, and given to the library by its own', () => {
  const kept = [
    '__Host-cartwright_interaction=abc; path=/oauth/interaction/u_1-x; expires=never; secure; httponly',
    '__Host-cartwright_interaction.sig=s; path=/oauth/interaction/u_1-x; secure',
    '__Host-cartwright_resume=abc; path=/oauth/authorize/u_1-x; secure',
    '__Host-cartwright_session=s; path=/; secure',
    'cartwright_interaction=abc; path=/oauth/interaction/u_1-x',
  ]
  const sent = cookiesForHost(kept)
  assert.deepEqual(sent, [
    '__Host-cartwright_interaction-u_1-x=abc; path=/; expires=never; secure; httponly',
    '__Host-cartwright_interaction-u_1-x.sig=s; path=/; secure',
    '__Host-cartwright_resume-u_1-x=abc; path=/; secure',
    '__Host-cartwright_session=s; path=/; secure',
    'cartwright_interaction=abc; path=/oauth/interaction/u_1-x',
  ])
  const field = sent.map((line) => line.split(';', 1)[0]).join('; ')
  assert.equal(
    cookiesForLibrary(field, '/oauth/interaction/u_1-x?a=b'),
    '__Host-cartwright_interaction=abc; __Host-cartwright_interaction.sig=s; ' +
      '__Host-cartwright_resume=abc; __Host-cartwright_session=s; cartwright_interaction=abc',
  )
  assert.equal(cookiesForLibrary(field, '/oauth/interaction/u_1'), field)
  assert.equal(cookiesForLibrary(field, '/oauth/token'), field)
})

test('the cookies of a page come before what the library has signed anew', () => {
  const name = '__Host-cartwright_interaction'
  const sent = [`${name}.sig=stale`, `${name}-second.sig=right`, `${name}-second=uid`].join('; ')
  assert.equal(
    cookiesForLibrary(sent, '/oauth/interaction/second?x=1'),
    [`${name}.sig=right`, `${name}=uid`, `${name}.sig=stale`].join('; '),
  )
})
