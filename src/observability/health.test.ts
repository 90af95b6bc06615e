import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mount } from '#http/server/mount.ts'
import { tableDeclarations } from '#src/server/tables.ts'
import type { Store } from '#store/database.ts'
import { openStore } from '#store/database.ts'
import { startTestApp, type TestCaller } from '#test/support/app.ts'
import {
  createEmptyDatabase,
  openTemporaryStore,
  skipReason,
} from '#test/support/services/databases.ts'
import { dayMs } from '#values/instant.ts'
import { monitoringRoutes } from './health.ts'
import { createMetrics } from './metrics.ts'

function createProbes(store: Store) {
  const metrics = createMetrics({ store, currency: 'USD', clock: Date.now })
  const process = { isStopping: false, scalesImages: true }
  const isStopping = () => process.isStopping
  const { app } = mount({
    routes: monitoringRoutes({
      store,
      metrics,
      isStopping,
      scalesImages: () => process.scalesImages,
    }),
    db: store.db,
    transaction: (work) => store.transaction(work),
    openSnapshot: store.openSnapshot,
    authentication: {
      challenge: () => 'Bearer',
      identify: async () => assert.fail('credentials must be ignored'),
    },
    representationOptions: { version: 1, currency: 'USD', currencyDigits: 2, linksField: '_links' },
    errors: { shape: 'standard', baseUrl: '' },
    clock: () => 0,
    observe: metrics.observe,
    isUnavailable: () => false,
  })
  const get = (url: string) => app.inject({ url, headers: { authorization: 'Bearer bad' } })
  return { app, get, process }
}

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a process on ${kind}`, { skip: skipReason(kind) }, () => {
    test('is live before its database is migrated, and ready afterwards', async () => {
      const { url, remove } = await createEmptyDatabase(kind)
      const store = await openStore(url)
      const { app, get } = createProbes(store)
      assert.equal((await get('/health/live')).statusCode, 200)
      const early = await get('/health/ready')
      assert.equal(early.statusCode, 503)
      assert.equal(early.json().error_code, '5031')
      assert.equal(early.headers['retry-after'], '1')
      await store.migrate(tableDeclarations)
      const ready = await get('/health/ready')
      assert.equal(ready.statusCode, 200)
      assert.deepEqual(ready.json(), { status: 'ready' })
      assert.equal(ready.headers['cache-control'], 'no-store')
      await app.close()
      await store.close()
      await remove()
    })

    test('is live but not ready when its database is closed or it is stopping', async () => {
      const { store, dispose } = await openTemporaryStore(kind)
      const { app, get, process } = createProbes(store)
      assert.equal((await get('/health/ready')).statusCode, 200)
      process.isStopping = true
      const stopping = await get('/health/ready')
      assert.equal(stopping.statusCode, 503)
      assert.match(stopping.json().details, /shutting down/)
      process.isStopping = false
      await store.close()
      assert.equal((await get('/health/ready')).statusCode, 503)
      assert.equal((await get('/health/live')).statusCode, 200)
      await app.close()
      await dispose()
    })
  })
}

test('the state of message brokers is for administrators', async (t) => {
  const names = ['nats://127.0.0.1:4222?stream=SHOP']
  const shop = await startTestApp('memory', {
    composition: { sinks: { names, retentionMs: dayMs } },
  })
  t.after(() => shop.dispose())
  const [admin, customer] = [await shop.signInAs('admin'), await shop.signInAs('customer')]
  const ask = async ({ request }: Pick<TestCaller, 'request'>, path = '/health/ready?verbose') => {
    const { status, json } = await request('GET', path)
    return status === 200 ? json : json.error_code
  }
  assert.equal(await ask(shop), '4011')
  assert.equal(await ask(customer), '4031')
  const details = { status: 'ready', event_sinks: [{ name: names[0], status: 'starting' }] }
  assert.deepEqual(await ask(admin), details)
  assert.deepEqual(await ask(admin, '/health/ready?verbose=true'), details)
  assert.deepEqual(await ask(customer, '/health/ready'), { status: 'ready' })
  assert.equal(await ask(admin, '/health/ready?verbose=no'), '4003')
})

test('the metrics cover requests by route, the process, its event loop and its database', async () => {
  const { store, dispose } = await openTemporaryStore('memory')
  const { app, get } = createProbes(store)
  await get('/health/live')
  await get('/nowhere/17')
  const { headers, payload } = await get('/metrics')
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  const count = 'http_request_duration_seconds_count'
  assert.ok(payload.includes(`${count}{method="GET",route="/health/live",status="200"} 1`))
  assert.ok(payload.includes(`${count}{method="GET",route="unmatched",status="404"} 1`))
  for (const name of [
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_seconds',
    'store_commits',
    'store_commit_groups',
    'store_waiting_transactions',
  ]) {
    assert.match(payload, new RegExp(`^${name} [\\d.e-]+$`, 'm'))
  }
  await app.close()
  await dispose()
})
