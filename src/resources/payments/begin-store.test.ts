import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '#db/database.ts'
import { isSerializationFailure } from '#db/errors.ts'
import { findOrder } from '#resources/orders/store.ts'
import { eventually } from '#test/support/callers/paying.ts'
import { codeOf } from '#test/support/problems.ts'
import {
  skipReason,
  storeKinds,
  type TemporaryStore,
  temporaryStore,
} from '#test/support/services/databases.ts'
import { beginAtOnce, type Paying } from './begin-store.ts'
import { requirePayable, requirePresent } from './rules.ts'

const now = 1_000_000
const total = 500
const statuses = ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'] as const
const moment = { created_at: 1, updated_at: 1 }

const pay = (order_id: number, userId: number, changes: Partial<Paying> = {}): Paying => ({
  ...{ order_id, userId, amount: undefined, method: 'card', provider: 'sandbox' },
  ...{ attempt_key: `order-${order_id}-new`, settle_after: now + 15_000, now },
  ...changes,
})

for (const kind of storeKinds) {
  describe(`a payment begun at once on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    let db: Db
    let userId: number
    before(async () => {
      temporary = await temporaryStore(kind)
      db = temporary.store.db
      const user = db.insertInto('users').values({ name: 'Ada', role: 'customer', ...moment })
      userId = (await user.returning('id').executeTakeFirstOrThrow()).id
    })
    after(() => temporary.dispose())

    const place = async (changes: object = {}): Promise<number> => {
      const order = {
        ...{ user_id: userId, status: 'pending' as const, currency: 'USD', item_count: 1 },
        ...{ subtotal_minor: total, shipping_cost_minor: 0, tax_minor: 0, total_minor: total },
        ...{ shipping_method: 'pickup' as const, ...moment, ...changes },
      }
      const insert = db.insertInto('orders').values(order).returning('id')
      return (await insert.executeTakeFirstOrThrow()).id
    }
    const addPayment = (order_id: number, status: 'pending' | 'failed') =>
      db
        .insertInto('payments')
        .values({
          ...{ order_id, attempt_key: `order-${order_id}-old`, method: 'card', status },
          ...{ amount_minor: total, currency: 'USD', provider: 'sandbox', ...moment },
          settle_after: status === 'pending' ? now : null,
        })
        .execute()
    const paymentsOf = (orderId: number) =>
      db.selectFrom('payments').selectAll().where('order_id', '=', orderId).execute()

    /** What the rules say of it, and whether it was begun. */
    const judge = async (orderId: number, amount: number | undefined) => {
      const before = await findOrder(db, orderId)
      const refused = codeOf(() => requirePayable(requirePresent(before), amount, now))
      const started = await temporary.store.transaction((inside) =>
        beginAtOnce(inside, pay(orderId, userId, { amount })),
      )
      return { refused, started, before }
    }

    if (kind !== 'postgres') {
      test('is left to the rules', async () => {
        const { refused, started } = await judge(await place(), undefined)
        assert.equal(refused, undefined)
        assert.equal(started, undefined)
      })
      return
    }

    for (const status of statuses) {
      test(`is begun where the rules allow it, and nowhere else: ${status}`, async () => {
        let allowed = 0
        for (const expires_at of [null, now - 1, now, now + 1])
          for (const deleted_at of [null, 1])
            for (const payment of ['none', 'pending', 'failed'] as const)
              for (const amount of [undefined, total, total - 1]) {
                const order = await place({ status, expires_at, deleted_at })
                if (payment !== 'none') await addPayment(order, payment)
                const { refused, started } = await judge(order, amount)
                const told = JSON.stringify({ expires_at, deleted_at, payment, amount })
                assert.equal(started === undefined, refused !== undefined, `${told}: ${refused}`)
                if (started) allowed += 1
              }
        assert.equal(allowed, status === 'pending' ? 8 : 0)
      })
    }

    test('is what the tables have, and the order its next revision', async () => {
      const { started, before } = await judge(await place({ expires_at: now + 1 }), total)
      assert.ok(started && before)
      const { user_id, ...payment } = started.payment
      assert.deepEqual(await paymentsOf(before.id), [payment])
      assert.equal(user_id, userId)
      const after = await findOrder(db, before.id)
      assert.deepEqual({ ...started.order, payment_pending: 1 }, after)
      assert.equal(after?.revision, before.revision + 1)
    })

    test("is not begun for somebody else's order", async () => {
      const order = await place()
      assert.equal(await beginAtOnce(db, pay(order, userId + 1)), undefined)
      assert.deepEqual(await paymentsOf(order), [])
    })

    test('fails, to be tried again, where the order changes meanwhile', async () => {
      const order = await place()
      const [changed, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const cancelling = temporary.store.transaction(async (inside) => {
        const cancel = { status: 'cancelled' as const, revision: 2 }
        await inside.updateTable('orders').set(cancel).where('id', '=', order).execute()
        changed.resolve()
        await mayEnd.promise
      })
      await changed.promise
      const late = assert.rejects(beginAtOnce(db, pay(order, userId)), isSerializationFailure)
      await eventually(() => countWaiting(db), Boolean)
      mayEnd.resolve()
      await Promise.all([cancelling, late])
      assert.deepEqual(await paymentsOf(order), [])
    })
  })
}

/** How many sessions of this database wait for a row that another has changed. */
async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
