import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { fixedWindow } from '#http/rate-limit/algorithms/fixed-window.ts'
import type { Counters } from '#http/rate-limit/counters.ts'
import { redisCounters } from '#http/rate-limit/redis-counters.ts'
import { confirmAddress, eachDatabase } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { behindProxy, requestFrom } from '#test/support/callers/networks.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { createTestMailer, type TestMailer } from '#test/support/mailer.ts'
import { redisSkipReason, testRedisUrl } from '#test/support/services/redis.ts'
import { hourMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let product: number
  let networks = 0
  let people = 0
  before(async () => {
    shop = await startPayingApp(kind, 1000, { composition: { httpsPolicy: behindProxy } })
    product = (await shop.addProduct()).id
  })
  after(() => shop.dispose())

  /** Returns what sends requests from a network that has sent none yet. */
  const nextNetwork = () => {
    networks += 1
    return requestFrom(shop.request, `198.51.100.${networks}`)
  }
  const nextAddress = () => {
    people += 1
    return `person-${people}@example.com`
  }
  const signUp = async (request: PayingApp['request'], email = nextAddress()) => {
    const username = email.replace('@', '.')
    const body = { name: 'Ada', email, username, password: 'orange kettle sunrise' }
    const { status, json, text } = await request('POST', '/users', body)
    assert.equal(status, 201, text)
    return { id: json.id as number, email, username, password: body.password }
  }
  /** Returns the credentials of a user who signs in. */
  async function signIn(
    request: PayingApp['request'],
    { username, password }: Awaited<ReturnType<typeof signUp>>,
  ) {
    const { status, json, text } = await request('POST', '/login', { username, password })
    assert.equal(status, 200, text)
    return `Bearer ${json.token}`
  }
  /** Has a guest buy, who gives an address; the response is that of the payment. */
  async function buyAsGuest(request: PayingApp['request']) {
    const guest = await startGuest({ request }, { email: nextAddress() })
    return pay(guest)
  }
  async function pay({ id, request }: { id: number; request: PayingApp['request'] }) {
    const items = [{ product_id: product, quantity: 1 }]
    const placed = await request('POST', '/orders', { items, shipping: testShipping })
    assert.equal(placed.status, 201, placed.text)
    const url = `/users/${id}/orders/${placed.json.id}/payment`
    const paid = await request('POST', url, { method: 'card', token: 'tok_visa' })
    assert.equal(paid.status, 201, paid.text)
    return placed.json.id as number
  }
  /** Creates a mailer that keeps what it sends. */
  function mailerOf(counters?: Counters | 'off') {
    const sent: string[] = []
    const transport = {
      send: async (_key: string, { to }: { readonly to: string }) => {
        sent.push(to)
        return { kind: 'sent' } as const
      },
    }
    const mailer: TestMailer = createTestMailer(shop, '', transport, counters)
    return { ...mailer, sent }
  }

  test('a network causes at most 60 mails an hour to unconfirmed addresses, by whatever request', async () => {
    const mailer = mailerOf()
    const request = nextNetwork()
    for (let count = 0; count < 29; count += 1) await signUp(request)
    for (let count = 0; count < 29; count += 1) await buyAsGuest(request)
    const customer = await signUp(request)
    await mailer.run()
    assert.equal(mailer.sent.length, 59)
    const authorization = await signIn(request, customer)
    const moved = await request(
      'PATCH',
      `/users/${customer.id}`,
      { email: nextAddress(), current_password: customer.password },
      { authorization },
    )
    assert.equal(moved.status, 200, moved.text)
    // One of the two about the change: to the former address, and to the new one.
    await mailer.run()
    assert.equal(mailer.sent.length, 60)
    await signUp(request)
    await buyAsGuest(request)
    const reset = await request('POST', '/password-resets', { email: customer.email })
    assert.equal(reset.status, 202)
    const other = await signUp(nextNetwork())
    await mailer.run()
    assert.deepEqual(mailer.sent.slice(60), [other.email])
    const limited = mailer.reports.map((report) => (report as { readonly kind: string }).kind)
    assert.equal(limited.length, 3)
    assert.ok(limited.includes('order_confirmation'))
    assert.doesNotMatch(JSON.stringify(mailer.reports), /person-|198\.51/)
    const kept = await shop.db
      .selectFrom('mails')
      .select(['status', 'network', 'recipient'])
      .where('error', 'is not', null)
      .execute()
    assert.deepEqual(
      new Set(kept.map((row) => JSON.stringify(row))),
      new Set([JSON.stringify({ status: 'cancelled', network: null, recipient: null })]),
    )
    const began = shop.now
    shop.now += hourMs
    const late = await signUp(request)
    await mailer.run()
    shop.now = began
    assert.equal(mailer.sent.at(-1), late.email)
  })

  test('mails to the confirmed address of the buyer, and those that administrators cause, do not count', async () => {
    const mailer = mailerOf()
    const request = nextNetwork()
    const buyer = await signUp(request)
    for (let count = 0; count < 60; count += 1) await buyAsGuest(request)
    await mailer.run()
    assert.equal(mailer.sent.length, 60)
    await confirmAddress(shop.db, buyer.id)
    const authorization = await signIn(request, buyer)
    const signedIn: PayingApp['request'] = (method, url, body) =>
      request(method, url, body, { authorization })
    await pay({ id: buyer.id, request: signedIn })
    const admin = await shop.signInAs('admin')
    const added = { name: 'Grace', email: nextAddress() }
    const token = { authorization: `Bearer ${admin.token}` }
    assert.equal((await request('POST', '/users', added, token)).status, 201)
    await mailer.run()
    assert.deepEqual(mailer.sent.slice(60).toSorted(), [added.email, buyer.email].toSorted())
  })

  test('the network that gave an address is known until it is confirmed, and exported', async () => {
    const request = nextNetwork()
    const address = `198.51.100.${networks}`
    const user = await signUp(request)
    const networkOf = async () =>
      (await shop.db.selectFrom('users').selectAll().where('id', '=', user.id).execute())[0]
        ?.email_network
    assert.equal(await networkOf(), address)
    const authorization = await signIn(request, user)
    const url = `/users/${user.id}?include=data`
    const exported = await request('GET', url, undefined, { authorization })
    assert.equal(exported.status, 200, exported.text)
    const known = exported.json.data.known_networks
    assert.ok(known.some((entry: { readonly network: string }) => entry.network === address))
    await createTestMailer(shop, '', {
      send: async (_key, { to, text }) => {
        const [, token] = /email-confirmations\/([\w-]+)/.exec(text) ?? []
        if (to === user.email) {
          assert.equal((await request('PUT', `/email-confirmations/${token}`, {})).status, 204)
        }
        return { kind: 'sent' }
      },
    }).run()
    assert.equal(await networkOf(), null)
  })

  test('nothing is limited with `RATE_LIMIT=off`', async () => {
    const mailer = mailerOf('off')
    const request = nextNetwork()
    for (let count = 0; count < 62; count += 1) await buyAsGuest(request)
    await mailer.run()
    assert.equal(mailer.sent.length, 62)
    assert.deepEqual(mailer.reports, [])
  })

  test('processes with a Redis count together', { skip: redisSkipReason() }, async (context) => {
    const logger = { warn: () => undefined, info: () => undefined }
    const counters = await redisCounters(fixedWindow, { url: testRedisUrl(), logger })
    context.after(counters.close)
    const run = randomUUID()
    const own: Counters = {
      spend: (key, ...rest) => counters.spend(`${run} ${key}`, ...rest),
    }
    const [one, other] = [mailerOf(own), mailerOf(own)]
    const request = nextNetwork()
    for (let count = 0; count < 40; count += 1) await buyAsGuest(request)
    await one.run()
    for (let count = 0; count < 30; count += 1) await buyAsGuest(request)
    await other.run()
    assert.equal(counters.isShared(), true)
    assert.deepEqual([one.sent.length, other.sent.length], [40, 20])
    assert.equal(other.reports.length, 10)
  })
})
