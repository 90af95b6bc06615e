import { sql } from 'kysely'
import type { Actor } from '#http/declare/actor.ts'
import { resourceWord } from '#i18n/message.ts'
import { formerHandles } from '#shop/catalogue/handles/table.ts'
import { priorPricesAfter, recordPrices } from '#shop/catalogue/prices/store.ts'
import { productPrices } from '#shop/catalogue/prices/table.ts'
import { reviewsCacheTag, sharedReviewsCacheTag } from '#shop/catalogue/reviews/rules.ts'
import { requirePresent } from '#shop/require-present.ts'
import { invalidate } from '#store/changes.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { uniqueFieldsOf } from '#store/entity-fields.ts'
import { dialectOf, idIn, isUnset, lockRows } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { rejectDuplicate } from '#store/reject-duplicate.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { Instant } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { storeAttributes } from './attribute-store.ts'
import { fields } from './fields.ts'
import {
  catalogueCacheTag,
  type ProductState,
  productCacheTag,
  stockAndRatingCacheTag,
} from './rules.ts'
import { indexedChange, searchTextOfProduct } from './searched-texts.ts'
import { type ProductRow, productRows } from './table.ts'
import { isProductVisible } from './visibility.ts'

/** Returns the product with this ID, even if removed. */
const findProduct = (db: Db, id: number): Promise<ProductRow | undefined> =>
  productRows.find(db, { id })

/**
 * Returns the product with this ID, even if removed, locked until the transaction ends: concurrent orders
 * would otherwise starve an optimistic update of a popular product.
 */
export const lockProduct = (db: Db, id: number): Promise<ProductRow | undefined> =>
  productRows.find(db, { id }, { locks: true })

/** Returns the product with this ID. Throws 404/4041, and 410/4101 for a removed product. */
export const requireProduct = async (db: Db, id: number): Promise<ProductRow> =>
  requirePresent('product', await findProduct(db, id))

/** Returns the product with this ID, even if removed, if the caller may see it. */
export async function findVisibleProduct(
  { db, actor }: ReadingCaller,
  id: number,
): Promise<ProductRow | undefined> {
  const product = await findProduct(db, id)
  return product && isProductVisible(product, actor) ? product : undefined
}

/** Returns the product with this ID. Throws 404/4041 if the caller may not see it, and 410/4101 if it was removed. */
export const requireVisibleProduct = async (
  caller: ReadingCaller,
  id: number,
): Promise<ProductRow> => requirePresent('product', await findVisibleProduct(caller, id))

interface ReadingCaller {
  readonly db: Db
  readonly actor: Pick<Actor, 'role' | 'scopes'>
}

