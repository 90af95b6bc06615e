import { sql } from 'kysely'
import { wasPaid } from '#shop/orders/orders/store.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { lockRows } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

interface ConfirmedAddress {
  readonly contactKey: string
  readonly confirmedAt: Instant
}

/** The maximum number of orders that an account takes over in a transaction. */
export const joinBatchSize = 100

const ofGuests = ({ contactKey, confirmedAt }: ConfirmedAddress) => sql`
  from orders join users as guests on guests.id = orders.user_id
  where orders.contact_key = ${contactKey} and orders.created_at <= ${confirmedAt}
    and guests.role = 'guest' and guests.status = 'active'
    and guests.deleted_at is null`

const paidOrders = prepareSql(
  (db: Db, address: ConfirmedAddress) => sql`
    select orders.id, guests.id as user_id ${ofGuests(address)} and ${wasPaid}
    order by orders.id limit ${sql.lit(joinBatchSize)}
    ${lockRows(db, 'guests')}`,
  { id: integer, user_id: integer },
)

/**
 * Returns the first paid orders of guests with an address, placed until it was confirmed. Locks the guests, who
 * may register, place orders, be merged or be erased, until the transaction ends.
 */
export const lockPaidOrders = (db: Db, address: ConfirmedAddress) => paidOrders.all(db, address)

const mayStillBePaid = sql`(orders.status = 'pending' and orders.source <> 'import')`

const unpaidOrder = prepareSql(
  (_: Db, address: ConfirmedAddress) => sql`
    select orders.id ${ofGuests(address)} and ${mayStillBePaid} limit 1`,
  { id: integer },
)

/** True while one of these orders may still be paid. */
export const mayBePaid = async (db: Db, address: ConfirmedAddress): Promise<boolean> =>
  (await unpaidOrder.first(db, address)) !== undefined

const joinableOrder = prepareSql(
  (_: Db, address: ConfirmedAddress) => sql`
    select orders.id ${ofGuests(address)} and (${mayStillBePaid} or ${wasPaid}) limit 1`,
  { id: integer },
)

/** True where whoever confirms an address gets orders of guests, now or once they are paid. */
export const hasJoinableOrders = async (db: Db, address: ConfirmedAddress): Promise<boolean> =>
  (await joinableOrder.first(db, address)) !== undefined

const dueJoins = prepareSql(
  (_: Db, { now, limit }: { now: Instant; limit: number }) => sql`
    select user_id from guest_order_joins where due_at <= ${now} order by due_at limit ${limit}`,
  { user_id: integer },
)

/** Returns the accounts that are to go on taking over orders, the first due first. */
export const findDueJoins = (
  db: Db,
  now: Instant,
  limit: number,
): Promise<readonly { readonly user_id: number }[]> => dueJoins.all(db, { now, limit })
