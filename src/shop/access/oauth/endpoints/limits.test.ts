import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { slidingWindow } from '#http/rate-limit/algorithms/sliding-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { testPassword } from '#test/support/app.ts'
import { type OauthShop, startOauthShop, TestBrowser } from '#test/support/callers/relying-party.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { minuteMs } from '#values/instant.ts'

let shop: OauthShop
before(async () => {
  const limits = {
    defaultAllowance: { limit: 100, windowMs: minuteMs },
    counters: memoryCounters(slidingWindow),
  }
  const loginLimits = {
    defaultAllowance: { limit: 10, windowMs: minuteMs },
    counters: memoryCounters(slidingWindow),
  }
  shop = await startOauthShop('memory', { limits, loginLimits })
})
after(() => shop.dispose())

const post = (path: string, form: Readonly<Record<string, string>>) =>
  fetch(shop.issuer + path, { method: 'POST', body: new URLSearchParams(form) })

test('a client gets ten failed token requests a minute, then 429 with an error of OAuth', async () => {
  const attempt = (client_id: string) =>
    post('/oauth/token', { grant_type: 'client_credentials', client_id, client_secret: 'wrong' })
  for (let tries = 0; tries < 10; tries++) assert.equal((await attempt('one')).status, 401)
  const rejected = await attempt('one')
  assert.equal(rejected.status, 429)
  assert.match(rejected.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(((await rejected.json()) as { error: string }).error, 'temporarily_unavailable')
  assert.equal((await attempt('other')).status, 401)
})

test('every response has the header fields of the general rate limit', async () => {
  const { headers } = await fetch(`${shop.issuer}/oauth/jwks`)
  assert.equal(headers.get('x-ratelimit-limit'), '100')
})

test('the sign-in page, the password grant and /login share one limit of failed attempts', async () => {
  const { username } = await shop.signUp()
  const scope = 'orders:read'
  const client = await shop.register({ grant_types: ['password', 'authorization_code'], scope })
  const browser = new TestBrowser()
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: client.redirect_uris[0],
    scope,
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    ui_locales: 'de',
  })
  const { url, response } = await browser.open(`${shop.issuer}/oauth/authorize?${query}`)
  const page = await response.text()
  assert.match(page, /<html lang="de">/)
  const signIn = (password: string) =>
    browser.submit(url, page, { act: 'sign-in', username, password })
  for (let tries = 0; tries < 5; tries++) assert.equal((await signIn('wrong')).response.status, 422)
  const { client_id, client_secret } = client
  const passwordGrant = (password: string) =>
    post('/oauth/token', { grant_type: 'password', client_id, client_secret, username, password })
  for (let tries = 0; tries < 5; tries++) assert.equal((await passwordGrant('wrong')).status, 400)
  const throttled = (await signIn(testPassword)).response
  assert.equal(throttled.status, 429)
  assert.match(throttled.headers.get('retry-after') ?? '', /^\d+$/)
  assert.match(await throttled.text(), /Zu viele Versuche/)
  const rejected = await passwordGrant(testPassword)
  assert.equal(rejected.status, 429)
  assert.match(rejected.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(((await rejected.json()) as { error: string }).error, 'temporarily_unavailable')
  const login = await shop.request('POST', '/login', { username, password: testPassword })
  assert.equal(login.status, 429)
})

test('successful token requests are limited by the general rate limit only', async () => {
  const client = await shop.register({ grant_types: ['client_credentials', 'password'] })
  const { client_id, client_secret } = client
  const requestToken = (fields: Readonly<Record<string, string>>) =>
    post('/oauth/token', { grant_type: 'client_credentials', client_id, client_secret, ...fields })
  const statuses = []
  for (let turn = 0; turn < 25; turn += 1) statuses.push((await requestToken({})).status)
  assert.deepEqual([...new Set(statuses)], [200])
  // Wrong passwords of one user do not block the client for other users.
  const { username } = await shop.signUp()
  const byPassword = { grant_type: 'password', username, password: 'wrong' }
  for (let turn = 0; turn < 10; turn += 1)
    assert.equal((await requestToken(byPassword)).status, 400)
  assert.equal((await requestToken(byPassword)).status, 429)
  const other = await shop.signUp()
  const right = { ...byPassword, username: other.username, password: testPassword }
  assert.equal((await requestToken(right)).status, 200)
  for (let turn = 0; turn < 10; turn += 1) {
    assert.equal((await requestToken({ client_secret: 'wrong' })).status, 401)
  }
  assert.equal((await requestToken({})).status, 429)
})

test('wrong secrets at introspection and revocation count as failed token requests do', async () => {
  shop.now += minuteMs
  const { client_id, client_secret } = await shop.register({ grant_types: ['client_credentials'] })
  const attempt = (path: string, secret: string) =>
    post(path, { token: 'any', client_id, client_secret: secret })
  for (let turn = 0; turn < 12; turn += 1) {
    assert.equal((await attempt('/oauth/introspect', client_secret)).status, 200)
  }
  for (let turn = 0; turn < 5; turn += 1) {
    assert.equal((await attempt('/oauth/introspect', 'wrong')).status, 401)
    assert.equal((await attempt('/oauth/revoke', 'wrong')).status, 401)
  }
  const rejected = await attempt('/oauth/introspect', client_secret)
  assert.equal(rejected.status, 429)
  assert.match(rejected.headers.get('retry-after') ?? '', /^\d+$/)
  const token = { grant_type: 'client_credentials', client_id, client_secret }
  assert.equal((await post('/oauth/token', token)).status, 429)
})

test('the sign-in page is shown again while too many passwords wait to be hashed', async (t) => {
  shop.now += minuteMs
  const { username } = await shop.signUp()
  const client = await shop.register()
  const browser = new TestBrowser()
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: client.redirect_uris[0],
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const { url, response } = await browser.open(`${shop.issuer}/oauth/authorize?${query}`)
  const page = await response.text()
  let isBusy = true
  t.after(() => {
    isBusy = false
  })
  const hashAgain = (): void => {
    if (!isBusy) return
    shop.passwords.hash(testPassword, '127.0.0.1').then(hashAgain, () => setImmediate(hashAgain))
  }
  for (let at = 0; at < 500; at += 1) hashAgain()
  const shown = await pollUntil(
    async () => {
      const fields = { act: 'sign-in', username, password: 'wrong' }
      const { response: answer } = await browser.submit(url, page, fields)
      return { status: answer.status, text: await answer.text(), headers: answer.headers }
    },
    ({ status }) => status === 503,
  )
  assert.match(shown.headers.get('content-type') ?? '', /^text\/html/)
  assert.equal(shown.headers.get('retry-after'), '1')
  assert.match(shown.text, /The shop is busy/)
  assert.match(shown.text, new RegExp(`value="${username}"`))
})