const presentIds = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select id from products where ${idIn(db, 'products.id', ids)} and ${isUnset('deleted_at')}`,
  { id: integer },
)

/** Returns those of these IDs whose products exist and are not removed. */
export async function presentProducts(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = ids.length === 0 ? [] : await presentIds.all(db, { ids })
  return new Set(rows.map(({ id }) => id))
}

/** The state of a product with the columns that follow from it. */
export const withDerivedColumns = <S extends ProductState>(state: S) =>
  productRows.withFollowing({ ...state, search_text: searchTextOfProduct(state) })

/** Inserts a product. Throws 409/4092 when the SKU or the like, or the options of a variant, are taken. */
export async function insertProduct(
  db: Db,
  state: ProductState & Partial<FromParent>,
  now: Instant,
): Promise<ProductRow> {
  invalidate(catalogueCacheTag)
  const times = { created_at: now, updated_at: now }
  const product = await rejectDuplicates(
    productRows.insert(db, { ...withDerivedColumns(state), ...times }),
  )
  const change = { id: product.id, before: null, after: product }
  await updateWordIndex(db, [indexedChange(change)])
  await storeAttributes(db, [change])
  await recordPrices(db, [change], now)
  return product
}

/**
 * Updates a product to its next revision, if anything has changed. Throws 409/4092 when the SKU, or
 * the options of a variant, are taken, and StaleWriteError when the product has changed since it was read.
 */
export async function saveProduct(
  db: Db,
  product: ProductRow,
  state: ProductState & Partial<FromParent>,
  now: Instant,
): Promise<ProductRow> {
  const { id } = product
  if (isUnchanged(product, state)) return product
  invalidate(productCacheTag(id), catalogueCacheTag, stockAndRatingCacheTag)
  if (state.status !== product.status) invalidate(reviewsCacheTag(id))
  const [prior_price = null] = await priorPricesAfter(db, [{ before: product, state }], now)
  const columns = { ...withDerivedColumns(state), prior_price }
  const saved = await rejectDuplicates(productRows.save(db, product, columns, now))
  await updateWordIndex(db, [indexedChange({ id, before: product, after: saved })])
  await storeAttributes(db, [{ id, before: product, after: saved }])
  await recordPrices(db, [{ id, before: product, after: saved }], now)
  return saved
}

const uniqueFields = uniqueFieldsOf(fields)
const freed = Object.fromEntries(uniqueFields.map(({ name }) => [name, null]))

/** Marks a product as removed and frees its SKU and the like; its row stays for orders. */
export async function removeProduct(db: Db, product: ProductRow, now: Instant): Promise<void> {
  const { id } = product
  invalidate(productCacheTag(id), catalogueCacheTag, stockAndRatingCacheTag, reviewsCacheTag(id))
  const changes = { deleted_at: now, ...freed }
  const [removed] = await productRows.reviseRows(db, { id, deleted_at: null }, changes, now)
  await formerHandles.delete(db, { product_id: id })
  await productPrices.delete(db, { product_id: id })
  if (removed) await updateWordIndex(db, [indexedChange({ id, before: removed, after: null })])
  await storeAttributes(db, [{ id, before: product, after: null }])
}

const ratingColumns = ['rating_sum', 'rating_count', 'rating_average'] as const

/** The columns of the rating of a product; the average is null without reviews. */
export type StoredRating = Pick<ProductRow, (typeof ratingColumns)[number]>

/** The columns that a variant has from its parent. */
export const fromParentColumns = [...ratingColumns, 'parent_status'] as const

/** What a variant has from its parent. */
export type FromParent = Pick<ProductRow, (typeof fromParentColumns)[number]>

/** What a new product has that is no variant. */
export const ofNoParent: FromParent = {
  rating_sum: 0,
  rating_count: 0,
  rating_average: null,
  parent_status: null,
}

/** The rating of a product alone. */
const ratingOf = ({ rating_sum, rating_count, rating_average }: StoredRating): StoredRating => ({
  rating_sum,
  rating_count,
  rating_average,
})

/** What a product gives its variants. */
export const fromParent = (parent: ProductRow): FromParent => ({
  ...ratingOf(parent),
  parent_status: parent.status,
})

/** A change of the sum and the number of the ratings of a product. */
interface RatingChange {
  readonly id: number
  readonly sum: number
  readonly count: number
  readonly now: Instant
}

const areVariantsOf = (id: number) => sql`variant_of = ${id} and ${isUnset('deleted_at')}`

/**
 * Changes the rating of a product. On PostgreSQL it locks its variants before, as orders do. A variant has the rating
 * of its parent, whatever reviews it had before it was one.
 */
const changeRating = prepareSql(
  (db: Db, param: RatingChange) => {
    const isPostgres = dialectOf(db) === 'postgres'
    const locked = sql`with variants as materialized (select id from products
      where ${areVariantsOf(param.id)} order by id ${lockRows(db, 'products')})`
    const ofSingle = (change: number) => sql`case when variant_of is null then ${change} else 0 end`
    const sum = sql`rating_sum + ${ofSingle(param.sum)}`
    const count = sql`rating_count + ${ofSingle(param.count)}`
    return sql`
      ${isPostgres ? locked : sql``}
      update products set rating_sum = ${sum}, rating_count = ${count},
        rating_average = (${sum}) * 1.0 / nullif(${count}, 0),
        revision = revision + 1, updated_at = ${param.now}
      where id = ${param.id} and deleted_at is null
        ${isPostgres ? sql`and (select count(*) from variants) >= 0` : sql``}
      returning variant_count, ${sql.join(ratingColumns.map((name) => sql.ref(name)))}`
  },
  { variant_count: integer, ...productRows.schemasOf(ratingColumns) },
)

const changeRatingOfVariants = prepareSql(
  (_: Db, param: StoredRating & Pick<RatingChange, 'id' | 'now'>) => sql`
    update products set rating_sum = ${param.rating_sum}, rating_count = ${param.rating_count},
      rating_average = ${param.rating_average}, revision = revision + 1, updated_at = ${param.now}
    where ${areVariantsOf(param.id)} returning id`,
  { id: integer },
)

/** Changes the rating of a product and its variants, atomically. Throws 410/4101 for a removed product. */
export async function changeRatingOfProduct(db: Db, change: RatingChange): Promise<void> {
  const { id, now } = change
  const changed = await changeRating.first(db, change)
  if (!changed) throw problem('4101', 'detail.gone', { name: resourceWord('product') })
  invalidate(productCacheTag(id), stockAndRatingCacheTag)
  const { variant_count, ...rating } = changed
  if (variant_count === 0) return
  const variants = await changeRatingOfVariants.all(db, { id, now, ...rating })
  invalidate(...variants.map((variant) => productCacheTag(variant.id)), sharedReviewsCacheTag)
}

/** Turns a unique violation into 409/4092. */
export const rejectDuplicates = <T>(write: Promise<T>): Promise<T> =>
  rejectDuplicate(write, 'variant.duplicate', uniqueColumns)

const uniqueColumns = uniqueFields.map(({ column, duplicate }) => ({
  columns: [`products.${column}`],
  key: duplicate,
}))
