import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  createEmptyDatabase,
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { type Db, openStore } from './database.ts'
import {
  isBusy,
  isForeignKeyViolation,
  isSerializationFailure,
  isUnavailable,
  isUniqueViolation,
} from './errors.ts'

const times = { created_at: 1, updated_at: 1 }

async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  return assert.fail('The work did not fail')
}

function addUser(db: Db, keys: { email_key?: string; username_key?: string }) {
  return db
    .insertInto('users')
    .values({ name: 'Ada', ...keys, ...times })
    .execute()
}

function addCartItem(db: Db) {
  const row = { user_id: 1, product_id: 2, quantity: 1, ...times }
  return db.insertInto('cart_items').values(row).execute()
}

for (const kind of storeKinds) {
  describe(`errors on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    before(async () => {
      temporary = await openTemporaryStore(kind)
    })
    after(() => temporary.dispose())

    test('a unique violation is matched by the column of its key', async () => {
      const { db } = temporary.store
      await addUser(db, { email_key: 'a', username_key: 'b' })
      const email = await failureOf(addUser(db, { email_key: 'a' }))
      assert.ok(isUniqueViolation(email))
      assert.ok(isUniqueViolation(email, 'users.email_key'))
      assert.ok(!isUniqueViolation(email, 'users.username_key'))
      const username = await failureOf(addUser(db, { username_key: 'b' }))
      assert.ok(isUniqueViolation(username, 'users.username_key'))
      assert.ok(!isUnavailable(email) && !isBusy(email))
      assert.ok(!isForeignKeyViolation(email) && !isSerializationFailure(email))
    })

    test('a unique violation is matched by the columns of its key in any order', async () => {
      const { db } = temporary.store
      await addCartItem(db)
      const error = await failureOf(temporary.store.transaction((inner) => addCartItem(inner)))
      assert.ok(isUniqueViolation(error, 'cart_items.user_id', 'cart_items.product_id'))
      assert.ok(isUniqueViolation(error, 'cart_items.product_id', 'cart_items.user_id'))
      assert.ok(!isUniqueViolation(error, 'cart_items.user_id'))
    })

    test('a duplicate primary key is a unique violation', async () => {
      const { db } = temporary.store
      const add = () => db.insertInto('settings').values({ name: 'a', value: 'b' }).execute()
      await add()
      assert.ok(isUniqueViolation(await failureOf(add()), 'settings.name'))
    })

    test('a second open payment of an order violates the key of the order', async () => {
      const { db } = temporary.store
      const add = (order: number, attempt: string) =>
        db
          .insertInto('payments')
          .values({
            order_id: order,
            idempotency_key: attempt,
            method: 'card',
            amount: 1,
            currency: 'USD',
            status: 'pending',
            provider: 'none',
            ...times,
          })
          .execute()
      await add(1, 'a')
      assert.ok(isUniqueViolation(await failureOf(add(1, 'b')), 'payments.order_id'))
      assert.ok(isUniqueViolation(await failureOf(add(2, 'a')), 'payments.idempotency_key'))
    })

    test('a stock below zero is rejected', async () => {
      const { db } = temporary.store
      const row = { name: 'P', price: 1, availability: 'in_stock', search_text: '' } as const
      await db
        .insertInto('products')
        .values({ ...row, stock: 1, ...times })
        .execute()
      const error = await failureOf(
        db
          .updateTable('products')
          .set((eb) => ({ stock: eb('stock', '-', 2) }))
          .execute(),
      )
      assert.match(String(error), /products_stock_not_negative/)
      assert.ok(!isUniqueViolation(error))
    })

    test('a reference to a missing row is a foreign key violation only', async () => {
      const { db } = temporary.store
      const work = db
        .insertInto('carts')
        .values({ user_id: 404, ...times })
        .execute()
      const error = await failureOf(work)
      assert.ok(isForeignKeyViolation(error))
      assert.ok(!isUniqueViolation(error) && !isUnavailable(error))
    })

    test('a value of the wrong type is an error', async () => {
      const { db } = temporary.store
      const work = db
        .insertInto('users')
        .values({ name: 'Ada', age: 'old' as never, ...times })
        .execute()
      assert.ok(!isUnavailable(await failureOf(work)))
    })
  })
}

test('a PostgreSQL that rejects the sign-in is unavailable', {
  skip: skipReason('postgres'),
}, async () => {
  const { url, remove } = await createEmptyDatabase('postgres')
  await remove()
  const gone = await failureOf(openStore(url))
  assert.ok(isUnavailable(gone), String(gone))
  // Errors of servers with another configuration: closed to all, a changed password.
  for (const code of ['55000', '28P01', '28000']) {
    assert.ok(isUnavailable(Object.assign(new Error('rejected'), { code })), code)
  }
})

test('other values and errors are none of the database errors', () => {
  for (const other of [undefined, null, 'x', new Error('x'), { code: '23505' }]) {
    assert.ok(!isUniqueViolation(other) && !isUnavailable(other))
  }
})
