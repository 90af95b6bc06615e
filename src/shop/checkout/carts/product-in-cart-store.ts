import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ProductRow, products } from '#shop/catalogue/products/table.ts'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { nextId } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import type { CartQuantities } from './rules.ts'

/** A product with its quantity in a user's cart. */
export type ProductInCart = ProductRow &
  CartQuantities & {
    /** The ID of the line of this product; without one, the ID for a new line. */
    readonly line_id: number
    readonly line_created_at: Instant | null
    /** The code of the discount of the cart. */
    readonly discount_code: string | null
    /** Null for a user who has not been removed. */
    readonly buyer_removed_at: Instant | null
  }

interface CartProductKey {
  readonly productId: number
  readonly userId: number
}

const productInCart = prepareSql(
  (db: Db, { productId, userId }: CartProductKey) => sql`
    select products.*, coalesce(line.id, ${nextId(db, 'cart_items')}) as line_id,
      line.created_at as line_created_at, line.quantity as quantity_in_cart,
      (select discount_code from carts where carts.user_id = ${userId}) as discount_code,
      (select deleted_at from users where users.id = ${userId}) as buyer_removed_at,
      (select count(*) from cart_items where user_id = ${userId}) as lines_in_cart
    from products left join cart_items as line
      on line.product_id = products.id and line.user_id = ${userId}
    where products.id = ${productId}`,
  {
    ...products.schemas,
    ...{ line_id: integer, line_created_at: nullable(integer), lines_in_cart: integer },
    ...{ quantity_in_cart: nullable(integer), discount_code: nullable(text) },
    buyer_removed_at: nullable(integer),
  },
)

/** Returns a product, even if removed, with its quantity in the user's cart, in one query. */
export const findProductInCart = (
  db: Db,
  key: CartProductKey,
): Promise<ProductInCart | undefined> => productInCart.first(db, key)
