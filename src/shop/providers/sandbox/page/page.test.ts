import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { de } from '#i18n/sandbox-page/de.ts'
import { en, type SandboxMessages } from '#i18n/sandbox-page/en.ts'
import { es } from '#i18n/sandbox-page/es.ts'
import { fr } from '#i18n/sandbox-page/fr.ts'
import { zh } from '#i18n/sandbox-page/zh.ts'
import { createSandboxClient } from '#shop/providers/sandbox/sandbox-client.ts'
import { openSandbox, startSandbox } from '#shop/providers/sandbox/server.ts'
import { storedPayment } from '#test/support/payments/stored-payment.ts'
import { browserSkipReason, openBrowser, openPage } from '#test/support/services/browser.ts'
import { respondToPage } from './respond.ts'

const returnUrl = 'https://shop.example/thanks?payment_id=7'

/** A sandbox in this process with one charge that waits for its buyer. */
function open(context: TestContext, returnTo?: string) {
  const sandbox = openSandbox({ secret: 'a test secret', pageUrl: 'http://a/pages' })
  const client = createSandboxClient(sandbox, 10_000)
  context.after(async () => {
    client.close()
    await sandbox.close()
  })
  const { key, amountMinor: amount_minor, currency } = storedPayment()
  const chargeRequest = { amount_minor, currency, callback_url: 'http://127.0.0.1:1/' }
  const charge = async (name = key) => {
    const body = { ...chargeRequest, token: 'tok_3ds', ...(returnTo && { return_url: returnTo }) }
    const reply = await client.send('PUT', `/charges/${name}`, JSON.stringify(body))
    assert.ok(reply.kind === 'reply')
    return String(JSON.parse(reply.text).action.url).split('/').at(-1) ?? ''
  }
  const ask = (secret: string, headers = {}, form?: Readonly<Record<string, string>>) =>
    respondToPage(client, {
      method: form ? 'POST' : 'GET',
      secret,
      headers,
      body: Buffer.from(new URLSearchParams(form).toString()),
      shopName: 'Kettles & Co',
    })
  return { charge, ask, client, sandbox }
}

const csrfOf = (page: string): string => /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''

const languages: Readonly<Record<string, SandboxMessages>> = { en, de, es, fr, zh }

test('the page is in the language of the browser, and every message is translated', async (context) => {
  const { charge, ask } = open(context)
  const secret = await charge()
  for (const [tag, messages] of Object.entries(languages)) {
    assert.deepEqual(Object.keys(messages), Object.keys(en), tag)
    const { headers, text } = await ask(secret, { 'accept-language': tag })
    assert.equal(headers['content-language'], tag)
    assert.match(text, new RegExp(`<html lang="${tag}">`))
    assert.ok(text.includes('Kettles &amp; Co'))
    for (const key of ['ask.title', 'ask.approve', 'ask.refuse', 'sandbox'] as const) {
      assert.ok(text.includes(messages[key].replaceAll("'", '&#39;')), `${tag} ${key}`)
    }
  }
  const { text } = await ask(secret, { 'accept-language': 'de' })
  assert.match(text, /19,99\s\$/)
})

test('the page is not stored, runs no script, and its form leads back to the shop only', async (context) => {
  const { charge, ask } = open(context, returnUrl)
  const { headers, text } = await ask(await charge())
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  const policy = headers['content-security-policy'] ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; /)
  assert.match(policy, /form-action 'self' https:\/\/shop\.example;/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /script-src/)
  assert.doesNotMatch(text, /<script|\son\w+=|style="/)
})

test('a guessed address is not found', async (context) => {
  const { ask } = open(context)
  for (const secret of ['guessed', 'x'.repeat(43)]) {
    const { status, text } = await ask(secret)
    assert.equal(status, 404)
    assert.match(text, /Page not found/)
    assert.equal((await ask(secret, {}, { decision: 'approve' })).status, 403)
  }
})

test('only a form of the page decides', async (context) => {
  const { charge, ask } = open(context)
  const secret = await charge()
  const csrf = csrfOf((await ask(secret)).text)
  const form = { csrf, decision: 'approve' }
  const foreign = [
    await ask(secret, { 'sec-fetch-site': 'cross-site' }, form),
    await ask(secret, { 'sec-fetch-site': 'same-site' }, form),
    await ask(secret, {}, { decision: 'approve' }),
    await ask(secret, {}, { ...form, csrf: csrfOf((await ask(await charge('other'))).text) }),
  ]
  assert.deepEqual(
    foreign.map(({ status }) => status),
    [403, 403, 403, 403],
  )
  assert.match((await ask(secret)).text, /Confirm your payment/)
  const { status, headers } = await ask(secret, { 'sec-fetch-site': 'same-origin' }, form)
  assert.deepEqual([status, headers['location']], [303, secret])
  assert.match((await ask(secret)).text, /Payment approved/)
})

test('a sandbox that does not answer gives a page too', async (context) => {
  const { charge, ask, client } = open(context)
  const secret = await charge()
  const waiting = ask(secret)
  client.close()
  assert.equal((await waiting).status, 503)
})

test('a sandbox that runs by itself serves the page without authorization', async (context) => {
  const secret = 'a test secret'
  const sandbox = await startSandbox({ port: 0, secret })
  context.after(sandbox.close)
  const chargeRequest = {
    token: 'tok_3ds',
    amount_minor: 5,
    currency: 'USD',
    callback_url: 'http://a/',
  }
  const charged = await fetch(`${sandbox.url}/charges/a`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(chargeRequest),
  })
  const { url } = ((await charged.json()) as { action: { url: string } }).action
  assert.ok(url.startsWith(`${sandbox.url}/pages/`), url)
  const csrf = csrfOf(await (await fetch(url)).text())
  const body = new URLSearchParams({ csrf, decision: 'approve' })
  const decided = await fetch(url, { method: 'POST', body })
  assert.match(await decided.text(), /Payment approved/)
  const huge = new URLSearchParams({ csrf: 'x'.repeat(10_000) })
  await assert.rejects(fetch(url, { method: 'POST', body: huge }))
})

test('a buyer approves in a browser, by keyboard and without scripts', {
  skip: browserSkipReason(),
}, async (context) => {
  const sandbox = await startSandbox({ port: 0, secret: 's' })
  context.after(sandbox.close)
  const browser = await openBrowser()
  context.after(() => browser.close())
  const chargeRequest = {
    token: 'tok_3ds',
    amount_minor: 1999,
    currency: 'EUR',
    callback_url: 'http://a/',
  }
  const charged = await fetch(`${sandbox.url}/charges/a`, {
    method: 'PUT',
    headers: { authorization: 'Bearer s' },
    body: JSON.stringify({ ...chargeRequest, return_url: `${sandbox.url}/?payment_id=7` }),
  })
  const { url } = ((await charged.json()) as { action: { url: string } }).action
  const { page, errors } = await openPage(browser)
  await page.goto(url)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${sandbox.url}/?payment_id=7`)
  await page.goto(url)
  assert.equal(await page.locator('h1').textContent(), 'Payment approved')
  // The page of the shop is none: the sandbox answers 401 there.
  assert.deepEqual(
    errors.filter((error) => !error.includes('401')),
    [],
  )
})
