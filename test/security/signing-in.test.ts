import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import * as oidc from 'openid-client'
import type { Browser } from 'playwright-core'
import { testPassword } from '#test/support/app.ts'
import {
  createRelyingParty,
  type OauthShop,
  startOauthShop,
} from '#test/support/callers/relying-party.ts'
import { browserSkipReason, openBrowser, openPage } from '#test/support/services/browser.ts'

/** Starts a client application that receives the redirect and redeems the code. */
async function startApplication(shop: OauthShop) {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<link rel="icon" href="data:,"><title>Back</title><p>${request.url?.slice(0, 9)}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const client = await shop.register({
    redirect_uris: [callbackUrl],
    post_logout_redirect_uris: [callbackUrl],
  })
  const party = await createRelyingParty(shop.issuer, client)
  const createAuthorizationRequest = (scope: string) =>
    party.createAuthorizationRequest(scope, { redirect_uri: callbackUrl })
  return {
    createAuthorizationRequest,
    callbackUrl,
    config: party.config,
    close: () => server.close(),
  }
}

describe('signing in with a browser', { skip: browserSkipReason() }, () => {
  let shop: OauthShop
  let browser: Browser
  let application: Awaited<ReturnType<typeof startApplication>>
  before(async () => {
    shop = await startOauthShop('memory')
    browser = await openBrowser()
    application = await startApplication(shop)
  })
  after(async () => {
    application.close()
    await browser.close()
    await shop.dispose()
  })

  test('a user signs in, consents and returns with a code that can be redeemed', async () => {
    const { username, id } = await shop.signUp({ name: 'Ada Lovelace' })
    const { page, errors } = await openPage(browser)
    const { url, checks } = application.createAuthorizationRequest('openid profile orders:read')
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
    await page.waitForURL(`${application.callbackUrl}*`)
    const back = new URL(page.url())
    const tokens = await oidc.authorizationCodeGrant(application.config, back, checks)
    assert.equal(tokens.claims()?.sub, String(id))
    assert.equal(tokens.claims()?.['name'], 'Ada Lovelace')
    // A signed-in user who has consented sees no page.
    await page.goto(application.createAuthorizationRequest('openid orders:read').url)
    assert.ok(page.url().startsWith(application.callbackUrl), page.url())
    assert.deepEqual(errors, [])
  })

  test('a user who declines returns to the application with access_denied', async () => {
    const { username } = await shop.signUp()
    const { page, errors } = await openPage(browser)
    await page.goto(application.createAuthorizationRequest('orders:read').url)
    await page.getByLabel('Username or email').fill(username)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Do not allow' }).click()
    await page.waitForURL(`${application.callbackUrl}*`)
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
    assert.deepEqual(errors, [])
  })

  test('response_mode=form_post posts the code to the application', async () => {
    const { username } = await shop.signUp()
    const { page, errors } = await openPage(browser)
    await page.goto(
      `${application.createAuthorizationRequest('orders:read').url}&response_mode=form_post`,
    )
    await page.getByLabel('Username or email').fill(username)
    await page.getByLabel('Password').fill(testPassword)
    await page.keyboard.press('Enter')
    const posted = page.waitForRequest(application.callbackUrl)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    const form = new URLSearchParams((await posted).postData() ?? '')
    assert.match(form.get('code') ?? '', /^[\w-]{43}$/)
    assert.deepEqual(errors, [])
  })

  test('a failed sign-in moves the focus to the error and marks the field', async () => {
    const { username } = await shop.signUp()
    const { page } = await openPage(browser)
    await page.goto(application.createAuthorizationRequest('orders:read').url)
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

  test('a user signs out without JavaScript, returns, and must sign in again', async () => {
    const { username } = await shop.signUp({ name: 'Ada Lovelace' })
    const { page, errors } = await openPage(browser)
    await page.goto(application.createAuthorizationRequest('orders:read').url)
    await page.getByLabel('Username or email').fill(username)
    await page.getByLabel('Password').fill(testPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${application.callbackUrl}*`)
    const endSessionUrl = oidc.buildEndSessionUrl(application.config, {
      post_logout_redirect_uri: application.callbackUrl,
      state: 'left',
    })
    await page.goto(endSessionUrl.href)
    await page.getByText('You are signed in as Ada Lovelace').waitFor()
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await page.getByRole('heading', { name: 'You are still signed in' }).waitFor()
    await page.goto(endSessionUrl.href)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${application.callbackUrl}?state=left`)
    await page.goto(application.createAuthorizationRequest('orders:read').url)
    await page.getByLabel('Username or email').waitFor()
    assert.deepEqual(errors, [])
  })
})
