import { sql } from 'kysely'
import { announce } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, idIn, nextId, rowsFromJson } from '#store/dialect.ts'
import { isUniqueViolation } from '#store/errors.ts'
import { type PreparedWrite, prepared } from '#store/prepared.ts'
import { requireWritten } from '#store/stale-write.ts'
import { reword } from '#store/word-index.ts'
import type { Instant } from '#values/instant.ts'
import { refusal } from '#values/refusal.ts'
import { searchTextOf } from '#values/words.ts'
import { reviewChanges } from '../reviews/rules.ts'
import { catalogueChanges, changesOf, countChanges, type ProductState } from './rules.ts'
import type { ProductRow } from './table.ts'

const byId = prepared((db: Db, param: { id: number }) =>
  db.selectFrom('products').selectAll().where('id', '=', param.id),
)

/** The product with this identifier, removed ones included. */
export const findProduct = (db: Db, id: number): Promise<ProductRow | undefined> =>
  byId.first(db, { id })

const heldById = prepared((db: Db, param: { id: number }) =>
  db
    .selectFrom('products')
    .selectAll()
    .where('id', '=', param.id)
    // Or whoever changes a product that sells without end would never come to it.
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate()),
)

/** The same product, kept from changing until the transaction ends. */
export const holdProduct = (db: Db, id: number): Promise<ProductRow | undefined> =>
  heldById.first(db, { id })

/** The product with this identifier; refused with 404 when there is none, 410 when removed. */
export async function requireProduct(db: Db, id: number): Promise<ProductRow> {
  const product = await findProduct(db, id)
  if (!product) throw refusal('4041', 'detail.no_resource', { name: 'product' })
  if (product.deleted_at !== null) throw refusal('4101', 'detail.gone', { name: 'product' })
  return product
}

