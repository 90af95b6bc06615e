import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp, testPassword } from '#test/support/app.ts'

const allowed = 'https://shop.example'
const basic = (name: string) => `Basic ${Buffer.from(`${name}:${testPassword}`).toString('base64')}`

let shop: TestApp
before(async () => {
  shop = await startTestApp('memory', { composition: { origins: [allowed] } })
})
after(() => shop.dispose())

/** Requests the deletion of the account by a simple request, which needs no preflight. */
async function requestDeletion(headers: Readonly<Record<string, string>>): Promise<number> {
  const { status } = await shop.request('POST', '/user/delete', undefined, headers)
  return status
}

test('a page of another site cannot write with a password stored in the browser', async () => {
  const { username } = await shop.signUp()
  const authorization = basic(username)
  for (const site of ['cross-site', 'same-site']) {
    const page = { authorization, 'sec-fetch-site': site, origin: 'https://evil.example' }
    assert.equal(await requestDeletion(page), 403, site)
    assert.equal(await requestDeletion({ authorization, 'sec-fetch-site': site }), 403, site)
    const read = await shop.request('GET', '/profile', undefined, page)
    assert.equal(read.status, 200)
  }
  const digest = { authorization: 'Digest username="x"', 'sec-fetch-site': 'cross-site' }
  assert.equal(await requestDeletion(digest), 403)
  const { json } = await shop.request('GET', '/user/delete', undefined, { authorization })
  assert.equal(json.error_code, '4041')
})

test('pages of allowed origins, and clients that are no page, can write', async () => {
  const sources = [
    { 'sec-fetch-site': 'cross-site', origin: allowed },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    {},
  ]
  for (const source of sources) {
    const { username } = await shop.signUp()
    assert.equal(await requestDeletion({ authorization: basic(username), ...source }), 202)
  }
  const { token } = await shop.signInAs('customer')
  const withToken = { authorization: `Bearer ${token}`, 'sec-fetch-site': 'cross-site' }
  assert.equal(await requestDeletion(withToken), 202)
})
