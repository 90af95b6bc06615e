import { sql } from 'kysely'
import type { Db } from '#db/database.ts'
import { dialectOf, numberOf } from '#db/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#db/query/page.ts'
import { type PreparedWrite, prepared } from '#db/query/prepared.ts'
import { buyableWhile } from '#resources/products/rules.ts'
import type { ProductRow } from '#resources/products/table.ts'
import type { Instant } from '#values/instant.ts'
import type { Cart, CartLine } from './rules.ts'
import { lineLimit, quantityLimit } from './schema.ts'
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

const cartWithLines = prepared((db: Db, param: { userId: number }) =>
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

/** The cart of a user, in one query; every user has one, an untouched one is as old as the user. */
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

const lineById = prepared((db: Db, param: { userId: number; itemId: number }) =>
  linesOf(db)
    .select(lineColumns)
    .where('cart_items.id', '=', param.itemId)
    .where('cart_items.user_id', '=', param.userId),
)

/** One line of a user's cart. */
export const findLine = (db: Db, userId: number, itemId: number): Promise<CartLine | undefined> =>
  lineById.first(db, { userId, itemId })

/** One page of the lines of a user's cart. */
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
  )

/** A product, and what a user's cart holds already. */
export type ProductOffer = ProductRow & {
  /** Pieces of this product in the cart; null where there is no line of it. */
  readonly pieces_in_cart: number | null
  /** Different products in the cart. */
  readonly lines_in_cart: number
}

interface Asked {
  readonly productId: number
  readonly userId: number
}

const offerOf = (db: Db, param: Asked) =>
  db
    .selectFrom('products')
    .selectAll('products')
    .select((eb) => [
      eb
        .selectFrom('cart_items')
        .select('quantity')
        .where('user_id', '=', param.userId)
        .where('product_id', '=', param.productId)
        .as('pieces_in_cart'),
      eb
        .selectFrom('cart_items')
        .select((count) => count.fn.countAll<number>().as('lines'))
        .where('user_id', '=', param.userId)
        .$asScalar()
        .$notNull()
        .as('lines_in_cart'),
    ])
    .where('id', '=', param.productId)
    .where('deleted_at', 'is', null)

const offer = prepared(offerOf)

/** What is put in a cart. */
export interface Addition {
  readonly userId: number
  readonly productId: number
  readonly quantity: number
  readonly now: Instant
}

const pieces = sql<number>`cart_items.quantity + excluded.quantity`
const grown = { quantity: pieces, updated_at: sql<Instant>`excluded.updated_at` }
const isWithinLimit = sql<boolean>`${pieces} <= ${sql.lit(quantityLimit)}`
const nextRevision = { revision: sql<number>`carts.revision + 1`, updated_at: grown.updated_at }

const upsertLine = prepared((db: Db, param: Addition) =>
  db
    .insertInto('cart_items')
    .values({
      user_id: param.userId,
      product_id: param.productId,
      quantity: param.quantity,
      created_at: param.now,
      updated_at: param.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'product_id']).doUpdateSet(grown).where(isWithinLimit),
    )
    .returningAll(),
)

/** Adds pieces to the line of a product, or begins one; undefined when the line would overflow. */
export const addPieces = (db: Db, addition: Addition): Promise<CartItemRow | undefined> =>
  upsertLine.first(db, addition)

