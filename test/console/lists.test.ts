import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { browserSkipReason } from '#test/support/services/browser.ts'
import { type ConsoleShop, startConsoleShop } from './setup.ts'

describe('a list of the console', { skip: browserSkipReason() }, () => {
  let shop: ConsoleShop
  before(async () => {
    shop = await startConsoleShop()
  })
  after(() => shop?.dispose())

  test('is filtered by days of the shop, wherever it is read', async () => {
    const { page } = await shop.openConsole('/orders', { timezoneId: 'Asia/Tokyo' })
    const filter = page.getByLabel('Created from')
    await filter.fill('2026-03-05')
    await page.waitForURL(/created_since/)
    const since = new URL(page.url()).searchParams.get('created_since')
    assert.equal(since, '2026-03-05T00:00:00.000Z')
    assert.equal(await filter.inputValue(), '2026-03-05')
    await page.context().close()
  })

  test('shows prices as amounts of money and countries by their names', async () => {
    await shop.admin.request('POST', '/tax-rates', { country: 'DE', rate: '19', name: 'VAT' })
    const { page } = await shop.openConsole('/shipping-methods')
    await page.locator('td', { hasText: '$5.00' }).waitFor()
    await page.getByRole('link', { name: 'Tax rates' }).click()
    await page.locator('td', { hasText: 'Germany' }).waitFor()
    await page.getByLabel('Country').selectOption({ label: 'France' })
    await page.waitForURL(/country=FR/)
    await page.context().close()
  })

  test('of events begins with those of today, because it has the oldest first', async () => {
    const { page } = await shop.openConsole('/products')
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.waitForURL(/events\?since=/)
    const since = new Date(new URL(page.url()).searchParams.get('since') ?? '')
    assert.equal(since.getTime(), new Date().setUTCHours(0, 0, 0, 0))
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.waitForURL((url) => url.search === '')
    await page.context().close()
  })

  test('leads to what it belongs to, and offers no review by somebody who has not bought', async () => {
    const { id } = await shop.addProduct({ name: 'Kettle' })
    const { page } = await shop.openConsole(`/products/${id}/reviews`)
    assert.equal(await page.getByRole('button', { name: 'New' }).count(), 0)
    await page.getByRole('link', { name: `Product #${id}` }).click()
    await page.locator('main h1', { hasText: 'Kettle' }).waitFor()
    await page.context().close()
  })
})
