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

/** Asks to leave the shop, as a page can have a browser do without asking first. */
async function leave(headers: Readonly<Record<string, string>>): Promise<number> {
  const { status } = await shop.request('POST', '/user/delete', undefined, headers)
  return status
}

test('a page of another site changes nothing with a password that the browser remembers', async () => {
  const { username } = await shop.signUp()
  const authorization = basic(username)
  for (const site of ['cross-site', 'same-site']) {
    const page = { authorization, 'sec-fetch-site': site, origin: 'https://evil.example' }
    assert.equal(await leave(page), 403, site)
    assert.equal(await leave({ authorization, 'sec-fetch-site': site }), 403, site)
    const read = await shop.request('GET', '/profile', undefined, page)
    assert.equal(read.status, 200)
  }
  const digest = { authorization: 'Digest username="x"', 'sec-fetch-site': 'cross-site' }
  assert.equal(await leave(digest), 403)
  const { json } = await shop.request('GET', '/user/delete', undefined, { authorization })
  assert.equal(json.error_code, '4041')
})

test('pages that CORS allows, and whoever is no page, change what they may', async () => {
  const ways = [
    { 'sec-fetch-site': 'cross-site', origin: allowed },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    {},
  ]
  for (const way of ways) {
    const { username } = await shop.signUp()
    assert.equal(await leave({ authorization: basic(username), ...way }), 202)
  }
  const { token } = await shop.signInAs('customer')
  const bearing = { authorization: `Bearer ${token}`, 'sec-fetch-site': 'cross-site' }
  assert.equal(await leave(bearing), 202)
})
