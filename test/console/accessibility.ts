import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { runWaitingImports } from '#test/support/imports.ts'
import { browserSkipReason, type WatchedPage } from '#test/support/services/browser.ts'
import { type ConsoleShop, startConsoleShop, unexpectedErrors } from './setup.ts'

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } }

/** Opens another page of the console without loading the document again. */
const visit = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(
    `history.pushState({}, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
  )

/** Fails for a violation of accessibility on the page, once it has loaded. */
async function check(page: Page, what: string): Promise<void> {
  await page.locator('.layout main :is(h1, .blank)').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  assert.deepEqual(found, [], what)
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  assert.equal(await page.evaluate(overflow), 0, `${what} is wider than the window`)
}

/** Declares the tests of every page in one appearance and size. */
export function testAccessibility(colorScheme: 'light' | 'dark', size: keyof typeof sizes): void {
  describe(`every page, ${colorScheme} and ${size}`, { skip: browserSkipReason() }, () => {
    let shop: ConsoleShop
    let watched: WatchedPage
    let order: Awaited<ReturnType<ConsoleShop['placePaidOrder']>>
    before(async () => {
      shop = await startConsoleShop()
      order = await shop.placePaidOrder()
      const webhook = { url: 'https://erp.example.com/hooks', types: ['order.*'] }
      await shop.admin.request('POST', '/webhooks', webhook)
      const discount = { code: 'SPRING', kind: 'percent', value: '10' }
      await shop.admin.request('POST', '/discounts', discount)
      watched = await shop.openConsole('', { colorScheme, viewport: sizes[size] })
    })
    after(() => shop?.dispose())

    const checkAll = async (paths: readonly string[]) => {
      for (const path of paths) {
        await visit(watched.page, path)
        await check(watched.page, path)
      }
      assert.deepEqual(unexpectedErrors(watched), [])
    }

    test('has no violation of accessibility: lists', () =>
      checkAll(['', '/orders', '/products', '/users', '/discounts', '/shipping-methods']))

    test('has no violation of accessibility: empty lists and what does not exist', () =>
      checkAll([
        ...['/tax-rates', '/webhooks/1/deliveries', '/events', '/audit-events', '/purchases'],
        ...['/imports', '/operations', '/nowhere'],
      ]))

    test('has no violation of accessibility: resources', () =>
      checkAll([
        `/orders/${order.id}`,
        `/products/${order.productId}`,
        `/users/${shop.admin.id}`,
        '/discounts/1',
        '/webhooks/1',
      ]))

    test('has no violation of accessibility: an import that was checked', async () => {
      const { page } = watched
      await visit(page, '/imports')
      const rows = ['sku,Title,price,Notes', 'A-1,Pan,5,x', 'A-1,Pot,,y']
      await page.locator('#import-file').setInputFiles({
        ...{ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) },
      })
      await page.locator('main form button[type=submit]').click()
      await page.locator('main h1 .badge').waitFor()
      await runWaitingImports(shop)
      await page
        .locator('.review select option:nth-child(9)')
        .first()
        .waitFor({ state: 'attached' })
      await page.locator('.failed-rows').waitFor()
      await check(page, 'an import that was checked')
    })

    test('has no violation of accessibility: forms', async () => {
      const { page } = watched
      await visit(page, `/products/${order.productId}`)
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('dialog').waitFor()
      await check(page, 'a form')
      await page.keyboard.press('Escape')
      await visit(page, `/orders/${order.id}`)
      await page.getByRole('button', { name: 'Refund', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      await check(page, 'a refund')
    })
  })
}
