import { sql } from 'kysely'
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

const ordersOfGuests = prepareSql(
  (db: Db, { contactKey, confirmedAt }: ConfirmedAddress) => sql`
    select orders.id, guests.id as user_id
    from orders join users as guests on guests.id = orders.user_id
    where orders.contact_key = ${contactKey} and orders.created_at <= ${confirmedAt}
      and guests.role = 'guest' and guests.deleted_at is null
    order by orders.id limit ${sql.lit(joinBatchSize)}
    ${lockRows(db, 'guests')}`,
  { id: integer, user_id: integer },
)

/**
 * Returns the first orders of guests with an address, placed until it was confirmed. Locks the guests, who
 * may register, place orders, be merged or be erased, until the transaction ends.
 */
export const lockGuestOrders = (db: Db, address: ConfirmedAddress) =>
  ordersOfGuests.all(db, address)
