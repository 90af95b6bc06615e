import { nullable } from '#schema/words.ts'
import { type ColumnsOf, integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import { table } from '#store/table.ts'
import type { Instant } from '#values/instant.ts'
import type { Discount } from './discounts.ts'

/** The orders that use a discount, until they give the use back. */
export const discountUses = table('discount_uses', {
  columns: {
    order_id: integer,
    discount_id: integer,
    user_id: nullable(integer),
    created_at: integer,
  },
  key: ['order_id'],
  indexes: ['discount_id, user_id', 'user_id'],
  owner: { column: 'user_id', whenErased: 'unlink', whenMerged: 'move' },
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    discount_uses: ColumnsOf<(typeof discountUses)['schemas']>
  }
}

const changeCount = prepareQuery(
  (db: Db, param: { discountId: number; uses: number; now: Instant }) =>
    db
      .updateTable('discounts')
      .set((eb) => ({
        used_count: eb('used_count', '+', param.uses),
        revision: eb('revision', '+', eb.lit(1)),
        updated_at: param.now,
      }))
      .where('id', '=', param.discountId),
)

interface Use {
  readonly discountId: number
  readonly orderId: number
  readonly userId: number
  readonly now: Instant
}

/** Returns the statements that record that an order uses a discount, which must be locked. */
export const useDiscountStatements = ({
  discountId,
  orderId,
  userId,
  now,
}: Use): readonly PreparedWrite[] => [
  changeCount.write({ discountId, uses: 1, now }),
  discountUses.insertWrite({
    order_id: orderId,
    discount_id: discountId,
    user_id: userId,
    created_at: now,
  }),
]

/** True once a user has used a discount as often as each user may. */
export async function hasUsedUp(
  db: Db,
  discount: Discount | undefined,
  userId: number,
): Promise<boolean> {
  const limit = discount?.usage_limit_per_user ?? null
  if (!discount || limit === null) return false
  return (await discountUses.count(db, { discount_id: discount.id, user_id: userId })) >= limit
}

/** Gives the uses of these orders back, each once: the row of a use exists until then. */
export async function returnDiscountUses(
  db: Db,
  orderIds: readonly number[],
  now: Instant,
): Promise<void> {
  const uses = await discountUses.take(db, { order_id: orderIds })
  const byDiscount = Map.groupBy(uses, ({ discount_id }) => discount_id)
  // In the order of their IDs, which keeps concurrent transactions from a deadlock.
  for (const [discountId, rows] of [...byDiscount].sort(([one], [other]) => one - other)) {
    await changeCount.run(db, { discountId, uses: -rows.length, now })
  }
}
