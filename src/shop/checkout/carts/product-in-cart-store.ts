import type { ProductRow } from '#shop/catalogue/products/table.ts'
import type { Db } from '#store/database.ts'
import { nextId } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
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

const productInCart = prepareQuery((db: Db, param: CartProductKey) =>
  db
    .selectFrom('products')
    .leftJoin('cart_items as line', (join) =>
      join.onRef('line.product_id', '=', 'products.id').on('line.user_id', '=', param.userId),
    )
    .selectAll('products')
    .select((eb) => [
      eb.fn.coalesce('line.id', nextId(db, 'cart_items')).as('line_id'),
      'line.created_at as line_created_at',
      'line.quantity as quantity_in_cart',
      eb
        .selectFrom('carts')
        .select('carts.discount_code')
        .where('carts.user_id', '=', param.userId)
        .as('discount_code'),
      eb
        .selectFrom('users')
        .select('users.deleted_at')
        .where('users.id', '=', param.userId)
        .as('buyer_removed_at'),
      eb
        .selectFrom('cart_items')
        .select((count) => count.fn.countAll<number>().as('lines'))
        .where('user_id', '=', param.userId)
        .$asScalar()
        .$notNull()
        .as('lines_in_cart'),
    ])
    .where('products.id', '=', param.productId),
)

/** Returns a product, even if removed, with its quantity in the user's cart, in one query. */
export const findProductInCart = (
  db: Db,
  key: CartProductKey,
): Promise<ProductInCart | undefined> => productInCart.first(db, key)
