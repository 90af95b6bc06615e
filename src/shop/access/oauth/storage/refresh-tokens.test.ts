import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, testPassword } from '#test/support/app.ts'
import { behindProxy } from '#test/support/callers/networks.ts'
import { type OauthShop, postForm, startOauthShop } from '#test/support/callers/relying-party.ts'
import { secondMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind, { httpsPolicy: behindProxy })
  })
  after(() => shop.dispose())

  /** A client with the tokens of a new user, and a renewal with one of its refresh tokens. */
  const issueTokens = async () => {
    const fields = { grant_types: ['password', 'refresh_token'], scope: 'orders:read' }
    const client = await shop.register(fields)
    const { username } = await shop.signUp()
    const send = (form: Readonly<Record<string, string>>, address: string) =>
      postForm(`${shop.issuer}/oauth/token`, form, client, {
        'x-forwarded-for': address,
        'x-forwarded-proto': 'https',
      })
    const password = { grant_type: 'password', username, password: testPassword }
    const { json } = await send(password, '192.0.2.7')
    const renew = (refresh_token: string, address = '192.0.2.7') =>
      send({ grant_type: 'refresh_token', refresh_token }, address)
    return { first: json.refresh_token, renew }
  }
  const listOrders = async (token: string): Promise<number> =>
    (await shop.request('GET', '/orders', undefined, { authorization: `Bearer ${token}` })).status

  describe('a refresh token that is used', () => {
    test('renews its grant once more within ten seconds, from the same network', async () => {
      const { first, renew } = await issueTokens()
      const once = await renew(first)
      assert.equal(once.status, 200)
      shop.now += 10 * secondMs
      const again = await renew(first)
      assert.equal(again.status, 200)
      assert.notEqual(again.json.refresh_token, once.json.refresh_token)
      for (const { json } of [once, again]) {
        assert.equal(await listOrders(json.access_token), 200)
        assert.equal((await renew(json.refresh_token)).status, 200)
      }
    })

    test('revokes the grant later, also the tokens of the repetition', async () => {
      const { first, renew } = await issueTokens()
      await renew(first)
      const { json: again } = await renew(first)
      shop.now += 10 * secondMs + 1
      const late = await renew(first)
      assert.deepEqual([late.status, late.json.error], [400, 'invalid_grant'])
      assert.equal(await listOrders(again.access_token), 401)
      assert.equal((await renew(again.refresh_token)).status, 400)
    })

    test('revokes the grant at once from another network', async () => {
      const { first, renew } = await issueTokens()
      const { json: next } = await renew(first)
      assert.equal((await renew(first, '192.0.2.8')).status, 400)
      assert.equal(await listOrders(next.access_token), 401)
      assert.equal((await renew(next.refresh_token)).status, 400)
    })

    test('renews its grant for each of the requests that send it at once', async () => {
      const { first, renew } = await issueTokens()
      const renewals = await Promise.all(Array.from({ length: 5 }, () => renew(first)))
      assert.deepEqual(
        renewals.map(({ status }) => status),
        [200, 200, 200, 200, 200],
      )
      assert.equal(new Set(renewals.map(({ json }) => json.refresh_token)).size, 5)
    })
  })
})
