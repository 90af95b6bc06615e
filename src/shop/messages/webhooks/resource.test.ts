import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createWebhookSecrets } from '#src/secrets/webhook-secrets.ts'
import { reencryptAll } from '#src/server/re-encryption.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
  testSecretKey,
} from '#test/support/app.ts'
import { minuteMs } from '#values/instant.ts'

const url = 'https://erp.example.com/hooks'
const resultOf = ({ status, json }: TestResponse): unknown[] => [
  status,
  json?.error_code,
  ...(json?.errors ?? []).map(
    ({ field, message }: { field: string; message: string }) => `${field} ${message}`,
  ),
]

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind, { webhookNetworks: [] })
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const create = (fields: object = {}, caller: Pick<TestCaller, 'request'> = admin) =>
    caller.request('POST', '/webhooks', { url, types: ['order.*'], ...fields })
  const created = async (fields: object = {}) => {
    const answer = await create(fields)
    assert.equal(answer.status, 201, answer.text)
    return answer.json
  }
  const callerWith = (key: string): Pick<TestCaller, 'request'> => ({
    request: (method, path, body, headers) =>
      shop.request(method, path, body, { authorization: `Api-Key ${key}`, ...headers }),
  })
  const keyWith = async (scopes: readonly string[], fields: object = {}) => {
    const body = { name: 'Program', scopes, ...fields }
    const { json } = await admin.request('POST', '/api-keys', body)
    return { id: json.id as number, caller: callerWith(json.key) }
  }

  describe('a webhook', () => {
    test('shows its secret once, and keeps it encrypted', async () => {
      const made = await created({ description: 'Warehouse' })
      assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      const { json } = await admin.request('GET', `/webhooks/${made.id}`)
      const { secret, _links, ...shown } = made
      const { _links: links, ...read } = json
      assert.deepEqual(read, shown)
      assert.deepEqual(Object.keys(links).sort(), Object.keys(_links).sort())
      const row = await shop.db
        .selectFrom('webhooks')
        .selectAll()
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow()
      assert.ok(!JSON.stringify(row).includes(secret.slice(6, 20)))
      assert.equal(createWebhookSecrets([testSecretKey]).decrypt(row.secret, made.id), secret)
      assert.equal(
        createWebhookSecrets([testSecretKey]).decrypt(row.secret, made.id + 1),
        undefined,
      )
    })

    test('takes a given secret, and repeats it under an Idempotency-Key', async () => {
      const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
      const headers = { 'idempotency-key': 'a webhook' }
      const body = { url, types: ['*'], secret }
      const first = await admin.request('POST', '/webhooks', body, headers)
      assert.equal(first.json.secret, secret)
      const again = await admin.request('POST', '/webhooks', body, headers)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.deepEqual([again.json.id, again.json.secret], [first.json.id, secret])
    })

    const needsHttps =
      'url must be an https URL; plain http is for the networks of the setting WEBHOOK_ALLOWED_NETWORKS'
    const isPrivate =
      'url must not lead to a private or local address, unless the setting WEBHOOK_ALLOWED_NETWORKS allows its network'
    for (const [fields, expected] of [
      [{ url: 'http://erp.example.com/' }, needsHttps],
      [{ url: 'https://127.0.0.1/' }, isPrivate],
      [{ url: 'https://[::ffff:10.0.0.1]/' }, isPrivate],
      [{ url: 'https://169.254.169.254/' }, isPrivate],
      [{ url: 'https://me:pw@erp.example/' }, 'url must not contain a username or password'],
      [{ url: 'ftp://erp.example.com/' }, 'url must be an http or https URL'],
      [{ url: 'hooks' }, 'url must be an http or https URL'],
      [{ types: [] }, 'types must not be empty'],
      [{ secret: 'whsec_short' }, 'secret must be whsec_ and 24 to 64 bytes in Base64'],
    ] as const) {
      test(`with ${JSON.stringify(fields)} is 422`, async () => {
        assert.deepEqual(resultOf(await create(fields)), [422, '4221', expected])
      })
    }
    test('with an unknown type is 422, without URL or types 400', async () => {
      const unknown = await create({ types: ['order.lost'] })
      assert.deepEqual([unknown.status, unknown.json.errors[0].field], [422, 'types[0]'])
      const empty = await admin.request('POST', '/webhooks', {})
      assert.deepEqual(resultOf(empty).slice(0, 2), [400, '4001'])
    })

    test('is changed in part, and keeps its secret at another URL', async () => {
      const { id } = await created()
      const secretOf = () =>
        shop.db.selectFrom('webhooks').select('secret').where('id', '=', id).execute()
      const before = await secretOf()
      const changed = await admin.request('PATCH', `/webhooks/${id}`, {
        url: 'https://other.example/',
        types: ['*'],
      })
      assert.equal(changed.status, 200)
      assert.deepEqual(changed.json.types, ['*'])
      assert.deepEqual(await secretOf(), before)
      const bad = await admin.request('PATCH', `/webhooks/${id}`, { url: 'https://10.0.0.1/' })
      assert.equal(bad.status, 422)
      const same = await admin.request('PATCH', `/webhooks/${id}`, { types: ['*'] })
      assert.equal(same.headers['etag'], changed.headers['etag'])
    })

    test('is gone after DELETE, with its secrets, and so are its deliveries', async () => {
      const { id } = await created()
      assert.equal((await admin.request('POST', `/webhooks/${id}/tests`)).status, 202)
      assert.equal((await admin.request('DELETE', `/webhooks/${id}`)).status, 204)
      assert.equal((await admin.request('DELETE', `/webhooks/${id}`)).status, 204)
      for (const [method, path, status] of [
        ['GET', '', 410],
        ['GET', '/deliveries', 410],
        ['POST', '/tests', 410],
        ['POST', '/rotations', 410],
        ['PATCH', '', 410],
      ] as const) {
        const body = method === 'PATCH' ? { active: true } : undefined
        const answer = await admin.request(method, `/webhooks/${id}${path}`, body)
        assert.equal(answer.status, status, `${method} ${path}`)
      }
      const [row] = await shop.db
        .selectFrom('webhooks')
        .select(['secret', 'replaced_secret'])
        .where('id', '=', id)
        .execute()
      assert.deepEqual(row, { secret: '', replaced_secret: null })
      await shop.webhookDispatcher.round()
      const pending = await shop.db
        .selectFrom('webhook_deliveries')
        .select('status')
        .where('webhook_id', '=', id)
        .execute()
      assert.deepEqual(pending, [{ status: 'failed' }])
    })

    test('that is inactive is sent neither tests nor retries, and has no link to them', async () => {
      const { id, _links } = await created({ active: false })
      assert.equal(_links.test, undefined)
      const test = await admin.request('POST', `/webhooks/${id}/tests`)
      assert.deepEqual(resultOf(test), [409, '4091'])
      const active = await admin.request('PATCH', `/webhooks/${id}`, { active: true })
      assert.equal(active.json._links.test.method, 'POST')
    })

    test('that is deactivated takes the link to a retry from its deliveries, with another ETag', async () => {
      const { id } = await created()
      const sent = await admin.request('POST', `/webhooks/${id}/tests`)
      const path = `/webhooks/${id}/deliveries/${sent.json.id}`
      const { headers, json } = await admin.request('GET', path)
      assert.equal(json._links.retry.method, 'POST')
      await admin.request('PATCH', `/webhooks/${id}`, { active: false })
      const after = await admin.request('GET', path, undefined, {
        'if-none-match': headers['etag'] ?? '',
      })
      assert.deepEqual([after.status, after.json._links.retry], [200, undefined])
    })

    test('gets a new secret by a rotation, which an audit event records', async () => {
      const { id, secret } = await created()
      const rotated = await admin.request('POST', `/webhooks/${id}/rotations`, {
        grace_seconds: 60,
      })
      assert.equal(rotated.status, 201)
      assert.notEqual(rotated.json.secret, secret)
      const { json } = await admin.request('GET', '/audit-events?limit=2&sort=id&order=desc')
      assert.deepEqual(
        json.data.map(({ action, details }: { action: string; details: object }) => [
          action,
          details,
        ]),
        [
          ['webhook_rotated', { webhook: id }],
          ['webhook_created', { webhook: id }],
        ],
      )
    })

    test('is re-encrypted with SECRET_KEY, both secrets', async () => {
      const { id, secret } = await created()
      await admin.request('POST', `/webhooks/${id}/rotations`, { grace_seconds: 60 })
      const newKey = 'a secret key that takes its place from now'
      const { reencrypted, unreadable } = await reencryptAll(shop.db, [newKey, testSecretKey])
      assert.ok(reencrypted >= 2)
      assert.equal(unreadable, 0)
      const row = await shop.db
        .selectFrom('webhooks')
        .select('replaced_secret')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      assert.equal(createWebhookSecrets([newKey]).decrypt(row.replaced_secret ?? '', id), secret)
      await reencryptAll(shop.db, [testSecretKey, newKey])
    })
  })

  describe('a narrow key', () => {
    test('with webhooks:write only reads and removes webhooks, but sets none up', async () => {
      const { caller } = await keyWith(['webhooks:write'])
      assert.deepEqual(resultOf(await create({}, caller)), [403, '4033'])
      const { id } = await created()
      const { json: read } = await caller.request('GET', `/webhooks/${id}`)
      assert.deepEqual(Object.keys(read._links), ['self', 'deliveries', 'test', 'delete'])
      const moved = await caller.request('PATCH', `/webhooks/${id}`, {
        url: 'https://evil.example',
      })
      assert.deepEqual(resultOf(moved), [403, '4033'])
      const rotated = await caller.request('POST', `/webhooks/${id}/rotations`)
      assert.deepEqual(resultOf(rotated), [403, '4033'])
      assert.equal((await caller.request('DELETE', `/webhooks/${id}`)).status, 204)
    })

    test('with an end or an address sets none up, since a webhook has neither', async () => {
      const scopes = ['webhooks:write', 'events:read', 'orders:read']
      for (const limit of [
        { expires_at: new Date(shop.now + minuteMs).toISOString() },
        { allowed_addresses: ['127.0.0.1'] },
        { allowed_origins: ['https://shop.example.com'] },
      ]) {
        const { caller } = await keyWith(scopes, limit)
        const headers = { origin: 'https://shop.example.com' }
        const answer = await caller.request(
          'POST',
          '/webhooks',
          { url, types: ['order.*'] },
          headers,
        )
        assert.deepEqual(resultOf(answer).slice(0, 2), [403, '4031'], JSON.stringify(limit))
      }
    })

    test('sets one up only for types whose resources it may read', async () => {
      const { caller } = await keyWith(['webhooks:write', 'events:read', 'orders:read'])
      for (const [types, status] of [
        [['order.*', 'payment.failed', 'product.*', 'review.created', 'webhook.disabled'], 201],
        [['order.*', 'user.created'], 403],
        [['cart.abandoned'], 403],
        [['import.*'], 403],
        [['*'], 403],
      ] as const) {
        const answer = await create({ types }, caller)
        assert.equal(answer.status, status, types.join())
        if (status === 403) assert.equal(answer.json.error_code, '4033')
      }
      const { id } = await created({ types: ['order.paid'] })
      const widened = await caller.request('PATCH', `/webhooks/${id}`, { types: ['*'] })
      assert.deepEqual(resultOf(widened), [403, '4033'])
    })

    test('with the scopes of its types sets one up, which is disabled when the key is revoked', async () => {
      const { id: keyId, caller } = await keyWith([
        ...['webhooks:write', 'events:read', 'keys:write'],
        ...['orders:read', 'users:read'],
      ])
      const { json: own } = await create({}, caller)
      const { json: moved } = await create()
      const { json: widened } = await create()
      const { json: rotated } = await create()
      const other = await created()
      await caller.request('PATCH', `/webhooks/${moved.id}`, { url: 'https://moved.example/' })
      await caller.request('PATCH', `/webhooks/${widened.id}`, { types: ['user.*'] })
      const rotation = await caller.request('POST', `/webhooks/${rotated.id}/rotations`)
      assert.equal(rotation.status, 201)
      await caller.request('PATCH', `/webhooks/${other.id}`, { description: 'Noted' })
      assert.equal((await admin.request('DELETE', `/api-keys/${keyId}`)).status, 204)
      await shop.webhookDispatcher.round()
      for (const [id, active, reason] of [
        [own.id, false, 'key_revoked'],
        [moved.id, false, 'key_revoked'],
        [widened.id, false, 'key_revoked'],
        [rotated.id, false, 'key_revoked'],
        [other.id, true, null],
      ]) {
        const { json } = await admin.request('GET', `/webhooks/${id}`)
        assert.deepEqual([json.active, json.disabled_reason], [active, reason])
      }
      const { json } = await admin.request(
        'GET',
        `/events?type=webhook.*&subject=/webhooks/${own.id}`,
      )
      const [event] = json.data
      assert.deepEqual(
        [event.type, event.data.disabled_reason, event.data.secret],
        ['webhook.disabled', 'key_revoked', undefined],
      )
    })
  })

  test('of the API key of an administrator who is suspended or no longer one is disabled', async () => {
    for (const change of [{ status: 'suspended' }, { role: 'customer' }]) {
      const owner = await shop.signInAs('admin')
      const scopes = ['webhooks:write', 'events:read', 'orders:read']
      const made = (await owner.request('POST', '/api-keys', { name: 'ERP', scopes })).json
      const { json: webhook } = await create({}, callerWith(made.key))
      await shop.webhookDispatcher.round()
      assert.equal((await admin.request('GET', `/webhooks/${webhook.id}`)).json.active, true)
      assert.equal((await admin.request('PATCH', `/users/${owner.id}`, change)).status, 200)
      // As two processes do.
      await Promise.all([1, 2, 3, 4].map(() => shop.webhookDispatcher.round()))
      const events = `/events?type=webhook.disabled&subject=/webhooks/${webhook.id}`
      assert.equal((await admin.request('GET', events)).json.data.length, 1)
      const { json } = await admin.request('GET', `/webhooks/${webhook.id}`)
      assert.deepEqual([json.active, json.disabled_reason], [false, 'key_revoked'])
      const { json: deliveries } = await admin.request('GET', `/webhooks/${webhook.id}/deliveries`)
      assert.deepEqual(deliveries.data, [])
    }
  })

  test('a customer and a stranger may nothing', async () => {
    const { id } = await created()
    const buyer = await shop.signInAs('customer')
    for (const [method, path] of [
      ['GET', '/webhooks'],
      ['POST', '/webhooks'],
      ['GET', `/webhooks/${id}`],
      ['GET', `/webhooks/${id}/deliveries`],
      ['POST', `/webhooks/${id}/tests`],
    ] as const) {
      const body = method === 'POST' ? {} : undefined
      assert.equal((await buyer.request(method, path, body)).status, 403)
      assert.equal((await shop.request(method, path, body)).status, 401)
    }
  })
})
