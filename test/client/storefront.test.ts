import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { browserSkipReason, openBrowser, openPage } from '#test/support/services/browser.ts'
import {
  createEmptyDatabase,
  type StoreKind,
  skipReason,
} from '#test/support/services/databases.ts'
import { freePort } from '#test/support/services/ports.ts'
import { inheritedEnvironment } from '#test/support/services/server-process.ts'

const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
] as const

/** Fails if axe-core finds a violation in any look of the page. */
async function checkLooks(page: Page): Promise<void> {
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`,
    )
    assert.deepEqual(found, [], `${page.url()} ${colorScheme} ${width}`)
  }
}

/** Presses Tab until this element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  assert.fail(`Tab does not reach ${selector} at ${page.url()}`)
}

for (const kind of ['sqlite', 'postgres'] as const satisfies readonly StoreKind[]) {
  describe(`the shop front on ${kind}`, { skip: skipReason(kind) || browserSkipReason() }, () => {
    let folder: string
    let database: Awaited<ReturnType<typeof createEmptyDatabase>>
    let server: ChildProcess
    let origin: string
    // The pages are the same on every database.
    const assertAccessible = kind === 'sqlite' ? checkLooks : async () => undefined
    let browser: Browser
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'cartwright-storefront-'))
      database = await createEmptyDatabase(kind)
      const [port, frontPort] = [await freePort(), await freePort()]
      origin = `http://localhost:${frontPort}`
      const entry = join(import.meta.dirname, '../../examples/storefront/server.ts')
      server = spawn(process.execPath, [entry], {
        cwd: folder,
        env: {
          ...inheritedEnvironment,
          PORT: String(port),
          STOREFRONT_PORT: String(frontPort),
          DATABASE_URL: database.url,
          SECRET_KEY: 'a secret key that only tests sign with',
          ADMIN_PASSWORD: 'the administrator of tests',
          DEMO_DATA: 'on',
        },
        stdio: 'ignore',
      })
      const isReady = () =>
        fetch(origin).then(
          ({ ok }) => ok,
          () => false,
        )
      while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 200))
      browser = await openBrowser()
    })
    after(async () => {
      await browser?.close()
      server.kill('SIGTERM')
      await once(server, 'exit')
      await database.remove()
      await rm(folder, { recursive: true, force: true })
    })

    test('a guest buys with a discount and 3-D Secure, and registers, by keyboard alone', async () => {
      const { page, errors } = await openPage(browser)
      const press = async (selector: string, key = 'Enter') => {
        await tabTo(page, selector)
        await page.keyboard.press(key)
      }
      const fill = async (selector: string, text: string) => {
        await tabTo(page, selector)
        await page.keyboard.insertText(text)
      }
      await page.goto(origin)
      await page.waitForSelector('.card')
      await assertAccessible(page)
      await page.setViewportSize({ width: 1280, height: 900 })
      await fill('#q', 'pour-over kettle')
      await page.keyboard.press('Enter')
      await page.waitForSelector('h1:has-text("Results for")')
      await press('.card a')
      await page.waitForSelector('.buy')
      await assertAccessible(page)
      await press('.buy button')
      await page.waitForSelector('#cart b')
      await page.goto(`${origin}/cart`)
      await page.waitForSelector('.lines')
      await assertAccessible(page)
      await fill('#code', 'WELCOME')
      await page.keyboard.press('Enter')
      await page.waitForSelector('dt:has-text("Discount")')
      await press('.summary a')
      await page.waitForSelector('legend')
      await assertAccessible(page)
      await page.evaluate(`document.getElementById('main').focus()`)
      await fill('#name', 'Ada Lovelace')
      await fill('#email', 'ada@example.com')
      await fill('#address\\.line1', '12 St James Square')
      await fill('#address\\.postal_code', 'SW1Y 4JH')
      await fill('#address\\.city', 'London')
      await tabTo(page, '[name=token]')
      await page.keyboard.press('ArrowDown')
      await press('.summary button')
      await page.waitForURL(/\/sandbox\//)
      await press('button')
      await page.waitForSelector('h1:has-text("Thank you")')
      assert.ok(page.url().startsWith(`${origin}/orders/`))
      assert.match((await page.textContent('.totals')) ?? '', /Discount WELCOME−\$6\.20/)
      await assertAccessible(page)
      await fill('#username', 'ada')
      await fill('#password', 'correct horse battery staple')
      await page.keyboard.press('Enter')
      await page.waitForSelector('.orders li')
      assert.match((await page.textContent('.orders')) ?? '', /paid\s+\$60\.80/)
      await assertAccessible(page)
      assert.deepEqual(errors, [])
      const kept = await page.evaluate(
        '[localStorage.length, sessionStorage.length, document.cookie]',
      )
      assert.deepEqual(kept, [0, 0, ''])
      await page.reload()
      await page.waitForSelector('.orders li')
    })

    test('a declined card keeps the order, which another card pays', async () => {
      const { page } = await openPage(browser)
      await page.goto(`${origin}/products/3`)
      await page.click('.buy button')
      await page.waitForSelector('#cart b')
      await page.goto(`${origin}/checkout`)
      await page.fill('#name', 'Ada Lovelace')
      await page.fill('#email', 'not an address')
      await page.fill('#address\\.line1', '12 St James Square')
      await page.fill('#address\\.postal_code', 'SW1Y 4JH')
      await page.fill('#address\\.city', 'London')
      await page.check('[value=tok_declined]')
      await page.click('.summary button')
      assert.equal(await page.locator('#email:invalid').count(), 1)
      await page.fill('#email', 'bob@example.com')
      await page.click('.summary button')
      await page.waitForSelector('[role=alert]:has-text("declined")')
      await assertAccessible(page)
      await page.check('[value=tok_visa]')
      await page.click('.summary button')
      await page.waitForSelector('h1:has-text("Thank you")')
    })

    test('a form that is sent twice places one order', async () => {
      const send = (path: string, cookie: string, fields: Readonly<Record<string, string>>) =>
        fetch(origin + path, {
          method: 'POST',
          headers: { cookie },
          body: new URLSearchParams(fields),
          redirect: 'manual',
        })
      const added = await send('/products/3', '', { quantity: '1' })
      const [cookie = ''] = (added.headers.get('set-cookie') ?? '').split(';')
      const form = {
        name: 'Ada Lovelace',
        email: `ada.${kind}@example.com`,
        'address.line1': '12 St James Square',
        'address.postal_code': 'SW1Y 4JH',
        'address.city': 'London',
        'address.country': 'GB',
        method: 'standard',
        token: 'tok_visa',
        key: crypto.randomUUID(),
      }
      const answers = await Promise.all([1, 2].map(() => send('/checkout', cookie, form)))
      const [first, second] = answers.map(({ headers }) => headers.get('location'))
      assert.match(first ?? '', /^\/orders\/\d+$/)
      assert.equal(second, first)
      const page = await (await fetch(origin + first, { headers: { cookie } })).text()
      assert.match(page, /Thank you for your order/)
    })

    test('what is missing or empty says so', async () => {
      const { page } = await openPage(browser)
      await page.goto(`${origin}/cart`)
      await page.waitForSelector('text=Your cart is empty')
      await assertAccessible(page)
      await page.goto(`${origin}/?q=nothingofthiskindexists`)
      await page.waitForSelector('text=No product matches')
      await page.goto(`${origin}/products/999999`)
      await page.waitForSelector('text=This is no longer here')
      assert.equal(await page.locator('text=Try again').count(), 0)
      await assertAccessible(page)
      await page.click('.empty .button')
      await page.waitForSelector('.card')
    })

    test('a page of another origin cannot use the cookie', async () => {
      const headers = { 'sec-fetch-site': 'same-site' }
      for (const path of ['/products/3', '/cart', '/checkout', '/register', '/sign-out'])
        assert.equal((await fetch(origin + path, { method: 'POST', headers })).status, 403, path)
    })

    test('only the files of the shop front are served', async () => {
      for (const path of [
        '/server.ts',
        '/..%2fserver.ts',
        '/client/../server.ts',
        '/layout.html',
        '/package.json',
      ])
        assert.equal((await fetch(origin + path)).status, 404, path)
    })
  })
}
