import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp } from '#test/support/app.ts'

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  test('an API key changes the rest of a user, and neither changes nor clears the e-mail address', async () => {
    const email = `ada-${kind}@example.com`
    const ada = await shop.signInAs('customer', { email })
    const place = `/users/${ada.id}`
    const { json: made } = await ada.request('POST', '/api-keys', {
      name: 'Narrow',
      scopes: ['users:read', 'users:write'],
    })
    const headers = { authorization: `Api-Key ${made.key}` }
    for (const [method, body] of [
      ['PATCH', { email: `eve-${kind}@example.com` }],
      ['PATCH', { email: null }],
      ['PUT', { name: 'Ada', email: null }],
      ['PUT', { name: 'Ada' }],
    ] as const) {
      const { status, json } = await shop.request(method, place, body, headers)
      assert.deepEqual([status, json.error_code], [403, '4033'], JSON.stringify([method, body]))
    }
    const same = await shop.request('PUT', place, { name: 'Ada', email }, headers)
    assert.deepEqual([same.status, same.json.email], [200, email], same.text)
    const cleared = await ada.request('PUT', place, { name: 'Ada' })
    assert.deepEqual([cleared.status, cleared.json.email], [200, null], cleared.text)
  })
})
