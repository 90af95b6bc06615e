import { type RawBuilder, sql } from 'kysely'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'

/** Whether a user has confirmed an address. */
const hasConfirmed = (userId: unknown, contactKey: unknown): RawBuilder<unknown> => sql`
  exists (select 1 from users where users.id = ${userId}
    and users.email_verified = 1 and users.email_key = ${contactKey})`

/** Whether the user of a use has confirmed the contact address of its order. */
const isConfirmed = (use: string): RawBuilder<unknown> =>
  hasConfirmed(sql.ref(`${use}.user_id`), sql.ref(`${use}.contact_key`))

/**
 * Whether a use counts for its contact address, which anybody can type into an order that nobody pays, or that
 * costs nothing: the latter counts unless whoever wants to use the discount has confirmed the address.
 */
const countsForAddress = (
  use: string,
  hasWanterConfirmed: RawBuilder<unknown> = sql`false`,
): RawBuilder<unknown> => sql`
  (exists (select 1 from orders where orders.id = ${sql.ref(`${use}.order_id`)}
      and orders.status <> 'pending' and (orders.total > 0 or not ${hasWanterConfirmed}))
    or ${isConfirmed(use)})`

interface CountedUses {
  readonly discountId: number
  readonly userId: number
  readonly contactKey: string
}

const ofUserOrContact = prepareSql(
  (_: Db, { discountId, userId, contactKey }: CountedUses) => sql`
    select count(*) as uses from (
      select order_id from discount_uses
      where discount_id = ${discountId} and user_id = ${userId}
      union select order_id from discount_uses
      where discount_id = ${discountId} and contact_key = ${contactKey}
        and ${countsForAddress('discount_uses', hasConfirmed(userId, contactKey))}) as used`,
  { uses: integer },
)

/**
 * Returns the number of orders that use a discount and are of a user, or have a contact address and are of a
 * user who has confirmed it or paid: with money, or in any way if this user has not confirmed the address.
 */
export const countUses = async (db: Db, counted: CountedUses): Promise<number> =>
  Number((await ofUserOrContact.first(db, counted))?.uses ?? 0)

const usedUpMeanwhile = prepareSql(
  (_: Db, { orderId }: { orderId: number }) => sql`
    select discounts.code from discount_uses as own
    join discounts on discounts.id = own.discount_id
    where own.order_id = ${orderId} and own.contact_key is not null and not ${isConfirmed('own')}
      and discounts.usage_limit_per_user <= (select count(*) from discount_uses as other
        where other.discount_id = own.discount_id and other.contact_key = own.contact_key
          and other.order_id <> own.order_id and ${countsForAddress('other')})`,
  { code: text },
)

/**
 * Returns the code of the discount of an unpaid order if, since it was placed, others with its contact
 * address have used it as often as one may; undefined for an order of a user who has confirmed the address.
 */
export const findUsedUpCode = async (db: Db, orderId: number): Promise<string | undefined> =>
  (await usedUpMeanwhile.first(db, { orderId }))?.code
