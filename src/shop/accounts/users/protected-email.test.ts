import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { confirmAddress, eachDatabase, startTestApp, type TestApp } from '#test/support/app.ts'

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  test('an API key may change a user, but neither changes nor clears the email address', async () => {
    const email = `ada-${kind}@example.com`
    const ada = await shop.signInAs('customer', { email })
    await confirmAddress(shop.db, ada.id)
    const path = `/users/${ada.id}`
    const { json: apiKey } = await ada.request('POST', '/api-keys', {
      name: 'Narrow',
      scopes: ['users:read', 'users:write'],
    })
    const headers = { authorization: `Api-Key ${apiKey.key}` }
    for (const [method, body] of [
      ['PATCH', { email: `eve-${kind}@example.com` }],
      ['PATCH', { email: null }],
      ['PUT', { name: 'Ada', email: null }],
      ['PUT', { name: 'Ada' }],
    ] as const) {
      const { status, json } = await shop.request(method, path, body, headers)
      assert.deepEqual([status, json.error_code], [403, '4033'], JSON.stringify([method, body]))
    }
    const unchanged = await shop.request('PUT', path, { name: 'Ada', email }, headers)
    assert.deepEqual([unchanged.status, unchanged.json.email], [200, email], unchanged.text)
    const cleared = await ada.request('PUT', path, { name: 'Ada' })
    assert.deepEqual([cleared.status, cleared.json.email], [200, null], cleared.text)
  })
})
