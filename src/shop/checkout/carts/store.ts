import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { effectiveCategory } from '#shop/catalogue/products/stock/stock-store.ts'
import { findDiscountByCode } from '#shop/checkout/discounts/discounts.ts'
import { coveringBelow } from '#shop/checkout/discounts/scope.ts'
import { hasUsedUp } from '#shop/checkout/discounts/uses.ts'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { asBigint, rowsFromJson } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { type PreparedWrite, prepareQuery, prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import type { Cart, CartLine } from './rules.ts'
import { type CartItemRow, cartItems, carts } from './table.ts'

const lineColumns = [
  'cart_items.id',
  'cart_items.user_id',
  'cart_items.product_id',
  'cart_items.quantity',
  'cart_items.created_at',
  'cart_items.updated_at',
  'products.name',
  'products.price',
  'products.variant_of',
  'products.options',
  effectiveCategory.as('category'),
  'products.availability',
  'products.stock',
  'products.backorder',
  'products.variant_count',
  'products.status',
  'products.parent_status',
  'products.revision as product_revision',
  'products.updated_at as product_updated_at',
  'products.deleted_at as product_deleted_at',
] as const

const linesOf = (db: Db) =>
  db.selectFrom('cart_items').innerJoin('products', 'products.id', 'cart_items.product_id')

/** The code of an active shipping method, one that serves all countries if there is one. */
const anyMethod = (db: Db) =>
  db
    .selectFrom('shipping_methods')
    .select('shipping_methods.code')
    .where('shipping_methods.active', '=', 1)
    .where('shipping_methods.deleted_at', 'is', null)
    .orderBy('shipping_methods.countries')
    .orderBy('shipping_methods.id')
    .limit(1)

const cartWithLines = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .selectFrom('users')
    .leftJoin('carts', 'carts.user_id', 'users.id')
    .leftJoin('cart_items', 'cart_items.user_id', 'users.id')
    .leftJoin('products', 'products.id', 'cart_items.product_id')
    .select(lineColumns)
    .select([
      'users.created_at as user_created_at',
      'users.email',
      'users.email_verified',
      'carts.revision as cart_revision',
      'carts.created_at as cart_created_at',
      'carts.updated_at as cart_updated_at',
      'carts.discount_code',
    ])
    .select(anyMethod(db).as('checkout_method'))
    .where('users.id', '=', param.userId)
    .orderBy('cart_items.id'),
)

/**
 * Returns the cart of a user in one query, with a discount in two or, if users may use it only so
 * often, in three. A cart that was never changed is as old as the user.
 */
export async function findCart(db: Db, userId: number): Promise<Cart | undefined> {
  const rows = await cartWithLines.all(db, { userId })
  const [first] = rows
  if (!first) return undefined
  const { discount_code: code } = first
  const confirmed_email = first.email_verified === 1 ? first.email : null
  const lines = rows.filter((row) => row.id !== null) as unknown as readonly CartLine[]
  const found = code === null ? undefined : await findDiscountByCode(db, code)
  const discount = await coveringBelow(db, found, lines)
  return {
    user_id: userId,
    revision: first.cart_revision ?? 0,
    user_created_at: first.user_created_at,
    created_at: first.cart_created_at ?? first.user_created_at,
    updated_at: first.cart_updated_at ?? first.user_created_at,
    discount_code: code,
    discount,
    confirmed_email,
    checkout_method: first.checkout_method,
    is_discount_used_up: await hasUsedUp(db, discount, { userId, email: confirmed_email }),
    lines,
  }
}

const withDiscountCode = (db: Db) =>
  linesOf(db)
    .innerJoin('carts', 'carts.user_id', 'cart_items.user_id')
    .select(lineColumns)
    .select('carts.discount_code')

