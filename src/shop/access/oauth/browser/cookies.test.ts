import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  type OauthShop,
  signInAndConsent,
  startOauthShop,
  TestBrowser,
} from '#test/support/callers/relying-party.ts'
import { addHostPrefix, cookieNames, removeHostPrefix } from './cookies.ts'

const verifier = 'v'.repeat(43)

/** The redirect URI of the client; nothing listens there. */
const callback = 'https://app.example/callback'

/** An authorization request of a new client, on the http origin that the test server has. */
async function authorizationUrl(shop: OauthShop): Promise<string> {
  const { client_id } = await shop.register({ redirect_uris: [callback] })
  return `${shop.issuer.replace('https:', 'http:')}/oauth/authorize?${new URLSearchParams({
    client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid orders:read',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })}`
}

test('over https every cookie has the __Host- prefix', async (t) => {
  const shop = await startOauthShop('memory', {}, 'https:')
  t.after(() => shop.dispose())
  const { username } = await shop.signUp()
  const browser = new TestBrowser()
  const back = await signInAndConsent(browser, await authorizationUrl(shop), username)
  assert.ok(back.startsWith(`${callback}?code=`), back)
  assert.ok(browser.setCookies.length >= 6)
  const names = new Set<string>()
  for (const line of browser.setCookies) {
    assert.match(line, /^__Host-cartwright_(session|interaction|resume)/)
    assert.match(line, /; path=\/(;|$)/)
    assert.match(line, /; secure/)
    assert.match(line, /; httponly/)
    assert.doesNotMatch(line, /; domain/i)
    names.add(line.slice(0, line.indexOf('=')).replace(/-[\w-]+?(\.sig)?$/, ''))
  }
  assert.ok(names.size > 0)
})

test('over https two tabs can have an interaction each', async (t) => {
  const shop = await startOauthShop('memory', {}, 'https:')
  t.after(() => shop.dispose())
  const { username } = await shop.signUp()
  const browser = new TestBrowser()
  const first = await browser.open(await authorizationUrl(shop))
  await browser.open(await authorizationUrl(shop))
  const back = await signInAndConsent(browser, first.url, username)
  assert.ok(back.startsWith(`${callback}?code=`), back)
})

test('over https only the newest interactions keep their cookies', async (t) => {
  const shop = await startOauthShop('memory', {}, 'https:')
  t.after(() => shop.dispose())
  const { username } = await shop.signUp()
  const browser = new TestBrowser()
  const authorization = await authorizationUrl(shop)
  for (let page = 0; page < 20; page += 1) await browser.open(authorization)
  assert.ok(browser.cookieNames.length <= 20, `${browser.cookieNames.length} cookies`)
  const back = await signInAndConsent(browser, authorization, username)
  assert.ok(back.startsWith(`${callback}?code=`), back)
})

test('cookie names have the __Host- prefix over https only', () => {
  assert.equal(cookieNames('http://localhost:3000').session, 'cartwright_session')
  assert.equal(cookieNames('https://shop.example').session, '__Host-cartwright_session')
})

test('an interaction ID moves from the cookie path to its name and back', () => {
  const received = [
    '__Host-cartwright_interaction=abc; path=/oauth/interaction/u_1-x; expires=never; secure; httponly',
    '__Host-cartwright_interaction.sig=s; path=/oauth/interaction/u_1-x; secure',
    '__Host-cartwright_resume=abc; path=/oauth/authorize/u_1-x; secure',
    '__Host-cartwright_session=s; path=/; secure',
    'cartwright_interaction=abc; path=/oauth/interaction/u_1-x',
  ]
  const sent = addHostPrefix(received)
  assert.deepEqual(sent, [
    '__Host-cartwright_interaction-u_1-x=abc; path=/; expires=never; secure; httponly',
    '__Host-cartwright_interaction-u_1-x.sig=s; path=/; secure',
    '__Host-cartwright_resume-u_1-x=abc; path=/; secure',
    '__Host-cartwright_session=s; path=/; secure',
    'cartwright_interaction=abc; path=/oauth/interaction/u_1-x',
  ])
  const field = sent.map((line) => line.split(';', 1)[0]).join('; ')
  assert.equal(
    removeHostPrefix(field, '/oauth/interaction/u_1-x?a=b'),
    '__Host-cartwright_interaction=abc; __Host-cartwright_interaction.sig=s; ' +
      '__Host-cartwright_resume=abc; __Host-cartwright_session=s; cartwright_interaction=abc',
  )
  assert.equal(removeHostPrefix(field, '/oauth/interaction/u_1'), field)
  assert.equal(removeHostPrefix(field, '/oauth/token'), field)
})

test('the cookies of an interaction come before those without an ID', () => {
  const name = '__Host-cartwright_interaction'
  const sent = [`${name}.sig=stale`, `${name}-second.sig=right`, `${name}-second=uid`].join('; ')
  assert.equal(
    removeHostPrefix(sent, '/oauth/interaction/second?x=1'),
    [`${name}.sig=right`, `${name}=uid`, `${name}.sig=stale`].join('; '),
  )
})
