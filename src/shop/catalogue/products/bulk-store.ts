import { invalidate } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { rowsFromJson } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { StaleWriteError } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import {
  catalogueCacheTag,
  fieldNames,
  type ProductInEvent,
  type ProductState,
  productCacheTag,
  stockAndRatingCacheTag,
} from './rules.ts'
import { derivedColumns, rejectDuplicates } from './store.ts'
import { type ProductRow, productRows, products } from './table.ts'

/**
 * Returns the products with these SKUs, locked until the transaction ends: in the order of their IDs, which
 * keeps transactions from a deadlock.
 */
export const lockProductsBySku = (db: Db, skus: readonly string[]): Promise<ProductRow[]> =>
  productRows.findAll(db, { sku: skus }, { order: 'id', locks: true })

type StateRow = ProductState & ReturnType<typeof derivedColumns>

const derivedNames = ['options_key', 'search_text'] as const satisfies (keyof StateRow)[]
const stateColumns = [...fieldNames, ...derivedNames] satisfies (keyof StateRow)[]
const stateFields = products.kindsOf(stateColumns)

/** What only a variant has, which stays as it is here. */
const variantColumns: readonly string[] = ['variant_of', 'options', 'options_key']
const changedColumns = stateColumns.filter((name) => !variantColumns.includes(name))

const insertAll = prepareQuery((db: Db, param: { rows: readonly StateRow[]; now: Instant }) =>
  db
    .insertInto('products')
    .columns([...stateColumns, 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(rowsFromJson(db, param.rows, stateFields).as('product'))
        .select(stateColumns)
        .select([
          eb.cast<number>(eb.val(param.now), 'bigint').as('created_at'),
          eb.cast<number>(eb.val(param.now), 'bigint').as('updated_at'),
        ]),
    )
    .returning(['id', 'sku']),
)

type StoredProduct = ProductInEvent & Pick<ProductRow, 'search_text'>

/** Inserts products, which must have SKUs and no parents. Throws 409/4092 when a SKU is taken. */
export async function insertProducts(
  db: Db,
  states: readonly ProductState[],
  now: Instant,
): Promise<readonly StoredProduct[]> {
  if (states.length === 0) return []
  invalidate(catalogueCacheTag)
  const rows = states.map((state) => ({ ...state, ...derivedColumns(state) }))
  const inserted = await rejectDuplicates(insertAll.all(db, { rows, now }))
  const idBySku = new Map(inserted.map(({ id, sku }) => [sku, id]))
  return rows.map((row) => ({
    ...newProduct,
    ...row,
    ...times(now),
    id: idBySku.get(row.sku) ?? 0,
  }))
}

const times = (now: Instant) => ({ created_at: now, updated_at: now })

/** The columns of a new product that do not follow from its state. */
const newProduct = {
  rating_sum: 0,
  rating_count: 0,
  option_names: null,
  variant_count: 0,
  price_from: null,
  images: null,
  revision: 1,
  deleted_at: null,
} as const

type ChangedRow = StateRow & { readonly id: number; readonly revision: number }

const changedFields = products.kindsOf([...stateColumns, 'id', 'revision'])

const updateAll = prepareQuery((db: Db, param: { rows: readonly ChangedRow[]; now: Instant }) =>
  db
    .updateTable('products')
    .from(rowsFromJson(db, param.rows, changedFields).as('changed'))
    .set((eb) => ({
      ...Object.fromEntries(changedColumns.map((name) => [name, eb.ref(`changed.${name}`)])),
      revision: eb('products.revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .whereRef('products.id', '=', 'changed.id')
    .whereRef('products.revision', '=', 'changed.revision'),
)

/** A product before and after a change. */
interface StoredChange {
  readonly before: ProductRow
  readonly after: StoredProduct
}

/**
 * Updates products that are neither variants nor parents, each to its next revision. Throws
 * StaleWriteError when one has changed since it was read.
 */
export async function updateProducts(
  db: Db,
  changes: readonly { readonly before: ProductRow; readonly state: ProductState }[],
  now: Instant,
): Promise<readonly StoredChange[]> {
  if (changes.length === 0) return []
  const tags = changes.map(({ before: { id } }) => productCacheTag(id))
  invalidate(...tags, catalogueCacheTag, stockAndRatingCacheTag)
  const rows = changes.map(({ before: { id, revision }, state }) => ({
    ...state,
    ...derivedColumns(state),
    id,
    revision,
  }))
  const updated = await updateAll.run(db, { rows, now })
  if (updated !== rows.length) throw new StaleWriteError('A product has changed since it was read')
  return changes.map(({ before, state }) => ({
    before,
    after: {
      ...before,
      ...state,
      ...derivedColumns(state),
      revision: before.revision + 1,
      updated_at: now,
    },
  }))
}
