import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { scopesOfRole } from '#shop/scopes.ts'
import { eachDatabase, startTestApp, type TestApp } from '#test/support/app.ts'

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  test('the profile has the user who is calling and the scopes of the credential', async () => {
    const fields = { name: 'Ada', username: 'ada', email: 'ada@example.com' }
    const { id, request, sessionId } = await shop.signInAs('customer', fields)
    const { status, json, headers } = await request('GET', '/profile')
    assert.equal(status, 200)
    const { created_at, updated_at, _links, ...representation } = json
    assert.deepEqual(representation, {
      id,
      ...fields,
      role: 'customer',
      scope: scopesOfRole('customer').join(' '),
    })
    assert.deepEqual(_links, {
      self: { href: '/profile' },
      user: { href: `/users/${id}` },
      orders: { href: `/users/${id}/orders` },
      cart: { href: `/users/${id}/cart` },
      addresses: { href: `/users/${id}/addresses` },
      sessions: { href: '/sessions' },
      oauth_consents: { href: '/oauth-consents' },
      logout: { href: `/sessions/${sessionId}`, method: 'DELETE' },
      erasure: { href: '/user/delete', method: 'POST' },
    })
    assert.equal(headers['cache-control'], 'private, no-cache')
  })

  test('reading the profile takes two statements, authentication included', async () => {
    const { request } = await shop.signInAs('customer')
    shop.takeCount()
    await request('GET', '/profile')
    assert.equal(shop.takeCount(), 2)
  })

  test('the ETag of a profile does not match for another user', async () => {
    const one = await shop.signInAs('customer')
    const other = await shop.signInAs('customer')
    const etag = (await one.request('GET', '/profile')).headers['etag'] ?? ''
    const headers = { 'if-none-match': etag }
    assert.equal((await one.request('GET', '/profile', undefined, headers)).status, 304)
    assert.equal((await other.request('GET', '/profile', undefined, headers)).status, 200)
  })
})
