import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import * as oidc from 'openid-client'
import type { Browser } from 'playwright-core'
import { testPassword } from '#test/support/app.ts'
import {
  type OauthShop,
  relyingParty,
  startOauthShop,
} from '#test/support/callers/relying-party.ts'
import { browserSkipReason, openBrowser, openPage } from '#test/support/services/browser.ts'

/** An application that somebody is sent back to, and that redeems the code it is sent. */
async function openApplication(shop: OauthShop) {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<link rel="icon" href="data:,"><title>Back</title><p>${request.url?.slice(0, 9)}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const client = await shop.register({
    redirect_uris: [place],
    post_logout_redirect_uris: [place],
  })
  const party = await relyingParty(shop.issuer, client)
  const ask = (scope: string) => party.ask(scope, { redirect_uri: place })
  return { ask, place, config: party.config, close: () => server.close() }
}

describe('signing in with a browser', { skip: browserSkipReason() }, () => {
  let shop: OauthShop
  let browser: Browser
  let application: Awaited<ReturnType<typeof openApplication>>
  before(async () => {
    shop = await startOauthShop('memory')
    browser = await openBrowser()
    application = await openApplication(shop)
  })
  after(async () => {
    application.close()
    await browser.close()
    await shop.dispose()
  })

  test('a user signs in, consents, and is sent back with a code that is redeemed', async () => {
    const { username, id } = await shop.signUp({ name: 'Ada Lovelace' })
    const { page, complaints } = await openPage(browser)
    const { url, checks } = application.ask('openid profile orders:read')
    await page.goto(url)
    assert.match(await page.title(), /^Sign in/)
    await page.keyboard.type(username)
    await page.keyboard.press('Tab')
    await page.keyboard.type(testPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Allow Parcel Tracker to use your account?' }).waitFor()
    const list = page.getByRole('region', { name: 'It will be able to:' }).getByRole('listitem')
    assert.deepEqual(await list.allTextContents(), [
      'See the ID of your account',
      'See your name and username',
      'See your orders and payments',
    ])
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${application.place}*`)
    const back = new URL(page.url())
    const tokens = await oidc.authorizationCodeGrant(application.config, back, checks)
    assert.equal(tokens.claims()?.sub, String(id))
    assert.equal(tokens.claims()?.['name'], 'Ada Lovelace')
    // Who is signed in and has consented is asked nothing.
    await page.goto(application.ask('openid orders:read').url)
    assert.ok(page.url().startsWith(application.place), page.url())
    assert.deepEqual(complaints, [])
  })

  test('whoever does not consent is sent back to the application, which is told', async () => {
    const { username } = await shop.signUp()
    const { page, complaints } = await openPage(browser)
    await page.goto(application.ask('orders:read').url)
    await page.getByLabel('Username or email').fill(username)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Do not allow' }).click()
    await page.waitForURL(`${application.place}*`)
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
    assert.deepEqual(complaints, [])
  })

  test('a code is posted to an application that wants it so', async () => {
    const { username } = await shop.signUp()
    const { page, complaints } = await openPage(browser)
    await page.goto(`${application.ask('orders:read').url}&response_mode=form_post`)
    await page.getByLabel('Username or email').fill(username)
    await page.getByLabel('Password').fill(testPassword)
    await page.keyboard.press('Enter')
    const posted = page.waitForRequest(application.place)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    const form = new URLSearchParams((await posted).postData() ?? '')
    assert.match(form.get('code') ?? '', /^[\w-]{43}$/)
    assert.deepEqual(complaints, [])
  })

  test('what is wrong is told first, and read out with its field', async () => {
    const { username } = await shop.signUp()
    const { page } = await openPage(browser)
    await page.goto(application.ask('orders:read').url)
    await page.getByLabel('Username or email').fill(username)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    const problem = page.getByRole('alert')
    await problem.waitFor()
    assert.match((await problem.textContent()) ?? '', /There is a problem/)
    assert.equal(await page.evaluate('document.activeElement.role'), 'alert')
    const password = page.getByLabel('Password')
    assert.equal(await password.getAttribute('aria-invalid'), 'true')
    assert.equal(await password.getAttribute('aria-describedby'), 'password-problem')
    assert.equal(await page.getByLabel('Username or email').inputValue(), username)
    await problem.getByRole('link').click()
    await page.keyboard.type(testPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Do not allow' }).waitFor()
  })

  test('a user signs out without a script, is sent back, and has to sign in again', async () => {
    const { username } = await shop.signUp({ name: 'Ada Lovelace' })
    const { page, complaints } = await openPage(browser)
    await page.goto(application.ask('orders:read').url)
    await page.getByLabel('Username or email').fill(username)
    await page.getByLabel('Password').fill(testPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${application.place}*`)
    const asked = oidc.buildEndSessionUrl(application.config, {
      post_logout_redirect_uri: application.place,
      state: 'left',
    })
    await page.goto(asked.href)
    await page.getByText('You are signed in as Ada Lovelace').waitFor()
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await page.getByRole('heading', { name: 'You are still signed in' }).waitFor()
    await page.goto(asked.href)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${application.place}?state=left`)
    await page.goto(application.ask('orders:read').url)
    await page.getByLabel('Username or email').waitFor()
    assert.deepEqual(complaints, [])
  })
})
