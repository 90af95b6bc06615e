import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryBatchSize } from '#shop/orders/orders/expiry.ts'
import { settlementBatchSize } from '#shop/orders/payments/store.ts'
import { deletionBatchSize } from '#store/query/deletion-batch.ts'
import { eachDatabase } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { uniqueNumber } from '#test/support/rows.ts'
import { hourMs } from '#values/instant.ts'
import { startJobs } from './jobs.ts'

const pauses = { pauseMs: hourMs, firstCleanupMs: 0 }

eachDatabase((kind) => {
  test('open payments are settled at once, without a pause while full batches remain', async () => {
    const shop = await startPayingApp(kind)
    const errors: object[] = []
    const log = { info: () => undefined, error: (facts: object) => errors.push(facts) }
    let jobs: ReturnType<typeof startJobs> | undefined
    try {
      const order = await placeOrder(shop)
      const orders = Array.from({ length: 2 * settlementBatchSize + 1 }, (_, at) => ({
        ...order,
        ...uniqueNumber(),
        id: order.id + 1 + at,
      }))
      const open = orders.map(({ id }) => ({
        ...openPayment,
        order_id: id,
        idempotency_key: `order-${id}-left`,
      }))
      await shop.db.insertInto('orders').values(orders).execute()
      await shop.db.insertInto('payments').values(open).execute()
      jobs = startJobs({ ...shop.parts, log }, pauses)
      const left = () =>
        shop.db.selectFrom('payments').select('id').where('status', '=', 'pending').execute()
      await pollUntil(left, (found) => found.length === 0)
      assert.deepEqual(errors, [])
    } finally {
      await jobs?.stop()
      await shop.dispose()
    }
  })

  test('expired orders and rows are cleaned up without a pause while full batches remain', async () => {
    const shop = await startPayingApp(kind)
    const errors: object[] = []
    const log = { info: () => undefined, error: (facts: object) => errors.push(facts) }
    let jobs: ReturnType<typeof startJobs> | undefined
    try {
      const order = await placeOrder(shop)
      const orders = Array.from({ length: 2 * expiryBatchSize + 1 }, (_, at) => ({
        ...order,
        ...uniqueNumber(),
        id: order.id + 1 + at,
        expires_at: 1,
      }))
      const responses = Array.from({ length: 2 * deletionBatchSize + 1 }, (_, at) => ({
        ...{ name: `key ${at}`, fingerprint: '', answer: '{}' },
        ...{ leased_until: 1, expires_at: 1 },
      }))
      await shop.db.insertInto('orders').values(orders).execute()
      await shop.db.insertInto('idempotency_keys').values(responses).execute()
      jobs = startJobs({ ...shop.parts, log }, pauses)
      const countLeft = async () => {
        const pending = shop.db.selectFrom('orders').select('id').where('status', '=', 'pending')
        const keys = shop.db.selectFrom('idempotency_keys').select('name')
        return [(await pending.execute()).length, (await keys.execute()).length]
      }
      const left = await pollUntil(countLeft, ([pending, keys]) => pending === 1 && keys === 0)
      assert.deepEqual([left, errors], [[1, 0], []])
    } finally {
      await jobs?.stop()
      await shop.dispose()
    }
  })

  test('a round that fails is logged with the error and the name of its job', async () => {
    const shop = await startPayingApp(kind)
    const errors: object[] = []
    const log = { info: () => undefined, error: (facts: object) => errors.push(facts) }
    const err = new Error('no mail server')
    const mailer = { run: () => Promise.reject(err), stop: () => undefined }
    const { parts } = shop
    const jobs = startJobs({ ...parts, mailer, log }, pauses)
    try {
      await pollUntil(
        async () => errors.length,
        (count) => count > 0,
      )
      assert.deepEqual(errors, [{ err, job: 'mails' }])
    } finally {
      await jobs.stop()
      await shop.dispose()
    }
  })
})

const openPayment = {
  method: 'card',
  amount: 1999,
  currency: 'USD',
  status: 'pending',
  provider: 'sandbox',
  due_at: 1,
  created_at: 1,
  updated_at: 1,
} as const

async function placeOrder(shop: PayingApp) {
  const buyer = await shop.signInAs('customer')
  const { id: product_id } = await shop.addProduct({ stock: 1 })
  const items = [{ product_id, quantity: 1 }]
  await buyer.request('POST', `/users/${buyer.id}/orders`, { items })
  return await shop.db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
}
