import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'

const order = prepareQuery((db: Db, param: { id: number }) =>
  db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .selectAll('orders')
    .select(['users.language', 'users.email_key', 'users.email_verified'])
    .where('orders.id', '=', param.id)
    .where('users.status', '=', 'active')
    .where('users.deleted_at', 'is', null),
)

/** Returns an order of an active user with the language of the user. */
export const findMailedOrder = (db: Db, id: number) => order.first(db, { id })

const language = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .selectFrom('users')
    .select('language')
    .where('id', '=', param.userId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null),
)

/** Returns the language of an active user. */
export const findLanguage = async (db: Db, userId: number) =>
  (await language.first(db, { userId }))?.language

const erasure = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .selectFrom('users')
    .innerJoin('erasures', 'erasures.user_id', 'users.id')
    .select(['users.id', 'users.language', 'erasures.erase_at'])
    .where('users.id', '=', param.userId)
    .where('users.status', '=', 'active')
    .where('users.deleted_at', 'is', null)
    .where('erasures.erased_at', 'is', null),
)

/** Returns when an active user is to be erased, and the language of the user; undefined once it was withdrawn. */
export const findScheduledErasure = (db: Db, userId: number) => erasure.first(db, { userId })

const items = prepareQuery((db: Db, param: { orderId: number }) =>
  db
    .selectFrom('order_items')
    .select(['id', 'name', 'options', 'quantity', 'unit_price', 'line_total', 'requires_shipping'])
    .where('order_id', '=', param.orderId)
    .orderBy('id'),
)

/** Returns the lines of an order. */
export const findMailedItems = (db: Db, orderId: number) => items.all(db, { orderId })

const parcel = prepareQuery((db: Db, param: { id: number }) =>
  db
    .selectFrom('parcels')
    .select(['items', 'carrier', 'tracking_number', 'tracking_url'])
    .where('id', '=', param.id),
)

/** Returns a parcel; undefined if it was removed. */
export const findMailedParcel = (db: Db, id: number) => parcel.first(db, { id })

const returned = prepareQuery((db: Db, param: { id: number }) =>
  db
    .selectFrom('returns')
    .select(['items', 'reply', 'declared_by', 'created_at'])
    .where('id', '=', param.id),
)

/** Returns what a buyer returns. */
export const findMailedReturn = (db: Db, id: number) => returned.first(db, { id })