/** Keeps a new product; a SKU already taken is refused with 409/4092. */
export async function insertProduct(
  db: Db,
  state: ProductState,
  now: Instant,
): Promise<ProductRow> {
  announce(catalogueChanges)
  const product = await uniqueSku(
    db
      .insertInto('products')
      .values({
        ...state,
        search_text: searchTextOf(state),
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  await reword(db, [{ id: product.id, before: null, after: product }])
  return product
}

/** Keeps the changed product as its next revision; a SKU already taken is refused with 409/4092. */
export async function saveProduct(
  db: Db,
  product: ProductRow,
  state: ProductState,
  now: Instant,
): Promise<ProductRow> {
  const { id, revision } = product
  announce(changesOf(id), catalogueChanges, countChanges)
  const saved = await uniqueSku(
    db
      .updateTable('products')
      .set({
        ...state,
        search_text: searchTextOf(state),
        revision: revision + 1,
        updated_at: now,
      })
      .where('id', '=', id)
      .where('revision', '=', revision)
      .returningAll()
      .executeTakeFirst(),
  ).then(requireWritten)
  await reword(db, [{ id, before: product, after: saved }])
  return saved
}

/** Takes a product out of the catalogue; orders keep naming it, its SKU is free again. */
export async function removeProduct(db: Db, { id }: ProductRow, now: Instant): Promise<void> {
  announce(changesOf(id), catalogueChanges, countChanges, reviewChanges(id))
  const removed = await db
    .updateTable('products')
    .set((eb) => ({
      deleted_at: now,
      updated_at: now,
      sku: null,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(['search_text', 'category'])
    .executeTakeFirst()
  if (removed) await reword(db, [{ id, before: removed, after: null }])
}

const addRating = prepared((db: Db, param: { id: number; rating: number; now: Instant }) =>
  db
    .updateTable('products')
    .set((eb) => {
      const sum = eb('rating_sum', '+', param.rating)
      const count = eb('rating_count', '+', eb.lit(1))
      return {
        rating_sum: sum,
        rating_count: count,
        rating_average: sql<number>`(${sum}) * 1.0 / (${count})`,
        revision: eb('revision', '+', eb.lit(1)),
        updated_at: param.now,
      }
    })
    .where('id', '=', param.id)
    .where('deleted_at', 'is', null)
    .returning('id'),
)

/** Counts one more rating of a product, whoever else does; refused with 410 when it is removed. */
export async function countRating(db: Db, id: number, rating: number, now: Instant): Promise<void> {
  announce(changesOf(id), countChanges)
  const counted = await addRating.first(db, { id, rating, now })
  if (!counted) throw refusal('4101', 'detail.gone', { name: 'product' })
}

async function uniqueSku<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (isUniqueViolation(error)) throw refusal('4092', 'product.duplicate_sku')
    throw error
  }
}

interface Wish {
  readonly product_id: number
  readonly quantity: number
}

const wishFields = { product_id: 'integer', quantity: 'integer' } as const

const byIds = prepared((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('products')
    .selectAll()
    .where(idIn(db, 'products.id', param.ids)),
)

const byIdsForOrder = prepared((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('products')
    .selectAll()
    .select(nextId(db, 'orders').as('next_order_id'))
    .where(idIn(db, 'products.id', param.ids)),
)

/**
 * The products with these identifiers, removed ones included, and the id of an order that is to be
 * made of them, in one query; where there is none of them, no id.
 */
export async function findProductsToOrder(
  db: Db,
  ids: readonly number[],
): Promise<{ readonly articles: ReadonlyMap<number, ProductRow>; readonly orderId: number }> {
  const products = await byIdsForOrder.all(db, { ids })
  const articles = new Map(products.map((product) => [product.id, product]))
  return { articles, orderId: products[0]?.next_order_id ?? 0 }
}

/** The products with these identifiers, removed ones included, in one query. */
export async function findProducts(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ProductRow>> {
  const products = await byIds.all(db, { ids })
  return new Map(products.map((product) => [product.id, product]))
}

const takeCounted = prepared((db: Db, param: { wishes: readonly Wish[]; now: Instant }) =>
  db
    .updateTable('products')
    .from((from) =>
      from
        .selectFrom('products as held')
        .innerJoin(rowsFromJson(db, param.wishes, wishFields).as('wish'), (join) =>
          join.onRef('wish.product_id', '=', 'held.id'),
        )
        .select(['held.id as held_id', 'wish.quantity as taken'])
        .orderBy('held.id')
        // One order for all who take several, so that no two wait for one another.
        .$if(dialectOf(db) === 'postgres', (rows) => rows.forNoKeyUpdate('held'))
        .as('line'),
    )
    .set((eb) => ({
      stock: eb('stock', '-', eb.ref('line.taken')),
      availability: sql`case when availability = 'in_stock' and stock = line.taken
        then 'out_of_stock' else availability end`,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .whereRef('products.id', '=', 'line.held_id')
    .whereRef('products.stock', '>=', 'line.taken')
    .where('products.deleted_at', 'is', null)
    // Inequalities, since SQLite would rather go through all that is in stock by their index.
    .where('products.availability', '!=', 'out_of_stock')
    .where('products.availability', '!=', 'discontinued')
    .returning('products.id'),
)

/** Takes counted stock, of all lines or of none; none where nothing is wished. */
export function takingStock(wishes: readonly Wish[], now: Instant): readonly PreparedWrite[] {
  if (wishes.length === 0) return []
  announceCounted(wishes.map(({ product_id: id }) => ({ id })))
  return [takeCounted.write({ wishes, now }, wishes.length)]
}

const giveBack = prepared((db: Db, param: { orderIds: readonly number[]; now: Instant }) =>
  db
    .updateTable('products')
    .from((from) =>
      from
        .selectFrom('order_items')
        .select((eb) => ['product_id', eb.fn.sum<number>('quantity').as('returned')])
        .where(idIn(db, 'order_items.order_id', param.orderIds))
        .groupBy('product_id')
        .as('line'),
    )
    .set((eb) => ({
      stock: eb('stock', '+', eb.ref('line.returned')),
      availability: sql`case when availability = 'out_of_stock'
        then 'in_stock' else availability end`,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .whereRef('products.id', '=', 'line.product_id')
    .where('products.stock', 'is not', null)
    .returning('products.id'),
)

/** Puts what these orders hold back on the shelf, where it is counted. */
export async function returnStock(
  db: Db,
  orderIds: readonly number[],
  now: Instant,
): Promise<void> {
  announceCounted(await giveBack.all(db, { orderIds, now }))
}

function announceCounted(products: readonly { readonly id: number }[]): void {
  if (products.length > 0) announce(...products.map(({ id }) => changesOf(id)), countChanges)
}
