import type { Db } from '#db/database.ts'
import { dialectOf, nextId } from '#db/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#db/query/page.ts'
import { type PreparedWrite, prepareQuery } from '#db/query/prepared.ts'
import { writeBatch } from '#db/query/write-together.ts'
import type { ProductRow } from '#resources/products/table.ts'
import type { Instant } from '#values/instant.ts'
import type { Cart, CartLine, CartQuantities } from './rules.ts'
import type { CartItemRow } from './table.ts'

const lineColumns = [
  'cart_items.id',
  'cart_items.user_id',
  'cart_items.product_id',
  'cart_items.quantity',
  'cart_items.created_at',
  'cart_items.updated_at',
  'products.name',
  'products.price_minor',
  'products.availability',
  'products.stock',
  'products.revision as product_revision',
  'products.updated_at as product_updated_at',
  'products.deleted_at as product_deleted_at',
] as const

const linesOf = (db: Db) =>
  db.selectFrom('cart_items').innerJoin('products', 'products.id', 'cart_items.product_id')

const cartWithLines = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .selectFrom('users')
    .leftJoin('carts', 'carts.user_id', 'users.id')
    .leftJoin('cart_items', 'cart_items.user_id', 'users.id')
    .leftJoin('products', 'products.id', 'cart_items.product_id')
    .select(lineColumns)
    .select([
      'users.created_at as user_created_at',
      'carts.revision as cart_revision',
      'carts.created_at as cart_created_at',
      'carts.updated_at as cart_updated_at',
    ])
    .where('users.id', '=', param.userId)
    .orderBy('cart_items.id'),
)

/** Returns the cart of a user in one query. A cart that was never changed is as old as the user. */
export async function findCart(db: Db, userId: number): Promise<Cart | undefined> {
  const rows = await cartWithLines.all(db, { userId })
  const [first] = rows
  if (!first) return undefined
  return {
    user_id: userId,
    revision: first.cart_revision ?? 0,
    user_created_at: first.user_created_at,
    created_at: first.cart_created_at ?? first.user_created_at,
    updated_at: first.cart_updated_at ?? first.user_created_at,
    lines: rows.filter((row) => row.id !== null) as unknown as readonly CartLine[],
  }
}

const lineById = prepareQuery((db: Db, param: { userId: number; itemId: number }) =>
  linesOf(db)
    .select(lineColumns)
    .where('cart_items.id', '=', param.itemId)
    .where('cart_items.user_id', '=', param.userId),
)

/** Returns the line with this ID in a user's cart. */
export const findLine = (db: Db, userId: number, itemId: number): Promise<CartLine | undefined> =>
  lineById.first(db, { userId, itemId })

/** Returns one page of the lines of a user's cart. */
export const listLines = (
  db: Db,
  userId: number,
  page: PageRequest,
): Promise<PageResult<CartLine>> =>
  paginate(
    linesOf(db).where('cart_items.user_id', '=', userId),
    { id: 'cart_items.id', created_at: 'cart_items.created_at', quantity: 'cart_items.quantity' },
    page,
    (lines) => lines.select(lineColumns),
    { isFew: true },
  )

/** A product with its quantity in a user's cart. */
export type ProductOffer = ProductRow &
  CartQuantities & {
    /** The ID of the line of this product; without one, the ID for a new line. */
    readonly line_id: number
    readonly line_created_at: Instant | null
  }

interface CartProductKey {
  readonly productId: number
  readonly userId: number
}

const offer = prepareQuery((db: Db, param: CartProductKey) =>
  db
    .selectFrom('products')
    .leftJoin('cart_items as line', (join) =>
      join.onRef('line.product_id', '=', 'products.id').on('line.user_id', '=', param.userId),
    )
    .selectAll('products')
    .select((eb) => [
      eb.fn.coalesce('line.id', nextId(db, 'cart_items')).as('line_id'),
      'line.created_at as line_created_at',
      'line.quantity as pieces_in_cart',
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
export const findProductOffer = (db: Db, key: CartProductKey): Promise<ProductOffer | undefined> =>
  offer.first(db, key)

const lockUser = prepareQuery((db: Db, param: { userId: number }) =>
  db.selectFrom('users').select('id').where('id', '=', param.userId).forNoKeyUpdate(),
)

/**
 * Locks a user's cart until the transaction ends; call it before a change to the cart. The lock is
 * sent with the next statement. SQLite needs none, because it has a single writer.
 */
export async function lockCart(db: Db, userId: number): Promise<void> {
  if (dialectOf(db) === 'postgres') await writeBatch(db, [lockUser.write({ userId })])
}

const upsertLine = prepareQuery((db: Db, param: CartItemRow) =>
  db
    .insertInto('cart_items')
    .values({
      id: param.id,
      user_id: param.user_id,
      product_id: param.product_id,
      quantity: param.quantity,
      created_at: param.created_at,
      updated_at: param.updated_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'product_id']).doUpdateSet((eb) => ({
        quantity: eb.ref('excluded.quantity'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    ),
)

/** Returns the statement that inserts or updates a line. */
export const upsertLineStatement = (line: CartItemRow): PreparedWrite => upsertLine.write(line)

const touch = prepareQuery((db: Db, param: { userId: number; now: Instant }) =>
  db
    .insertInto('carts')
    .values({ user_id: param.userId, created_at: param.now, updated_at: param.now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({
        revision: eb('carts.revision', '+', eb.lit(1)),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    ),
)

/** Returns the statement that creates the next revision of a user's cart. */
export const touchCartStatement = (userId: number, now: Instant): PreparedWrite =>
  touch.write({ userId, now })

/** Creates the next revision of a user's cart. */
export const touchCart = (db: Db, userId: number, now: Instant): Promise<number> =>
  touch.run(db, { userId, now })

const setQuantity = prepareQuery(
  (db: Db, param: { id: number; userId: number; quantity: number; now: Instant }) =>
    db
      .updateTable('cart_items')
      .set({ quantity: param.quantity, updated_at: param.now })
      .where('id', '=', param.id)
      .where('user_id', '=', param.userId),
)

/** Changes the quantity of a line. */
export const changeQuantity = (
  db: Db,
  { id, user_id }: CartLine,
  quantity: number,
  now: Instant,
): Promise<number> => setQuantity.run(db, { id, userId: user_id, quantity, now })

const deleteLine = prepareQuery((db: Db, param: { id: number; userId: number }) =>
  db.deleteFrom('cart_items').where('id', '=', param.id).where('user_id', '=', param.userId),
)

/** Deletes one line. */
export const removeLine = (db: Db, { id, user_id }: CartLine): Promise<number> =>
  deleteLine.run(db, { id, userId: user_id })

const deleteLines = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .deleteFrom('cart_items')
    .where('user_id', '=', param.userId)
    .returning(['id', 'product_id', 'quantity']),
)

/** Deletes all lines of a cart and returns them, ordered by ID; concurrent callers get none. */
export async function removeLines(
  db: Db,
  userId: number,
): Promise<readonly Pick<CartItemRow, 'id' | 'product_id' | 'quantity'>[]> {
  const lines = await deleteLines.all(db, { userId })
  return lines.sort((one, other) => one.id - other.id)
}

const deleteCart = prepareQuery((db: Db, param: { userId: number }) =>
  db.deleteFrom('carts').where('user_id', '=', param.userId),
)

/** Deletes the cart of a user and its lines, in two statements. */
export async function removeCart(db: Db, userId: number): Promise<void> {
  await deleteLines.run(db, { userId })
  await deleteCart.run(db, { userId })
}
