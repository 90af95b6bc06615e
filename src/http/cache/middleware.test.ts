import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymous } from '#http/declare/actor.ts'
import { mount } from '#http/server/mount.ts'
import { startTestApp } from '#test/support/app.ts'
import { ResponseCache } from './response-cache.ts'

test('a cached response has no function that holds its request in memory', async (t) => {
  const shop = await startTestApp('memory')
  t.after(() => shop.dispose())
  const responseCache = new ResponseCache({ maxBytes: 1_000_000, isConnected: () => true })
  const { app } = mount({
    routes: shop.operations.map(({ route }) => route),
    db: shop.db,
    transaction: shop.store.transaction,
    openSnapshot: shop.store.openSnapshot,
    authentication: { challenge: () => '', identify: async () => ({ actor: anonymous }) },
    representationOptions: { version: 1, currency: 'USD', currencyDigits: 2, linksField: '_links' },
    errors: { shape: 'standard', baseUrl: '' },
    clock: () => shop.now,
    isUnavailable: () => false,
    responseCache,
  })
  t.after(() => app.close())
  const { body } = await app.inject('/products')
  const cached = responseCache.get('/products\napplication/json; charset=utf-8\n1\nen')
  assert.ok(cached)
  assert.partialDeepStrictEqual(cached.body?.(), { text: body })
  assert.equal(cached.cacheTags, undefined)
})
