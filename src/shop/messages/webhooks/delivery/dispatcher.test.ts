import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { addProduct, type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '#test/support/services/doubles/webhook-receiver.ts'
import { dayMs, minuteMs, secondMs } from '#values/instant.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into representations of every kind
type Json = any

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let receiver: WebhookReceiver
  before(async () => {
    shop = await startPayingApp(kind)
    // The libraries compare the signed time with the clock of the machine.
    shop.now = Date.now()
    const signedIn = await shop.signInAs('admin')
    const { json } = await signedIn.request('POST', '/api-keys', { name: 'Without an end' })
    const authorization = { authorization: `Api-Key ${json.key}` }
    admin = {
      ...signedIn,
      request: (method, url, body) => shop.request(method, url, body, authorization),
    }
    receiver = await startWebhookReceiver()
  })
  after(async () => {
    await receiver.close()
    await shop.dispose()
  })

  let paths = 0
  /** Creates a webhook with a path of its own. */
  async function createWebhook(fields: object = {}) {
    paths += 1
    const path = `/hook-${paths}`
    const body = { url: receiver.url + path, types: ['product.*'], ...fields }
    const { status, json, text } = await admin.request('POST', '/webhooks', body)
    assert.equal(status, 201, text)
    return { ...json, path } as Json
  }
  const round = async () => {
    await shop.webhookDispatcher.round()
    await shop.webhookDispatcher.settled()
  }
  const receivedBy = ({ path }: { path: string }) =>
    receiver.received.filter((request) => request.path === path)
  const deliveriesOf = async ({ id }: { id: number }, query = ''): Promise<Json[]> => {
    const path = `/webhooks/${id}/deliveries?limit=100${query}`
    const { status, json, text } = await admin.request('GET', path)
    assert.equal(status, 200, text)
    return json.data
  }
  const readWebhook = async ({ id }: { id: number }) =>
    (await admin.request('GET', `/webhooks/${id}`)).json
  const respondWith = (status: number, headers: Record<string, string> = {}) => {
    receiver.respond = (response) => response.writeHead(status, headers).end('as it was')
  }
  const succeed = () => respondWith(204)
  const deactivate = ({ id }: { id: number }) =>
    admin.request('PATCH', `/webhooks/${id}`, { active: false })
  const at = async (instant: number, work: () => Promise<unknown>) => {
    const before = shop.now
    shop.now = instant
    try {
      await work()
    } finally {
      shop.now = before
    }
  }

  describe('a delivery', () => {
    test('is the event of the feed, signed as standardwebhooks and svix expect', async () => {
      succeed()
      const hook = await createWebhook()
      const product = await addProduct(admin)
      await round()
      const [request, ...others] = receivedBy(hook)
      assert.equal(others.length, 0)
      assert.ok(request)
      const { json } = await admin.request('GET', `/events?subject=/products/${product.id}`)
      assert.deepEqual(JSON.parse(request.body), json.data[0])
      assert.equal(request.headers['content-type'], 'application/json')
      assert.equal(request.headers['webhook-id'], json.data[0].id)
      const headers = request.headers as Record<string, string>
      for (const Library of [StandardWebhook, SvixWebhook]) {
        const verifier = new Library(hook.secret)
        verifier.verify(request.body, headers)
        assert.throws(() => verifier.verify(`${request.body} `, headers))
        const replayed = { ...headers, 'webhook-timestamp': '1700000000' }
        assert.throws(() => verifier.verify(request.body, replayed))
      }
      const [delivery, ...more] = await deliveriesOf(hook)
      assert.equal(more.length, 0)
      assert.equal(delivery.event_id, json.data[0].id)
      assert.deepEqual([delivery.status, delivery.next_attempt_at], ['delivered', null])
      const [attempt] = delivery.attempts
      assert.deepEqual([attempt.status, attempt.error, attempt.response], [204, null, ''])
      assert.equal(delivery._links.self.href, `/webhooks/${hook.id}/deliveries/${delivery.id}`)
      await deactivate(hook)
    })

    test('is of an event after the creation or activation, of the types', async () => {
      succeed()
      await addProduct(admin)
      const hook = await createWebhook({ types: ['product.updated', 'user.*'] })
      const { id } = await addProduct(admin)
      await admin.request('PATCH', `/products/${id}`, { price: 3 })
      await round()
      assert.equal(receivedBy(hook).length, 1)
      await deactivate(hook)
      await admin.request('PATCH', `/products/${id}`, { price: 4 })
      await round()
      await admin.request('PATCH', `/webhooks/${hook.id}`, { active: true })
      await round()
      const user = await shop.signUp()
      await round()
      const bodies = receivedBy(hook).map(({ body }) => JSON.parse(body))
      assert.deepEqual(
        bodies.map(({ type, subject }) => `${type} ${subject}`),
        [`product.updated /products/${id}`, `user.created /users/${user.id}`],
      )
      await deactivate(hook)
    })

    test('is made again by the schedule, always under the same ID, until it arrives', async () => {
      const hook = await createWebhook()
      respondWith(500)
      await addProduct(admin)
      const began = shop.now
      await round()
      const [failed] = await deliveriesOf(hook, '&status=pending')
      assert.equal(failed.attempts[0].response, 'as it was')
      const second = Date.parse(failed.next_attempt_at) - began
      assert.ok(second >= 4.5 * secondMs && second <= 5.5 * secondMs, String(second))
      await round()
      assert.equal(receivedBy(hook).length, 1)
      await at(began + 6 * secondMs, round)
      const [again] = await deliveriesOf(hook)
      const third = Date.parse(again.next_attempt_at) - began - 6 * secondMs
      assert.ok(third >= 4.5 * minuteMs && third <= 5.5 * minuteMs, String(third))
      succeed()
      await at(began + 10 * minuteMs, round)
      const [done] = await deliveriesOf(hook, '&status=delivered')
      assert.deepEqual(
        done.attempts.map(({ status }: Json) => status),
        [500, 500, 204],
      )
      const ids = receivedBy(hook).map(({ headers }) => headers['webhook-id'])
      assert.deepEqual(new Set(ids), new Set([done.event_id]))
      await deactivate(hook)
    })

    test('fails after the tenth attempt, and a retry by hand is one more', async () => {
      const hook = await createWebhook()
      respondWith(503)
      await addProduct(admin)
      const began = shop.now
      for (let turn = 0; turn < 12; turn += 1) await at(began + turn * 1.2 * dayMs, round)
      // The webhook fails for more than five days, so it is disabled meanwhile.
      await admin.request('PATCH', `/webhooks/${hook.id}`, { active: true })
      const [failed] = await deliveriesOf(hook, '&status=failed')
      assert.equal(failed.next_attempt_at, null)
      const { href } = failed._links.retry
      succeed()
      const retried = await admin.request('POST', href)
      assert.equal(retried.status, 202, retried.text)
      assert.equal(retried.json.status, 'pending')
      await round()
      const [done] = await deliveriesOf(hook)
      assert.deepEqual(
        [done.status, done.attempts.length],
        ['delivered', failed.attempts.length + 1],
      )
      respondWith(500)
      await admin.request('POST', href)
      await round()
      const [still] = await deliveriesOf(hook)
      assert.deepEqual([still.status, still.next_attempt_at], ['delivered', null])
      assert.equal(still.attempts.length, done.attempts.length + 1)
      await deactivate(hook)
    })

    test('that has arrived stays delivered when its webhook stops before it is sent again', async () => {
      succeed()
      const hook = await createWebhook()
      await addProduct(admin)
      await round()
      const [delivered] = await deliveriesOf(hook)
      const { status } = await admin.request('POST', delivered._links.retry.href)
      assert.equal(status, 202)
      await deactivate(hook)
      await round()
      const [ended] = await deliveriesOf(hook)
      assert.deepEqual([ended.status, ended.next_attempt_at], ['delivered', null])
      assert.equal(ended._links.retry, undefined)
      assert.equal(receivedBy(hook).length, 1)
    })

    test('waits as long as Retry-After says', async () => {
      const hook = await createWebhook()
      respondWith(503, { 'retry-after': '120' })
      await addProduct(admin)
      await round()
      const [{ next_attempt_at }] = await deliveriesOf(hook)
      assert.equal(Date.parse(next_attempt_at) - shop.now, 120 * secondMs)
      await deactivate(hook)
    })

    test('does not follow a redirect', async () => {
      const hook = await createWebhook()
      const target = await createWebhook({ active: false })
      respondWith(302, { location: receiver.url + target.path })
      await addProduct(admin)
      await round()
      assert.deepEqual([receivedBy(hook).length, receivedBy(target).length], [1, 0])
      assert.equal((await deliveriesOf(hook))[0].attempts[0].status, 302)
      await deactivate(hook)
    })

    test('is found by the ID of its event', async () => {
      succeed()
      const hook = await createWebhook()
      for (let count = 0; count < 3; count += 1) await addProduct(admin)
      await round()
      const [, second] = await deliveriesOf(hook)
      const found = await deliveriesOf(hook, `&event_id=${second.event_id}`)
      assert.deepEqual(
        found.map(({ id }) => id),
        [second.id],
      )
      const path = `/webhooks/${hook.id}/deliveries`
      const { json } = await admin.request('GET', `${path}?status=delivered,failed&limit=2`)
      assert.equal(json.pagination.total_items, 3)
      assert.deepEqual(await deliveriesOf(hook, '&event_id=7'), [])
      await deactivate(hook)
    })
  })

  describe('a webhook', () => {
    test('whose endpoint answers 410 is disabled, and an event says so', async () => {
      const hook = await createWebhook()
      respondWith(410)
      await addProduct(admin)
      await addProduct(admin)
      await round()
      const { active, disabled_reason } = await readWebhook(hook)
      assert.deepEqual([active, disabled_reason], [false, 'gone'])
      await round()
      assert.deepEqual(await deliveriesOf(hook, '&status=pending'), [])
      const { json } = await admin.request('GET', `/events?subject=/webhooks/${hook.id}`)
      assert.deepEqual(
        json.data.map(({ type, data }: Json) => [type, data.id, data.secret]),
        [['webhook.disabled', hook.id, undefined]],
      )
    })

    test('without success for five days is disabled, and a success begins them anew', async () => {
      const hook = await createWebhook()
      const began = shop.now
      const attemptOn = (day: number, status: number) =>
        at(began + day * dayMs, async () => {
          respondWith(status)
          await addProduct(admin)
          await round()
        })
      await attemptOn(0, 500)
      await attemptOn(4, 500)
      await attemptOn(4.5, 204)
      await attemptOn(6, 500)
      await attemptOn(10.9, 500)
      assert.equal((await readWebhook(hook)).active, true)
      await attemptOn(11.1, 500)
      const { active, disabled_reason } = await readWebhook(hook)
      assert.deepEqual([active, disabled_reason], [false, 'failing'])
    })

    test('signs with both secrets while a rotation is in its grace period', async () => {
      succeed()
      const hook = await createWebhook()
      const path = `/webhooks/${hook.id}/rotations`
      const { json } = await admin.request('POST', path, { grace_seconds: 60 })
      const verifies = (secret: string, { body, headers }: ReceivedWebhook) => {
        try {
          new StandardWebhook(secret).verify(body, headers as Record<string, string>)
          return true
        } catch {
          return false
        }
      }
      await addProduct(admin)
      await round()
      await at(shop.now + 61 * secondMs, async () => {
        await addProduct(admin)
        await round()
      })
      const [during, later] = receivedBy(hook)
      assert.ok(during && later)
      assert.deepEqual(
        [hook.secret, json.secret].map((secret) => [
          verifies(secret, during),
          verifies(secret, later),
        ]),
        [
          [true, false],
          [true, true],
        ],
      )
      await deactivate(hook)
    })

    test('is tested without an event in the feed, and no other is', async () => {
      succeed()
      const [hook, other] = [await createWebhook(), await createWebhook({ types: ['*'] })]
      const test = await admin.request('POST', `/webhooks/${hook.id}/tests`)
      assert.equal(test.status, 202)
      assert.equal(test.headers['location'], test.json._links.self.href)
      await round()
      const [request] = receivedBy(hook)
      assert.ok(request)
      const body = JSON.parse(request.body)
      assert.deepEqual(
        [body.type, body.id, body.subject, body.data.url],
        ['webhook.test', test.json.event_id, `/webhooks/${hook.id}`, hook.url],
      )
      new StandardWebhook(hook.secret).verify(
        request.body,
        request.headers as Record<string, string>,
      )
      assert.equal(receivedBy(other).length, 0)
      assert.equal((await admin.request('GET', `/events/${body.id}`)).status, 404)
      const found = await deliveriesOf(hook, `&event_id=${body.id}`)
      assert.deepEqual([found.length, found[0].status], [1, 'delivered'])
      for (const each of [hook, other]) await deactivate(each)
    })
  })

  test('a process sends nothing that another one has claimed, until the claim ends', async () => {
    const hook = await createWebhook()
    await addProduct(admin)
    let answer = () => undefined as unknown
    const arrived = new Promise<void>((resolve) => {
      receiver.respond = (response) => {
        answer = () => response.writeHead(204).end()
        resolve()
      }
    })
    await shop.webhookDispatcher.round()
    await arrived
    const [delivery] = await deliveriesOf(hook)
    assert.equal(delivery._links.retry, undefined)
    const retry = await admin.request('POST', `${delivery._links.self.href}/retries`)
    assert.deepEqual([retry.status, retry.json.error_code], [409, '4091'])
    await shop.webhookDispatcher.round()
    await at(shop.now + 59 * secondMs, () => shop.webhookDispatcher.round())
    assert.equal(receivedBy(hook).length, 1)
    // As if the process that has made the attempt were gone.
    const answerFirst = answer
    succeed()
    await at(shop.now + 61 * secondMs, async () => {
      await shop.webhookDispatcher.round()
      while (receivedBy(hook).length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    })
    const ids = receivedBy(hook).map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, 1)
    answerFirst()
    await shop.webhookDispatcher.settled()
    const [done] = await deliveriesOf(hook)
    assert.deepEqual([done.status, done.attempts.length], ['delivered', 1])
    await deactivate(hook)
  })

  test('a silent endpoint takes its share of the attempts and delays no other', async () => {
    const [silent, lively] = [await createWebhook(), await createWebhook()]
    const held: (() => void)[] = []
    receiver.respond = (response, { path }) => {
      const end = () => void response.writeHead(204).end()
      if (path === silent.path) held.push(end)
      else end()
    }
    for (let count = 0; count < 15; count += 1) await addProduct(admin)
    while (receivedBy(lively).length < 15 || held.length < 10) {
      await shop.webhookDispatcher.round()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await shop.webhookDispatcher.round()
    assert.equal(receivedBy(silent).length, 10)
    assert.equal(receivedBy(lively).length, 15)
    while (receivedBy(silent).length < 15 || held.length > 0) {
      for (const end of held.splice(0)) end()
      await shop.webhookDispatcher.round()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await shop.webhookDispatcher.settled()
    for (const each of [silent, lively]) await deactivate(each)
  })

  test('a delivery that is pending when its person is erased sends no personal data', async () => {
    const hook = await createWebhook({ types: ['user.*'] })
    receiver.respond = (response, { body }) => void response.writeHead(500).end(body)
    const person = await shop.signInAs('customer', {
      name: 'Zebulon Quackenbush',
      email: 'zebulon-hook@example.com',
    })
    await round()
    const [pending] = await deliveriesOf(hook)
    assert.match(pending.attempts[0].response, /Zebulon/)
    const { json } = await person.request('GET', `/users/${person.id}?include=data`)
    assert.equal(json.data.deliveries[0].event_id, pending.event_id)
    // At once, which the API key of the tests may not.
    const manager = await shop.signInAs('admin')
    assert.equal((await manager.request('DELETE', `/users/${person.id}`)).status, 204)
    const before = receivedBy(hook).length
    await at(shop.now + 10 * secondMs, round)
    const sent = receivedBy(hook).slice(before)
    assert.ok(sent.some(({ headers }) => headers['webhook-id'] === pending.event_id))
    for (const { body } of sent) assert.doesNotMatch(body, /zebulon/i)
    const rows = await shop.db.selectFrom('webhook_deliveries').selectAll().execute()
    assert.doesNotMatch(JSON.stringify(rows), /zebulon/i)
    await deactivate(hook)
  })

  test('deliveries are deleted with the events, after 30 days', async () => {
    succeed()
    const hook = await createWebhook()
    await addProduct(admin)
    await round()
    assert.equal((await deliveriesOf(hook)).length, 1)
    await at(shop.now + 31 * dayMs, () => runJobs(shop.parts, shop.db))
    assert.deepEqual(await deliveriesOf(hook), [])
    await deactivate(hook)
  })

  test('however many endpoints are silent, another one gets its events at once', async () => {
    const silent: Json[] = []
    for (let count = 0; count < 21; count += 1) silent.push(await createWebhook())
    const lively = await createWebhook()
    const paths = new Set(silent.map(({ path }) => path))
    const held: (() => void)[] = []
    receiver.respond = (response, { path }) => {
      const end = () => void response.writeHead(204).end()
      if (paths.has(path)) held.push(end)
      else end()
    }
    for (let count = 0; count < 11; count += 1) await addProduct(admin)
    for (let rounds = 0; rounds < 300 && receivedBy(lively).length < 11; rounds += 1) {
      await shop.webhookDispatcher.round()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    assert.equal(receivedBy(lively).length, 11)
    for (const each of [...silent, lively]) await deactivate(each)
    receiver.respond = (response) => void response.writeHead(204).end()
    for (const end of held) end()
    await shop.webhookDispatcher.settled()
  })
})