const touch = prepared((db: Db, param: { userId: number; now: Instant }) =>
  db
    .insertInto('carts')
    .values({ user_id: param.userId, created_at: param.now, updated_at: param.now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(nextRevision)),
)

/** All of it in one statement, on PostgreSQL, where what stands in the way of adding is out of sight. */
const addAtOnce = prepared((db: Db, param: Addition) =>
  db
    .with('offer', () => offerOf(db, param))
    .with('added', (given) =>
      given
        .insertInto('cart_items')
        .columns(['user_id', 'product_id', 'quantity', 'created_at', 'updated_at'])
        .expression((eb) =>
          eb
            .selectFrom('offer')
            .select([
              numberOf(param.userId).as('user_id'),
              'offer.id as product_id',
              numberOf(param.quantity).as('quantity'),
              numberOf(param.now).as('created_at'),
              numberOf(param.now).as('updated_at'),
            ])
            .where('availability', 'in', buyableWhile)
            .where(
              sql<boolean>`coalesce(stock >= ${numberOf(param.quantity)} + coalesce(pieces_in_cart, 0),
                true) and (pieces_in_cart is not null or lines_in_cart < ${sql.lit(lineLimit)})`,
            ),
        )
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'product_id']).doUpdateSet(grown).where(isWithinLimit),
        )
        .returningAll(),
    )
    .with('touched', (given) =>
      given
        .insertInto('carts')
        .columns(['user_id', 'created_at', 'updated_at'])
        .expression((eb) =>
          eb.selectFrom('added').select(['user_id', 'updated_at as created_at', 'updated_at']),
        )
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(nextRevision)),
    )
    .selectFrom('offer')
    .leftJoin('added', 'added.product_id', 'offer.id')
    .selectAll('offer')
    .select([
      'added.id as line_id',
      'added.quantity as line_quantity',
      'added.created_at as line_created_at',
      'added.updated_at as line_updated_at',
    ]),
)

/**
 * The product with what the user's cart holds of it; on PostgreSQL it is put in the cart in the same
 * statement, if nothing can be said against that. What `added` lacks is for the rules to judge.
 */
export async function findOfferAdding(
  db: Db,
  addition: Addition,
): Promise<{ readonly offer: ProductOffer | undefined; readonly added: CartItemRow | undefined }> {
  const { userId, productId } = addition
  if (dialectOf(db) === 'sqlite') {
    return { offer: await offer.first(db, { userId, productId }), added: undefined }
  }
  const found = await addAtOnce.executeFinal(db, addition, (row) => row.line_id !== null)
  if (!found) return { offer: undefined, added: undefined }
  const { line_id: id, line_quantity, line_created_at, line_updated_at, ...product } = found
  const isAdded = id !== null && line_quantity !== null
  const [created_at, updated_at] = [line_created_at ?? 0, line_updated_at ?? 0]
  const ids = { user_id: userId, product_id: productId }
  const added = isAdded
    ? { id, ...ids, quantity: line_quantity, created_at, updated_at }
    : undefined
  return { offer: product, added }
}

/** Makes the next revision of a user's cart. */
export const touchCartStatement = (userId: number, now: Instant): PreparedWrite =>
  touch.write({ userId, now })

/** Makes the next revision of a user's cart at once. */
export const touchCart = (db: Db, userId: number, now: Instant): Promise<number> =>
  touch.run(db, { userId, now })

const setQuantity = prepared(
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

const deleteLine = prepared((db: Db, param: { id: number; userId: number }) =>
  db.deleteFrom('cart_items').where('id', '=', param.id).where('user_id', '=', param.userId),
)

/** Takes one line out of the cart. */
export const removeLine = (db: Db, { id, user_id }: CartLine): Promise<number> =>
  deleteLine.run(db, { id, userId: user_id })

const deleteLines = prepared((db: Db, param: { userId: number }) =>
  db
    .deleteFrom('cart_items')
    .where('user_id', '=', param.userId)
    .returning(['id', 'product_id', 'quantity']),
)

/** Takes all lines out of a cart and gives them to the caller, and to nobody else. */
export async function takeLines(
  db: Db,
  userId: number,
): Promise<readonly Pick<CartItemRow, 'id' | 'product_id' | 'quantity'>[]> {
  const lines = await deleteLines.all(db, { userId })
  return lines.sort((one, other) => one.id - other.id)
}

const deleteCart = prepared((db: Db, param: { userId: number }) =>
  db.deleteFrom('carts').where('user_id', '=', param.userId),
)

/** Removes the cart of a user and all that is in it, in two statements. */
export async function dropCart(db: Db, userId: number): Promise<void> {
  await deleteLines.run(db, { userId })
  await deleteCart.run(db, { userId })
}
