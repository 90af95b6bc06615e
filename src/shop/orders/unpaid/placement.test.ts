import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { networkOf, siteOf } from '#http/message/client-network.ts'
import { slidingWindow } from '#http/rate-limit/algorithms/sliding-window.ts'
import type { Counters } from '#http/rate-limit/counters.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { redisCounters } from '#http/rate-limit/redis-counters.ts'
import { eachDatabase } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { behindProxy, requestFrom } from '#test/support/callers/networks.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { redisSkipReason, testRedisUrl } from '#test/support/services/redis.ts'
import { hourMs, minuteMs } from '#values/instant.ts'
import { placementQuota } from './limit.ts'

const silent = { warn: () => undefined, info: () => undefined }

/** An address of a site that no other run has, since counters in Redis stay. */
const newAddress = () =>
  `2001:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}:1::1`

/** An address of another network of the site. */
const neighbourOf = (address: string) => address.replace(/1::1$/, '2::1')

const kinds = [
  { name: 'memory', skip: false, open: async () => memoryCounters(slidingWindow) },
  {
    name: 'Redis',
    skip: redisSkipReason(),
    open: () =>
      redisCounters(slidingWindow, {
        ...{ url: testRedisUrl(), logger: silent, trustsCallersClock: true },
      }),
  },
] as const

eachDatabase((database) => {
  for (const { name, skip, open } of kinds) {
    describe(`the orders that a network places without paying, counted in ${name}`, {
      skip,
    }, () => {
      let counters: Counters & { readonly close?: () => void }
      let shop: PayingApp
      let product: number
      before(async () => {
        counters = await open()
        const limits = { defaultAllowance: { limit: 100_000, windowMs: minuteMs }, counters }
        const composition = { httpsPolicy: behindProxy, limits }
        shop = await startPayingApp(database, 1000, { composition })
        product = (await shop.addProduct()).id
      })
      after(async () => {
        await shop.dispose()
        counters.close?.()
      })
      const guestAt = (address: string) =>
        startGuest({ request: requestFrom(shop.request, address) })
      type Guest = Awaited<ReturnType<typeof guestAt>>
      const order = ({ request }: Guest, product_id = product) =>
        request('POST', '/orders', {
          items: [{ product_id, quantity: 1 }],
          shipping: testShipping,
        })
      const place = async (guest: Guest): Promise<number> => {
        const { status, json, text } = await order(guest)
        assert.equal(status, 201, text)
        return json.id
      }

      test('are limited, also those that were cancelled; paid and rejected ones do not count', async () => {
        const address = newAddress()
        const guest = await guestAt(address)
        const [cancelled, removed, paid] = [
          await place(guest),
          await place(guest),
          await place(guest),
        ]
        // The others are spent as their requests would.
        const key = `orders of ${siteOf(networkOf(address))}`
        const others = placementQuota.limit - 3
        assert.ok((await counters.spend(key, placementQuota, others, shop.now)).allowed)
        const cancel = { status: 'cancelled' }
        assert.equal((await guest.request('PATCH', `/orders/${cancelled}`, cancel)).status, 200)
        const path = `/users/${guest.id}/orders`
        assert.equal((await guest.request('DELETE', `${path}/${removed}`)).status, 204)
        const rejected = await order(await guestAt(neighbourOf(address)))
        assert.deepEqual([rejected.status, rejected.json.error_code], [429, '4291'])
        assert.equal(rejected.headers['retry-after'], String(hourMs / 1000))
        await place(await guestAt(newAddress()))
        const card = { method: 'card', token: 'tok_visa' }
        const answer = await guest.request('POST', `${path}/${paid}/payment`, card)
        assert.equal(answer.status, 201, answer.text)
        assert.equal((await order(guest, 999_999)).json.error_code, '4221')
        const replayed = { 'idempotency-key': 'placed once' }
        const again = () =>
          guest.request('POST', path, { items: [{ product_id: product, quantity: 1 }] }, replayed)
        assert.equal((await again()).status, 201)
        assert.equal((await again()).headers['idempotent-replayed'], 'true')
        assert.equal((await order(guest)).status, 429)
        const admin = await shop.signInAs('admin')
        const byAdmin = requestFrom(admin.request, address)
        assert.equal(
          (await byAdmin('POST', path, { items: [{ product_id: product, quantity: 1 }] })).status,
          201,
        )
      })
    })
  }
})
