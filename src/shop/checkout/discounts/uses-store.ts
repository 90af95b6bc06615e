import { sql } from 'kysely'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { prepareSql } from '#store/query/prepared.ts'

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
      where discount_id = ${discountId} and contact_key = ${contactKey}) as used`,
  { uses: integer },
)

/** Returns the number of orders of a user, or with a contact address, that use a discount. */
export const countUses = async (db: Db, counted: CountedUses): Promise<number> =>
  Number((await ofUserOrContact.first(db, counted))?.uses ?? 0)
