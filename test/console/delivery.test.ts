import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startTestApp } from '#test/support/app.ts'
import { browserSkipReason } from '#test/support/services/browser.ts'
import { type ConsoleShop, startConsoleShop, unexpectedErrors } from './setup.ts'

const maxGzipBytes = 80_000
const assetPattern = /\/console\/assets\/[\w.-]+/g

describe('the files of the console', () => {
  test('are a page that is revalidated and assets that never change', async () => {
    const app = await startTestApp('memory', { hasConsole: true })
    try {
      const page = await app.request('GET', '/console/orders/7')
      assert.equal(page.status, 200)
      assert.equal(page.headers['cache-control'], 'no-cache')
      assert.match(
        page.headers['content-security-policy'] ?? '',
        /^default-src 'self'; object-src 'none'; base-uri 'none'; /,
      )
      assert.doesNotMatch(page.text, /<script(?![^>]* src=)|<style|style=|https?:/)
      const etag = page.headers['etag'] ?? ''
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const headers = { 'if-none-match': known }
        const unchanged = await app.request('GET', '/console', undefined, headers)
        assert.deepEqual([unchanged.status, unchanged.headers['etag']], [304, etag], known)
      }
      const other = { 'if-none-match': '"other"' }
      assert.equal((await app.request('GET', '/console', undefined, other)).status, 200)
      const gzip = { 'accept-encoding': 'gzip' }
      const coded = await app.request('GET', '/console', undefined, gzip)
      const tag = `W/${coded.headers['etag']}`
      const again = await app.request('GET', '/console', undefined, {
        ...gzip,
        'if-none-match': tag,
      })
      assert.notEqual(coded.headers['etag'], etag)
      assert.deepEqual([again.status, again.headers['etag']], [304, coded.headers['etag']])
      const assets = page.text.match(assetPattern) ?? []
      assert.equal(assets.length, 3)
      let bytes = gzipSync(page.text).length
      for (const asset of assets) {
        const { status, headers, text } = await app.request('GET', asset)
        assert.equal(status, 200, asset)
        assert.match(headers['cache-control'] ?? '', /max-age=31536000, immutable/)
        bytes += gzipSync(text).length
      }
      assert.ok(bytes <= maxGzipBytes, `${bytes} bytes`)
      assert.equal((await app.request('GET', '/console/assets/..%2Findex.html')).status, 404)
      // An address that was typed with a slash at its end.
      assert.equal((await app.request('GET', '/console/')).text, page.text)
      const { status, headers } = await app.request('POST', '/console/orders')
      assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD, OPTIONS'])
    } finally {
      await app.dispose()
    }
  })

  test('are not served, and the console is no client, when it is off', async () => {
    const app = await startTestApp('memory')
    try {
      assert.equal((await app.request('GET', '/console')).status, 404)
      assert.equal((await app.request('GET', '/console/orders')).status, 404)
      const query = 'client_id=cartwright-console&response_type=code&prompt=none'
      const answer = await app.request('GET', `/oauth/authorize?${query}`)
      assert.equal(answer.status, 400)
      assert.match(answer.text, /client/)
    } finally {
      await app.dispose()
    }
  })
})

describe('signing in to the console', { skip: browserSkipReason() }, () => {
  let shop: ConsoleShop
  before(async () => {
    shop = await startConsoleShop()
  })
  after(() => shop?.dispose())

  test('leaves no token in storage or address, and returns to where it began', async () => {
    const watched = await shop.openConsole('/products?sort=name&order=asc')
    const { page } = watched
    assert.equal(page.url(), `${shop.issuer}/console/products?sort=name&order=asc`)
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    assert.doesNotMatch(stored, /eyJ|token|code|verifier/)
    // A reload signs in by the session of the browser, without a page in between.
    const addresses: string[] = []
    page.on('framenavigated', (frame) => addresses.push(frame.url()))
    await page.reload()
    await page.locator('main h1', { hasText: 'Products' }).waitFor()
    assert.deepEqual(addresses, [page.url()])
    assert.deepEqual(unexpectedErrors(watched), [])
    await page.context().close()
  })

  test('grants the console no scope that makes credentials, fills carts or pays', async () => {
    const { page } = await shop.openConsole('')
    const tokenAnswer = page.waitForResponse((each) => each.url().endsWith('/oauth/token'))
    await page.reload()
    const { access_token, refresh_token, scope } = await (await tokenAnswer).json()
    assert.equal(refresh_token, undefined)
    for (const each of ['keys:write', 'carts:write', 'payments:write', 'offline_access']) {
      assert.ok(!scope.split(' ').includes(each), each)
    }
    const bearer = { authorization: `Bearer ${access_token}` }
    assert.equal((await shop.request('GET', '/profile', undefined, bearer)).status, 200)
    const key = await shop.request('POST', '/api-keys', { name: 'wider' }, bearer)
    assert.equal(key.json.error_code, '4033')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('button[name=logout]').first().waitFor()
    const ended = await shop.request('GET', '/profile', undefined, bearer)
    assert.equal(ended.status, 401)
    await page.context().close()
  })

  test('speaks the language of the browser', async () => {
    const headings = { en: 'Today', zh: '今天', es: 'Hoy', fr: 'Aujourd’hui', de: 'Heute' }
    for (const [locale, heading] of Object.entries(headings)) {
      const { page } = await shop.openConsole('', { locale })
      assert.equal(await page.locator('main h1').textContent(), heading)
      assert.equal(await page.locator('html').getAttribute('lang'), locale)
      await page.context().close()
    }
  })
})
