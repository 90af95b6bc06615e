import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findOrder } from '#shop/orders/orders/store.ts'
import type { Db } from '#store/database.ts'
import { withRetries } from '#store/stale-write.ts'
import { uniqueNumber } from '#test/support/rows.ts'
import {
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
  waitForLockWaiter,
} from '#test/support/services/databases.ts'
import { Problem } from '#values/problem.ts'
import { startPayment } from './actions.ts'

const now = 1_000_000
const total = 500
const dependencies = { provider: { name: 'sandbox' }, returnOrigins: new Set<string>() }
const statuses = ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'] as const
const moment = { created_at: 1, updated_at: 1 }

for (const kind of storeKinds) {
  describe(`a payment started on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    let db: Db
    let userId: number
    before(async () => {
      temporary = await openTemporaryStore(kind)
      db = temporary.store.db
      const user = db.insertInto('users').values({ name: 'Ada', role: 'customer', ...moment })
      userId = (await user.returning('id').executeTakeFirstOrThrow()).id
    })
    after(() => temporary.dispose())

    const place = async (changes: object = {}): Promise<number> => {
      const order = {
        ...uniqueNumber(),
        ...{ user_id: userId, status: 'pending' as const, currency: 'USD', item_count: 1 },
        ...{ subtotal: total, shipping_cost: 0, tax: 0, total: total },
        ...{ shipping_method: 'pickup' as const, ...moment, ...changes },
      }
      const insert = db.insertInto('orders').values(order).returning('id')
      return (await insert.executeTakeFirstOrThrow()).id
    }
    const addPayment = (order_id: number, status: 'pending' | 'failed') =>
      db
        .insertInto('payments')
        .values({
          ...{ order_id, idempotency_key: `order-${order_id}-old`, method: 'card', status },
          ...{ amount: total, currency: 'USD', provider: 'sandbox', ...moment },
          due_at: status === 'pending' ? now : null,
        })
        .execute()
    const paymentsOf = (orderId: number) =>
      db.selectFrom('payments').selectAll().where('order_id', '=', orderId).execute()

    const start = (tx: Db, orderId: number, amount?: number, payer = userId) => {
      const sum = amount === undefined ? {} : { amount }
      const body = { method: 'card' as const, token: 'tok_visa', ...sum }
      return startPayment(tx, { userId: payer, orderId, body }, dependencies, now)
    }

    const started = (orderId: number, amount?: number) =>
      temporary.store.transaction((tx) => start(tx, orderId, amount))

    for (const status of statuses) {
      test(`is stored only when the order can be paid: ${status}`, async () => {
        let allowed = 0
        for (const expires_at of [null, now - 1, now, now + 1])
          for (const deleted_at of [null, 1])
            for (const payment of ['none', 'pending', 'failed'] as const)
              for (const amount of [undefined, total, total - 1]) {
                const order = await place({ status, expires_at, deleted_at })
                if (payment !== 'none') await addPayment(order, payment)
                const isPayable =
                  status === 'pending' &&
                  deleted_at === null &&
                  (expires_at === null || expires_at > now) &&
                  payment !== 'pending' &&
                  amount !== total - 1
                const outcome = await started(order, amount).catch((error: unknown) => error)
                const situation = JSON.stringify({ expires_at, deleted_at, payment, amount })
                const isProblem = outcome instanceof Problem
                assert.equal(isProblem, !isPayable, `${situation}: ${String(outcome)}`)
                const stored = await paymentsOf(order)
                const added = stored.length - (payment === 'none' ? 0 : 1)
                assert.equal(added, isPayable ? 1 : 0, situation)
                if (isPayable) allowed += 1
              }
        assert.equal(allowed, status === 'pending' ? 8 : 0)
      })
    }

    test('is returned as stored, with the next revision of the order', async () => {
      const id = await place({ expires_at: now + 1 })
      const before = await findOrder(db, id)
      const { payment, order, means } = await started(id, total)
      assert.deepEqual(means, { token: 'tok_visa' })
      const { user_id, order_deleted_at, ...row } = payment
      assert.deepEqual(await paymentsOf(id), [row])
      assert.deepEqual([user_id, order_deleted_at], [userId, null])
      const { next_payment_id: _, ...returned } = order as typeof order & {
        next_payment_id: number
      }
      const after = await findOrder(db, id)
      assert.deepEqual({ ...returned, open_payment: 'pending' }, after)
      assert.equal(after?.revision, (before?.revision ?? 0) + 1)
    })

    test('answers 404 for an order of another user', async () => {
      const order = await place()
      const other = temporary.store.transaction((tx) => start(tx, order, undefined, userId + 1))
      await assert.rejects(other, { code: '4041' })
      assert.deepEqual(await paymentsOf(order), [])
    })

    test('of an order that changes meanwhile is retried and rejected', async () => {
      const order = await place()
      const [changed, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const cancelling = temporary.store.transaction(async (tx) => {
        const cancel = { status: 'cancelled' as const, revision: 2 }
        await tx.updateTable('orders').set(cancel).where('id', '=', order).execute()
        changed.resolve()
        await mayEnd.promise
      })
      await changed.promise
      let attempts = 0
      const late = withRetries(temporary.store)((tx) => {
        attempts += 1
        return start(tx, order)
      })
      const rejected = assert.rejects(late, { code: '4091' })
      // On SQLite it waits for the writer before reading.
      await waitForLockWaiter(temporary.store)
      mayEnd.resolve()
      await Promise.all([cancelling, rejected])
      assert.equal(attempts, kind === 'postgres' ? 2 : 1)
      assert.deepEqual(await paymentsOf(order), [])
    })
  })
}
