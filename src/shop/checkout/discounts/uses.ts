import { nullable } from '#schema/words.ts'
import type { PersonalData } from '#shop/personal-data.ts'
import { type ColumnsOf, integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import { table } from '#store/table.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import type { Discount } from './discounts.ts'
import { countUses, findUsedUpCode } from './uses-store.ts'

/** The orders that use a discount, until they give the use back. */
export const discountUses = table('discount_uses', {
  columns: {
    order_id: integer,
    discount_id: integer,
    user_id: nullable(integer),
    /** The unique form of the contact address of the order; null without one, and once erased. */
    contact_key: nullable(text),
    created_at: integer,
  },
  key: ['order_id'],
  indexes: [
    'discount_id, user_id',
    'user_id',
    'discount_id, contact_key where contact_key is not null',
  ],
  owner: { column: 'user_id', whenErased: 'own', whenMerged: 'own' },
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

/** Who uses a discount. */
export interface DiscountUser {
  readonly userId: number
  /** The contact address of the order; null without one, and where its uses must not be told. */
  readonly email: string | null
}

interface Use extends DiscountUser {
  readonly discountId: number
  readonly orderId: number
  readonly now: Instant
}

/** Returns the statements that record that an order uses a discount, which must be locked. */
export const useDiscountStatements = ({
  discountId,
  orderId,
  userId,
  email,
  now,
}: Use): readonly PreparedWrite[] => [
  changeCount.write({ discountId, uses: 1, now }),
  discountUses.insertWrite({
    order_id: orderId,
    discount_id: discountId,
    user_id: userId,
    contact_key: email === null ? null : accountKey(email),
    created_at: now,
  }),
]

/**
 * True once a user, or orders with the same contact address that count for it, have used a discount as often as
 * one may.
 */
export async function hasUsedUp(
  db: Db,
  discount: Discount | undefined,
  { userId, email }: DiscountUser,
): Promise<boolean> {
  const limit = discount?.usage_limit_per_user ?? null
  if (!discount || limit === null) return false
  // No address has an empty key.
  const contactKey = accountKey(email ?? '')
  return (await countUses(db, { discountId: discount.id, userId, contactKey })) >= limit
}

/**
 * Throws 409/4091 for an unpaid order whose discount was used meanwhile as often as one contact address may.
 */
export async function requireUseLeft(
  db: Db,
  order: { readonly id: number; readonly discount_id: number | null },
): Promise<void> {
  const code = order.discount_id === null ? undefined : await findUsedUpCode(db, order.id)
  if (code !== undefined) throw problem('4091', 'discount.used_up_by_user', { code })
}

/** The uses of discounts by a user, which are counted on without the user. */
export const discountUsePersonalData: PersonalData = {
  name: 'discount_uses',
  description: 'Which orders of the user use a discount.',
  tables: ['discount_uses'],
  erase: (db, { id }) =>
    discountUses.update(db, { user_id: id }, { user_id: null, contact_key: null }),
  merge: (db, { from, to }) => discountUses.update(db, { user_id: from }, { user_id: to }),
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
