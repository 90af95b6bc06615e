import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, testPassword } from '#test/support/app.ts'
import { digestAuthorization, requestDigestNonce } from '#test/support/callers/digest-caller.ts'
import {
  callback,
  type OauthShop,
  postForm,
  startOauthShop,
  TestBrowser,
} from '#test/support/callers/relying-party.ts'

// PostgreSQL rejects NUL in a text.
const odd = 'a\0b'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  test('a username with NUL is an unknown one, by Digest, password grant and sign-in page', async () => {
    const nonce = await requestDigestNonce(shop)
    const authorization = digestAuthorization({ username: '', nonce }).replace(
      'username=""',
      "username*=UTF-8''a%00b",
    )
    const byDigest = await shop.request('GET', '/profile', undefined, { authorization })
    assert.deepEqual([byDigest.status, byDigest.json.error_code], [401, '4012'])
    const client = await shop.register({ grant_types: ['password', 'authorization_code'] })
    const fields = { username: odd, password: testPassword }
    const form = { grant_type: 'password', ...fields }
    const byGrant = await postForm(`${shop.issuer}/oauth/token`, form, client)
    assert.deepEqual([byGrant.status, byGrant.json.error], [400, 'invalid_grant'])
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const browser = new TestBrowser()
    const { url, response } = await browser.open(`${shop.issuer}/oauth/authorize?${query}`)
    const page = await response.text()
    const shown = await browser.submit(url, page, { act: 'sign-in', ...fields })
    assert.equal(shown.response.status, 422)
  })

  test('an OAuth client with NUL in its ID is rejected', async () => {
    const secret = { client_id: odd, client_secret: 'any' }
    for (const [path, form] of [
      ['token', { grant_type: 'client_credentials' }],
      ['token', { grant_type: 'refresh_token', refresh_token: odd }],
      ['introspect', { token: 'any' }],
      ['revoke', { token: 'any' }],
    ] as const) {
      const url = `${shop.issuer}/oauth/${path}`
      for (const found of [
        await postForm(url, { ...form, ...secret }),
        await postForm(url, form, { ...secret, client_id: 'a%00b' }),
      ]) {
        assert.match(found.json.error, /^invalid_(client|request)$/)
      }
    }
    for (const path of ['authorize', 'logout']) {
      const { status } = await fetch(`${shop.issuer}/oauth/${path}?client_id=a%00b`)
      assert.equal(status, 400, path)
    }
  })
})
