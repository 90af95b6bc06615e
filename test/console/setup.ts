import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Route } from '#http/declare/route.ts'
import type { TestCaller } from '#test/support/app.ts'
import { testPassword } from '#test/support/app.ts'
import {
  addProduct,
  type PayingApp,
  startPayingApp,
  testShipping,
} from '#test/support/callers/paying.ts'
import { openBrowser, openPage, type WatchedPage } from '#test/support/services/browser.ts'

/** A shop with the console, an administrator and a browser. */
export interface ConsoleShop extends PayingApp {
  readonly issuer: string
  readonly admin: TestCaller
  readonly browser: Browser
  /** Opens a page of the console, signed in; as the administrator by default. */
  readonly openConsole: (
    path: string,
    options?: BrowserContextOptions & { readonly username?: string },
  ) => Promise<WatchedPage>
  /** Places and pays an order of two pieces of a product. */
  readonly placePaidOrder: () => Promise<{
    readonly id: number
    readonly number: string
    readonly productId: number
  }>
}

/** Starts a shop with the console, with these routes besides its own. */
export async function startConsoleShop(routes: readonly Route[] = []): Promise<ConsoleShop> {
  const shop = await startPayingApp('memory', 2_000, {
    isIssuer: true,
    hasConsole: true,
    composition: { routes },
  })
  shop.now = Date.now()
  const admin = await shop.signInAs('admin', { name: 'Ada Admin' })
  const browser = await openBrowser()
  const { issuer } = shop.parts
  const disposeShop = shop.dispose
  return Object.assign(shop, {
    issuer,
    admin,
    browser,
    addProduct: (fields: object = {}) => addProduct(admin, fields),
    openConsole: async (
      path: string,
      { username = admin.username, ...options }: Parameters<ConsoleShop['openConsole']>[1] = {},
    ) => {
      const watched = await openPage(browser, { locale: 'en', ...options })
      const { page } = watched
      await page.goto(`${issuer}/console${path}`)
      await signIn(page, username)
      await page.locator('.layout main h1').waitFor()
      return watched
    },
    placePaidOrder: async () => {
      const { id: productId } = await addProduct(admin, { stock: 9 })
      const buyer = await shop.signInAs('customer', { name: 'Grace Buyer' })
      const order = await buyer.request('POST', '/orders', {
        items: [{ product_id: productId, quantity: 2 }],
        shipping: testShipping,
      })
      const { id, number } = order.json
      const path = `/users/${buyer.id}/orders/${id}/payment`
      const payment = await buyer.request('POST', path, { method: 'card', token: 'tok_visa' })
      if (payment.status !== 201) throw new Error(payment.text)
      return { id, number, productId }
    },
    dispose: async () => {
      await browser.close()
      await disposeShop()
    },
  })
}

/** Fills in the sign-in page. */
export async function signIn(page: Page, username: string): Promise<void> {
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(testPassword)
  await page.locator('input[name=password]').press('Enter')
}

/** The errors of a page without those of responses that the test provokes. */
export const unexpectedErrors = ({ errors }: WatchedPage): readonly string[] =>
  errors.filter((each) => !each.startsWith('console: Failed to load resource'))

const maxTabs = 150

/** Presses Tab until the element has the focus. Throws if the keyboard does not reach it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let count = 0; count < maxTabs; count += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${target}`)
}

/** Waits until the page shows this text in its announcements. */
export const waitForAnnouncement = (page: Page, text: string): Promise<void> =>
  page.locator('.announcements', { hasText: text }).waitFor()
