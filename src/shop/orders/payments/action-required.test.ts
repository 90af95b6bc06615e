import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createCipher } from '#src/secrets/encryption.ts'
import { runJobs } from '#src/server/jobs.ts'
import { reencryptAll } from '#src/server/re-encryption.ts'
import { eachDatabase, type TestCaller, testSecretKey } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { decide } from '#test/support/payments/decide.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { minuteMs } from '#values/instant.ts'

const returnUrl = 'http://localhost:3000/thanks?cart=7'

eachDatabase((kind) => {
  let shop: PayingApp
  let buyer: TestCaller
  let admin: TestCaller
  before(async () => {
    shop = await startPayingApp(kind)
    buyer = await shop.signInAs('customer')
    admin = await shop.signInAs('admin')
  })
  after(async () => {
    try {
      await reconcile(shop.db)
    } finally {
      await shop.dispose()
    }
  })

  const place = async () => {
    const { id: product_id } = await shop.addProduct({ stock: 5 })
    const items = [{ product_id, quantity: 1 }]
    const body = { items, shipping: testShipping }
    const { json } = await buyer.request('POST', `/users/${buyer.id}/orders`, body)
    return { id: json.id as number, product: product_id }
  }
  const at = (order: number) => `/users/${buyer.id}/orders/${order}/payment`
  const pay = (order: number, token: string, more: object = {}) =>
    buyer.request('POST', at(order), { method: 'card', token, ...more })
  /** An order whose payment waits for its buyer. */
  const challenge = async (token = 'tok_3ds', more: object = {}) => {
    const { id: order, product } = await place()
    const { json } = await pay(order, token, more)
    assert.equal(json.status, 'action_required', JSON.stringify(json))
    return { order, product, payment: json.id as number, url: json.next_action.url as string }
  }
  const readOrder = async (order: number) => (await buyer.request('GET', `/orders/${order}`)).json
  const readPayment = async (payment: number) =>
    (await buyer.request('GET', `/payments/${payment}`)).json
  const stockOf = async (product: number) =>
    (await shop.request('GET', `/products/${product}`)).json.stock
  const later = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
    const then = shop.now
    shop.now = then + ms
    try {
      return await work()
    } finally {
      shop.now = then
    }
  }
  /** The path of an order's charge at the provider; late callbacks of other orders have another. */
  const chargeOf = (order: number) => new RegExp(`^/charges/order-${order}-`)
  const runJobsNow = () => runJobs(shop.parts, shop.db)

  describe('a payment that the buyer has to confirm', () => {
    test('is not lost when SECRET_KEY is replaced', async () => {
      const { payment, url } = await challenge()
      const newKey = 'a secret key that takes its place from now'
      const stored = () =>
        shop.db
          .selectFrom('payments')
          .select(['next_action', 'idempotency_key'])
          .where('id', '=', payment)
          .executeTakeFirstOrThrow()
      assert.equal((await reencryptAll(shop.db, [newKey, testSecretKey])).unreadable, 0)
      const { next_action, idempotency_key } = await stored()
      assert.match(
        createCipher([newKey]).decrypt(next_action ?? '', idempotency_key) ?? '',
        /redirect/,
      )
      assert.equal((await readPayment(payment)).next_action, null)
      await reencryptAll(shop.db, [testSecretKey, newKey])
      assert.equal((await readPayment(payment)).next_action.url, url)
    })

    test('answers 202 with the page to open, and the order takes nothing else meanwhile', async () => {
      const { id: order } = await place()
      const answer = await pay(order, 'tok_3ds')
      assert.equal(answer.status, 202, answer.text)
      const { next_action, status, _links } = answer.json
      assert.deepEqual([status, next_action.type], ['action_required', 'redirect'])
      assert.match(next_action.url, /^http:\/\/127\.0\.0\.1:\d+\/sandbox\/payments\/[\w-]{43}$/)
      assert.deepEqual(_links.continue, { href: next_action.url })
      assert.deepEqual(await readPayment(answer.json.id), answer.json)
      assert.equal((await pay(order, 'tok_visa')).json.error_code, '4091')
      const { json, headers } = await buyer.request('GET', `/orders/${order}`)
      assert.deepEqual([json.status, json.open_payment], ['pending', undefined])
      const links = Object.keys(json._links)
      for (const hidden of ['pay', 'edit']) assert.ok(!links.includes(hidden), hidden)
      for (const shown of ['cancel', 'delete']) assert.ok(links.includes(shown), shown)
      const path = `/users/${buyer.id}/orders/${order}`
      assert.equal((await buyer.request('PUT', path, { note: 'x' })).json.error_code, '4091')
      assert.equal((await buyer.request('PATCH', path, { note: 'x' })).json.error_code, '4091')
      const at = `/orders/${order}/shipping`
      const shipping = await buyer.request('GET', at)
      for (const hidden of ['update', 'edit']) assert.ok(!(hidden in shipping.json._links), hidden)
      for (const change of [{ method: 'express' }, { recipient: 'Bob' }]) {
        assert.equal((await buyer.request('PATCH', at, change)).json.error_code, '4091')
      }
      assert.equal(
        (await buyer.request('GET', `/orders/${order}`)).headers['etag'],
        headers['etag'],
      )
    })

    test('pays the order once the buyer approves, and leads back to the shop', async () => {
      const { order, payment, url } = await challenge('tok_3ds', { return_url: returnUrl })
      const decided = await decide(url, 'approve')
      assert.equal(decided.status, 303)
      assert.equal(decided.headers.get('location'), `${returnUrl}&payment_id=${payment}`)
      await pollUntil(
        () => readOrder(order),
        ({ status }) => status === 'paid',
      )
      const { status, next_action, _links } = await readPayment(payment)
      assert.deepEqual([status, next_action, _links.continue], ['succeeded', null, undefined])
      assert.equal(await shop.countCharges(order), 1)
      const page = await (await fetch(url)).text()
      assert.match(page, /Payment approved/)
      assert.ok(page.includes(`href="${returnUrl}&amp;payment_id=${payment}"`))
    })

    for (const [token, decision] of [
      ['tok_3ds', 'refuse'],
      ['tok_3ds_fail', 'approve'],
    ] as const) {
      test(`fails by ${token} and "${decision}", and another card may be tried`, async () => {
        const { order, payment, url } = await challenge(token)
        const decided = await decide(url, decision)
        assert.equal(decided.status, 303)
        await pollUntil(
          () => readPayment(payment),
          ({ status }) => status === 'failed',
        )
        const { next_action, _links } = await readPayment(payment)
        assert.deepEqual([next_action, _links.continue], [null, undefined])
        assert.match(await (await fetch(url)).text(), /Payment declined/)
        assert.equal((await pay(order, 'tok_visa')).status, 201)
        assert.equal(await shop.countCharges(order), 1)
      })
    }

    test('is settled by the job when neither browser nor callback comes back', async () => {
      const { order, payment, url } = await challenge()
      // The callback asks the provider, which does not answer.
      shop.exchange.lose('GET', chargeOf(order), 'before', 2)
      await decide(url, 'approve')
      await later(minuteMs, runJobsNow)
      await later(2 * minuteMs, runJobsNow)
      await later(3 * minuteMs, runJobsNow)
      assert.equal((await readPayment(payment)).status, 'succeeded')
      assert.equal((await readOrder(order)).status, 'paid')
      assert.equal(await shop.countCharges(order), 1)
    })

    test('is cancelled at the provider when its order expires, and then the order', async () => {
      const { order, product, payment, url } = await challenge()
      await later(29 * minuteMs, runJobsNow)
      assert.equal((await readPayment(payment)).status, 'action_required')
      await later(30 * minuteMs, runJobsNow)
      assert.equal((await readPayment(payment)).status, 'failed')
      await later(30 * minuteMs, runJobsNow)
      assert.equal((await readOrder(order)).status, 'cancelled')
      assert.equal(await stockOf(product), 5)
      assert.match(await (await fetch(url)).text(), /Payment cancelled/)
      assert.equal(await shop.countCharges(order), 0)
    })

    test('keeps its order until the provider has confirmed the cancellation', async () => {
      const { order, payment } = await challenge()
      shop.exchange.lose('DELETE', chargeOf(order), 'before')
      await later(30 * minuteMs, runJobsNow)
      assert.equal((await readPayment(payment)).status, 'action_required')
      assert.equal((await readOrder(order)).status, 'pending')
      await later(31 * minuteMs, runJobsNow)
      await later(32 * minuteMs, runJobsNow)
      assert.equal((await readOrder(order)).status, 'cancelled')
    })

    test('whose money arrives after the order was cancelled is refunded', async () => {
      const { order, payment, url } = await challenge()
      const gone = { status: 'failed', failure: 'cancelled', due_at: null } as const
      await shop.db.updateTable('payments').set(gone).where('id', '=', payment).execute()
      assert.equal(
        (await buyer.request('PATCH', `/orders/${order}`, { status: 'cancelled' })).status,
        200,
      )
      await decide(url, 'approve')
      await pollUntil(
        () =>
          shop.db
            .selectFrom('payments')
            .select('refunding')
            .where('id', '=', payment)
            .executeTakeFirstOrThrow(),
        ({ refunding }) => refunding > 0,
      )
      assert.equal(await shop.countCharges(order), 1)
      await runJobsNow()
      assert.equal(await shop.countCharges(order), 0)
      assert.equal((await readOrder(order)).status, 'cancelled')
    })
  })

  describe('cancelling an order whose payment waits for the buyer', () => {
    const calls = {
      'a PATCH': (order: number) =>
        buyer.request('PATCH', `/orders/${order}`, { status: 'cancelled' }),
      'a DELETE': (order: number) => buyer.request('DELETE', `/users/${buyer.id}/orders/${order}`),
    }
    for (const [name, cancel] of Object.entries(calls)) {
      const success = name === 'a PATCH' ? 200 : 204
      test(`by ${name} cancels the payment first`, async () => {
        const { order, product, payment, url } = await challenge()
        const answer = await cancel(order)
        assert.equal(answer.status, success, answer.text)
        assert.equal((await readPayment(payment)).status, 'failed')
        assert.equal((await readPayment(payment)).next_action, null)
        assert.equal(await stockOf(product), 5)
        assert.match(await (await fetch(url)).text(), /Payment cancelled/)
        const { status } = await buyer.request('GET', `/orders/${order}`)
        assert.equal(status, name === 'a PATCH' ? 200 : 410)
      })
      test(`by ${name} answers 409 when the buyer has paid meanwhile`, async () => {
        const { order, url } = await challenge()
        shop.exchange.lose('GET', chargeOf(order), 'before', 1)
        const [, answer] = [await decide(url, 'approve'), await cancel(order)]
        assert.equal(answer.json?.error_code ?? answer.status, '4091')
        assert.equal((await readOrder(order)).status, 'paid')
        assert.equal(await shop.countCharges(order), 1)
      })
      test(`by ${name} changes nothing while the provider is silent; the job goes on`, async () => {
        const { order, payment, url } = await challenge()
        shop.exchange.lose('DELETE', chargeOf(order), 'before')
        const answer = await cancel(order)
        assert.equal(answer.json.error_code, '5041', answer.text)
        assert.equal((await readOrder(order)).status, 'pending')
        assert.equal((await readPayment(payment)).status, 'action_required')
        await later(minuteMs, runJobsNow)
        assert.equal((await readPayment(payment)).status, 'failed')
        assert.match(await (await fetch(url)).text(), /Payment cancelled/)
        assert.equal((await readOrder(order)).status, 'pending')
        assert.equal((await cancel(order)).status, success)
      })
      test(`by ${name} twice at once happens once`, async () => {
        const { order, product } = await challenge()
        const answers = await Promise.all([cancel(order), cancel(order), cancel(order)])
        assert.deepEqual(
          answers.map(({ status }) => status),
          [success, success, success],
        )
        assert.equal(await stockOf(product), 5)
      })
    }
    test('answers 409 where another provider has the payment, which this one could not cancel', async () => {
      const { order, payment, url } = await challenge()
      const moveTo = (provider: string) =>
        shop.db.updateTable('payments').set({ provider }).where('id', '=', payment).execute()
      await moveTo('another')
      for (const cancel of Object.values(calls)) {
        assert.equal((await cancel(order)).json.error_code, '4091')
      }
      await moveTo('sandbox')
      assert.doesNotMatch(await (await fetch(url)).text(), /Payment cancelled/)
      assert.equal((await calls['a PATCH'](order)).status, 200)
    })
    test('is answered again under its Idempotency-Key', async () => {
      const { order } = await challenge()
      const key = { 'idempotency-key': `cancel-${order}` }
      const call = () => buyer.request('PATCH', `/orders/${order}`, { status: 'cancelled' }, key)
      const first = await call()
      assert.equal(first.status, 200, first.text)
      assert.equal((await call()).text, first.text)
      const unanswered = shop.db.updateTable('idempotency_keys').set({ answer: null })
      await unanswered.where('subject', '=', order).execute()
      const again = await later(minuteMs, call)
      assert.equal(again.json.status, 'cancelled', again.text)
    })
  })

  describe('what the buyer has to do', () => {
    test('is shown to those who may pay only', async () => {
      const { order, payment, url } = await challenge()
      const keyFor = async (caller: TestCaller, scopes: readonly string[]) => {
        const { json } = await caller.request('POST', '/api-keys', { name: 'k', scopes })
        return (path: string) =>
          shop.request('GET', path, undefined, { authorization: `Api-Key ${json.key}` })
      }
      const narrow = await keyFor(buyer, ['orders:read'])
      const wide = await keyFor(buyer, ['orders:read', 'payments:write'])
      for (const [read, expected] of [
        [narrow, undefined],
        [wide, url],
        [await keyFor(admin, ['orders:read']), undefined],
        [(path: string) => admin.request('GET', path), url],
      ] as const) {
        const { json } = await read(`/payments/${payment}`)
        assert.deepEqual([json.status, json.next_action?.url], ['action_required', expected])
        assert.equal(json._links.continue?.href, expected)
        const included = await read(`/orders/${order}?include=payments`)
        assert.equal(included.json.payments[0].next_action?.url, expected)
      }
      const [one, other] = await Promise.all([
        narrow(`/payments/${payment}`),
        wide(`/payments/${payment}`),
      ])
      assert.notEqual(one.headers['etag'], other.headers['etag'])
    })
    test('is encrypted in the database and not exported', async () => {
      const { payment, url } = await challenge()
      const row = await shop.db
        .selectFrom('payments')
        .select('next_action')
        .where('id', '=', payment)
        .executeTakeFirstOrThrow()
      const secret = url.split('/').at(-1) ?? ''
      assert.ok(row.next_action && !row.next_action.includes(secret))
      const exported = await buyer.request('GET', `/users/${buyer.id}?include=data`)
      assert.equal(exported.status, 200, exported.text)
      assert.ok(!exported.text.includes(secret))
    })
    test('is the same in XML and in both versions', async () => {
      const { payment, url } = await challenge()
      const v2 = await buyer.request('GET', `/v2/payments/${payment}`)
      assert.deepEqual(v2.json.next_action, { type: 'redirect', url })
      assert.equal(v2.json._links.continue.href, url)
      const xml = await buyer.request('GET', `/payments/${payment}`, undefined, {
        accept: 'application/xml',
      })
      assert.ok(
        xml.text.includes(`<next_action><type>redirect</type><url>${url}</url></next_action>`),
        xml.text,
      )
      assert.ok(xml.text.includes(`<link rel="continue" href="${url}"/>`), xml.text)
    })
  })

  test('a page of another site is no return_url', async () => {
    const { id: order } = await place()
    const spaced = [` ${returnUrl}`, `${returnUrl}\tx`, `${returnUrl}/a b`]
    for (const return_url of [
      'https://evil.example/',
      '/thanks',
      'javascript:alert(1)',
      ...spaced,
    ]) {
      const { json } = await pay(order, 'tok_visa', { return_url })
      assert.equal(json.error_code, '4221', return_url)
      assert.equal(json.errors[0].field, 'return_url')
    }
    assert.equal((await pay(order, 'tok_visa', { return_url: returnUrl })).status, 201)
  })

  test('the same Idempotency-Key gets the same action', async () => {
    const { id: order } = await place()
    const key = { 'idempotency-key': `3ds-${order}` }
    const body = { method: 'card', token: 'tok_3ds' }
    const answers = [
      await buyer.request('POST', at(order), body, key),
      await buyer.request('POST', at(order), body, key),
    ]
    assert.deepEqual([...new Set(answers.map(({ text }) => text))].length, 1)
    const unanswered = shop.db.updateTable('idempotency_keys').set({ answer: null })
    await unanswered.where('subject', '=', answers[0]?.json.id).execute()
    const again = await later(minuteMs, () => buyer.request('POST', at(order), body, key))
    assert.deepEqual(again.json, answers[0]?.json)
    assert.equal(again.status, 202)
  })

  test('a payment that waits for the buyer when its answer is lost goes on', async () => {
    const { id: order } = await place()
    shop.exchange.lose('PUT', chargeOf(order), 'after')
    const answer = await pay(order, 'tok_3ds')
    assert.equal(answer.status, 202, answer.text)
    assert.equal(answer.json.status, 'action_required')
    await decide(answer.json.next_action.url, 'approve')
    await pollUntil(
      () => readOrder(order),
      ({ status }) => status === 'paid',
    )
    assert.equal(await shop.countCharges(order), 1)
  })
})
