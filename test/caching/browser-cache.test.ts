import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { browserSkipReason, openBrowser, openPage } from '#test/support/services/browser.ts'
import { type Origin, startOrigin } from '#test/support/services/caches.ts'

describe('a page in a browser, which keeps what it has read', { skip: browserSkipReason() }, () => {
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

  test('shows who has signed in what they may do, and nobody else', async () => {
    const { id } = await shop.addProduct()
    const admin = await shop.signInAs('admin')
    const { page, complaints } = await openPage(browser)
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
    const asStranger = await readAs({})
    origin.take()
    assert.deepEqual(await readAs({}), asStranger)
    assert.ok(!origin.take().some(({ url }) => url.startsWith('/products')), 'nothing was kept')
    const asAdmin = await readAs(bearer)
    assert.ok(asAdmin.includes('edit') && !asStranger.includes('edit'), asAdmin.join())
    const [asked] = origin.take().filter(({ url }) => url.startsWith('/products'))
    // This browser asks whether what it keeps for another caller will do.
    assert.match(String(asked?.headers['if-none-match']), /-v1"$/)
    assert.deepEqual(await readAs(bearer), asAdmin)
    assert.equal(origin.take().at(-1)?.status, 304)
    assert.deepEqual(await readAs({}), asStranger)
    assert.deepEqual(complaints, [])
  })
})
