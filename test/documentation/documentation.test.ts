import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import { browserSkipReason, openBrowser, openPage } from '#test/support/services/browser.ts'

describe('the interactive API reference in a browser', { skip: browserSkipReason() }, () => {
  let shop: TestApp
  let base: string
  let browser: Browser
  before(async () => {
    shop = await startTestApp('memory')
    base = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await shop?.dispose()
  })

  test('shows the code of every task as it is tested', async () => {
    const { page, errors } = await openPage(browser)
    await page.goto(`${base}/docs`)
    await page.getByRole('heading', { name: 'Pay with 3-D Secure' }).waitFor()
    const shown = await page.locator('.markdown pre code').allTextContents()
    const { text } = await shop.request('GET', '/docs/tasks')
    const blocks = [...text.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block]) => block)
    assert.ok(blocks.length > 20)
    assert.deepEqual(shown, blocks)
    assert.deepEqual(errors, [])
  })

  test('is no wider than a phone, also at an operation with a long name', async () => {
    const { page } = await openPage(browser, { viewport: { width: 390, height: 800 } })
    await page.goto(`${base}/docs#tag/checkout/POST/orders`)
    await page.locator('header', { hasText: 'Places an order' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  })

  test('shows no patterns of ignored fields', async () => {
    const { page } = await openPage(browser)
    await page.goto(`${base}/docs#tag/checkout/POST/orders`)
    const operation = page.locator('section', { hasText: 'Places an order' }).last()
    await operation.getByText('expected_total', { exact: true }).waitFor()
    assert.doesNotMatch((await operation.textContent()) ?? '', /\^\(/)
  })

  for (const version of [1, 2]) {
    test(`version ${version} lists the operations and sends a request, without contacting other hosts`, async () => {
      const { page, errors } = await openPage(browser)
      await page.goto(`${base}/v${version}/docs`)
      await page.getByText('Catalogue', { exact: true }).first().click()
      await page.getByText('Lists the products of the catalogue.').first().click()
      await page
        .getByRole('button', { name: /Test Request.*\/products\b/ })
        .first()
        .click()
      const answered = page.waitForResponse(/\/products/)
      await page.getByRole('button', { name: /Send/ }).first().click()
      const answer = await answered
      assert.equal(answer.status(), 200)
      assert.equal(answer.headers()['api-version'], String(version))
      await page.getByText('200 OK').waitFor()
      assert.deepEqual(errors, [])
    })
  }
})
