import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { testPassword } from '#test/support/app.ts'
import { type OauthShop, startOauthShop } from '#test/support/callers/relying-party.ts'
import { browserSkipReason, openBrowser, openPage } from '#test/support/services/browser.ts'

interface Application {
  readonly origin: string
  readonly serve: (module: string) => void
}

/** An origin with one page, whose script is the module. */
async function startApplication(context: TestContext): Promise<Application> {
  let text = ''
  const server = createServer(({ url }, response) => {
    const isModule = url === '/shop.js'
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html')
    response.end(isModule ? text : '<!doctype html><title>An application</title><h1>Ready</h1>')
  }).listen(0, '127.0.0.1')
  context.after(() => server.close())
  await once(server, 'listening')
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    serve: (module) => {
      text = module
    },
  }
}

/** The module of docs/clients.md for a shop and a client. */
async function readModule({ issuer }: OauthShop, clientId: string): Promise<string> {
  const text = await readFile(new URL('../../docs/clients.md', import.meta.url), 'utf8')
  const [, module = ''] = /^```js\n(.*?)^```$/ms.exec(text) ?? []
  return module.replace('http://localhost:3000', issuer).replace('CLIENT_ID', clientId)
}

test('the module of docs/clients.md signs in, calls, renews and begins again after a reload', {
  skip: browserSkipReason(),
}, async (context) => {
  const application = await startApplication(context)
  const shop = await startOauthShop('memory', { origins: [application.origin] })
  context.after(() => shop.dispose())
  const user = await shop.signInAs('customer', { name: 'Ada Lovelace' })
  const registered = await shop.register({
    token_endpoint_auth_method: 'none',
    redirect_uris: [`${application.origin}/`],
  })
  application.serve(await readModule(shop, registered.client_id))
  const browser = await openBrowser()
  context.after(() => browser.close())
  const { page, errors } = await openPage(browser)
  const load = () =>
    page.evaluate(`import('/shop.js').then((module) => Object.assign(window, module))`)
  const signIn = async () => {
    await page.goto(`${application.origin}/`)
    await load()
    await page.evaluate(`void signIn('openid offline_access users:read')`)
  }
  const finish = async () => {
    await page.getByText('Ready').waitFor()
    await load()
    return await page.evaluate('finishSignIn()')
  }
  const readProfile = () =>
    page.evaluate(`call('/profile').then(async (response) =>
      [response.status, response.headers.get('etag') !== null, (await response.json()).name])`)

  await signIn()
  await page.locator('input[name=username]').fill(user.username)
  await page.locator('input[name=password]').fill(testPassword)
  await page.locator('button[value=sign-in]').click()
  await page.locator('button[value=allow]').click()
  assert.equal(await finish(), true)
  assert.equal(page.url(), `${application.origin}/`, 'the code is gone from the address')
  assert.deepEqual(await readProfile(), [200, true, 'Ada Lovelace'])

  // As if the access token had expired.
  await shop.db.deleteFrom('oauth_artefacts').where('kind', '=', 'AccessToken').execute()
  const both = `Promise.all([call('/profile'), call('/products')]).then((all) =>
    all.map(({ status }) => status))`
  assert.deepEqual(await page.evaluate(both), [200, 200])

  assert.deepEqual(await page.evaluate('Object.keys({ ...localStorage, ...sessionStorage })'), [])
  await signIn()
  assert.equal(await finish(), true, 'no page is shown to a user who has signed in and consented')
  assert.deepEqual(await readProfile(), [200, true, 'Ada Lovelace'])
  assert.deepEqual(
    errors.filter((error) => !error.includes('401')),
    [],
  )
})