const lineById = prepareQuery((db: Db, param: { userId: number; itemId: number }) =>
  withDiscountCode(db)
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
    db,
    linesOf(db)
      .innerJoin('carts', 'carts.user_id', 'cart_items.user_id')
      .where('cart_items.user_id', '=', userId),
    {
      id: 'cart_items.id',
      created_at: 'cart_items.created_at',
      updated_at: 'cart_items.updated_at',
      quantity: 'cart_items.quantity',
    },
    page,
    (lines) => lines.select(lineColumns).select('carts.discount_code'),
    { isFew: true },
  )

const upsertLine = prepareSql(
  (_: Db, { id, user_id, product_id, quantity, created_at, updated_at }: CartItemRow) => sql`
    insert into cart_items (id, user_id, product_id, quantity, created_at, updated_at)
    values (${id}, ${user_id}, ${product_id}, ${quantity}, ${created_at}, ${updated_at})
    on conflict (user_id, product_id) do update set
      quantity = excluded.quantity, updated_at = excluded.updated_at`,
)

type LineQuantity = Pick<CartItemRow, 'product_id' | 'quantity'>
const quantityFields = cartItems.kindsOf(['product_id', 'quantity'])

// Without a WHERE clause, SQLite parses ON CONFLICT as the ON of a join.
const upsertLines = prepareSql(
  (db: Db, param: { userId: number; lines: readonly LineQuantity[]; now: Instant }) => sql`
    insert into cart_items (user_id, product_id, quantity, created_at, updated_at)
    select ${asBigint(param.userId)}, line.product_id, line.quantity, ${asBigint(param.now)},
      ${asBigint(param.now)}
    from ${rowsFromJson(db, param.lines, quantityFields)} as line
    where line.product_id is not null
    on conflict (user_id, product_id) do update set
      quantity = excluded.quantity, updated_at = excluded.updated_at`,
)

/** Sets the quantities of products in a user's cart. */
export const setQuantities = (
  db: Db,
  userId: number,
  lines: readonly LineQuantity[],
  now: Instant,
): Promise<number> => upsertLines.run(db, { userId, lines, now })

/** Returns the statement that inserts or updates a line. */
export const upsertLineStatement = (line: CartItemRow): PreparedWrite => upsertLine.write(line)

const touch = prepareSql(
  (_: Db, { userId, now }: { userId: number; now: Instant }) => sql`
    insert into carts (user_id, created_at, updated_at) values (${userId}, ${now}, ${now})
    on conflict (user_id) do update set revision = carts.revision + 1,
      updated_at = excluded.updated_at, idle_since = null`,
)

const setDiscount = prepareSql(
  (_: Db, { userId, code, now }: { userId: number; code: string | null; now: Instant }) => sql`
    insert into carts (user_id, discount_code, created_at, updated_at)
    values (${userId}, ${code}, ${now}, ${now})
    on conflict (user_id) do update set discount_code = excluded.discount_code,
      revision = carts.revision + 1, updated_at = excluded.updated_at, idle_since = null`,
)

/** Returns the statement that sets or removes the code of the discount of a user's cart. */
export const setDiscountStatement = (
  userId: number,
  code: string | null,
  now: Instant,
): PreparedWrite => setDiscount.write({ userId, code, now })

/** Returns the statement that creates the next revision of a user's cart. */
export const touchCartStatement = (userId: number, now: Instant): PreparedWrite =>
  touch.write({ userId, now })

const deleteLines = prepareSql(
  (_: Db, { userId }: { userId: number }) => sql`
    delete from cart_items where user_id = ${userId}
    returning id, product_id, quantity,
      (select discount_code from carts where user_id = ${userId}) as discount_code`,
  { id: integer, product_id: integer, quantity: integer, discount_code: nullable(text) },
)

/**
 * Deletes all lines of a cart and returns them, ordered by ID, with the code of the discount of the cart;
 * concurrent callers get none.
 */
export async function removeLines(db: Db, userId: number) {
  const lines = await deleteLines.all(db, { userId })
  return lines.sort((one, other) => one.id - other.id)
}

/** Deletes the cart of a user and its lines, in two statements. */
export async function removeCart(db: Db, userId: number): Promise<void> {
  await cartItems.delete(db, { user_id: userId })
  await carts.delete(db, { user_id: userId })
}
