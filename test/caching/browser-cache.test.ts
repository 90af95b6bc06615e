import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { browserSkipReason, openBrowser, openPage } from '#test/support/services/browser.ts'
import { type Origin, startOrigin } from '#test/support/services/caches.ts'

describe('the HTTP cache of a browser', { skip: browserSkipReason() }, () => {
  let shop: PayingApp
  let origin: Origin
  let browser: Browser
  before(async () => {
    shop = await startPayingApp('memory')
    origin = await startOrigin(shop)
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await origin?.stop()
    await shop?.dispose()
  })

  test('never serves the links of one caller to another', async () => {
    const { id } = await shop.addProduct()
    const admin = await shop.signInAs('admin')
    const { page, errors } = await openPage(browser)
    await page.goto(`http://127.0.0.1:${origin.port}/docs`, { waitUntil: 'commit' })
    const readAs = (headers: Readonly<Record<string, string>>) =>
      page.evaluate(
        async ([path, sent]) => {
          const answer = await fetch(path, { headers: sent })
          return Object.keys(((await answer.json()) as { _links: object })._links)
        },
        [`/products/${id}`, headers] as const,
      )
    const bearer = { authorization: `Bearer ${admin.token}` }
    const asAnonymous = await readAs({})
    origin.takeRequests()
    assert.deepEqual(await readAs({}), asAnonymous)
    assert.ok(
      !origin.takeRequests().some(({ url }) => url.startsWith('/products')),
      'the response was not cached',
    )
    const asAdmin = await readAs(bearer)
    assert.ok(asAdmin.includes('edit') && !asAnonymous.includes('edit'), asAdmin.join())
    const [revalidation] = origin.takeRequests().filter(({ url }) => url.startsWith('/products'))
    // The browser revalidates the response that it cached for another caller.
    assert.match(String(revalidation?.headers['if-none-match']), /-v1"$/)
    assert.deepEqual(await readAs(bearer), asAdmin)
    assert.equal(origin.takeRequests().at(-1)?.status, 304)
    assert.deepEqual(await readAs({}), asAnonymous)
    assert.deepEqual(errors, [])
  })
})
