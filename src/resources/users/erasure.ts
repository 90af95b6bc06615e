import type { Db } from '#store/database.ts'
import { prepared } from '#store/prepared.ts'
import { requireWritten } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { endSessionsOf } from '../sessions/store.ts'
import type { UserRow } from './table.ts'

type Erased = { readonly id: number; readonly now: Instant }

const blankUser = prepared((db: Db, param: Erased & { revision: number }) =>
  db
    .updateTable('users')
    .set((eb) => ({
      name: 'Deleted user',
      email: null,
      email_key: null,
      age: null,
      username: null,
      username_key: null,
      password_hash: null,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
      deleted_at: param.now,
    }))
    .where('id', '=', param.id)
    .where('revision', '=', param.revision)
    .returning('id'),
)

const emptyCart = prepared((db: Db, param: { id: number }) =>
  db.deleteFrom('cart_items').where('user_id', '=', param.id),
)
const dropCart = prepared((db: Db, param: { id: number }) =>
  db.deleteFrom('carts').where('user_id', '=', param.id),
)

const blankReviews = prepared((db: Db, param: Erased) =>
  db
    .updateTable('reviews')
    .set((eb) => ({
      user_id: null,
      author: null,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('user_id', '=', param.id),
)

const blankOrders = prepared((db: Db, param: Erased) =>
  db
    .updateTable('orders')
    .set((eb) => ({
      user_id: null,
      note: null,
      recipient: null,
      line1: null,
      line2: null,
      city: null,
      region: null,
      postal_code: null,
      tracking_number: null,
      tracking_url: null,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('user_id', '=', param.id),
)

const blankPurchases = prepared((db: Db, param: { id: number }) =>
  db.updateTable('purchases').set({ user_id: null }).where('user_id', '=', param.id),
)

/**
 * Removes a user and all that is personal, in seven statements. The row stays, nameless, so that
 * the identifier answers 410 and is never given out again. Orders, purchases and reviews stay for
 * the shop without the user's identifier, so that nobody can tell any more whose they were: orders
 * lose note, recipient and address except the country, which taxes are reckoned by.
 */
export async function eraseUser(db: Db, { id, revision }: UserRow, now: Instant): Promise<void> {
  requireWritten(await blankUser.first(db, { id, revision, now }))
  await endSessionsOf(db, id)
  await emptyCart.run(db, { id })
  await dropCart.run(db, { id })
  await blankReviews.run(db, { id, now })
  await blankOrders.run(db, { id, now })
  await blankPurchases.run(db, { id })
}
